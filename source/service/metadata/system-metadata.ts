import {CHAINS} from '../../chains/chains.ts';
import {factoryNames, POOL_TYPES, type SystemMetadata} from '../../contract/system-metadata.ts';
import {chainName, findChain, LAUNCHPADS} from '../market/chains.ts';
import type {Market} from '../market/market.ts';

const CHAIN_NAMES: SystemMetadata['chains'] = CHAINS.map(({id, explorer}) => ({
	id,
	name: chainName(id),
	...(explorer !== undefined && {blockExplorers: {default: {name: explorer.name, url: explorer.origin}}}),
}));
const namesOfMarkets = new WeakMap<Market, ReadonlyMap<string, readonly string[]>>();

/** The pool types, chains and factories that the service of a market has names for (contract gaps 7). */
export function systemMetadataOf({factories, chainIds}: Pick<Market, 'factories' | 'chainIds'>): SystemMetadata {
	return {
		poolTypes: [...POOL_TYPES.launchpad, ...POOL_TYPES.pool, ...POOL_TYPES.perp],
		chains: CHAIN_NAMES.filter(({id}) => chainIds?.includes(id) ?? findChain(id) !== undefined),
		factories: [...(factories ?? simulatedFactories())],
	};
}

/** Names that filters may use instead of a factory's address. */
export function factoryNamesOf(market: Market): ReadonlyMap<string, readonly string[]> {
	const known = namesOfMarkets.get(market) ?? factoryNames(systemMetadataOf(market).factories);
	namesOfMarkets.set(market, known);
	return known;
}

/** The id of a chain given by id or by name; an unknown name is taken as an id. */
export function chainIdOf(chain: string): string {
	const lower = chain.toLowerCase();
	return CHAIN_NAMES.find(({name}) => name.toLowerCase() === lower)?.id ?? chain;
}

function simulatedFactories(): SystemMetadata['factories'] {
	const byPlace = new Map<string, SystemMetadata['factories'][number]>();
	for (const {chainId, next, ...first} of LAUNCHPADS) {
		for (const {type, exchange, factory} of next ? [first, next] : [first]) {
			byPlace.set(`${chainId}|${factory}`, {
				chainId,
				address: factory,
				name: type,
				ui_name: exchange?.name ?? null,
				logo: exchange?.logo ?? null,
			});
		}
	}
	return [...byPlace.values()];
}
