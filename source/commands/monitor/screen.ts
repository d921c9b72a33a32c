import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {MessagePort} from 'node:worker_threads';
import {feedsThrough, openFeedThread} from '../../client/remote/open-feed-thread.ts';
import type {Config} from '../../config/config.ts';
import {leaveLine} from '../../monitor/leave-line.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {backgroundAnswered, noticed} from '../../monitor/transitions/screen.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Store} from '../../store.ts';
import {captureStderr} from '../../terminal/capture-stderr.ts';
import {type Guard, guardTerminal} from '../../terminal/guard.ts';
import {localTerminal} from '../../terminal/terminal.ts';
import {journalFiles} from '../../trading/journal-files.ts';
import {createScreen, openScreen} from '../../ui/open-screen.tsx';
import {makeSampleRows, warmUp} from '../../ui/warm-up.tsx';
import {followOf} from '../service/followed.ts';
import {shownMode} from '../service/money-mode.ts';
import {reportCrash} from './crash-report.ts';
import {createLogFile} from './log-file.ts';
import {openMoney, resumeTransfers} from './open-money.ts';
import {followPositions, openPositionBook} from './open-positions.ts';
import {type MonitorOptions, openRun} from './run.ts';
import {createScreenEffects} from './screen-effects.ts';

export interface ScreenOptions extends MonitorOptions {
	/** The port to a running thread that reads feeds; without one, a thread is started. */
	readonly feeds?: MessagePort | undefined;
}

const EXIT_INTERNAL = 70;

/** Runs the monitor on the terminal until the user quits. @returns the exit code */
export async function runMonitor({feeds, ...options}: ScreenOptions): Promise<number> {
	const {config, capabilities, recording} = options;
	const startedAtMs = performance.now();
	const terminal = localTerminal(capabilities);
	const screen = createScreen(terminal, config.ui);
	let shade: 'dark' | 'light' | undefined;
	const run = await openRun({
		...options,
		size: {columns: screen.columns, rows: screen.rows},
		hasTour: config.ui.tour && recording === undefined,
		send: sequence => screen.send(sequence),
		background: () => shade,
	});
	const {store, connected, liveConfig} = run;
	const wallet = await shownMode(config);
	const {promise: left, resolve: leave} = Promise.withResolvers<number>();
	let guard: Guard | undefined;
	const open = openScreen({
		terminal,
		screen,
		store,
		app: moments => ({
			effects: {
				...createScreenEffects({
					run,
					capabilities,
					screen,
					moments,
					suspend: () => guard?.suspend(),
					quit: () => leave(0),
				}),
				reportBug: async () => {
					const {writeBugReport} = await import('./bug-report.ts');
					const shared = {screen: open.app.model, capabilities, client: connected.client, moments: moments()};
					return writeBugReport({config: liveConfig.current(), state: store.get(), ...shared, nowMs: steadyNow()});
				},
			},
			apiKey: () => connected.service?.options.apiKey,
			money: {
				wallet,
				journalFiles: journalFiles(config.dataDir, wallet),
				open: money => openMoney({config, current: liveConfig.current, connected, money, store}),
				...(!recording && {openPositions: () => openPositionBook(config, connected)}),
			},
		}),
		onBackground: answered => {
			shade = answered;
			if (liveConfig.current().ui.theme === 'auto') store.apply(state => backgroundAnswered(state, answered));
		},
	});
	const {app, rendering} = open;

	const feed = recording === undefined ? feedName(config) : undefined;
	let stopWarmUp = (): void => {};
	const close = async (): Promise<void> => {
		stopWarmUp();
		const saving = feed === undefined ? undefined : saveRows(config.dataDir, feed, store.get());
		await run.close();
		await saving;
	};
	// A local terminal has responded by now; its background is read before the first frame.
	await nextTurn();
	const releaseStderr = captureStderr(createLogFile(join(config.dataDir, 'pulsetop.log')));
	guard = guardTerminal({
		screen,
		stdin: terminal.input,
		onEnd: close,
		onCrash: error => {
			releaseStderr();
			reportCrash(config.dataDir, error);
		},
	});
	const drawn = open.enter();
	// Read below, after the rest of the start.
	drawn.catch(() => {});
	// After the first frame, which the thread would delay; the service is still starting.
	connected.feeds = feeds ? feedsThrough(feeds) : openFeedThread();
	stopWarmUp = warmUp(store, rendering);
	setImmediate(() => makeSampleRows(store.get(), rendering));
	const begun = run.begin();
	if (feed !== undefined) void showSavedRows(config.dataDir, feed, store);
	if (!recording) {
		void begun.then(() => resumeTransfers(config, app.actions, app.loadMoney!));
		void begun.then(() => followPositions(config, app.followPositions));
	}

	let isLeft = false;
	try {
		const code = await Promise.race([left, drawn.then(() => 0)]);
		isLeft = true;
		return code;
	} catch (error) {
		// Errors thrown while React renders arrive here, not at the guard.
		screen.restore();
		releaseStderr();
		reportCrash(config.dataDir, error);
		return EXIT_INTERNAL;
	} finally {
		await open.leave();
		releaseStderr();
		if (isLeft) process.stdout.write(`${leaveLine(store.get(), performance.now() - startedAtMs)}\n`);
		// A tour that was shown is not shown again, finished or not.
		if (isLeft && store.get().tour !== undefined) await run.saveChoices({...store.get(), tourSeen: true});
		await close();
		guard.release();
	}
}

/** A name for the feed whose last rows are shown until it answers; undefined for practice, which begins at once. */
function feedName(config: Config): string | undefined {
	const followed = followOf(config);
	if (followed) return `follow ${followed.chains.map(({chainId}) => chainId).join(' ')}`;
	return config.service.baseUrl && [config.service.baseUrl].flat().join(' ');
}

async function showSavedRows(dataDir: string, service: string, store: Store<MonitorState>): Promise<void> {
	const {loadLastRows, lastRowsShown} = await import('../../monitor/last-rows.ts');
	const rows = await loadLastRows(dataDir, service, kept => {
		const where = kept === undefined ? '' : ` The file is kept as last-rows/${kept}.`;
		const text = `The rows of the last run can't be read.${where}`;
		store.apply(state => (state.notice ? state : noticed(state, {text, tone: 'warn', atMs: state.nowMs})));
	});
	if (rows) store.apply(state => lastRowsShown(state, rows));
}

async function saveRows(dataDir: string, service: string, {columns}: MonitorState): Promise<void> {
	const {saveLastRows} = await import('../../monitor/last-rows.ts');
	// The monitor must end on a full disk, too.
	await saveLastRows(dataDir, service, columns, Date.now()).catch(() => {});
}
