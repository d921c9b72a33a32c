import {type ColumnChange, WalletTables} from './wallet-tables.ts';

/** Roles of a wallet in a token; a set of bits, set by events and never cleared. */
export const ROLE = {dev: 1, sniper: 2, insider: 4, bundler: 8} as const;

/**
 * A wallet that sold out this long ago has departed: if it comes back, its figures start at zero, but every window
 * counts it once.
 */
const LEFT_AFTER_S = 600;

/** Balance and cost of every wallet in every token. */
export class Positions extends WalletTables {
	balance = new Float64Array(0);
	bought = new Float32Array(0);
	boughtUSD = new Float32Array(0);
	sold = new Float32Array(0);
	soldUSD = new Float32Array(0);
	/** Unix seconds of the newest trade of each side, 0 = none. */
	lastBuyS = new Uint32Array(0);
	lastSellS = new Uint32Array(0);
	sinceS = new Uint32Array(0);
	buys = new Uint16Array(0);
	roles = new Uint8Array(0);

	constructor() {
		super(1 << 18);
	}

	/** Whether the wallet of a slot has traded, sold out, and not come back for a while. */
	hasLeft(slot: number, nowS: number): boolean {
		const tradeS = Math.max(this.lastBuyS[slot]!, this.lastSellS[slot]!);
		return this.balance[slot] === 0 && tradeS !== 0 && tradeS <= nowS - LEFT_AFTER_S;
	}

	/** Resets what a wallet paid and received. */
	restart(slot: number, nowS: number): void {
		this.bought[slot] = 0;
		this.boughtUSD[slot] = 0;
		this.sold[slot] = 0;
		this.soldUSD[slot] = 0;
		this.sinceS[slot] = nowS;
	}

	/** Bytes of a slot in all columns, for measurements. */
	bytesPerSlot(): number {
		return 4 + 8 + 4 * 4 + 3 * 4 + 2 + 1;
	}

	protected override changeColumns(change: ColumnChange): void {
		this.balance = change(this.balance);
		this.bought = change(this.bought);
		this.boughtUSD = change(this.boughtUSD);
		this.sold = change(this.sold);
		this.soldUSD = change(this.soldUSD);
		this.lastBuyS = change(this.lastBuyS);
		this.lastSellS = change(this.lastSellS);
		this.sinceS = change(this.sinceS);
		this.buys = change(this.buys);
		this.roles = change(this.roles);
	}

	protected override reset(slot: number): void {
		this.balance[slot] = 0;
		this.bought[slot] = 0;
		this.boughtUSD[slot] = 0;
		this.sold[slot] = 0;
		this.soldUSD[slot] = 0;
		this.lastBuyS[slot] = 0;
		this.lastSellS[slot] = 0;
		this.sinceS[slot] = 0;
		this.buys[slot] = 0;
		this.roles[slot] = 0;
	}

	protected override copy(from: number, to: number): void {
		this.balance[to] = this.balance[from]!;
		this.bought[to] = this.bought[from]!;
		this.boughtUSD[to] = this.boughtUSD[from]!;
		this.sold[to] = this.sold[from]!;
		this.soldUSD[to] = this.soldUSD[from]!;
		this.lastBuyS[to] = this.lastBuyS[from]!;
		this.lastSellS[to] = this.lastSellS[from]!;
		this.sinceS[to] = this.sinceS[from]!;
		this.buys[to] = this.buys[from]!;
		this.roles[to] = this.roles[from]!;
	}
}

/**
 * Wallets that departed from a token: sold out, and not traded since. A third of the size of a position: what windows
 * need to count each wallet once, and the wallet's permanent roles.
 */
export class Departed extends WalletTables {
	lastBuyS = new Uint32Array(0);
	lastSellS = new Uint32Array(0);
	buys = new Uint16Array(0);
	roles = new Uint8Array(0);

	constructor() {
		super(1 << 18);
	}

	/** Takes over the permanent part of a position. */
	add(row: number, positions: Positions, slot: number): void {
		const own = this.place(row, positions.wallet[slot]!);
		this.lastBuyS[own] = positions.lastBuyS[slot]!;
		this.lastSellS[own] = positions.lastSellS[slot]!;
		this.buys[own] = positions.buys[slot]!;
		this.roles[own] = positions.roles[slot]!;
	}

	/** Restores a wallet that is back to its position; false when the wallet never departed. */
	restore(row: number, positions: Positions, slot: number): boolean {
		const own = this.find(row, positions.wallet[slot]!);
		if (own < 0) return false;
		positions.lastBuyS[slot] = this.lastBuyS[own]!;
		positions.lastSellS[slot] = this.lastSellS[own]!;
		positions.buys[slot] = this.buys[own]!;
		positions.roles[slot] = this.roles[own]!;
		this.remove(row, own);
		return true;
	}

	/** Bytes of a slot in all columns, for measurements. */
	bytesPerSlot(): number {
		return 3 * 4 + 2 + 1;
	}

	protected override changeColumns(change: ColumnChange): void {
		this.lastBuyS = change(this.lastBuyS);
		this.lastSellS = change(this.lastSellS);
		this.buys = change(this.buys);
		this.roles = change(this.roles);
	}

	protected override reset(slot: number): void {
		this.lastBuyS[slot] = 0;
		this.lastSellS[slot] = 0;
		this.buys[slot] = 0;
		this.roles[slot] = 0;
	}

	protected override copy(from: number, to: number): void {
		this.lastBuyS[to] = this.lastBuyS[from]!;
		this.lastSellS[to] = this.lastSellS[from]!;
		this.buys[to] = this.buys[from]!;
		this.roles[to] = this.roles[from]!;
	}
}
