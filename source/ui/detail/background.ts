import type {Entry} from '../../contract/entry.ts';
import {urlText} from '../../monitor/links/safe-url.ts';
import {ownLinks, type TokenLink} from '../../monitor/links/token-links.ts';
import type {Row} from '../../terminal/style.ts';
import {fitTo, truncate} from '../../text.ts';
import {boundKeys} from '../keymap/bound-keys.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {cutSpans, type Scene, toned} from '../scene.ts';
import {tokenCommand} from '../shell-commands.ts';
import {wrapText} from '../wrap-text.ts';
import {heading, inColumns} from './blocks.ts';
import {FLAGS} from './risk.ts';
import {otherTokens} from './warnings.ts';

/** The contract's flags; what was not reported is not safe. */
export function securityFlags(scene: Scene, {security, security_score}: Entry, width: number): Row[] {
	const {signs} = scene;
	const score =
		security_score === undefined ? '' : `the service’s score ${Math.round(security_score)}, higher is safer`;
	if (security === undefined)
		return [heading(scene, 'SECURITY', width, score), [toned(scene, 'dim', 'not reported: unknown is not safe')]];
	const cells = FLAGS.map(([flag, set, unset, goodWhen]) => {
		const value = security[flag];
		if (value === undefined) return [toned(scene, 'faint', `? ${set}`)];
		const isGood = value === goodWhen;
		const sign = isGood ? signs.check : signs.cross;
		return [toned(scene, isGood ? 'good' : 'bad', `${sign} ${value ? set : unset}`)];
	});
	const taxes = (
		[
			['buy tax', security.buyTax],
			['sell tax', security.sellTax],
			['locked', security.locked],
			['burnt', security.burnRate],
		] as const
	).flatMap(([name, value]) =>
		value === undefined ? [] : [[toned(scene, 'dim', `  ${name} `), toned(scene, 'text', value)]],
	);
	return [heading(scene, 'SECURITY', width, score), ...inColumns([...cells, ...taxes], width, 28)];
}

/** Its own pages, as they are; the links menu opens them, and so does a click where the terminal makes links of text. */
export function links(scene: Scene, entry: Entry, width: number): Row[] {
	const lines = ownLinks(entry).map(link => linkLine(scene, link, width));
	if (lines.length === 0) lines.push([toned(scene, 'dim', 'no links given')]);
	const reuses = entry.twitter_reuses_count ?? 0;
	if (reuses > 0) lines.push([toned(scene, 'warn', `Twitter account also used by ${otherTokens(reuses)}`)]);
	if (entry.twitterRenames && entry.twitterRenames.length > 0) {
		lines.push([
			toned(scene, 'warn', truncate(`renamed before: ${entry.twitterRenames.map(r => r.username).join(', ')}`, width)),
		]);
	}
	if (entry.live_status !== undefined)
		lines.push([
			toned(scene, 'accent', truncate(`livestream ${entry.live_status} ${entry.livestream_title ?? ''}`, width)),
		]);
	const key = withKeys('{links.list}: open', boundKeys(scene.state), scene.signs.subscripts === '');
	return [heading(scene, 'LINKS', width, key), ...lines];
}

function linkLine(scene: Scene, {name, text, url}: TokenLink, width: number): Row {
	const label = toned(scene, 'dim', fitTo(name, 13));
	if (!url.ok) {
		const why = toned(scene, 'warn', ` not opened: ${url.why}`);
		return cutSpans([label, toned(scene, 'faint', truncate(text, Math.max(width - 50, 10))), why], width);
	}
	const shown = toned(scene, 'text', truncate(urlText(url), width - 13));
	return [label, {...shown, style: {...shown.style, link: url.href}}];
}

/** The token's own description. */
export function about(scene: Scene, {description}: Entry, width: number): Row[] {
	if (description === undefined) return [];
	return [heading(scene, 'ABOUT', width), ...wrapText(description, width).map(line => [toned(scene, 'text', line)])];
}

/** The command that prints the same data in a shell. */
export function evidence(scene: Scene, entry: Entry, width: number): Row[] {
	const key = withKeys('{token.command}: copy', boundKeys(scene.state), scene.signs.subscripts === '');
	const lines = wrapText(tokenCommand(entry), width);
	return [heading(scene, 'IN A SHELL', width, key), ...lines.map((line): Row => [toned(scene, 'text', line)])];
}
