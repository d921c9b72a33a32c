import {render} from 'ink-testing-library';
import type {Client} from '../../source/client/client.ts';
import type {Entry} from '../../source/contract/entry.ts';
import {type Actions, createActions, type Effects, type PageOutcome} from '../../source/monitor/actions.ts';
import {type BoardsState, NO_BOARDS} from '../../source/monitor/boards/boards-state.ts';
import {DEFAULT_DISPLAY} from '../../source/monitor/display.ts';
import type {Moment} from '../../source/monitor/history.ts';
import {initialState, type Start} from '../../source/monitor/initial-state.ts';
import {openSession, type Session} from '../../source/monitor/session.ts';
import type {MonitorState, ViewName} from '../../source/monitor/state.ts';
import {changesArrived, snapshotArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import {createStore, type Store} from '../../source/store.ts';
import {App} from '../../source/ui/app.tsx';
import {createBoardActions} from '../../source/ui/boards/board-actions.ts';
import {boardOffers} from '../../source/ui/boards/board-offers.ts';
import {createBoards} from '../../source/ui/boards/boards.ts';
import {boundKeys} from '../../source/ui/bound-keys.ts';
import type {DeskState} from '../../source/ui/desk/desk-state.ts';
import {createMoneyActions} from '../../source/ui/desk/money-actions.ts';
import {dispatch, run} from '../../source/ui/dispatch.ts';
import {followOffers} from '../../source/ui/follow-offers.ts';
import {helpLines, helpPage} from '../../source/ui/help/help-lines.ts';
import {KeyReader} from '../../source/ui/keys.ts';
import {createScenes} from '../../source/ui/scenes.ts';
import {signsFor} from '../../source/ui/signs.ts';
import {createUiActions} from '../../source/ui/ui-actions.ts';

/** The moment at which test monitors begin, Unix ms. */
export const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

export interface TestMonitor {
	readonly store: Store<MonitorState>;
	readonly boards: Store<BoardsState>;
	readonly actions: Actions;
	readonly copied: string[];
	/** Pages that were opened in the browser. */
	readonly opened: string[];
	/** What can be looked back at. */
	readonly moments: Moment[];
	readonly hasQuit: () => boolean;
	/** Ends what reads the service. */
	close(): void;
	/** Types keys as a terminal sends them. */
	press(...keys: string[]): void;
	arrive(view: ViewName, entries: readonly Entry[]): void;
	change(view: ViewName, upserts: readonly Entry[], removed?: readonly string[]): void;
	/** The screen without colours. */
	frame(): string;
	/** The screen with its escape codes. */
	rawFrame(): string;
}

/** The whole monitor drawn by plain Ink. Without a service, what the feed would bring is handed to it. */
export function openTestMonitor({
	ascii = false,
	isStill = false,
	client,
	isConnected = false,
	reading,
	apiKey = 'key-of-the-tests',
	browser = 'opened',
	runProgram,
	...start
}: Partial<Start> & {
	ascii?: boolean;
	isStill?: boolean;
	/** For the boards alone. */
	client?: Client;
	/** The detail pane looks things up at the client, too; otherwise only the boards do. */
	isConnected?: boolean;
	/** A client whose feed fills the columns. */
	reading?: Client;
	apiKey?: string;
	browser?: PageOutcome;
	runProgram?: NonNullable<Effects['runProgram']>;
} = {}): TestMonitor {
	const store = createStore<MonitorState>(
		initialState({
			size: {columns: 100, rows: 24},
			nowMs: NOW_MS,
			service: {label: 'simulated market', embedded: true},
			theme: 'dark',
			display: {...DEFAULT_DISPLAY, isStill},
			...start,
		}),
	);
	const copied: string[] = [];
	const opened: string[] = [];
	const moments: Moment[] = [];
	let quit = false;
	const session: Session = reading ? openSession(store, reading) : {pause() {}, resume() {}, retry() {}, close() {}};
	const effects: Effects = {
		client: () => reading ?? (isConnected ? client : undefined),
		session: () => session,
		copy: async text => {
			copied.push(text);
			return 'copied.';
		},
		openPage: async href => {
			opened.push(href);
			return browser;
		},
		saveChoices() {},
		moments: () => moments,
		suspend() {},
		redraw() {},
		quit: () => {
			quit = true;
		},
		nowMs: () => NOW_MS,
		...(runProgram && {runProgram}),
	};
	const actions = createActions(store, effects);
	const look = {signs: signsFor(ascii)};
	const scenes = createScenes(look);
	const sizes = {
		detail: () => ({max: 100, page: 10}),
		help: () => {
			const {size, keys, commands} = store.get();
			return {
				page: helpPage(size.rows),
				lines: helpLines({columns: size.columns, signs: look.signs, keys: boundKeys({keys, commands})}),
			};
		},
		ascii: () => ascii,
		layout: () => scenes.layout(store.get()),
	};
	const ui = createUiActions(store, actions, sizes, id => {
		const binding = boundKeys(store.get()).bindings.find(candidate => candidate.id === id);
		if (binding) run(binding, store.get(), verbs);
	});
	const desk = createStore<DeskState>({wallet: {mode: 'practice', status: 'none'}});
	const money = createMoneyActions({
		store,
		desk,
		actions,
		load: () => Promise.reject(new Error('no service')),
		nowMs: () => NOW_MS,
	});
	const boards = createStore<BoardsState>(NO_BOARDS);
	const board = createBoardActions({
		store,
		boards,
		actions,
		load: async input =>
			createBoards({
				store: boards,
				monitor: store,
				input,
				client: () => client,
				apiKey: () => (apiKey === '' ? undefined : apiKey),
				tell: actions.tell,
				copy: actions.copyText,
				openToken: actions.openDetailOf,
				save: actions.saveChoices,
				nowMs: () => NOW_MS,
			}),
	});
	const verbs = {...actions, ...ui, ...money, ...board};
	followOffers(
		store,
		[desk, boards],
		(mode, state) => money.moneyOffers(mode) ?? boardOffers(mode, boards.get(), state),
	);
	const reader = new KeyReader();
	const view = () => (
		<App
			store={store}
			scenes={scenes}
			look={look}
			boards={{store: boards, rows: board.boardRows, onReach: board.boardReach}}
		/>
	);
	const app = render(view());
	const now = (): string => {
		app.rerender(view());
		return app.lastFrame() ?? '';
	};
	return {
		store,
		boards,
		actions,
		copied,
		opened,
		moments,
		hasQuit: () => quit,
		close: () => session.close(),
		press: (...keys) => {
			for (const chunk of keys) {
				for (const event of [...reader.feed(chunk), ...reader.flush()]) dispatch(event, store.get(), verbs);
			}
		},
		arrive: (view, entries) =>
			store.apply(state => columnChanged(state, view, c => snapshotArrived(c, entries, NOW_MS))),
		change: (view, upserts, removed = []) =>
			store.apply(state => columnChanged(state, view, c => changesArrived(c, upserts, removed, NOW_MS + 1000))),
		frame: () => plain(now()),
		rawFrame: now,
	};
}

function plain(text: string): string {
	return text.replace(/\u001b\[[0-9;:]*m/g, '');
}
