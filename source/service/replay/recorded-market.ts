import type {Entry} from '../../contract/entry.ts';
import type {TextFieldName} from '../../contract/fields.ts';
import type {RecordedEvent} from '../../contract/recording.ts';
import {Refused} from '../http-error.ts';
import type {Security} from '../market/events.ts';
import {bestMatches} from '../market/find.ts';
import {type Market, ROW} from '../market/market.ts';
import {grown} from '../market/segments.ts';
import {ColumnTable, type NumericFieldName, type RowSource} from '../market/table.ts';
import {recordedEntry} from './recorded-entry.ts';
import {type RecordedPrices, recordedPrices} from './recorded-prices.ts';

interface Token {
	readonly row: number;
	entry: Entry;
	/** The recorded views that hold the token now. */
	readonly views: Set<string>;
	readonly prices: RecordedPrices;
}

/** Number of tokens kept after they left every view, since a client may still show them. */
const MAX_DEPARTED = 2000;

/**
 * A market made of a recording: a row for each token, with the figures that were recorded last. Filters, sorts and
 * searches work as on any market, over the recorded tokens.
 *
 * Computes nothing: figures change when the recording has new ones. A recording has no wallets.
 */
export class RecordedMarket implements Market {
	readonly #source = new RecordedRows();
	readonly table = new ColumnTable(this.#source);
	readonly invented = 'recorded';
	readonly #members = new Map<string, Set<string>>();
	readonly #departed = new Set<string>();
	readonly #changed = new Set<number>();
	readonly #nowMs: () => number;

	/** @param nowMs the current recorded time */
	constructor(nowMs: () => number) {
		this.#nowMs = nowMs;
	}

	/** Applies a recorded event. */
	apply(event: Exclude<RecordedEvent, {type: 'end'}>): void {
		const members = this.#members.get(event.view) ?? new Set();
		this.#members.set(event.view, members);
		if (event.type === 'change') {
			for (const entry of event.upserts) this.#put(event.view, members, entry, event.atMs);
			for (const key of event.removed) this.#leave(event.view, members, key);
			return;
		}
		const stay = new Set(event.tokens.map(({key}) => key));
		for (const key of [...members]) if (!stay.has(key)) this.#leave(event.view, members, key);
		for (const entry of event.tokens) this.#put(event.view, members, entry, event.atMs);
	}

	/** Forgets everything: the recording starts again. */
	clear(): void {
		for (const [view, members] of this.#members) for (const key of [...members]) this.#leave(view, members, key);
		for (const key of [...this.#departed]) this.#forget(key);
	}

	nowMs(): number {
		return this.#nowMs();
	}

	takeChanged(): readonly number[] {
		const changed = [...this.#changed];
		this.#changed.clear();
		return changed;
	}

	assetEntry(row: number, holders = 0): Record<string, unknown> {
		return recordedEntry(this.#source.tokens[row]!.entry, holders);
	}

	/** @throws Refused */
	poolEntry(): Record<string, unknown> {
		throw new Refused(400, 'A recording holds tokens and not their pools: use assetMode');
	}

	/** @throws Refused: an answer without labels would be wrong */
	walletLabels(): never[] {
		throw new Refused(404, 'A recording holds no wallet labels');
	}

	priceHistory(key: string, sinceMs: number): ReturnType<Market['priceHistory']> {
		return this.#source.byKey.get(key)?.prices.since(sinceMs);
	}

	find(text: string, chainId?: string): readonly number[] {
		const tokens = this.#source.byKey.values().filter(({entry}) => chainId === undefined || entry.chain_id === chainId);
		return bestMatches(
			text,
			tokens.map(({row, entry: {chain_id, address, symbol = null, name = null, market_cap = Number.NaN}}) => ({
				row,
				chainId: chain_id,
				address,
				symbol,
				name,
				marketCap: market_cap,
				isQuote: false,
			})),
		);
	}

	/** A recording has no trades, so no event is ever emitted. */
	onEvent(): () => void {
		return () => {};
	}

	#put(view: string, members: Set<string>, entry: Entry, atMs: number): void {
		const token = this.#source.byKey.get(entry.key) ?? this.#source.add(entry);
		token.entry = entry;
		token.views.add(view);
		token.prices.add(entry, atMs);
		members.add(entry.key);
		this.#departed.delete(entry.key);
		this.#source.bits[token.row] = ROW.live | ROW.main;
		this.#touch(token.row);
	}

	/** A token that has left all views is still found by its address. */
	#leave(view: string, members: Set<string>, key: string): void {
		const token = this.#source.byKey.get(key);
		if (!members.delete(key) || token === undefined) return;
		token.views.delete(view);
		if (token.views.size === 0) {
			this.#source.bits[token.row] = ROW.live;
			this.#departed.add(key);
			const [oldest] = this.#departed;
			if (this.#departed.size > MAX_DEPARTED && oldest !== undefined) this.#forget(oldest);
		}
		this.#touch(token.row);
	}

	#forget(key: string): void {
		this.#departed.delete(key);
		const row = this.#source.remove(key);
		if (row !== undefined) this.#touch(row);
	}

	#touch(row: number): void {
		this.#source.versions[row]!++;
		this.table.refresh(row, true);
		this.#changed.add(row);
	}
}

/** The rows of the recorded tokens. */
class RecordedRows implements RowSource {
	readonly byKey = new Map<string, Token>();
	readonly tokens: (Token | undefined)[] = [];
	bits = new Uint8Array(256);
	versions = new Uint32Array(256);
	readonly #free: number[] = [];

	get length(): number {
		return this.tokens.length;
	}

	add(entry: Entry): Token {
		const row = this.#free.pop() ?? this.tokens.length;
		const token = {row, entry, views: new Set<string>(), prices: recordedPrices()};
		this.tokens[row] = token;
		this.byKey.set(entry.key, token);
		if (row >= this.bits.length) {
			this.bits = grown(this.bits, row * 2);
			this.versions = grown(this.versions, row * 2);
		}
		return token;
	}

	/** @returns the freed row */
	remove(key: string): number | undefined {
		const token = this.byKey.get(key);
		if (token === undefined) return undefined;
		this.byKey.delete(key);
		this.tokens[token.row] = undefined;
		this.bits[token.row] = 0;
		this.#free.push(token.row);
		return token.row;
	}

	reader(name: NumericFieldName): (row: number) => number {
		// Tokens in the view of bonded tokens are bonded, even when the service did not write so: the screen filters by
		// it.
		if (name === 'bonded') {
			return row => {
				const {entry, views} = this.tokens[row]!;
				return Number(entry.bonded ?? views.has('bonded'));
			};
		}
		return row => {
			const value = this.tokens[row]!.entry[name];
			return value === undefined ? Number.NaN : Number(value);
		};
	}

	text(name: TextFieldName, row: number): string | null {
		const {entry, views} = this.tokens[row]!;
		// As with `bonded`: the view of new tokens filters by `source`.
		if (name === 'source' && views.has('new')) return entry.source ?? entry.type ?? 'unknown';
		return entry[name] ?? null;
	}

	key(row: number): string {
		return this.tokens[row]?.entry.key ?? '';
	}

	rowOf(key: string): number | undefined {
		return this.byKey.get(key)?.row;
	}

	security(row: number): Security | null {
		return (this.tokens[row]?.entry.security as Security | undefined) ?? null;
	}

	addresses(row: number): {readonly token0: string; readonly token1: string; readonly pool: string | null} {
		const {address = '', pool_address: pool = null} = this.tokens[row]?.entry ?? {};
		return {token0: address, token1: '', pool};
	}
}
