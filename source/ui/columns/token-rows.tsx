import {memo, type ReactNode} from 'react';
import type {Column, Row} from '../../monitor/columns/column.ts';
import {elsewhereIn, rowsOnScreen} from '../../monitor/columns/shown-keys.ts';
import {isStale} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {ViewName} from '../../monitor/views.ts';
import {truncate} from '../../text.ts';
import {layoutCells} from '../cell-layout.ts';
import {age, ageHoldsMs} from '../format.ts';
import {Line, sharedLines, Text, useWidth} from '../live/lines.tsx';
import type {ViewModel} from '../view-model.ts';
import type {ColumnPartProps} from './column-part.ts';
import {type DrawnRow, type DrawnRows, drawRows} from './drawn-rows.ts';
import {EmptyColumn} from './empty-column.tsx';
import type {ShownToken} from './shown-token.ts';
import {TokenRow, type TokenRowProps} from './token-row.tsx';

export interface TokenRowsProps extends ColumnPartProps {
	/** Lines. */
	readonly height: number;
}

/** The tokens of a column, or why there are none. */
export function TokenRows({model, view, height}: TokenRowsProps): ReactNode {
	const width = useWidth();
	const {state, layout, glyphs, priceTrail} = model;
	const {nowMs, skewMs, focus, holdings, promotions} = state;
	const column = state.columns[view];
	const {cursor, pinned, window} = column;
	const rows = rowsOnScreen(state, view, layout.pageRows);
	if (rows.length === 0) return <EmptyColumn model={model} column={column} />;
	const cells = layoutCells(view, width, layout.lines, column.fields);
	const isOld = isStale(column.dataAtMs, nowMs);
	const isShaded = model.hasShades && layout.lines > 1;
	const shown = cells.flat();
	const hasTrail = shown.some(({cell}) => cell.id === 'trail');
	const elsewhere = column.frozen ? elsewhereIn(state, view) : undefined;
	const serviceMs = shown.some(({cell}) => cell.isSince) ? Math.floor((nowMs + skewMs) / 1000) * 1000 : 0;
	const promoted = view === 'bonded' && promotions.some(({key}) => column.rows.has(key)) ? promotions : undefined;
	const around = [
		...[model.display, skewMs, cursor, cursor !== undefined && focus === view, pinned.size === 0 || pinned],
		...[holdings, promoted, window, cells, isOld, serviceMs],
	];
	const isStriped = (at: number): boolean => isShaded && (column.top + at) % 2 === 1;
	const trailOf = (key: string): ShownToken['trail'] => (hasTrail ? priceTrail?.(key) : undefined);
	const drawn = drawRows({
		...{around, rows, nowMs, last: model.drawnRows.get(view)},
		isSame(drawn, at) {
			const row = rows[at]!;
			const {key} = row.entry;
			return (
				drawn.row === row &&
				drawn.isStriped === isStriped(at) &&
				drawn.other === elsewhere?.get(key) &&
				drawn.trail === trailOf(key) &&
				drawn.alike === alikeOf(model, row)
			);
		},
		draw(row, at) {
			const {key} = row.entry;
			const shown = {
				isStriped: isStriped(at),
				other: elsewhere?.get(key),
				trail: trailOf(key),
				alike: alikeOf(model, row),
			};
			const token = shownToken(model, column, row, shown);
			const element = <TokenRow key={key} {...token} {...{cells, isOld, serviceMs, trail: shown.trail}} />;
			return {...shown, row, element, untilMs: shownUntil(state, row, token)};
		},
	});
	model.drawnRows.set(view, drawn);
	return (
		<>
			<Rows key="rows" drawn={drawn} />
			{/* The rows of a start may not be complete. */}
			{state.history === 'loading' && rows.length * cells.length < height && (
				<Line>
					{'  '}
					<Text tone="dim">{truncate(`${glyphs.waiting} More are loading`, width - 2)}</Text>
				</Line>
			)}
		</>
	);
}

interface RowsProps {
	readonly drawn: DrawnRows;
}

/** Rows whose lines all screens of the process share. */
const Rows = memo(
	sharedLines(
		({drawn}: RowsProps) => drawn.rows.map(({element}) => element),
		({drawn}) => drawn,
	),
);

type Shown = Omit<ShownToken, 'serviceMs' | 'trail'> & Pick<TokenRowProps, 'band'>;

/** Until when a row shows the same, local Unix ms. */
function shownUntil({nowMs, skewMs}: MonitorState, {entry, move, departed}: Row, {promoted, moved}: Shown): number {
	if (departed || promoted !== undefined) return nowMs;
	const holds = (sinceMs: number | undefined): number =>
		sinceMs === undefined ? Number.POSITIVE_INFINITY : ageHoldsMs(nowMs + skewMs - sinceMs);
	const movedMs = moved === undefined ? Number.POSITIVE_INFINITY : move!.atMs + MOVED_MS - nowMs;
	return nowMs + Math.min(holds(entry.created_at), holds(entry.bonded_at), movedMs);
}

function shownToken(
	model: ViewModel,
	column: Column,
	row: Row,
	{other, alike, isStriped}: Pick<DrawnRow, 'other' | 'alike' | 'isStriped'>,
): Shown {
	const {state, glyphs, theme, isStill} = model;
	const {nowMs, skewMs} = state;
	const {entry} = row;
	const {created_at: createdMs, bonded_at: bondedMs} = entry;
	const promotion = promotionOf(model, column, row);
	const isSelected = entry.key === column.cursor;
	const cursor = state.focus === column.view ? theme.cursor : theme.cursorElsewhere;
	const background = promotion?.isNews ? theme.cursorElsewhere : isStriped ? theme.stripe : undefined;
	return {
		entry,
		window: column.window,
		age: age(createdMs === undefined ? undefined : nowMs + skewMs - createdMs, glyphs.unknown),
		sinceBonded: bondedMs === undefined ? undefined : age(nowMs + skewMs - bondedMs),
		isSelected,
		isPinned: column.pinned.has(entry.key),
		holding: holdingOf(state, entry.key),
		alike,
		moved: isStill ? undefined : movedLately(row, nowMs),
		promoted: promotion?.promoted,
		departed: departedTo(state, column, row, other),
		band: isSelected ? cursor : background,
	};
}

/** How closely a token imitates another one; undefined where that is too common for a mark. */
function alikeOf({lookalikes, state}: ViewModel, {entry}: Row): ShownToken['alike'] {
	const level = lookalikes.level(state, entry);
	return level === 'info' ? undefined : level;
}

/** How long a move of the market cap is marked, ms. */
const MOVED_MS = 2000;

function movedLately({move, entry}: Row, nowMs: number): ShownToken['moved'] {
	const isMarked = move && entry.market_cap !== undefined && nowMs - move.atMs < MOVED_MS;
	return isMarked ? (move.up ? 'up' : 'down') : undefined;
}

/** Whether a token is held. A trade under way goes first: it is the news. */
function holdingOf({holdings}: MonitorState, key: string): ShownToken['holding'] {
	const holding = holdings?.get(key);
	return holding && (holding.isUnderWay ? 'underWay' : 'held');
}

/** How long a bonded token keeps its mark, and how long its row keeps its background, s. */
const MARKED_S = 30;
const FLASH_S = 3;

/** When a token bonded, if that was lately: as the service reports it, else when the token entered the column. */
function promotionOf(
	{state, isStill}: ViewModel,
	{view}: Column,
	{entry}: Row,
): {readonly promoted: NonNullable<ShownToken['promoted']>; readonly isNews: boolean} | undefined {
	if (view !== 'bonded') return undefined;
	const found = state.promotions.find(({key}) => key === entry.key);
	const seenMs = found && state.nowMs - found.atMs;
	const sinceMs = entry.bonded_at === undefined ? seenMs : state.nowMs + state.skewMs - entry.bonded_at;
	if (sinceMs === undefined) return undefined;
	const ageS = Math.max(Math.floor(sinceMs / 1000), 0);
	if (ageS >= MARKED_S) return undefined;
	const isNews = !isStill && seenMs !== undefined && seenMs < FLASH_S * 1000;
	return {promoted: isStill ? 'lately' : ageS, isNews};
}

/** Since when a token has bonded, as far as its entry, BONDED, or what was seen of it says; undefined while it has not. */
function bondedAgo({columns, promotions, nowMs, skewMs}: MonitorState, entry: Row['entry']): string | undefined {
	const known = columns.bonded.rows.get(entry.key)?.entry ?? (entry.bonded === true ? entry : undefined);
	const seen = promotions.find(({key}) => key === entry.key);
	if (known === undefined && seen === undefined) return undefined;
	const sinceMs = known?.bonded_at === undefined ? seen && nowMs - seen.atMs : nowMs + skewMs - known.bonded_at;
	return sinceMs === undefined ? 'bonded' : `bonded ${age(sinceMs)} ago`;
}

/** Why a row of a frozen column is no longer in it: it left the view, or its token stands in another column now. */
function departedTo(
	state: MonitorState,
	{view}: Column,
	{entry, departed}: Row,
	other: ViewName | undefined,
): string | undefined {
	const isPhase = view === 'new' || view === 'bonding';
	if (departed) return (isPhase && bondedAgo(state, entry)) || departed.reason;
	return other && `now in ${other.toUpperCase()}`;
}
