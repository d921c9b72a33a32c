import type {Engine} from './engine.ts';
import {Entries} from './entries.ts';
import {findRows} from './find.ts';
import {type Directory, walletRecord} from './labels.ts';
import type {Market} from './market.ts';
import {priceHistory} from './price-history.ts';

/**
 * The market of an engine for the rest of the service, for any source of events.
 * @param directory facts about wallets from outside
 */
export function marketView(engine: Engine, directory: Directory): Omit<Market, 'onEvent'> {
	const entries = new Entries(engine);
	return {
		table: engine.table,
		nowMs: () => engine.nowMs(),
		takeChanged: () => engine.takeChanged(),
		assetEntry: (row, holders = 0) => entries.asset(row, holders),
		poolEntry: (row, holders = 0) => entries.pool(row, holders),
		walletLabels: (addresses, tokenAddress) => {
			const token = tokenAddress === undefined ? undefined : engine.catalog.tokenAnywhere(tokenAddress);
			return addresses.map(address => walletRecord(engine, directory, address, token));
		},
		priceHistory: (key, sinceMs) => {
			const row = engine.table.rowOf(key);
			return row === undefined ? undefined : priceHistory(engine, engine.listing(row).token, sinceMs);
		},
		find: (text, chainId) => findRows(engine, text, chainId),
	};
}
