import {taxText} from '../../../contract/security-flags.ts';
import type {Security} from '../../market/events.ts';
import type {Address} from './venue.ts';
import type {TransferLog} from './venue-reader.ts';

/** Taxes and sellers of a token, as real trades showed them. Plain data. */
export interface SeenTrades {
	/** Highest tax of a trade so far, in percent; null before a trade. */
	readonly buyTax: number | null;
	readonly sellTax: number | null;
	/** Wallets that sold, other than the creator; not more than are needed. */
	readonly sellers: readonly Address[];
}

export const NOTHING_SEEN: SeenTrades = {buyTax: null, sellTax: null, sellers: []};
/** Once this many different wallets have sold, selling is open to more than a chosen few. */
const ENOUGH_SELLERS = 5;

/**
 * The part of a trade's tokens that the token contract kept or sent elsewhere, in percent. Of a buy: the tokens that left the pool and
 * did not reach the receiver. Of a sale: the tokens that the sender gave beside the ones that reached the pool. Undefined when the
 * transfers do not show the part.
 */
export function taxOfTrade(side: 'buy' | 'sell', pool: Address, transfers: readonly TransferLog[]): number | undefined {
	if (side === 'buy') {
		const out = transfers.filter(({from}) => from === pool);
		return share(largest(out), total(out));
	}
	const into = transfers.filter(({to}) => to === pool);
	const [sender] = into.map(({from}) => from);
	if (sender === undefined || into.some(({from}) => from !== sender)) return undefined;
	return share(total(into), total(transfers.filter(({from}) => from === sender)));
}

/** The knowledge after one more trade; the same object when the trade shows nothing new. */
export function seenMore(
	before: SeenTrades,
	{side, tax, wallet}: {side: 'buy' | 'sell'; tax: number | undefined; wallet: Address},
): SeenTrades {
	const name = side === 'buy' ? 'buyTax' : 'sellTax';
	const isHigher = tax !== undefined && tax > (before[name] ?? -1);
	const isNewSeller = side === 'sell' && before.sellers.length < ENOUGH_SELLERS && !before.sellers.includes(wallet);
	if (!isHigher && !isNewSeller) return before;
	return {
		...before,
		...(isHigher && {[name]: tax}),
		...(isNewSeller && {sellers: [...before.sellers, wallet]}),
	};
}

/** The observed taxes with the taxes of a trial, which count like those of a trade; the same object for a trial without taxes. */
export function seenInTrial(before: SeenTrades, {buyTax, sellTax}: Security): SeenTrades {
	if (typeof buyTax !== 'string' && typeof sellTax !== 'string') return before;
	const higher = (seen: number | null, tried: Security[string] | undefined): number | null =>
		typeof tried === 'string' ? Math.max(seen ?? 0, Number.parseFloat(tried)) : seen;
	return {...before, buyTax: higher(before.buyTax, buyTax), sellTax: higher(before.sellTax, sellTax)};
}

/** As the market shows it: taxes are at least so high; a token that enough wallets have sold is no honeypot. */
export function seenFlags({buyTax, sellTax, sellers}: SeenTrades): Security {
	return {
		...(buyTax !== null && {buyTax: taxText(buyTax)}),
		...(sellTax !== null && {sellTax: taxText(sellTax)}),
		...(sellers.length >= ENOUGH_SELLERS && {isHoneypot: false}),
	};
}

function share(arrived: bigint, all: bigint): number | undefined {
	return all === 0n || arrived > all ? undefined : Math.round(Number(((all - arrived) * 100_000n) / all) / 100) / 10;
}

function total(transfers: readonly TransferLog[]): bigint {
	return transfers.reduce((sum, {amount}) => sum + amount, 0n);
}

function largest(transfers: readonly TransferLog[]): bigint {
	let most = 0n;
	for (const {amount} of transfers) if (amount > most) most = amount;
	return most;
}
