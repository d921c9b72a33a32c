import {chainWord} from '../../chains/chain-words.ts';
import type {Detail} from '../../monitor/state.ts';
import {type LookalikeReason, lookalikeOf, lookalikesOnScreen} from '../../monitor/tokens/lookalike.ts';
import type {Row} from '../../terminal/style.ts';
import {truncate} from '../../text.ts';
import {age, grouped, usd} from '../format.ts';
import {toned, type ViewModel} from '../view-model.ts';
import {wrapText} from '../wrap-text.ts';
import {heading} from './blocks.ts';

/** Warnings that the service reports. */
export function spamWarning(model: ViewModel, {entry}: Detail, width: number): Row[] {
	if (entry.is_spam !== true) return [];
	return [[toned(model, 'bad', truncate('!! SPAM: the service marks this token as spam.', width))]];
}

/** `1 other token`, `58 other tokens`. */
export function otherTokens(count: number): string {
	return `${grouped(count)} other ${count === 1 ? 'token' : 'tokens'}`;
}

/** What the token may be taken for, with the address of the other one. */
export function lookalikes(model: ViewModel, {entry}: Detail, width: number): Row[] {
	const found = lookalikeOf(entry, lookalikesOnScreen(model.state));
	if (!found) return [];
	const lines = found.reasons.flatMap((reason): Row[] => {
		const isBad = reason.kind === 'spelling' || reason.kind === 'known';
		const tone = isBad ? 'bad' : found.level === 'info' || found.level === 'note' ? 'text' : 'warn';
		const glyph = isBad ? '!' : tone === 'warn' ? model.glyphs.alike : model.glyphs.namesake;
		const {text, address} = describe(reason, entry.symbol ?? '', entry.created_at);
		const lines = wrapText(text, width - 2).map((line, at) => [
			toned(model, tone, `${at === 0 ? glyph : ' '} ${line}`),
		]);
		const other =
			address === undefined ? [] : wrapText(address, width - 2).map(line => [toned(model, 'text', `  ${line}`)]);
		return [...lines, ...other];
	});
	return [heading(model, 'POSSIBLE COPYCAT', width), ...lines];
}

function describe(
	reason: LookalikeReason,
	symbol: string,
	createdAtMs: number | undefined,
): {readonly text: string; readonly address?: string} {
	switch (reason.kind) {
		case 'spelling':
			return {
				text: `${symbol} is spelt with ${reason.script} letters that look Latin: ${reason.letters
					.map(letter => `“${letter}” U+${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`)
					.join(', ')}`,
			};
		case 'known':
			return reason.address === undefined
				? {text: `it is not ${reason.symbol}, only its symbol looks so`}
				: {text: `it is not ${reason.symbol}, which on this chain is`, address: reason.address};
		case 'copy': {
			const {of, what, isOlder} = reason;
			const older =
				isOlder && of.created_at !== undefined && createdAtMs !== undefined
					? `${age(createdAtMs - of.created_at)} older, `
					: '';
			return {
				text: `same ${what} as ${of.symbol ?? '?'} “${of.name ?? ''}” on ${chainWord(of.chain_id)}: ${older}mcap ${usd(of.market_cap)}`,
				address: of.address,
			};
		}
		case 'twitter':
			return {
				text: `same Twitter account as ${reason.of.symbol ?? '?'}, which is older or larger`,
				address: reason.of.address,
			};
		case 'twitterReused':
			return {text: `Twitter account also used by ${otherTokens(reason.count)}`};
	}
}
