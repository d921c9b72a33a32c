import type {Client} from '../client/client.ts';
import {alertMessage, testMessage} from '../monitor/alerts/alert-message.ts';
import {watchAlerts} from '../monitor/alerts/watch-alerts.ts';
import type {Choices} from '../monitor/choices.ts';
import {initialState, type Start} from '../monitor/initial-state.ts';
import {leaveLine} from '../monitor/leave-line.ts';
import {watchMarketKind} from '../monitor/market-kind.ts';
import {openSession} from '../monitor/session.ts';
import type {MonitorState, Notice} from '../monitor/state.ts';
import {backgroundAnswered, noticed, ticked} from '../monitor/transitions/screen.ts';
import {steadyNow} from '../steady-clock.ts';
import {createStore} from '../store.ts';
import {backgroundQuery, guessBackground} from '../terminal/background.ts';
import {type Capabilities, detectCapabilities} from '../terminal/capabilities.ts';
import {copyToClipboard, copyWords} from '../terminal/clipboard.ts';
import {notify} from '../terminal/notify.ts';
import {createScreen, openScreen, type ScreenSettings} from '../ui/open-screen.tsx';
import type {ChannelOutput} from './channel-terminal.ts';
import type {LostScreen} from './lost-screens.ts';
import type {End, Shell} from './transport.ts';
import type {Turns} from './turns.ts';

/** Two minutes of REWIND for each viewer: ten would be 0.6 MB each, besides the entries and rows that all share. */
const MAX_MOMENTS = 24;
const CLOCK_MS = 1000;
/** Frames of the feed: five a second, half of those on the own machine. */
const TICKS_MS = 200;

/** The choices of a viewer, kept from one visit to the next. */
export interface ChoicesStore {
	readonly choices: Choices;
	save(state: MonitorState): void;
	/** Resolves when everything is written. */
	saved(): Promise<void>;
}

export interface ViewerOptions {
	readonly shell: Shell & {readonly output: ChannelOutput};
	readonly client: Client;
	/** The turns of all screens. */
	readonly turns: Turns;
	readonly settings: ScreenSettings;
	/** The state of a start for a size and a theme. */
	readonly start: (from: Pick<Start, 'size' | 'theme'>) => Start;
	/** The choices of a key; a guest keeps none. */
	readonly choices?: ChoicesStore | undefined;
	/** The last screen of this key, which goes on here. */
	readonly lost?: LostScreen | undefined;
	/** The connection was lost, in this state. */
	readonly onLost?: ((state: MonitorState) => void) | undefined;
	/** An error ended this viewer's screen. */
	readonly onCrash: (error: unknown) => void;
}

/** A person who looks. */
export interface Viewer {
	/** When a key was last pressed, `performance.now()`. */
	readonly pressedMs: number;
	readonly startedMs: number;
	/** How many look, this one counted. */
	count(viewers: number): void;
	say(text: string, tone: Notice['tone']): void;
	/** Gives the terminal back, says a last word and ends the connection. */
	leave(end: End, code: number, text?: string): Promise<void>;
	/** Resolves when the screen is closed and the choices are written. */
	readonly left: Promise<void>;
}

/** Opens the live monitor for a person at a terminal. */
export function openViewer({
	shell,
	client,
	turns,
	settings,
	start,
	choices,
	lost,
	onLost,
	onCrash,
}: ViewerOptions): Viewer {
	const {output, input, env, term, scope} = shell;
	const capabilities: Capabilities = detectCapabilities({
		env: {...env, TERM: term, SSH_TTY: '1'},
		isTTY: true,
		platform: 'linux',
	});
	let isAwaited = true;
	const screen = createScreen({input, output, capabilities}, settings, flush => {
		turns.add(scope.bind(flush), isAwaited);
		isAwaited = false;
	});
	const startedMs = performance.now();
	let pressedMs = startedMs;
	const size = {columns: screen.columns, rows: screen.rows};
	const fresh = initialState(start({size, theme: guessBackground(env['COLORFGBG'])}));
	const store = createStore<MonitorState>(lost?.resume(fresh) ?? fresh, {
		tickMs: TICKS_MS,
		takeTurn: tick => turns.add(scope.bind(tick)),
	});
	const bell = {capabilities, send: (sequence: string) => screen.send(sequence)};
	const stopAlerts = watchAlerts(store, raised => notify(alertMessage(raised), bell));
	const {promise: left, resolve: done} = Promise.withResolvers<void>();
	let leaving: Promise<void> | undefined;

	const open = openScreen({
		terminal: {input, output, capabilities},
		screen,
		store,
		maxMoments: MAX_MOMENTS,
		app: moments => ({
			effects: {
				client: () => client,
				session: () => session,
				copy: async text => copyWords(await copyToClipboard(text, bell)),
				openPage: async () => 'remote',
				saveChoices: state => choices?.save(state),
				moments,
				tryAlert: alert => {
					notify(testMessage(alert), bell);
					return 'bell and desktop message';
				},
				suspend() {},
				redraw: () => screen.retake(),
				quit: () => void leave('quit', 0),
				nowMs: steadyNow,
			},
			apiKey: () => undefined,
		}),
		onPerson: () => {
			pressedMs = performance.now();
			isAwaited = true;
			// Behind the key, which acts on the order that the person saw.
			queueMicrotask(scope.bind(store.hasten));
		},
		onBackground: shade => store.apply(state => backgroundAnswered(state, shade)),
	});
	scope.fail = error => {
		onCrash(error);
		void leave('crashed', 70, 'pulsetop: something went wrong here, connect again.');
	};
	open.enter().catch(error => scope.fail(error));
	screen.send(backgroundQuery(capabilities));
	const session = openSession(store, {
		...client,
		openFeed: options => client.openFeed({...options, onEvent: scope.bind(options.onEvent)}),
	});
	if (lost?.opened) open.app.actions.openDetailOf(lost.opened);
	// The embedded service is known to be practice.
	const stopKind = store.get().service.embedded ? undefined : watchMarketKind(store, client);
	const ticking = setInterval(() => store.later(state => ticked(state, steadyNow())), CLOCK_MS);
	input.on('flood', () => void leave('flood', 1, 'pulsetop: more came than a person types, connect again.'));
	void shell.closed.then(() => {
		if (leaving === undefined) onLost?.(store.get());
		return leave('closed', 0);
	});

	function leave(end: End, code: number, text?: string): Promise<void> {
		leaving ??= close(end, code, text).finally(done);
		return leaving;
	}

	async function close(end: End, code: number, text?: string): Promise<void> {
		clearInterval(ticking);
		stopAlerts();
		stopKind?.();
		session.close();
		await open.leave();
		shell.leave(end, code, `${text ?? leaveLine(store.get(), performance.now() - startedMs)}\r\n`);
		store.close();
		// Timers that outlive the screen, of shared views and of choices, hold the scope: it must not hold the screen.
		scope.fail = onCrash;
		await Promise.all([client.close(), choices?.saved()]);
	}

	return {
		get pressedMs() {
			return pressedMs;
		},
		startedMs,
		count: viewers => scope.run(() => store.apply(state => ({...state, visit: {...state.visit, viewers}}))),
		say: (text, tone) =>
			scope.run(() => store.apply(state => noticed(state, {text, tone, atMs: steadyNow(), stays: true}))),
		leave,
		left,
	};
}
