import type {Journal} from '../journal.ts';
import {type AmountSource, type ReadAmounts, type ReadAmountsOptions, readAmounts} from './amounts.ts';
import {foldTrades, type Holding} from './fold.ts';
import {type Position, type Price, positionOf} from './position.ts';
import {settledTrades} from './settled.ts';
import {type TradeUnderWay, tradesUnderWay} from './under-way.ts';

export interface PositionSource extends AmountSource {
	readonly journal: Pick<Journal, 'records'>;
}

/** All tokens ever traded, by journal and chains, without prices. */
export interface Holdings extends ReadAmounts {
	/** In the order of their first trade; those that were sold whole are among them. */
	readonly holdings: readonly Holding[];
	readonly underWay: readonly TradeUnderWay[];
}

/** Prices of tokens by their keys in the feed; a token without one is left out. */
export type PricesOf = (keys: readonly string[]) => Promise<ReadonlyMap<string, Price>>;

/** The most holdings that are not held by their trades and still looked up on chains: the newest. */
const MAX_SOLD = 50;

/**
 * Reads the journal and the chains.
 * @throws JournalBroken, FileBusy; a chain that can't be read is an amount that says why
 */
export async function readHoldings(source: PositionSource, options: ReadAmountsOptions = {}): Promise<Holdings> {
	const records = source.journal.records();
	const trades = settledTrades(records);
	const folded = foldTrades(trades);
	const sold = folded.filter(({trackedRaw}) => trackedRaw === 0n).slice(-MAX_SOLD);
	const asked = folded.filter(holding => holding.trackedRaw > 0n || sold.includes(holding));
	const {amounts, gone} = await readAmounts(asked, source, options);
	const holdings = gone.size === 0 ? folded : foldTrades(trades, gone);
	return {holdings, amounts, gone, underWay: tradesUnderWay(records)};
}

const NOT_ASKED = {kind: 'unread', why: 'it was sold a long time ago'} as const;

/** Positions from the readings and from prices by their tokens' keys. */
export function positionsOf(
	{holdings, amounts}: Pick<Holdings, 'holdings' | 'amounts'>,
	priceOf: (key: string) => Price | undefined,
): readonly Position[] {
	return holdings.map(holding => positionOf(holding, amounts.get(holding.id) ?? NOT_ASKED, priceOf(holding.key)));
}

/**
 * All positions of a journal, of every wallet: cost from the journal, amounts from the chains, prices from the feed.
 * @throws JournalBroken, FileBusy, and the errors of `pricesOf`
 */
export async function openPositions(
	source: PositionSource,
	pricesOf: PricesOf,
): Promise<{readonly positions: readonly Position[]; readonly underWay: readonly TradeUnderWay[]}> {
	const read = await readHoldings(source);
	const prices = await pricesOf([...new Set(read.holdings.map(({key}) => key))]);
	return {positions: positionsOf(read, key => prices.get(key)), underWay: read.underWay};
}
