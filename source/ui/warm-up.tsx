import {type Entry, entryKey} from '../contract/entry.ts';
import {whyOf} from '../monitor/columns/why.ts';
import type {Mode} from '../monitor/mode.ts';
import type {MonitorState} from '../monitor/state.ts';
import {viewChangesArrived} from '../monitor/transitions/feed.ts';
import {detailOpened, modeEntered} from '../monitor/transitions/screen.ts';
import {editOf} from '../monitor/transitions/text-edit.ts';
import {PHASES, VIEWS} from '../monitor/views.ts';
import type {Store} from '../store.ts';
import {ColumnTitle} from './columns/column-title.tsx';
import {TokenRows} from './columns/token-rows.tsx';
import {menuContext} from './create-actions.ts';
import {whyLines, widthOn} from './features/explain/explain-lines.ts';
import {helpLines} from './features/help/help-lines.ts';
import {Footer} from './footer/footer.tsx';
import {boundKeys} from './keymap/bound-keys.ts';
import {isTooSmall} from './layout.ts';
import {linesOf} from './live/lines.tsx';
import {createScreenModel, type RenderOptions} from './screen-model.ts';
import {THEMES} from './theme.ts';

/*
 * Code that runs for the first time is compiled first, which takes several times as long as running it; so does the first
 * window of a session. Therefore what the windows are made of is made once beforehand, in the quiet after the first rows,
 * and thrown away. Only pure functions are called, with states of their own: nothing is requested, shown or kept.
 */

/** Between two pieces, each a few milliseconds long, keys and rows have their turn. */
const PAUSE_MS = 60;

/**
 * Makes the contents of windows once, piece by piece, from when the column of every phase has its rows on.
 * @returns stops the warm-up
 */
export function warmUp(store: Store<MonitorState>, rendering: RenderOptions): () => void {
	const pieces = piecesOf(rendering);
	let timer: NodeJS.Timeout | undefined;
	const next = (): void => {
		const state = store.get();
		const piece = pieces.shift();
		// No window opens on a screen that is too small, and none is made for it.
		if (!isTooSmall(state.size)) piece?.(state);
		timer = pieces.length > 0 ? setTimeout(next, PAUSE_MS) : undefined;
	};
	const begin = (): void => {
		const {columns} = store.get();
		if (PHASES.some(view => columns[view].status.kind !== 'ready')) return;
		unsubscribe();
		timer = setTimeout(next, PAUSE_MS);
	};
	const unsubscribe = store.subscribe(begin);
	return () => {
		unsubscribe();
		clearTimeout(timer);
	};
}

/** Rows made for each column: enough to compile the code that paints rows. */
const SAMPLE_ROWS = 12;

/**
 * Makes rows of invented tokens while the program waits for the first rows of the service, which then appear sooner.
 */
export function makeSampleRows(state: MonitorState, rendering: RenderOptions): void {
	const {nowMs} = state;
	const samples = Array.from({length: SAMPLE_ROWS}, (_, n) => sampleEntry(n, nowMs));
	const news = {snapshot: samples, source: 'init', changes: [], atMs: nowMs} as const;
	const filled = viewChangesArrived(state, new Map(VIEWS.map(view => [view, news])));
	const model = createScreenModel(rendering).of(filled);
	for (const {view, width} of model.layout.columns) {
		linesOf(<ColumnTitle model={model} view={view} />, model, width);
		linesOf(<TokenRows model={model} view={view} height={model.layout.rowsHeight} />, model, width);
	}
}

function sampleEntry(n: number, nowMs: number): Entry {
	const address = `0x${String(n).padStart(40, '0')}`;
	return {
		key: entryKey('evm:8453', address),
		chain_id: 'evm:8453',
		address,
		// With an accent of its own: the tables that such text is taken apart with are read at their first use.
		symbol: `SAMPLE\u0301${n}`,
		name: `A sample\u2026 ${n}`,
		source: 'pumpfun',
		bonded: n % 2 === 0,
		bonding_percentage: 7 * n,
		created_at: nowMs - 1000 * (n + 1),
		latest_trade_date: nowMs,
		market_cap: 1234.5 * (n + 1),
		price_change_1h: n - 6,
		volume_1h: 100 * n,
		liquidity: 1000 * n,
		holders_count: n,
		trades_1h: n,
		twitter: 'https://x.com/sample',
	};
}

/** The functions that make the windows, the likeliest window first. */
function piecesOf(rendering: RenderOptions): Array<(state: MonitorState) => void> {
	// A model of its own: that of the screen keeps its last state.
	const screen = createScreenModel(rendering);
	const {glyphs} = rendering;
	const isAscii = glyphs.subscripts === '';
	const withFirst = (make: (state: MonitorState, entry: Parameters<typeof detailOpened>[1]) => void) => {
		return (state: MonitorState): void => {
			const [row] = VIEWS.flatMap(view => [...state.columns[view].rows.values()].slice(0, 1));
			if (row) make(state, row.entry);
		};
	};
	const footer = (mode: Mode) => (state: MonitorState) => {
		const model = screen.of(modeEntered(state, mode));
		linesOf(<Footer model={model} />, model, state.size.columns);
	};
	const menu = (mode: Mode) => (state: MonitorState) => menuContext(state, isAscii).itemsOf(mode);
	return [
		withFirst((state, entry) => {
			screen.detailLines(screen.of(modeEntered(detailOpened(state, entry), {kind: 'detail'})));
		}),
		state =>
			helpLines({
				columns: state.size.columns,
				glyphs,
				keys: boundKeys(state),
				isReal: state.service.follow !== undefined,
			}),
		footer({kind: 'filter', edit: editOf(''), index: 0}),
		menu({kind: 'palette', edit: editOf(''), index: 0}),
		menu({kind: 'sort', edit: editOf(''), index: 0}),
		withFirst((state, entry) => {
			const columns = whyOf(state, entry, state.nowMs);
			const mode = {kind: 'why', entry, columns, atMs: state.nowMs, scroll: 0} as const;
			whyLines(mode, {theme: THEMES.dark, glyphs, keys: boundKeys(state)}, widthOn(state.size) - 4);
		}),
		footer({kind: 'bridge'}),
	];
}
