import {clean} from '../../text.ts';
import {formatUnits} from '../../trading/decimal.ts';
import type {Holding} from '../../trading/positions/fold.ts';
import {averageUSD, isHeld, openPercent, type Position, sumsOf} from '../../trading/positions/position.ts';
import {positionWords} from '../../trading/positions/position-words.ts';
import type {TradeUnderWay} from '../../trading/positions/under-way.ts';
import {dollarText, tradeDocument} from './trade-documents.ts';

/** A position as JSON: amounts and dollars as exact text. A figure that was not read or has no price is left out. */
export function positionDocument(position: Position) {
	const {holding, amount, price, boughtRaw, foreignRaw, movedRaw, costMicro, valueMicro, openMicro} = position;
	const {wallet, chainId, token, symbol, decimals, sinceMs} = holding;
	const {realisedMicro, withoutCostMicro, paidMicro, proceedsMicro, feeMicro} = holding;
	const tokens = (raw: bigint) => formatUnits(raw, decimals);
	const average = averageUSD(position);
	const percent = openPercent(position);
	return {
		wallet,
		chainId,
		token,
		symbol: clean(symbol),
		isHeld: isHeld(position),
		...(amount.kind === 'read' && {amount: tokens(amount.raw), amountAtMs: Math.round(amount.atMs)}),
		...(boughtRaw !== undefined && {boughtHere: tokens(boughtRaw)}),
		...(foreignRaw !== undefined && {notBoughtHere: tokens(foreignRaw)}),
		...(movedRaw !== undefined && {movedElsewhere: tokens(movedRaw)}),
		...(average !== undefined && {averageUSD: average}),
		...(price !== undefined && {priceUSD: price.usd, priceAtMs: Math.round(price.atMs)}),
		...(costMicro !== undefined && {costUSD: dollarText(costMicro)}),
		...(valueMicro !== undefined && {valueUSD: dollarText(valueMicro)}),
		...(openMicro !== undefined && {openUSD: dollarText(openMicro)}),
		...(percent !== undefined && {openPercent: percent}),
		realisedUSD: dollarText(realisedMicro),
		withoutCostUSD: dollarText(withoutCostMicro),
		paidUSD: dollarText(paidMicro),
		proceedsUSD: dollarText(proceedsMicro),
		feesUSD: dollarText(feeMicro),
		...(sinceMs !== undefined && {sinceMs}),
		notes: positionWords(position).map(words => clean(words)),
	};
}

/** Sums over all positions: unknown values are left out and counted. */
export function sumsDocument(positions: readonly Position[]) {
	const {valueMicro, costMicro, openMicro, realisedMicro, withoutCostMicro, feeMicro, unvalued} = sumsOf(positions);
	return {
		valueUSD: dollarText(valueMicro),
		costUSD: dollarText(costMicro),
		openUSD: dollarText(openMicro),
		realisedUSD: dollarText(realisedMicro),
		withoutCostUSD: dollarText(withoutCostMicro),
		feesUSD: dollarText(feeMicro),
		withoutValue: unvalued,
	};
}

/** A trade that is in no position yet. */
export function underWayDocument({intentId, wallet, side, chainId, token, symbol, sinceMs, state}: TradeUnderWay) {
	return {intentId: clean(intentId), wallet, side, chainId, token, symbol: clean(symbol), sinceMs, state};
}

/** Every trade of some holdings, the newest first. */
export function tradeDocuments(holdings: readonly Holding[]) {
	return holdings
		.flatMap(({trades}) => trades)
		.map(tradeDocument)
		.toSorted((a, b) => b.atMs - a.atMs);
}
