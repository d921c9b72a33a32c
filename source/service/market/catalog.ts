import {canonicalOn} from './address.ts';
import type {PoolFacts} from './events.ts';
import type {Listing, Token, Venue} from './token.ts';

/** Which tokens there are and in which rows: by address, by key, by row. Rows given back are used again. */
export class Catalog {
	/** One more than the highest row ever used. */
	length = 0;
	readonly #chains = new Map<string, Map<string, Token>>();
	readonly #listings: (Listing | undefined)[] = [];
	readonly #freeRows: number[] = [];
	readonly #venues = new Map<string, Venue>();

	/** A free row; the lowest number that was never used when none was given back. */
	takeRow(): number {
		return this.#freeRows.pop() ?? this.length++;
	}

	put(row: number, listing: Listing): void {
		this.#listings[row] = listing;
	}

	giveRow(row: number): void {
		this.#listings[row] = undefined;
		this.#freeRows.push(row);
	}

	add(token: Token): void {
		let tokens = this.#chains.get(token.chainId);
		if (!tokens) {
			tokens = new Map();
			this.#chains.set(token.chainId, tokens);
		}
		tokens.set(canonicalOn(token.chainId, token.address), token);
	}

	remove(token: Token): void {
		this.#chains.get(token.chainId)?.delete(canonicalOn(token.chainId, token.address));
	}

	/** What a live row is; undefined for a free one. */
	find(row: number): Listing | undefined {
		return this.#listings[row];
	}

	/** The token at an address, or undefined. */
	token(chainId: string, address: string): Token | undefined {
		const tokens = this.#chains.get(chainId);
		const found = tokens?.get(address);
		return found === undefined && address.startsWith('0x') ? tokens?.get(canonicalOn(chainId, address)) : found;
	}

	/** The token at an address on whatever chain has it. */
	tokenAnywhere(address: string): Token | undefined {
		for (const chainId of this.#chains.keys()) {
			const token = this.token(chainId, address);
			if (token) return token;
		}
		return undefined;
	}

	/** The row of a token's pool, or undefined when the token has no such pool. */
	poolRow(token: Token, address: string): number | undefined {
		const wanted = canonicalOn(token.chainId, address);
		const isIt = (row: number): boolean => {
			const pool = this.#listings[row]?.pool;
			return pool != null && canonicalOn(token.chainId, pool) === wanted;
		};
		return isIt(token.row) ? token.row : token.otherRows.find(isIt);
	}

	/** True for the address of a pool in the table, on any chain. */
	isPool(address: string): boolean {
		const own = address.toLowerCase();
		return this.#listings.some(listing => listing?.pool?.toLowerCase() === own);
	}

	/** The one object for all pools of this kind. */
	venueOf({type, factory, exchange, quote}: PoolFacts): Venue {
		const name = `${type}|${factory}|${exchange?.name}|${quote.address}`;
		const known = this.#venues.get(name);
		if (known) return known;
		const venue = {type, factory, exchange, quote};
		this.#venues.set(name, venue);
		return venue;
	}
}
