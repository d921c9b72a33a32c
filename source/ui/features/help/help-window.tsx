import {type ReactNode, useContext} from 'react';
import type {ModeOf} from '../../../monitor/mode.ts';
import type {Style} from '../../../terminal/style.ts';
import {fitTo} from '../../../text.ts';
import {moreLines} from '../../glyphs.ts';
import {keysOfViewer} from '../../keymap/why-kept.ts';
import {Line, Text, useDisplay} from '../../live/lines.tsx';
import {Spread} from '../../live/spread.tsx';
import {Modal} from '../../modals/modal.tsx';
import {ScreenSize} from '../../modals/screen-size.ts';
import {type HelpLine, helpHits, helpLines, helpPage, helpWidth, keysWidthOf} from './help-lines.ts';
import {GROUP_WIDTH, pairText} from './help-summary.ts';

/** The parts of the screen, and all keys by the place where they are pressed. */
export function Help({mode}: {readonly mode: ModeOf<'help' | 'helpSearch'>}): ReactNode {
	const {keys: allKeys, glyphs} = useDisplay();
	const keys = mode.isVisit === true ? keysOfViewer(allKeys) : allKeys;
	const screen = useContext(ScreenSize);
	const lines = helpLines({columns: screen.columns, glyphs, keys, isReal: mode.isReal === true});
	const page = helpPage(screen.rows);
	const {scroll} = mode;
	const width = helpWidth(screen.columns);
	const query = mode.kind === 'helpSearch' ? mode.edit.text : mode.search;
	const rest = Math.max(lines.length - scroll - page, 0);
	const below = rest > 0 ? `${moreLines(glyphs, rest)}` : 'end';
	const searched =
		mode.kind === 'helpSearch' ? (
			<>
				<Text tone="key">/{query}</Text>
				<Text style={{inverse: true}}> </Text>
			</>
		) : (
			<>
				<Text tone="brand">Help</Text>
				<Text tone="key">{query !== '' && `  /${query}`}</Text>
			</>
		);
	const title = (
		<Spread left={searched}>
			<Text tone="dim">{query.trim() === '' ? below : hitPosition(lines, query, mode)}</Text>
		</Spread>
	);
	return (
		<Modal title={title} width={width} height={Math.min(lines.length + 3, screen.rows - 2)}>
			{lines.slice(scroll, scroll + page).map((line, at) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
				<HelpRow key={at} line={line} keysWidth={keysWidthOf(screen.columns)} query={query} />
			))}
		</Modal>
	);
}

/** The place of the current hit among all hits: `2 of 5`. */
function hitPosition(lines: readonly HelpLine[], query: string, {hit}: ModeOf<'help' | 'helpSearch'>): string {
	const hits = helpHits(lines, query);
	if (hits.length === 0) return 'not found';
	return `${Math.max(hits.indexOf(hit ?? hits[0]!), 0) + 1} of ${hits.length}`;
}

interface HelpRowProps {
	readonly line: HelpLine;
	readonly keysWidth: number;
	/** Searched words, which are highlighted. */
	readonly query: string;
}

function HelpRow({line: {keys, text, pairs}, keysWidth, query}: HelpRowProps): ReactNode {
	const {tones} = useDisplay().theme;
	const title: Style = {...tones.accent, bold: true};
	const part = (words: string, style: Style): ReactNode => <Marked text={words} style={style} query={query} />;
	if (pairs !== undefined) {
		return (
			<Line>
				{part(fitTo(keys ?? '', GROUP_WIDTH), title)}
				{pairs.map(([names, what]) => [
					part(names, tones.key),
					part(`${pairText([names, what]).slice(names.length)}  `, tones.text),
				])}
			</Line>
		);
	}
	if (keys === undefined) return <Line>{part(text, title)}</Line>;
	return (
		<Line>
			{part(`${fitTo(keys, keysWidth)} `, tones.key)}
			{part(text, tones.text)}
		</Line>
	);
}

/** A text with the searched words highlighted. */
function Marked({
	text,
	style,
	query,
}: {
	readonly text: string;
	readonly style: Style;
	readonly query: string;
}): ReactNode {
	const needle = query.trim().toLowerCase();
	const at = needle === '' ? -1 : text.toLowerCase().indexOf(needle);
	if (at < 0) return <Text style={style}>{text}</Text>;
	const end = at + needle.length;
	return (
		<>
			<Text style={style}>{text.slice(0, at)}</Text>
			<Text style={{...style, inverse: true}}>{text.slice(at, end)}</Text>
			<Text style={style}>{text.slice(end)}</Text>
		</>
	);
}
