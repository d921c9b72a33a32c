/** A trade on either exchange, from the order to the closed position. Money in raw units. */
export interface Trade {
	readonly stage: 'order' | 'position' | 'cancelled' | 'closed';
	readonly kind: 'market' | 'limit' | 'stop';
	readonly isLong: boolean;
	/** With 6 decimals. */
	readonly collateralRaw: bigint;
	/** Collateral times leverage, with 6 decimals. */
	readonly sizeRaw: bigint;
	/** Opening price of the order or the position, with 8 decimals. */
	readonly price: bigint;
	/** Zero: none. */
	readonly takeProfit: bigint;
	readonly stopLoss: bigint;
}

/** Fee of opening and closing, of the size, in hundredths of a per cent. As in dexA's contract. */
const FEE_BPS = 5n;

/** The part of the collateral that may be lost, in hundredths of a per cent. */
const LIQUIDATION_BPS = 9000n;

/** Fee of opening or closing a trade. */
export function feeRaw({sizeRaw}: Trade): bigint {
	return (sizeRaw * FEE_BPS) / 10_000n;
}

/** Profit or loss of a position at a price. */
export function profitRaw(trade: Trade, price: bigint): bigint {
	const moved = trade.isLong ? price - trade.price : trade.price - price;
	return (trade.sizeRaw * moved) / trade.price;
}

/** The price at which a position is liquidated; null below zero. */
export function liquidationPrice({isLong, price, collateralRaw, sizeRaw}: Trade): bigint | null {
	const distance = (price * collateralRaw * LIQUIDATION_BPS) / (sizeRaw * 10_000n);
	const at = isLong ? price - distance : price + distance;
	return at > 0n ? at : null;
}

/** Whether a limit or stop order opens at a price. */
export function opensAt({kind, isLong, price: limit}: Trade, price: bigint): boolean {
	if (kind === 'market') return true;
	const wantsLow = isLong === (kind === 'limit');
	return wantsLow ? price <= limit : price >= limit;
}

/** Whether a position has reached its take-profit, its stop-loss or its liquidation at a price. */
export function endsAt(trade: Trade, price: bigint): boolean {
	const {isLong, takeProfit, stopLoss} = trade;
	const [high, low] = isLong ? [takeProfit, stopLoss] : [stopLoss, takeProfit];
	const isLost = profitRaw(trade, price) * 10_000n <= -trade.collateralRaw * LIQUIDATION_BPS;
	return (high !== 0n && price >= high) || (low !== 0n && price <= low) || isLost;
}
