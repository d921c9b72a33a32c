import type {FeedThread} from '../../client/remote/open-feed-thread.ts';
import type {Config} from '../../config/config.ts';
import {explain} from '../../errors.ts';
import {REPLACED, wasReplaced} from '../../installation.ts';
import type {Effects} from '../../monitor/actions.ts';
import {alertsMuted, alertsUnmuted} from '../../monitor/alerts/alert-transitions.ts';
import {watchAlerts} from '../../monitor/alerts/watch-alerts.ts';
import {loadChoices, saveChoices} from '../../monitor/choices.ts';
import {initialState} from '../../monitor/initial-state.ts';
import {watchMarketKind} from '../../monitor/market-kind.ts';
import {openSession, type Session} from '../../monitor/session.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {viewFailed} from '../../monitor/transitions/column.ts';
import {recordingPlayed} from '../../monitor/transitions/recording.ts';
import {columnChanged, noticed, ticked} from '../../monitor/transitions/screen.ts';
import {VIEWS} from '../../monitor/views.ts';
import {steadyNow} from '../../steady-clock.ts';
import {createStore, type Store} from '../../store.ts';
import type {Capabilities} from '../../terminal/capabilities.ts';
import {createLiveConfig, type LiveConfig} from '../config/reload/live-config.ts';
import {type ShownRecording, startOf} from '../config/start.ts';
import {shownMode} from '../service/money-mode.ts';
import type {OpenService, Playing} from '../service/open-service.ts';
import {createAlertEffects} from './alert-effects.ts';
import type {Served} from './money-service.ts';

export interface MonitorOptions {
	readonly config: Config;
	/** Reads the configuration again, as at the start. @throws ConfigError */
	readonly readConfig: () => Promise<Config>;
	readonly service: Promise<OpenService>;
	readonly capabilities: Capabilities;
	readonly recording: ShownRecording | undefined;
}

export interface RunOptions extends MonitorOptions {
	readonly size: MonitorState['size'];
	readonly hasTour?: boolean;
	/** Writes an escape sequence to the terminal: the bell, a desktop message. */
	readonly send: (sequence: string) => void;
	/** The background of the terminal; undefined while it is unknown. */
	readonly background?: () => 'dark' | 'light' | undefined;
}

/** The connections of the monitor; each is set when it is open. */
export interface Connected extends Served {
	/** The thread that reads the feeds; undefined when this thread reads them. */
	feeds?: FeedThread;
	session?: Session;
}

/** A monitor that runs, on a screen or as lines: its state, the service behind it, its configuration and its alerts. */
export interface MonitorRun {
	readonly store: Store<MonitorState>;
	readonly connected: Connected;
	readonly liveConfig: LiveConfig;
	/** The part of the effects that every monitor has. */
	readonly effects: Pick<Effects, 'client' | 'session' | 'saveChoices' | 'reloadConfig' | 'nowMs'>;
	readonly tryAlert: NonNullable<Effects['tryAlert']>;
	/** Starts the clock, watches the configuration file and opens the feeds. Resolves when the feeds are open, or the columns show why not. */
	begin(): Promise<void>;
	/** Saves the choices of the user for the next run. Never rejects. */
	saveChoices(state: MonitorState): Promise<void>;
	close(): Promise<void>;
}

/** Opens what every monitor needs; sends no request to the service. */
export async function openRun({
	config,
	readConfig,
	service,
	capabilities,
	recording,
	size,
	hasTour = false,
	send,
	background,
}: RunOptions): Promise<MonitorRun> {
	const {choices, warning} = loadChoices(config.dataDir);
	const mode = await shownMode(config);
	const start = startOf(config, choices, size, recording);
	const {embedded, follow} = start.service;
	const isProven = mode === 'practice' && !embedded && !follow && recording === undefined;
	const shown = isProven ? {...start.service, isPractice: true} : start.service;
	const store = createStore<MonitorState>(initialState({...start, service: shown, hasTour}));
	if (warning !== undefined)
		store.apply(state => noticed(state, {text: warning, tone: 'warn', atMs: state.nowMs, stays: true}));
	const connected: Connected = {};
	const liveConfig = createLiveConfig({config, readConfig, store, ...(background && {background})});
	const alertEffects = createAlertEffects(() => liveConfig.current().alerts, {capabilities, send});
	const stopAlerts = watchAlerts(store, alertEffects.ring);
	let saving = Promise.resolve();
	let isUnsaved = false;
	// One after the other: two at once would write the same file.
	const save = (state: MonitorState): Promise<void> => {
		saving = saving.then(async () => {
			try {
				await saveChoices(config.dataDir, state);
				isUnsaved = false;
			} catch (error) {
				// Said once, until it works again.
				if (!isUnsaved)
					store.apply(now =>
						noticed(now, {
							text: `What you choose is not kept for the next start: ${explain(error).why}.`,
							tone: 'warn',
							atMs: steadyNow(),
						}),
					);
				isUnsaved = true;
			}
		});
		return saving;
	};
	let isReplaced = false;
	// Said once: each key whose code can't be loaded says it again.
	const sayReplaced = (): void => {
		if (isReplaced || !wasReplaced()) return;
		isReplaced = true;
		const text = `${REPLACED}: quit and start it again.`;
		store.apply(state => noticed(state, {text, tone: 'warn', atMs: steadyNow(), stays: true}));
	};
	let ticking: NodeJS.Timeout | undefined;
	return {
		store,
		connected,
		liveConfig,
		effects: {
			client: () => connected.client,
			session: () => connected.session,
			saveChoices: state => void save(state),
			reloadConfig: liveConfig.reload,
			nowMs: steadyNow,
		},
		tryAlert: alertEffects.tryOut,
		begin() {
			ticking = setInterval(() => {
				store.apply(state => secondPassed(state, connected.service?.playback));
				sayReplaced();
			}, 1000);
			void liveConfig.watch();
			return connect(store, service, connected);
		},
		saveChoices: save,
		async close() {
			clearInterval(ticking);
			stopAlerts();
			liveConfig.stop();
			store.close();
			connected.session?.close();
			// The last choices are still being written.
			await saving;
			await (await connected.money?.catch(() => undefined))?.close();
			await (connected.client ?? connected.feeds)?.close();
			await (connected.service ?? (await service.catch(() => undefined)))?.close();
		},
	};
}

/** The last of a market's history reaches the store within this, ms. */
const HISTORY_DELAY_MS = 1000;

/** Creates the client and opens the feeds once the service is there; every column shows why a service could not start. */
export async function connect(
	store: Store<MonitorState>,
	service: Promise<OpenService>,
	connected: Connected,
): Promise<void> {
	try {
		const [{createClient}, opened] = await Promise.all([import('../../client/create-client.ts'), service]);
		connected.service = opened;
		connected.client = createClient(opened.options, connected.feeds);
		muteHistory(store, opened);
		const {embedded, recording} = store.get().service;
		// The embedded service is known to be practice, and a recording to be a recording.
		if (!embedded && !recording) watchMarketKind(store, connected.client);
		connected.session = openSession(store, connected.client);
	} catch (error) {
		const problem = explain(error);
		store.apply(state =>
			VIEWS.reduce((next, view) => columnChanged(next, view, column => viewFailed(column, problem)), state),
		);
	}
}

/** Rows of an embedded market's history raise no alert: those of its start, and of each time it begins again. */
function muteHistory(store: Store<MonitorState>, {historyLoaded, onHistory}: OpenService): void {
	if (!historyLoaded) return;
	let unmuting: NodeJS.Timeout | undefined;
	const unmute = (): void => {
		clearTimeout(unmuting);
		unmuting = setTimeout(() => store.apply(alertsUnmuted), HISTORY_DELAY_MS).unref();
	};
	store.apply(alertsMuted);
	void historyLoaded.then(unmute);
	onHistory?.(isLoaded => {
		if (isLoaded) return unmute();
		clearTimeout(unmuting);
		const text = 'The clock of this machine jumped: the simulated market began again at the present.';
		store.apply(state => noticed(alertsMuted(state), {text, tone: 'warn', atMs: steadyNow(), isEvent: true}));
	});
}

/** The state a second later. */
function secondPassed(state: MonitorState, playback: Playing | undefined): MonitorState {
	const nowMs = steadyNow();
	if (!playback) return ticked(state, nowMs);
	const {last, clock} = playback;
	// A paused player reports speed 0; the header shows the speed at which the recording plays.
	const speed = last.speed || (state.service.recording?.speed ?? 1);
	return ticked(recordingPlayed(state, {...last, speed}, {atMs: clock.nowMs(), nowMs}), nowMs);
}
