import type {CandleSeries} from '../monitor/candles/candle-series.ts';
import {rewoundTo} from '../monitor/rewind/history.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import {keepLookalikes} from '../monitor/tokens/lookalike.ts';
import {byView, VIEWS, type ViewName} from '../monitor/views.ts';
import type {Row} from '../terminal/style.ts';
import {themeIn} from './color-overrides.ts';
import type {DrawnRows} from './columns/drawn-rows.ts';
import {detailLines} from './detail/detail-lines.tsx';
import type {Display} from './display.ts';
import {tourRowsOf} from './features/tour/tour-rows.ts';
import {modeSpec} from './features.ts';
import {noticeRowsOf} from './footer/hints.ts';
import type {Glyphs} from './glyphs.ts';
import {boundKeys} from './keymap/bound-keys.ts';
import {isTooSmall, type Layout, layoutScreen} from './layout.ts';
import type {ViewModel} from './view-model.ts';

/** Options of all drawing, fixed at the start of the program. */
export interface RenderOptions {
	readonly glyphs: Glyphs;
	/** Candles of a token that is watched, by its key. */
	readonly candles?: (key: string) => CandleSeries | undefined;
	/** Prices of a token in the last minutes, oldest first, by its key. */
	readonly priceTrail?: (key: string) => readonly number[] | undefined;
	/** The terminal has enough colours for a faint shade. */
	readonly hasShades?: boolean;
}

/** The model that the screen is drawn from, in any state of the monitor. */
export interface ScreenModel {
	layout(state: MonitorState): Layout;
	/** The present, or the moment that REWIND shows. The same state gives the same object. */
	of(state: MonitorState): ViewModel;
	/** The model of the columns and the detail pane. Below a money window the model keeps the state at the opening of the window. */
	below(state: MonitorState): ViewModel;
	/** All lines of the detail pane. */
	detailLines(model: ViewModel): readonly Row[];
}

/** Creates the model of the screen. Each part is computed once per state. */
export function createScreenModel({glyphs, hasShades = false, candles, priceTrail}: RenderOptions): ScreenModel {
	let layoutKey = '';
	let layout: Layout | undefined;
	let firstColumn: ViewName | undefined;
	let display: Display | undefined;
	let still: ViewModel | undefined;
	const lookalikes = keepLookalikes();
	const drawnRows = new Map<ViewName, DrawnRows>();

	function layoutOf(state: MonitorState): Layout {
		const {promptRows = 0, minSize} = modeSpec(topMode(state).kind);
		const input = {
			size: state.size,
			focus: state.focus,
			isDetailOpen: state.detail !== undefined,
			density: state.density,
			minSize,
			promptRows: promptRows + tourRowsOf(state) + noticeRowsOf(state, state.size.columns, glyphs.subscripts === ''),
		};
		const {columns} = state;
		const fields = byView(view => columns[view].fields);
		const fieldsKey = VIEWS.map(view => fields[view].join()).join(' ');
		const key = `${state.size.columns}x${state.size.rows} ${state.focus} ${input.isDetailOpen} ${state.density} ${input.promptRows} ${fieldsKey} ${state.shownViews} ${isTooSmall(state.size, minSize)}`;
		if (layout === undefined || key !== layoutKey) {
			layout = layoutScreen({
				...input,
				before: firstColumn,
				views: state.shownViews,
				fields,
			});
			firstColumn = layout.columns[0]?.view ?? firstColumn;
			layoutKey = key;
		}
		return layout;
	}

	function displayOf(state: MonitorState): Display {
		const {thresholds, isStill} = state.display;
		const made: Display = {theme: themeIn(state), glyphs, keys: boundKeys(state), thresholds, isStill};
		if (display === undefined || !isSameDisplay(display, made)) display = interned(made);
		return display;
	}

	function modelOf(live: MonitorState, isStillLife = false): ViewModel {
		const state = shownState(live);
		const trail = state === live && priceTrail && {priceTrail};
		const shared = {
			hasShades,
			liveMs: live.nowMs,
			isStillLife,
			lookalikes,
			drawnRows,
			...(candles && {candles}),
			...trail,
		};
		const look = displayOf(live);
		return {...look, display: look, state, layout: layoutOf(state), ...shared};
	}

	/** The present, or the moment that REWIND shows. */
	const shownState = keepLast((live: MonitorState): MonitorState => {
		const mode = topMode(live);
		return mode.kind === 'rewind' ? rewoundTo(live, mode.moments[mode.at]!) : live;
	});
	const of = keepLast((live: MonitorState) => modelOf(live));
	const below = keepLast((live: MonitorState): ViewModel => {
		if (!modeSpec(topMode(live).kind).movesMoney) {
			still = undefined;
			return of(live);
		}
		if (still === undefined || still.layout !== layoutOf(live) || still.theme !== themeIn(live)) {
			const {columns, detail, nowMs} = still?.state ?? live;
			const {detail: _, ...rest} = live;
			still = modelOf({...rest, columns, nowMs, ...(detail !== undefined && {detail})}, true);
		}
		return still;
	});
	return {layout: layoutOf, of, below, detailLines: keepLast(detailLines)};
}

/** Displays in use, the newest first: screens that look alike have the same object. */
let displays: readonly Display[] = [];
/** Themes, depths and key tables that are in use at a time. */
const MAX_DISPLAYS = 16;

function interned(display: Display): Display {
	const known = displays.find(one => isSameDisplay(one, display));
	if (known) return known;
	displays = [display, ...displays].slice(0, MAX_DISPLAYS);
	return display;
}

function isSameDisplay(a: Display, b: Display): boolean {
	return Object.entries(b).every(([name, value]) => a[name as keyof Display] === value);
}

/** Caches the result of the last argument: many places ask during one frame. */
function keepLast<A extends object, T>(make: (argument: A) => T): (argument: A) => T {
	let last: {readonly argument: A; readonly result: T} | undefined;
	return argument => {
		if (last?.argument !== argument) last = {argument, result: make(argument)};
		return last.result;
	};
}
