import {setImmediate as nextTurn, setTimeout as sleep} from 'node:timers/promises';
import type {RecordedEvent} from '../../contract/recording.ts';
import {explain} from '../../errors.ts';
import type {RecordedMarket} from './recorded-market.ts';
import {type OpenRecording, openRecording} from './recording-file.ts';

/** How a recording is played. */
export interface ReplayOptions {
	/** The file. */
	readonly path: string;
	/** How much faster than it happened; 1 by default. */
	readonly speed?: number;
	/** Where to begin, milliseconds after the recording's beginning. */
	readonly fromMs?: number;
	/** Begins again at its end. */
	readonly loops?: boolean;
}

/** Where the playing has come to, told whenever it is not what time alone would make of it. */
export interface Playback {
	/** `cut`: the file ended without an end; `broken`: it can't be read on. */
	readonly phase: 'playing' | 'ended' | 'cut' | 'broken';
	/** The recorded time now, Unix ms. */
	readonly atMs: number;
	/** Recorded milliseconds that pass in one; 0 when it stands. */
	readonly speed: number;
	/** Why it is broken, in words. */
	readonly words?: string;
}

/** Views come one after another: what the first second tells is the beginning. */
const LEAD_MS = 1000;
/** Times in which nothing was recorded (a machine that slept) are passed over from this length on. */
const LONGEST_GAP_MS = 60_000;
/** Played later than this, the clock waits for the reading. */
const LATE_MS = 500;
const SLICE_MS = 8;
/** A very short recording that begins again must not keep the machine busy. */
const REST_MS = 1000;

/** Plays a recording into a market by a clock of its own. */
export class Player {
	readonly #options: ReplayOptions;
	readonly #tell: (playback: Playback) => void;
	readonly #stopping = new AbortController();
	readonly #begun = Promise.withResolvers<void>();
	readonly #wanted = Promise.withResolvers<void>();
	#playback: Playback = {phase: 'playing', atMs: 0, speed: 0};
	/** Monotonic; when that was so. */
	#sinceMs = performance.now();
	#sliceMs = performance.now();

	constructor(options: ReplayOptions, tell: (playback: Playback) => void) {
		this.#options = options;
		this.#tell = tell;
	}

	/** The recorded time. */
	nowMs(): number {
		const {atMs, speed} = this.#playback;
		return atMs + (performance.now() - this.#sinceMs) * speed;
	}

	/** Somebody looks: only now does time begin to pass. */
	play(): void {
		this.#wanted.resolve();
	}

	/**
	 * Opens the recording and reads up to the place where it shall begin; from there it is played in the background.
	 * @throws RecordingUnreadable when it can't begin
	 */
	async start(market: RecordedMarket): Promise<void> {
		const recording = await openRecording(this.#options.path);
		void this.#run(recording, market);
		await this.#begun.promise;
	}

	stop(): void {
		this.#stopping.abort();
		this.#begun.resolve();
		this.#wanted.resolve();
	}

	async #run(first: OpenRecording, market: RecordedMarket): Promise<void> {
		let recording = first;
		try {
			while (true) {
				const phase = await this.#playOnce(recording, market);
				if (this.#stopping.signal.aborted) return;
				this.#stand(phase);
				if (!this.#options.loops) return;
				await this.#wait(REST_MS);
				await recording.close();
				recording = await openRecording(this.#options.path);
				market.clear();
			}
		} catch (error) {
			if (!this.#stopping.signal.aborted) this.#stand('broken', explain(error).why);
		} finally {
			await recording.close().catch(() => {});
		}
	}

	/** Plays until the file ends; what it then is. */
	async #playOnce(recording: OpenRecording, market: RecordedMarket): Promise<'ended' | 'cut'> {
		const {speed = 1, fromMs = 0} = this.#options;
		let beginsMs: number | undefined;
		let isPlaying = false;
		let lastMs = recording.header.atMs;
		for await (const event of recording.events) {
			beginsMs ??= event.atMs + Math.max(fromMs, LEAD_MS);
			if (event.atMs > beginsMs) {
				if (!isPlaying) await this.#whenWanted(beginsMs, speed);
				isPlaying = true;
				if (event.atMs - Math.max(lastMs, beginsMs) > LONGEST_GAP_MS) this.#move(event.atMs, speed);
				await this.#until(event, speed);
			} else this.#playback = {phase: 'playing', atMs: event.atMs, speed: 0};
			if (this.#stopping.signal.aborted) break;
			lastMs = event.atMs;
			if (event.type === 'end') return 'ended';
			market.apply(event);
			await this.#breathe();
		}
		return 'cut';
	}

	async #whenWanted(beginsMs: number, speed: number): Promise<void> {
		this.#playback = {phase: 'playing', atMs: beginsMs, speed: 0};
		this.#begun.resolve();
		await this.#wanted.promise;
		this.#move(beginsMs, speed);
	}

	async #until({atMs}: RecordedEvent, speed: number): Promise<void> {
		const waitMs = (atMs - this.nowMs()) / speed;
		if (waitMs > 0) await this.#wait(waitMs);
		else if (waitMs < -LATE_MS) this.#move(atMs, speed);
	}

	/** Reading is asynchronous and yet may never wait: others get their turn. */
	async #breathe(): Promise<void> {
		if (performance.now() - this.#sliceMs < SLICE_MS) return;
		await nextTurn();
		this.#sliceMs = performance.now();
	}

	async #wait(ms: number): Promise<void> {
		await sleep(ms, undefined, {signal: this.#stopping.signal, ref: false}).catch(() => {});
	}

	#move(atMs: number, speed: number): void {
		this.#say({phase: 'playing', atMs, speed});
	}

	#stand(phase: 'ended' | 'cut' | 'broken', words?: string): void {
		this.#say({
			phase,
			atMs: this.#playback.speed === 0 ? this.#playback.atMs : this.nowMs(),
			speed: 0,
			...(words && {words}),
		});
	}

	#say(playback: Playback): void {
		this.#playback = playback;
		this.#sinceMs = performance.now();
		this.#tell(playback);
		this.#begun.resolve();
	}
}
