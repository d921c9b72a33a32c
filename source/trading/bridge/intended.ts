import type {Quote} from '../../contract/bridge.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import {batchDigest} from '../../contract/typed-data.ts';
import {COIN_DECIMALS, leastRawOf} from './amounts.ts';
import type {BridgePlan} from './bridge-plan.ts';
import {depositCall} from './calls.ts';
import type {ChainStart, IntendedData, IntendedTrade} from './journal-fold.ts';
import {feeText} from './loss.ts';

/** The record of a plan in the journal, written before its batch is signed. */
export function intendedOf(
	{request, batch, authorization, quote, provider, destination}: BridgePlan,
	{start, ...rest}: Pick<IntendedData, 'attempt' | 'mode'> & {readonly start: ChainStart},
): IntendedData {
	const {trade, ...transfer} = request;
	const {amountRaw, destinationToken} = transfer;
	const target = depositCall({batch})?.to;
	const decimals = destinationToken === undefined ? COIN_DECIMALS : destination?.decimals;
	const leastRaw = leastRawOf(quote.minAmountOut, decimals);
	return {
		...transfer,
		amountRaw: String(amountRaw),
		authority: batch.authority,
		deadlineS: Number(batch.deadline),
		delegates: authorization !== undefined,
		digest: batchDigest(batch, provider),
		...rest,
		...start,
		...(target === undefined ? {} : {target}),
		leastOut: quote.minAmountOut,
		...(leastRaw === undefined ? {} : {leastRaw: String(leastRaw)}),
		...(decimals === undefined ? {} : {destinationDecimals: decimals}),
		...(trade && {trade: intendedTrade(trade, quote)}),
	};
}

/** The facts of a trade that positions need. */
function intendedTrade({side, chainId, address, symbol, decimals, priceUSD}: TradeTarget, quote: Quote): IntendedTrade {
	const feeUSD = feeText(quote);
	return {
		side,
		chainId,
		token: address.toLowerCase(),
		symbol,
		...(decimals === undefined ? {} : {decimals}),
		...(priceUSD === undefined ? {} : {priceUSD}),
		...(feeUSD === undefined ? {} : {feeUSD}),
	};
}
