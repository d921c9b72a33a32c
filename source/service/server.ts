import type {AddressInfo} from 'node:net';
import {listenWords} from '../connection-words.ts';
import {parsePulseBody} from '../contract/pulse-request.ts';
import {PulsetopError, reasonOf} from '../errors.ts';
import {isLoopback} from '../loopback.ts';
import {PACING_MS} from '../pacing.ts';
import {createKeyring, makeApiKey} from './auth.ts';
import {untilCaughtUp, untilReady} from './caught-up.ts';
import {type Credits, createCredits} from './credits.ts';
import {createDrain} from './drain.ts';
import type {OpenFollowedMarket} from './follow/open-followed.ts';
import {readHeldTokens} from './held-tokens.ts';
import {createApp} from './http-app.ts';
import {DEFAULT_LIMITS} from './limits.ts';
import {findFree, listen} from './listen.ts';
import {createMarket} from './market/create-market.ts';
import type {Market} from './market/market.ts';
import {serveMetrics} from './metrics/metrics.ts';
import {createMoneyServices} from './money-services.ts';
import {EntryCache} from './pulse/entry-cache.ts';
import {PulseEngine} from './pulse/pulse-engine.ts';
import {createReadiness} from './readiness.ts';
import type {Playback, ReplayOptions} from './replay/player.ts';
import type {Replay} from './replay/replay.ts';
import type {ReplicaService, ReplicaServiceOptions} from './replicas/replica-service.ts';
import {routeModules} from './route-modules.ts';
import type {RouteModule, ServiceContext} from './service-context.ts';
import {type RunningService, ServiceNotStarted, type ServiceOptions} from './service-options.ts';
import type {SharedCreditsOptions} from './shared-credits.ts';
import {StreamServer} from './stream/stream-server.ts';
import type {WaitingRoom} from './waiting-room.ts';

/** The program that started the service sends its first request at once; history is loaded after that. */
const HISTORY_IN_MS = 150;
/** How long a program that reads once waits for the past of followed chains. */
const CATCH_UP_MS = 30_000;
/** Money flows of an earlier run are resumed when the first screen is there. */
const RESUME_MS = 1000;

/**
 * Starts the service: HTTP and websocket on one port. Waits while the database of replicas is unreachable.
 * @throws ServiceNotStarted when the address is taken or not allowed; RecordingUnreadable; StoreTooNew; StoreFailed when the
 * database of the replicas refuses this one
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
	const {host = '127.0.0.1', port = 0, auth = true} = options;
	if (!auth && !isLoopback(host)) {
		throw new ServiceNotStarted('A service without keys must stay on this machine', {
			why: 'auth is off and the host is not a loopback address',
			next: 'fix-input',
			advice: 'Leave --no-auth out, or listen on 127.0.0.1.',
		});
	}
	if (options.store && options.recording) {
		throw new ServiceNotStarted('A recording is played by one service alone', {
			why: 'a recording and a store were given',
			next: 'fix-input',
		});
	}
	const replay = options.recording && (await openReplay(options.recording, options.onPlayback));
	const log = (line: string): void => options.onFault?.(line);
	const fault = (during: string, error: unknown): void => log(`${during}: ${faultText(error)}`);
	const shared = replay ? undefined : await openShared(options, {fault, log});
	const followed =
		shared || !options.follow ? undefined : await openFollowed(options.follow, {dataDir: options.dataDir, log});
	const given = replay?.market ?? shared?.market ?? followed ?? options.market;
	const simulated = given
		? undefined
		: createMarket({
				seed: options.seed ?? 1,
				rate: options.rate ?? 1,
				held: await readHeldTokens(options.dataDir, log),
				log,
			});
	if (options.onBeginsAgain) simulated?.onBeginsAgain(options.onBeginsAgain);
	const market: Market = given ?? simulated!;
	const modules = replay?.modules ?? (market.coverage ? await loadFollowedModules() : routeModules);
	const hasMadeKey = auth && !options.apiKeys?.length;
	const apiKeys = !auth ? [] : hasMadeKey ? [makeApiKey()] : options.apiKeys!;
	const context: ServiceContext = {
		market,
		entries: new EntryCache(market),
		pulse: new PulseEngine(market),
		keyring: createKeyring(apiKeys),
		limits: {...DEFAULT_LIMITS, ...options.limits},
		credits: shared
			? await openCredits(options.credits, {database: shared.replica.database, apiKeys})
			: createCredits(options.credits),
		auth,
		readiness: createReadiness(
			market,
			() => context.replica?.database,
			() => stream.followsViews,
		),
		...(shared && {replica: shared.replica, replicaNumbers: () => shared.numbers()}),
		fault,
		hasMadeKey,
		allowPrivateWebhooks: options.allowPrivateWebhooks === true && isLoopback(host),
		publicUrl: options.publicUrl?.replace(/\/+$/, ''),
		dataDir: options.dataDir,
		provePractice: options.provePractice,
		money: createMoneyServices({
			market,
			dataDir: options.dataDir,
			chains: options.chains,
			waitMs: options.bridgeWaitMs,
			replica: shared?.replica,
			log,
		}),
	};
	// With the store examined first, the log of a service that runs alone names a damaged store at its start.
	if (options.examinesStore && !replay) {
		await context.money.examine().catch(async error => {
			if (!isOfLaterVersion(error)) return context.fault('the store', error);
			await followed?.close();
			throw error;
		});
	}
	const app = createApp(context);
	const drainOf = createDrain(app, context.readiness);
	if (replay) app.addHook('onRequest', async () => replay.play());
	for (const module of modules) module.register(app, context);
	const stream: StreamServer = new StreamServer(context, {
		flushMs: options.flushMs ?? PACING_MS.streamFlush,
		syncMs: options.syncMs ?? 60_000,
		deflate: options.deflate ?? true,
		channels: modules.flatMap(module => module.channels?.(context) ?? []),
	});
	stream.attach(app.server);
	serveMetrics(app, context, () => stream.figures);
	try {
		await listen(app, {host, port, listeners: options.listeners});
	} catch (error) {
		await stream.close();
		await app.close();
		replay?.stop();
		await followed?.close();
		await shared?.close();
		throw notListening(error, port);
	}
	// After listening, so that a taken address is reported at once. Requests wait meanwhile: loading is one piece of
	// work.
	if (options.history === 'first') simulated?.fill();
	const ending = new AbortController();
	followed?.start();
	shared?.start();
	if (shared && options.history === 'first')
		await untilReady(shared.market, {maxMs: CATCH_UP_MS, signal: ending.signal});
	if (followed && options.history === 'first')
		await untilCaughtUp(followed, {maxMs: CATCH_UP_MS, signal: ending.signal});
	let closing: Promise<void> | undefined;
	setImmediate(() => {
		if (closing) return;
		warmUp(context);
		const historyInMs = options.history === 'on-demand' ? null : HISTORY_IN_MS;
		simulated?.start({historyInMs, ...(options.onHistoryLoaded && {onFilled: options.onHistoryLoaded})});
		if (followed) void untilCaughtUp(followed, {signal: ending.signal}).then(options.onHistoryLoaded);
		if (!replay && !market.coverage)
			setTimeout(() => context.money.resume().catch(error => context.fault('resume', error)), RESUME_MS).unref();
	});
	const address = app.server.address() as AddressInfo;
	const authority = `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
	return {
		url: `http://${authority}`,
		streamUrl: `ws://${authority}/`,
		apiKeys,
		close: ({drainMs = 0} = {}) => {
			// Another replica takes over while the last requests are answered.
			const handedOver = shared?.handOver();
			closing ??= (drainMs > 0 ? drainOf(stream).run(drainMs) : Promise.resolve())
				.then(() => {
					simulated?.stop();
					replay?.stop();
					ending.abort();
					return stream.close();
				})
				.then(() => app.close())
				.then(() => followed?.close())
				.then(() => context.money.close())
				.then(() => handedOver)
				.then(() => shared?.close());
			return closing;
		},
	};
}

/** Loads the player only when a recording is played. */
async function openReplay(
	options: ReplayOptions,
	onPlayback: (playback: Playback) => void = () => {},
): Promise<Replay & {readonly modules: readonly RouteModule[]}> {
	const {startReplay, replayModules} = await import('./replay/replay.ts');
	return {...(await startReplay(options, onPlayback)), modules: replayModules};
}

/** Loads the code that follows chains only when it is used. */
async function openFollowed(...args: Parameters<OpenFollowedMarket>): ReturnType<OpenFollowedMarket> {
	const {openFollowedMarket} = await import('./follow/open-followed.ts');
	return openFollowedMarket(...args);
}

/** Loads the code of replicas only when there is a database for them. */
async function openShared(
	{store, follow, seed = 1, rate = 1, dataDir, replica: tuning, startSignal: signal, host, port = 0}: ServiceOptions,
	reports: Pick<ReplicaServiceOptions, 'fault' | 'log'>,
): Promise<ReplicaService | undefined> {
	if (store === undefined) return undefined;
	const [{openReplicaService}, {waitForDatabase}, {openWaitingRoom}] = await Promise.all([
		import('./replicas/replica-service.ts'),
		import('./store/wait-for-database.ts'),
		import('./waiting-room.ts'),
	]);
	const sources = follow ? {follow} : {seed, rate, historyTokens: tuning?.historyTokens};
	const open = () => openReplicaService({store, sources, dataDir, ...tuning, ...reports});
	let room: WaitingRoom | undefined;
	const waits = async (): Promise<void> => {
		// A port of 0 is chosen later: no probe knows the port now.
		if (port !== 0) room = await openWaitingRoom({host: host ?? '127.0.0.1', port});
	};
	try {
		return await waitForDatabase(open, {say: reports.log, waits, signal});
	} finally {
		await room?.close();
	}
}

/** Credits of this process, or of all replicas. */
async function openCredits(each: number | undefined, shared: SharedCreditsOptions): Promise<Credits> {
	if (each === undefined) return createCredits(undefined);
	const {createSharedCredits} = await import('./shared-credits.ts');
	return createSharedCredits(each, shared);
}

async function loadFollowedModules(): Promise<readonly RouteModule[]> {
	const {followedModules} = await import('./followed-modules.ts');
	return followedModules;
}

/** A failure as text: its reason, or the place of a bug. */
function faultText(error: unknown): string {
	return error instanceof Error && !(error instanceof PulsetopError) ? (error.stack ?? error.message) : reasonOf(error);
}

/** A store of a later version stays as it is until a program comes that knows it: this one must not run without it. */
function isOfLaterVersion(error: unknown): boolean {
	return error instanceof PulsetopError && error.next === 'fix-input';
}

/** Computes the first answer in advance, while the caller is still connecting. */
function warmUp({pulse, entries}: ServiceContext): void {
	for (const view of parsePulseBody({assetMode: true}).views) {
		for (const row of pulse.page(view)) entries.json(row, 'asset');
	}
}

/**
 * Listens on an address for a moment, so that a taken one is reported before the work of the start.
 * @throws ServiceNotStarted
 */
export async function checkAddress({host, port}: {readonly host: string; readonly port: number}): Promise<void> {
	try {
		await findFree(host, port);
	} catch (error) {
		throw notListening(error, port);
	}
}

/** Why the service could not listen on an address. */
export function notListening(error: unknown, port: number): ServiceNotStarted {
	const code = (error as NodeJS.ErrnoException).code ?? '';
	const why = listenWords(error, port);
	const advice = code.startsWith('EADDRN') || code === 'ENOTFOUND' ? OTHER_HOST : OTHER_PORT;
	return new ServiceNotStarted('The service could not listen', {why, next: 'fix-input', advice, cause: error});
}

const OTHER_PORT = 'Choose another port with --port; 0 takes any that is free.';
const OTHER_HOST = 'Give --host an address of this machine, such as 127.0.0.1.';
