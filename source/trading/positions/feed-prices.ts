import type {Client} from '../../client/client.ts';
import {viewOfTokens} from '../../client/lookups/token.ts';
import {addressOfKey} from '../../contract/entry.ts';
import type {PricesOf} from './open-positions.ts';
import type {Price} from './position.ts';
import {isPrice} from './value.ts';

/** The most tokens that a view can include (spec 4.1). */
const MAX_TOKENS = 500;

/**
 * The feed's prices of tokens, by one request for up to 500 of them.
 * @param nowMs the time that a price is of: that of the answer
 * @throws as Client.fetchPage
 */
export function feedPrices(client: Pick<Client, 'fetchPage'>, nowMs: () => number): PricesOf {
	return async keys => {
		const prices = new Map<string, Price>();
		const addresses = [...new Set(keys.map(key => addressOfKey(key)))];
		for (let from = 0; from < addresses.length; from += MAX_TOKENS) {
			const view = {...viewOfTokens(addresses.slice(from, from + MAX_TOKENS)), excludeLPTokens: false};
			const {entries} = await client.fetchPage(view);
			for (const {key, latest_price: usd} of entries) if (isPrice(usd)) prices.set(key, {usd, atMs: nowMs()});
		}
		return prices;
	};
}
