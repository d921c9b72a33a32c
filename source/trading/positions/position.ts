import {costOfPart, type Holding} from './fold.ts';
import {isPrice, valueMicro} from './value.ts';

/** The balance of a token on its chain. Not read is not 0. */
export type Amount =
	| {readonly kind: 'read'; readonly raw: bigint; readonly atMs: number}
	| {readonly kind: 'unread'; readonly why: string};

/** The feed's price of a token. */
export interface Price {
	/** US dollars for a whole token. */
	readonly usd: number;
	/** When the row that it stands in was current, Unix ms. */
	readonly atMs: number;
}

/** A token of a wallet: its cost from the journal, its amount from the chain, its price from the feed. */
export interface Position {
	readonly holding: Holding;
	readonly amount: Amount;
	/** Undefined where the feed has no price, or one that is impossible. */
	readonly price?: Price;
	/** The parts of the balance that were and were not bought here. Undefined while the amount is not read. */
	readonly boughtRaw?: bigint;
	readonly foreignRaw?: bigint;
	/** Bought here and not there any more: moved elsewhere. Its cost left with it, without profit or loss. */
	readonly movedRaw?: bigint;
	readonly movedCostMicro?: bigint;
	/** The cost of `boughtRaw`. */
	readonly costMicro?: bigint;
	/** The value of the whole amount, and of the part that was not bought here. Undefined without an amount or a price. */
	readonly valueMicro?: bigint;
	readonly foreignValueMicro?: bigint;
	/** Value of the tokens bought here less their cost. */
	readonly openMicro?: bigint;
}

/**
 * A position from its three sources.
 *
 * The chain decides on the amount. Less than was tracked: the difference was moved elsewhere, and its cost leaves pro rata,
 * without profit. More: the difference was not bought here; it is worth something, has no cost and makes no profit.
 */
export function positionOf(holding: Holding, amount: Amount, price?: Price): Position {
	const known = isPrice(price?.usd) ? {price: price!} : {};
	if (amount.kind === 'unread') return {holding, amount, ...known};
	const {trackedRaw, decimals} = holding;
	const isLess = amount.raw < trackedRaw;
	const boughtRaw = isLess ? amount.raw : trackedRaw;
	const foreignRaw = amount.raw - boughtRaw;
	const costMicro = trackedRaw === 0n ? 0n : costOfPart(holding.costMicro, boughtRaw, trackedRaw);
	const ofBought = valueMicro(boughtRaw, decimals, price?.usd);
	const ofForeign = valueMicro(foreignRaw, decimals, price?.usd);
	return {
		holding,
		amount,
		...known,
		boughtRaw,
		foreignRaw,
		movedRaw: trackedRaw - boughtRaw,
		movedCostMicro: holding.costMicro - costMicro,
		costMicro,
		...(ofBought !== undefined &&
			ofForeign !== undefined && {
				valueMicro: ofBought + ofForeign,
				foreignValueMicro: ofForeign,
				openMicro: ofBought - costMicro,
			}),
	};
}

/** Whether anything of the token may be there: an amount that was not read counts by its trades. */
export function isHeld({holding, amount}: Pick<Position, 'holding' | 'amount'>): boolean {
	return amount.kind === 'read' ? amount.raw > 0n : holding.trackedRaw > 0n;
}

/** Average cost of a whole token in US dollars, a figure to show; undefined where nothing was bought here. */
export function averageUSD({holding, boughtRaw, costMicro}: Position): number | undefined {
	const [raw, cost] = boughtRaw === undefined ? [holding.trackedRaw, holding.costMicro] : [boughtRaw, costMicro!];
	if (raw === 0n) return undefined;
	return ratio(cost * 10n ** BigInt(holding.decimals), raw * 1_000_000n);
}

/** Open profit in percent of the cost, a figure to show; undefined without a price, an amount or a cost. */
export function openPercent({openMicro, costMicro}: Pick<Position, 'openMicro' | 'costMicro'>): number | undefined {
	if (openMicro === undefined || costMicro === undefined || costMicro === 0n) return undefined;
	return ratio(openMicro * 100n, costMicro);
}

/** A quotient as a figure to show: some 17 digits of it, whatever the size of the two. */
function ratio(numerator: bigint, denominator: bigint): number {
	const digits = (value: bigint) => (value < 0n ? -value : value).toString().length;
	// Enough digits behind the point for a figure, and none that a figure could not hold.
	const places = Math.max(digits(denominator) - digits(numerator) + 18, 0);
	return Number(`${(numerator * 10n ** BigInt(places)) / denominator}e-${places}`);
}

/** Under this a position is one of the small ones, micro-USD. */
const SMALL_MICRO = 500_000n;

/** Whether a position is folded with others on the screen. A position without a price is not folded: its value is unknown. */
export function isSmall({valueMicro}: Pick<Position, 'valueMicro'>): boolean {
	return valueMicro !== undefined && valueMicro < SMALL_MICRO;
}

/** Sums over positions, micro-USD. Unknown values are left out and counted. */
export interface PositionSums {
	readonly valueMicro: bigint;
	/** Cost of the held tokens that have a value and were bought here. */
	readonly costMicro: bigint;
	readonly openMicro: bigint;
	/** Of all trades, also of tokens that are no longer held. */
	readonly realisedMicro: bigint;
	readonly withoutCostMicro: bigint;
	readonly feeMicro: bigint;
	/** Held, and without a value: the amount was not read, or there is no price. */
	readonly unvalued: number;
}

export function sumsOf(positions: readonly Position[]): PositionSums {
	const sums = {
		valueMicro: 0n,
		costMicro: 0n,
		openMicro: 0n,
		realisedMicro: 0n,
		withoutCostMicro: 0n,
		feeMicro: 0n,
		unvalued: 0,
	};
	for (const position of positions) {
		const {holding, valueMicro: value, costMicro = 0n, openMicro = 0n} = position;
		sums.realisedMicro += holding.realisedMicro;
		sums.withoutCostMicro += holding.withoutCostMicro;
		sums.feeMicro += holding.feeMicro;
		if (value !== undefined) {
			sums.valueMicro += value;
			sums.costMicro += costMicro;
			sums.openMicro += openMicro;
		} else if (isHeld(position)) sums.unvalued += 1;
	}
	return sums;
}
