import type {Client} from '../client/client.ts';
import type {Entry} from '../contract/entry.ts';
import type {FieldName} from '../contract/fields.ts';
import {WINDOWS_8, type Window8} from '../contract/windows.ts';
import {explain} from '../errors.ts';
import type {Store} from '../store.ts';
import type {Alert} from './alerts/alert-rules.ts';
import {shownKeys} from './columns/shown-keys.ts';
import type {ColumnFilter} from './filter/column-filter.ts';
import type {Mode} from './mode.ts';
import {createDetailLookups} from './requests/detail-lookups.ts';
import {createPaging} from './requests/paging.ts';
import type {Moment} from './rewind/moment.ts';
import {cursorEntry, focused, selected} from './select.ts';
import type {Session} from './session.ts';
import {type ChartChoice, DENSITIES, type MonitorState, type Notice, topMode} from './state.ts';
import {lookUpToken} from './tokens/token-lookup.ts';
import * as columns from './transitions/column.ts';
import * as screen from './transitions/screen.ts';
import {describeEnd, type ProgramEnd, type UserCommand} from './user-commands.ts';
import type {ViewName} from './views.ts';

/** The outcome of opening a page. `remote`: the person sits at another machine, over SSH. */
export type PageOutcome = 'opened' | 'remote' | 'no-browser' | 'failed';

const NOT_OPENED: Readonly<Record<Exclude<PageOutcome, 'opened'>, string>> = {
	remote: 'Your browser is on another machine (SSH)',
	'no-browser': 'No browser can be reached from here',
	failed: 'The browser could not be started',
};

/** The effects of the monitor outside of it. */
export interface Effects {
	/** Undefined until the service is there. */
	client(): Client | undefined;
	session(): Session | undefined;
	/** Puts text on the clipboard and reports the result as text for the notice. Never rejects. */
	copy(text: string): Promise<string>;
	/** Opens a page that was checked in the browser of the person; says why it did not. */
	openPage(href: string): Promise<PageOutcome>;
	saveChoices(state: MonitorState): void;
	/** The last minutes of the columns, the oldest first. */
	moments(): readonly Moment[];
	/** Writes a report of the screen and gives its directory; absent where there is nowhere to write. */
	reportBug?(): Promise<string>;
	/** Reads the configuration again and reports the outcome; absent where nothing can be read again. Never rejects. */
	reloadConfig?(): Promise<void>;
	/** Reads and writes lists of hides in files; absent where no file can be reached. */
	hidesFiles?(): Promise<typeof import('./hides/hides-file.ts')>;
	/** Runs a program of the configuration for a token until it ends; absent where nothing can be run. Never rejects. */
	runProgram?(command: UserCommand, entry: Entry, view: ViewName): Promise<ProgramEnd>;
	/** Rings for a made-up alert and reports the effects; absent where nothing can ring. */
	tryAlert?(alert: Alert): string;
	suspend(): void;
	redraw(): void;
	quit(): void;
	nowMs(): number;
}

/** The actions of the monitor itself; the actions of features are made of them. */
export type MonitorActions = ReturnType<typeof createMonitorActions>;

/** Makes the actions of the monitor over its store. @param effects their effects outside the monitor */
export function createMonitorActions(store: Store<MonitorState>, effects: Effects) {
	const lookups = createDetailLookups(store, effects.client);
	const {apply, get} = store;
	/** Names of the commands whose program runs. */
	const running = new Set<string>();

	/** @param hint the advice, actions in braces */
	function notify(text: string, tone: Notice['tone'] = 'info', hint?: string): void {
		apply(state => screen.noticed(state, {text, tone, atMs: effects.nowMs(), ...(hint !== undefined && {hint})}));
	}

	/** The detail pane follows the cursor while it is open. */
	function follow(): void {
		const {detail} = get();
		const entry = cursorEntry(focused(get()));
		if (!detail || !entry) return;
		apply(state => screen.detailOpened(state, entry));
		lookups.open(entry, get().detail!.timeFrame);
	}

	function changeColumn(change: Parameters<typeof screen.columnChanged>[2]): void {
		apply(state => screen.columnChanged(state, state.focus, change));
	}

	function changeChart(change: (chart: ChartChoice) => ChartChoice): void {
		const {detail} = get();
		if (detail) apply(state => screen.detailChanged(state, detail.key, pane => ({...pane, chart: change(pane.chart)})));
	}

	function move(transition: (state: MonitorState) => MonitorState): void {
		apply(state => screen.countCleared(transition(state)));
		follow();
	}

	const paging = createPaging(store, {client: effects.client, notify: notify, nowMs: effects.nowMs, onShown: follow});

	/** Moves the cursor; at an end of the shown rows it goes on to the rows beyond. */
	function moveOn(by: number, isToEnd = false): void {
		const state = get();
		const {cursor} = focused(state);
		const shown = shownKeys(state, state.focus);
		const isAtEnd = by > 0 ? cursor === shown.at(-1) : cursor === shown[0];
		move(at => screen.cursorMoved(at, by));
		if (isAtEnd && by !== 0) paging.turn(by > 0 ? 'down' : 'up', isToEnd);
	}

	return {
		notify,
		nowMs: effects.nowMs,
		reportBug: () => {
			if (!effects.reportBug) return notify('There is nowhere to write a report here.', 'warn');
			notify('Writing a report.');
			effects.reportBug().then(
				where => notify(`Report without keys or secrets, to read before you send it: ${where}`, 'good'),
				(error: unknown) => {
					const {what, why} = explain(error);
					notify(`The report could not be written. ${what}: ${why}`, 'bad');
				},
			);
		},
		reloadConfig: () => {
			if (!effects.reloadConfig) return notify('There is no configuration to read here.', 'warn');
			void effects.reloadConfig();
		},
		/** Runs a command of the configuration for a token, each one at a time, and says how it ended. */
		runProgram: (command: UserCommand, entry: Entry) => {
			const {name} = command;
			if (!effects.runProgram) return notify('No program can be run here.', 'warn');
			if (running.has(name)) return notify(`${name} is still running.`, 'warn');
			running.add(name);
			notify(`Running ${name} for ${entry.symbol ?? entry.address}.`);
			void effects.runProgram(command, entry, get().focus).then(end => {
				running.delete(name);
				const {text, tone} = describeEnd(name, end);
				notify(text, tone);
			});
		},
		tryAlert: (alert: Alert) => effects.tryAlert?.(alert),
		/** Undefined until the service is there. */
		client: effects.client,
		moveCursor: (by: number) => moveOn(by),
		movePage: (by: number) => moveOn(by * Math.max(get().pageRows - 1, 1)),
		moveHalfPage: (by: number) => moveOn(by * Math.max(get().pageRows >> 1, 1)),
		moveFirst: () => {
			if (focused(get()).page) return apply(state => screen.countCleared(screen.focusReleased(state)));
			move(state => screen.cursorSetAt(state, 0));
		},
		moveLast: (count: number) => {
			if (count > 1) return move(state => screen.cursorSetAt(state, count - 1));
			moveOn(Number.MAX_SAFE_INTEGER, true);
		},
		moveFocus: (by: 1 | -1) => {
			apply(state => screen.countCleared(screen.focusMoved(state, by)));
			follow();
		},
		focusView: (view: ViewName) => {
			apply(state => screen.focusSet(state, view));
			follow();
		},
		/** @param index of the row among all that the column shows */
		selectRow: (view: ViewName, index: number) => {
			apply(state => screen.focusSet(state, view));
			move(state => screen.cursorSetAt(state, index));
		},
		scrollColumn: (view: ViewName, by: number) => apply(state => screen.columnScrolled(state, view, by)),
		/** Esc in the list: ends the quick search, else lets the order move again. */
		release: () => {
			apply(screen.noticeDropped);
			const column = focused(get());
			if (column.search !== '')
				return apply(state => screen.columnChanged(state, state.focus, c => columns.searchChanged(c, '')));
			apply(state => screen.countCleared(screen.focusReleased(state)));
		},
		typeDigit: (digit: string) => apply(state => screen.digitTyped(state, digit)),

		openDetail: () => {
			if (cursorEntry(focused(get())) === undefined) apply(state => screen.cursorMoved(state, 1));
			const entry = cursorEntry(focused(get()));
			if (!entry) return notify('There is no token here to open.', 'warn');
			apply(state => screen.modeEntered(screen.detailOpened(state, entry), {kind: 'detail'}));
			lookups.open(entry, get().detail!.timeFrame);
		},
		/** Opens the pane on any token, in a column or not. */
		openDetailOf: (entry: Entry) => {
			apply(state => {
				const opened = screen.detailOpened(state, entry);
				return topMode(opened).kind === 'detail' ? opened : screen.modeEntered(opened, {kind: 'detail'});
			});
			lookups.open(entry, get().detail!.timeFrame);
		},
		/** @throws as lookUpToken in token-lookup.ts */
		lookUpToken: (typed: string) => lookUpToken(typed, get(), effects.client()),
		closeDetail: () => {
			lookups.close();
			apply(screen.detailClosed);
		},
		nextTimeFrame: (by: number) => {
			const {detail} = get();
			if (!detail) return;
			apply(state => screen.detailChanged(state, detail.key, d => screen.chartTimeChanged(d, by)));
			const {timeFrame} = get().detail!;
			if (timeFrame !== detail.timeFrame) lookups.setTimeFrame(timeFrame);
		},
		nextChart: () => changeChart(screen.chartAfter),
		toggleChartScale: () => changeChart(chart => ({...chart, scale: chart.scale === 'price' ? 'mcap' : 'price'})),
		scrollDetail: (by: number, max: number) => apply(state => screen.scrolled(state, by, max)),

		nextWindow: (by: number) =>
			apply(state =>
				screen.columnChanged(state, state.focus, c => {
					const at = WINDOWS_8.indexOf(c.window);
					return columns.windowChanged(c, WINDOWS_8[(at + by + WINDOWS_8.length) % WINDOWS_8.length]!);
				}),
			),
		setFields: (fields: readonly string[]) => changeColumn(c => columns.fieldsChanged(c, fields)),
		setWindow: (window: Window8) => changeColumn(c => columns.windowChanged(c, window)),
		sort: (sortBy: FieldName) =>
			changeColumn(c =>
				columns.sortChanged(c, sortBy, c.sortBy === sortBy ? (c.sortOrder === 'desc' ? 'asc' : 'desc') : 'desc'),
			),
		sortExactly: (sortBy: FieldName, sortOrder: 'asc' | 'desc') =>
			changeColumn(c => columns.sortChanged(c, sortBy, sortOrder)),
		reverseSort: () => changeColumn(c => columns.sortChanged(c, c.sortBy, c.sortOrder === 'desc' ? 'asc' : 'desc')),
		setFilter: (filter: ColumnFilter) => changeColumn(c => columns.filterChanged(c, filter)),
		setSearch: (search: string) =>
			apply(state => screen.columnChanged(state, state.focus, c => columns.searchChanged(c, search))),
		abandonSearch: (before: {search: string; cursor?: string}) =>
			apply(state => screen.columnChanged(state, state.focus, c => columns.searchAbandoned(c, before))),

		enterMode: (mode: Mode) => apply(state => screen.modeEntered(state, mode)),
		leaveMode: () => apply(screen.modeLeft),
		changeMode: (change: (mode: Mode) => Mode) => apply(state => screen.modeChanged(state, change(topMode(state)))),

		moments: effects.moments,
		hidesFiles: effects.hidesFiles,
		togglePause: () => {
			const paused = !get().paused;
			apply(state => ({...state, paused}));
			if (paused) effects.session()?.pause();
			else effects.session()?.resume();
		},
		togglePin: () => {
			const entry = selected(get());
			if (!entry) return notify('Put the cursor on a token first, then pin it.', 'warn');
			const before = get().pins.get(entry.key);
			apply(state => screen.pinToggled(state, entry, state.focus, effects.nowMs()));
			effects.saveChoices(get());
			notify(
				before === undefined
					? `Pinned ${entry.symbol ?? entry.address}: it stays in this column whatever the filter says.`
					: `Unpinned ${entry.symbol ?? entry.address}.`,
				'info',
				before === undefined ? '{watchlist.open} lists all pinned tokens.' : undefined,
			);
		},
		/** The open detail pane goes where the cursor went. */
		follow,
		saveChoices: () => effects.saveChoices(get()),
		/** Opens a page; where there is no browser its address is shown and copied. Only ever for a key of the person. */
		openPage: async ({href, host}: {readonly href: string; readonly host: string}) => {
			const outcome = await effects.openPage(href);
			if (outcome === 'opened') return notify(`Opened ${host} in your browser.`, 'good');
			notify(`${NOT_OPENED[outcome]}. ${href}: ${await effects.copy(href)}`);
		},
		/** @param name its noun, for the notice */
		copyText: (text: string, name: string) =>
			void effects.copy(text).then(outcome => notify(`${name}: ${outcome}`, 'good')),
		copyAddress: () => {
			const entry = selected(get());
			if (!entry) return notify('Put the cursor on a token first, then copy its address.', 'warn');
			void effects
				.copy(entry.address)
				.then(outcome => notify(`${entry.symbol ?? 'Address'} ${entry.address}: ${outcome}`, 'good'));
		},
		retry: () => {
			effects.session()?.retry();
			notify('Asking the service again.');
		},
		/** Shows the colours for now; `setTheme` keeps them. */
		previewTheme: (theme: string) => apply(state => (state.theme === theme ? state : {...state, theme})),
		setTheme: (theme: string) => {
			apply(state => ({...state, theme, chosenTheme: theme}));
			effects.saveChoices(get());
		},
		nextDensity: () => {
			apply(state => ({
				...state,
				density: DENSITIES[(DENSITIES.indexOf(state.density) + 1) % DENSITIES.length]!,
			}));
			notify(
				{
					auto: 'Row height: automatic.',
					one: 'Row height: one line.',
					two: 'Row height: two lines.',
					three: 'Row height: three lines.',
				}[get().density],
			);
		},
		/** Begins the tour, goes to its next step, or ends it after the last. @param steps number of steps */
		nextTour: (steps: number) => {
			apply(({tour, ...state}) => {
				const next = tour === undefined ? 0 : tour + 1;
				return next < steps ? {...state, tour: next, tourSeen: true} : {...state, tourSeen: true};
			});
			effects.saveChoices(get());
		},
		suspend: effects.suspend,
		redraw: effects.redraw,
		quit: effects.quit,
	};
}
