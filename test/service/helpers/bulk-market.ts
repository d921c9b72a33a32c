import {entryKey} from '../../../source/contract/entry.ts';
import {FIELDS} from '../../../source/contract/fields.ts';
import {type Market, type MarketTable, ROW} from '../../../source/service/market/market.ts';

const CHAINS = ['solana:solana', 'solana:solana', 'solana:solana', 'evm:8453', 'evm:56', 'evm:42161'] as const;
const TYPES = ['pumpfun', 'pumpfun', 'pumpswap', 'raydium-launchlab', 'fourmeme', 'uniswap-v3', 'uniswap-v4'] as const;
const WORDS = ['pepe', 'cat', 'moon', 'elon', 'frog', 'based', 'doge', 'ai', 'baby', 'chad', 'wif', 'inu'] as const;

/** Columns that hold something; all others are unknown. */
export const BULK_NUMBERS = [
	'created_at',
	'market_cap',
	'liquidity',
	'volume_1h',
	'volume_24h',
	'trades_1h',
	'holders_count',
	'price_change_24h',
	'dev_holdings_percentage',
	'bonding_percentage',
	'bonded',
	'latest_trade_date',
] as const;
type BulkNumber = (typeof BULK_NUMBERS)[number];
export const BULK_TEXTS = ['chain_id', 'type', 'symbol', 'name', 'source', 'address'] as const;

/**
 * A market of any size made at once, with the spread of a real feed: most tokens are dead, sizes are log-normal. For
 * measurements: the same seed is the same market.
 */
export class BulkMarket implements Market {
	readonly time = 1_700_000_000_000;
	readonly table: MarketTable;
	readonly #numbers: Record<string, Float64Array> = {};
	readonly #texts: Record<string, (string | null)[]> = {};
	readonly #versions: Uint32Array;
	readonly #keys: string[] = [];
	readonly #unknown: Float64Array;
	readonly #random: () => number;
	#changed: number[] = [];

	constructor(size: number, {seed = 7} = {}) {
		this.#random = mulberry32(seed);
		this.#versions = new Uint32Array(size).fill(1);
		this.#unknown = new Float64Array(size).fill(NaN);
		for (const name of BULK_NUMBERS) this.#numbers[name] = new Float64Array(size);
		for (const name of BULK_TEXTS) this.#texts[name] = new Array(size).fill(null);
		const noTexts: null[] = new Array(size).fill(null);
		const bits = new Uint8Array(size).fill(ROW.live | ROW.main);
		for (let row = 0; row < size; row++) this.#fill(row);
		const rowsByKey = new Map(this.#keys.map((key, row) => [key, row]));
		this.table = {
			length: size,
			bits,
			numbers: name => this.#numbers[name] ?? this.#unknown,
			texts: name => this.#texts[name] ?? noTexts,
			text: (name, row) => this.#texts[name]?.[row] ?? null,
			versions: () => this.#versions,
			key: row => this.#keys[row]!,
			rowOf: key => rowsByKey.get(key),
			security: () => null,
			addresses: row => ({token0: this.#texts['address']![row]!, token1: 'quote', pool: `pool${row}`}),
		};
	}

	/** A trade on some token: its figures move. Lively tokens are hit more often than others. */
	touch(nowMs = this.time): number {
		const row = Math.floor(this.#random() ** 3 * this.table.length);
		const factor = Math.exp(this.#normal() / 30);
		for (const name of ['market_cap', 'liquidity', 'price_change_24h'] as const) this.#numbers[name]![row]! *= factor;
		for (const name of ['volume_1h', 'volume_24h'] as const) this.#numbers[name]![row]! += 50 * factor;
		this.#numbers['trades_1h']![row]!++;
		this.#numbers['latest_trade_date']![row] = nowMs;
		this.#versions[row]!++;
		this.#changed.push(row);
		return row;
	}

	/** A market without events. */
	onEvent(): () => void {
		return () => {};
	}

	nowMs(): number {
		return this.time;
	}

	takeChanged(): readonly number[] {
		const changed = [...new Set(this.#changed)];
		this.#changed = [];
		return changed;
	}

	/** As many fields as a real entry. */
	assetEntry(row: number): Record<string, unknown> {
		const entry: Record<string, unknown> = {};
		for (const field of FIELDS) {
			const value = this.#texts[field.name]?.[row] ?? this.#numbers[field.name]?.[row] ?? 12.5;
			for (const name of field.asset) entry[name] = value;
		}
		return entry;
	}

	poolEntry(row: number): Record<string, unknown> {
		return this.assetEntry(row);
	}

	walletLabels(): never[] {
		return [];
	}

	priceHistory(): undefined {
		return undefined;
	}

	find(): readonly number[] {
		return [];
	}

	#fill(row: number): void {
		const random = this.#random;
		const isAlive = random() < 0.15;
		const isBonded = random() < 0.1;
		const figures: Record<BulkNumber, number> = {
			created_at: this.time - Math.floor(random() * 86_400_000),
			market_cap: random() < 0.02 ? NaN : Math.exp(9 + 2 * this.#normal()),
			liquidity: Math.exp(8 + 2 * this.#normal()),
			volume_1h: isAlive ? Math.exp(7 + 2 * this.#normal()) : 0,
			volume_24h: Math.exp(8 + 2 * this.#normal()),
			trades_1h: isAlive ? Math.floor(Math.exp(3 + this.#normal())) : 0,
			holders_count: Math.floor(Math.exp(3 + 1.5 * this.#normal())),
			price_change_24h: 100 * this.#normal(),
			dev_holdings_percentage: random() < 0.1 ? NaN : random() ** 4 * 100,
			bonding_percentage: isBonded ? 100 : random() * 100,
			bonded: Number(isBonded),
			latest_trade_date: this.time - Math.floor(random() * 3_600_000),
		};
		for (const name of BULK_NUMBERS) this.#numbers[name]![row] = figures[name];
		const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
		const chain = pick(CHAINS);
		const [first, second] = [pick(WORDS), pick(WORDS)];
		const address = `0x${((row * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}${row.toString(16).padStart(32, '0')}`;
		const texts = {
			chain_id: chain,
			type: pick(TYPES),
			symbol: `${first}${row % 1000}`.toUpperCase(),
			name: `${first} ${second}`,
			source: 'pumpfun',
			address,
		};
		for (const name of BULK_TEXTS) this.#texts[name]![row] = texts[name];
		this.#keys.push(entryKey(chain, address));
	}

	#normal(): number {
		return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
	}
}

function mulberry32(state: number): () => number {
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
	};
}
