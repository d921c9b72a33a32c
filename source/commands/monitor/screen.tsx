import {join} from 'node:path';
import {setImmediate as nextTurn} from 'node:timers/promises';
import type {MessagePort} from 'node:worker_threads';
import {feedsThrough, openFeedThread} from '../../client/remote/open-feed-thread.ts';
import type {Config} from '../../config/config.ts';
import {collectCandles} from '../../monitor/candles/collect-candles.ts';
import {recordHistory} from '../../monitor/rewind/history.ts';
import {priceTrails} from '../../monitor/rewind/price-trail.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {backgroundAnswered, noticed, resized} from '../../monitor/transitions/screen.ts';
import {steadyNow} from '../../steady-clock.ts';
import type {Store} from '../../store.ts';
import {captureStderr} from '../../terminal/capture-stderr.ts';
import {type Guard, guardTerminal} from '../../terminal/guard.ts';
import {LiveScreen} from '../../terminal/live-screen.ts';
import {renderLive} from '../../terminal/render-live.tsx';
import {journalFiles} from '../../trading/journal-files.ts';
import {App} from '../../ui/app.tsx';
import {createApp} from '../../ui/create-app.ts';
import {glyphsFor} from '../../ui/glyphs.ts';
import {listenToKeys} from '../../ui/keymap/listen-to-keys.ts';
import type {RenderOptions} from '../../ui/screen-model.ts';
import {makeSampleRows, warmUp} from '../../ui/warm-up.tsx';
import {followOf} from '../service/followed.ts';
import {shownMode} from '../service/money-mode.ts';
import {reportCrash} from './crash-report.ts';
import {leaveLine} from './leave-line.ts';
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
	const screen = new LiveScreen({
		stdout: process.stdout,
		depth: capabilities.depth,
		hasLinks: capabilities.hyperlinks,
		isAmbiguousWide: config.ui.ambiguousWidth === 'wide',
		isAscii: !capabilities.unicode,
		mouse: config.ui.mouse,
		ignoresUnknown: capabilities.ignoresUnknown,
		isPaced: true,
	});
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
	const history = recordHistory(store);
	const candles = collectCandles(store);
	const rendering: RenderOptions = {
		glyphs: glyphsFor(!capabilities.unicode),
		hasShades: capabilities.depth === 'truecolor' || capabilities.depth === '256',
		candles: candles.of,
		priceTrail: priceTrails(history.moments),
	};
	const {promise: left, resolve: leave} = Promise.withResolvers<number>();
	let guard: Guard | undefined;
	const effects = createScreenEffects({
		run,
		capabilities,
		screen,
		moments: history.moments,
		suspend: () => guard?.suspend(),
		quit: () => leave(0),
	});
	const app = createApp({
		store,
		rendering,
		effects: {
			...effects,
			reportBug: async () => {
				const {writeBugReport} = await import('./bug-report.ts');
				const shared = {screen: app.model, capabilities, client: connected.client, moments: history.moments()};
				return writeBugReport({config: liveConfig.current(), state: store.get(), ...shared, nowMs: steadyNow()});
			},
		},
		apiKey: () => connected.service?.options.apiKey,
		wallet,
		journalFiles: journalFiles(config.dataDir, wallet),
		openMoney: money => openMoney({config, current: liveConfig.current, connected, money, store}),
		...(!recording && {openPositions: () => openPositionBook(config, connected)}),
		drawn: () => screen.written(),
	});

	const feed = recording === undefined ? feedName(config) : undefined;
	let stopWarmUp = (): void => {};
	const close = async (): Promise<void> => {
		stopWarmUp();
		history.stop();
		candles.stop();
		const saving = feed === undefined ? undefined : saveRows(config.dataDir, feed, store.get());
		await run.close();
		await saving;
	};
	let isEnding = false;
	const stopKeys = listenToKeys(process.stdin, screen.pacer, (event, isTyped) => {
		if (isEnding) return;
		if (event.kind !== 'background') app.handle(event, isTyped);
		else {
			shade = event.shade;
			if (liveConfig.current().ui.theme === 'auto') store.apply(state => backgroundAnswered(state, event.shade));
		}
	});
	// A local terminal has responded by now; its background is read before the first frame.
	await nextTurn();
	const releaseStderr = captureStderr(createLogFile(join(config.dataDir, 'pulsetop.log')));
	guard = guardTerminal({
		screen,
		stdin: process.stdin,
		onEnd: close,
		onCrash: error => {
			releaseStderr();
			reportCrash(config.dataDir, error);
		},
	});
	screen.enter();
	const drawing = renderLive(<App {...app.props} />, {screen});
	screen.on('resize', () => store.apply(state => resized(state, {columns: screen.columns, rows: screen.rows})));
	// After the first frame, which the thread would delay; the service is still starting.
	connected.feeds = feeds ? feedsThrough(feeds) : openFeedThread();
	stopWarmUp = warmUp(store, rendering);
	setImmediate(() => makeSampleRows(store.get(), rendering));
	const begun = run.begin();
	if (feed !== undefined) void showSavedRows(config.dataDir, feed, store);
	if (!recording) {
		void begun.then(() => resumeTransfers(config, app.actions, app.loadMoney));
		void begun.then(() => followPositions(config, app.followPositions));
	}

	let isLeft = false;
	try {
		const code = await Promise.race([left, drawing.waitUntilExit().then(() => 0)]);
		isLeft = true;
		return code;
	} catch (error) {
		// Errors thrown while React renders arrive here, not at the guard.
		screen.restore();
		releaseStderr();
		reportCrash(config.dataDir, error);
		return EXIT_INTERNAL;
	} finally {
		isEnding = true;
		drawing.unmount();
		screen.restore();
		// The last bytes may contain a query: the terminal must not echo its response.
		await screen.quiet();
		stopKeys();
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
	const {loadLastRows, lastRowsShown} = await import('../../monitor/columns/last-rows.ts');
	const rows = await loadLastRows(dataDir, service, kept => {
		const where = kept === undefined ? '' : ` The file is kept as last-rows/${kept}.`;
		const text = `The rows of the last run can't be read.${where}`;
		store.apply(state => (state.notice ? state : noticed(state, {text, tone: 'warn', atMs: state.nowMs})));
	});
	if (rows) store.apply(state => lastRowsShown(state, rows));
}

async function saveRows(dataDir: string, service: string, {columns}: MonitorState): Promise<void> {
	const {saveLastRows} = await import('../../monitor/columns/last-rows.ts');
	// The monitor must end on a full disk, too.
	await saveLastRows(dataDir, service, columns, Date.now()).catch(() => {});
}
