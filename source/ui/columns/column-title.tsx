import type {ReactNode} from 'react';
import type {FieldName} from '../../contract/fields.ts';
import type {Column} from '../../monitor/columns/column.ts';
import {isExcluded} from '../../monitor/columns/scope.ts';
import {elsewhereIn, shownKeys, standingIn} from '../../monitor/columns/shown-keys.ts';
import {wordOf} from '../../monitor/filter/field-words.ts';
import {freshness, headOf, hiddenCount} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {ViewName} from '../../monitor/views.ts';
import {cellWidth} from '../../text.ts';
import {headerLine, layoutCells} from '../cell-layout.ts';
import {shortWindow} from '../cell-specs.ts';
import {age, grouped, moment} from '../format.ts';
import {Line, type Measured, measured, Text, useWidth} from '../live/lines.tsx';
import {Spread} from '../live/spread.tsx';
import type {ViewModel} from '../view-model.ts';
import type {ColumnPartProps} from './column-part.ts';
import {hadNothing, isNotServed, TITLES} from './column-words.ts';

/** Dates in a title, where what is typed for them in a filter reads badly. */
const SORT_LABELS: Readonly<Partial<Record<FieldName, string>>> = {
	bonded_at: 'bonded',
	latest_trade_date: 'last trade',
	ath_date: 'ath date',
	atl_date: 'atl date',
};

/** The lines above a column: its name, sort and filter, then the headings of its cells. */
export function ColumnTitle({model, view}: ColumnPartProps): ReactNode {
	const column = model.state.columns[view];
	return (
		<>
			<TitleLine model={model} column={column} />
			<CellHeadings model={model} column={column} />
		</>
	);
}

interface TitleProps {
	readonly model: ViewModel;
	readonly column: Column;
}

/** The headings of the cells, for each line of a token. */
function CellHeadings({model, column}: TitleProps): ReactNode {
	const width = useWidth();
	return layoutCells(column.view, width, model.layout.lines, column.fields).map((line, at) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<Line key={at}>
			<Text tone="faint">{headerLine(line, column.window)}</Text>
		</Line>
	));
}

/** Name of the column, number of tokens, sort and filter; at the right problems of the data. */
function TitleLine({model, column}: TitleProps): ReactNode {
	const width = useWidth();
	const {state, theme} = model;
	const isFocused = state.focus === column.view;
	const others = measured(<ColumnsElsewhere model={model} column={column} room={0} />, model, width).width;
	const hasRoom = (start: Measured, end: Measured): boolean => start.width + others + end.width < width;
	const start = (counts: TitleStartProps['counts']): Measured =>
		measured(<TitleStart model={model} column={column} counts={counts} />, model, width);
	// Old data of a service that is reached are not of the connection.
	const [label, none] = column.staleSinceMs === undefined ? ['data ', ''] : ["service's data ", 'stale '];
	const labelled = measured(<DataState model={model} column={column} label={label} />, model, width);
	const bare = measured(<DataState model={model} column={column} label={none} />, model, width);
	// What gives way first: counts of other columns, the label before the age of the data, the window, how many match. Sort,
	// frozen order and filter stay.
	let left = start('all');
	if (!hasRoom(left, labelled)) left = start('total');
	if (!hasRoom(left, bare)) left = start('windowless');
	if (!hasRoom(left, bare)) left = start('shown');
	const right = hasRoom(left, labelled) ? labelled : bare;
	const room = width - left.width - right.width - 1;
	return (
		<Line band={isFocused ? theme.tones.titleFocused.backgroundColor : undefined}>
			<Spread left={left.part}>
				<ColumnsElsewhere model={model} column={column} room={room} />
				{right.part}
			</Spread>
		</Line>
	);
}

interface TitleStartProps extends TitleProps {
	/** The counts for which the title has room: all; the shown ones of all, with the window; the same without the window; the shown ones. */
	readonly counts: 'all' | 'total' | 'windowless' | 'shown';
}

function TitleStart({model, column, counts}: TitleStartProps): ReactNode {
	const {glyphs, state} = model;
	const {view, sortBy, search} = column;
	const filter = column.filter.text;
	const keys = shownKeys(state, view);
	// Between two changes of a live order what left is still in it for a moment.
	const shown = column.frozen ? standingIn(state, view).size : keys.length;
	const hidden = hiddenCount(column, state.hidden);
	const arrow = column.sortOrder === 'desc' ? glyphs.down : glyphs.up;
	// A letter in place of an arrow would be read as part of the word.
	const gap = glyphs.subscripts === '' ? ' ' : '';
	return (
		<>
			<Text tone="accent">{state.focus === view ? glyphs.cursor : ' '}</Text>
			<Text tone={view}>{TITLES[view]}</Text>
			<Text tone="dim">
				{' '}
				{rowCount(model, column, shown)}
				{counts !== 'shown' && wholeCount(model, column, shown)}{' '}
			</Text>
			<Text tone="text">
				{arrow}
				{gap}
				{SORT_LABELS[sortBy] ?? wordOf(sortBy)}
			</Text>
			{(counts === 'all' || counts === 'total') && column.dataAtMs !== undefined && (
				<Text tone="dim">{` ${glyphs.dot} ${shortWindow(column.window)}`}</Text>
			)}
			{column.frozen && <FrozenOrder model={model} column={column} />}
			{search !== '' && <Text tone="accent"> /{search}</Text>}
			{hidden > 0 && <Text tone="dim"> {hidden} hidden</Text>}
			{/* The service did not apply the filter: it was applied here, to the rows loaded. */}
			{filter !== '' && column.isLocal && <Text tone="warn"> L</Text>}
			{filter !== '' && <Text tone="accent"> {filter}</Text>}
			{counts === 'all' &&
				countsBeside(state, column, keys.length - shown).map(text => (
					<Text key={text} tone="dim">
						{' '}
						{text}
					</Text>
				))}
		</>
	);
}

/** The number of rows, or the range of a page. */
function rowCount({glyphs}: ViewModel, column: Column, shown: number): string {
	if (column.page) return `${grouped(column.page.from)}-${grouped(lastOf(column))}`;
	// Nothing was read yet, so how many there are is unknown.
	const isUnread = column.dataAtMs === undefined && shown === 0 && column.status.kind !== 'ready';
	return isUnread ? glyphs.unknown : `${shown}`;
}

/** `/1,234`: of how many tokens, which is worth the room where a line of words chose them, or a page of them is shown. */
function wholeCount({state, glyphs}: ViewModel, column: Column, shown: number): string {
	if (column.filter.text === '' && column.search === '' && column.page === undefined) return '';
	// The total is a cached hint of the service: it can be behind what is already here.
	const {total} = headOf(column);
	const isGrowing = state.history === 'loading';
	if (total === undefined) return isGrowing ? `/${glyphs.ellipsis}` : '';
	return `/${grouped(Math.max(total, shown, lastOf(column)))}${isGrowing ? '+' : ''}`;
}

function lastOf({page, order}: Column): number {
	return page ? page.from + order.length - 1 : 0;
}

/** From this age on the title calls a frozen order old and names the key that ends it. */
const OLD_ORDER_MS = 120_000;

function isOldOrder({nowMs}: MonitorState, {frozen, orderedAtMs}: Column): boolean {
	return frozen && orderedAtMs > 0 && nowMs - orderedAtMs >= OLD_ORDER_MS;
}

/** The mark of a frozen order: the number of waiting tokens, or the age of an old order. */
function FrozenOrder({model, column}: TitleProps): ReactNode {
	const {state, glyphs, keys} = model;
	const {waiting} = headOf(column);
	if (!isOldOrder(state, column)) {
		return <Text tone="warn">{waiting > 0 ? ` +${waiting} new` : ` ${glyphs.frozen} frozen`}</Text>;
	}
	const key = keys.keyOf('order.release', glyphs.subscripts === '');
	return (
		<Text tone="warn">
			{` ${glyphs.frozen} ${age(state.nowMs - column.orderedAtMs)} old`}
			{key !== undefined && `, ${key}: live`}
		</Text>
	);
}

/** Counts of a column's tokens that are not shown: rows that left but are kept, and tokens in other columns. */
function countsBeside(state: MonitorState, column: Column, departed: number): string[] {
	const counts = departed > 0 ? [`${departed} left`] : [];
	const places = new Map<ViewName, number>();
	if (!column.frozen) {
		for (const [key, view] of elsewhereIn(state, column.view))
			if (standingIn(state, view).has(key)) places.set(view, (places.get(view) ?? 0) + 1);
	}
	for (const [view, count] of places) counts.push(`${count} in ${TITLES[view]}`);
	return counts;
}

/**
 * The columns that do not fit on the screen, in the title of the last one that does, with the key that leads to them: their
 * names where the title has the room, else how many they are.
 */
function ColumnsElsewhere({model, column, room}: TitleProps & {readonly room: number}): ReactNode {
	const {state, layout, glyphs, keys} = model;
	const shown = layout.columns.map(place => place.view);
	const key = keys.keyOf('column.next', glyphs.subscripts === '');
	if (shown.length === state.shownViews.length || shown.at(-1) !== column.view || key === undefined) return null;
	const others = state.shownViews.filter(other => !shown.includes(other));
	const named = `${key}: ${others.map(other => TITLES[other]).join(' ')}  `;
	const counted = `${key}: +${others.length}  `;
	// The state of an old order is said first.
	if (cellWidth(counted) > room && isOldOrder(state, column)) return null;
	return <Text tone="dim">{cellWidth(named) <= room ? named : counted}</Text>;
}

const TONES = {none: undefined, fresh: undefined, stale: 'warn', unusable: 'bad'} as const;

/** The age of the data, or its problem. Data that is fresh goes without saying. */
function DataState({model, column, label}: TitleProps & {readonly label: string}): ReactNode {
	const {state, glyphs} = model;
	const {status, dataAtMs} = column;
	const dataAge = age(dataAtMs === undefined ? undefined : state.nowMs - dataAtMs);
	if (isExcluded(column)) return <Text tone="warn">left out </Text>;
	if (hadNothing(state, column)) return null;
	if (isNotServed(column)) return <Text tone="warn">not served </Text>;
	if (status.kind === 'failed') return <Text tone="bad">{glyphs.cross} failed </Text>;
	// Rows of the last run, for example, until the first answer.
	if (status.kind === 'loading' && dataAtMs !== undefined && freshness(dataAtMs, state.nowMs) === 'unusable')
		return <Text tone="warn">{`from ${moment(dataAtMs, state.nowMs)} `}</Text>;
	if (status.kind === 'loading' || column.turning) return <Text tone="warn">loading </Text>;
	if (state.paused) return <Text tone="warn">{`${glyphs.paused} ${label}${dataAge} `}</Text>;
	const tone = TONES[freshness(dataAtMs, state.nowMs)];
	return tone && <Text tone={tone}>{`${label}${dataAge} `}</Text>;
}
