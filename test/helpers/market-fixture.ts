import type {TextFieldName} from '../../source/contract/fields.ts';
import {fieldOf} from '../../source/contract/fields.ts';
import {CHAINS, LAUNCHPADS} from '../../source/service/market/chains.ts';
import type {Security} from '../../source/service/market/events.ts';
import {type Market, type MarketTable, ROW} from '../../source/service/market/market.ts';
import {mix, Random} from '../../source/service/market/simulator/random.ts';
import {createMarketTable, type NumericFieldName, type RowSource} from '../../source/service/market/table.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 12);
const DAY_MS = 86_400_000;
const SYMBOLS = ['PEPE', 'FROG', 'CAT', 'DOGE', 'GOAT', 'AGENT', 'MOON', 'WIF', 'INU', 'GIGA'];

const SECURITIES: readonly Security[] = [
	{isHoneypot: false, buyTax: '0', renounced: true},
	{isHoneypot: false, buyTax: '5', renounced: false},
	{isHoneypot: true, buyTax: '99', renounced: false},
];

/**
 * A table of any size, full at once: each column is drawn when it is first asked for, with the skew of real figures.
 * The same count and seed give the same table. Figures of a row do not add up; only `bonded`, `bonding_percentage` and
 * `bonded_at` agree. One row in 50 is a duplicate pool, one in 200 a quote coin, one in 200 an LP wrapper; 3 % of figures
 * are unknown.
 */
export function randomTable(count: number, seed = 1): MarketTable {
	return createMarketTable(new RandomRows(count, seed));
}

/** A market around such a table, for what asks for a whole one: its clock stands still and nothing ever changes. */
export function randomMarket(count: number, seed = 1): Market {
	const table = randomTable(count, seed);
	const entry = (row: number): Record<string, unknown> => ({
		address: table.addresses(row).token0,
		chainId: table.texts('chain_id')[row],
		symbol: table.texts('symbol')[row],
		market_cap: table.numbers('market_cap')[row],
		created_at: new Date(table.numbers('created_at')[row]!).toISOString(),
	});
	return {
		table,
		nowMs: () => NOW_MS,
		takeChanged: () => [],
		assetEntry: entry,
		poolEntry: entry,
		walletLabels: addresses => addresses.map(walletAddress => ({walletAddress, labels: []})),
		priceHistory: () => undefined,
		find: () => [],
		onEvent: () => () => {},
	};
}

class RandomRows implements RowSource {
	readonly length: number;
	readonly bits: Uint8Array;
	readonly versions: Uint32Array;
	readonly #seed: number;

	constructor(count: number, seed: number) {
		this.length = count;
		this.#seed = seed;
		this.bits = new Uint8Array(count);
		this.versions = new Uint32Array(count).fill(1);
		for (let row = 0; row < count; row++) {
			const luck = this.#unit('bits', row);
			const kind = luck < 0.005 ? ROW.quote : luck < 0.01 ? ROW.lpToken : 0;
			this.bits[row] = ROW.live | (luck > 0.98 ? 0 : ROW.main) | kind;
		}
	}

	reader(name: NumericFieldName): (row: number) => number {
		if (name === 'bonded') return row => (this.#isBonded(row) ? 1 : 0);
		if (name === 'bonding_percentage') return row => (this.#isBonded(row) ? 100 : this.#unit(name, row) ** 2 * 99);
		if (name === 'bonded_at')
			return row => (this.#isBonded(row) ? NOW_MS - this.#unit(name, row) * DAY_MS : Number.NaN);
		const {kind} = fieldOf(name);
		const draw = (row: number): number => {
			const unit = this.#unit(name, row);
			switch (kind) {
				case 'date':
					return NOW_MS - Math.floor(unit ** 2 * DAY_MS);
				case 'boolean':
					return unit < 0.2 ? 1 : 0;
				case 'percent':
					return unit ** 3 * 100;
				case 'integer':
					return Math.floor(10 ** (unit * 4) - 1);
				default:
					return 10 ** (unit * 7) - 1;
			}
		};
		return kind === 'date' ? draw : row => (this.#unit(`${name} unknown`, row) < 0.03 ? Number.NaN : draw(row));
	}

	text(name: TextFieldName, row: number): string | null {
		const pad = LAUNCHPADS[this.#index('pad', row, LAUNCHPADS.length)]!;
		switch (name) {
			case 'address':
				return this.addresses(row).token0;
			case 'pool_address':
				return this.addresses(row).pool;
			case 'chain_id':
				return pad.chainId;
			case 'blockchain':
				return CHAINS.find(chain => chain.id === pad.chainId)!.name;
			case 'source':
				return pad.type;
			case 'type':
				return this.#isBonded(row) ? (pad.next?.type ?? pad.type) : pad.type;
			case 'factory':
			case 'source_factory':
				return pad.factory;
			case 'symbol':
				return SYMBOLS[this.#index(name, row, SYMBOLS.length)]!;
			case 'name':
				return `${SYMBOLS[this.#index(name, row, SYMBOLS.length)]} ${row % 997}`;
			default:
				return this.#unit(name, row) < 0.4 ? null : `${name} ${this.#index(name, row, 5000)}`;
		}
	}

	key(row: number): string {
		return `${this.text('chain_id', row)}|${this.addresses(row).token0}`;
	}

	rowOf(key: string): number | undefined {
		const row = Number.parseInt(key.slice(key.indexOf('|') + 3), 16);
		return row < this.length && this.key(row) === key ? row : undefined;
	}

	/** One row in ten has none. */
	security(row: number): Security | null {
		return this.#unit('security', row) < 0.1 ? null : SECURITIES[this.#index('security', row, SECURITIES.length)]!;
	}

	addresses(row: number): {readonly token0: string; readonly token1: string; readonly pool: string | null} {
		const own = row.toString(16).padStart(40, '0');
		const isPooled = (this.bits[row]! & (ROW.lpToken | ROW.quote)) === 0;
		return {
			token0: `0x${own}`,
			token1: '0x4200000000000000000000000000000000000006',
			pool: isPooled ? `0x9${own.slice(1)}` : null,
		};
	}

	#isBonded(row: number): boolean {
		return this.#unit('bonded', row) < 0.25;
	}

	#index(of: string, row: number, count: number): number {
		return Math.floor(this.#unit(of, row) * count);
	}

	/** A number of its own for every column and row, from 0 to 1. */
	#unit(of: string, row: number): number {
		return (mix(row ^ this.#hash(of)) >>> 0) / 4294967296;
	}

	#hashOf = '';
	#hashed = 0;

	#hash(of: string): number {
		if (of === this.#hashOf) return this.#hashed;
		let seed = this.#seed;
		for (let i = 0; i < of.length; i++) seed = (Math.imul(seed, 31) + of.charCodeAt(i)) | 0;
		this.#hashOf = of;
		this.#hashed = new Random(seed).uint32();
		return this.#hashed;
	}
}
