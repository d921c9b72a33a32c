import type {CandleSeries} from '../monitor/candles/candle-series.ts';
import {rewoundTo} from '../monitor/rewind/history.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import {byView, VIEWS, type ViewName} from '../monitor/views.ts';
import type {Row} from '../terminal/style.ts';
import {themeIn} from './color-overrides.ts';
import {detailLines} from './detail/detail-lines.tsx';
import type {Display} from './display.ts';
import {tourRowsOf} from './features/tour/tour-line.ts';
import {modeSpec} from './features.ts';
import {noticeRowsOf} from './footer/hints.ts';
import type {Glyphs} from './glyphs.ts';
import {boundKeys} from './keymap/bound-keys.ts';
import {isTooSmall, type Layout, layoutScreen} from './layout.ts';
import type {ViewModel} from './view-model.ts';

/** What the whole program draws with, fixed at its start. */
export interface RenderOptions {
	readonly glyphs: Glyphs;
	/** Candles of a token that is watched, by its key. */
	readonly candles?: (key: string) => CandleSeries | undefined;
	/** Prices of a token in the last minutes, oldest first, by its key. */
	readonly priceTrail?: (key: string) => readonly number[] | undefined;
	/** The terminal has enough colours for a faint shade. */
	readonly hasShades?: boolean;
}

/** What the screen is drawn from, in any state of the monitor. */
export interface ScreenModel {
	layout(state: MonitorState): Layout;
	/** The present, or the moment that REWIND shows. The same state gives the same object. */
	of(state: MonitorState): ViewModel;
	/** What lies below the window on top: below one that moves money, as it was when that was opened. */
	below(state: MonitorState): ViewModel;
	/** All lines of the detail pane. */
	detailLines(model: ViewModel): readonly Row[];
}

/** Computes everything once per state: a frame asks for it from many places. */
export function createScreenModel({glyphs, hasShades = false, candles, priceTrail}: RenderOptions): ScreenModel {
	let layoutKey = '';
	let layout: Layout | undefined;
	let rewound: {readonly live: MonitorState; readonly state: MonitorState} | undefined;
	let firstColumn: ViewName | undefined;
	let display: Display | undefined;
	let now: {readonly live: MonitorState; readonly model: ViewModel} | undefined;
	let still: ViewModel | undefined;
	const details = new WeakMap<ViewModel, readonly Row[]>();

	function layoutOf(state: MonitorState): Layout {
		const {prompt, minSize} = modeSpec(topMode(state).kind);
		const input = {
			size: state.size,
			focus: state.focus,
			isDetailOpen: state.detail !== undefined,
			density: state.density,
			minSize,
			promptRows:
				(prompt?.rows ?? 0) + tourRowsOf(state) + noticeRowsOf(state, state.size.columns, glyphs.subscripts === ''),
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
		const isSame = display && Object.entries(made).every(([name, value]) => display![name as keyof Display] === value);
		display = isSame ? display : made;
		return display!;
	}

	function modelOf(live: MonitorState, isStillLife = false): ViewModel {
		const state = shownState(live);
		const trail = state === live && priceTrail && {priceTrail};
		const shared = {hasShades, liveMs: live.nowMs, isStillLife, ...(candles && {candles}), ...trail};
		const look = displayOf(live);
		return {...look, display: look, state, layout: layoutOf(state), ...shared};
	}

	/** What is drawn: the present, or the moment that REWIND shows. */
	function shownState(live: MonitorState): MonitorState {
		const mode = topMode(live);
		if (mode.kind !== 'rewind') return live;
		if (rewound?.live !== live) rewound = {live, state: rewoundTo(live, mode.moments[mode.at]!)};
		return rewound.state;
	}

	function of(live: MonitorState): ViewModel {
		if (now?.live !== live) now = {live, model: modelOf(live)};
		return now.model;
	}

	return {
		layout: layoutOf,
		of,
		below(live) {
			if (!modeSpec(topMode(live).kind).movesMoney) {
				still = undefined;
				return of(live);
			}
			const before = still?.state ?? live;
			if (still === undefined || still.layout !== layoutOf(live) || still.theme !== themeIn(live)) {
				const {columns, detail, nowMs} = before;
				const {detail: _, ...rest} = live;
				still = modelOf({...rest, columns, nowMs, ...(detail !== undefined && {detail})}, true);
			}
			return still;
		},
		detailLines(model) {
			const known = details.get(model);
			if (known) return known;
			const lines = detailLines(model);
			details.set(model, lines);
			return lines;
		},
	};
}
