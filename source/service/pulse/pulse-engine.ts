import QuickLRU from 'quick-lru';
import {foldAddress} from '../../address.ts';
import {entryKey} from '../../contract/entry.ts';
import type {ViewQuery} from '../../contract/pulse-query.ts';
import {type Market, type MarketTable, ROW} from '../market/market.ts';
import {KeyRanks} from './key-ranks.ts';
import {RowBuffers} from './row-buffers.ts';
import {type ScanSource, scan} from './scan.ts';
import {SearchTexts} from './search-texts.ts';
import {compareRows, type RowOrder, rankOf, topRows} from './top-rows.ts';
import {rowBits, viewSignature, wholeFilter} from './view-filter.ts';

/** How long a count may be served again (spec 4.3: counts are cached). */
const COUNT_MS = 3000;
const COUNTS_KEPT = 500;
/** With more rows than these, a sample of them is taken first. */
const MIN_ROWS_SAMPLED = 20_000;
const SAMPLE = 4096;

/**
 * Answers views from the market's table: a scan of all rows, then a selection of the page. Everything is computed in the
 * call; only counts are cached. A page takes 0.1 ms over the 6,500 rows of the simulated market. Samples, histograms and
 * the ranks of keys are for large tables: with them p99 is under 3 ms over 100,000 rows (`npm run bench -- pulse`).
 */
export class PulseEngine {
	readonly #market: Market;
	readonly #buffers = new RowBuffers();
	readonly #counts = new QuickLRU<string, {count: number; atMs: number; seq: number | undefined}>({
		maxSize: COUNTS_KEPT / 2,
	});
	readonly #texts = new SearchTexts();
	readonly #keyRanks: KeyRanks;
	#chains: {ids: Set<string>; length: number; atMs: number} | undefined;

	constructor(market: Market) {
		this.#market = market;
		this.#keyRanks = new KeyRanks(market.table);
	}

	/** The rows of a view's page, in order, with the included tokens in their positions (spec 4.1). */
	page(view: ViewQuery): number[] {
		const {rows} = this.first(view, view.offset, view.offset + view.limit);
		const included = this.included(view).filter(row => !rows.includes(row));
		if (included.length === 0) return rows;
		const order = this.order(view);
		return [...rows, ...included].sort((a, b) => compareRows(order, a, b));
	}

	/**
	 * The number of rows that match a view, regardless of its page and included tokens. At most three seconds old; on a
	 * replica it is that of its position, as other replicas answer there.
	 */
	count(view: ViewQuery): number {
		const signature = viewSignature(view);
		const now = performance.now();
		const seq = this.#market.log?.seq();
		const known = this.#counts.get(signature);
		if (known && now - known.atMs < COUNT_MS && known.seq === seq) return known.count;
		const list = this.#buffers.list(this.#market.table.length);
		const count = this.#keep(view, list, candidates(this.#market.table, view, list));
		this.#buffers.releaseList(list);
		this.#counts.set(signature, {count, atMs: now, seq});
		return count;
	}

	/** Matching rows `from` to `to` in the view's order, and whether they are the last ones. */
	first(view: ViewQuery, from: number, to: number): {rows: number[]; isComplete: boolean} {
		const {table} = this.#market;
		const order = this.order(view);
		const list = this.#buffers.list(table.length);
		try {
			const front = table.length < MIN_ROWS_SAMPLED ? undefined : this.#front(view, order, to, list);
			if (front !== undefined) return {rows: topRows(order, list, front, from, to), isComplete: false};
			const count = this.#keep(view, list, candidates(table, view, list));
			return {rows: topRows(order, list, count, from, to), isComplete: to >= count};
		} finally {
			this.#buffers.releaseList(list);
		}
	}

	/**
	 * Puts a superset of the first `needed` matching rows into the list and returns its size. A sample shows how far down
	 * the order they reach; only rows up to there are filtered. Undefined when too few rows match for that, or when the
	 * sample was misleading.
	 */
	#front(view: ViewQuery, order: RowOrder, needed: number, list: Int32Array): number | undefined {
		const {table} = this.#market;
		const stride = Math.ceil(table.length / SAMPLE);
		const sampled = this.#keep(view, list, candidates(table, view, list, {stride}));
		const expected = needed / stride;
		const reach = Math.ceil(1.5 * expected + 3 * Math.sqrt(expected)) + 4;
		if (reach * 2 > sampled) return undefined;
		const worst = topRows(order, list, sampled, reach, reach + 1)[0]!;
		if (rankOf(order, worst) === Infinity) return undefined;
		const front = this.#keep(view, list, frontCandidates(table, view, {list, order, worst}));
		return front >= needed ? front : undefined;
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
			keyRank: this.#keyRanks.bind(),
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

	/** The chains of all tokens; in one order where the market says them, whatever row each was seen in first. */
	#chainIds(): Iterable<string> {
		const {table, chainIds} = this.#market;
		if (chainIds) return chainIds;
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

/**
 * Fills the list with the rows that a view may hold, by their ROW bits alone, and returns their number.
 * @param stride only each row whose number is a multiple of it
 */
function candidates(table: MarketTable, view: ViewQuery, list: Int32Array, {stride = 1} = {}): number {
	const {mask, value} = rowBits(view);
	const {bits, length} = table;
	let size = 0;
	for (let row = 0; row < length; row += stride) {
		list[size] = row;
		size += Number((bits[row]! & mask) === value);
	}
	return size;
}

/** The same, of the rows up to `worst` in an order. */
function frontCandidates(
	table: MarketTable,
	view: ViewQuery,
	{list, order, worst}: {list: Int32Array; order: RowOrder; worst: number},
): number {
	const {mask, value} = rowBits(view);
	const {bits, length} = table;
	const {values} = order;
	const sign = order.descending ? -1 : 1;
	const worstRank = rankOf(order, worst);
	const worstKey = order.keyRank(worst);
	let size = 0;
	for (let row = 0; row < length; row++) {
		const rank = values[row]! * sign;
		// Without short circuits: a branch that cannot be predicted costs more than the comparison that it saves.
		if (Number(rank <= worstRank) & Number((bits[row]! & mask) === value)) {
			if (rank < worstRank || !(order.keyRank(row) > worstKey)) list[size++] = row;
		}
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
