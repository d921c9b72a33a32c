import {foldAddress} from '../../address.ts';
import {canonicalOn} from './address.ts';
import type {PoolFacts} from './events.ts';
import {mayHold, packListing, type Shared, unpackListing} from './packed-listing.ts';
import {TextIndex} from './text-index.ts';
import type {Listing, Token, Venue} from './token.ts';

/**
 * Which tokens there are and in which rows: by address, by key, by row. Rows given back are used again.
 *
 * Dead tokens are kept packed. What is read of one is a copy, made anew when another was read in between, and cannot be
 * changed; to change a token, `wake` it first.
 */
export class Catalog {
	/** One more than the highest row ever used. */
	length = 0;
	/** A packed one is a string. */
	readonly #listings: (Listing | string | undefined)[] = [];
	/** Main rows by token, and all rows by pool. */
	readonly #tokens = new TextIndex();
	readonly #pools = new TextIndex();
	readonly #freeRows: number[] = [];
	readonly #venues = new Map<string, Venue>();
	readonly #shared = {chains: [] as string[], venues: [] as Venue[]} satisfies Shared;
	/** The packed listing read last: all columns of a row are read one after another. */
	#unpacked: {row: number; listing: Listing} | undefined;

	/** Rows in use. */
	get used(): number {
		return this.length - this.#freeRows.length;
	}

	/** Makes room for rows. */
	reserveRows(rows: number): void {
		this.#tokens.reserveRows(rows);
		this.#pools.reserveRows(rows);
	}

	/** A free row; the lowest number that was never used when none was given back. */
	takeRow(): number {
		return this.#freeRows.pop() ?? this.length++;
	}

	/** Says what a row is from now on. */
	put(row: number, listing: Listing): void {
		this.#set(row, listing);
		this.#pools.remove(row);
		if (listing.pool !== null) this.#pools.add(foldAddress(listing.pool), row);
	}

	giveRow(row: number): void {
		this.#set(row, undefined);
		this.#pools.remove(row);
		this.#freeRows.push(row);
	}

	/** Adds a token whose main row was `put`. */
	add(token: Token): void {
		if (!this.#shared.chains.includes(token.chainId)) this.#shared.chains.push(token.chainId);
		this.#tokens.add(foldAddress(token.address), token.row);
	}

	remove(token: Token): void {
		this.#tokens.remove(token.row);
	}

	/** What a live row is; undefined for a free one. */
	find(row: number): Listing | undefined {
		const listing = this.#listings[row];
		if (typeof listing !== 'string') return listing;
		if (this.#unpacked?.row !== row) this.#unpacked = {row, listing: unpackListing(row, listing, this.#shared)};
		return this.#unpacked.listing;
	}

	/** The token at an address, or undefined. */
	token(chainId: string, address: string): Token | undefined {
		return this.#token(address, token => token.chainId === chainId);
	}

	/** The token at an address on whatever chain has it. */
	tokenAnywhere(address: string): Token | undefined {
		return this.#token(address, () => true);
	}

	/** The row of a token's pool, or undefined when the token has no such pool. */
	poolRow(token: Token, address: string): number | undefined {
		const isIt = (row: number): boolean => {
			const pool = this.find(row)?.pool;
			return pool != null && isSame(token, pool, address);
		};
		return isIt(token.row) ? token.row : token.otherRows.find(isIt);
	}

	/** True for the address of a pool in the table, on any chain. */
	isPool(address: string): boolean {
		const isIt = (row: number): boolean => {
			const {token, pool} = this.find(row)!;
			return isSame(token, pool!, address);
		};
		return this.#pools.find(foldAddress(address), isIt) !== undefined;
	}

	/** Packs a dead token away, if it has no further pools. */
	pack(token: Token): void {
		const listing = this.#listings[token.row];
		if (typeof listing !== 'object' || token.otherRows.length > 0) return;
		this.#set(token.row, packListing(listing, this.#shared));
	}

	/** The token itself, to be changed: it is not packed any more, and no longer compact. */
	wake(token: Token): Token {
		const {row} = token;
		let listing = this.find(row)!;
		if (typeof this.#listings[row] === 'string') {
			// The copy holds the profile itself, not a way to unpack it.
			listing = {...listing, token: {...listing.token}};
			this.#set(row, listing);
		}
		listing.token.isCompact = false;
		return listing.token;
	}

	/** A test of rows for a text in lower case: false only for those whose address, symbol and name surely hold it nowhere, in whatever case. */
	mayHold(text: string): (row: number) => boolean {
		const test = mayHold(text);
		return row => {
			const listing = this.#listings[row];
			return typeof listing === 'string' ? test(listing) : listing !== undefined;
		};
	}

	/** The one object for all pools of this kind. */
	venueOf({type, factory, exchange, quote}: PoolFacts): Venue {
		const name = `${type}|${factory}|${exchange?.name}|${quote.address}`;
		const known = this.#venues.get(name);
		if (known) return known;
		const venue = {type, factory, exchange, quote};
		this.#venues.set(name, venue);
		this.#shared.venues.push(venue);
		return venue;
	}

	#token(address: string, isIt: (token: Token) => boolean): Token | undefined {
		const row = this.#tokens.find(foldAddress(address), candidate => {
			const {token} = this.find(candidate)!;
			return isIt(token) && isSame(token, token.address, address);
		});
		return row === undefined ? undefined : this.find(row)!.token;
	}

	#set(row: number, listing: Listing | string | undefined): void {
		this.#listings[row] = listing;
		if (this.#unpacked?.row === row) this.#unpacked = undefined;
	}
}

function isSame({chainId}: Token, own: string, address: string): boolean {
	return own === address || canonicalOn(chainId, own) === canonicalOn(chainId, address);
}
