import {entryKey} from '../../../source/contract/entry.ts';
import {FIELDS, type Field, type FieldName} from '../../../source/contract/fields.ts';
import type {WalletLabels} from '../../../source/contract/labels.ts';
import type {MarketEvent, Security} from '../../../source/service/market/events.ts';
import {
	type Market,
	type MarketLog,
	type MarketTable,
	type PricePoint,
	ROW,
} from '../../../source/service/market/market.ts';

/** Fields of a row by their one name; dates in Unix ms. `quote` is the address of the pool's other token. */
export type TinyRow = {readonly [name in FieldName]?: number | string | boolean | null} & {
	readonly quote?: string;
	readonly bits?: number;
	readonly security?: Security | null;
};

/** A market held in plain arrays that a test fills by hand: the reference behind the tests of queries and stream. */
export class TinyMarket implements Market {
	time = 1_700_000_000_000;
	readonly rows: (TinyRow | undefined)[] = [];
	/** Largest holders by row, as they go over the wire; sent with tokens that a request names, as the real market does. */
	readonly holders = new Map<number, readonly Record<string, unknown>[]>();
	readonly #numbers = new Map<string, Float64Array>();
	readonly #texts = new Map<string, (string | null)[]>();
	readonly #capacity: number;
	readonly #bits: Uint8Array;
	readonly #versions: Uint32Array;
	readonly #changed = new Set<number>();
	readonly #listeners = new Set<(event: MarketEvent) => void>();
	readonly table: MarketTable;
	/** Set where the market is that of a replica. */
	readonly log?: MarketLog;

	constructor({capacity = 4096, log}: {capacity?: number; log?: MarketLog} = {}) {
		this.#capacity = capacity;
		if (log) this.log = log;
		this.#bits = new Uint8Array(capacity);
		this.#versions = new Uint32Array(capacity);
		const market = this;
		this.table = {
			get length() {
				return market.rows.length;
			},
			bits: this.#bits,
			numbers: name => market.#column(name),
			texts: name => market.#text(name),
			text: (name, row) => market.#text(name)[row] ?? null,
			versions: () => this.#versions,
			key: row => keyOf(market.rows[row]),
			rowOf: key => {
				const at = market.rows.findIndex((r, i) => keyOf(r) === key && (this.#bits[i]! & ROW.main) !== 0);
				return at < 0 ? undefined : at;
			},
			security: row => this.rows[row]!.security ?? null,
			addresses: row => {
				const {address, quote, pool_address} = market.rows[row]!;
				return {token0: String(address), token1: quote ?? '', pool: (pool_address as string | null) ?? null};
			},
		};
	}

	add(row: TinyRow): number {
		const at = this.rows.push(undefined) - 1;
		this.put(at, row);
		return at;
	}

	/** Sets some fields of a row. */
	change(at: number, fields: TinyRow): void {
		this.put(at, {...this.rows[at], ...fields});
	}

	/** Replaces a row: also how a freed row is used again. */
	put(at: number, row: TinyRow): void {
		const filled: TinyRow = {chain_id: 'evm:8453', pool_address: `0xpool${at}`, ...row};
		this.rows[at] = filled;
		for (const field of FIELDS) {
			const value = filled[field.name] ?? null;
			if (field.kind === 'text') this.#text(field.name)[at] = value as string | null;
			else this.#column(field.name)[at] = value === null ? NaN : Number(value);
		}
		this.#bits[at] = row.bits ?? ROW.live | ROW.main;
		this.#touch(at);
	}

	free(at: number): void {
		this.#bits[at] = 0;
		this.#touch(at);
	}

	nowMs(): number {
		return this.time;
	}

	takeChanged(): readonly number[] {
		const changed = [...this.#changed];
		this.#changed.clear();
		return changed;
	}

	assetEntry(at: number, holders = 0): Record<string, unknown> {
		const row = this.rows[at]!;
		const entry: Record<string, unknown> = {};
		for (const field of FIELDS) {
			for (const name of field.asset) entry[name] = wireValue(row[field.name], field);
		}
		const {twitter = null, website = null, telegram = null} = row;
		const holdersList = holders > 0 ? (this.holders.get(at) ?? []) : [];
		const socials = {twitter, website, telegram, others: null};
		return {...entry, socials, security: row.security ?? null, holders_list: holdersList};
	}

	poolEntry(at: number): Record<string, unknown> {
		const row = this.rows[at]!;
		const entry: Record<string, unknown> = {};
		const pair: Record<string, unknown> = {};
		for (const field of FIELDS) {
			const value = wireValue(row[field.name], field);
			for (const name of field.pool) entry[name] = value;
			for (const name of field.pair) pair[name] = value;
		}
		const token0 = {address: row.address, chainId: row.chain_id};
		return {...entry, pair: {...pair, token0, baseToken: 'token0', quoteToken: 'token1'}};
	}

	walletLabels(addresses: readonly string[], tokenAddress?: string): WalletLabels[] {
		return addresses.map(walletAddress => {
			const made = this.rows.filter(row => row?.deployer === walletAddress);
			const ofToken = made.some(row => tokenAddress === undefined || row?.address === tokenAddress);
			return {walletAddress, labels: ofToken && made.length > 0 ? ['dev'] : []};
		});
	}

	priceHistory(key: string, sinceMs: number): readonly PricePoint[] | undefined {
		const row = this.table.rowOf(key);
		if (row === undefined) return undefined;
		const price = this.#column('latest_price')[row]!;
		return Array.from({length: 48}, (_, i) => ({
			timeMs: this.time - (47 - i) * 1_800_000,
			price: price * (1 + Math.sin(i / 5) / 2),
		})).filter(point => point.timeMs >= sinceMs);
	}

	find(text: string, chainId?: string): readonly number[] {
		const wanted = text.toLowerCase();
		const found = [...this.rows.keys()].filter(at => {
			const row = this.rows[at];
			if (!row || (this.#bits[at]! & ROW.main) === 0) return false;
			if (chainId !== undefined && row.chain_id !== chainId) return false;
			return [row.address, row.symbol, row.name].some(value => String(value).toLowerCase() === wanted);
		});
		return found;
	}

	onEvent(listener: (event: MarketEvent) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/** Sends an event to the listeners; the rows stay as the test has put them. */
	emit(event: MarketEvent): void {
		for (const listener of this.#listeners) listener(event);
	}

	get listeners(): number {
		return this.#listeners.size;
	}

	#touch(at: number): void {
		this.#versions[at]!++;
		this.#changed.add(at);
	}

	#column(name: string): Float64Array {
		const column = this.#numbers.get(name) ?? new Float64Array(this.#capacity).fill(NaN);
		this.#numbers.set(name, column);
		return column;
	}

	#text(name: string): (string | null)[] {
		const column = this.#texts.get(name) ?? [];
		this.#texts.set(name, column);
		return column;
	}
}

/** Adds the next token to a market that starts with `count` tokens: every third is bonded, the others are on their curves. */
export function launchToken(market: TinyMarket, count: number): void {
	const i = market.rows.length;
	market.add({
		address: `0x${String(i).padStart(40, '0')}`,
		chain_id: 'evm:8453',
		symbol: `T${i}`,
		name: `Token ${i}`,
		source: 'pumpfun',
		bonded: i % 3 === 2,
		bonding_percentage: i % 3 === 2 ? 100 : (i * 7) % 100,
		created_at: market.time - (count - i) * 1000,
		latest_trade_date: market.time,
		market_cap: 10_000 + i * 1000,
		volume_1h: i,
		trades_1h: 5,
		holders_count: 10 + i,
	});
}

function keyOf(row: TinyRow | undefined): string {
	return entryKey(String(row?.chain_id), String(row?.address));
}

/** Counts and sums over trades, which are 0 without any. */
const OF_TRADES = /^(?!trending).*_\d+(?:min|h)(?:_ago)?$/;

function wireValue(value: number | string | boolean | null | undefined, {name, kind}: Field): unknown {
	if (value === undefined || value === null) return OF_TRADES.test(name) ? 0 : null;
	return kind === 'date' ? new Date(Number(value)).toISOString() : value;
}
