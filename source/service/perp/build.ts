import {type Address, encodeFunctionData, parseUnits} from 'viem';
import type * as z from 'zod';
import {endpointOf} from '../../contract/endpoints.ts';
import {
	type CancelOrderBody,
	type ClosePositionBody,
	type CreateAccountBody,
	type CreateOrderBody,
	type DepositBody,
	type EditOrderBody,
	type Envelope,
	PERP_FAILURES,
	type PerpAction,
	type UpdateMarginBody,
	type WithdrawBody,
} from '../../contract/perp.ts';
import {Token} from '../chain/artifacts.generated.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {chainIdOf, chainKey} from '../chain/chains.ts';
import {Refused} from '../http-error.ts';
import {
	CannotBuild,
	cancelCall,
	closeCall,
	DEX_A_CHAIN,
	type DexATrade,
	editCall,
	leverageCall,
	liveTrades,
	placeCall,
	priceArgument,
	shareBps,
	worstPrice,
} from './dex-a.ts';
import {keepDexA} from './dex-a-keeper.ts';
import {DEX_B_CHAIN, DEX_B_FIRST_DEPOSIT_RAW, type DexB, DexBRefused, type DexBTrade} from './dex-b.ts';
import {accountMessage, withdrawalMessage} from './dex-b-messages.ts';
import {envelopeOf, type PayloadParts} from './envelope.ts';
import {COLLATERAL_DECIMALS, perpMarketOf, priceAt} from './markets.ts';
import {userTransaction, WouldRevert} from './user-transaction.ts';

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

/** The endpoint of an action. */
export const PAYLOAD_ENDPOINTS = {
	'cancel-order': 'perpCancelOrder',
	'create-order': 'perpCreateOrder',
	'close-position': 'perpClosePosition',
	'edit-order': 'perpEditOrder',
	'update-margin': 'perpUpdateMargin',
	withdraw: 'perpWithdraw',
	deposit: 'perpDeposit',
	'create-account': 'perpCreateAccount',
} as const satisfies Readonly<Record<PerpAction, string>>;

/** The schema of an action's body. */
export function bodySchemaOf(action: PerpAction): z.ZodType {
	return endpointOf(PAYLOAD_ENDPOINTS[action]).body!();
}

type Build<A extends PerpAction> = (
	dependencies: BuildDependencies,
	user: Address,
	body: ActionBodies[A],
) => Promise<PayloadParts> | PayloadParts;

/**
 * Builds the payload of an action for a user (spec 4.7, contract gaps 5.2).
 * @throws Refused with the spec's words and status when it cannot be built, ChainUnavailable
 */
export async function buildPayload<A extends PerpAction>(
	dependencies: BuildDependencies,
	user: Address,
	action: A,
	body: ActionBodies[A],
): Promise<Envelope> {
	try {
		const build = BUILDERS[action] as Build<A>;
		return envelopeOf(await build(dependencies, user, body));
	} catch (error) {
		if (!(error instanceof CannotBuild || error instanceof DexBRefused || error instanceof WouldRevert)) throw error;
		const {status, message} = PERP_FAILURES[action];
		throw new Refused(status, message, {cause: error});
	}
}

const BUILDERS: {readonly [A in PerpAction]: Build<A>} = {
	async 'cancel-order'(dependencies, user, body) {
		if (body.dex === 'dexA') {
			const {orderType = 'order'} = body;
			return dexATransaction(dependencies, user, body, 'cancel-order', () => cancelCall(body), {orderType});
		}
		const {trade, base} = dexBTrade(dependencies, user, body, body.orderIndex);
		if (trade.stage !== 'order' || trade.marketId !== body.marketId) throw new CannotBuild('there is no such order');
		return {
			...base,
			action: 'cancel-order',
			marketId: trade.marketId,
			payload: {...base.payload, orderIndex: body.orderIndex},
		};
	},

	async 'create-order'(dependencies, user, body) {
		const {dexes = ['dexA'], orderType, tp = 0, sl = 0} = body;
		if (dexes[0] === 'dexA') {
			const named = {dex: 'dexA', chainId: body.chainIds?.[0] ?? chainKey(DEX_A_CHAIN)} as const;
			const market = perpMarketOf(body.baseToken, body.quote);
			const marked = {...named, marketId: market?.marketId};
			const call = () => placeCall(body, market ? priceAt(market, dependencies.now()) : 0n).callData;
			return dexATransaction(dependencies, user, marked, 'create-order', call, {orderType, tp, sl});
		}
		const market = perpMarketOf(body.baseToken, body.quote);
		if (market === undefined) throw new CannotBuild('there is no such market');
		if (body.reduceOnly) throw new CannotBuild('orders that only reduce are made by closing a position here');
		const base = dexBBase(dependencies, user, body.chainIds?.[0] ?? DEX_B_CHAIN);
		const price = priceAt(market, dependencies.now());
		const worst = body.maxSlippageP === undefined ? 0n : worstPrice(price, body.long, body.maxSlippageP);
		const payload = {
			...base.payload,
			orderType,
			long: body.long,
			collateralRaw: parseUnits(body.collateralAmount.toFixed(COLLATERAL_DECIMALS), COLLATERAL_DECIMALS).toString(),
			leverageX100: Math.round(body.leverage * 100),
			price: (orderType === 'market' ? worst : priceArgument(body.openPrice!)).toString(),
			tp: priceArgument(tp).toString(),
			sl: priceArgument(sl).toString(),
		};
		return {...base, action: 'create-order', marketId: market.marketId, payload};
	},

	async 'close-position'(dependencies, user, body) {
		if (body.dex === 'dexA') {
			const find = (trades: readonly DexATrade[]) => closeCall(body, byIndex(trades, body.positionId));
			return dexATransaction(dependencies, user, body, 'close-position', find);
		}
		const {trade, base} = dexBPosition(dependencies, user, body);
		const payload = {...base.payload, positionId: String(trade.tradeIndex), shareBps: shareBps(body, trade).toString()};
		return {...base, action: 'close-position', marketId: trade.marketId, payload};
	},

	async 'edit-order'(dependencies, user, body) {
		if (body.dex === 'dexA') {
			const find = (trades: readonly DexATrade[]) => editCall(body, byIndex(trades, body.positionId));
			return dexATransaction(dependencies, user, body, 'edit-order', find);
		}
		const {trade, base} = dexBPosition(dependencies, user, body);
		const tp = body.newTp === undefined ? trade.takeProfit : priceArgument(body.newTp);
		const sl = body.newSl === undefined ? trade.stopLoss : priceArgument(body.newSl);
		const payload = {...base.payload, positionId: String(trade.tradeIndex), tp: tp.toString(), sl: sl.toString()};
		return {...base, action: 'edit-order', marketId: trade.marketId, payload};
	},

	async 'update-margin'(dependencies, user, body) {
		if (body.dex === 'dexA') {
			return dexATransaction(dependencies, user, body, 'update-margin', () => leverageCall(body));
		}
		const {trade, base} = dexBPosition(dependencies, user, body);
		const amount = parseUnits(body.usdcAmount!.toFixed(COLLATERAL_DECIMALS), COLLATERAL_DECIMALS);
		const changeRaw = (body.increase ? amount : -amount).toString();
		const payload = {...base.payload, positionId: String(trade.tradeIndex), changeRaw};
		return {...base, action: 'update-margin', marketId: trade.marketId, payload};
	},

	withdraw(dependencies, user, body) {
		if (body.dex === 'dexA') throw new CannotBuild('dexA holds nothing that could be withdrawn');
		const base = dexBBase(dependencies, user, body.chainId);
		const {accountIndex, balanceRaw, withdrawals} = dependencies.dexB.registered(user);
		const amountRaw = stablecoinRaw(body.amountUsdc);
		if (amountRaw > balanceRaw) throw new CannotBuild('the balance is too small');
		const fields = {accountIndex, amountRaw: amountRaw.toString(), to: user, number: withdrawals};
		return {...base, action: 'withdraw', payload: {...fields, MessageToSign: withdrawalMessage(fields)}};
	},

	async deposit({chains, dexB}, user, body) {
		if (body.dex === 'dexA') throw new CannotBuild('dexA takes collateral with each order');
		if (body.chainId !== DEX_B_CHAIN) throw new CannotBuild('there is no such exchange chain');
		const originId = chainIdOf(body.originChainId);
		if (originId === undefined || !chains.infos.some(({id}) => id === originId)) {
			throw new CannotBuild('this origin chain is not served');
		}
		const amountRaw = stablecoinRaw(body.amountUsdc);
		if (dexB.account(user) === undefined && amountRaw < DEX_B_FIRST_DEPOSIT_RAW) {
			throw new CannotBuild('a first deposit must be at least 5 units');
		}
		const origin = await chains.ready(originId);
		// A book of practice money must neither be filled on one side of the wall and emptied on the other, nor hold real money.
		if (origin.kind !== 'embedded') throw new CannotBuild('dexB is for practice chains');
		const callData = encodeFunctionData({
			abi: Token.abi,
			functionName: 'transfer',
			args: [treasuryOf(origin), amountRaw],
		});
		// Each item is signed with the account's nonce of then: it is no part of the route.
		const {
			from: _,
			nonce: __,
			callData: data,
			...rest
		} = await userTransaction(origin, user, {to: origin.addresses.usdc, callData});
		const steps = [{id: 'deposit', kind: 'transaction', items: [{status: 'incomplete', data: {...rest, data}}]}];
		const route = {originChainId: body.originChainId, amountRaw: amountRaw.toString()};
		return {action: 'deposit', dex: 'dexB', chainId: body.chainId, transport: 'evm-tx', payload: {route, steps}};
	},

	'create-account'({dexB}, user, body) {
		if (body.dex === 'dexA') throw new Refused(501, PERP_FAILURES['create-account'].message);
		if (body.chainId !== DEX_B_CHAIN) throw new CannotBuild('there is no such exchange chain');
		const account = dexB.account(user);
		if (account === undefined) throw new CannotBuild('the wallet has no account: a deposit makes one');
		if (body.accountIndex !== undefined && body.accountIndex !== account.accountIndex) {
			throw new CannotBuild('the account has another index');
		}
		const fields = {accountIndex: account.accountIndex, apiKeyIndex: body.apiKeyIndex ?? 0, wallet: user};
		const payload = {...fields, MessageToSign: accountMessage(fields)};
		return {action: 'create-account', dex: 'dexB', chainId: body.chainId, transport: 'offchain-api', payload};
	},
};

/** The account that holds what was deposited with dexB. */
export function treasuryOf({accounts}: Chain): Address {
	return accounts.keeper.address;
}

/** A decimal amount of the stablecoin, raw. @throws CannotBuild */
export function stablecoinRaw(amount: string): bigint {
	const fraction = amount.split('.')[1]?.replace(/0+$/, '') ?? '';
	if (fraction.length > COLLATERAL_DECIMALS) throw new CannotBuild('the amount has more decimals than the stablecoin');
	return parseUnits(amount, COLLATERAL_DECIMALS);
}

async function dexATransaction(
	{chains, now}: BuildDependencies,
	user: Address,
	{chainId, marketId}: {readonly chainId: string; readonly marketId?: string | undefined},
	action: PerpAction,
	call: (trades: readonly DexATrade[]) => `0x${string}`,
	more: Readonly<Record<string, unknown>> = {},
): Promise<PayloadParts> {
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

/** What every payload of dexB has: the account must be registered. */
function dexBBase({dexB}: BuildDependencies, user: Address, chainId: string) {
	if (chainId !== DEX_B_CHAIN) throw new CannotBuild('there is no such exchange chain');
	const {accountIndex, apiKeyIndex} = dexB.registered(user);
	return {dex: 'dexB', chainId, transport: 'offchain-api', payload: {accountIndex, apiKeyIndex}} as const;
}

function dexBTrade(
	dependencies: BuildDependencies,
	user: Address,
	{chainId}: {readonly chainId: string},
	index: string,
) {
	const base = dexBBase(dependencies, user, chainId);
	const trade = dependencies.dexB.live(user).find(({tradeIndex}) => String(tradeIndex) === index);
	if (trade === undefined) throw new CannotBuild('there is no such order or position');
	return {base, trade};
}

/** The position that a body names, by its index or as the account's only one on a market. */
function dexBPosition(
	dependencies: BuildDependencies,
	user: Address,
	{
		chainId,
		marketId,
		positionId,
	}: {readonly chainId: string; readonly marketId?: string | undefined; readonly positionId?: string | undefined},
): {base: ReturnType<typeof dexBBase>; trade: DexBTrade} {
	const base = dexBBase(dependencies, user, chainId);
	const matching = dependencies.dexB
		.live(user)
		.filter(({stage}) => stage === 'position')
		.filter(trade => marketId === undefined || trade.marketId === marketId)
		.filter(trade => positionId === undefined || String(trade.tradeIndex) === positionId);
	if (matching.length !== 1) throw new CannotBuild('no position, or more than one, fits');
	return {base, trade: matching[0]!};
}
