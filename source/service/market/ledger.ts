import {type Buckets, COUNT, COUNT_LANES, USD, USD_LANES} from './buckets.ts';
import type {TradeEvent} from './events.ts';
import {type Leavers, type Positions, ROLE} from './positions.ts';
import type {Rows} from './rows.ts';
import type {Token} from './token.ts';
import {FAST_TRIP_S, type Wallets} from './wallets.ts';

/** A buy within so many blocks after the launch block is a sniper's. */
const SNIPER_BLOCKS = 3;

/** Books what wallets do: who has how much, what that makes of them, and in which bucket of time it counts. */
export class Ledger {
	readonly #rows: Rows;
	readonly #buckets: Buckets;
	readonly #positions: Positions;
	readonly #leavers: Leavers;
	readonly #wallets: Wallets;

	constructor(rows: Rows, buckets: Buckets, positions: Positions, leavers: Leavers, wallets: Wallets) {
		this.#rows = rows;
		this.#buckets = buckets;
		this.#positions = positions;
		this.#leavers = leavers;
		this.#wallets = wallets;
	}

	/** The slot of a wallet in a row's table of positions; one without a position gets an empty one. */
	position(token: Token, row: number, wallet: number, second: number): number {
		const before = this.#positions.count(row);
		const slot = this.#positions.place(row, wallet);
		if (this.#positions.count(row) === before) {
			if (this.#positions.hasLeft(slot, second)) this.#positions.startAnew(slot, second);
			return slot;
		}
		this.#positions.startAnew(slot, second);
		if (this.#leavers.giveBack(row, this.#positions, slot)) return slot;
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
		// What is left of a sale of everything is rounding, not a holding.
		const after = sum <= before * 1e-12 ? 0 : sum;
		balance[slot] = after;
		if (before > 0 && after === 0) this.#rows.holders[row]!--;
		else if (before === 0 && after > 0) this.#rows.holders[row]!++;
	}

	/** What the deployer gives to a wallet makes it an insider. */
	give(token: Token, from: number, to: number, amount: number, second: number): void {
		const slot = this.position(token, token.row, to, second);
		this.add(token.row, slot, amount);
		if (from !== 0 && from === token.deployer) this.#makeInsider(slot);
	}

	/**
	 * Books a trade of a token.
	 * @param row the row of the pool; not the main one, then the trade counts in both
	 */
	trade(token: Token, row: number, event: TradeEvent, second: number): void {
		const main = token.row;
		const wallet = this.#wallets.id(event.wallet);
		const slot = this.position(token, main, wallet, second);
		this.#judge(wallet, slot, event, second);
		const isOrganic = !this.#wallets.isBot(wallet);
		if (event.side === 'buy') this.#buy(token, slot, event);
		else this.#sell(main, slot, event);
		this.#count(main, slot, event, second, isOrganic);
		if (row !== main) this.#count(row, this.position(token, row, wallet, second), event, second, isOrganic);
	}

	/** Notes what the trade says about the wallet. */
	#judge(wallet: number, slot: number, {side, valueUSD, amountToken, platform}: TradeEvent, second: number): void {
		const wallets = this.#wallets;
		const positions = this.#positions;
		if (platform !== null) wallets.used(wallet, platform);
		wallets.traded(wallet, valueUSD);
		const oppositeS = side === 'buy' ? positions.lastSellS[slot]! : positions.lastBuyS[slot]!;
		if (oppositeS !== 0 && second - oppositeS <= FAST_TRIP_S) tick(wallets.fastTrips, wallet);
		if (side === 'buy' || positions.bought[slot] === 0) return;
		const costUSD = (positions.boughtUSD[slot]! / positions.bought[slot]!) * amountToken;
		wallets.closed(wallet, valueUSD - costUSD);
	}

	#sell(row: number, slot: number, {amountToken, valueUSD}: TradeEvent): void {
		this.add(row, slot, -amountToken);
		this.#positions.sold[slot]! += amountToken;
		this.#positions.soldUSD[slot]! += valueUSD;
	}

	#buy(token: Token, slot: number, event: TradeEvent): void {
		const positions = this.#positions;
		const isFirst = positions.buys[slot] === 0;
		this.add(token.row, slot, event.amountToken);
		positions.bought[slot]! += event.amountToken;
		positions.boughtUSD[slot]! += event.valueUSD;
		if (positions.buys[slot]! < 65_535) positions.buys[slot]!++;
		if (isFirst && token.launchBuyers !== null) this.#buyEarly(token, slot, event.block - token.launchBlock);
	}

	/** A wallet's first buy, `age` blocks after the launch: is it a sniper's, or part of a bundle? */
	#buyEarly(token: Token, slot: number, age: number): void {
		const positions = this.#positions;
		if (age > SNIPER_BLOCKS) {
			token.launchBuyers = null;
			return;
		}
		if (positions.roles[slot]! & ROLE.dev) return;
		const wallet = positions.wallet[slot]!;
		positions.roles[slot]! |= ROLE.sniper;
		tick(this.#wallets.snipes, wallet);
		const funder = this.#wallets.funder[wallet]!;
		if (age !== 0 || funder === 0 || token.launchBuyers === null) return;
		const members = token.launchBuyers.filter(buyer => buyer.funder === funder).map(buyer => buyer.wallet);
		token.launchBuyers = [...token.launchBuyers, {wallet, funder}];
		if (members.length === 0) return;
		for (const member of [...members, wallet]) {
			const at = positions.find(token.row, member);
			if (at < 0 || positions.roles[at]! & ROLE.bundler) continue;
			// A bundle is no race for the first block: who is in it is a bundler, not a sniper.
			positions.roles[at] = (positions.roles[at]! & ~ROLE.sniper) | ROLE.bundler;
			tick(this.#wallets.bundles, member);
			this.#wallets.snipes[member]!--;
		}
	}

	/** Puts a trade into the row's newest bucket and moves the wallet's distinct counts there. */
	#count(row: number, slot: number, event: TradeEvent, second: number, isOrganic: boolean): void {
		const buckets = this.#buckets;
		const positions = this.#positions;
		const isBuy = event.side === 'buy';
		const index = buckets.newest(row, second);
		const usd = index * USD_LANES;
		const counts = index * COUNT_LANES;
		const lastBuyS = positions.lastBuyS[slot]!;
		const lastSellS = positions.lastSellS[slot]!;
		const sameSideS = isBuy ? lastBuyS : lastSellS;
		const anySideS = Math.max(lastBuyS, lastSellS);
		buckets.close[index] = event.valueUSD / event.amountToken;
		buckets.usd[usd + (isBuy ? USD.buy : USD.sell)]! += event.valueUSD;
		buckets.usd[usd + USD.fees]! += event.feeUSD;
		buckets.counts[counts + (isBuy ? COUNT.buys : COUNT.sells)]!++;
		this.#moveOne(row, index, isBuy ? COUNT.buyers : COUNT.sellers, sameSideS);
		this.#moveOne(row, index, COUNT.traders, anySideS);
		if (isOrganic) {
			// A wallet once a bot stays one, so an organic wallet's earlier trades were all organic too.
			buckets.usd[usd + (isBuy ? USD.organicBuy : USD.organicSell)]! += event.valueUSD;
			buckets.counts[counts + (isBuy ? COUNT.organicBuys : COUNT.organicSells)]!++;
			this.#moveOne(row, index, isBuy ? COUNT.organicBuyers : COUNT.organicSellers, sameSideS);
			this.#moveOne(row, index, COUNT.organicTraders, anySideS);
		}
		if (isBuy) positions.lastBuyS[slot] = second;
		else positions.lastSellS[slot] = second;
	}

	/** One person, counted at `lastS` so far, is counted in bucket `to` from now on. */
	#moveOne(row: number, to: number, lane: number, lastS: number): void {
		const buckets = this.#buckets;
		if (lastS !== 0) {
			const from = buckets.find(row, lastS);
			if (from === to) return;
			if (from >= 0) buckets.counts[from * COUNT_LANES + lane]!--;
		}
		buckets.counts[to * COUNT_LANES + lane]!++;
	}

	#makeInsider(slot: number): void {
		if (this.#positions.roles[slot]! & ROLE.insider) return;
		this.#positions.roles[slot]! |= ROLE.insider;
		tick(this.#wallets.insides, this.#positions.wallet[slot]!);
	}
}

/** Counts up in a byte that stays full. */
function tick(bytes: Uint8Array, index: number): void {
	if (bytes[index]! < 255) bytes[index]!++;
}
