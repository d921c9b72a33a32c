import {type Address, encodeFunctionData} from 'viem';
import {evmChainNumber} from '../../chains/chains.ts';
import {Token} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';

import {DEX_B_CHAIN, DEX_B_FIRST_DEPOSIT_RAW, type DexBTrade} from './dex-b.ts';
import {accountMessage, withdrawalMessage} from './dex-b-messages.ts';
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
	stablecoinRaw,
	worstPrice,
} from './payload-builders.ts';
import {userTransaction} from './user-transaction.ts';

/** Actions on dexB go to its books; only a deposit is a transaction, on the chain where the money is. */
export const dexBPayloads: PayloadBuilders = {
	async 'cancel-order'(dependencies, user, body) {
		const base = await baseOf(dependencies, user, body.chainId);
		const trade = (await dependencies.dexB.live(user)).find(({tradeIndex}) => String(tradeIndex) === body.orderIndex);
		if (trade?.stage !== 'order' || trade.marketId !== body.marketId) throw new CannotBuild('there is no such order');
		const payload = {...base.payload, orderIndex: body.orderIndex};
		return {...base, action: 'cancel-order', marketId: trade.marketId, payload};
	},

	async 'create-order'(dependencies, user, body) {
		const market = marketOf(body);
		const {orderType, tp = 0, sl = 0, chainIds = [DEX_B_CHAIN]} = body;
		const base = await baseOf(dependencies, user, chainIds[0] ?? '');
		const isMarket = orderType === 'market';
		const price = isMarket ? worstPrice(priceAt(market, dependencies.now()), body) : priceRaw(body.openPrice!);
		const payload = {
			...base.payload,
			orderType,
			long: body.long,
			collateralRaw: collateralRaw(body.collateralAmount).toString(),
			leverageX100: leverageX100(body.leverage),
			price: price.toString(),
			tp: priceRaw(tp).toString(),
			sl: priceRaw(sl).toString(),
		};
		return {...base, action: 'create-order', marketId: market.marketId, payload};
	},

	async 'close-position'(dependencies, user, body) {
		const {trade, base} = await positionOf(dependencies, user, body);
		const payload = {...base.payload, positionId: String(trade.tradeIndex), shareBps: shareBps(body, trade).toString()};
		return {...base, action: 'close-position', marketId: trade.marketId, payload};
	},

	async 'edit-order'(dependencies, user, body) {
		const {trade, base} = await positionOf(dependencies, user, body);
		const tp = body.newTp === undefined ? trade.takeProfit : priceRaw(body.newTp);
		const sl = body.newSl === undefined ? trade.stopLoss : priceRaw(body.newSl);
		const payload = {...base.payload, positionId: String(trade.tradeIndex), tp: tp.toString(), sl: sl.toString()};
		return {...base, action: 'edit-order', marketId: trade.marketId, payload};
	},

	async 'update-margin'(dependencies, user, body) {
		const {trade, base} = await positionOf(dependencies, user, body);
		const amount = collateralRaw(body.usdcAmount!);
		const changeRaw = (body.increase ? amount : -amount).toString();
		const payload = {...base.payload, positionId: String(trade.tradeIndex), changeRaw};
		return {...base, action: 'update-margin', marketId: trade.marketId, payload};
	},

	async withdraw(dependencies, user, body) {
		const base = await baseOf(dependencies, user, body.chainId);
		const {accountIndex, balanceRaw, withdrawals} = await dependencies.dexB.registered(user);
		const amountRaw = stablecoinRaw(body.amountUsdc);
		if (amountRaw > balanceRaw) throw new CannotBuild('the balance is too small');
		const fields = {accountIndex, amountRaw: amountRaw.toString(), to: user, number: withdrawals};
		return {...base, action: 'withdraw', payload: {...fields, MessageToSign: withdrawalMessage(fields)}};
	},

	async deposit({chains, dexB}, user, {chainId, originChainId, amountUsdc}) {
		checkChain(chainId);
		const originId = evmChainNumber(originChainId);
		if (originId === undefined || !chains.infos.some(({id}) => id === originId)) {
			throw new CannotBuild('this origin chain is not served');
		}
		const amountRaw = stablecoinRaw(amountUsdc);
		if ((await dexB.account(user)) === undefined && amountRaw < DEX_B_FIRST_DEPOSIT_RAW) {
			throw new CannotBuild('a first deposit must be at least 5 units');
		}
		const origin = await chains.ready(originId);
		// A practice exchange must not take deposits from one kind of chain and pay out on the other, nor hold real
		// money.
		if (origin.kind !== 'embedded') throw new CannotBuild('dexB is for practice chains');
		const args = [treasuryOf(origin), amountRaw] as const;
		const callData = encodeFunctionData({abi: Token.abi, functionName: 'transfer', args});
		const call = {to: origin.addresses.usdc, callData};
		// Each item is signed with the account's nonce of that moment; neither the nonce nor the signer is part of the
		// route.
		const {
			to,
			value,
			chainId: number,
			gas,
			maxFeePerGas,
			maxPriorityFeePerGas,
		} = await userTransaction(origin, user, call);
		const data = {to, data: callData, value, chainId: number, gas, maxFeePerGas, maxPriorityFeePerGas};
		const steps = [{id: 'deposit', kind: 'transaction', items: [{status: 'incomplete', data}]}];
		const route = {originChainId, amountRaw: amountRaw.toString()};
		return {action: 'deposit', dex: 'dexB', chainId, transport: 'evm-tx', payload: {route, steps}};
	},

	async 'create-account'({dexB}, user, {chainId, accountIndex, apiKeyIndex = 0}) {
		checkChain(chainId);
		const account = await dexB.account(user);
		if (account === undefined) throw new CannotBuild('the wallet has no account: a deposit makes one');
		if (accountIndex !== undefined && accountIndex !== account.accountIndex) {
			throw new CannotBuild('the account has another index');
		}
		const fields = {accountIndex: account.accountIndex, apiKeyIndex, wallet: user};
		const payload = {...fields, MessageToSign: accountMessage(fields)};
		return {action: 'create-account', dex: 'dexB', chainId, transport: 'offchain-api', payload};
	},
};

/** The account that holds deposits with dexB. */
export function treasuryOf({accounts}: Chain): Address {
	return accounts.keeper.address;
}

function checkChain(chainId: string): void {
	if (chainId !== DEX_B_CHAIN) throw new CannotBuild('there is no such exchange chain');
}

/** The common part of every payload for the books: the account must be registered. */
async function baseOf({dexB}: BuildDependencies, user: Address, chainId: string) {
	checkChain(chainId);
	const {accountIndex, apiKeyIndex} = await dexB.registered(user);
	return {dex: 'dexB', chainId, transport: 'offchain-api', payload: {accountIndex, apiKeyIndex}} as const;
}

interface PositionName {
	readonly chainId: string;
	readonly marketId?: string | undefined;
	readonly positionId?: string | undefined;
}

/** The position of a body, by its index or as the account's only one on a market. */
async function positionOf(
	dependencies: BuildDependencies,
	user: Address,
	{chainId, marketId, positionId}: PositionName,
): Promise<{base: Awaited<ReturnType<typeof baseOf>>; trade: DexBTrade}> {
	const base = await baseOf(dependencies, user, chainId);
	const matching = (await dependencies.dexB.live(user))
		.filter(({stage}) => stage === 'position')
		.filter(trade => marketId === undefined || trade.marketId === marketId)
		.filter(trade => positionId === undefined || String(trade.tradeIndex) === positionId);
	if (matching.length !== 1) throw new CannotBuild('no position, or more than one, fits');
	return {base, trade: matching[0]!};
}
