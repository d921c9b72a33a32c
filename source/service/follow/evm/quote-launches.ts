import type {EvmChain} from '../../../chains/evm-chains.ts';
import type {LaunchEvent} from '../../market/events.ts';

/** The coins that pools of a chain are quoted in, as tokens of the market: what they are is known without reading the chain. */
export function quoteLaunches({id, quotes}: EvmChain): readonly LaunchEvent[] {
	return quotes.map(({address, symbol, name, decimals}) => ({
		type: 'launch',
		kind: 'quote',
		timeMs: 0,
		block: 0,
		chainId: id,
		token: address,
		symbol,
		name,
		decimals,
		supply: null,
		deployer: null,
		pool: null,
		reserveToken: null,
		reserveQuote: null,
		quoteUSD: null,
		priceUSD: null,
		curveSale: null,
		holdersReported: false,
		profile: {},
	}));
}
