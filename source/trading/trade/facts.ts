import {isSameAddress} from '../../address.ts';
import {chainName} from '../../chains/chains.ts';
import type {Quote} from '../../contract/bridge.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import type {BridgeRequest} from '../bridge/bridge-plan.ts';
import {intentsIn} from '../bridge/journal-fold.ts';
import {feeUsd} from '../bridge/loss.ts';
import {isInFlight} from '../bridge/machine.ts';
import type {TradeSources} from '../bridge/policy.ts';
import type {TradeSpend} from '../caps.ts';
import {formatUnits} from '../decimal.ts';
import type {JournalRecord} from '../journal.ts';
import {foldTrades, type Holding} from '../positions/fold.ts';
import {type OpenTrade, openTrades, type SettledTrade, settledTrades} from '../positions/settled.ts';
import {isPrice} from '../positions/value.ts';
import {microUp, USD_DECIMALS} from '../usd-amount.ts';
import type {ChainPrice, OwnPrices} from './own-prices.ts';
import type {TradeFacts} from './trade-facts.ts';

/** See TradePolicy. @throws JournalBroken */
export async function readTradeFacts(
	sources: TradeSources,
	{request, quote}: {readonly request: BridgeRequest; readonly quote: Quote},
	target: TradeTarget,
): Promise<TradeFacts> {
	const {journal, address, trade: input = {}} = sources;
	const {tradeNow, maxLoss} = input;
	const records = journal.records();
	const underWay = tradeUnderWay(records, target, quote.intentId);
	const settled = settledTrades(records);
	const last = settled.findLast(one => isTradeOf(one, target));
	const [now, own] = await Promise.all([tradeNow?.(), readOwnPrices(sources, request, target, settled)]);
	return {
		target: now ?? target,
		own,
		busyRaw: busyRaw(records, request, address, quote.intentId),
		...(underWay === undefined ? {} : {underWay}),
		...(last === undefined ? {} : {endedAtMs: last.atMs}),
		...(maxLoss === undefined ? {} : {maxLoss}),
	};
}

/** The price by sources other than the service, or from before the request. */
async function readOwnPrices(
	{chains, clock, signer, address, destination}: TradeSources,
	request: BridgeRequest,
	target: TradeTarget,
	settled: readonly SettledTrade[],
): Promise<OwnPrices> {
	const {seen, priceUSD: atKeyUSD, chainId, side} = target;
	const decimals = side === 'sell' ? request.decimals : (destination?.decimals ?? target.decimals);
	const own = settled.filter(one => isSameToken(one, target) && isSameAddress(one.wallet, address));
	const [holding] = foldTrades(own);
	const costUSD = holding && holding.trackedRaw > 0n ? costOfOne(holding) : undefined;
	return {
		...(seen && {seen}),
		...(atKeyUSD === undefined ? {} : {atKeyUSD}),
		...(costUSD === undefined ? {} : {costUSD}),
		chain: await chainPrice(),
	};

	async function chainPrice(): Promise<ChainPrice> {
		if (!chains.knows(chainId)) return {kind: 'unread', why: `no node of ${chainName(chainId)} is configured`};
		if (decimals === undefined) return {kind: 'unread', why: 'its decimals are not known'};
		// Brings the tables of venues along, which nothing else here needs.
		const {readChainPrice} = await import('./chain-price.ts');
		const isPractice = signer.state.mode === 'practice';
		const token = {chainId, address: target.address, decimals};
		return readChainPrice(chains, token, {isPractice, nowMs: clock.nowMs()});
	}
}

/** Average cost of the tokens still held, US dollars for a whole token. */
function costOfOne({costMicro, trackedRaw, decimals}: Holding): number {
	return Number(costMicro) / 10 ** USD_DECIMALS / Number(formatUnits(trackedRaw, decimals));
}

/**
 * A trade of the same token and side that may still move something. A trade that has ended by the service's word, and whose tokens
 * have left by the chain, does not count: its proceeds may be missing, but it moves nothing more.
 * @param except an intent that is no other
 */
export function tradeUnderWay(
	records: readonly JournalRecord[],
	target: Pick<TradeTarget, 'side' | 'chainId' | 'address'>,
	except: string,
): OpenTrade | undefined {
	const over = new Set(
		intentsIn(records).flatMap(({intentId, state}) =>
			state.phase === 'claimed' && state.leftTxHash !== undefined ? [intentId] : [],
		),
	);
	return openTrades(records).find(
		open => open.intentId !== except && !over.has(open.intentId) && isTradeOf(open, target),
	);
}

function isTradeOf(
	trade: {readonly side: string; readonly chainId: string; readonly token: string},
	target: Pick<TradeTarget, 'side' | 'chainId' | 'address'>,
): boolean {
	return trade.side === target.side && isSameToken(trade, target);
}

function isSameToken(
	trade: {readonly chainId: string; readonly token: string},
	{chainId, address}: Pick<TradeTarget, 'chainId' | 'address'>,
): boolean {
	return trade.chainId === chainId && isSameAddress(trade.token, address);
}

/** How much of the token that is spent may still leave by other intents: sent, and not yet seen to have left. */
function busyRaw(
	records: readonly JournalRecord[],
	{originChainId, originToken}: BridgeRequest,
	address: string,
	except: string,
): bigint {
	return intentsIn(records)
		.filter(
			({intentId, intended, state}) =>
				intentId !== except &&
				isInFlight(state) &&
				state.leftTxHash === undefined &&
				intended.originChainId === originChainId &&
				isSameAddress(intended.originToken, originToken) &&
				isSameAddress(intended.authority, address),
		)
		.reduce((sum, {intended}) => sum + BigInt(intended.amountRaw), 0n);
}

/** The dollars of a trade: the payment, or the sold tokens by the higher of the prices of feed and quote. */
export function tradeSpend({amountRaw, decimals}: BridgeRequest, quote: Quote, target: TradeTarget): TradeSpend {
	const {side, priceUSD} = target;
	if (side === 'buy') return {side, usdMicro: microUp(amountRaw, decimals)};
	const byFeed = isPrice(priceUSD) ? Number(formatUnits(amountRaw, decimals)) * priceUSD : undefined;
	const byQuote = Number(quote.estimatedAmountOut) + (feeUsd(quote) ?? 0);
	const usd = Math.max(byFeed ?? 0, byQuote);
	// More than any cap, or no number: not known.
	if (!(usd > 0 && usd < 1e12)) return {side};
	return {side, usdMicro: BigInt(Math.ceil(usd * 10 ** USD_DECIMALS))};
}
