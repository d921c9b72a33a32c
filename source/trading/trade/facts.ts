import {isSameAddress} from '../../address.ts';
import type {Quote} from '../../contract/bridge.ts';
import type {BridgeRequest} from '../bridge/checks.ts';
import {intentsIn} from '../bridge/journal-fold.ts';
import {feeUsd} from '../bridge/loss.ts';
import {isInFlight} from '../bridge/machine.ts';
import type {TradeSpend} from '../caps.ts';
import {dollarDecimalsOf} from '../chains.ts';
import {formatUnits} from '../decimal.ts';
import type {FlowOptions} from '../flow.ts';
import type {JournalRecord} from '../journal.ts';
import {isPrice} from './figures.ts';
import type {TradeFacts} from './plan.ts';
import {microUp, type OpenTrade, openTrades, settledTrades, USD_DECIMALS} from './settled.ts';
import type {TradeTarget} from './target.ts';

/** What a trade needs besides its request. */
export interface TradeInput {
	/**
	 * The row as it is now, read at every review and before the signature; undefined when it is gone: then the figures of the
	 * request count for as long as they are fresh.
	 */
	readonly tradeNow?: () => TradeTarget | undefined | Promise<TradeTarget | undefined>;
	/** Percent: the worst case may be no more. */
	readonly maxLoss?: number;
}

/** Decimals of the dollars of every practice chain. */
const PRACTICE_DOLLAR_DECIMALS = 6;

type Sources = Pick<FlowOptions, 'journal' | 'signer' | 'address'> & {readonly trade?: TradeInput};

/** What a plan has to know of its trade, now; undefined for a plain transfer. @throws JournalBroken */
export async function readTradeFacts(
	{journal, signer, address, trade: input = {}}: Sources,
	{request, quote}: {readonly request: BridgeRequest; readonly quote: Quote},
): Promise<TradeFacts | undefined> {
	if (!request.trade) return undefined;
	const {tradeNow, maxLoss} = input;
	const target = (await tradeNow?.()) ?? request.trade;
	const records = journal.records();
	const underWay = tradeUnderWay(records, request.trade, quote.intentId);
	const last = settledTrades(records).findLast(settled => isTradeOf(settled, request.trade!));
	const isPractice = signer.state.mode === 'practice';
	const bridgedDecimals = isPractice ? PRACTICE_DOLLAR_DECIMALS : dollarDecimalsOf(request.originChainId);
	return {
		target,
		busyRaw: busyRaw(records, request, address, quote.intentId),
		...(underWay === undefined ? {} : {underWay}),
		...(last === undefined ? {} : {endedAtMs: last.atMs}),
		...(maxLoss === undefined ? {} : {maxLoss}),
		...(bridgedDecimals === undefined ? {} : {bridgedDecimals}),
	};
}

/**
 * A trade of the same token and side that may still move something. One that the service says has ended, and whose tokens
 * have left by the chain, is no such: what it promised may be missing, but it is not made twice.
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
	{side, chainId, address}: Pick<TradeTarget, 'side' | 'chainId' | 'address'>,
): boolean {
	return trade.side === side && trade.chainId === chainId && isSameAddress(trade.token, address);
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

/** What a trade counts in dollars: what is paid, or what is sold by the higher of the prices of feed and quote. */
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
