import type {Directory, Entity} from '../labels.ts';
import type {Crowd} from './crowd.ts';
import {PLATFORMS} from './entities.ts';

/**
 * The known wallets and trading programs of the simulated market.
 * @param crowd gives the wallets, which change when the market begins again
 */
export function simulatedDirectory(crowd: () => Crowd): Directory {
	return {
		entityOf: (address: string): Entity | undefined => crowd().entityOf(address),
		platform: id => PLATFORMS.find(platform => platform.id === id),
	};
}
