import type {ReactNode} from 'react';
import {chainWord} from '../../chains/chain-words.ts';
import type {Entry} from '../../contract/entry.ts';
import {type Lookalike, type LookalikeReason, lookalikeOf} from '../../monitor/tokens/lookalike.ts';
import {type FoundRisk, risksOf} from '../../monitor/tokens/risk.ts';
import {truncate} from '../../text.ts';
import {age, grouped, share, usd} from '../format.ts';
import {Line, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {Paragraph} from '../live/paragraph.tsx';
import {Heading} from '../live/section.tsx';
import {wrapText} from '../wrap-text.ts';
import type {SectionProps} from './section-props.ts';

/** Reports of the service by which a buyer may lose everything: honeypot, spam, a tax that is bad. */
export function Warnings({detail}: SectionProps): ReactNode {
	const width = useWidth();
	const {thresholds} = useDisplay();
	return risksOf(detail.entry, thresholds).map(risk => {
		const text = warningOf(risk);
		return (
			text !== undefined && (
				<Line key={risk.what}>
					<Text tone="bad">{truncate(`!! ${text}`, width)}</Text>
				</Line>
			)
		);
	});
}

function warningOf(risk: FoundRisk): string | undefined {
	if (risk.what === 'honeypot') return 'HONEYPOT: reported as impossible to sell.';
	if (risk.what === 'spam') return 'SPAM: the service marks this token as spam.';
	return risk.what === 'tax' && risk.level === 'bad' ? `TAX: a trade loses ${share(risk.percent)} to it.` : undefined;
}

/** `1 other token`, `58 other tokens`. */
export function otherTokens(count: number): string {
	return `${grouped(count)} other ${count === 1 ? 'token' : 'tokens'}`;
}

/** The token that this one may be taken for, with its address. */
export function Lookalikes({model, detail: {entry}}: SectionProps): ReactNode {
	const found = lookalikeOf(entry, model.lookalikes.index(model.state));
	if (!found) return null;
	return (
		<>
			<Heading title="POSSIBLE COPYCAT" />
			{found.reasons.map(reason => (
				<Reason key={reason.kind} reason={reason} level={found.level} entry={entry} />
			))}
		</>
	);
}

/** One reason with its mark, and the other token's address. */
function Reason({
	reason,
	level,
	entry,
}: {
	readonly reason: LookalikeReason;
	readonly level: Lookalike['level'];
	readonly entry: Entry;
}): ReactNode {
	const width = useWidth();
	const {glyphs} = useDisplay();
	const isBad = reason.kind === 'spelling' || reason.kind === 'known';
	const tone = isBad ? 'bad' : level === 'info' || level === 'note' ? 'text' : 'warn';
	const glyph = isBad ? '!' : tone === 'warn' ? glyphs.alike : glyphs.namesake;
	const {text, address} = describe(reason, entry.symbol ?? '', entry.created_at);
	return (
		<>
			{wrapText(text, width - 2).map((line, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
				<Line key={at}>
					<Text tone={tone}>{`${at === 0 ? glyph : ' '} ${line}`}</Text>
				</Line>
			))}
			{address !== undefined && <Paragraph text={address} tone="text" indent={2} />}
		</>
	);
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
