import type {LaunchEvent, TradeEvent} from './events.ts';
import type {Column, Image} from './image.ts';
import {ROW} from './market.ts';
import {grown} from './segments.ts';
import {priceAfter, quotePriceAfter} from './trade-price.ts';

/** Kinds of wallets whose share of a token is reported, by lane of `share` (contract gaps 2.1). */
export const SHARES = [
	'top_10',
	'top_50',
	'top_100',
	'top_200',
	'dev',
	'insiders',
	'bundlers',
	'snipers',
	'pro_traders',
	'fresh_traders',
	'smart_traders',
] as const;
export const SHARE_LANES = SHARES.length;

/** Kinds of wallets that are counted, by lane of `tally`; then the buys of the last three. */
export const TALLIES = [
	'insiders_count',
	'bundlers_count',
	'snipers_count',
	'pro_traders_count',
	'fresh_traders_count',
	'smart_traders_count',
	'pro_traders_buys',
	'fresh_traders_buys',
	'smart_traders_buys',
] as const;
export const TALLY_LANES = TALLIES.length;

/** The plain figures of every row: the effects of events outside buckets and positions. NaN is unknown. */
export class Rows {
	capacity = 0;
	bits = new Uint8Array(0);
	versions = new Uint32Array(0);
	priceUSD = new Float64Array(0);
	/** Quote coins for one token in the newest trade; set only where its price in US dollars is unknown. */
	priceQuote = new Float64Array(0);
	quoteUSD = new Float64Array(0);
	athUSD = new Float64Array(0);
	athMs = new Float64Array(0);
	atlUSD = new Float64Array(0);
	atlMs = new Float64Array(0);
	createdMs = new Float64Array(0);
	bondedMs = new Float64Array(0);
	tradeMs = new Float64Array(0);
	/** End of the newest time of which nothing is known. */
	gapMs = new Float64Array(0);
	supply = new Float64Array(0);
	burnt = new Float64Array(0);
	reserveToken = new Float64Array(0);
	reserveQuote = new Float64Array(0);
	liquidityMax = new Float64Array(0);
	feesUSD = new Float64Array(0);
	feesQuote = new Float64Array(0);
	/** Tokens of the curve at launch and how many of them are for sale; sale 0 = no curve. */
	curveStart = new Float64Array(0);
	curveSale = new Float64Array(0);
	/** How much of the curve is done, 0 to 1, where trades say; otherwise its tokens do. */
	curveShare = new Float64Array(0);
	holders = new Uint32Array(0);
	share = new Float32Array(0);
	tally = new Uint16Array(0);

	/** See Image. */
	pass(image: Image): void {
		this.capacity = image.value(this.capacity);
		this.#columns(column => image.column(column));
	}

	/** Makes room for at least `rows` rows. */
	reserve(rows: number): void {
		this.capacity = rows;
		this.#columns((column, lanes) => grown(column, rows * lanes));
	}

	#columns(change: <T extends Column>(column: T, lanes: number) => T): void {
		this.bits = change(this.bits, 1);
		this.versions = change(this.versions, 1);
		for (const name of NUMBERS) this[name] = change(this[name], 1);
		this.holders = change(this.holders, 1);
		this.share = change(this.share, SHARE_LANES);
		this.tally = change(this.tally, TALLY_LANES);
	}

	/** Bytes of a row here and in the tables beside this one, for measurements. */
	bytesPerRow(): number {
		const beside = {
			expiry: 12,
			buckets: 15,
			positions: 9,
			departed: 9,
			shares: 5,
			changes: 2,
			catalog: 24,
			reputation: 24,
		};
		const own = 1 + 4 + NUMBERS.length * 8 + 4 + SHARE_LANES * 4 + TALLY_LANES * 2;
		return Object.values(beside).reduce((sum, bytes) => sum + bytes, own);
	}

	/** Applies a launch. */
	launch(row: number, bits: number, event: LaunchEvent): void {
		this.bits[row] = bits;
		this.createdMs[row] = event.timeMs;
		this.athMs[row] = this.atlMs[row] = event.priceUSD === null ? Number.NaN : event.timeMs;
		this.priceUSD[row] = this.athUSD[row] = this.atlUSD[row] = known(event.priceUSD);
		this.supply[row] = known(event.supply);
		if (!event.pool) return;
		this.quoteUSD[row] = known(event.quoteUSD);
		this.reserveToken[row] = this.curveStart[row] = known(event.reserveToken);
		this.reserveQuote[row] = known(event.reserveQuote);
		this.curveSale[row] = event.curveSale ?? 0;
		if (event.isBonded) this.bondedMs[row] = event.timeMs;
		this.#noteLiquidity(row);
	}

	/** Applies a trade to its pool's row, except for the reserves. */
	trade(row: number, event: TradeEvent, timeMs: number): void {
		const price = priceAfter(event);
		this.tradeBeside(row, event, timeMs);
		this.priceUSD[row] = price;
		this.priceQuote[row] = Number.isNaN(price) ? quotePriceAfter(event) : Number.NaN;
		if (event.spotQuote === undefined) this.bits[row]! |= ROW.averagePrice;
		else this.bits[row]! &= ~ROW.averagePrice;
		this.quoteUSD[row] = known(event.quoteUSD);
		if (event.curveShare !== undefined) this.curveShare[row] = event.curveShare;
		this.noteExtremes(row, price, timeMs);
	}

	/** Applies a trade of a further pool to the token's main row: everything but the price. */
	tradeBeside(row: number, event: TradeEvent, timeMs: number): void {
		const feeUSD = known(event.feeUSD);
		const quoteUSD = known(event.quoteUSD);
		this.tradeMs[row] = timeMs;
		this.feesUSD[row]! += feeUSD;
		// Without a price of the quote coin: 0 says that it is worth nothing, null that its price is unknown.
		if (quoteUSD > 0 || event.quoteUSD === null) this.feesQuote[row]! += feeUSD / quoteUSD;
	}

	/** Applies a gap: after it the reserves of the pool and the fees paid are unknown. */
	gap(row: number, endMs: number): void {
		this.gapMs[row] = Math.max(this.gapMs[row]! || 0, endMs);
		this.feesUSD[row] = this.feesQuote[row] = Number.NaN;
		this.reserveToken[row] = this.reserveQuote[row] = this.curveShare[row] = Number.NaN;
		this.bits[row]! &= ~ROW.holders;
	}

	/** Keeps a price that is the highest or the lowest so far; true when it is one of them. */
	noteExtremes(row: number, price: number, timeMs: number): boolean {
		if (Number.isNaN(price)) return false;
		const isHighest = !(price <= this.athUSD[row]!);
		const isLowest = !(price >= this.atlUSD[row]!);
		if (isHighest) {
			this.athUSD[row] = price;
			this.athMs[row] = timeMs;
		}
		if (isLowest) {
			this.atlUSD[row] = price;
			this.atlMs[row] = timeMs;
		}
		return isHighest || isLowest;
	}

	/** Makes the highest and the lowest price unknown. */
	clearExtremes(row: number): void {
		this.athUSD[row] = this.atlUSD[row] = this.athMs[row] = this.atlMs[row] = Number.NaN;
	}

	/** Adds to a pool's reserves, or takes from them; they stop at 0. */
	addReserves(row: number, tokens: number, quotes: number): void {
		this.reserveToken[row] = Math.max(0, this.reserveToken[row]! + tokens);
		this.reserveQuote[row] = Math.max(0, this.reserveQuote[row]! + quotes);
		this.#noteLiquidity(row);
	}

	/** Sets a pool's reserves. */
	setReserves(row: number, tokens: number, quotes: number): void {
		this.reserveToken[row] = tokens;
		this.reserveQuote[row] = quotes;
		this.#noteLiquidity(row);
	}

	/** Moves a token to its new pool, whose reserves are to be set: `main` gets the new pool, `other` the old one. */
	migrate(main: number, other: number, timeMs: number): void {
		this.#copy(main, other);
		this.bondedMs[main] = this.bondedMs[other] = timeMs;
		this.reserveToken[other] = this.reserveQuote[other] = 0;
	}

	/** Opens a further pool of the token of `main` in `other`; its reserves are to be set. */
	openPool(main: number, other: number, timeMs: number): void {
		this.#copy(main, other);
		this.createdMs[other] = timeMs;
		this.tradeMs[other] = Number.NaN;
		this.feesUSD[other] = this.feesQuote[other] = this.liquidityMax[other] = this.curveSale[other] = 0;
	}

	/** US dollars in a pool: both sides of an ordinary one, the money side of a curve (its tokens have no market yet). */
	liquidity(row: number): number {
		const money = this.reserveQuote[row]! * this.quoteUSD[row]!;
		return this.curveSale[row]! > 0 && !(this.bondedMs[row]! > 0) ? money : money * 2;
	}

	#noteLiquidity(row: number): void {
		this.liquidityMax[row] = Math.max(this.liquidityMax[row]!, this.liquidity(row) || 0);
	}

	/** Resets a row to unknown. Its version goes on counting, so that no reader takes the row for the old one. */
	clear(row: number): void {
		this.bits[row] = 0;
		for (const name of NUMBERS) this[name][row] = ZERO_AT_FIRST.has(name) ? 0 : Number.NaN;
		this.holders[row] = 0;
		this.share.fill(0, row * SHARE_LANES, (row + 1) * SHARE_LANES);
		this.tally.fill(0, row * TALLY_LANES, (row + 1) * TALLY_LANES);
	}

	#copy(from: number, to: number): void {
		this.bits[to] = ROW.live | (this.bits[from]! & (ROW.holders | ROW.pool | ROW.averagePrice));
		for (const name of NUMBERS) this[name][to] = this[name][from]!;
		this.copyHolders(from, to);
	}

	/** Copies the figures of the token, not of the pool: holders and their shares. */
	copyHolders(from: number, to: number): void {
		this.holders[to] = this.holders[from]!;
		this.share.copyWithin(to * SHARE_LANES, from * SHARE_LANES, (from + 1) * SHARE_LANES);
		this.tally.copyWithin(to * TALLY_LANES, from * TALLY_LANES, (from + 1) * TALLY_LANES);
	}
}

/** A figure of an event; unknown is null there and NaN in columns. */
function known(figure: number | null): number {
	return figure ?? Number.NaN;
}

const NUMBERS = [
	'priceUSD',
	'priceQuote',
	'quoteUSD',
	'athUSD',
	'athMs',
	'atlUSD',
	'atlMs',
	'createdMs',
	'bondedMs',
	'tradeMs',
	'gapMs',
	'supply',
	'burnt',
	'reserveToken',
	'reserveQuote',
	'liquidityMax',
	'feesUSD',
	'feesQuote',
	'curveStart',
	'curveSale',
	'curveShare',
] as const;
const ZERO_AT_FIRST: ReadonlySet<string> = new Set(['burnt', 'feesUSD', 'feesQuote', 'curveSale', 'liquidityMax']);
