import {setImmediate as nextTurn} from 'node:timers/promises';
import {createMonitorActions, type Effects, type MonitorActions} from '../monitor/actions.ts';
import type {MonitorState} from '../monitor/state.ts';
import {createStore, type Store} from '../store.ts';
import type {JournalFiles} from '../trading/journal-files.ts';
import type {PositionBook} from '../trading/positions/book.ts';
import type {AppProps} from './app.tsx';
import {createActions} from './create-actions.ts';
import type {ScreenSizes} from './feature.ts';
import {createPositions} from './features/positions/follow-holdings.ts';
import {featureOf, modeSpec, SCREENS} from './features.ts';
import {followHints} from './follow-hints.ts';
import {dispatch} from './keymap/dispatch.ts';
import type {KeyEvent} from './keymap/keys.ts';
import {createMoneyActions} from './money/money-actions.ts';
import type {MoneyState} from './money/money-state.ts';
import type {MoneyWindows} from './money/money-windows.ts';
import {createScreenModel, type RenderOptions, type ScreenModel} from './screen-model.ts';
import {createScreens, initialScreens} from './screens/create-screens.ts';
import type {ScreensState} from './screens/screens-state.ts';

export interface AppOptions {
	readonly store: Store<MonitorState>;
	readonly rendering: RenderOptions;
	readonly effects: Effects;
	/** The API key of the service; undefined where none is configured. */
	readonly apiKey: () => string | undefined;
	/** Absent where no key reaches money: over SSH. */
	readonly money?: AppMoney;
	/** Resolves when the terminal has the last frame: a window is shown before its code is loaded, which takes longer than a frame. */
	readonly drawn?: () => Promise<void>;
}

/** How the monitor moves money. */
export interface AppMoney {
	/** Practice money or real money. */
	readonly wallet: MoneyState['wallet']['mode'];
	/** The journal of that money. */
	readonly journalFiles?: JournalFiles;
	/** Opens the wallet over the service that runs. Rejects while there is no service. */
	readonly open: (money: Store<MoneyState>) => Promise<MoneyWindows>;
	/** Opens the positions: the trades, and the amounts on the chains; absent for a recording. Rejects while there is no service. */
	readonly openPositions?: () => Promise<PositionBook>;
}

/** The monitor without a terminal: its state, what its keys do, and what is drawn. */
export interface MonitorApp {
	readonly actions: MonitorActions;
	readonly screens: Store<ScreensState>;
	readonly model: ScreenModel;
	/** Props of `<App>`. */
	readonly props: AppProps;
	/** Carries out one event of the keyboard or the mouse, or a paste. @param isTyped false for a key of a paste without marks */
	handle(event: KeyEvent, isTyped?: boolean): void;
	/** Opens the wallet, once; after a failure the next call tries again. Absent where no money is moved. */
	readonly loadMoney?: () => Promise<MoneyWindows>;
	/** Ends what windows and the detail pane look up again and again. */
	close(): void;
	/** Marks the rows of the holdings from now on. */
	followPositions(): void;
}

/** Puts the monitor together. Windows that move money and screens beside the columns are loaded when they are first opened. */
export function createApp({
	store,
	rendering,
	effects,
	apiKey,
	money: own,
	drawn = async () => {},
}: AppOptions): MonitorApp {
	const model = createScreenModel(rendering);
	const actions = createMonitorActions(store, effects);
	const shown = async (): Promise<void> => {
		await nextTurn();
		await drawn();
	};

	const money = own && openMoneyActions(own);
	function openMoneyActions({wallet, open}: AppMoney) {
		const moneyStore = createStore<MoneyState>({wallet: {mode: wallet, status: 'none'}});
		let opening: Promise<MoneyWindows> | undefined;
		const load = (): Promise<MoneyWindows> => {
			opening ??= open(moneyStore).catch(error => {
				opening = undefined;
				throw error;
			});
			return opening;
		};
		const moneyActions = createMoneyActions({
			store,
			money: moneyStore,
			actions,
			load: () => shown().then(load),
			nowMs: effects.nowMs,
		});
		return {store: moneyStore, load, actions: moneyActions};
	}

	const positions = own?.openPositions && createPositions(store, own.openPositions);
	const screensState = createStore<ScreensState>(initialScreens(SCREENS));
	const screens = createScreens({
		store,
		screens: screensState,
		specs: SCREENS,
		actions,
		apiKey,
		shown,
		...(positions && {positions: positions.book, sell: row => money?.actions.tradeRow(row, 'sell')}),
		...(own?.journalFiles && {journalFiles: own.journalFiles}),
	});

	const all = createActions({
		store,
		monitor: actions,
		screen: sizesOf(store, model),
		glyphs: rendering.glyphs,
		...(money && {money: money.actions}),
		screens,
	});
	followHints(
		store,
		[...(money ? [money.store] : []), screensState],
		(mode, state) =>
			modeSpec(mode.kind).hints?.(mode, state, all[featureOf(mode.kind)]) ?? money?.actions.moneyHints(mode),
	);
	return {
		actions,
		screens: screensState,
		model,
		props: {
			store,
			model,
			rendering,
			...(money && {
				money: {
					money: money.store,
					content: money.actions.moneyContent,
					age: money.actions.moneyAge,
					onDrawn: money.actions.moneyDrawn,
					onReach: money.actions.moneyReach,
					onReveal: money.actions.moneyReveal,
					onTick: money.actions.moneyTick,
				},
			}),
			screens: {store: screensState, ...screens},
		},
		handle(event, isTyped) {
			money?.actions.keyPressed();
			dispatch(event, store.get(), all, isTyped);
		},
		...(money && {loadMoney: money.load}),
		followPositions: () => positions?.follow(),
		close() {
			screens.closeAll();
			actions.closeDetail();
		},
	};
}

/** How far panes can be scrolled in the layout of the moment. */
function sizesOf(store: Store<MonitorState>, model: ScreenModel): ScreenSizes {
	return {
		detail: () => {
			const page = model.layout(store.get()).bodyHeight;
			return {page, max: model.detailLines(model.of(store.get())).length - page};
		},
		layout: () => model.layout(store.get()),
	};
}
