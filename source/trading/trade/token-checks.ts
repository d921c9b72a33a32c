import {isEvmAddress, isSameAddress} from '../../address.ts';
import {chainName} from '../../chains/chains.ts';
import {TAX_LIMITS} from '../../contract/security-flags.ts';
import {percent} from '../bridge/loss.ts';
import {type Check, failed, passed, passedByWord, unavailable} from '../check.ts';
import {freshness} from '../checks.ts';
import {shortUnits} from '../decimal.ts';
import {timeOfDay} from '../live-signature.ts';
import {figuresOf} from './figures.ts';
import type {TradePlan} from './plan.ts';
import {isSameTarget, isTradeChain, ROW_FRESH_MS} from './target.ts';
import {UNKNOWN, UNREPORTED, wholePercent} from './words.ts';

/* The checks of the traded token itself, whatever its price. */

type TradeCheck = Check<TradePlan>;

/** The request names the token of the row, whole: its chain and every digit of its address. */
const TARGET: TradeCheck = {
	name: 'target',
	title: 'the token that you chose',
	next: 'report',
	run({request, trade: {target}}) {
		const {originChainId, originToken, destinationChainId, destinationToken} = request;
		const isBuy = target.side === 'buy';
		const [chainId, token] = isBuy ? [destinationChainId, destinationToken] : [originChainId, originToken];
		if (!request.trade || !isSameTarget(request.trade, target)) return failed('it is another one than was chosen');
		if (token === undefined || !isEvmAddress(token)) return failed('the request names no token');
		if (chainId !== target.chainId)
			return failed(`it is on ${chainName(target.chainId)}, not on ${chainName(chainId)}`);
		if (!isSameAddress(token, target.address)) return failed(`it is ${target.address}, the request is for ${token}`);
		if (!isTradeChain(chainId)) return failed(`tokens of ${chainName(chainId)} cannot be traded`);
		return passed(`${token} on ${chainName(chainId)}`);
	},
};

const RECIPIENT: TradeCheck = {
	name: 'recipient',
	title: 'recipient is this wallet',
	next: 'fix-input',
	run: ({request: {recipient}, signer}) =>
		isSameAddress(recipient, signer) ? passed(recipient) : failed(`it is ${recipient}, the wallet is ${signer}`),
};

const ROW_FRESH: TradeCheck = {
	name: 'row-fresh',
	title: 'row is live',
	next: 'requote',
	run({trade: {target}, clock: {nowMs}}) {
		if (!target.isLive) return failed('the feed is not live');
		return freshness('row', {atMs: target.atMs, nowMs, maxMs: ROW_FRESH_MS});
	},
};

/** Row, contract and quote count in the same units: six digits instead of eighteen are a price a million million times off. */
const DECIMALS: TradeCheck = {
	name: 'decimals',
	title: 'decimals agree',
	next: 'report',
	run({request, quote, destination, trade: {target}}) {
		const isBuy = target.side === 'buy';
		const contract = isBuy ? destination?.decimals : request.decimals;
		if (target.decimals !== undefined && contract !== undefined && target.decimals !== contract)
			return failed(`the row says ${target.decimals}, the contract ${contract}`);
		const arrives = isBuy ? (contract ?? target.decimals) : destination?.decimals;
		const digits = Math.max(...[quote.estimatedAmountOut, quote.minAmountOut].map(digitsOf));
		if (arrives !== undefined && digits > arrives)
			return failed(`the quote counts in ${digits} digits, what arrives has ${arrives}`);
		if (contract === undefined) return unavailable('the contract of the token cannot be read');
		if (target.decimals === undefined) return unavailable(`${contract} by the contract; the row does not say`);
		return passed(`${contract}, by row and contract`);
	},
};

function digitsOf(text: string): number {
	return text.split('.')[1]?.replace(/0+$/, '').length ?? 0;
}

const HONEYPOT: TradeCheck = {
	name: 'honeypot',
	title: 'can be sold again',
	next: 'fix-input',
	run({trade: {target}}) {
		if (target.side === 'sell')
			return passed(target.isHoneypot ? 'a honeypot: you are selling it' : 'you are selling it');
		if (target.isHoneypot === undefined) return passedByWord(UNREPORTED, 'whether it is a honeypot is not reported');
		return target.isHoneypot ? failed('it is a honeypot') : passed('no honeypot is reported');
	},
};

/** The limits depend on the phase: a pool has others than a curve, whose depth is not in the feed. */
const PHASE: TradeCheck = {
	name: 'phase',
	title: 'phase of the token',
	next: 'fix-input',
	run({trade: {target}}) {
		const {phase, isCurve, side} = target;
		if (side === 'sell') return passed(phase ?? 'you are selling it');
		if (isCurve === undefined) return passedByWord(UNREPORTED, 'whether it has left its curve is not reported');
		return phase === undefined ? passedByWord(UNREPORTED, 'not reported') : passed(phase);
	},
};

/** Digits of an address that are typed to take on a look-alike. */
const ADDRESS_TAIL = 6;

const LOOK_ALIKE: TradeCheck = {
	name: 'look-alike',
	title: 'no look-alike',
	next: 'requote',
	run({trade: {target}}) {
		const {lookAlike, side, address} = target;
		if (lookAlike === undefined) return passed('none is known');
		if (side === 'sell') return passed('it looks like another token: you are selling it');
		if (lookAlike === 'warn') return passed('it looks like another token: compare the address');
		return passedByWord(
			address.slice(-ADDRESS_TAIL).toLowerCase(),
			'it imitates another token: type the end of its address',
		);
	},
};

/** Shares of a trade that the token itself takes: more than the first needs a word, more than the second is refused. */
const TAX_WORD = TAX_LIMITS.warn / 100;
const MAX_TAX = TAX_LIMITS.bad / 100;

const TAX: TradeCheck = {
	name: 'tax',
	title: 'tax of the token',
	next: 'fix-input',
	run(plan) {
		const {target} = plan.trade;
		const {tax, otherTax} = figuresOf(plan);
		if (target.side === 'sell') {
			if (tax === undefined) return passedByWord(UNREPORTED, 'not reported');
			return tax > TAX_WORD
				? passedByWord(wholePercent(tax), `${percent(tax)} of what you sell`)
				: passed(percent(tax));
		}
		// Who buys pays the other tax when he sells.
		const most = Math.max(tax ?? 0, otherTax ?? 0);
		const text = `${shown(tax)} to buy, ${shown(otherTax)} to sell`;
		if (!(most <= MAX_TAX)) return failed(`${text}; at most ${percent(MAX_TAX)} are traded`);
		const isUnknown = tax === undefined || otherTax === undefined;
		if (isUnknown && target.isNotOpenSource === true) return failed(`${text}, and its code is not open`);
		if (isUnknown) return passedByWord(UNREPORTED, text);
		return most > TAX_WORD ? passedByWord(wholePercent(most), text) : passed(text);
	},
};

const shown = (tax: number | undefined) => (tax === undefined ? UNKNOWN : percent(tax));

/** One trade of a token and side at a time: the second press of a key is no second trade. */
const UNDER_WAY: TradeCheck = {
	name: 'under-way',
	title: 'no other trade of it',
	next: 'poll-status',
	run({trade: {underWay, target}}) {
		if (!underWay) return passed(`no other ${target.side} of it is under way`);
		const since = timeOfDay(Math.floor(underWay.atMs / 1000));
		return failed(`a ${underWay.side} of it from ${since} is not known to have ended (${underWay.phase})`);
	},
};

const AVAILABLE: TradeCheck = {
	name: 'available',
	title: 'not on its way already',
	next: 'fix-input',
	run({request, balanceRaw, trade: {busyRaw}}) {
		const show = (raw: bigint) => `${shortUnits(raw, request.decimals)} ${request.symbol}`;
		const freeRaw = balanceRaw - busyRaw;
		if (freeRaw < request.amountRaw)
			return failed(`${show(busyRaw)} of ${show(balanceRaw)} are on their way, ${show(request.amountRaw)} are needed`);
		return passed(busyRaw === 0n ? 'nothing else is under way' : `${show(busyRaw)} are on their way besides`);
	},
};

export const TOKEN_CHECKS: readonly TradeCheck[] = [
	TARGET,
	RECIPIENT,
	UNDER_WAY,
	AVAILABLE,
	ROW_FRESH,
	DECIMALS,
	HONEYPOT,
	PHASE,
	LOOK_ALIKE,
	TAX,
];
