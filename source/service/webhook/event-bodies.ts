import {entryKey} from '../../contract/entry.ts';
import type {Value} from '../../contract/filter-test.ts';
import {once} from '../../contract/schema.ts';
import {wireAddress} from '../market/address.ts';
import type {LaunchEvent, MarketEvent, MigrateEvent, TradeEvent, TransferEvent} from '../market/events.ts';
import type {Market} from '../market/market.ts';
import {ChainPlaces, type Place} from './chain-places.ts';
import {
	blockOf,
	type Deliverable,
	flat,
	launched,
	launchpadOf,
	lazily,
	pooled,
	quoted,
	swapOf,
	type Traded,
	transferOf,
} from './event-forms.ts';

const OTHER_POOLS = 1000;
const REMEMBERED_POOLS = 10_000;

/** A market event that a webhook may get. */
export type DeliveredEvent = TradeEvent | TransferEvent | LaunchEvent | MigrateEvent;

export function isDelivered(event: MarketEvent): event is DeliveredEvent {
	return event.type === 'trade' || event.type === 'transfer' || event.type === 'launch' || event.type === 'migrate';
}

/**
 * Writes market events as webhooks deliver them (contract gaps 8), right after they have taken effect. The market's
 * table shows tokens as of its last step, so launches and moves since then are remembered until `forget`.
 */
export class EventBodies {
	readonly #market: Market;
	readonly #places = new ChainPlaces();
	readonly #fresh = new Map<string, Traded>();
	/** Main pools of tokens as of the newest event that was read, where the table may be ahead. */
	readonly #pools: Map<string, Traded['pool']> | undefined;
	/** Rows of pools that are not their token's main one, by address. */
	readonly #otherPools = new Map<string, number>();

	/** @param isBehind the events are not the market's newest: its table may show later ones */
	constructor(market: Market, {isBehind = false}: {readonly isBehind?: boolean} = {}) {
		this.#market = market;
		if (isBehind) this.#pools = new Map();
	}

	/** To be called after a step of the market: its table is current again. */
	forget(): void {
		this.#fresh.clear();
		if (this.#pools && this.#pools.size > REMEMBERED_POOLS) this.#pools.clear();
	}

	/** To be called when events were taken back. */
	forgetPools(): void {
		this.#pools?.clear();
	}

	/** Reads an event even without a subscriber: later events may need its facts. */
	notice(event: MarketEvent): void {
		if (event.type !== 'launch' && event.type !== 'migrate') return;
		const key = entryKey(event.chainId, event.token);
		if (event.type === 'launch' || event.main) this.#pools?.set(key, event.pool && pooled(event.chainId, event.pool));
		if (event.type === 'launch') this.#fresh.set(key, launched(event));
		else if (event.main) {
			const before = this.#fresh.get(key) ?? this.#fromTable(event);
			if (before) this.#fresh.set(key, {...before, pool: pooled(event.chainId, event.pool)});
		}
	}

	/**
	 * The event in each of its forms; empty when none is delivered. It is numbered in its block, and the token's facts are read;
	 * all else is done when a form is asked for.
	 */
	write(event: MarketEvent): readonly Deliverable[] {
		if (!isDelivered(event)) return [];
		if (event.type === 'launch' && (event.kind !== 'token' || event.pool === null)) return [];
		const traded = this.#traded(event);
		if (traded === undefined) return [];
		const place = this.#places.place(event, event.block);
		const main = this.#forms(event, traded, place);
		return place.isFirst ? [lazily('block', event, () => flat(blockOf(event, place))), ...main] : main;
	}

	#forms(event: DeliveredEvent, traded: Traded, place: Place): Deliverable[] {
		switch (event.type) {
			case 'trade':
				return this.#swaps(event, traded, place);
			case 'transfer': {
				const make = () => {
					const data = transferOf(event, traded, place);
					return {fields: data, body: {type: 'transfer', data}};
				};
				return [lazily('transfer', event, make)];
			}
			case 'launch':
				return [lazily('launchpad', event, () => flat(launchpadOf('created', event, traded, place)))];
			case 'migrate':
				// A further pool beside the main one is no step of the launch.
				if (!event.main) return [];
				return [lazily('launchpad', event, () => flat(launchpadOf('bonded', event, traded, place)))];
		}
	}

	/** A trade with and without the token's figures. */
	#swaps(event: TradeEvent, traded: Traded, place: Place): Deliverable[] {
		const swap = once(() => {
			// The table is searched for another pool only now. What it says of a pool does not change later.
			const at = event.pool === null ? traded : this.#inPool(event.chainId, traded, event.pool);
			return at && swapOf(event, at, place);
		});
		return [
			lazily('swap', event, () => {
				const body = swap();
				return body && flat(body);
			}),
			lazily('swap-enriched', event, () => {
				const body = swap();
				return body && flat({...body, type: 'swap-enriched', ...this.#figures(event, traded)});
			}),
		];
	}

	/** The figures of a token before a swap, which the swap event does not have: as of when they are asked for. */
	#figures({chainId, token}: TradeEvent, {symbol, name, pool}: Traded): Record<string, Value> {
		const {table} = this.#market;
		const row = table.rowOf(entryKey(chainId, token));
		const figure = (column: 'market_cap' | 'liquidity' | 'holders_count'): number | null => {
			const value = row === undefined ? Number.NaN : (table.numbers(column)[row] ?? Number.NaN);
			return Number.isNaN(value) ? null : value;
		};
		return {
			symbolToken0: symbol,
			nameToken0: name,
			symbolToken1: pool?.quote.symbol ?? null,
			marketCapUSD: figure('market_cap'),
			liquidityUSD: figure('liquidity'),
			holdersCount: figure('holders_count'),
		};
	}

	/** The token's facts at an event; undefined for an unknown token. */
	#traded({chainId, token}: DeliveredEvent): Traded | undefined {
		const key = entryKey(chainId, token);
		const fresh = this.#fresh.get(key);
		const row = fresh ? undefined : this.#market.table.rowOf(key);
		const pool = this.#pools?.get(key);
		if (pool === undefined) {
			const traded = fresh ?? (row === undefined ? undefined : this.#atRow(chainId, row));
			if (traded) this.#pools?.set(key, traded.pool);
			return traded;
		}
		if (fresh) return {...fresh, pool};
		return row === undefined ? undefined : this.#atRow(chainId, row, pool);
	}

	#fromTable({chainId, token}: {readonly chainId: string; readonly token: string}): Traded | undefined {
		const row = this.#market.table.rowOf(entryKey(chainId, token));
		return row === undefined ? undefined : this.#atRow(chainId, row);
	}

	/** The token in one of its pools. */
	#inPool(chainId: string, traded: Traded, pool: string): Traded | undefined {
		const address = wireAddress(chainId, pool);
		if (traded.pool?.address === address) return traded;
		const {table} = this.#market;
		let row = this.#otherPools.get(address);
		if (row === undefined || row >= table.length || table.addresses(row).pool !== address) {
			row = 0;
			while (row < table.length && (table.bits[row] === 0 || table.addresses(row).pool !== address)) row++;
			if (row === table.length) return undefined;
			if (this.#otherPools.size >= OTHER_POOLS) this.#otherPools.clear();
			this.#otherPools.set(address, row);
		}
		return this.#atRow(chainId, row);
	}

	#atRow(chainId: string, row: number, pool = this.#poolAt(chainId, row)): Traded {
		const {table} = this.#market;
		const supply = table.numbers('total_supply')[row];
		return {
			symbol: table.text('symbol', row),
			name: table.text('name', row),
			decimals: table.numbers('decimals')[row] ?? 0,
			supply: supply === undefined || Number.isNaN(supply) ? null : supply,
			pool,
		};
	}

	#poolAt(chainId: string, row: number): Traded['pool'] {
		const {table} = this.#market;
		const {pool, token1} = table.addresses(row);
		if (pool === null) return null;
		const quoteRow = table.rowOf(entryKey(chainId, token1));
		return {
			address: pool,
			type: table.text('type', row) ?? '',
			quote: quoted(chainId, {
				address: token1,
				symbol: quoteRow === undefined ? null : table.text('symbol', quoteRow),
				decimals: quoteRow === undefined ? 18 : (table.numbers('decimals')[quoteRow] ?? 18),
			}),
		};
	}
}
