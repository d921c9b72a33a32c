import {lookAlike, lookAlikesOnScreen} from '../monitor/look-alike.ts';
import {freshness} from '../monitor/select.ts';
import type {Column, Row as TokenRow} from '../monitor/state.ts';
import type {Row, Span} from '../terminal/style.ts';
import {type PlacedCell, paintLine} from './cell-layout.ts';
import {type CellContext, passageWords, recentMove, shownAge} from './cells.ts';
import {dimmed} from './old-data.ts';
import {cutSpans, type Scene, spansWidth, toned} from './scene.ts';
import {on} from './theme.ts';

/**
 * The lines of one token. A frame shows 150 tokens of which a few changed, so what was painted is kept with the row (which
 * is a new object whenever anything of it changed) for as long as everything else that it was painted with is the same.
 */
export function paintToken(
	scene: Scene,
	column: Column,
	row: TokenRow,
	cells: readonly (readonly PlacedCell[])[],
	width: number,
): readonly Row[] {
	const {state, theme, signs, thresholds, isStill} = scene;
	const isSelected = row.entry.key === column.cursor;
	const isPinned = column.pinned.has(row.entry.key);
	const isFocused = state.focus === column.view;
	const isOld = ['stale', 'unusable'].includes(freshness(column.dataAtMs, state.nowMs));
	const passage = passageOf(scene, column, row);
	// Of the time a row shows no more than these.
	const times = `${shownAge(row.entry, state.nowMs, state.skewMs)} ${recentMove(row, {nowMs: state.nowMs, isStill})?.up} ${passage?.ageS} ${Math.floor(state.nowMs / JUDGED_EVERY_MS)}`;
	const key = `${width} ${column.view} ${column.window} ${isSelected} ${isPinned} ${isFocused} ${isOld} ${theme.name} ${passage?.from} ${times}`;
	const known = painted.get(row);
	if (known?.key === key && known.signs === signs && known.cells === cells) return known.lines;
	const {skewMs} = state;
	// Judged with everything else that is painted: when the token changed, and every few seconds.
	const alike = lookAlike(row.entry, lookAlikesOnScreen(state))?.level;
	const context: CellContext = {
		theme,
		signs,
		thresholds,
		nowMs: state.nowMs,
		skewMs,
		window: column.window,
		isPinned,
		isSelected,
		...(alike && alike !== 'told' && {alike}),
		...(passage && {passage}),
		isStill,
	};
	const isNews = passage?.ageS !== undefined && passage.ageS < FLASH_S;
	const background = isSelected
		? isFocused
			? theme.cursor
			: theme.cursorElsewhere
		: isNews
			? theme.cursorElsewhere
			: undefined;
	const lines = cells.map((line, at) => {
		const spans = row.gone
			? goneLine(scene, line, row, context, width, at)
			: at === 0
				? paintLine(line, row, context)
				: passage
					? passageLine(scene, line, row, context, width)
					: secondLine(line, row, context);
		const aged = isOld ? spans.map(span => ({...span, style: dimmed(span.style)})) : spans;
		return background === undefined
			? aged
			: filled(aged, width).map(span => ({...span, style: on(theme, span.style, background)}));
	});
	painted.set(row, {key, signs, cells, lines});
	return lines;
}
const painted = new WeakMap<
	TokenRow,
	{
		readonly key: string;
		readonly signs: Scene['signs'];
		readonly cells: readonly (readonly PlacedCell[])[];
		readonly lines: readonly Row[];
	}
>();

/** How often it is looked anew whether a token that did not change looks like another one. */
const JUDGED_EVERY_MS = 5000;

/** How long a token that came from another column is marked, and how long its row stands out, s. */
const MARKED_S = 10;
const FLASH_S = 3;

function passageOf({state, isStill}: Scene, column: Column, row: TokenRow): CellContext['passage'] {
	const found = state.passages.find(({key, to}) => key === row.entry.key && to === column.view);
	const ageS = found === undefined ? MARKED_S : Math.max(Math.floor((state.nowMs - found.atMs) / 1000), 0);
	return found !== undefined && ageS < MARKED_S ? {from: found.from, ...(!isStill && {ageS})} : undefined;
}

/** Below a token that just came stands for a while where it came from. */
function passageLine(
	scene: Scene,
	cells: readonly PlacedCell[],
	row: TokenRow,
	context: CellContext,
	width: number,
): Span[] {
	const mark = secondLine(cells.slice(0, 1), row, context);
	return cutSpans([...mark, toned(scene, 'good', ` ${passageWords(context.passage!)}`)], width);
}

/** A row that left says why, in the place of figures that are no longer true. */
function goneLine(
	scene: Scene,
	cells: readonly PlacedCell[],
	row: TokenRow,
	context: CellContext,
	width: number,
	line: number,
): Span[] {
	if (line > 0) return secondLine(cells.slice(0, 1), row, context);
	const name = cells.filter(({cell}) => cell.id === 'mark' || cell.id === 'symbol');
	return cutSpans([...paintLine(name, row, context), {text: ' '}, toned(scene, 'dim', row.gone!.reason)], width);
}

/** The mark belongs to the first line; below it stands the cursor alone. */
function secondLine(cells: readonly PlacedCell[], row: TokenRow, context: CellContext): Span[] {
	const {gone: _, ...plain} = row;
	const {alike: _alike, passage: _passage, ...bare} = context;
	return paintLine(cells, plain, {...bare, isPinned: false});
}

function filled(spans: readonly Span[], width: number): Span[] {
	const missing = width - spansWidth(spans);
	return missing > 0 ? [...spans, {text: ' '.repeat(missing)}] : [...spans];
}
