import type {Address} from 'viem';
import type {PerpPosition, UnfilledOrder} from '../../contract/perp.ts';
import type {ChainSet} from '../chain/chain-set.ts';
import {chainKey} from '../chain/chains.ts';
import {DEX_A_CHAIN, liveTrades} from './dex-a.ts';
import {keepDexA} from './dex-a-keeper.ts';
import {DEX_B_CHAIN, type DexB} from './dex-b.ts';
import {COLLATERAL_DECIMALS, type PerpMarket, PRICE_DECIMALS, perpMarket, priceAt} from './markets.ts';
import {feeRaw, liquidationPrice, profitRaw, type Trade} from './trade.ts';

/** Selects rows (contract gaps 5.1). */
export interface ListingQuery {
	readonly wallet: Address;
	readonly chainIds?: readonly string[] | undefined;
	readonly dex?: string | undefined;
	readonly limit: number;
	readonly offset: number;
	/** The id of a row: the page starts after it, or ends before it. */
	readonly cursor?: string | undefined;
	readonly cursorDirection?: 'before' | 'after' | undefined;
	readonly sortBy?: 'lastActivity' | 'realizedPnl' | undefined;
	readonly order?: 'asc' | 'desc' | undefined;
}

export interface ListingDependencies {
	readonly chains: ChainSet;
	readonly dexB: DexB;
	readonly now: () => number;
}

/** A trade of either exchange, with the figures of its row. */
interface Listed {
	readonly dex: 'dexA' | 'dexB';
	readonly chainId: string;
	readonly market: PerpMarket;
	readonly index: number;
	readonly trade: Trade;
	readonly openFeeRaw: bigint;
	readonly closeFeeRaw: bigint;
	readonly realizedRaw: bigint;
	readonly openedAtMs: number;
	readonly updatedAtMs: number;
}

/** Waiting orders of a wallet. @throws ChainUnavailable when dexA's chain is away and its rows are selected */
export async function unfilledOrders(dependencies: ListingDependencies, query: ListingQuery): Promise<UnfilledOrder[]> {
	const rows = page(await listed(dependencies, query, 'order'), query);
	return rows.map(row => ({
		...rowOf(row, query.wallet, dependencies.now()),
		type: row.trade.kind === 'stop' ? 'STOP' : 'LIMIT',
	}));
}

/** Open positions of a wallet. @throws as unfilledOrders */
export async function openPositions(dependencies: ListingDependencies, query: ListingQuery): Promise<PerpPosition[]> {
	const rows = page(await listed(dependencies, query, 'position'), query);
	return rows.map(row => rowOf(row, query.wallet, dependencies.now()));
}

async function listed(
	{chains, dexB, now}: ListingDependencies,
	{wallet, chainIds, dex}: ListingQuery,
	stage: Trade['stage'],
): Promise<Listed[]> {
	const wants = (name: string, chainId: string) =>
		(dex ?? name) === name && (!chainIds?.length || chainIds.includes(chainId));
	const rows: Listed[] = [];
	if (wants('dexA', chainKey(DEX_A_CHAIN)) && chains.infos.some(({id}) => id === DEX_A_CHAIN)) {
		const chain = await chains.ready(DEX_A_CHAIN);
		const live = await liveTrades(chain, wallet);
		if (live.length > 0 && chain.kind === 'embedded') await keepDexA(chain, [wallet], now());
		for (const trade of live.length > 0 ? await liveTrades(chain, wallet) : []) {
			// The contract takes the opening fee out of the collateral, and keeps no record of closed parts.
			const openFeeRaw = trade.stage === 'position' ? feeRaw(trade) : 0n;
			const nothing = {openFeeRaw, closeFeeRaw: 0n, realizedRaw: 0n};
			const {market, index, sinceMs} = trade;
			rows.push({
				dex: 'dexA',
				chainId: chainKey(DEX_A_CHAIN),
				market,
				index,
				trade,
				...nothing,
				openedAtMs: sinceMs,
				updatedAtMs: sinceMs,
			});
		}
	}
	if (wants('dexB', DEX_B_CHAIN)) {
		for (const trade of await dexB.live(wallet)) {
			const market = perpMarket(trade.marketId)!;
			const {openFeeRaw, closeFeeRaw, realizedRaw, openedAtMs, updatedAtMs} = trade;
			rows.push({
				dex: 'dexB',
				chainId: DEX_B_CHAIN,
				market,
				index: trade.tradeIndex,
				trade,
				openFeeRaw,
				closeFeeRaw,
				realizedRaw,
				openedAtMs,
				updatedAtMs,
			});
		}
	}
	return rows.filter(({trade}) => trade.stage === stage);
}

function page(
	rows: readonly Listed[],
	{wallet, sortBy = 'lastActivity', order = 'desc', ...query}: ListingQuery,
): Listed[] {
	const value = (row: Listed) => (sortBy === 'realizedPnl' ? Number(row.realizedRaw) : row.updatedAtMs);
	const sign = order === 'asc' ? 1 : -1;
	const sorted = rows.toSorted(
		(a, b) => sign * (value(a) - value(b)) || idOf(a, wallet).localeCompare(idOf(b, wallet)),
	);
	const at = query.cursor === undefined ? -1 : sorted.findIndex(row => idOf(row, wallet) === query.cursor);
	if (at >= 0 && query.cursorDirection === 'before') return sorted.slice(Math.max(0, at - query.limit), at);
	return sorted.slice(at + 1 + query.offset, at + 1 + query.offset + query.limit);
}

function idOf({dex, market, index}: Listed, wallet: string): string {
	return `pos-${dex}-${market.base}-${market.quote}-USDC-${wallet.toLowerCase()}-${index}`;
}

function rowOf(row: Listed, wallet: Address, nowMs: number): PerpPosition {
	const {trade, market, openFeeRaw, closeFeeRaw, realizedRaw} = row;
	const price = priceAt(market, nowMs);
	const profit = trade.stage === 'position' ? profitRaw(trade, price) : 0n;
	const collateral = usd(trade.collateralRaw);
	const liquidation = liquidationPrice(trade);
	const target = (at: bigint) =>
		at === 0n ? [] : [{size: trade.sizeRaw.toString(), price: dollars(at), id: row.index}];
	const percent = (raw: bigint) => (collateral === 0 ? 0 : (usd(raw) / collateral) * 100);
	return {
		id: idOf(row, wallet),
		marketId: market.marketId,
		exchange: row.dex,
		chainId: row.chainId,
		address: wallet,
		side: trade.isLong ? 'BUY' : 'SELL',
		entryPriceQuote: dollars(trade.price),
		currentPriceQuote: dollars(price),
		liquidationPriceQuote: liquidation === null ? null : dollars(liquidation),
		currentLeverage: leverageOf(trade),
		amountUSD: usd(trade.sizeRaw),
		amountRaw: trade.sizeRaw.toString(),
		collateralAsset: 'USDC',
		collateral,
		realizedPnlUSD: usd(realizedRaw),
		unrealizedPnlUSD: usd(profit),
		realizedPnlPercent: percent(realizedRaw),
		unrealizedPnlPercent: percent(profit),
		feesOpeningUSD: usd(openFeeRaw),
		feesClosingUSD: usd(closeFeeRaw),
		feesFundingUSD: 0,
		openDate: new Date(row.openedAtMs).toISOString(),
		lastUpdate: new Date(row.updatedAtMs).toISOString(),
		tp: target(trade.takeProfit),
		sl: target(trade.stopLoss),
	};
}

/** To two decimals, as exchanges show it. */
function leverageOf({sizeRaw, collateralRaw}: Trade): number {
	return collateralRaw === 0n ? 0 : Number((sizeRaw * 100n + collateralRaw / 2n) / collateralRaw) / 100;
}

function usd(raw: bigint): number {
	return Number(raw) / 10 ** COLLATERAL_DECIMALS;
}

function dollars(price: bigint): number {
	return Number(price) / 10 ** PRICE_DECIMALS;
}
