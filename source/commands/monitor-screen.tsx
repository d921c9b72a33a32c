import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setImmediate as turn} from 'node:timers/promises';
import type {MessagePort} from 'node:worker_threads';
import {feedsThrough, openFeedThread} from '../client/remote/open-feed-thread.ts';
import type {Config} from '../config/config.ts';
import {explain, PulsetopError} from '../errors.ts';
import {type Actions, createActions} from '../monitor/actions.ts';
import {watchAlerts} from '../monitor/alerts/watch-alerts.ts';
import {type BoardsState, NO_BOARDS} from '../monitor/boards/boards-state.ts';
import {collectCandles} from '../monitor/candles/collect-candles.ts';
import {loadChoices, saveChoices} from '../monitor/choices.ts';
import {keepHistory} from '../monitor/history.ts';
import {initialState} from '../monitor/initial-state.ts';
import {selected} from '../monitor/select.ts';
import type {MonitorState} from '../monitor/state.ts';
import {backgroundAnswered, resized} from '../monitor/transitions/screen.ts';
import {createStore, type Store} from '../store.ts';
import {withoutAnswers} from '../terminal/answer-filter.ts';
import type {Capabilities} from '../terminal/capabilities.ts';
import {type CopyResult, copyToClipboard} from '../terminal/clipboard.ts';
import {type Guard, guardTerminal} from '../terminal/guard.ts';
import {holdStderr} from '../terminal/held-stderr.ts';
import {LiveScreen} from '../terminal/live-screen.ts';
import {renderLive} from '../terminal/render-live.tsx';
import {App} from '../ui/app.tsx';
import {createBoardActions} from '../ui/boards/board-actions.ts';
import {boardOffers} from '../ui/boards/board-offers.ts';
import {boundKeys} from '../ui/bound-keys.ts';
import type {Desk} from '../ui/desk/desk.ts';
import type {DeskState} from '../ui/desk/desk-state.ts';
import {createMoneyActions} from '../ui/desk/money-actions.ts';
import {dispatch, run} from '../ui/dispatch.ts';
import {followOffers} from '../ui/follow-offers.ts';
import {helpLines, helpPage} from '../ui/help/help-lines.ts';
import {listenToKeys} from '../ui/listen-to-keys.ts';
import {createScenes, type Look} from '../ui/scenes.ts';
import {signsFor} from '../ui/signs.ts';
import {createUiActions} from '../ui/ui-actions.ts';
import {makeSampleRows, warmUp} from '../ui/warm-up.ts';
import {createAlertEffects} from './alert-effects.ts';
import {leaveLine} from './leave-line.ts';
import {createLogFile} from './log-file.ts';
import {type Connected, connect, type ShownRecording, startOf, tick} from './monitor-start.ts';
import type {OpenService} from './open-service.ts';
import {createLiveConfig} from './reload/live-config.ts';

export interface MonitorOptions {
	readonly config: Config;
	/** Reads the configuration again, as at the start. @throws ConfigError */
	readonly readConfig: () => Promise<Config>;
	readonly service: Promise<OpenService>;
	readonly capabilities: Capabilities;
	readonly recording: ShownRecording | undefined;
	/** Through which feeds are asked for, where another thread reads them that runs already. */
	readonly feeds?: MessagePort | undefined;
}

const EXIT_INTERNAL = 70;
/** A program on a key that has not ended after this is ended, ms. */
const PROGRAM_LIMIT_MS = 60_000;

/** Runs the monitor until it is left. @returns the exit code */
export async function runMonitor({
	config,
	readConfig,
	service,
	capabilities,
	recording,
	feeds,
}: MonitorOptions): Promise<number> {
	const look: Look = {
		signs: signsFor(!capabilities.unicode),
		hasShades: capabilities.depth === 'truecolor' || capabilities.depth === '256',
	};
	const screen = new LiveScreen({
		stdout: process.stdout,
		depth: capabilities.depth,
		hasLinks: capabilities.hyperlinks,
		isAmbiguousWide: config.ui.ambiguousWidth === 'wide',
		isAscii: !capabilities.unicode,
		mouse: config.ui.mouse,
		isPaced: true,
	});
	const startedAtMs = performance.now();
	const choices = await loadChoices(config.dataDir);
	const size = {columns: screen.columns, rows: screen.rows};
	const start = startOf(config, choices, size, recording);
	const hasTour = config.ui.tour && recording === undefined;
	const store = createStore<MonitorState>(initialState({...start, hasTour}));
	const history = keepHistory(store);
	const candles = collectCandles(store);
	const scenes = createScenes({...look, candles: candles.of});
	const running: Running = {};
	let guard: Guard | undefined;
	let leave: (code: number) => void = () => {};
	const left = new Promise<number>(resolve => {
		leave = resolve;
	});

	let shade: 'dark' | 'light' | undefined;
	const liveConfig = createLiveConfig({
		config,
		readConfig,
		store,
		background: () => shade,
	});
	const alertEffects = createAlertEffects(() => liveConfig.current().alerts, {
		capabilities,
		send: sequence => screen.send(sequence),
	});
	const actions = createActions(store, {
		reportBug: async () => {
			const {writeBugReport} = await import('./bug-report.ts');
			const moments = history.moments();
			const state = store.get();
			const shared = {scenes, capabilities, client: running.client, moments, nowMs: Date.now()};
			return writeBugReport({config: liveConfig.current(), state, ...shared});
		},
		runProgram: async (command, entry, view) => {
			const {runProgram, variablesOf} = await import('./token-program.ts');
			return runProgram({argv: command.run, variables: variablesOf(entry, view), limitMs: PROGRAM_LIMIT_MS});
		},
		tryAlert: alert => alertEffects.tryOut(alert),
		reloadConfig: liveConfig.reload,
		client: () => running.client,
		session: () => running.session,
		copy: async text => copyWords(await copyToClipboard(text, {capabilities, send: sequence => screen.send(sequence)})),
		openPage: async href => {
			const {browserCommand, openInBrowser} = await import('../terminal/browser.ts');
			const {overSsh} = capabilities;
			const command = browserCommand({env: process.env, platform: process.platform, overSsh});
			if (command === undefined) return overSsh ? 'remote' : 'no-browser';
			return (await openInBrowser(command, href)) ? 'opened' : 'failed';
		},
		saveChoices: state => void saveChoices(config.dataDir, state).catch(() => {}),
		moments: () => history.moments(),
		suspend: () => guard?.suspend(),
		redraw: () => screen.repaint(),
		quit: () => leave(0),
		nowMs: Date.now,
	});
	const ui = createUiActions(
		store,
		actions,
		{
			detail: () => {
				const page = scenes.layout(store.get()).bodyHeight;
				return {page, max: scenes.detailHeight(store.get()) - page};
			},
			help: () => {
				const {columns, rows} = store.get().size;
				return {page: helpPage(rows), lines: helpLines({columns, signs: look.signs, keys: boundKeys(store.get())})};
			},
			ascii: () => !capabilities.unicode,
			layout: () => scenes.layout(store.get()),
		},
		id => {
			const binding = boundKeys(store.get()).bindings.find(candidate => candidate.id === id);
			if (binding) run(binding, store.get(), verbs);
		},
	);
	const desk = createStore<DeskState>({
		wallet: {mode: config.service.baseUrl === undefined ? 'practice' : 'real', status: 'none'},
	});
	const loadDesk = (): Promise<Desk> => {
		running.desk ??= openDesk({config, running, desk, store});
		return running.desk;
	};
	// Code is loaded at a stroke, which takes longer than a frame: the window that asks for it comes first.
	const drawn = async (): Promise<void> => {
		await turn();
		await screen.written();
	};
	const money = createMoneyActions({
		store,
		desk,
		actions,
		load: () => drawn().then(loadDesk),
		nowMs: Date.now,
		journalPath: join(
			config.dataDir,
			'trading',
			config.service.baseUrl === undefined ? 'practice' : 'real',
			'journal.jsonl',
		),
	});
	const boards = createStore<BoardsState>(NO_BOARDS);
	const board = createBoardActions({
		store,
		boards,
		actions,
		load: async input => {
			await drawn();
			const {createBoards} = await import('../ui/boards/boards.ts');
			return createBoards({
				store: boards,
				monitor: store,
				input,
				client: () => running.client,
				apiKey: () => running.service?.options.apiKey,
				tell: actions.tell,
				copy: actions.copyText,
				openToken: actions.openDetailOf,
				save: actions.saveChoices,
				nowMs: Date.now,
			});
		},
	});
	const verbs = {...actions, ...ui, ...money, ...board};
	followOffers(
		store,
		[desk, boards],
		(mode, state) => money.moneyOffers(mode) ?? boardOffers(mode, boards.get(), state),
	);

	const stopAlerts = watchAlerts(store, alertEffects.ring);

	// A hosted service's last rows are shown until it has answered; the embedded market begins at once.
	const hostedAt = recording ? undefined : config.service.baseUrl;
	const close = async (): Promise<void> => {
		clearInterval(ticking);
		stopAlerts();
		liveConfig.stop();
		stopWarmUp();
		history.stop();
		candles.stop();
		if (hostedAt !== undefined) await keepRows(config.dataDir, hostedAt, store.get());
		store.close();
		running.session?.close();
		await (running.client ?? running.feeds)?.close();
		await (running.service ?? (await service.catch(() => undefined)))?.close();
	};
	let isEnding = false;
	const stopKeys = listenToKeys(withoutAnswers(process.stdin, screen.pacer), event => {
		if (isEnding) return;
		if (event.kind !== 'background') dispatch(event, store.get(), verbs);
		else {
			shade = event.shade;
			if (liveConfig.current().ui.theme === 'auto') store.apply(state => backgroundAnswered(state, event.shade));
		}
	});
	// A terminal nearby has answered by now, and is read before the first frame has colours.
	await turn();
	const releaseStderr = holdStderr(createLogFile(join(config.dataDir, 'pulsetop.log')));
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
	const app = renderLive(
		<App
			store={store}
			scenes={scenes}
			look={look}
			money={{
				desk,
				rows: money.moneyRows,
				onDrawn: money.moneyDrawn,
				onReach: money.moneyReach,
				onReveal: money.moneyReveal,
				onTick: money.moneyTick,
			}}
			boards={{store: boards, rows: board.boardRows, onReach: board.boardReach}}
		/>,
		{screen},
	);
	screen.on('resize', () => store.apply(state => resized(state, {columns: screen.columns, rows: screen.rows})));
	const ticking = setInterval(() => store.apply(state => tick(state, running)), 1000);
	// After the first frame, which it would delay; the service is still starting.
	running.feeds = feeds ? feedsThrough(feeds) : openFeedThread();
	const stopWarmUp = warmUp(store, look);
	setImmediate(() => makeSampleRows(store.get(), look));
	void liveConfig.watch();
	const connected = connect(store, service, running);
	if (hostedAt !== undefined) void showKeptRows(config.dataDir, hostedAt, store);
	if (!recording) void connected.then(() => resumeTransfers(config, actions, loadDesk));

	let isLeft = false;
	try {
		const code = await Promise.race([left, app.waitUntilExit().then(() => 0)]);
		isLeft = true;
		return code;
	} catch (error) {
		// What is thrown while React renders comes out here, not at the guard.
		screen.restore();
		releaseStderr();
		reportCrash(config.dataDir, error);
		return EXIT_INTERNAL;
	} finally {
		isEnding = true;
		app.unmount();
		screen.restore();
		// What is written last may hold a question: until its answer is there the terminal must not echo it.
		await screen.quiet();
		stopKeys();
		releaseStderr();
		if (isLeft) process.stdout.write(`${leaveLine(store.get(), performance.now() - startedAtMs)}\n`);
		// Shown is seen, whether it was gone through or not.
		if (isLeft && store.get().tour !== undefined)
			await saveChoices(config.dataDir, {...store.get(), tourSeen: true}).catch(() => {});
		await close();
		guard.release();
	}
}

/** What is there once the service is. */
interface Running extends Connected {
	desk?: Promise<Desk>;
}

/** Loads the trading room over the service that runs. @throws ServiceMissing while there is none */
async function openDesk({
	config,
	running,
	desk,
	store,
}: {
	config: Config;
	running: Running;
	desk: Store<DeskState>;
	store: Store<MonitorState>;
}): Promise<Desk> {
	const {client, service} = running;
	if (!client || !service) throw new ServiceMissing();
	const [{openTrading}, {createDesk}] = await Promise.all([
		import('../trading/open-trading.ts'),
		import('../ui/desk/desk.ts'),
	]);
	const practice = service.isEmbedded
		? {baseUrl: service.options.baseUrl, ...(service.options.apiKey !== undefined && {apiKey: service.options.apiKey})}
		: undefined;
	const {wallet, rpc, provider} = config;
	const trading = openTrading({
		dataDir: config.dataDir,
		mode: practice ? 'practice' : 'real',
		client,
		provider,
		rpcUrls: rpc,
		maxLossPercent: config.bridge.maxLoss,
		requiresSimulation: config.wallet.requireSimulation,
		...(practice && {practice}),
	});
	return createDesk({
		store: desk,
		monitor: store,
		trading,
		client,
		nowMs: Date.now,
		documentsDir: join(config.dataDir, 'trading', practice ? 'practice' : 'real', 'documents'),
		preferredChain: () => selected(store.get())?.chain_id,
		tokens: wallet.tokens.map(text => ({
			chainId: text.slice(0, text.lastIndexOf(':')),
			address: text.slice(text.lastIndexOf(':') + 1),
		})),
		...(practice && {practice}),
		...(wallet.name !== undefined && {walletName: wallet.name}),
	});
}

async function showKeptRows(dataDir: string, service: string, store: Store<MonitorState>): Promise<void> {
	const {loadLastRows, lastRowsShown} = await import('../monitor/columns/last-rows.ts');
	const rows = await loadLastRows(dataDir, service);
	if (rows) store.apply(state => lastRowsShown(state, rows));
}

async function keepRows(dataDir: string, service: string, {columns}: MonitorState): Promise<void> {
	const {saveLastRows} = await import('../monitor/columns/last-rows.ts');
	// A full disk keeps nobody from leaving.
	await saveLastRows(dataDir, service, columns, Date.now()).catch(() => {});
}

/** A transfer that an earlier run left open is read to its end; nothing is loaded where there never was one. */
async function resumeTransfers(
	{dataDir, service}: Config,
	actions: Actions,
	loadDesk: () => Promise<Desk>,
): Promise<void> {
	const mode = service.baseUrl === undefined ? 'practice' : 'real';
	if (!existsSync(join(dataDir, 'trading', mode, 'journal.jsonl'))) return;
	try {
		const count = await (await loadDesk()).resume();
		if (count > 0) {
			const what =
				count === 1 ? 'One money action of an earlier run is' : `${count} money actions of an earlier run are`;
			actions.tell(
				`${what} being followed.`,
				'warn',
				'{bridge.open} shows the transfer, {perp.open} the orders, {markets.open} and then {vault.open} the account.',
			);
		}
	} catch (error) {
		const {what, why} = explain(error);
		actions.tell(`Open transfers could not be looked up. ${what}: ${why}`, 'bad');
	}
}

class ServiceMissing extends PulsetopError {
	readonly code = 'service-missing';

	constructor() {
		super('The service is not there yet', {why: 'money actions need its answer', next: 'retry-later'});
	}
}

function copyWords(result: CopyResult): string {
	if (!result.sent)
		return result.why === 'too-long'
			? 'too long for the clipboard.'
			: 'this terminal has no clipboard to reach; select it with the mouse.';
	return {
		osc52: 'copied (via your terminal; not confirmed).',
		tmux: 'copied through tmux.',
		passthrough: 'copied (via your terminal, through the multiplexer; not confirmed).',
	}[result.route];
}

/** What went wrong, for the person and for a report: in words on stderr, whole in a file. Neither holds a key. */
function reportCrash(dataDir: string, error: unknown): void {
	const {what, why, advice} = explain(error);
	const file = join(dataDir, `crash-${new Date().toISOString().replaceAll(':', '-')}.txt`);
	let kept = '';
	try {
		mkdirSync(dataDir, {recursive: true, mode: 0o700});
		writeFileSync(file, `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`, {mode: 0o600});
		kept = `\nThe details are in ${file}`;
	} catch {
		// A full or read-only disk must not hide the message itself.
	}
	process.stderr.write(`pulsetop: ${what}: ${why}\n${advice}${kept}\n`);
}
