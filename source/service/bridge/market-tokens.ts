import {entryKey} from '../../contract/entry.ts';
import type {Market} from '../market/market.ts';
import type {MarketTokens} from './assets.ts';

/** The market's tokens, with their prices of now. */
export function marketTokens({table}: Market): MarketTokens {
	return {
		find(chain, address) {
			const row = table.rowOf(entryKey(chain, address));
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
