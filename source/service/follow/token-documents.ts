import {addressOfKey, chainOfKey} from '../../contract/entry.ts';
import {isPartOf, type LogMarket} from '../log/log-market.ts';
import type {MarketEvent, Profile, TokenPlace} from '../market/events.ts';
import type {MetadataFetch} from './metadata-fetch.ts';
import {type MetadataCounts, MetadataQueue} from './metadata-queue.ts';

export interface TokenDocumentsOptions {
	readonly fetch: MetadataFetch;
	readonly market: Pick<LogMarket, 'profileOf' | 'journal' | 'position'>;
	/** Whether this process reads the documents of a chain now: one replica does, and all learn of them through the log. */
	readonly reads: (chainId: string) => boolean;
	/** Writes into the log what a document says of a token. */
	readonly write: (token: TokenPlace, profile: Profile) => void;
}

/** The documents of tokens up to this age are asked for again by a new reader. */
const UNREAD_MS = 300_000;

/** Reads the documents that the tokens of a market name, and writes what they say into its log. */
export class TokenDocuments {
	readonly #options: TokenDocumentsOptions;
	readonly #queue: MetadataQueue;

	constructor(options: TokenDocumentsOptions) {
		this.#options = options;
		this.#queue = new MetadataQueue({fetch: options.fetch, found: (token, profile) => this.#found(token, profile)});
	}

	/** How many documents there were since the start. */
	get counts(): MetadataCounts {
		return this.#queue.counts;
	}

	/** Asks for the documents of new tokens. */
	appended(events: readonly MarketEvent[]): void {
		for (const event of events) {
			if (event.type !== 'launch' || !event.profile.uri || !this.#options.reads(event.chainId)) continue;
			this.#queue.launched(event, event.profile.uri);
		}
	}

	/** A document counts again when the block that it was stored with is taken back, but the token is not. */
	takenBack(keys: readonly string[]): void {
		for (const key of keys) {
			const token = {chainId: chainOfKey(key), token: addressOfKey(key)};
			const uri = this.#options.market.profileOf(token)?.uri;
			const profile = uri ? this.#queue.known(uri) : undefined;
			if (profile) this.#found(token, profile);
		}
	}

	/** Asks for the documents of a chain's young tokens of which none is known, as their reader before may have left them. */
	readAll(chainId: string): void {
		const {market} = this.#options;
		for (const {chainId: chain, address: token, launchMs} of market.journal.tokens()) {
			if (chain !== chainId || launchMs < market.position.atMs - UNREAD_MS) continue;
			const profile = market.profileOf({chainId, token});
			if (profile?.uri && !isDescribed(profile)) this.#queue.launched({chainId, token}, profile.uri);
		}
	}

	close(): Promise<void> {
		return this.#queue.close();
	}

	#found(token: TokenPlace, profile: Profile): void {
		const known = this.#options.market.profileOf(token);
		if (known && !isPartOf(profile, known)) this.#options.write(token, profile);
	}
}

/** Whether a profile says what only a document does. */
function isDescribed({description, logo, twitter, website, telegram}: Profile): boolean {
	return [description, logo, twitter, website, telegram].some(text => text !== undefined);
}
