import {getAddress} from 'viem';
import {isEvmAddress} from '../../address.ts';
import {chainName} from '../../chains/chains.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import {clean} from '../../text.ts';
import {acknowledgements} from '../acknowledge.ts';
import {percent} from '../bridge/loss.ts';
import {batchLines, FORCED, feesText, shown, simulationText, swapLine} from '../bridge/review-lines.ts';
import type {CheckResult} from '../check.ts';
import {formatUnits} from '../decimal.ts';
import type {ReviewLine} from '../flow.ts';
import {figuresOf, type TradeFigures} from './figures.ts';
import {agreeingOf} from './own-price.ts';
import type {TradePlan} from './plan.ts';
import {dollars, readable, thousands, UNKNOWN} from './words.ts';

/*
 * A trade for the person who decides: first the token and its place, then the worst cost, then the checks that did not run, then
 * the batch. Each amount says whether the signature forces it or the service only promises it.
 */

/** From which a figure is marked: parts of one (the share of a pool, the impact, the fees, a tax), and percent. */
const MARKED = {poolShare: 0.01, impact: 0.03, fees: 0.05, tax: 0.05, worst: 0.15, slippage: 10} as const;
/** How long ago the last trade of the same is worth a line, ms. */
const AGAIN_MS = 30_000;

/** @param checks the results of this plan: the review names the checks that could not run */
export function tradeLines(plan: TradePlan, checks: readonly CheckResult[]): readonly ReviewLine[] {
	const figures = figuresOf(plan);
	const isBuy = plan.trade.target.side === 'buy';
	return [
		whatLine(plan),
		{label: 'address', text: addressText(plan)},
		marksLine(plan),
		...againLine(plan),
		...(isBuy ? buyLines(plan) : sellLines(plan)),
		worstLine(plan, figures),
		...priceLines(plan, figures),
		...acceptLine(checks),
		unprotectedLine(plan, checks),
		{label: 'if it fails', text: failureText(plan)},
		{label: '', text: WORDS},
		{label: 'simulated', text: simulationText(plan)},
		...batchLines(plan),
	];
}

function line(label: string, text: string, isMarked: boolean): ReviewLine {
	return {label, text, ...(isMarked && {isMarked: true as const})};
}

function symbolOf({trade: {target}}: TradePlan): string {
	return clean(target.symbol, {maxCells: 16}) || 'token';
}

function whatLine(plan: TradePlan): ReviewLine {
	const {target} = plan.trade;
	const name = clean(target.name, {maxCells: 24});
	const facts = [
		...(name === '' || name === target.symbol ? [] : [name]),
		...(target.phase === undefined ? [] : [target.phase]),
		...(target.createdAtMs === undefined ? [] : [`${ageText(plan.clock.nowMs - target.createdAtMs)} old`]),
	];
	const more = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
	return {label: target.side, text: `${symbolOf(plan)} on ${chainName(target.chainId)}${more}`};
}

function addressText({trade: {target}}: TradePlan): string {
	return isEvmAddress(target.address) ? getAddress(target.address.toLowerCase()) : shown(target.address);
}

function marksLine({trade: {target}}: TradePlan): ReviewLine {
	const marks = [
		...(target.lookAlike === 'bad' ? ['IMITATES ANOTHER TOKEN'] : []),
		...(target.lookAlike === 'warn' ? ['looks like another token'] : []),
		...target.marks.map(mark => clean(mark, {maxCells: 24})),
	];
	const unreported = target.side === 'buy' ? unreportedOf(target) : [];
	const known = marks.length === 0 ? 'none are reported' : marks.join(', ');
	const text = unreported.length === 0 ? known : `${known}; not reported: ${unreported.join(', ')}`;
	return line('marks', text, marks.length > 0 || unreported.length > 0);
}

/** The facts that a buyer needs and the row leaves out: a check asks for a word for each. */
function unreportedOf({isHoneypot, buyTax, sellTax, liquidityUSD, isCurve, phase}: TradeTarget): readonly string[] {
	return [
		...(isHoneypot === undefined ? ['honeypot'] : []),
		...(buyTax === undefined || sellTax === undefined ? ['tax'] : []),
		...(liquidityUSD === undefined && isCurve !== true ? ['liquidity'] : []),
		...(isCurve === undefined || phase === undefined ? ['phase'] : []),
	];
}

function againLine({trade: {target, endedAtMs}, clock: {nowMs}}: TradePlan): readonly ReviewLine[] {
	if (endedAtMs === undefined || nowMs - endedAtMs > AGAIN_MS) return [];
	const seconds = Math.max(Math.round((nowMs - endedAtMs) / 1000), 0);
	return [line('again', `you ${target.side === 'buy' ? 'bought' : 'sold'} it ${seconds} s ago`, true)];
}

const PROMISED = 'promised';
const WORDS = 'signed: held to by contracts; promised: said by the service';

function buyLines(plan: TradePlan): readonly ReviewLine[] {
	const {request, quote} = plan;
	const symbol = symbolOf(plan);
	return [
		{label: 'you pay', text: `${amountText(plan)} on ${chainName(request.originChainId)} (${FORCED})`},
		{label: 'about', text: `${readable(quote.estimatedAmountOut)} ${symbol} (${PROMISED})`},
		leastLine(plan, `${readable(quote.minAmountOut)} ${symbol}`),
		...swapLine(plan, 'paid'),
		recipientLine(plan),
	];
}

function sellLines(plan: TradePlan): readonly ReviewLine[] {
	const {request, quote} = plan;
	const [origin, destination] = [chainName(request.originChainId), chainName(request.destinationChainId)];
	const symbol = clean(plan.destination?.symbol ?? 'token', {maxCells: 12});
	return [
		{label: 'you sell', text: `${amountText(plan)} on ${origin} (${FORCED})`},
		{label: 'about', text: `${readable(quote.estimatedAmountOut)} ${symbol} on ${destination} (${PROMISED})`},
		leastLine(plan, `${readable(quote.minAmountOut)} ${symbol}`),
		...swapLine(plan, 'sold'),
		recipientLine(plan),
	];
}

/** The recipient, on the destination chain, which the lines before have named. */
function recipientLine({request: {recipient}, signer}: TradePlan): ReviewLine {
	const isOwn = recipient.toLowerCase() === signer.toLowerCase();
	return line('to', `${recipient} (${isOwn ? 'yours' : 'NOT YOURS'}, ${FORCED})`, !isOwn);
}

/** The amount that leaves, with every digit: it is signed. */
function amountText({request}: TradePlan): string {
	return `${thousands(formatUnits(request.amountRaw, request.decimals))} ${clean(request.symbol, {maxCells: 16})}`;
}

function leastLine({request: {slippage = 0}}: TradePlan, text: string): ReviewLine {
	return line('at least', `${text}, slippage ${slippage} % (${PROMISED})`, slippage > MARKED.slippage);
}

function worstLine({trade: {target}, clock}: TradePlan, {worst, leastUSD, leavesUSD}: TradeFigures): ReviewLine {
	if (worst === undefined || leastUSD === undefined || leavesUSD === undefined)
		return line('worst case', `${UNKNOWN}: the feed has no price`, true);
	if (!Number.isFinite(worst)) return line('worst case', `${UNKNOWN}: the amounts of the quote are no numbers`, true);
	const ageS = Math.max(Math.round((clock.nowMs - target.atMs) / 1000), 0);
	const text = `-${percent(Math.max(worst, 0))}: ${dollars(leastUSD)} of ${dollars(leavesUSD)} at the feed's price, ${ageS} s old`;
	return line('worst case', text, !(worst <= MARKED.worst));
}

function priceLines(plan: TradePlan, {gap, impact, poolShare, tax, otherTax, feeShare}: TradeFigures): ReviewLine[] {
	const {target} = plan.trade;
	const price = target.priceUSD === undefined ? UNKNOWN : dollars(target.priceUSD);
	const against =
		gap === undefined ? UNKNOWN : `${percent(Math.abs(gap))} ${gap >= 0 ? 'worse' : 'better'} than the feed's ${price}`;
	const isWide = (impact?.share ?? 0) >= MARKED.impact || (poolShare ?? 0) >= MARKED.poolShare;
	const impactText =
		impact === undefined ? UNKNOWN : `${percent(impact.share)}${impact.isOwn ? '' : ' (says the service)'}`;
	const taxes =
		target.side === 'buy' ? `${taxText(tax)} to buy, ${taxText(otherTax)} to sell` : `${taxText(tax)} of what you sell`;
	const maxTax = Math.max(tax ?? 0, target.side === 'buy' ? (otherTax ?? 0) : 0);
	const share = feeShare === undefined ? '' : `, ${percent(feeShare)} of it`;
	return [
		{label: 'price', text: `${against}, after all costs`},
		line(
			'impact',
			`${impactText}, share of the pool ${poolShare === undefined ? UNKNOWN : percent(poolShare)}`,
			isWide,
		),
		line('fees', `${feesText(plan)}${share}`, (feeShare ?? 0) > MARKED.fees),
		line('tax', taxes, maxTax > MARKED.tax),
		ownLine(plan),
	];
}

/** Who says so besides the service, whose feed and quote are one voice. */
function ownLine(plan: TradePlan): ReviewLine {
	const agreeing = agreeingOf(plan);
	const text = agreeing.length === 0 ? 'nothing: feed and quote are one voice' : agreeing.join('; ');
	return line('price agrees', text, agreeing.length === 0);
}

function taxText(tax: number | undefined): string {
	return tax === undefined ? UNKNOWN : percent(tax);
}

/** The words to type besides the amount; the confirmation says why. */
function acceptLine(checks: readonly CheckResult[]): readonly ReviewLine[] {
	const words = acknowledgements(checks).map(({word}) => word);
	return words.length === 0 ? [] : [line('to accept', `${words.join(' ')}, typed behind the amount`, true)];
}

/** The trial of a buy that no check makes. */
export const NO_RESALE = 'no resale was tried';

/** The missing protection of this trade: checks that could not run, and risks without a check. */
function unprotectedLine({trade: {target}}: TradePlan, checks: readonly CheckResult[]): ReviewLine {
	const open = checks.filter(({isUnavailable}) => isUnavailable).map(({title}) => title);
	const all = target.side === 'buy' ? [...open, NO_RESALE] : open;
	return line('not checked', all.length === 0 ? 'nothing is left out' : all.join(', '), open.length > 0);
}

function failureText(plan: TradePlan): string {
	const {request, trade} = plan;
	const origin = chainName(request.originChainId);
	if (trade.target.side === 'buy') return `your ${amountText(plan)} come back on ${origin}`;
	return `${symbolOf(plan)} is sold all the same: its dollars come back on ${origin}`;
}

/** An age in its largest whole unit: `12 s`, `5 min`, `3 h`, `2 d`. */
function ageText(ms: number): string {
	const seconds = Math.max(Math.floor(ms / 1000), 0);
	if (seconds < 60) return `${seconds} s`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
	if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
	return `${Math.floor(seconds / 86_400)} d`;
}
