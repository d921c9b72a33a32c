import type {Column, Row as TokenRow} from '../monitor/columns/column.ts';
import {elsewhereIn} from '../monitor/columns/shown-keys.ts';
import {freshness} from '../monitor/select.ts';
import {lookalikeOf, lookalikesOnScreen} from '../monitor/tokens/lookalike.ts';
import type {Row, Span} from '../terminal/style.ts';
import {cellWidth} from '../text.ts';
import {type PlacedCell, paintLine, paintWithText} from './cell-layout.ts';
import {type CellContext, recentMove, shownAge, sinceBonding} from './cells.ts';
import {age} from './format.ts';
import {dimmed} from './old-data.ts';
import {on} from './theme.ts';
import {spansWidth, type ViewModel} from './view-model.ts';

/**
 * The lines of one token. A frame shows 150 tokens of which a few changed, so what was painted is kept with the row (which
 * is a new object whenever anything of it changed) for as long as everything else that it was painted with is the same.
 */
export function paintToken(
	model: ViewModel,
	column: Column,
	row: TokenRow,
	cells: readonly (readonly PlacedCell[])[],
	{width, isStriped}: {readonly width: number; readonly isStriped: boolean},
): readonly Row[] {
	const painted = isStriped ? paintedStriped : paintedPlain;
	const {state, theme, glyphs, thresholds, isStill} = model;
	const isSelected = row.entry.key === column.cursor;
	const isPinned = column.pinned.has(row.entry.key);
	const holding = holdingOf(state, row.entry.key);
	const isFocused = state.focus === column.view;
	const isOld = ['stale', 'unusable'].includes(freshness(column.dataAtMs, state.nowMs));
	const departed = departedTo(model, column, row);
	const promotion = promotionOf(model, column, row);
	const isNews = promotion?.isNews ?? false;
	const shownSince = column.view === 'bonded' ? sinceBonding(row.entry, state.nowMs, state.skewMs) : '';
	// Of the time a row shows no more than these.
	const times = `${shownAge(row.entry, state.nowMs, state.skewMs)} ${shownSince} ${recentMove(row, {nowMs: state.nowMs, isStill})?.up} ${promotion?.ageS} ${isNews} ${Math.floor(state.nowMs / JUDGED_EVERY_MS)}`;
	const key = `${width} ${column.view} ${column.window} ${isSelected} ${isPinned} ${holding} ${isFocused} ${isOld} ${promotion !== undefined} ${departed} ${times}`;
	const known = painted.get(row);
	const {display} = state;
	const made = {key, theme, display, glyphs, cells};
	if (known && isSame(known, made)) return known.lines;
	const {skewMs} = state;
	// Checked when the token changed, and every few seconds.
	const alike = lookalikeOf(row.entry, lookalikesOnScreen(state))?.level;
	const context: CellContext = {
		theme,
		glyphs,
		thresholds,
		nowMs: state.nowMs,
		skewMs,
		window: column.window,
		isPinned,
		isSelected,
		...(holding && {holding}),
		...(alike && alike !== 'info' && {alike}),
		...(promotion && {promotion}),
		isStill,
	};
	const background = isSelected
		? isFocused
			? theme.cursor
			: theme.cursorElsewhere
		: isNews
			? theme.cursorElsewhere
			: isStriped
				? theme.stripe
				: undefined;
	const left = departed === undefined ? row : {...row, departed: {atMs: state.nowMs, reason: departed}};
	const lines = cells.map((line, at) => {
		const spans = left.departed
			? departedLine(model, cells, left, left.departed.reason, context, {at, width})
			: at === 0
				? paintLine(line, left, context)
				: lowerLine(line, row, context);
		const aged = isOld ? spans.map(span => ({...span, style: dimmed(span.style)})) : spans;
		return background === undefined
			? aged
			: filled(aged, width).map(span => ({...span, style: on(theme, span.style, background)}));
	});
	painted.set(row, {...made, lines});
	return lines;
}

/** Whether something of a token is held, or a trade of it is under way, which is the news of the two. */
function holdingOf({holdings}: ViewModel['state'], key: string): CellContext['holding'] {
	const holding = holdings?.get(key);
	return holding && (holding.isUnderWay ? 'underWay' : 'held');
}

/** What the lines of a token were painted with. */
interface PaintedWith {
	readonly key: string;
	readonly theme: ViewModel['theme'];
	readonly display: ViewModel['state']['display'];
	readonly glyphs: ViewModel['glyphs'];
	readonly cells: readonly (readonly PlacedCell[])[];
}
interface Painted extends PaintedWith {
	readonly lines: readonly Row[];
}

function isSame(a: PaintedWith, b: PaintedWith): boolean {
	return (
		a.key === b.key && a.theme === b.theme && a.display === b.display && a.glyphs === b.glyphs && a.cells === b.cells
	);
}

/** Both looks are cached: a new token at the top makes every striped token a plain one, and back. */
const paintedPlain = new WeakMap<TokenRow, Painted>();
const paintedStriped = new WeakMap<TokenRow, Painted>();

/** How often an unchanged token is checked again for looking like another one. */
const JUDGED_EVERY_MS = 5000;

/** How long a token that bonded is marked, and how long its row stands out, s. */
const MARKED_S = 30;
const FLASH_S = 3;

/** When a token bonded, if that was lately: as the service reports it, else when the token entered the column. */
function promotionOf(
	{state, isStill}: ViewModel,
	{view}: Column,
	{entry}: TokenRow,
): (NonNullable<CellContext['promotion']> & {readonly isNews: boolean}) | undefined {
	if (view !== 'bonded') return undefined;
	const found = state.promotions.find(({key}) => key === entry.key);
	const seenMs = found && state.nowMs - found.atMs;
	const sinceMs = entry.bonded_at === undefined ? seenMs : state.nowMs + state.skewMs - entry.bonded_at;
	if (sinceMs === undefined) return undefined;
	const ageS = Math.max(Math.floor(sinceMs / 1000), 0);
	if (ageS >= MARKED_S) return undefined;
	const isNews = !isStill && seenMs !== undefined && seenMs < FLASH_S * 1000;
	return isStill ? {isNews} : {ageS, isNews};
}

/** Since when a token has bonded, as far as its entry, BONDED, or what was seen of it says; undefined while it has not. */
function bondedAgo(
	{columns, promotions, nowMs, skewMs}: ViewModel['state'],
	entry: TokenRow['entry'],
): string | undefined {
	const known = columns.bonded.rows.get(entry.key)?.entry ?? (entry.bonded === true ? entry : undefined);
	const seen = promotions.find(({key}) => key === entry.key);
	if (known === undefined && seen === undefined) return undefined;
	const sinceMs = known?.bonded_at === undefined ? seen && nowMs - seen.atMs : nowMs + skewMs - known.bonded_at;
	return sinceMs === undefined ? 'bonded' : `bonded ${age(sinceMs)} ago`;
}

/** Why a row of a frozen column is no longer in it: it left the view, or its token stands in another column now. */
function departedTo({state}: ViewModel, {view, frozen}: Column, {entry, departed}: TokenRow): string | undefined {
	const isPhase = view === 'new' || view === 'bonding';
	if (departed) return (isPhase && bondedAgo(state, entry)) || departed.reason;
	const other = frozen ? elsewhereIn(state, view).get(entry.key) : undefined;
	return other && `now in ${other.toUpperCase()}`;
}

/**
 * A line of a row that left: its last figures, faint, and why it left in the place of some of them: of the name where the
 * reason fits in there, else of figures in the last line.
 */
function departedLine(
	{theme}: ViewModel,
	cells: readonly (readonly PlacedCell[])[],
	row: TokenRow,
	reason: string,
	context: CellContext,
	{at, width}: {readonly at: number; readonly width: number},
): Span[] {
	const line = cells[at]!;
	const place = reasonPlace(cells, reason, width);
	const text = {text: reason, style: theme.tones.dim};
	const [shown, within] = at === 0 ? [row, context] : lower(row, context);
	const spans =
		place.line === at ? paintWithText(line, shown, within, text, place.from, width) : paintLine(line, shown, within);
	const {faint, dim, accent} = theme.tones;
	return spans.map(span => {
		const {style} = span;
		const isQuiet = style === dim || style === accent || style?.strikethrough;
		return isQuiet ? span : {...span, style: faint};
	});
}

/** Where the reason of a departure stands: the line, and the first cell that gives way to it. */
function reasonPlace(
	cells: readonly (readonly PlacedCell[])[],
	reason: string,
	width: number,
): {line: number; from: number} {
	for (const [line, placed] of cells.entries()) {
		const from = placed.findIndex(({cell, width}) => cell.id === 'name' && width >= cellWidth(reason));
		if (from >= 0) return {line, from};
	}
	// From the right: what stands there is the first to go where there is little room, too.
	const line = cells.length - 1;
	const last = cells[line]!;
	const least = line === 0 ? Math.max(last.findIndex(({cell}) => cell.id === 'mcap') + 1, 3) : 1;
	let from = last.length;
	while (from > least && width - startOf(last, from) < cellWidth(reason)) from--;
	return {line, from};
}

/** The cell at which a text in place of the n-th cell begins. */
function startOf(cells: readonly PlacedCell[], at: number): number {
	return cells.slice(0, at).reduce((sum, cell, i) => sum + cell.width + (i > 1 ? 1 : 0), at > 1 ? 1 : 0);
}

/** The mark belongs to the first line; below it stands the cursor alone. */
function lower(row: TokenRow, context: CellContext): readonly [TokenRow, CellContext] {
	const {departed: _, ...plain} = row;
	return [plain, {...context, hasNoMark: true}];
}

function lowerLine(cells: readonly PlacedCell[], row: TokenRow, context: CellContext): Span[] {
	return paintLine(cells, ...lower(row, context));
}

function filled(spans: readonly Span[], width: number): Span[] {
	const missing = width - spansWidth(spans);
	return missing > 0 ? [...spans, {text: ' '.repeat(missing)}] : [...spans];
}
