import type {Row, Span, Style} from '../../../terminal/style.ts';
import {fitTo} from '../../../text.ts';
import type {WindowCanvas, WindowContent} from '../../feature.ts';
import {moreLines} from '../../glyphs.ts';
import type {Theme} from '../../theme.ts';
import {spread} from '../../view-model.ts';
import {type HelpLine, helpHits, helpLines, helpPage, helpWidth, keysWidthOf} from './help-lines.ts';
import {GROUP_WIDTH, pairText} from './help-summary.ts';
import type {HelpMode} from './mode.ts';

/** What the screen shows, and all keys by the place where they are pressed. */
export function helpWindow(mode: HelpMode, {keys, screen, theme, glyphs}: WindowCanvas): WindowContent {
	const lines = helpLines({columns: screen.columns, glyphs, keys, isReal: mode.isReal === true});
	const page = helpPage(screen.rows);
	const {scroll} = mode;
	const width = helpWidth(screen.columns);
	const query = mode.kind === 'helpSearch' ? mode.edit.text : mode.search;
	const {tones} = theme;
	const rest = Math.max(lines.length - scroll - page, 0);
	const below = rest > 0 ? `${moreLines(glyphs, rest)}` : 'end';
	const left: Span[] =
		mode.kind === 'helpSearch'
			? [
					{text: `/${query}`, style: tones.key},
					{text: ' ', style: {inverse: true}},
				]
			: [
					{text: 'Help', style: tones.brand},
					{text: query === '' ? '' : `  /${query}`, style: tones.key},
				];
	const right: Span[] = [{text: query.trim() === '' ? below : hitPosition(lines, query, mode), style: tones.dim}];
	return {
		title: spread(left, right, width - 4),
		lines: lines.slice(scroll, scroll + page).map(line => helpRow(line, keysWidthOf(screen.columns), theme, query)),
		width,
		height: Math.min(lines.length + 3, screen.rows - 2),
	};
}

/** The place of the current hit among all hits: `2 of 5`. */
function hitPosition(lines: readonly HelpLine[], query: string, {hit}: HelpMode): string {
	const hits = helpHits(lines, query);
	if (hits.length === 0) return 'not found';
	return `${Math.max(hits.indexOf(hit ?? hits[0]!), 0) + 1} of ${hits.length}`;
}

function helpRow({keys, text, pairs}: HelpLine, keysWidth: number, {tones}: Theme, query: string): Row {
	if (pairs !== undefined) {
		return [
			...marked(fitTo(keys ?? '', GROUP_WIDTH), {...tones.accent, bold: true}, query),
			...pairs.flatMap(([names, what]) => [
				...marked(names, tones.key, query),
				...marked(`${pairText([names, what]).slice(names.length)}  `, tones.text, query),
			]),
		];
	}
	if (keys === undefined) return marked(text, {...tones.accent, bold: true}, query);
	return [...marked(`${fitTo(keys, keysWidth)} `, tones.key, query), ...marked(text, tones.text, query)];
}

/** A text with the searched words highlighted. */
function marked(text: string, style: Style, query: string): Span[] {
	const needle = query.trim().toLowerCase();
	const at = needle === '' ? -1 : text.toLowerCase().indexOf(needle);
	if (at < 0) return [{text, style}];
	const end = at + needle.length;
	return [
		{text: text.slice(0, at), style},
		{text: text.slice(at, end), style: {...style, inverse: true}},
		{text: text.slice(end), style},
	].filter(span => span.text !== '');
}
