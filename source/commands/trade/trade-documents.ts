import {chainName} from '../../chains/chains.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import {clean} from '../../text.ts';
import {formatUnits} from '../../trading/decimal.ts';
import type {FoldedTrade} from '../../trading/positions/fold.ts';
import type {SettledTrade} from '../../trading/positions/settled.ts';
import {USD_DECIMALS} from '../../trading/usd-amount.ts';

/** Micro-USD as exact text: `-1.25`. */
export function dollarText(micro: bigint): string {
	return formatUnits(micro, USD_DECIMALS);
}

/** The traded token as JSON: the row of the feed and its time. An unreported member is left out. */
export function targetDocument({
	address,
	atMs,
	isLive: _,
	isCurve: __,
	isNotOpenSource: ___,
	seen: ____,
	...row
}: TradeTarget) {
	const {phase, lookAlike, ...facts} = row;
	return {
		...facts,
		token: address,
		...(phase !== undefined && {phase}),
		...(lookAlike !== undefined && {lookAlike}),
		readAtMs: Math.round(atMs),
	};
}

/** A trade whose end a chain has shown: the exact amounts. */
export function settledDocument({end, tokenRaw, decimals, usdMicro, feeMicro, txHash}: SettledTrade) {
	return {
		end,
		amount: formatUnits(tokenRaw, decimals),
		usd: dollarText(usdMicro),
		...(feeMicro !== undefined && {feesUSD: dollarText(feeMicro)}),
		...(txHash !== undefined && {txHash}),
	};
}

/** The same in one line, as the facts of a transfer have it: `bought   120.5 PENGU on Base for 25 USD`. */
export function settledText(settled: SettledTrade): string {
	const {side, end, chainId, symbol, tokenRaw, decimals, usdMicro} = settled;
	const what = `${formatUnits(tokenRaw, decimals)} ${clean(symbol)} on ${chainName(chainId)}`;
	const how = end === 'returned' ? ', which came back on its own chain' : '';
	return `${(side === 'buy' ? 'bought' : 'sold').padEnd(7)}  ${what} for ${dollarText(usdMicro)} USD${how}\n`;
}

/** A trade of the history, with its realised profit. */
export function tradeDocument({trade, realisedMicro, withoutCostMicro, isGone}: FoldedTrade) {
	const {intentId, wallet, side, chainId, token, symbol, atMs} = trade;
	return {
		intentId: clean(intentId),
		wallet,
		side,
		chainId,
		token,
		symbol: clean(symbol),
		...settledDocument(trade),
		...(realisedMicro !== undefined && {realisedUSD: dollarText(realisedMicro)}),
		...(withoutCostMicro !== undefined && {withoutCostUSD: dollarText(withoutCostMicro)}),
		...(isGone === true && {isGone}),
		atMs,
	};
}
