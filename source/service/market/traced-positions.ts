import {Positions} from './positions.ts';
import type {ColumnChange} from './wallet-tables.ts';

/** Positions that keep what each added to the figures of its wallet, so that a token can be forgotten exactly. */
export class TracedPositions extends Positions {
	trades = new Uint32Array(0);
	/** Added to the wallet's volume and profit: whole parts of `inParts`. */
	volumeUSD = new Float64Array(0);
	profitUSD = new Float64Array(0);
	closes = new Uint32Array(0);
	wins = new Uint32Array(0);
	fastTrips = new Uint32Array(0);
	/** 1: the wallet used a trading program. */
	usesPlatform = new Uint8Array(0);

	override bytesPerSlot(): number {
		return super.bytesPerSlot() + 4 * 4 + 2 * 8 + 1;
	}

	protected override changeColumns(change: ColumnChange): void {
		super.changeColumns(change);
		this.trades = change(this.trades);
		this.volumeUSD = change(this.volumeUSD);
		this.profitUSD = change(this.profitUSD);
		this.closes = change(this.closes);
		this.wins = change(this.wins);
		this.fastTrips = change(this.fastTrips);
		this.usesPlatform = change(this.usesPlatform);
	}

	protected override reset(slot: number): void {
		super.reset(slot);
		this.trades[slot] = 0;
		this.volumeUSD[slot] = 0;
		this.profitUSD[slot] = 0;
		this.closes[slot] = 0;
		this.wins[slot] = 0;
		this.fastTrips[slot] = 0;
		this.usesPlatform[slot] = 0;
	}

	protected override copy(from: number, to: number): void {
		super.copy(from, to);
		this.trades[to] = this.trades[from]!;
		this.volumeUSD[to] = this.volumeUSD[from]!;
		this.profitUSD[to] = this.profitUSD[from]!;
		this.closes[to] = this.closes[from]!;
		this.wins[to] = this.wins[from]!;
		this.fastTrips[to] = this.fastTrips[from]!;
		this.usesPlatform[to] = this.usesPlatform[from]!;
	}
}

/** Parts of a US dollar. Sums of whole parts are exact up to 8 billion dollars: the order of additions does not matter. */
const PARTS = 2 ** 20;

/** An amount of US dollars to the nearest millionth. */
export function inParts(usd: number): number {
	return Math.round(usd * PARTS) / PARTS;
}
