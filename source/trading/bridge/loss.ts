import type {Quote} from '../../contract/bridge.ts';
import type {TokenInfo} from '../chain-reader.ts';
import {formatUnits} from '../decimal.ts';
import type {BridgeRequest} from './bridge-plan.ts';

/*
 * The largest loss of a transfer: the minimum that arrives against the amount that leaves, in one coin or by a price. Nothing
 * that is signed binds the service to the least amount, so it is bounded here.
 */

/** Symbols of coins that are worth one US dollar. A token is chosen by its address; its symbol is read on its chain. */
const DOLLARS: ReadonlySet<string> = new Set([
	'USDC',
	'USDC.E',
	'USDBC',
	'USDT',
	'USDT0',
	'USD₮0',
	'DAI',
	'USDS',
	'USDE',
	'USDG',
	'PYUSD',
	'FDUSD',
]);

/** Percent of the amount that leaves, unless the user allows more. */
export const MAX_LOSS_PERCENT = 3;

/** How far the figures of a quote may be apart, in parts of the amount: they are rounded, and prices move while it is made. */
const FIGURES_APART = 0.01;

/** The losses of a transfer, as shares of one. */
export interface Loss {
	/** The minimum that arrives against the amount that leaves; undefined for different coins without a known price. */
	readonly ofAmount?: number;
	/** The minimum that arrives against the expected amount. */
	readonly ofEstimate: number;
	/** All fees of the quote against the amount that leaves; undefined without stated fees or a known price. */
	readonly fees?: number;
	/** Only the service states the value of the arriving tokens. */
	readonly isByServicePrice: boolean;
}

/** @throws SyntaxError, as BigInt does, for amounts that are no numbers: a check before says so */
export function lossOf(
	{request, quote}: {readonly request: BridgeRequest; readonly quote: Quote},
	destination: TokenInfo | undefined,
): Loss {
	const amount = Number(formatUnits(request.amountRaw, request.decimals));
	const [least, estimate] = [Number(quote.minAmountOut), Number(quote.estimatedAmountOut)];
	const ofEstimate = 1 - least / estimate;
	const isDollar = isDollarCoin(request.symbol);
	const fee = feeUsd(quote);
	const fees = fee === undefined || !isDollar ? {} : {fees: fee / amount};
	if (isSameCoin(request.symbol, destination?.symbol))
		return {ofAmount: 1 - least / amount, ofEstimate, ...fees, isByServicePrice: false};
	const estimateUsd = Number(quote.estimatedAmountOutUsd ?? Number.NaN);
	if (!isDollar || !(estimateUsd > 0 && Number.isFinite(estimateUsd)))
		return {ofEstimate, ...fees, isByServicePrice: true};
	return {ofAmount: 1 - ((least / estimate) * estimateUsd) / amount, ofEstimate, ...fees, isByServicePrice: true};
}

/** Whether a coin is worth one US dollar, by its symbol. */
export function isDollarCoin(symbol: string): boolean {
	return DOLLARS.has(symbol.toUpperCase());
}

/** Whether two tokens are worth the same: the same coin on two chains, or two dollars. */
function isSameCoin(a: string, b: string | undefined): boolean {
	if (b === undefined) return false;
	const [one, other] = [a.toUpperCase(), b.toUpperCase()];
	return one === other || (isDollarCoin(one) && isDollarCoin(other));
}

/** All fees in US dollars, as the quote writes them; undefined where it does not report them. */
export function feeText({fees, totalFeeUsd}: Quote): string | undefined {
	return fees.totalFeeUsd ?? totalFeeUsd;
}

/** All fees in US dollars; undefined where the quote does not report them. */
export function feeUsd(quote: Quote): number | undefined {
	const stated = feeText(quote);
	return stated === undefined ? undefined : Number(stated);
}

/** Why the fees of a quote do not add up to the arriving amount; undefined when they add up. */
export function feesProblem(
	{request, quote}: {readonly request: BridgeRequest; readonly quote: Quote},
	destination: TokenInfo | undefined,
): string | undefined {
	const fee = feeUsd(quote);
	if (fee === undefined) return undefined;
	const parts = [quote.fees.gasFeeUsd, quote.fees.originSponsorGasUsd].map(text => Number(text ?? 0));
	if (![fee, ...parts].every(part => part >= 0)) return 'they are no amounts';
	const twice = Number(quote.totalFeeUsd ?? fee);
	if (Math.abs(twice - fee) > 1e-6) return `the quote states two sums, ${twice} and ${fee} USD`;
	if (parts.some(part => part > fee + 1e-6)) return `one of them is more than the sum of ${fee} USD`;
	if (!isDollarCoin(request.symbol) || !isSameCoin(request.symbol, destination?.symbol)) return undefined;
	const amount = Number(formatUnits(request.amountRaw, request.decimals));
	const gone = amount - Number(quote.estimatedAmountOut);
	if (gone - fee > amount * FIGURES_APART)
		return `${gone.toFixed(2)} of ${amount} go missing, the fees are only ${fee} USD`;
	return undefined;
}

/** Whether a share is at most a limit. The rounding of floating point is no loss: `1 - 48.5 / 50` is more than 0.03. */
export function isAtMost(share: number, limit: number): boolean {
	return share <= limit + 1e-9;
}

/** A part of one in per cent: `1.3 %`. */
export function percent(part: number): string {
	if (!Number.isFinite(part)) return 'an unknown part';
	return `${(part * 100).toFixed(Math.abs(part) < 0.1 ? 1 : 0)} %`;
}
