import {entryKey} from '../../contract/entry.ts';
import type {Market} from '../market/market.ts';
import type {MarketTokens} from './assets.ts';

/** The market's tokens, with their current prices. A token that is not loaded makes the market load its history. */
export function marketTokens(market: Pick<Market, 'table' | 'isFilled' | 'fill'>): MarketTokens {
	const {table} = market;
	const rowOf = (key: string): number | undefined => {
		const row = table.rowOf(key);
		if (row !== undefined || market.fill === undefined || market.isFilled) return row;
		market.fill();
		return table.rowOf(key);
	};
	return {
		find(chain, address) {
			const row = rowOf(entryKey(chain, address));
			if (row === undefined) return undefined;
			const priceUSD = table.numbers('latest_price')[row] ?? Number.NaN;
			const decimals = table.numbers('decimals')[row] ?? Number.NaN;
			const isKnown = priceUSD > 0 && Number.isInteger(decimals) && decimals >= 0 && decimals <= 36;
			if (!isKnown) return undefined;
			return {
				name: table.text('name', row) ?? '',
				symbol: table.text('symbol', row) ?? '',
				decimals,
				priceUSD,
			};
		},
	};
}
