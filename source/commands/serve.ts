import {accessSync, constants, mkdirSync} from 'node:fs';
import {type FaultProxy, startFaultProxy} from '../chaos/fault-proxy.ts';
import {PRESETS, type PresetName} from '../chaos/presets.ts';
import type {FollowOptions} from '../service/follow/follow-options.ts';
import {checkAddress, notListening, startService} from '../service/server.ts';
import type {RunningService, ServiceOptions} from '../service/service-options.ts';
import type {StoreAddress} from '../service/store/store-address.ts';
import {UsageError} from './line/usage-error.ts';
import {print} from './output.ts';
import {createPracticeAnnouncer} from './practice-service.ts';

/** Options of `pulsetop serve`. */
export interface ServeOptions
	extends Required<
		Pick<
			ServiceOptions,
			'host' | 'port' | 'apiKeys' | 'auth' | 'seed' | 'rate' | 'dataDir' | 'allowPrivateWebhooks' | 'chains'
		>
	> {
	/** Chains to follow in place of the simulated market (default none). */
	readonly follow?: FollowOptions | undefined;
	/** The database that several services share (default a store in `dataDir`). */
	readonly store?: StoreAddress | undefined;
	/** Credits of each key (default unlimited). */
	readonly credits?: number | undefined;
	/** How long it goes on to answer after the signal to stop, so that balancers notice (default 5 with a store, else 0). */
	readonly drainSeconds?: number | undefined;
	/** Whether a line of stderr is a text, the default, or a JSON object. */
	readonly logFormat?: 'text' | 'json' | undefined;
	/** Faults to inject between clients and service (default none). */
	readonly chaos?: PresetName | undefined;
}

/** A replica that dies sends its clients to the others, all at once. */
const LISTENERS = 16;

/**
 * Runs the service until SIGINT or SIGTERM; a second one ends the process at once. Prints `listening on <url>` when the service responds and its views are complete,
 * then a new API key unless keys were given.
 * @returns exit code 0 after a clean stop
 * @throws ServiceNotStarted, UsageError
 */
export async function serve(options: ServeOptions): Promise<number> {
	// Before the start: a signal during the start stops the service as soon as it runs.
	const stopped = stopSignal();
	const stopping = new AbortController();
	void stopped.then(() => stopping.abort());
	const {chaos, follow, store, logFormat: _, drainSeconds = store ? 5 : 0, ...serviceOptions} = options;
	makeDirectory(options.dataDir);
	// The market takes seconds on a slow machine, and a database may be awaited for ever.
	await checkAddress(options);
	const practice = hasOnlyPracticeChains(options) ? createPracticeAnnouncer(options.dataDir) : undefined;
	const onFault = (text: string) => void process.stderr.write(logLine(text, options.logFormat));
	// With chaos the proxy listens on the port, the service on any other port of the same host.
	const service = await startService({
		...serviceOptions,
		...(chaos && {port: 0}),
		listeners: LISTENERS,
		...(follow && {follow}),
		...(store && {store}),
		// The past of a chain may take minutes: clients see it grow.
		history: follow ? 'later' : 'first',
		examinesStore: true,
		provePractice: practice?.prove,
		startSignal: stopping.signal,
		onFault,
	}).catch(error => {
		// Stopped while it waited for its database.
		if (stopping.signal.aborted) return undefined;
		throw error;
	});
	if (service === undefined) return 0;
	const proxy = chaos && (await placeBefore(service, chaos, options));
	const {url} = proxy ?? service;
	practice?.announce(url);
	await print(`listening on ${url}\n`);
	if (follow) await print(`following ${follow.chains.map(({name}) => name).join(', ')}\n`);
	if (chaos) await print(`chaos: ${chaos}, ${PRESETS[chaos].help}\n`);
	if (options.auth && options.apiKeys.length === 0) await print(`api key: ${service.apiKeys[0]}\n`);
	await stopped;
	practice?.close();
	await service.close({drainMs: drainSeconds * 1000});
	await proxy?.close();
	return 0;
}

/**
 * What is signed for a real node (`--rpc`) is real money, and what is read from one (`--follow`) a real market. Services that
 * share a store have no practice chains.
 */
function hasOnlyPracticeChains({chains, follow, store}: ServeOptions): boolean {
	return follow === undefined && store === undefined && (chains?.external?.size ?? 0) === 0;
}

/** A line of the log. The id of a request stands in its text as `(request ID)`, and is a field of JSON. */
export function logLine(text: string, format: ServeOptions['logFormat'] = 'text', nowMs = Date.now()): string {
	if (format === 'text') return `pulsetop: ${text}\n`;
	const requestId = /\(request ([\w.-]{1,64})\)/.exec(text)?.[1];
	const facts = {time: new Date(nowMs).toISOString(), level: 'error', pid: process.pid, requestId, message: text};
	return `${JSON.stringify(facts)}\n`;
}

/** @throws UsageError when the directory is not writable: the service must know before money moves */
function makeDirectory(path: string): void {
	try {
		mkdirSync(path, {recursive: true, mode: 0o700});
		accessSync(path, constants.W_OK);
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		const why =
			code === 'EEXIST' || code === 'ENOTDIR' ? 'is a file, or lies in one' : `cannot be written to (${code})`;
		throw new UsageError('--data-dir is not a directory that the service can use', `${path} ${why}.`);
	}
}

async function placeBefore(service: RunningService, chaos: PresetName, options: ServeOptions): Promise<FaultProxy> {
	const {host, port, seed} = options;
	try {
		return await startFaultProxy({target: service.url, host, port, seed, schedule: PRESETS[chaos].schedule});
	} catch (error) {
		await service.close();
		throw notListening(error, port);
	}
}

function stopSignal(): Promise<void> {
	return new Promise(resolve => {
		const stop = (): void => {
			// The next signal has its default effect.
			process.off('SIGINT', stop).off('SIGTERM', stop);
			resolve();
		};
		process.on('SIGINT', stop).on('SIGTERM', stop);
	});
}
