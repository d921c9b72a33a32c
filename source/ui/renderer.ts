import type {CandleSeries} from '../monitor/candles/candle-series.ts';
import {rewoundTo} from '../monitor/rewind/history.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import {byView, VIEWS, type ViewName} from '../monitor/views.ts';
import type {Row} from '../terminal/style.ts';
import {themeIn} from './color-overrides.ts';
import {detailLines} from './detail/detail-lines.ts';
import {tourRowsOf} from './features/tour/tour-line.ts';
import {modeSpec} from './features.ts';
import type {Glyphs} from './glyphs.ts';
import {boundKeys} from './keymap/bound-keys.ts';
import {isTooSmall, type Layout, layoutScreen} from './layout.ts';
import {paintColumnRows, paintColumnTitle} from './paint-column.ts';
import {noticeRowsOf, paintFooter} from './paint-footer.ts';
import {paintHeader} from './paint-header.ts';
import type {Theme} from './theme.ts';
import type {ViewModel} from './view-model.ts';

/** What the whole program draws with, fixed at its start. */
export interface RenderOptions {
	readonly glyphs: Glyphs;
	/** Candles of a token that is watched, by its key. */
	readonly candles?: (key: string) => CandleSeries | undefined;
	/** The terminal has enough colours for a faint shade. */
	readonly hasShades?: boolean;
}

/** The live regions of the screen, and the lines that each shows in a state. */
export interface Renderer {
	readonly regions: readonly string[];
	layout(state: MonitorState): Layout;
	lines(state: MonitorState, region: string): readonly Row[];
	/** How many lines the detail pane would need in all. */
	detailHeight(state: MonitorState): number;
}

/** Names of the live regions. */
export const REGION = {
	header: 'header',
	footer: 'footer',
	detail: 'detail',
	title: (view: ViewName) => `title.${view}`,
	rows: (view: ViewName) => `rows.${view}`,
} as const;

/** Computes each region once per state: a frame reads many regions and lines. */
export function createRenderer({glyphs, hasShades = false, candles}: RenderOptions): Renderer {
	let layoutKey = '';
	let layout: Layout | undefined;
	let rewound: {readonly live: MonitorState; readonly state: MonitorState} | undefined;
	let firstColumn: ViewName | undefined;
	let below:
		| {
				readonly state: Pick<MonitorState, 'columns' | 'nowMs'> & {readonly detail: MonitorState['detail'] | undefined};
				readonly layout: Layout;
				readonly theme: Theme;
				readonly lines: Map<string, readonly Row[]>;
		  }
		| undefined;
	let painted: {state: MonitorState; lines: Map<string, readonly Row[]>; detail?: readonly Row[]} | undefined;

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

	function modelOf(live: MonitorState): ViewModel {
		const state = shownState(live);
		const {thresholds, isStill} = state.display;
		const shared = {
			theme: themeIn(state),
			glyphs,
			thresholds,
			isStill,
			hasShades,
			keys: boundKeys(live),
			liveMs: live.nowMs,
		};
		return {state, layout: layoutOf(state), ...shared, ...(candles && {candles})};
	}

	/** What is drawn: the present, or the moment that REWIND shows. */
	function shownState(live: MonitorState): MonitorState {
		const mode = topMode(live);
		if (mode.kind !== 'rewind') return live;
		if (rewound?.live !== live) rewound = {live, state: rewoundTo(live, mode.moments[mode.at]!)};
		return rewound.state;
	}

	/** Columns and detail below a money window: as they were when it was opened, without colour, so that nothing moves beside it. */
	function stillLines(live: MonitorState, region: string): readonly Row[] | undefined {
		if (!modeSpec(topMode(live).kind).movesMoney) {
			below = undefined;
			return undefined;
		}
		if (region === REGION.header || region === REGION.footer) return undefined;
		const {columns, detail, nowMs, ...rest} = live;
		const theme = themeIn(live);
		const place = layoutOf(live);
		if (below?.layout !== place || below.theme !== theme) {
			const {state = {columns, detail, nowMs}} = below ?? {};
			below = {state, layout: place, theme, lines: new Map()};
		}
		const known = below.lines.get(region);
		if (known) return known;
		const {detail: wasOpen, ...was} = below.state;
		const state: MonitorState = {...rest, ...was, ...(wasOpen !== undefined && {detail: wasOpen})};
		const {faint} = theme.tones;
		const lines = paint(state, region).map(row => row.map(({text}) => ({text, style: faint})));
		below.lines.set(region, lines);
		return lines;
	}

	function frameOf(state: MonitorState): NonNullable<typeof painted> {
		if (painted?.state !== state) painted = {state, lines: new Map()};
		return painted;
	}

	function allDetail(state: MonitorState): readonly Row[] {
		const frame = frameOf(state);
		const model = modelOf(state);
		if (frame.detail === undefined) {
			frame.detail =
				state.detail && model.layout.detail ? detailLines(model, state.detail, model.layout.detail.width - 2) : [];
		}
		return frame.detail;
	}

	function paint(live: MonitorState, region: string): readonly Row[] {
		const model = modelOf(live);
		const {layout: place, state} = model;
		if (region === REGION.header) return [paintHeader(model, state.size.columns)];
		if (region === REGION.footer) return paintFooter(model, state.size.columns);
		if (region === REGION.detail) {
			const scroll = Math.min(state.detail?.scroll ?? 0, Math.max(allDetail(live).length - place.bodyHeight, 0));
			return allDetail(live)
				.slice(scroll, scroll + place.bodyHeight)
				.map(row => [{text: ' '}, ...row]);
		}
		for (const {view, width} of place.columns) {
			if (region === REGION.title(view)) return paintColumnTitle(model, state.columns[view], width);
			if (region === REGION.rows(view)) return paintColumnRows(model, state.columns[view], width, place.rowsHeight);
		}
		return [];
	}

	return {
		regions: [
			REGION.header,
			REGION.footer,
			REGION.detail,
			...VIEWS.flatMap(view => [REGION.title(view), REGION.rows(view)]),
		],
		layout: layoutOf,
		lines(state, region) {
			const {lines} = frameOf(state);
			const known = lines.get(region);
			if (known) return known;
			const fresh = stillLines(state, region) ?? paint(state, region);
			lines.set(region, fresh);
			return fresh;
		},
		detailHeight: state => allDetail(state).length,
	};
}
