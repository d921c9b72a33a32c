import {createInterface} from 'node:readline';
import {createActions} from '../monitor/actions.ts';
import {watchAlerts} from '../monitor/alerts/watch-alerts.ts';
import {loadChoices, saveChoices} from '../monitor/choices.ts';
import {initialState} from '../monitor/initial-state.ts';
import {INVENTED_WORDS} from '../monitor/invented-market.ts';
import type {MonitorState} from '../monitor/state.ts';
import {createStore, type Store} from '../store.ts';
import {createComfortActions} from '../ui/comfort-actions.ts';
import {createAnnouncer} from '../ui/plain/announcer.ts';
import {createPlainCommands} from '../ui/plain/plain-commands.ts';
import {columnSentence} from '../ui/plain/sentences.ts';
import {createAlertEffects} from './alert-effects.ts';
import type {MonitorOptions} from './monitor-screen.tsx';
import {type Connected, connect, startOf, tick} from './monitor-start.ts';
import {createLiveConfig} from './reload/live-config.ts';

/**
 * The monitor as lines of text, for screen readers and braille: one line an event, commands typed as words, nothing is
 * ever drawn again. It ends with `quit`, with the end of the input, or with a signal.
 * @returns the exit code
 */
export async function runPlainMonitor({
	config,
	readConfig,
	service,
	capabilities,
	recording,
}: MonitorOptions): Promise<number> {
	const {stdin, stdout} = process;
	const start = startOf(config, await loadChoices(config.dataDir), {columns: 80, rows: 24}, recording);
	const store = createStore<MonitorState>(initialState(start));
	const running: Connected = {};
	const {promise: left, resolve: leave} = Promise.withResolvers<number>();
	const say = (line: string): void => void stdout.write(`${line}\n`);

	const liveConfig = createLiveConfig({
		config,
		readConfig,
		store,
	});
	const alertEffects = createAlertEffects(() => liveConfig.current().alerts, {
		capabilities,
		send: sequence => stdout.write(sequence),
	});
	const actions = createActions(store, {
		client: () => running.client,
		session: () => running.session,
		copy: async () => 'there is no clipboard in the plain mode.',
		openPage: async () => 'no-browser',
		saveChoices: state => void saveChoices(config.dataDir, state).catch(() => {}),
		moments: () => [],
		reloadConfig: liveConfig.reload,
		suspend() {},
		redraw() {},
		quit: () => leave(0),
		nowMs: Date.now,
	});
	const verbs = {...actions, ...createComfortActions({store, actions, nowMs: Date.now})};
	const announcer = createAnnouncer(store, say);
	const stopAlerts = watchAlerts(store, alertEffects.ring);
	const obey = createPlainCommands({
		store,
		verbs,
		announcer,
		say,
		quit: () => leave(0),
	});

	say('pulsetop, plain mode. Type help and Enter for the commands, quit to leave.');
	if (recording) say(`This is a recording, ${recording.name}: nothing in it is live.`);
	if (start.service.embedded) say('This is practice: a simulated market, started by the program itself.');
	const stopMarket = sayInventedMarket(store, say);
	const ticking = setInterval(() => store.apply(state => tick(state, running)), 1000);
	void liveConfig.watch();
	// What is typed before the first tokens are there waits for them, one line after another.
	let doing: Promise<void> = connect(store, service, running).then(() => firstRows(store, say));
	const lines = createInterface({input: stdin, terminal: false});
	lines.on('line', line => {
		doing = doing.then(() => obey(line));
	});
	lines.on('close', () => void doing.then(() => leave(0)));
	const stop = (): void => leave(0);
	process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop);

	try {
		return await left;
	} finally {
		clearInterval(ticking);
		stopMarket();
		announcer.stop();
		stopAlerts();
		liveConfig.stop();
		lines.close();
		store.close();
		running.session?.close();
		await running.client?.close();
		await (running.service ?? (await service.catch(() => undefined)))?.close();
	}
}

/** Waits until the focused column has an answer, or failed, and tells of it. */
async function firstRows(
	store: ReturnType<typeof createStore<MonitorState>>,
	say: (line: string) => void,
): Promise<void> {
	const isReady = ({columns, focus}: MonitorState): boolean => columns[focus].status.kind !== 'loading';
	if (!isReady(store.get())) {
		await new Promise<void>(resolve => {
			const stop = store.subscribe(() => {
				if (!isReady(store.get())) return;
				stop();
				resolve();
			});
		});
	}
	const {columns, focus} = store.get();
	if (columns[focus].status.kind === 'ready') say(columnSentence(columns[focus]));
}

/** Says it once when the service turns out to have a market that is not real. */
function sayInventedMarket(store: Store<MonitorState>, say: (line: string) => void): () => void {
	let said: MonitorState['service']['market'];
	return store.subscribe(() => {
		const {market} = store.get().service;
		if (market !== undefined && market !== said) say(INVENTED_WORDS[market].text);
		said = market;
	});
}
