import {type Buckets, COUNT, COUNT_LANES, USD, USD_LANES} from './buckets.ts';
import type {TradeEvent} from './events.ts';
import {type Departed, type Positions, ROLE} from './positions.ts';
import type {Rows} from './rows.ts';
import type {Token} from './token.ts';
import {inParts, type TracedPositions} from './traced-positions.ts';
import {priceAfter} from './trade-price.ts';
import {BOT_TRIPS, FAST_TRIP_S, type Wallets} from './wallets.ts';

/** A buy within this many blocks after the launch block is a sniper's. */
const SNIPER_BLOCKS = 3;

/** Applies trades and transfers to wallets: balances, roles, and the bucket of time in which each trade counts. */
export class Ledger {
	readonly #rows: Rows;
	readonly #buckets: Buckets;
	readonly #positions: Positions;
	readonly #departed: Departed;
	readonly #wallets: Wallets;
	/** The positions, when they keep what each added to its wallet. */
	readonly #traced: TracedPositions | null;
	/** Sums of windows do not depend on the order of additions: amounts are whole parts of `inParts`. */
	readonly #isExact: boolean;

	constructor(
		rows: Rows,
		buckets: Buckets,
		positions: Positions,
		departed: Departed,
		wallets: Wallets,
		traced: TracedPositions | null,
		isExact: boolean,
	) {
		this.#rows = rows;
		this.#buckets = buckets;
		this.#positions = positions;
		this.#departed = departed;
		this.#wallets = wallets;
		this.#traced = traced;
		this.#isExact = isExact;
	}

	/** The slot of a wallet in a row's table of positions; a new, empty one for a wallet without a position. */
	position(token: Token, row: number, wallet: number, second: number): number {
		const before = this.#positions.count(row);
		const slot = this.#positions.place(row, wallet);
		if (this.#positions.count(row) === before) {
			if (this.#positions.hasLeft(slot, second)) this.#positions.restart(slot, second);
			return slot;
		}
		this.#positions.restart(slot, second);
		if (this.#departed.restore(row, this.#positions, slot)) return slot;
		this.#wallets.positions[wallet]!++;
		if (token.deployer === 0) return slot;
		if (token.deployer === wallet) this.#positions.roles[slot]! |= ROLE.dev;
		else if (this.#wallets.funder[wallet] === token.deployer) this.#makeInsider(slot);
		return slot;
	}

	/** Changes a balance and the row's number of holders with it. */
	add(row: number, slot: number, amount: number): void {
		const {balance} = this.#positions;
		const before = balance[slot]!;
		const sum = before + amount;
		// The remainder after a sale of everything is rounding, not a holding.
		const after = sum <= before * 1e-12 ? 0 : sum;
		balance[slot] = after;
		if (before > 0 && after === 0) this.#rows.holders[row]!--;
		else if (before === 0 && after > 0) this.#rows.holders[row]!++;
	}

	/** Applies a transfer. A wallet that receives from the deployer is an insider. */
	give(token: Token, from: number, to: number, amount: number, second: number): void {
		const slot = this.position(token, token.row, to, second);
		this.add(token.row, slot, amount);
		if (from !== 0 && from === token.deployer) this.#makeInsider(slot);
	}

	/**
	 * Applies a trade of a token.
	 * @param row the row of the pool; when it is not the main row, the trade counts in both, and its price in this one alone
	 */
	trade(token: Token, row: number, event: TradeEvent, second: number): void {
		const main = token.row;
		const price = priceAfter(event);
		if (event.wallet === null) {
			this.#countTrade(row, event, second, price);
			if (row !== main) this.#countTrade(main, event, second, undefined);
			return;
		}
		const wallet = this.#wallets.id(event.wallet);
		const slot = this.position(token, main, wallet, second);
		this.#judge(wallet, slot, event, second);
		const traced = this.#traced;
		// Where tokens can be forgotten, nothing of one token follows from the trades of another.
		const isOrganic = traced === null ? !this.#wallets.isBot(wallet) : traced.fastTrips[slot]! < BOT_TRIPS;
		if (event.side === 'buy') this.#buy(token, slot, event);
		else this.#sell(token, slot, event);
		this.#count(main, slot, event, second, isOrganic, row === main ? price : undefined);
		if (row !== main) this.#count(row, this.position(token, row, wallet, second), event, second, isOrganic, price);
	}

	/** Updates the figures of the wallet by a trade. */
	#judge(wallet: number, slot: number, {side, valueUSD, amountToken, platform}: TradeEvent, second: number): void {
		const wallets = this.#wallets;
		const positions = this.#positions;
		const traced = this.#traced;
		const value = valueUSD ?? 0;
		if (platform !== null) wallets.used(wallet, platform);
		if (traced === null) wallets.traded(wallet, value);
		else {
			const whole = inParts(value);
			wallets.traded(wallet, whole);
			traced.trades[slot]!++;
			if (platform !== null && traced.usesPlatform[slot] === 0) {
				traced.usesPlatform[slot] = 1;
				wallets.platformUses[wallet]!++;
			}
			traced.volumeUSD[slot]! += whole;
		}
		const oppositeS = side === 'buy' ? positions.lastSellS[slot]! : positions.lastBuyS[slot]!;
		if (oppositeS !== 0 && second - oppositeS <= FAST_TRIP_S) {
			wallets.tick(wallets.fastTrips, wallet);
			if (traced !== null) traced.fastTrips[slot]!++;
		}
		if (side === 'buy' || positions.bought[slot] === 0) return;
		const costUSD = (positions.boughtUSD[slot]! / positions.bought[slot]!) * amountToken;
		const profitUSD = (valueUSD ?? Number.NaN) - costUSD;
		// Unknown is neither won nor lost.
		if (Number.isNaN(profitUSD)) return;
		if (traced === null) wallets.closed(wallet, profitUSD);
		else {
			const whole = inParts(profitUSD);
			wallets.closed(wallet, whole);
			traced.profitUSD[slot]! += whole;
			traced.closes[slot]!++;
			if (whole > 0) traced.wins[slot]!++;
		}
	}

	/** Takes from the figures of wallets what they have from a row's positions. */
	takeBack(row: number, traced: TracedPositions): void {
		const wallets = this.#wallets;
		for (let slot = traced.begin(row); slot < traced.end(row); slot++) {
			const wallet = traced.wallet[slot]!;
			if (wallet === 0) continue;
			const role = traced.roles[slot]!;
			if (role & ROLE.sniper) wallets.snipes[wallet]!--;
			if (role & ROLE.insider) wallets.insides[wallet]!--;
			if (role & ROLE.bundler) wallets.bundles[wallet]!--;
			wallets.fastTrips[wallet]! -= traced.fastTrips[slot]!;
			wallets.trades[wallet]! -= traced.trades[slot]!;
			wallets.volumeUSD[wallet]! -= traced.volumeUSD[slot]!;
			wallets.profitUSD[wallet]! -= traced.profitUSD[slot]!;
			wallets.closes[wallet]! -= traced.closes[slot]!;
			wallets.wins[wallet]! -= traced.wins[slot]!;
			if (traced.usesPlatform[slot] === 1) wallets.usedLess(wallet);
			wallets.judge(wallet);
		}
	}

	#sell(token: Token, slot: number, {amountToken, valueUSD}: TradeEvent): void {
		if (!token.movedByTransfers) this.add(token.row, slot, -amountToken);
		this.#positions.sold[slot]! += amountToken;
		this.#positions.soldUSD[slot]! += valueUSD ?? Number.NaN;
	}

	#buy(token: Token, slot: number, event: TradeEvent): void {
		const positions = this.#positions;
		const isFirst = positions.buys[slot] === 0;
		if (!token.movedByTransfers) this.add(token.row, slot, event.amountToken);
		positions.bought[slot]! += event.amountToken;
		positions.boughtUSD[slot]! += event.valueUSD ?? Number.NaN;
		if (positions.buys[slot]! < 65_535) positions.buys[slot]!++;
		if (isFirst && token.launchBuyers !== null) this.#buyEarly(token, slot, event.block - token.launchBlock);
	}

	/** A wallet's first buy, `age` blocks after the launch: marks snipers and bundles. */
	#buyEarly(token: Token, slot: number, age: number): void {
		const positions = this.#positions;
		if (age > SNIPER_BLOCKS) {
			token.launchBuyers = null;
			return;
		}
		if (positions.roles[slot]! & ROLE.dev) return;
		const wallet = positions.wallet[slot]!;
		positions.roles[slot]! |= ROLE.sniper;
		this.#wallets.tick(this.#wallets.snipes, wallet);
		const funder = this.#wallets.funder[wallet]!;
		if (age !== 0 || funder === 0 || token.launchBuyers === null) return;
		const members = token.launchBuyers.filter(buyer => buyer.funder === funder).map(buyer => buyer.wallet);
		token.launchBuyers = [...token.launchBuyers, {wallet, funder}];
		if (members.length === 0) return;
		for (const member of [...members, wallet]) {
			const at = positions.find(token.row, member);
			if (at < 0 || positions.roles[at]! & ROLE.bundler) continue;
			// A bundle is no race for the first block: its members are bundlers, not snipers.
			positions.roles[at] = (positions.roles[at]! & ~ROLE.sniper) | ROLE.bundler;
			this.#wallets.tick(this.#wallets.bundles, member);
			this.#wallets.snipes[member]!--;
		}
	}

	/**
	 * Puts a trade into the row's newest bucket. A sum with a trade of unknown value is unknown.
	 * @param price after it; undefined for a row whose price it does not set
	 * @returns the bucket
	 */
	#countTrade(row: number, {side, valueUSD, feeUSD}: TradeEvent, second: number, price: number | undefined): number {
		const buckets = this.#buckets;
		const isBuy = side === 'buy';
		const index = buckets.newest(row, second);
		const usd = index * USD_LANES;
		const value = valueUSD ?? Number.NaN;
		if (price !== undefined) buckets.close[index] = price;
		buckets.usd[usd + (isBuy ? USD.buy : USD.sell)]! += this.#addend(value);
		buckets.usd[usd + USD.fees]! += this.#addend(feeUSD ?? Number.NaN);
		buckets.counts[index * COUNT_LANES + (isBuy ? COUNT.buys : COUNT.sells)]!++;
		return index;
	}

	/** Puts the trade of a known wallet into the row's newest bucket, and moves the wallet's distinct counts there. */
	#count(
		row: number,
		slot: number,
		event: TradeEvent,
		second: number,
		isOrganic: boolean,
		price: number | undefined,
	): void {
		const buckets = this.#buckets;
		const positions = this.#positions;
		const isBuy = event.side === 'buy';
		const index = this.#countTrade(row, event, second, price);
		const usd = index * USD_LANES;
		const counts = index * COUNT_LANES;
		const lastBuyS = positions.lastBuyS[slot]!;
		const lastSellS = positions.lastSellS[slot]!;
		const sameSideS = isBuy ? lastBuyS : lastSellS;
		const anySideS = Math.max(lastBuyS, lastSellS);
		this.#moveOne(row, index, isBuy ? COUNT.buyers : COUNT.sellers, sameSideS);
		this.#moveOne(row, index, COUNT.traders, anySideS);
		if (isOrganic) {
			// A wallet once a bot stays one, so an organic wallet's earlier trades were all organic too.
			buckets.usd[usd + (isBuy ? USD.organicBuy : USD.organicSell)]! += this.#addend(event.valueUSD ?? Number.NaN);
			buckets.counts[counts + (isBuy ? COUNT.organicBuys : COUNT.organicSells)]!++;
			this.#moveOne(row, index, isBuy ? COUNT.organicBuyers : COUNT.organicSellers, sameSideS);
			this.#moveOne(row, index, COUNT.organicTraders, anySideS);
		}
		if (isBuy) positions.lastBuyS[slot] = second;
		else positions.lastSellS[slot] = second;
	}

	/** Moves the count of one wallet, counted at `lastS` so far, to bucket `to`. */
	#moveOne(row: number, to: number, lane: number, lastS: number): void {
		const buckets = this.#buckets;
		if (lastS !== 0) {
			const from = buckets.find(row, lastS);
			if (from === to) return;
			if (from >= 0) buckets.counts[from * COUNT_LANES + lane]!--;
		}
		buckets.counts[to * COUNT_LANES + lane]!++;
	}

	/** An amount of US dollars as windows add it up. */
	#addend(usd: number): number {
		return this.#isExact ? inParts(usd) : usd;
	}

	#makeInsider(slot: number): void {
		if (this.#positions.roles[slot]! & ROLE.insider) return;
		this.#positions.roles[slot]! |= ROLE.insider;
		this.#wallets.tick(this.#wallets.insides, this.#positions.wallet[slot]!);
	}
}
