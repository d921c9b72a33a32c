import {factoryNames, POOL_TYPES, type SystemMetadata} from '../../contract/system-metadata.ts';
import {CHAINS, LAUNCHPADS} from '../market/chains.ts';

/** The pool types, chains and factories that this service has names for (contract gaps 7). */
export const SYSTEM_METADATA: SystemMetadata = {
	poolTypes: [...POOL_TYPES.launchpad, ...POOL_TYPES.pool, ...POOL_TYPES.perp],
	chains: CHAINS.map(({id, name, explorer}) => ({id, name, blockExplorers: {default: explorer}})),
	factories: knownFactories(),
};

/** Names that filters may use instead of a factory's address. */
export const FACTORY_NAMES = factoryNames(SYSTEM_METADATA.factories);

function knownFactories(): SystemMetadata['factories'] {
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
