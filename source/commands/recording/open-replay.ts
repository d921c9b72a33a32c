import type {MessagePort} from 'node:worker_threads';
import type {RecordingHeader} from '../../contract/recording.ts';
import type {Playback, ReplayOptions} from '../../service/replay/player.ts';
import {openRecording} from '../../service/replay/recording-file.ts';
import {spawnService} from '../../service/spawn-service.ts';
import {steadyNow} from '../../steady-clock.ts';
import {type OpenService, type Playing, threadWith} from '../service/open-service.ts';

/**
 * Reads the header of a recording, so that a bad file is refused before anything starts.
 * @throws RecordingUnreadable
 */
export async function readHeader(path: string): Promise<RecordingHeader> {
	const recording = await openRecording(path);
	await recording.close();
	return recording.header;
}

/**
 * Starts an embedded service that plays a recording instead of a market. The service gets no data directory: a replay must
 * not touch webhooks, journals or keys.
 * @param beside the port for feeds, when the thread of the service reads them
 * @throws ServiceNotStarted
 */
export async function openReplay(
	recording: ReplayOptions,
	header: RecordingHeader,
	beside?: MessagePort,
): Promise<OpenService> {
	let last: Playback = {phase: 'playing', atMs: header.atMs + (recording.fromMs ?? 0), speed: 0};
	/** When `last` was reported, monotonic ms. */
	let sinceMs = performance.now();
	const listeners = new Set<() => void>();
	const service = await spawnService({
		recording,
		...threadWith(beside),
		onPlayback: playback => {
			last = playback;
			sinceMs = performance.now();
			for (const listener of listeners) listener();
		},
	});
	const [apiKey] = service.apiKeys;
	const recordedMs = (): number => Math.round(last.atMs + (performance.now() - sinceMs) * last.speed);
	const playback: Playing = {
		get last() {
			return last;
		},
		clock: {
			nowMs: recordedMs,
			get skewMs() {
				return recordedMs() - steadyNow();
			},
			uncertaintyMs: 0,
		},
		onChange: listener => void listeners.add(listener),
	};
	return {
		options: {baseUrl: service.url, streamUrl: service.streamUrl, apiKey, clock: playback.clock},
		playback,
		close: () => service.close(),
	};
}
