import {accessSync, constants} from 'node:fs';
import {fileProblem} from '../../file-problem.ts';
import {makeDirectory} from '../../make-directory.ts';
import type {FollowOptions} from '../../service/follow/follow-options.ts';
import {checkAddress, startService} from '../../service/server.ts';
import type {ServiceOptions} from '../../service/service-options.ts';
import {lockForServing} from '../../service/store/data-lock.ts';
import type {StoreAddress} from '../../service/store/store-address.ts';
import {UsageError} from '../line/usage-error.ts';
import {print} from '../output/output.ts';
import {onEndSignal} from '../process/end-signals.ts';
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
	/** Where clients reach it through a proxy (default the Host of each request). */
	readonly publicUrl?: string | undefined;
	/** Credits of each key (default unlimited). */
	readonly credits?: number | undefined;
	/** How long it goes on to answer after the signal to stop, so that balancers notice (default 5 with a store, else 0). */
	readonly drainSeconds?: number | undefined;
	/** Whether a line of stderr is a text, the default, or a JSON object. */
	readonly logFormat?: 'text' | 'json' | undefined;
}

/** A replica that dies sends its clients to the others, all at once. */
const LISTENERS = 16;

/**
 * Runs the service until a signal to end; a second one ends the process at once. Prints `listening on <url>` when the service responds and its views are complete,
 * then a new API key unless keys were given.
 * @returns exit code 0 after a clean stop
 * @throws ServiceNotStarted, DataDirectoryInUse, UsageError
 */
export async function serve(options: ServeOptions): Promise<number> {
	// Before the start: a signal during the start stops the service as soon as it runs.
	const stopped = stopSignal();
	const stopping = new AbortController();
	void stopped.then(() => stopping.abort());
	const {follow, store, logFormat: _, drainSeconds = store ? 5 : 0, ...serviceOptions} = options;
	prepareDirectory(options.dataDir);
	// The market takes seconds on a slow machine, and a database may be awaited for ever.
	await checkAddress(options);
	const lock = store ? undefined : lockForServing(options.dataDir);
	const practice = hasOnlyPracticeChains(options) ? createPracticeAnnouncer(options.dataDir) : undefined;
	const onFault = (text: string) => void process.stderr.write(logLine(text, options.logFormat));
	const service = await startService({
		...serviceOptions,
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
	const {url} = service;
	practice?.announce(url);
	await print(`listening on ${url}\n`);
	if (follow) await print(`following ${follow.chains.map(({name}) => name).join(', ')}\n`);
	if (options.auth && options.apiKeys.length === 0) await print(`api key: ${service.apiKeys[0]}\n`);
	await stopped;
	practice?.close();
	await service.close({drainMs: drainSeconds * 1000});
	lock?.close();
	return 0;
}

/**
 * With a real node (`--rpc`) signatures move real money; with a followed node (`--follow`) the market is real. Services that share
 * a store have no practice chains.
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
function prepareDirectory(path: string): void {
	try {
		makeDirectory(path);
		accessSync(path, constants.W_OK);
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		const why = code === 'EEXIST' ? 'it is a file or a broken link, or lies in one' : fileProblem(error);
		throw new UsageError('--data-dir is not a directory that the service can use', `${path}: ${why}.`);
	}
}

function stopSignal(): Promise<void> {
	return new Promise(resolve => {
		const unlisten = onEndSignal(() => {
			unlisten();
			resolve();
		});
	});
}
