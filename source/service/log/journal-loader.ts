import type {MarketEvent} from '../market/events.ts';
import type {Journal, JournalToken} from './journal.ts';
import {JournalFailed} from './journal-file.ts';

export interface JournalLoaderOptions {
	readonly journal: Journal;
	/** Tokens of other chains stay in the journal until they are followed again or too old. */
	readonly chainIds: ReadonlySet<string>;
	readonly apply: (event: MarketEvent) => void;
	/** Keys of tokens that the market has from elsewhere. */
	readonly known?: ReadonlySet<string> | undefined;
	/** Called with a line for each token that could not be read. */
	readonly log: (line: string) => void;
}

/** Tokens that a screen shows first: some of the newest, and of those that were traded last. */
const NEWEST = 200;
/** A token with more events than this fills the first milliseconds alone: it comes later. */
const SMALL_BYTES = 1 << 16;
/** Lists of events that are read at once. */
const LISTS = 32;

/**
 * Replays a journal into a market after a start, token by token: what is seen first comes first, and what is needed comes
 * before its turn. The order of tokens is free (see MarketEvent), that within a token is kept.
 */
export class JournalLoader {
	readonly #options: JournalLoaderOptions;
	/** Keys of tokens that are not loaded, in the order of loading. */
	#pending = new Set<string>();
	/** The token that is loaded in part, and the next list of its events. */
	#current: {readonly key: string; next: number} | undefined;

	constructor(options: JournalLoaderOptions) {
		this.#options = options;
		this.beginAgain(options.known);
	}

	/** Loads everything from the start: the market has forgotten all of it but what is known. */
	beginAgain(known: ReadonlySet<string> = new Set()): void {
		const {journal, chainIds} = this.#options;
		this.#current = undefined;
		const missing = [...journal.tokens()].filter(({chainId, key}) => chainIds.has(chainId) && !known.has(key));
		this.#pending = new Set(byInterest(missing));
	}

	get isDone(): boolean {
		return this.#pending.size === 0 && this.#current === undefined;
	}

	/** True while nothing of a token is loaded. */
	isPending(key: string): boolean {
		return this.#pending.has(key);
	}

	/** Loads a part of a token. */
	step(): void {
		if (this.#current === undefined) {
			const [key] = this.#pending;
			if (key === undefined) return;
			this.#pending.delete(key);
			this.#current = {key, next: 0};
		}
		const {key, next} = this.#current;
		const after = this.#read(key, next, LISTS);
		this.#current = after === undefined ? undefined : {key, next: after};
	}

	/** Loads the rest of the token that is loaded in part: before anything changes what the journal has of it. */
	finish(): void {
		while (this.#current) this.step();
	}

	/** Loads a token that is not loaded, whole. One that the journal does not know has no effect. */
	load(key: string): void {
		if (this.#current?.key === key) this.finish();
		else if (this.#pending.delete(key)) this.#read(key, 0);
	}

	/** Loads a token whole, whatever was loaded of it before: the market has forgotten it. */
	reload(key: string): void {
		this.#read(key, 0);
	}

	/** Leaves out pending tokens that the journal does not have any more. */
	check(): void {
		for (const key of this.#pending) if (this.#options.journal.token(key) === undefined) this.#pending.delete(key);
	}

	#read(key: string, from: number, lists?: number): number | undefined {
		const {journal, apply, log} = this.#options;
		try {
			return journal.read(key, apply, from, lists);
		} catch (error) {
			if (!(error instanceof JournalFailed)) throw error;
			log(`the journal's events of ${key} cannot be read: ${error.why}`);
			return undefined;
		}
	}
}

/** Keys in the order of loading: coins that others are priced in, what a screen shows first, the rest by its last trade. */
function byInterest(tokens: readonly JournalToken[]): string[] {
	const coins = tokens.filter(({kind}) => kind !== 'token');
	const launched = tokens.filter(({kind}) => kind === 'token');
	const newest = launched.toSorted((a, b) => b.launchMs - a.launchMs).slice(0, NEWEST);
	const traded = launched.toSorted((a, b) => b.lastMs - a.lastMs);
	const small = [...newest, ...traded.slice(0, NEWEST)].filter(({bytes}) => bytes <= SMALL_BYTES);
	return [...new Set([...coins, ...small, ...newest, ...traded])].map(({key}) => key);
}
