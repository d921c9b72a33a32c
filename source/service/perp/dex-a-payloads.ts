import {type Address, encodeFunctionData, type Hex} from 'viem';
import {PERP_FAILURES, type PerpAction} from '../../contract/perp.ts';
import {PerpExchange} from '../chain/artifacts.generated.ts';
import {chainKey} from '../chain/chains.ts';
import {Refused} from '../http-error.ts';
import {DEX_A_CHAIN, type DexATrade, liveTrades} from './dex-a.ts';
import {keepDexA} from './dex-a-keeper.ts';
import type {PayloadParts} from './envelope.ts';
import {priceAt} from './markets.ts';
import {
	type BuildDependencies,
	CannotBuild,
	collateralRaw,
	leverageX100,
	marketOf,
	type PayloadBuilders,
	priceRaw,
	shareBps,
	worstPrice,
} from './payload-builders.ts';
import {userTransaction} from './user-transaction.ts';

/** Each action on dexA is one call of its contract, for the user to sign as a transaction. */
export const dexAPayloads: PayloadBuilders = {
	'cancel-order'(dependencies, user, body) {
		const {orderIndex, orderType = 'order'} = body;
		const functionName = ({order: 'cancelOrder', tp: 'cancelTakeProfit', sl: 'cancelStopLoss'} as const)[orderType];
		const callData = encodeFunctionData({abi: PerpExchange.abi, functionName, args: [indexArgument(orderIndex)]});
		return transaction(dependencies, user, {...body, action: 'cancel-order'}, () => callData, {orderType});
	},

	'create-order'(dependencies, user, body) {
		const market = marketOf(body);
		const {orderType, tp = 0, sl = 0, chainIds = [chainKey(DEX_A_CHAIN)]} = body;
		const isMarket = orderType === 'market';
		const args = [
			market.number,
			({market: 0, limit: 1, stop_limit: 2} as const)[orderType],
			body.long,
			collateralRaw(body.collateralAmount),
			leverageX100(body.leverage),
			isMarket ? worstPrice(priceAt(market, dependencies.now()), body) : priceRaw(body.openPrice!),
			priceRaw(tp),
			priceRaw(sl),
		] as const;
		const callData = encodeFunctionData({abi: PerpExchange.abi, functionName: 'placeOrder', args});
		const named = {action: 'create-order', chainId: chainIds[0] ?? '', marketId: market.marketId} as const;
		return transaction(dependencies, user, named, () => callData, {orderType, tp, sl});
	},

	'close-position': (dependencies, user, body) =>
		transaction(dependencies, user, {...body, action: 'close-position'}, trades => {
			const args = [indexArgument(body.positionId!), shareBps(body, byIndex(trades, body.positionId))] as const;
			return encodeFunctionData({abi: PerpExchange.abi, functionName: 'closePosition', args});
		}),

	'edit-order': (dependencies, user, body) =>
		transaction(dependencies, user, {...body, action: 'edit-order'}, trades => {
			const trade = byIndex(trades, body.positionId);
			if (trade === undefined) throw new CannotBuild('there is no such position');
			const takeProfit = body.newTp === undefined ? trade.takeProfit : priceRaw(body.newTp);
			const stopLoss = body.newSl === undefined ? trade.stopLoss : priceRaw(body.newSl);
			const args = [BigInt(trade.index), takeProfit, stopLoss] as const;
			return encodeFunctionData({abi: PerpExchange.abi, functionName: 'updateTargets', args});
		}),

	'update-margin': (dependencies, user, body) =>
		transaction(dependencies, user, {...body, action: 'update-margin'}, () => {
			const args = [indexArgument(body.positionId!), leverageX100(body.newLeverage!)] as const;
			return encodeFunctionData({abi: PerpExchange.abi, functionName: 'updateLeverage', args});
		}),

	withdraw() {
		throw new CannotBuild('dexA holds nothing that could be withdrawn');
	},

	deposit() {
		throw new CannotBuild('dexA takes collateral with each order');
	},

	'create-account'() {
		throw new Refused(501, PERP_FAILURES['create-account'].message, {details: {reason: 'dexA needs no account'}});
	},
};

async function transaction(
	{chains, now}: BuildDependencies,
	user: Address,
	named: {readonly action: PerpAction; readonly chainId: string; readonly marketId?: string | undefined},
	call: (trades: readonly DexATrade[]) => Hex,
	more: Readonly<Record<string, unknown>> = {},
): Promise<PayloadParts> {
	const {action, chainId, marketId} = named;
	if (chainId !== chainKey(DEX_A_CHAIN)) throw new CannotBuild('dexA is on another chain');
	const chain = await chains.ready(DEX_A_CHAIN);
	if (chain.kind === 'embedded') await keepDexA(chain, [user], now());
	const callData = call(await liveTrades(chain, user));
	const data = await userTransaction(chain, user, {to: chain.addresses.perpExchange, callData});
	return {action, dex: 'dexA', chainId, marketId, transport: 'evm-tx', payload: {type: 'evm', ...more, data}};
}

function byIndex(trades: readonly DexATrade[], index: string | undefined): DexATrade | undefined {
	return trades.find(trade => String(trade.index) === index);
}

function indexArgument(index: string): bigint {
	const value = BigInt(index);
	if (value >= 2n ** 256n) throw new CannotBuild('there is no such order');
	return value;
}
