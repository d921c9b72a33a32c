import type {MessagePort} from 'node:worker_threads';
import type {RecordingHeader} from '../../contract/recording.ts';
import type {Playback, ReplayOptions} from '../../service/replay/player.ts';
import {openRecording} from '../../service/replay/recording-file.ts';
import {spawnService} from '../../service/spawn-service.ts';
import {type OpenService, type Playing, threadWith} from '../open-service.ts';

/**
 * What a recording says of itself; refuses a file that is none, before anything is started for it.
 * @throws RecordingUnreadable
 */
export async function readHeader(path: string): Promise<RecordingHeader> {
	const recording = await openRecording(path);
	await recording.close();
	return recording.header;
}

/**
 * A service of our own that plays a recording instead of a market. It is given no data directory: nothing of the person's
 * (webhooks, journals, keys) is touched by what is long over.
 * @param beside through which its feeds are asked for, where they are read in its thread
 * @throws ServiceNotStarted
 */
export async function openReplay(
	recording: ReplayOptions,
	header: RecordingHeader,
	beside?: MessagePort,
): Promise<OpenService> {
	let last: Playback = {phase: 'playing', atMs: header.atMs + (recording.fromMs ?? 0), speed: 0};
	/** Monotonic; when that was so. */
	let sinceMs = performance.now();
	const listeners = new Set<() => void>();
	const own = await spawnService({
		recording,
		...threadWith(beside),
		onPlayback: playback => {
			last = playback;
			sinceMs = performance.now();
			for (const listener of listeners) listener();
		},
	});
	const [apiKey] = own.apiKeys;
	const recordedMs = (): number => Math.round(last.atMs + (performance.now() - sinceMs) * last.speed);
	const playback: Playing = {
		get last() {
			return last;
		},
		clock: {
			nowMs: recordedMs,
			get skewMs() {
				return recordedMs() - Date.now();
			},
			uncertaintyMs: 0,
		},
		onChange: listener => void listeners.add(listener),
	};
	return {
		options: {baseUrl: own.url, streamUrl: own.streamUrl, apiKey, clock: playback.clock},
		isEmbedded: true,
		playback,
		close: () => own.close(),
	};
}
