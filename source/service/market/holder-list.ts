import {checksummed} from './address.ts';
import type {Engine} from './engine.ts';
import {ROLE} from './positions.ts';
import type {Token} from './token.ts';
import {rawAmount} from './wire-amounts.ts';

/**
 * The largest holders of a row's token, largest first (contract gaps 2.1, Holder): those that trades and transfers since the launch
 * give; where these are not complete, those that the chain named, as of that time; empty when neither is known.
 */
export function holdersList(engine: Engine, row: number, count: number): Record<string, unknown>[] {
	const {token} = engine.listing(row);
	if (!token.holdersReported) return namedHolders(engine, token, count);
	const {positions, wallets} = engine;
	// Not by slot: wallets have other ones on each replica.
	const isBefore = (a: number, b: number): boolean => {
		const difference = positions.balance[a]! - positions.balance[b]!;
		if (difference !== 0) return difference > 0;
		return wallets.address(positions.wallet[a]!) < wallets.address(positions.wallet[b]!);
	};
	// Insertion into a short list: `count` is small and most slots are below its end.
	const top: number[] = [];
	for (let slot = positions.begin(token.row); slot < positions.end(token.row); slot++) {
		const balance = positions.wallet[slot] === 0 ? 0 : positions.balance[slot]!;
		if (balance <= 0 || (top.length === count && !isBefore(slot, top[count - 1]!))) continue;
		let at = top.length;
		while (at > 0 && isBefore(slot, top[at - 1]!)) at--;
		top.splice(at, 0, slot);
		if (top.length > count) top.pop();
	}
	return top.map(slot => holder(engine, token.row, token.decimals, slot));
}

/** Holders that the chain named: who they are and what they hold. What they paid is unknown: not all of their trades were seen. */
function namedHolders(engine: Engine, {largest, row, decimals}: Token, count: number): Record<string, unknown>[] {
	if (largest === null) return [];
	const {positions, wallets} = engine;
	const price = engine.rows.priceUSD[row]!;
	const updatedAt = new Date(largest.timeMs).toISOString();
	return largest.holders.slice(0, count).map(({wallet, amountToken}) => {
		const id = wallets.find(wallet);
		const slot = id === undefined ? -1 : positions.find(row, id);
		const bought = slot < 0 ? 0 : positions.bought[slot]!;
		const sold = slot < 0 ? 0 : positions.sold[slot]!;
		return {
			address: checksummed(wallet),
			balance: amountToken,
			balanceRaw: rawAmount(amountToken, decimals),
			balanceUSD: nullable(amountToken * price),
			nativeBalance: 0,
			nativeBalanceRaw: '0',
			boughtAmount: bought,
			boughtAmountRaw: rawAmount(bought, decimals),
			boughtAmountUSD: null,
			soldAmount: sold,
			soldAmountRaw: rawAmount(sold, decimals),
			soldAmountUSD: null,
			realizedPnlUSD: null,
			unrealizedPnlUSD: null,
			tags: id === undefined ? [] : holderTags(engine, slot < 0 ? 0 : positions.roles[slot]!, id),
			createdAt: null,
			updatedAt,
		};
	});
}

function holder(engine: Engine, row: number, decimals: number, slot: number): Record<string, unknown> {
	const {positions, wallets} = engine;
	const price = engine.rows.priceUSD[row]!;
	const id = positions.wallet[slot]!;
	const balance = positions.balance[slot]!;
	const [bought, boughtUSD] = [positions.bought[slot]!, positions.boughtUSD[slot]!];
	const [sold, soldUSD] = [positions.sold[slot]!, positions.soldUSD[slot]!];
	const cost = bought > 0 ? boughtUSD / bought : 0;
	const updatedS = Math.max(positions.lastBuyS[slot]!, positions.lastSellS[slot]!, positions.sinceS[slot]!);
	return {
		address: checksummed(wallets.address(id)),
		balance,
		balanceRaw: rawAmount(balance, decimals),
		balanceUSD: nullable(balance * price),
		// The other coins of a wallet are not tracked.
		nativeBalance: 0,
		nativeBalanceRaw: '0',
		boughtAmount: bought,
		boughtAmountRaw: rawAmount(bought, decimals),
		boughtAmountUSD: nullable(boughtUSD),
		soldAmount: sold,
		soldAmountRaw: rawAmount(sold, decimals),
		soldAmountUSD: nullable(soldUSD),
		realizedPnlUSD: nullable(soldUSD - cost * Math.min(sold, bought)),
		unrealizedPnlUSD: nullable((price - cost) * balance),
		tags: holderTags(engine, positions.roles[slot]!, id),
		createdAt: new Date(positions.sinceS[slot]! * 1000).toISOString(),
		updatedAt: new Date(updatedS * 1000).toISOString(),
	};
}

/** Null for what is unknown: these figures are required, and a reader that coerces them takes null. */
function nullable(figure: number): number | null {
	return Number.isNaN(figure) ? null : figure;
}

/** Labels of a wallet relative to a token (spec 2.2), from its roles there. */
export function holderTags(engine: Engine, roles: number, wallet: number): string[] {
	const tags: string[] = [];
	if (roles & ROLE.dev) tags.push('dev');
	if (roles & ROLE.sniper) tags.push('sniper');
	if (roles & ROLE.insider) tags.push('insider');
	if (roles & ROLE.bundler) tags.push('bundler');
	return [...tags, ...walletTags(engine, wallet)];
}

/** Labels of a wallet regardless of the token. */
export function walletTags(engine: Engine, wallet: number): string[] {
	const {wallets} = engine;
	const nowS = Math.floor(engine.nowMs() / 1000);
	const tags: string[] = [];
	if (wallets.isPro(wallet)) tags.push('proTrader');
	if (wallets.isSmart(wallet)) tags.push('smartTrader');
	if (wallets.isFresh(wallet, nowS)) tags.push('freshTrader');
	if (wallets.isFresh30d(wallet, nowS)) tags.push('freshTrader30d');
	return tags;
}
