import {addressOfKey, type Entry} from '../../contract/entry.ts';
import {PULSE_LIMITS} from '../../contract/pulse-query.ts';
import type {FeedEvent, ViewRequest} from '../feed/feed-events.ts';
import {viewOfTokens} from '../lookups/token.ts';

/**
 * Views without a reader and tokens without a keeper are requested for up to this time: another reader may come, or the same one
 * after a lost connection, ms.
 */
export const LINGER_MS = 30_000;

/** A view of a reader that keeps tokens. */
export interface Keeper {
	/** Kept tokens have new figures, or the service no longer knows them. @param removed keys */
	tokensChanged(upserts: readonly Entry[], removed: readonly string[], atMs: number): void;
}

/**
 * Tokens that readers keep in their views whatever the filters (`includeTokens`, spec 4.1). They are one view of the service, so that
 * readers with different pins share all other views.
 */
export class KeptTokens {
	readonly #setView: (request: ViewRequest | undefined) => void;
	/** By address, the oldest first. */
	readonly #keepers = new Map<string, Set<Keeper>>();
	readonly #entries = new Map<string, Entry>();
	#lingering: NodeJS.Timeout | undefined;

	/** @param setView requests the view of the tokens from now on; undefined ends the view */
	constructor(setView: (request: ViewRequest | undefined) => void) {
		this.#setView = setView;
	}

	/** Whether the view of the tokens is requested. */
	get isRead(): boolean {
		return this.#keepers.size > 0;
	}

	/** Whether the token of a key is known. */
	has(key: string): boolean {
		return this.#entries.has(key);
	}

	/** The known entries of a token, one a chain. */
	entriesOf(address: string): readonly Entry[] {
		return [...this.#entries.values()].filter(({key}) => addressOfKey(key) === address);
	}

	keep(addresses: readonly string[], keeper: Keeper): void {
		const count = this.#keepers.size;
		for (const address of addresses) {
			const keepers = this.#keepers.get(address) ?? new Set();
			this.#keepers.set(address, keepers.add(keeper));
		}
		if (this.#keepers.size > count) this.#request();
	}

	release(addresses: Iterable<string>, keeper: Keeper): void {
		for (const address of addresses) {
			this.#keepers.get(address)?.delete(keeper);
			this.#lingering ??= setTimeout(() => this.#dropUnkept(), LINGER_MS).unref();
		}
	}

	/** Takes an event of the view of the tokens. */
	take(event: FeedEvent): void {
		if (event.type !== 'snapshot' && event.type !== 'change') return;
		const [arrived, left] =
			event.type === 'change' ? [event.upserts, event.removed] : [event.entries, this.#absentIn(event.entries)];
		for (const entry of arrived) this.#entries.set(entry.key, entry);
		for (const key of left) this.#entries.delete(key);
		const changes = new Map<Keeper, {readonly upserts: Entry[]; readonly removed: string[]}>();
		const changesOf = (key: string) =>
			[...(this.#keepers.get(addressOfKey(key)) ?? [])].map(keeper => {
				const changed = changes.get(keeper) ?? {upserts: [], removed: []};
				changes.set(keeper, changed);
				return changed;
			});
		for (const entry of arrived) for (const {upserts} of changesOf(entry.key)) upserts.push(entry);
		for (const key of left) for (const {removed} of changesOf(key)) removed.push(key);
		for (const [keeper, {upserts, removed}] of changes) keeper.tokensChanged(upserts, removed, event.atMs);
	}

	close(): void {
		clearTimeout(this.#lingering);
	}

	#absentIn(entries: readonly Entry[]): readonly string[] {
		const present = new Set(entries.map(({key}) => key));
		return [...this.#entries.keys()].filter(key => !present.has(key));
	}

	#dropUnkept(): void {
		this.#lingering = undefined;
		const count = this.#keepers.size;
		for (const [address, keepers] of this.#keepers) if (keepers.size === 0) this.#keepers.delete(address);
		for (const key of this.#entries.keys()) if (!this.#keepers.has(addressOfKey(key))) this.#entries.delete(key);
		if (this.#keepers.size < count) this.#request();
	}

	/** Requests the newest tokens, as many as a view takes. */
	#request(): void {
		const addresses = [...this.#keepers.keys()].slice(-PULSE_LIMITS.addresses);
		this.#setView(addresses.length > 0 ? viewOfTokens(addresses) : undefined);
	}
}
