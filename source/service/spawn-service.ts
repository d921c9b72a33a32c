import {type MessagePort, Worker} from 'node:worker_threads';
import type {Explanation} from '../errors.ts';
import {addressSpace, freeDescriptors} from '../system-limits.ts';
import type {Playback} from './replay/player.ts';
import {type RunningService, ServiceNotStarted, type ServiceOptions} from './service-options.ts';

/** Messages of the worker thread. */
export type FromWorker =
	| {readonly kind: 'ready'; readonly url: string; readonly streamUrl: string; readonly apiKeys: readonly string[]}
	| {readonly kind: 'failed'; readonly explanation: Explanation}
	| {readonly kind: 'fault'; readonly text: string}
	| {readonly kind: 'playback'; readonly playback: Playback}
	| {readonly kind: 'historyLoaded' | 'beginsAgain'};

/** The task that the thread starts with. */
export interface WorkerTask {
	readonly options: Omit<ServiceOptions, 'host' | 'market'>;
	readonly beside?: MessagePort;
}

/** The result of the start. */
type StartResult = Extract<FromWorker, {kind: 'ready' | 'failed'}>;

export interface SpawnOptions extends Omit<ServiceOptions, 'host' | 'market'> {
	/** The thread's file; default: `threads/service-worker.ts`. */
	readonly entry?: URL;
	/** Passed on to the thread's file, for its second task beside the service. */
	readonly beside?: MessagePort | undefined;
	/** Called once when the running service ends by itself, with its error if there was one. Without it a lost connection is seen. */
	readonly onDeath?: (error: unknown) => void;
}

/** How long a service may take to stop. */
const STOP_MS = 3000;
/** Heap for short-lived objects. The default, several times this, only makes the process 40 MB larger (measured). */
const YOUNG_MB = 8;

/** With less the engine of JavaScript ends the process when the thread starts (measured). */
const MIN_ADDRESS_SPACE = 2.1e9;
/**
 * The thread opens five, the listening socket is one, a connection to the service has one at each end, and up to three code files
 * are open while they load: eleven at most (measured). The rest is a margin: with too few descriptors a connection would fail later,
 * with a reason that does not name the limit.
 */
const MIN_DESCRIPTORS = 20;

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;

/**
 * Starts the service in a worker thread, on loopback, with a key made for this run: its load never delays a keypress.
 * Ends with the process.
 * @throws ServiceNotStarted
 */
export async function spawnService(options: SpawnOptions = {}): Promise<RunningService> {
	const {
		entry = new URL('../threads/service-worker.ts', import.meta.url),
		beside,
		onDeath,
		onFault,
		onPlayback,
		onHistoryLoaded,
		onBeginsAgain,
		...rest
	} = options;
	const space = addressSpace();
	if (space !== undefined && space < MIN_ADDRESS_SPACE)
		throw refused({
			why: `a program with two threads of Node needs ${gigabytes(MIN_ADDRESS_SPACE)} of addresses, and this one may have ${gigabytes(space)} (ulimit -v)`,
			next: 'fix-input',
			advice: 'Allow more, with ulimit -v unlimited for example, or name a service with --base-url.',
		});
	// A thread that fails returns its descriptors: the cause cannot be seen afterwards.
	const free = freeDescriptors();
	if (free < MIN_DESCRIPTORS)
		throw refused({
			why: `the service opens up to ${MIN_DESCRIPTORS} files and connections at once, and this program may open ${free} more (ulimit -n)`,
			next: 'fix-input',
			advice: 'Allow more, with ulimit -n 1024 for example, or name a service with --base-url.',
		});
	const worker = new Worker(entry, {
		workerData: {options: rest, ...(beside && {beside})} satisfies WorkerTask,
		transferList: beside ? [beside] : [],
		name: 'pulsetop service',
		resourceLimits: {maxYoungGenerationSizeMb: YOUNG_MB},
	});
	let isReady = false;
	let closing: Promise<void> | undefined;
	// Attached at once: when this thread is busy, the message `ready` and the end of the worker can arrive in one turn.
	let failure: unknown;
	worker.on('error', error => {
		failure = error;
	});
	// The end is reported at the exit, which follows an error. When both come in one turn, Node throws an exception of an `error`
	// listener only after the exit: the end would come first, without its reason.
	const ended = new Promise<void>((resolve, reject) => {
		worker.on('exit', () => {
			if (closing && failure !== undefined) reject(failure);
			resolve();
			if (isReady && !closing) onDeath?.(failure);
		});
	});
	worker.on('message', (message: FromWorker) => {
		if (message.kind === 'ready') isReady = true;
		if (message.kind === 'fault') onFault?.(message.text);
		if (message.kind === 'playback') onPlayback?.(message.playback);
		if (message.kind === 'historyLoaded') onHistoryLoaded?.();
		if (message.kind === 'beginsAgain') onBeginsAgain?.();
	});
	const first = await startResult(worker).catch(error => notStarted('it could not be loaded', error));
	if (first === undefined) throw notStarted('it ended at once');
	if (first instanceof ServiceNotStarted) throw first;
	if (first.kind === 'failed') throw refused(first.explanation);
	return {
		url: first.url,
		streamUrl: first.streamUrl,
		apiKeys: first.apiKeys,
		close: () => (closing ??= stop(worker, ended)),
	};
}

/** The result of the start; undefined when the worker ended without one. */
function startResult(worker: Worker): Promise<StartResult | undefined> {
	return new Promise((resolve, reject) => {
		worker.on('message', (message: FromWorker) => {
			if (message.kind === 'ready' || message.kind === 'failed') resolve(message);
		});
		// An error is no message and may overtake one: `ready` that was posted before is read by the exit.
		let failure: unknown;
		worker.once('error', error => {
			failure = error;
		});
		worker.once('exit', () => (failure === undefined ? resolve(undefined) : reject(failure)));
	});
}

/** @param ended settles at the end of the thread, which may have been long ago */
async function stop(worker: Worker, ended: Promise<void>): Promise<void> {
	worker.postMessage('close');
	const timer = setTimeout(() => void worker.terminate(), STOP_MS);
	await ended;
	clearTimeout(timer);
}

/** The start failed for a known reason, with the advice for it. */
function refused({why, next, advice}: Pick<Explanation, 'why' | 'next' | 'advice'>): ServiceNotStarted {
	return new ServiceNotStarted('The embedded service could not start', {why, next, advice});
}

function notStarted(why: string, cause?: unknown): ServiceNotStarted {
	return new ServiceNotStarted('The embedded service could not start', {why, next: 'report', cause});
}
