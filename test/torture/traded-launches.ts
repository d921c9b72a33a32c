import {createMarket} from '../../source/service/market/create-market.ts';
import {isUntradable, type OutsideToken} from '../../source/service/market/outside.ts';

/** The market of the trials. The same seed has the same launches at each start. */
export const TRADED_SEED = 5;

/** Addresses of launches on a chain that can be bought and sold (no honeypots), and have no tax. */
export function tradableLaunches(chainId: string): readonly `0x${string}`[] {
	const {table, outside, fill} = createMarket({seed: TRADED_SEED});
	fill();
	return [...table.bits.keys()]
		.map(row => table.key(row))
		.filter(key => key.startsWith(`${chainId}|`))
		.map(key => outside.find(key))
		.filter((found): found is OutsideToken => !isUntradable(found))
		.filter(token => token.isHoneypot !== true && token.buyTax === 0 && token.sellTax === 0)
		.filter(token => token.reserveUSD > 3000)
		.map(token => token.address.toLowerCase() as `0x${string}`);
}
