import type {Profile, TokenPlace} from '../market/events.ts';
import type {MetadataFetch} from './metadata-fetch.ts';

export interface MetadataQueueOptions {
	readonly fetch: MetadataFetch;
	/** Called with what a document says, for each token that names it. */
	readonly found: (token: TokenPlace, profile: Profile) => void;
	/** Documents that are asked for in a minute, at most. */
	readonly perMinute?: number;
}

/** How many documents there were since the start. */
export interface MetadataCounts {
	/** They said something. */
	read: number;
	/** They could not be had, or said nothing. */
	unread: number;
	/** They were never asked for: too many tokens were launched. */
	skipped: number;
}

const PER_MINUTE = 60;
/** Documents that wait; beyond it the oldest is left out. */
const MAX_WAITING = 200;
const AT_ONCE = 4;
/** Documents whose content is remembered: a token that a reorganisation moves to another block comes again. */
const MAX_KNOWN = 5000;

/**
 * The documents that new tokens name: the newest first, each once, spread over the time. Tokens that name the same document
 * share it.
 */
export class MetadataQueue {
	readonly #options: MetadataQueueOptions;
	readonly #everyMs: number;
	/** By address of the document: the tokens that wait for it, newest document last. */
	readonly #waiting = new Map<string, TokenPlace[]>();
	readonly #asked = new Map<string, TokenPlace[]>();
	/** Profiles by document; null: the document says nothing. */
	readonly #known = new Map<string, Profile | null>();
	readonly counts: MetadataCounts = {read: 0, unread: 0, skipped: 0};
	#timer: NodeJS.Timeout | undefined;
	#nextAtMs = 0;
	#isClosed = false;

	constructor(options: MetadataQueueOptions) {
		this.#options = options;
		this.#everyMs = 60_000 / (options.perMinute ?? PER_MINUTE);
	}

	/** The profile in a document, if it was read; null when it says nothing. */
	known(uri: string): Profile | null | undefined {
		return this.#known.get(uri);
	}

	/** A token was launched and names a document. */
	launched(token: TokenPlace, uri: string): void {
		if (this.#isClosed) return;
		const known = this.#known.get(uri);
		if (known) this.#options.found(token, known);
		if (known !== undefined) return;
		const others = this.#asked.get(uri) ?? this.#waiting.get(uri);
		if (others) {
			others.push(token);
			return;
		}
		this.#waiting.set(uri, [token]);
		const [oldest] = this.#waiting.keys();
		if (this.#waiting.size > MAX_WAITING) {
			this.#waiting.delete(oldest!);
			this.counts.skipped++;
		}
		this.#plan();
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		clearTimeout(this.#timer);
		this.#waiting.clear();
		await this.#options.fetch.close();
	}

	#plan(): void {
		if (this.#timer || this.#isClosed || this.#waiting.size === 0 || this.#asked.size >= AT_ONCE) return;
		const waitMs = Math.max(0, this.#nextAtMs - performance.now());
		this.#timer = setTimeout(() => {
			this.#timer = undefined;
			void this.#ask();
			this.#plan();
		}, waitMs);
		this.#timer.unref();
	}

	async #ask(): Promise<void> {
		const newest = [...this.#waiting].at(-1);
		if (newest === undefined) return;
		const [uri, tokens] = newest;
		this.#nextAtMs = performance.now() + this.#everyMs;
		this.#waiting.delete(uri);
		this.#asked.set(uri, tokens);
		const profile = (await this.#options.fetch.read(uri)) ?? null;
		this.#asked.delete(uri);
		if (this.#isClosed) return;
		this.counts[profile ? 'read' : 'unread']++;
		this.#remember(uri, profile);
		if (profile) for (const token of tokens) this.#options.found(token, profile);
		this.#plan();
	}

	#remember(uri: string, profile: Profile | null): void {
		this.#known.set(uri, profile);
		const [oldest] = this.#known.keys();
		if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest!);
	}
}
