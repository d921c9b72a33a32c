import {memo, type ReactNode} from 'react';
import type {FieldName} from '../../contract/fields.ts';
import type {Window8} from '../../contract/windows.ts';
import type {Column} from '../../monitor/columns/column.ts';
import {isExcluded} from '../../monitor/columns/scope.ts';
import {countsElsewhere, shownKeys, standingIn} from '../../monitor/columns/shown-keys.ts';
import {wordOf} from '../../monitor/filter/field-words.ts';
import {freshness, headOf, hiddenCount} from '../../monitor/select.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {ViewName} from '../../monitor/views.ts';
import {cellWidth} from '../../text.ts';
import {headerLine, layoutCells, type PlacedCell} from '../cell-layout.ts';
import {shortWindow} from '../cell-specs.ts';
import {age, grouped, moment} from '../format.ts';
import {Line, type Measured, measured, sharedLines, Text, useDisplay, useWidth} from '../live/lines.tsx';
import {Spread} from '../live/spread.tsx';
import type {Tone} from '../theme.ts';
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
			<TitleLine key="title" {...titleWords(model, column)} />
			<CellHeadings model={model} column={column} />
		</>
	);
}

/** The headings of the cells, for each line of a token. */
function CellHeadings({model, column}: {readonly model: ViewModel; readonly column: Column}): ReactNode {
	const {view, window, fields} = column;
	return layoutCells(view, useWidth(), model.layout.lines, fields).map((cells, at) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
		<HeadingLine key={at} cells={cells} window={window} />
	));
}

interface HeadingLineProps {
	readonly cells: readonly PlacedCell[];
	readonly window: Window8;
}

const HeadingLine = memo(
	sharedLines(
		({cells, window}: HeadingLineProps) => (
			<Line>
				<Text tone="faint">{headerLine(cells, window)}</Text>
			</Line>
		),
		({cells}) => cells,
	),
);

/** The words of a title. The title is drawn again only when one of them changes. */
interface TitleWords {
	readonly view: ViewName;
	readonly isFocused: boolean;
	/** How many rows, or the range of a page; and of how many. */
	readonly count: string;
	readonly total: string;
	readonly sort: string;
	readonly window: string;
	/** The mark of a frozen order. */
	readonly frozen: string;
	readonly search: string;
	readonly hidden: string;
	readonly isLocal: boolean;
	/** The mark behind a sort that does not hold for all tokens. */
	readonly sortMark: string;
	readonly filter: string;
	/** Counts of tokens that are not shown here. */
	readonly beside: string;
	/** The columns that do not fit on the screen, with the key that leads to them: their names, and how many they are. */
	readonly others: string;
	readonly otherCount: string;
	/** The state of an old order is said before other columns. */
	readonly isOldOrder: boolean;
	/** The age of the data or its problem, with and without its label. */
	readonly dataTone: Tone | undefined;
	readonly data: string;
	readonly shortData: string;
}

function titleWords(model: ViewModel, column: Column): TitleWords {
	const {glyphs, state} = model;
	const {view, sortBy, search} = column;
	const keys = shownKeys(state, view);
	// Between two changes of a live order what left is still in it for a moment.
	const shown = column.frozen ? standingIn(state, view).length : keys.length;
	const hidden = hiddenCount(column, state.hidden);
	const arrow = column.sortOrder === 'desc' ? glyphs.down : glyphs.up;
	// A letter in place of an arrow would be read as part of the word.
	const gap = glyphs.subscripts === '' ? ' ' : '';
	return {
		view,
		isFocused: state.focus === view,
		count: rowCount(model, column, shown),
		total: wholeCount(model, column, shown),
		sort: `${arrow}${gap}${SORT_LABELS[sortBy] ?? wordOf(sortBy)}`,
		window: column.dataAtMs === undefined ? '' : ` ${glyphs.dot} ${shortWindow(column.window)}`,
		frozen: column.frozen ? frozenOrder(model, column) : '',
		search: search && ` /${search}`,
		hidden: hidden > 0 ? ` ${hidden} hidden` : '',
		isLocal: column.isLocal === true,
		sortMark: sortMark(state, column),
		filter: column.filter.text && ` ${column.filter.text}`,
		beside: countsBeside(state, column, keys.length - shown)
			.map(text => ` ${text}`)
			.join(''),
		...columnsElsewhere(model, column),
		isOldOrder: isOldOrder(state, column),
		...dataWords(model, column),
	};
}

/** Name of the column, number of tokens, sort and filter; at the right problems of the data. */
const TitleLine = memo((words: TitleWords): ReactNode => {
	const display = useDisplay();
	const width = useWidth();
	const {others, otherCount, isOldOrder, dataTone, data, shortData} = words;
	const elsewhere = (room: number): string => {
		if (cellWidth(others) <= room) return others;
		return cellWidth(otherCount) > room && isOldOrder ? '' : otherCount;
	};
	const least = cellWidth(elsewhere(0));
	const hasRoom = (start: Measured, end: string): boolean => start.width + least + cellWidth(end) < width;
	const start = (counts: TitleStartProps['counts']): Measured =>
		measured(<TitleStart words={words} counts={counts} />, display, width);
	// Parts that give way, the first ones first: counts of other columns, the label before the age of the data, the window, how many
	// match. Sort, frozen order and filter stay.
	let left = start('all');
	if (!hasRoom(left, data)) left = start('total');
	if (!hasRoom(left, shortData)) left = start('windowless');
	if (!hasRoom(left, shortData)) left = start('shown');
	const right = hasRoom(left, data) ? data : shortData;
	return (
		<Line band={words.isFocused ? display.theme.tones.titleFocused.backgroundColor : undefined}>
			<Spread left={left.part}>
				<Text tone="dim">{elsewhere(width - left.width - cellWidth(right) - 1)}</Text>
				<Text tone={dataTone}>{right}</Text>
			</Spread>
		</Line>
	);
});

interface TitleStartProps {
	readonly words: TitleWords;
	/** The counts for which the title has room: all; the shown ones of all, with the window; the same without the window; the shown ones. */
	readonly counts: 'all' | 'total' | 'windowless' | 'shown';
}

function TitleStart({words, counts}: TitleStartProps): ReactNode {
	const {view, isFocused, count, total, sort, window, frozen, search, hidden, isLocal, sortMark, filter, beside} =
		words;
	const {glyphs} = useDisplay();
	return (
		<>
			<Text tone="accent">{isFocused ? glyphs.cursor : ' '}</Text>
			<Text tone={view}>{TITLES[view]}</Text>
			<Text tone="dim">{` ${count}${counts === 'shown' ? '' : total} `}</Text>
			<Text tone="text">{sort}</Text>
			<Text tone="warn">{sortMark}</Text>
			{(counts === 'all' || counts === 'total') && <Text tone="dim">{window}</Text>}
			<Text tone="warn">{frozen}</Text>
			<Text tone="accent">{search}</Text>
			<Text tone="dim">{hidden}</Text>
			{/* The service did not apply the filter: it was applied here, to the rows loaded. */}
			{filter !== '' && isLocal && <Text tone="warn"> L</Text>}
			<Text tone="accent">{filter}</Text>
			{counts === 'all' && <Text tone="dim">{beside}</Text>}
		</>
	);
}

/** `?` where none of several rows has the figure, `L` where the service did not sort: the sort was applied here, to the rows loaded. */
function sortMark({pins}: MonitorState, {order, rows, sortBy, isUnsorted}: Column): string {
	// Pinned rows come first; of the others those without the figure come last.
	const first = order.find(key => !pins.has(key));
	if (order.length > 1 && first !== undefined && rows.get(first)!.entry[sortBy] === undefined) return ' ?';
	return isUnsorted ? ' L' : '';
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
function frozenOrder({state, glyphs, keys}: ViewModel, column: Column): string {
	const {waiting} = headOf(column);
	if (!isOldOrder(state, column)) return waiting > 0 ? ` +${waiting} new` : ` ${glyphs.frozen} frozen`;
	const key = keys.keyOf('order.release', glyphs.subscripts === '');
	return ` ${glyphs.frozen} ${age(state.nowMs - column.orderedAtMs)} old${key === undefined ? '' : `, ${key}: live`}`;
}

/** Counts of a column's tokens that are not shown: rows that left but are kept, and tokens in other columns. */
function countsBeside(state: MonitorState, column: Column, departed: number): string[] {
	const counts = departed > 0 ? [`${departed} left`] : [];
	if (column.frozen) return counts;
	for (const [view, count] of countsElsewhere(state, column.view)) counts.push(`${count} in ${TITLES[view]}`);
	return counts;
}

/**
 * The columns that do not fit on the screen, in the title of the last one that does, with the key that leads to them: their
 * names where the title has the room, else how many they are.
 */
function columnsElsewhere(
	{state, layout, glyphs, keys}: ViewModel,
	{view}: Column,
): Pick<TitleWords, 'others' | 'otherCount'> {
	const shown = layout.columns.map(place => place.view);
	const key = keys.keyOf('column.next', glyphs.subscripts === '');
	if (shown.length === state.shownViews.length || shown.at(-1) !== view || key === undefined)
		return {others: '', otherCount: ''};
	const others = state.shownViews.filter(other => !shown.includes(other));
	return {
		others: `${key}: ${others.map(other => TITLES[other]).join(' ')}  `,
		otherCount: `${key}: +${others.length}  `,
	};
}

const TONES = {none: undefined, fresh: undefined, stale: 'warn', unusable: 'bad'} as const;

/** The age of the data, or its problem. Data that is fresh goes without saying. */
function dataWords({state, glyphs}: ViewModel, column: Column): Pick<TitleWords, 'dataTone' | 'data' | 'shortData'> {
	const {status, dataAtMs} = column;
	const said = (dataTone?: Tone, data = '', shortData = data) => ({dataTone, data, shortData});
	if (isExcluded(column)) return said('warn', 'left out ');
	if (hadNothing(state, column)) return said();
	if (isNotServed(column)) return said('warn', 'not served ');
	if (status.kind === 'failed') return said('bad', `${glyphs.cross} failed `);
	// Rows of the last run, for example, until the first answer.
	if (status.kind === 'loading' && dataAtMs !== undefined && freshness(dataAtMs, state.nowMs) === 'unusable')
		return said('warn', `from ${moment(dataAtMs, state.nowMs)} `);
	if (status.kind === 'loading' || column.turning) return said('warn', 'loading ');
	const tone = state.paused ? 'warn' : TONES[freshness(dataAtMs, state.nowMs)];
	if (tone === undefined) return said();
	const mark = state.paused ? `${glyphs.paused} ` : '';
	const dataAge = `${age(dataAtMs === undefined ? undefined : state.nowMs - dataAtMs)} `;
	// Old data of a service that is reached are not of the connection.
	const [label, none] = column.staleSinceMs === undefined ? ['data ', ''] : ["service's data ", 'stale '];
	return said(tone, mark + label + dataAge, mark + none + dataAge);
}
