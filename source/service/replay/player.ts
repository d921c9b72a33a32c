import {setImmediate as nextTurn, setTimeout as sleep} from 'node:timers/promises';
import type {RecordedEvent} from '../../contract/recording.ts';
import {explain} from '../../errors.ts';
import type {RecordedMarket} from './recorded-market.ts';
import {LEAD_MS, type OpenRecording, openRecording} from './recording-file.ts';

/** Options of a playback. */
export interface ReplayOptions {
	/** The file. */
	readonly path: string;
	/** Speed as a multiple of the recorded one; default 1. */
	readonly speed?: number;
	/** Start offset in milliseconds from the start of the recording. */
	readonly fromMs?: number;
	/** Starts again at the end. */
	readonly loops?: boolean;
}

/** State of the playback, reported whenever it differs from the passing of time. */
export interface Playback {
	/** `cut`: the file ended without an `end` event; `broken`: the rest cannot be read. */
	readonly phase: 'playing' | 'ended' | 'cut' | 'broken';
	/** The recorded time now, Unix ms. */
	readonly atMs: number;
	/** Recorded milliseconds per millisecond; 0 when paused. */
	readonly speed: number;
	/** Why the recording is broken. */
	readonly reason?: string;
}

/** Times without events (a machine that slept) are skipped from this length on. */
const LONGEST_GAP_MS = 60_000;
/** When events are later than this, the clock waits for the reading. */
const LATE_MS = 500;
const SLICE_MS = 8;
/** Pause before a very short recording starts again, so that it does not keep the machine busy. */
const REST_MS = 1000;

/** Plays a recording into a market by its own clock. */
export class Player {
	readonly #options: ReplayOptions;
	readonly #report: (playback: Playback) => void;
	readonly #stopping = new AbortController();
	readonly #started = Promise.withResolvers<void>();
	readonly #requested = Promise.withResolvers<void>();
	#playback: Playback = {phase: 'playing', atMs: 0, speed: 0};
	/** Monotonic time of the last change of the clock. */
	/** When the last event that was read happened, Unix ms. */
	#lastMs = 0;
	#sinceMs = performance.now();
	#sliceMs = performance.now();

	constructor(options: ReplayOptions, report: (playback: Playback) => void) {
		this.#options = options;
		this.#report = report;
	}

	/** The recorded time. */
	nowMs(): number {
		const {atMs, speed} = this.#playback;
		return atMs + (performance.now() - this.#sinceMs) * speed;
	}

	/** Starts the clock with the first request. */
	play(): void {
		this.#requested.resolve();
	}

	/**
	 * Opens the recording and reads up to its start offset; the rest is played in the background.
	 * @throws RecordingUnreadable when it cannot start
	 */
	async start(market: RecordedMarket): Promise<void> {
		const recording = await openRecording(this.#options.path);
		void this.#run(recording, market);
		await this.#started.promise;
	}

	stop(): void {
		this.#stopping.abort();
		this.#started.resolve();
		this.#requested.resolve();
	}

	async #run(first: OpenRecording, market: RecordedMarket): Promise<void> {
		let recording = first;
		try {
			while (true) {
				const phase = await this.#playOnce(recording, market);
				if (this.#stopping.signal.aborted) return;
				this.#pause(phase);
				if (!this.#options.loops) return;
				await this.#wait(REST_MS);
				await recording.close();
				recording = await openRecording(this.#options.path);
				market.clear();
			}
		} catch (error) {
			if (!this.#stopping.signal.aborted) this.#pause('broken', explain(error).why);
		} finally {
			await recording.close().catch(() => {});
		}
	}

	/** Plays until the file ends; returns how it ended. */
	async #playOnce(recording: OpenRecording, market: RecordedMarket): Promise<'ended' | 'cut'> {
		const {speed = 1, fromMs = 0} = this.#options;
		let beginsMs: number | undefined;
		let isPlaying = false;
		this.#lastMs = recording.header.atMs;
		for await (const event of recording.events) {
			beginsMs ??= event.atMs + Math.max(fromMs, LEAD_MS);
			if (event.atMs > beginsMs) {
				if (!isPlaying) await this.#waitForRequest(beginsMs, speed);
				isPlaying = true;
				if (event.atMs - Math.max(this.#lastMs, beginsMs) > LONGEST_GAP_MS) this.#move(event.atMs, speed);
				await this.#until(event, speed);
			} else this.#playback = {phase: 'playing', atMs: event.atMs, speed: 0};
			if (this.#stopping.signal.aborted) break;
			this.#lastMs = event.atMs;
			if (event.type === 'end') return 'ended';
			market.apply(event);
			await this.#yieldTurn();
		}
		return 'cut';
	}

	async #waitForRequest(beginsMs: number, speed: number): Promise<void> {
		this.#playback = {phase: 'playing', atMs: beginsMs, speed: 0};
		this.#started.resolve();
		await this.#requested.promise;
		this.#move(beginsMs, speed);
	}

	async #until({atMs}: RecordedEvent, speed: number): Promise<void> {
		const waitMs = (atMs - this.nowMs()) / speed;
		if (waitMs > 0) await this.#wait(waitMs);
		else if (waitMs < -LATE_MS) this.#move(atMs, speed);
	}

	/** Lets other work run while there is always something to read. */
	async #yieldTurn(): Promise<void> {
		if (performance.now() - this.#sliceMs < SLICE_MS) return;
		await nextTurn();
		this.#sliceMs = performance.now();
	}

	async #wait(ms: number): Promise<void> {
		await sleep(ms, undefined, {signal: this.#stopping.signal, ref: false}).catch(() => {});
	}

	#move(atMs: number, speed: number): void {
		this.#set({phase: 'playing', atMs, speed});
	}

	#pause(phase: 'ended' | 'cut' | 'broken', reason?: string): void {
		this.#set({
			phase,
			// A late process has passed the last event by now: the recording stands at its end.
			atMs: this.#playback.speed === 0 ? this.#playback.atMs : Math.min(this.nowMs(), this.#lastMs),
			speed: 0,
			...(reason && {reason}),
		});
	}

	#set(playback: Playback): void {
		this.#playback = playback;
		this.#sinceMs = performance.now();
		this.#report(playback);
		this.#started.resolve();
	}
}
