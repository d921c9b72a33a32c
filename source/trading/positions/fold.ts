import {entryKey} from '../../contract/entry.ts';
import type {SettledTrade} from './settled.ts';

/** A trade with its realised profit. All money is micro-USD, fees in. */
export interface FoldedTrade {
	readonly trade: SettledTrade;
	/** Profit of a sell over the cost of the sold tokens; undefined for a buy. */
	readonly realisedMicro?: bigint;
	/** The part of a sell's proceeds that has no cost: tokens that were not bought here. */
	readonly withoutCostMicro?: bigint;
	/** It was on a practice chain that was reset since: the bought tokens are gone. */
	readonly isGone?: boolean;
}

/** A token of a wallet as its trades have it; the balance on the chain may differ. Amounts are raw units, money micro-USD. */
export interface Holding {
	/** `<wallet>|<chain>|<token>`. */
	readonly id: string;
	/** The token's key in the feed. */
	readonly key: string;
	readonly wallet: string;
	readonly chainId: string;
	/** Lower case. */
	readonly token: string;
	readonly symbol: string;
	readonly decimals: number;
	/** Bought and not sold. */
	readonly trackedRaw: bigint;
	/** Cost of the tracked amount: weighted average, fees in. */
	readonly costMicro: bigint;
	/** All that was paid for it and all that came for it, fees in. */
	readonly paidMicro: bigint;
	readonly proceedsMicro: bigint;
	/** Profit of the sells over the cost of the sold tokens. */
	readonly realisedMicro: bigint;
	/** Proceeds of tokens that were not bought here. */
	readonly withoutCostMicro: bigint;
	/** Tokens bought on a practice chain that was reset, and their cost: neither profit nor loss. */
	readonly goneRaw: bigint;
	readonly goneCostMicro: bigint;
	/** Known fees of all trades. */
	readonly feeMicro: bigint;
	/** When the tracked amount began: the first buy since it was last nothing, Unix ms. Undefined while nothing is tracked. */
	readonly sinceMs: number | undefined;
	/** The oldest first. */
	readonly trades: readonly FoldedTrade[];
}

/** The grouping of `foldTrades`: the same token in two wallets is two holdings. */
function holdingId({wallet, chainId, token}: Pick<SettledTrade, 'wallet' | 'chainId' | 'token'>): string {
	return `${wallet.toLowerCase()}|${entryKey(chainId, token)}`;
}

/**
 * Every token that was ever traded, by wallet, with its cost by weighted average (what Codex, Moralis, Allium, Bitquery and
 * Birdeye do) and the profit that its sells realised.
 * @param trades in any order: they are taken by their time
 * @param gone intents on a practice chain that was reset since
 */
export function foldTrades(trades: readonly SettledTrade[], gone: ReadonlySet<string> = new Set()): readonly Holding[] {
	const holdings = new Map<string, Holding>();
	for (const trade of trades.toSorted((a, b) => a.atMs - b.atMs)) {
		const id = holdingId(trade);
		holdings.set(id, traded(holdings.get(id) ?? nothingOf(trade, id), trade, gone.has(trade.intentId)));
	}
	return [...holdings.values()].map(dropped);
}

function nothingOf({wallet, chainId, token, symbol, decimals}: SettledTrade, id: string): Holding {
	return {
		id,
		key: entryKey(chainId, token),
		wallet: wallet.toLowerCase(),
		chainId,
		token,
		symbol,
		decimals,
		trackedRaw: 0n,
		costMicro: 0n,
		paidMicro: 0n,
		proceedsMicro: 0n,
		realisedMicro: 0n,
		withoutCostMicro: 0n,
		goneRaw: 0n,
		goneCostMicro: 0n,
		feeMicro: 0n,
		sinceMs: undefined,
		trades: [],
	};
}

function traded(before: Holding, trade: SettledTrade, isGone: boolean): Holding {
	const holding = isGone ? before : dropped(before);
	const {trades, feeMicro} = holding;
	const next = trade.side === 'buy' ? bought(holding, trade) : sold(holding, trade);
	return {
		...holding,
		...next.holding,
		feeMicro: feeMicro + (trade.feeMicro ?? 0n),
		trades: [...trades, {trade, ...next.line, ...(isGone && {isGone})}],
	};
}

/** The holdings of trades before a reset of the chain are taken out once; the trades of the new chain begin at nothing. */
function dropped(holding: Holding): Holding {
	if (holding.trades.at(-1)?.isGone !== true || holding.trackedRaw === 0n) return holding;
	const {trackedRaw, costMicro, goneRaw, goneCostMicro} = holding;
	return {
		...holding,
		trackedRaw: 0n,
		costMicro: 0n,
		sinceMs: undefined,
		goneRaw: goneRaw + trackedRaw,
		goneCostMicro: goneCostMicro + costMicro,
	};
}

interface Step {
	readonly holding: Partial<Holding>;
	readonly line: Omit<FoldedTrade, 'trade' | 'isGone'>;
}

function bought({trackedRaw, costMicro, paidMicro, sinceMs}: Holding, {tokenRaw, usdMicro, atMs}: SettledTrade): Step {
	return {
		holding: {
			trackedRaw: trackedRaw + tokenRaw,
			costMicro: costMicro + usdMicro,
			paidMicro: paidMicro + usdMicro,
			sinceMs: sinceMs ?? atMs,
		},
		line: {},
	};
}

/** A sell takes the tracked amount first. Tokens beyond it were not bought here: their share of the proceeds has no cost. */
function sold(holding: Holding, {tokenRaw, usdMicro}: SettledTrade): Step {
	const {trackedRaw, costMicro, proceedsMicro, realisedMicro, withoutCostMicro, sinceMs} = holding;
	const ownRaw = tokenRaw < trackedRaw ? tokenRaw : trackedRaw;
	const ownMicro = ownRaw === 0n ? 0n : (usdMicro * ownRaw) / tokenRaw;
	// The last unit takes the rest of the cost: nothing of it is lost in rounding.
	const costOut = costOfPart(costMicro, ownRaw, trackedRaw);
	return {
		holding: {
			trackedRaw: trackedRaw - ownRaw,
			costMicro: costMicro - costOut,
			proceedsMicro: proceedsMicro + usdMicro,
			realisedMicro: realisedMicro + ownMicro - costOut,
			withoutCostMicro: withoutCostMicro + usdMicro - ownMicro,
			sinceMs: ownRaw === trackedRaw ? undefined : sinceMs,
		},
		line: {
			...(ownRaw > 0n && {realisedMicro: ownMicro - costOut}),
			...(usdMicro > ownMicro && {withoutCostMicro: usdMicro - ownMicro}),
		},
	};
}

/** The cost of a part of an amount, rounded down; of the whole amount, all of it. */
export function costOfPart(costMicro: bigint, partRaw: bigint, wholeRaw: bigint): bigint {
	if (partRaw >= wholeRaw) return costMicro;
	return (costMicro * partRaw) / wholeRaw;
}
