import {isEvmAddress, isSolanaAddress} from '../../address.ts';
import type {ParsedInputOf} from '../../contract/endpoints.ts';
import {entryKey} from '../../contract/entry.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import {Refused} from '../http-error.ts';
import {type Market, ROW} from '../market/market.ts';
import {chainIdOf} from '../metadata/system-metadata.ts';
import {TIME_FRAMES} from './price-line.ts';

/** A parsed sparkline request. */
export interface SparklineRequest {
	/** Row of the asset. */
	readonly row: number;
	readonly frame: string;
	readonly format: 'svg' | 'png';
}

/**
 * Finds the asset of a GET /api/1/market/sparkline (spec 4.14).
 * @throws InvalidRequest for a wrong or missing parameter, Refused 404 for an unknown asset
 */
export function findAsset(market: Market, query: ParsedInputOf<'sparkline'>['query']): SparklineRequest {
	const {asset, blockchain, symbol, id, timeFrame, png} = query;
	if (!TIME_FRAMES.has(timeFrame)) {
		throw new InvalidRequest('timeFrame', 'is not a time frame that can be drawn', [...TIME_FRAMES.keys()].join(', '));
	}
	if (asset === undefined && symbol === undefined && id === undefined) {
		throw new InvalidRequest('asset', 'is required', 'or symbol, or id');
	}
	if (asset !== undefined && isAddress(asset) && blockchain === undefined) {
		throw new InvalidRequest('blockchain', 'is required', 'the asset is given by its contract address');
	}
	const row = rowOf(market, {id, text: asset ?? symbol, blockchain});
	if (row === undefined) throw new Refused(404, 'The asset is not known');
	return {row, frame: timeFrame, format: png === 'true' || png === '1' ? 'png' : 'svg'};
}

interface AssetName {
	readonly id: string | undefined;
	readonly text: string | undefined;
	readonly blockchain: string | undefined;
}

/** An id is the asset's key, `<chainId>|<address>`. */
function rowOf(market: Market, {id, text, blockchain}: AssetName): number | undefined {
	const {table} = market;
	const isLive = (row: number | undefined) => row !== undefined && (table.bits[row]! & ROW.live) !== 0;
	if (text === undefined) {
		const [chain = '', address = ''] = id!.split('|');
		const row = table.rowOf(entryKey(chain, address));
		return isLive(row) ? row : undefined;
	}
	const chainId = blockchain === undefined ? undefined : chainIdOf(blockchain);
	if (chainId !== undefined && isAddress(text)) {
		const row = table.rowOf(entryKey(chainId, text));
		return isLive(row) ? row : undefined;
	}
	return market.find(text, chainId).find(row => namesExactly(market, row, text));
}

/** A search also gives near misses; a picture of another asset than the requested one would mislead. */
function namesExactly({table}: Market, row: number, text: string): boolean {
	const lower = text.toLowerCase();
	const names = (['address', 'symbol', 'name'] as const).map(name => table.text(name, row)?.toLowerCase());
	return names.includes(lower) || ((table.bits[row]! & ROW.quote) !== 0 && names[1] === `w${lower}`);
}

/** EVM and Solana forms. */
function isAddress(text: string): boolean {
	return isEvmAddress(text) || isSolanaAddress(text);
}
