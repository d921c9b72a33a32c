import {type Address, parseUnits} from 'viem';
import type {
	CancelOrderBody,
	ClosePositionBody,
	CreateAccountBody,
	CreateOrderBody,
	DepositBody,
	EditOrderBody,
	PerpAction,
	UpdateMarginBody,
	WithdrawBody,
} from '../../contract/perp.ts';
import type {ChainSet} from '../chain/chain-set.ts';
import type {DexB} from './dex-b.ts';
import type {PayloadParts} from './envelope.ts';
import {COLLATERAL_DECIMALS, type PerpMarket, PRICE_DECIMALS, perpMarketOf} from './markets.ts';
import type {Trade} from './trade.ts';

/** A request that this exchange cannot carry out: the answer has the spec's words, this error the reason. */
export class CannotBuild extends Error {}

export interface BuildDependencies {
	readonly chains: ChainSet;
	readonly dexB: DexB;
	readonly now: () => number;
}

/** The body of each action. */
export interface ActionBodies {
	'cancel-order': CancelOrderBody;
	'create-order': CreateOrderBody;
	'close-position': ClosePositionBody;
	'edit-order': EditOrderBody;
	'update-margin': UpdateMarginBody;
	withdraw: WithdrawBody;
	deposit: DepositBody;
	'create-account': CreateAccountBody;
}

/** Builds the payload of each action on an exchange. @throws CannotBuild, DexBRefused, WouldRevert */
export type PayloadBuilders = {
	readonly [A in PerpAction]: (
		dependencies: BuildDependencies,
		user: Address,
		body: ActionBodies[A],
	) => Promise<PayloadParts> | PayloadParts;
};

/** The market of an order. @throws CannotBuild */
export function marketOf({baseToken, quote, reduceOnly}: CreateOrderBody): PerpMarket {
	const market = perpMarketOf(baseToken, quote);
	if (market === undefined) throw new CannotBuild('there is no such market');
	if (reduceOnly) throw new CannotBuild('orders that only reduce are made by closing a position here');
	return market;
}

/** The worst price that a market order takes, zero for any. @param price the market's */
export function worstPrice(price: bigint, {long, maxSlippageP}: CreateOrderBody): bigint {
	if (maxSlippageP === undefined) return 0n;
	const part = (price * BigInt(Math.round(maxSlippageP * 10_000))) / 1_000_000n;
	return long ? price + part : price - part;
}

/** The part of a position to close, in hundredths of a per cent. @throws CannotBuild */
export function shareBps({closePercentage, amountRaw}: ClosePositionBody, trade: Trade | undefined): bigint {
	if (trade?.stage !== 'position') throw new CannotBuild('there is no such position');
	if (closePercentage !== undefined) return BigInt(Math.max(1, Math.round(closePercentage * 100)));
	if (!/^\d{1,40}$/.test(String(amountRaw))) throw new CannotBuild('the amount is not a whole number of raw units');
	const [amount, size] = [BigInt(amountRaw!), trade.sizeRaw];
	if (amount <= 0n || amount > size) throw new CannotBuild('the amount is not within the position');
	return amount === size ? 10_000n : (amount * 10_000n) / size || 1n;
}

/** No price or amount is larger, and no type on a chain could hold one. */
const MAX_VALUE = 1e12;

/** A price in dollars, raw. @throws CannotBuild */
export function priceRaw(price: number): bigint {
	return raw(price, PRICE_DECIMALS);
}

/** An amount of the stablecoin, raw. @throws CannotBuild */
export function collateralRaw(amount: number): bigint {
	return raw(amount, COLLATERAL_DECIMALS);
}

function raw(value: number, decimals: number): bigint {
	if (!(value >= 0 && value <= MAX_VALUE)) throw new CannotBuild('a number is out of every range');
	return parseUnits(value.toFixed(decimals), decimals);
}

/** A leverage in hundredths. @throws CannotBuild */
export function leverageX100(leverage: number): number {
	if (leverage > 1e6) throw new CannotBuild('the leverage is out of every range');
	return Math.round(leverage * 100);
}

/** A decimal amount of the stablecoin as text, raw. @throws CannotBuild */
export function stablecoinRaw(amount: string): bigint {
	const fraction = amount.split('.')[1]?.replace(/0+$/, '') ?? '';
	if (fraction.length > COLLATERAL_DECIMALS) throw new CannotBuild('the amount has more decimals than the stablecoin');
	return parseUnits(amount, COLLATERAL_DECIMALS);
}
