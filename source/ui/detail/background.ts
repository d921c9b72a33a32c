import type {Entry} from '../../contract/entry.ts';
import {urlText} from '../../monitor/links/safe-url.ts';
import {ownLinks, type TokenLink} from '../../monitor/links/token-links.ts';
import type {Row} from '../../terminal/style.ts';
import {fitTo, truncate} from '../../text.ts';
import {boundKeys} from '../keymap/bound-keys.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {tokenCommand} from '../shell-commands.ts';
import {cutSpans, toned, type ViewModel} from '../view-model.ts';
import {wrapText} from '../wrap-text.ts';
import {heading, inColumns} from './blocks.ts';
import {FLAGS} from './risk.ts';
import {otherTokens} from './warnings.ts';

/** The contract's flags; what was not reported is not safe. */
export function securityFlags(model: ViewModel, {security, security_score}: Entry, width: number): Row[] {
	const {glyphs} = model;
	const score =
		security_score === undefined ? '' : `the service’s score ${Math.round(security_score)}, higher is safer`;
	if (security === undefined)
		return [heading(model, 'SECURITY', width, score), [toned(model, 'dim', 'not reported: unknown is not safe')]];
	const cells = FLAGS.map(([flag, set, unset, goodWhen]) => {
		const value = security[flag];
		if (value === undefined) return [toned(model, 'faint', `? ${set}`)];
		const isGood = value === goodWhen;
		const glyph = isGood ? glyphs.check : glyphs.cross;
		return [toned(model, isGood ? 'good' : 'bad', `${glyph} ${value ? set : unset}`)];
	});
	const taxes = (
		[
			['buy tax', security.buyTax],
			['sell tax', security.sellTax],
			['locked', security.locked],
			['burnt', security.burnRate],
		] as const
	).flatMap(([name, value]) =>
		value === undefined ? [] : [[toned(model, 'dim', `  ${name} `), toned(model, 'text', value)]],
	);
	return [heading(model, 'SECURITY', width, score), ...inColumns([...cells, ...taxes], width, 28)];
}

/** The token's own pages, unshortened: the links menu opens them, as does a click where the terminal makes links of text. */
export function links(model: ViewModel, entry: Entry, width: number): Row[] {
	const lines = ownLinks(entry).map(link => linkLine(model, link, width));
	if (lines.length === 0) lines.push([toned(model, 'dim', 'no links given')]);
	const reuses = entry.twitter_reuses_count ?? 0;
	if (reuses > 0) lines.push([toned(model, 'warn', `Twitter account also used by ${otherTokens(reuses)}`)]);
	if (entry.twitterRenames && entry.twitterRenames.length > 0) {
		lines.push([
			toned(model, 'warn', truncate(`renamed before: ${entry.twitterRenames.map(r => r.username).join(', ')}`, width)),
		]);
	}
	if (entry.live_status !== undefined)
		lines.push([
			toned(model, 'accent', truncate(`livestream ${entry.live_status} ${entry.livestream_title ?? ''}`, width)),
		]);
	const key = withKeys('{links.list}: open', boundKeys(model.state), model.glyphs.subscripts === '');
	return [heading(model, 'LINKS', width, key), ...lines];
}

function linkLine(model: ViewModel, {name, text, url}: TokenLink, width: number): Row {
	const label = toned(model, 'dim', fitTo(name, 13));
	if (!url.ok) {
		const why = toned(model, 'warn', ` not opened: ${url.why}`);
		return cutSpans([label, toned(model, 'faint', truncate(text, Math.max(width - 50, 10))), why], width);
	}
	const shown = toned(model, 'text', truncate(urlText(url), width - 13));
	return [label, {...shown, style: {...shown.style, link: url.href}}];
}

/** The token's own description. */
export function about(model: ViewModel, {description}: Entry, width: number): Row[] {
	if (description === undefined) return [];
	return [heading(model, 'ABOUT', width), ...wrapText(description, width).map(line => [toned(model, 'text', line)])];
}

/** The command that prints the same data in a shell. */
export function evidence(model: ViewModel, entry: Entry, width: number): Row[] {
	const key = withKeys('{links.list}: copy', boundKeys(model.state), model.glyphs.subscripts === '');
	const lines = wrapText(tokenCommand(entry), width);
	return [heading(model, 'IN A SHELL', width, key), ...lines.map((line): Row => [toned(model, 'text', line)])];
}
