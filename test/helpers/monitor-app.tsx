import {render} from 'ink-testing-library';
import {onTestFinished} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import type {Entry} from '../../source/contract/entry.ts';
import type {Effects, MonitorActions, PageOutcome} from '../../source/monitor/actions.ts';
import {DEFAULT_DISPLAY} from '../../source/monitor/display.ts';
import {initialState, type Start} from '../../source/monitor/initial-state.ts';
import type {Moment} from '../../source/monitor/rewind/moment.ts';
import {openSession, type Session} from '../../source/monitor/session.ts';
import type {MonitorState} from '../../source/monitor/state.ts';
import {changesArrived, snapshotArrived} from '../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../source/monitor/transitions/screen.ts';
import type {ViewName} from '../../source/monitor/views.ts';
import {createStore, type Store} from '../../source/store.ts';
import {App} from '../../source/ui/app.tsx';
import {type AppMoney, createApp} from '../../source/ui/create-app.ts';
import {glyphsFor} from '../../source/ui/glyphs.ts';
import {KeyReader} from '../../source/ui/keymap/keys.ts';
import {areTyped} from '../../source/ui/keymap/listen-to-keys.ts';
import type {ScreensState} from '../../source/ui/screens/screens-state.ts';

/** The moment at which test monitors begin, Unix ms. */
export const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

export interface TestMonitor {
	readonly store: Store<MonitorState>;
	readonly screens: Store<ScreensState>;
	readonly actions: MonitorActions;
	readonly copied: string[];
	/** Pages that were opened in the browser. */
	readonly opened: string[];
	/** The moments that can be rewound to. */
	readonly moments: Moment[];
	readonly hasQuit: () => boolean;
	/** Marks the rows of what is held, as a start of the program does. */
	followPositions(): void;
	/** Ends the session with the service. */
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

/** The whole monitor drawn by plain Ink, until the test ends. Without a service, what the feed would bring is handed to it. */
export function openTestMonitor({
	ascii = false,
	isStill = false,
	client,
	reading,
	apiKey = 'key-of-the-tests',
	browser = 'opened',
	runProgram,
	openMoney = () => Promise.reject(new Error('no service')),
	clock = () => NOW_MS,
	isLazy = false,
	openPositions,
	...start
}: Partial<Start> & {
	ascii?: boolean;
	isStill?: boolean;
	/** A client without a feed: what the feed would bring is handed to the monitor. */
	client?: Client;
	/** A client whose feed fills the columns. */
	reading?: Client;
	apiKey?: string;
	browser?: PageOutcome;
	runProgram?: NonNullable<Effects['runProgram']>;
	openMoney?: AppMoney['open'];
	/** Local Unix ms. */
	clock?: () => number;
	/** Draws nothing before the first frame is read: for many keys. */
	isLazy?: boolean;
	openPositions?: NonNullable<AppMoney['openPositions']>;
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
		client: () => reading ?? client,
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
		hidesFiles: () => import('../../source/monitor/hides/hides-file.ts'),
		suspend() {},
		redraw() {},
		quit: () => {
			quit = true;
		},
		nowMs: clock,
		...(runProgram && {runProgram}),
	};
	const app = createApp({
		store,
		rendering: {glyphs: glyphsFor(ascii)},
		effects,
		apiKey: () => (apiKey === '' ? undefined : apiKey),
		...(!start.visit && {money: {wallet: 'practice', open: openMoney, ...(openPositions && {openPositions})}}),
	});
	const reader = new KeyReader();
	const view = () => <App {...app.props} />;
	let drawing = isLazy ? undefined : render(view());
	onTestFinished(() => drawing?.unmount());
	const now = (): string => {
		drawing ??= render(view());
		drawing.rerender(view());
		return drawing.lastFrame() ?? '';
	};
	return {
		store,
		screens: app.screens,
		actions: app.actions,
		copied,
		opened,
		moments,
		hasQuit: () => quit,
		followPositions: app.followPositions,
		close: () => session.close(),
		press: (...keys) => {
			for (const chunk of keys) {
				const events = [...reader.feed(chunk), ...reader.flush()];
				for (const event of events) app.handle(event, areTyped(events));
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
