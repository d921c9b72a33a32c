import {once} from 'node:events';
import {type MessagePort, Worker} from 'node:worker_threads';
import type {Explanation} from '../errors.ts';
import type {Playback} from './replay/player.ts';
import {type RunningService, ServiceNotStarted, type ServiceOptions} from './service-options.ts';

/** What the worker thread says. */
export type FromWorker =
	| {readonly kind: 'ready'; readonly url: string; readonly streamUrl: string; readonly apiKeys: readonly string[]}
	| {readonly kind: 'failed'; readonly explanation: Explanation}
	| {readonly kind: 'fault'; readonly words: string}
	| {readonly kind: 'playback'; readonly playback: Playback}
	| {readonly kind: 'historyTold'};

/** What the thread is given. */
export interface WorkerTask {
	readonly options: Omit<ServiceOptions, 'host' | 'market'>;
	readonly beside?: MessagePort;
}

/** How the start went: what the worker says first of all that is no news. */
type FirstWord = Extract<FromWorker, {kind: 'ready' | 'failed'}>;

export interface SpawnOptions extends Omit<ServiceOptions, 'host' | 'market'> {
	/** The worker's file, where it is not the built one beside this. */
	readonly entry?: URL;
	/** Given to that file, for what else it does beside the service. */
	readonly beside?: MessagePort | undefined;
	/** Called when the running service dies by itself. Who does not ask sees a lost connection. */
	readonly onDeath?: (error: unknown) => void;
}

/** How long a service that was asked to stop may take. */
const STOP_MS = 3000;
/** Room for short-lived objects. The default, several times this, only makes the process 40 MB larger (measured). */
const YOUNG_MB = 8;

/**
 * Starts the service in a worker thread of its own, on loopback, with a key made for this run alone: its load never
 * delays a keypress. Ends with the process.
 * @throws ServiceNotStarted
 */
export async function spawnService(options: SpawnOptions = {}): Promise<RunningService> {
	const {
		entry = new URL('../threads/service-worker.ts', import.meta.url),
		beside,
		onDeath,
		onFault,
		onPlayback,
		onHistoryTold,
		...rest
	} = options;
	const worker = new Worker(entry, {
		workerData: {options: rest, ...(beside && {beside})} satisfies WorkerTask,
		transferList: beside ? [beside] : [],
		name: 'pulsetop service',
		resourceLimits: {maxYoungGenerationSizeMb: YOUNG_MB},
	});
	let isReady = false;
	let closing: Promise<void> | undefined;
	// From the first turn on: where this thread is busy, the word that the service runs and its end come in one turn.
	worker.on('error', error => {
		if (isReady) onDeath?.(error);
	});
	worker.on('exit', () => {
		if (isReady && !closing) onDeath?.(undefined);
	});
	worker.on('message', (message: FromWorker) => {
		if (message.kind === 'ready') isReady = true;
		if (message.kind === 'fault') onFault?.(message.words);
		if (message.kind === 'playback') onPlayback?.(message.playback);
		if (message.kind === 'historyTold') onHistoryTold?.();
	});
	const first = await firstWord(worker).catch(error => notStarted('it could not be loaded', error));
	if (first === undefined) throw notStarted('it ended at once');
	if (first instanceof ServiceNotStarted) throw first;
	if (first.kind === 'failed') throw notStarted(first.explanation.why);
	return {
		url: first.url,
		streamUrl: first.streamUrl,
		apiKeys: first.apiKeys,
		close: () => (closing ??= stop(worker)),
	};
}

/** Whether it runs or why it does not; undefined when it ended without a word. */
function firstWord(worker: Worker): Promise<FirstWord | undefined> {
	return new Promise((resolve, reject) => {
		worker.on('message', (message: FromWorker) => {
			if (message.kind === 'ready' || message.kind === 'failed') resolve(message);
		});
		worker.once('error', reject);
		worker.once('exit', () => resolve(undefined));
	});
}

async function stop(worker: Worker): Promise<void> {
	const ended = once(worker, 'exit');
	worker.postMessage('close');
	const timer = setTimeout(() => void worker.terminate(), STOP_MS);
	await ended;
	clearTimeout(timer);
}

function notStarted(why: string, cause?: unknown): ServiceNotStarted {
	return new ServiceNotStarted('The embedded service could not start', {why, next: 'report', cause});
}
