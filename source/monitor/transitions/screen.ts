import type {Entry} from '../../contract/entry.ts';
import {WINDOW_MS} from '../../contract/windows.ts';
import {CANDLE_STEPS_MS} from '../candles/candle-series.ts';
import type {Column} from '../columns/column.ts';
import {isSameScope, type Scope} from '../columns/scope.ts';
import {elsewhereIn, shownKeys} from '../columns/shown-keys.ts';
import {isSameShown, type ShownViews} from '../columns/shown-views.ts';
import type {Mode} from '../mode.ts';
import {focused} from '../select.ts';
import {
	type ChartChoice,
	type Detail,
	type MonitorState,
	type Notice,
	TIME_FRAMES,
	type TimeFrame,
	topMode,
} from '../state.ts';
import {type Pins, pinOf} from '../tokens/pins.ts';
import {VIEWS, type ViewName} from '../views.ts';
import {
	cursorPlaced,
	headChanged,
	limitChanged,
	MAX_LIMIT,
	orderFrozen,
	orderSettled,
	pinsChanged,
	released,
	scopeChanged,
	scrolledToCursor,
} from './column.ts';

/** Changes one column, and nothing when the column stays the same object. */
export function columnChanged(state: MonitorState, view: ViewName, change: (column: Column) => Column): MonitorState {
	const column = state.columns[view];
	const changed = change(column);
	return changed === column ? state : {...state, columns: {...state.columns, [view]: changed}};
}

/** The terminal reported its background, which decides the theme unless the user chose one. */
export function backgroundAnswered(state: MonitorState, shade: 'dark' | 'light'): MonitorState {
	return state.chosenTheme !== undefined || state.theme === shade ? state : {...state, theme: shade};
}

/** Changes the first rows of a column, also behind a page. */
export function firstRowsChanged(
	state: MonitorState,
	view: ViewName,
	change: (column: Column) => Column,
): MonitorState {
	return columnChanged(state, view, column => headChanged(column, change));
}

/** The order of the focused column moves again, from its first rows on. */
export function focusReleased(state: MonitorState): MonitorState {
	return columnChanged(state, state.focus, released);
}

/** The cursor of the focused column moved by rows, and stops at the ends. Without a cursor it starts at the first row. */
export function cursorMoved(state: MonitorState, by: number): MonitorState {
	const column = focused(state);
	const shown = shownKeys(state, state.focus);
	if (shown.length === 0) return state;
	const at = column.cursor === undefined ? -1 : shown.indexOf(column.cursor);
	const from = at < 0 ? (by > 0 ? column.top - 1 : column.top) : at;
	return cursorSetAt(state, from + by);
}

/** The cursor went to the n-th row shown, or to the nearest there is. */
export function cursorSetAt(state: MonitorState, index: number): MonitorState {
	const shown = shownKeys(state, state.focus);
	const key = shown[Math.min(Math.max(index, 0), shown.length - 1)];
	if (key === undefined) return state;
	const elsewhere = elsewhereIn(state, state.focus);
	return columnChanged(state, state.focus, c =>
		scrolledToCursor(cursorPlaced(c, key, elsewhere), shown, state.pageRows),
	);
}

/**
 * A column was scrolled by the wheel. Its order is frozen below the top; back at the top it is released, unless there is a
 * cursor.
 */
export function columnScrolled(state: MonitorState, view: ViewName, by: number): MonitorState {
	return columnChanged(state, view, column => {
		const last = Math.max(shownKeys(state, view).length - state.pageRows, 0);
		const top = Math.min(Math.max(column.top + by, 0), last);
		if (top === 0 && column.cursor === undefined) return released(column);
		return top === column.top ? column : {...orderFrozen(column, elsewhereIn(state, view)), top};
	});
}

/** The next or the previous column got the focus, around the ends. */
export function focusMoved(state: MonitorState, by: 1 | -1): MonitorState {
	const {shownViews, focus} = state;
	const at = shownViews.indexOf(focus);
	return focusSet(state, shownViews[(at + by + shownViews.length) % shownViews.length]!);
}

/** A column got the focus; a column that was not shown is shown. */
export function focusSet(state: MonitorState, view: ViewName): MonitorState {
	if (view === state.focus) return state;
	const {shownViews} = state;
	return {...state, focus: view, shownViews: shownViews.includes(view) ? shownViews : [...shownViews, view]};
}

/** Other columns are shown; the focus stays if its column is among them. @param shown at least one */
export function viewsShown(state: MonitorState, shown: ShownViews): MonitorState {
	if (isSameShown(state.shownViews, shown)) return state;
	return {...state, shownViews: shown, focus: shown.includes(state.focus) ? state.focus : shown[0]!};
}

/** The terminal has another size, in cells. */
export function resized(state: MonitorState, size: MonitorState['size']): MonitorState {
	return size.columns === state.size.columns && size.rows === state.size.rows ? state : {...state, size};
}

/** The layout fits `pageRows` rows: every column keeps its cursor on screen and requests as many rows as it can show. */
export function laidOut(state: MonitorState, pageRows: number): MonitorState {
	if (pageRows === state.pageRows) return state;
	return VIEWS.reduce(
		(next, view) =>
			columnChanged(next, view, c => {
				const enough = limitChanged(c, limitFor(c.limit, pageRows));
				return scrolledToCursor(enough, shownKeys(state, view), pageRows);
			}),
		{...state, pageRows},
	);
}

/** How many rows a column requests: at least a screen full. */
export function limitFor(limit: number, pageRows: number): number {
	return limit >= pageRows ? limit : Math.min(pageRows + 10, MAX_LIMIT);
}

/** Another mode is on top. The notice of the mode below is dropped. */
export function modeEntered(state: MonitorState, mode: Mode): MonitorState {
	return {...withoutBriefNotice(state), modes: [...state.modes, mode], count: ''};
}

/** The top mode ended, its notice is dropped. The list at the bottom always stays. */
export function modeLeft(state: MonitorState): MonitorState {
	if (state.modes.length === 1) return state;
	return {...withoutBriefNotice(state), modes: state.modes.slice(0, -1), count: ''};
}

/** The top mode was replaced. */
export function modeChanged(state: MonitorState, mode: Mode): MonitorState {
	return topMode(state) === mode ? state : {...state, modes: [...state.modes.slice(0, -1), mode]};
}

/** Longest count that can be typed before a motion. */
const MAX_COUNT_DIGITS = 4;

/** A digit of a count was typed; a leading 0 is ignored. */
export function digitTyped(state: MonitorState, digit: string): MonitorState {
	if (state.count === '' && digit === '0') return state;
	return state.count.length >= MAX_COUNT_DIGITS ? state : {...state, count: state.count + digit};
}

/** The typed count was used or discarded. */
export function countCleared(state: MonitorState): MonitorState {
	return state.count === '' ? state : {...state, count: ''};
}

/** A notice is shown in place of the last one. */
export function noticed(state: MonitorState, notice: Notice): MonitorState {
	return {...state, notice};
}

/** The notice is dropped, also one that stays. */
export function noticeDropped(state: MonitorState): MonitorState {
	if (state.notice === undefined) return state;
	const {notice: _, ...rest} = state;
	return rest;
}

function withoutBriefNotice(state: MonitorState): MonitorState {
	return state.notice?.stays ? state : noticeDropped(state);
}

/** How long a notice stays, ms. */
export const NOTICE_MS = 4000;
/** How long promotions are kept, ms. */
const PROMOTION_MS = 60_000;

/** Time passed: expired notices and promotions go, live orders settle. @param nowMs local Unix ms */
export function ticked(state: MonitorState, nowMs: number): MonitorState {
	const settled = VIEWS.reduce((next, view) => columnChanged(next, view, c => orderSettled(c, nowMs)), state);
	const {notice, ...rest} = settled;
	const promotions = state.promotions.filter(p => nowMs - p.atMs < PROMOTION_MS);
	return {
		...rest,
		nowMs,
		promotions: promotions.length === state.promotions.length ? state.promotions : promotions,
		...(notice && (notice.stays || nowMs - notice.atMs < NOTICE_MS) && {notice}),
	};
}

/** The detail pane opened on a token, or moved to another one. The look-ups of the old one are dropped. */
export function detailOpened(state: MonitorState, entry: Entry): MonitorState {
	if (state.detail?.key === entry.key) return state;
	const isTimeFrameChosen = state.detail?.isTimeFrameChosen ?? false;
	const detail: Detail = {
		key: entry.key,
		entry,
		entryAtMs: state.nowMs,
		lookup: 'idle',
		labels: {kind: 'idle'},
		sparkline: {kind: 'idle'},
		timeFrame: isTimeFrameChosen ? state.detail!.timeFrame : timeFrameFor(entry, state),
		...(isTimeFrameChosen && {isTimeFrameChosen}),
		chart: state.detail?.chart ?? FIRST_CHART,
		scroll: 0,
	};
	return {...state, detail};
}

const FIRST_CHART: ChartChoice = {kind: 'line', scale: 'price', stepMs: 5000};

const TIME_FRAME_MS: Readonly<Record<TimeFrame, number>> = {
	'1h': WINDOW_MS['1h'],
	'6h': WINDOW_MS['6h'],
	'24h': WINDOW_MS['24h'],
	'7d': 7 * WINDOW_MS['24h'],
};

/** How long a time frame is, ms. */
export function timeFrameMs(frame: TimeFrame): number {
	return TIME_FRAME_MS[frame];
}

/** The shortest time frame that shows all of the token's life; the longest for one that is older. */
function timeFrameFor(entry: Entry, {nowMs, skewMs}: Pick<MonitorState, 'nowMs' | 'skewMs'>): TimeFrame {
	if (entry.created_at === undefined) return '24h';
	const ageMs = nowMs + skewMs - entry.created_at;
	return TIME_FRAMES.find(frame => ageMs <= TIME_FRAME_MS[frame]) ?? '7d';
}

/** The next length of a candle where candles are shown, else the next time frame. */
export function chartTimeChanged(detail: Detail, by: number): Detail {
	const {chart, timeFrame} = detail;
	if (chart.kind === 'candles') return {...detail, chart: {...chart, stepMs: next(CANDLE_STEPS_MS, chart.stepMs, by)}};
	return {...detail, timeFrame: next(TIME_FRAMES, timeFrame, by), isTimeFrameChosen: true};
}

/** The next chart: the price as a line, the market cap, candles of the price. */
export function chartAfter(chart: ChartChoice): ChartChoice {
	if (chart.kind === 'candles') return {...chart, kind: 'line', scale: 'price'};
	return chart.scale === 'price' ? {...chart, scale: 'mcap'} : {...chart, kind: 'candles', scale: 'price'};
}

function next<T>(all: readonly T[], one: T, by: number): T {
	return all[(all.indexOf(one) + by + all.length) % all.length]!;
}

/** Changes the detail pane, if it still shows this token. */
export function detailChanged(state: MonitorState, key: string, change: (detail: Detail) => Detail): MonitorState {
	if (state.detail?.key !== key) return state;
	const changed = change(state.detail);
	return changed === state.detail ? state : {...state, detail: changed};
}

/** The detail pane was closed. */
export function detailClosed(state: MonitorState): MonitorState {
	const {detail: _, ...rest} = withoutBriefNotice(state);
	return {...rest, modes: state.modes.filter(mode => mode.kind !== 'detail')};
}

/** The detail pane was scrolled. @param max its last scroll position */
export function scrolled(state: MonitorState, by: number, max: number): MonitorState {
	if (!state.detail) return state;
	const scroll = Math.min(Math.max(state.detail.scroll + by, 0), Math.max(max, 0));
	return detailChanged(state, state.detail.key, detail => (scroll === detail.scroll ? detail : {...detail, scroll}));
}

/** All columns are narrowed to these chains and launchpads now. */
export function scopeSet(state: MonitorState, scope: Scope): MonitorState {
	if (isSameScope(state.scope, scope)) return state;
	return VIEWS.reduce((next, view) => columnChanged(next, view, c => scopeChanged(c, scope)), {...state, scope});
}

/** A token was pinned in a column, or unpinned wherever it was. */
export function pinToggled(state: MonitorState, entry: Entry, view: ViewName, nowMs: number): MonitorState {
	const pins = new Map(state.pins);
	if (!pins.delete(entry.key)) pins.set(entry.key, pinOf(entry, view, nowMs));
	return pinsSet(state, pins);
}

/** The pins were replaced; every column gets its own. */
export function pinsSet(state: MonitorState, pins: Pins): MonitorState {
	return VIEWS.reduce(
		(next, view) => {
			const own = new Set([...pins].filter(([, pin]) => pin.view === view).map(([key]) => key));
			const {pinned} = next.columns[view];
			const same = own.size === pinned.size && [...own].every(key => pinned.has(key));
			return same ? next : columnChanged(next, view, c => pinsChanged(c, own));
		},
		{...state, pins},
	);
}
