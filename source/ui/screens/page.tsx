import type {ReactNode} from 'react';
import type {Loadable} from '../../monitor/state.ts';
import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {Row} from '../../terminal/style.ts';
import {moreLines} from '../glyphs.ts';
import {FromRows, FromSpans, Line, linesOf, spansOf, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {CutLine, Heading} from '../live/section.tsx';
import {Spread} from '../live/spread.tsx';
import type {Tone} from '../theme.ts';
import {cutSpans, spansWidth} from '../view-model.ts';
import {firstShown, type Marked, markedKey} from './list-lines.ts';

/* The parts of a page: a screen beside the columns. */

/** Size, time and keys: the input of every page. */
export interface PageFrame {
	/** Lines. */
	readonly height: number;
	/** Local Unix ms. */
	readonly nowMs: number;
	/** The line that is being typed. */
	readonly input?: {readonly field: string; readonly edit: TextEdit};
	/** Called with how far the page can be scrolled, lines. */
	readonly onReach?: (lines: number) => void;
	/** A text with the keys of the actions that it names in braces. */
	readonly named: (text: string) => string;
	readonly readOnly: boolean;
}

interface TitleProps {
	/** Notes at the right. */
	readonly notes?: ReactNode;
	readonly children: ReactNode;
}

/** The first line of a page: its name, its lists or state, and notes at the right. */
export function PageTitle({notes, children}: TitleProps): ReactNode {
	const {theme} = useDisplay();
	return (
		<Line band={theme.tones.titleFocused.backgroundColor ?? theme.modal.background}>
			<Spread left={[' ', children]}>{notes} </Spread>
		</Line>
	);
}

interface ListPageProps {
	readonly frame: PageFrame;
	readonly title: ReactNode;
	/** The line of headings; a blank line while there is nothing to head. */
	readonly headings: ReactNode;
	/** The keys of the lines, in their order, and the marked one. */
	readonly keys: readonly string[];
	readonly marked: Marked;
	/** The parts of a line. */
	readonly line: (key: string) => ReactNode;
	/** Lines in place of an empty list, two cells narrower than the page. */
	readonly empty: ReactNode;
	/** The last line, or several lines instead. */
	readonly end?: ReactNode;
	readonly endRows?: number;
}

/** A page with a list: title, headings, the lines around the marked one, and what stands at the end. */
export function ListPage({
	frame: {height},
	title,
	headings,
	keys,
	marked,
	line,
	empty,
	end,
	endRows = 1,
}: ListPageProps): ReactNode {
	const display = useDisplay();
	const width = useWidth();
	const {theme, glyphs} = display;
	const page = Math.max(height - 2 - endRows, 1);
	const at = markedKey({order: keys, ...marked});
	const top = firstShown(keys, marked, page);
	const shown = keys.slice(top, top + page);
	const lines =
		keys.length === 0
			? indented(linesOf(empty, display, width - 2))
			: linesOf(
					shown.map(key => (
						<CutLine key={key} band={key === at ? theme.cursor : undefined}>
							<Text tone="accent">{key === at ? glyphs.cursor : ' '}</Text>
							{line(key)}
						</CutLine>
					)),
					display,
					width,
				);
	return (
		<>
			{title}
			{headings || <Line />}
			<FromRows rows={filled(lines, page)} />
			{end}
		</>
	);
}

interface TextPageProps {
	readonly frame: PageFrame;
	readonly title: ReactNode;
	/** The first line in sight. */
	readonly scroll: number;
	/** Lines, two cells narrower than the page. */
	readonly children: ReactNode;
}

/** A page with text that scrolls: title, and as many lines as fit. */
export function TextPage({frame: {height, onReach}, title, scroll, children}: TextPageProps): ReactNode {
	const display = useDisplay();
	const lines = linesOf(children, display, useWidth() - 2);
	const page = Math.max(height - 2, 1);
	const most = Math.max(lines.length - page, 0);
	onReach?.(most);
	const top = Math.min(scroll, most);
	const rest = most - top;
	return (
		<>
			{title}
			<FromRows rows={filled(indented(lines.slice(top, top + page)), page)} />
			{rest > 0 && (
				<Line>
					<Text tone="dim"> {moreLines(display.glyphs, rest)}</Text>
				</Line>
			)}
		</>
	);
}

const indented = (rows: readonly Row[]): Row[] => rows.map(row => [{text: ' '}, ...row]);

function filled(rows: readonly Row[], count: number): readonly Row[] {
	return Array.from({length: count}, (_, at) => rows[at] ?? []);
}

/** Parts of a line in exactly `width` cells, the last of them a blank. */
export function Padded({width, children}: {readonly width: number; readonly children: ReactNode}): ReactNode {
	const cut = cutSpans(spansOf(children, useDisplay(), width), width - 1);
	return (
		<>
			<FromSpans spans={cut} />
			{' '.repeat(Math.max(width - spansWidth(cut), 1))}
		</>
	);
}

/** A remark at the end of a page, on one line. */
export function EndLine({tone, children}: {readonly tone: Tone; readonly children: string}): ReactNode {
	return (
		<CutLine>
			<Text tone={tone}> {children}</Text>
		</CutLine>
	);
}

/** A blank line, and a ruled one with a title. */
export function Section({title}: {readonly title: string}): ReactNode {
	return (
		<>
			<Line />
			<Heading title={title} />
		</>
	);
}

/** The text in place of an empty list: it says whether the list is loading, failed, or has no items. */
export function emptyText(list: Loadable<unknown>, empty: string): {readonly text: string; readonly isBad: boolean} {
	if (list.kind === 'failed')
		return {text: `${list.problem.what}: ${list.problem.why}. ${list.problem.advice}`, isBad: true};
	return {text: list.kind === 'loading' ? 'Loading' : empty, isBad: false};
}
