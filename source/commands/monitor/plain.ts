import {createInterface} from 'node:readline';
import {createMonitorActions} from '../../monitor/actions.ts';
import {MARKET_LABELS} from '../../monitor/market-kind.ts';
import type {MonitorState} from '../../monitor/state.ts';
import type {Store} from '../../store.ts';
import {createActions} from '../../ui/create-actions.ts';
import {glyphsFor} from '../../ui/glyphs.ts';
import {layoutScreen} from '../../ui/layout.ts';
import {createAnnouncer} from '../../ui/plain/announcer.ts';
import {describeColumn} from '../../ui/plain/descriptions.ts';
import {createPlainCommands} from '../../ui/plain/plain-commands.ts';
import {onEndSignal} from '../process/end-signals.ts';
import {type MonitorOptions, openRun} from './run.ts';

/**
 * Runs the monitor as lines of text, for screen readers and braille: one line for each event, commands typed as words,
 * nothing is drawn twice. `quit`, the end of the input or a signal ends it.
 * @returns the exit code
 */
export async function runPlainMonitor(options: MonitorOptions): Promise<number> {
	const {stdin, stdout} = process;
	const {recording} = options;
	const send = (text: string): void => void stdout.write(text);
	const say = (line: string): void => send(`${line}\n`);
	const size = {columns: 80, rows: 24};
	const run = await openRun({...options, size, send});
	const {store} = run;
	const {promise: left, resolve: leave} = Promise.withResolvers<number>();
	const stop = (): void => leave(0);
	const actions = createMonitorActions(store, {
		...run.effects,
		copy: async () => 'there is no clipboard in the plain mode.',
		openPage: async () => 'no-browser',
		moments: () => [],
		suspend() {},
		redraw() {},
		quit: stop,
	});
	const layout = layoutScreen({size, focus: 'new', isDetailOpen: false, density: 'auto', promptRows: 0});
	const all = createActions({
		store,
		monitor: actions,
		glyphs: glyphsFor(true),
		screen: {detail: () => ({max: 0, page: 0}), layout: () => layout},
	});
	const announcer = createAnnouncer(store, say);
	const runCommand = createPlainCommands({store, actions: all, announcer, say, quit: stop});

	say('pulsetop, plain mode. Type help and Enter for the commands, quit to leave.');
	if (recording) say(`This is a recording, ${recording.name}: nothing in it is live.`);
	if (store.get().service.embedded) say('This is practice: a simulated market, started by the program itself.');
	const {follow, noMoney} = store.get().service;
	if (follow) say(`This is real: launches of ${follow.names.join(', ')}, read from your nodes.`);
	if (noMoney) say('No money moves here: no money service is configured.');
	if (store.get().service.isPractice)
		say('Money is practice money: this service runs on this machine, with practice chains.');
	const stopMarket = sayMarketKind(store, say);
	// Commands typed before the first tokens arrive wait for them, and run one after another.
	let doing: Promise<void> = run.begin().then(() => firstRows(store, say));
	const lines = createInterface({input: stdin, terminal: false});
	lines.on('line', line => {
		doing = doing.then(() => runCommand(line));
	});
	lines.on('close', () => void doing.then(stop));
	const unlisten = onEndSignal(() => {
		unlisten();
		stop();
	});

	try {
		return await left;
	} finally {
		stopMarket();
		announcer.stop();
		lines.close();
		await run.close();
	}
}

/** Waits until the focused column has its rows or failed, and prints a sentence about it. */
async function firstRows(store: Store<MonitorState>, say: (line: string) => void): Promise<void> {
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
	if (columns[focus].status.kind === 'ready') say(describeColumn(columns[focus]));
}

/** Prints once that the market of the service is not real, when the service reports so. */
function sayMarketKind(store: Store<MonitorState>, say: (line: string) => void): () => void {
	let said: MonitorState['service']['market'];
	return store.subscribe(() => {
		const {market} = store.get().service;
		if (market !== undefined && market !== said) say(MARKET_LABELS[market].text);
		said = market;
	});
}
