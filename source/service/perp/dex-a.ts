import {type Address, encodeFunctionData, type Hex, parseUnits, toFunctionSelector} from 'viem';
import type {
	CancelOrderBody,
	ClosePositionBody,
	CreateOrderBody,
	EditOrderBody,
	PerpAction,
	UpdateMarginBody,
} from '../../contract/perp.ts';
import {PerpExchange} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {COLLATERAL_DECIMALS, PERP_MARKETS, type PerpMarket, PRICE_DECIMALS, perpMarketOf} from './markets.ts';
import type {Trade} from './trade.ts';

/** Where dexA lives. */
export const DEX_A_CHAIN = 42161;

/** The request cannot be carried out on this exchange: the answer has the spec's words, this has the reason. */
export class CannotBuild extends Error {}

/** A trade on dexA's contract. */
export interface DexATrade extends Trade {
	readonly index: number;
	readonly market: PerpMarket;
	readonly sinceMs: number;
}

/** What may be called for an action: nothing else is passed on to the chain for a payload of it. */
const FUNCTIONS = {
	'cancel-order': ['cancelOrder', 'cancelTakeProfit', 'cancelStopLoss'],
	'create-order': ['placeOrder'],
	'close-position': ['closePosition'],
	'edit-order': ['updateTargets'],
	'update-margin': ['updateLeverage'],
} as const satisfies Partial<Record<PerpAction, readonly string[]>>;

/** Whether a call is what an action on dexA does. */
export function isDexACall(chain: Chain, action: PerpAction, to: string, callData: string): boolean {
	const names: readonly string[] = FUNCTIONS[action as keyof typeof FUNCTIONS] ?? [];
	const selectors = PerpExchange.abi
		.filter(item => item.type === 'function')
		.filter(item => names.includes(item.name))
		.map(item => toFunctionSelector(item));
	return (
		to.toLowerCase() === chain.addresses.perpExchange.toLowerCase() &&
		selectors.includes(callData.slice(0, 10).toLowerCase() as Hex)
	);
}

/** The call that cancels an order, a take-profit or a stop-loss (spec 4.7). */
export function cancelCall({orderIndex, orderType = 'order'}: CancelOrderBody): Hex {
	const functionName = ({order: 'cancelOrder', tp: 'cancelTakeProfit', sl: 'cancelStopLoss'} as const)[orderType];
	return encodeFunctionData({abi: PerpExchange.abi, functionName, args: [indexArgument(orderIndex)]});
}

/**
 * The call that places an order.
 * @param price the market's price now
 * @throws CannotBuild
 */
export function placeCall(body: CreateOrderBody, price: bigint): {market: PerpMarket; callData: Hex} {
	const market = perpMarketOf(body.baseToken, body.quote);
	if (market === undefined) throw new CannotBuild('there is no such market');
	if (body.reduceOnly) throw new CannotBuild('orders that only reduce are made by closing a position here');
	const kind = ({market: 0, limit: 1, stop_limit: 2} as const)[body.orderType];
	const worst = body.maxSlippageP === undefined ? 0n : worstPrice(price, body.long, body.maxSlippageP);
	const args = [
		market.number,
		kind,
		body.long,
		parseUnits(body.collateralAmount.toFixed(COLLATERAL_DECIMALS), COLLATERAL_DECIMALS),
		Math.round(body.leverage * 100),
		kind === 0 ? worst : priceArgument(body.openPrice!),
		priceArgument(body.tp ?? 0),
		priceArgument(body.sl ?? 0),
	] as const;
	return {market, callData: encodeFunctionData({abi: PerpExchange.abi, functionName: 'placeOrder', args})};
}

/** The worst price that a market order takes. @param slippage percent */
export function worstPrice(price: bigint, isLong: boolean, slippage: number): bigint {
	const part = (price * BigInt(Math.round(slippage * 10_000))) / 1_000_000n;
	return isLong ? price + part : price - part;
}

/** The call that closes a position, or the part of it that the body names. @throws CannotBuild */
export function closeCall(body: ClosePositionBody, trade: DexATrade | undefined): Hex {
	const share = shareBps(body, trade);
	const args = [indexArgument(body.positionId!), share] as const;
	return encodeFunctionData({abi: PerpExchange.abi, functionName: 'closePosition', args});
}

/** Which part of a position is to be closed, in hundredths of a per cent. @throws CannotBuild */
export function shareBps({closePercentage, amountRaw}: ClosePositionBody, trade: Trade | undefined): bigint {
	if (trade?.stage !== 'position') throw new CannotBuild('there is no such position');
	if (closePercentage !== undefined) return BigInt(Math.max(1, Math.round(closePercentage * 100)));
	const amount = BigInt(amountRaw!);
	const size = trade.sizeRaw;
	if (amount <= 0n || amount > size) throw new CannotBuild('the amount is not within the position');
	return amount === size ? 10_000n : (amount * 10_000n) / size || 1n;
}

/** The call that changes take-profit and stop-loss; what the body leaves out stays. @throws CannotBuild */
export function editCall(body: EditOrderBody, trade: DexATrade | undefined): Hex {
	if (trade === undefined) throw new CannotBuild('there is no such position');
	const takeProfit = body.newTp === undefined ? trade.takeProfit : priceArgument(body.newTp);
	const stopLoss = body.newSl === undefined ? trade.stopLoss : priceArgument(body.newSl);
	const args = [BigInt(trade.index), takeProfit, stopLoss] as const;
	return encodeFunctionData({abi: PerpExchange.abi, functionName: 'updateTargets', args});
}

/** The call that changes a position's leverage. */
export function leverageCall({positionId, newLeverage}: UpdateMarginBody): Hex {
	const args = [indexArgument(positionId!), Math.round(newLeverage! * 100)] as const;
	return encodeFunctionData({abi: PerpExchange.abi, functionName: 'updateLeverage', args});
}

function indexArgument(index: string): bigint {
	const value = BigInt(index);
	if (value >= 2n ** 256n) throw new CannotBuild('there is no such order');
	return value;
}

/** A price in dollars with the contract's decimals. */
export function priceArgument(price: number): bigint {
	return parseUnits(price.toFixed(PRICE_DECIMALS), PRICE_DECIMALS);
}

const STAGES = ['none', 'order', 'position', 'cancelled', 'closed'] as const;
const KINDS = ['market', 'limit', 'stop'] as const;
const PAGE = 200n;

/** All trades of an account that are not over, oldest first. */
export async function liveTrades(chain: Chain, trader: Address): Promise<DexATrade[]> {
	const live: DexATrade[] = [];
	for (let from = 0n; ; from += PAGE) {
		const page = await chain.client.readContract({
			abi: PerpExchange.abi,
			address: chain.addresses.perpExchange,
			functionName: 'tradesOf',
			args: [trader, from, PAGE],
		});
		for (const [i, trade] of page.entries()) {
			const stage = STAGES[trade.stage];
			const market = PERP_MARKETS.find(({number}) => number === trade.market);
			if ((stage !== 'order' && stage !== 'position') || market === undefined) continue;
			live.push({
				index: Number(from) + i,
				market,
				stage,
				kind: KINDS[trade.kind]!,
				isLong: trade.isLong,
				collateralRaw: trade.collateral,
				sizeRaw: (trade.collateral * BigInt(trade.leverageX100)) / 100n,
				price: trade.price,
				takeProfit: trade.takeProfit,
				stopLoss: trade.stopLoss,
				sinceMs: Number(trade.since) * 1000,
			});
		}
		if (page.length < Number(PAGE)) return live;
	}
}
