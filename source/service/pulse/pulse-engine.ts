import QuickLRU from 'quick-lru';
import {foldAddress} from '../../address.ts';
import {entryKey} from '../../contract/entry.ts';
import type {ViewQuery} from '../../contract/pulse-query.ts';
import {type Market, type MarketTable, ROW} from '../market/market.ts';
import {RowBuffers} from './row-buffers.ts';
import {type ScanSource, scan} from './scan.ts';
import {SearchTexts} from './search-texts.ts';
import {compareRows, type RowOrder, topRows} from './top-rows.ts';
import {rowBits, viewSignature, wholeFilter} from './view-filter.ts';

/** How long a count may be served again (spec 4.3: counts are cached). */
const COUNT_MS = 3000;
const COUNTS_KEPT = 500;

/**
 * Answers views from the market's table: a scan of all rows, then a selection of the page. Everything is computed in the
 * call; only counts are cached. A page takes 0.1 ms over the 6,500 rows of the simulated market and 1 to 5 ms over 100,000
 * (`npm run bench -- pulse`).
 */
export class PulseEngine {
	readonly #market: Market;
	readonly #buffers = new RowBuffers();
	readonly #counts = new QuickLRU<string, {count: number; atMs: number}>({maxSize: COUNTS_KEPT / 2});
	readonly #texts = new SearchTexts();
	#chains: {ids: Set<string>; length: number; atMs: number} | undefined;

	constructor(market: Market) {
		this.#market = market;
	}

	/** The rows of a view's page, in order, with the included tokens in their positions (spec 4.1). */
	page(view: ViewQuery): number[] {
		const {rows} = this.first(view, view.offset, view.offset + view.limit);
		const included = this.included(view).filter(row => !rows.includes(row));
		if (included.length === 0) return rows;
		const order = this.order(view);
		return [...rows, ...included].sort((a, b) => compareRows(order, a, b));
	}

	/** The number of rows that match a view, regardless of its page and included tokens. At most three seconds old. */
	count(view: ViewQuery): number {
		const signature = viewSignature(view);
		const now = performance.now();
		const known = this.#counts.get(signature);
		if (known && now - known.atMs < COUNT_MS) return known.count;
		const list = this.#buffers.list(this.#market.table.length);
		const count = this.#keep(view, list, candidates(this.#market.table, view, list));
		this.#buffers.releaseList(list);
		this.#counts.set(signature, {count, atMs: now});
		return count;
	}

	/** Matching rows `from` to `to` in the view's order, and whether they are the last ones. */
	first(view: ViewQuery, from: number, to: number): {rows: number[]; isComplete: boolean} {
		const {table} = this.#market;
		const order = this.order(view);
		const list = this.#buffers.list(table.length);
		try {
			const count = this.#keep(view, list, candidates(table, view, list));
			return {rows: topRows(order, list, count, from, to), isComplete: to >= count};
		} finally {
			this.#buffers.releaseList(list);
		}
	}

	/** Those of the given rows that match a view. */
	matching(view: ViewQuery, rows: readonly number[]): number[] {
		const {bits} = this.#market.table;
		const {mask, value} = rowBits(view);
		const list = this.#buffers.list(rows.length);
		let size = 0;
		for (const row of rows) if ((bits[row]! & mask) === value) list[size++] = row;
		const kept = this.#keep(view, list, size);
		const found = Array.from(list.subarray(0, kept));
		this.#buffers.releaseList(list);
		return found;
	}

	/** Rows of a view's includeTokens: on its chains, regardless of its filters; unknown addresses are ignored. */
	included(view: ViewQuery): number[] {
		if (view.includeTokens.length === 0) return [];
		const {table} = this.#market;
		const chains = view.chainIds.length > 0 ? view.chainIds : this.#chainIds();
		const rows = new Set<number>();
		for (const address of view.includeTokens) {
			for (const chain of chains) {
				const row = table.rowOf(entryKey(chain, address));
				if (row !== undefined && (table.bits[row]! & ROW.live) !== 0) rows.add(row);
			}
		}
		return [...rows];
	}

	/** The order of a view. Valid for one query: columns may be replaced. */
	order(view: ViewQuery): RowOrder {
		const {table} = this.#market;
		return {
			values: table.numbers(view.sort.field.name as Parameters<MarketTable['numbers']>[0]),
			descending: view.sort.order === 'desc',
			// Several pools of one token share its key.
			key: view.excludeDuplicates
				? row => table.key(row)
				: row => `${table.key(row)}|${table.addresses(row).pool ?? ''}`,
		};
	}

	#keep(view: ViewQuery, list: Int32Array, size: number): number {
		const {table} = this.#market;
		const source: ScanSource = {table, buffers: this.#buffers, texts: this.#texts, nowMs: this.#market.nowMs()};
		const kept = scan(wholeFilter(view), source, list, size);
		return view.addressToExclude.length === 0 ? kept : withoutAddresses(table, view.addressToExclude, list, kept);
	}

	#chainIds(): ReadonlySet<string> {
		const {table} = this.#market;
		const now = performance.now();
		if (!this.#chains || now - this.#chains.atMs > 10_000) {
			this.#chains = {ids: new Set(), length: 0, atMs: now};
		}
		const chains = table.texts('chain_id');
		for (; this.#chains.length < table.length; this.#chains.length++) {
			const id = chains[this.#chains.length];
			if (id != null) this.#chains.ids.add(id);
		}
		return this.#chains.ids;
	}
}

/** Fills the list with the rows that a view may hold, by their ROW bits alone, and returns their number. */
function candidates(table: MarketTable, view: ViewQuery, list: Int32Array): number {
	const {mask, value} = rowBits(view);
	const {bits, length} = table;
	let size = 0;
	for (let row = 0; row < length; row++) {
		list[size] = row;
		size += Number((bits[row]! & mask) === value);
	}
	return size;
}

function withoutAddresses(table: MarketTable, addresses: readonly string[], list: Int32Array, count: number): number {
	const excluded = new Set(addresses);
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = list[i]!;
		const {token0, token1, pool} = table.addresses(row);
		const isExcluded =
			excluded.has(foldAddress(token0)) ||
			excluded.has(foldAddress(token1)) ||
			(pool !== null && excluded.has(foldAddress(pool)));
		if (!isExcluded) list[kept++] = row;
	}
	return kept;
}
