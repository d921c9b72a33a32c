import {checksummed} from '../market/address.ts';
import {evmAddress} from '../market/simulator/addresses.ts';
import {Random} from '../market/simulator/random.ts';

/** Number of traders in the simulated prediction markets. */
export const TRADERS = 3000;

/** The traders of the simulated prediction markets: numbers whose addresses follow from the seed. */
export class Traders {
	readonly #seed: number;
	readonly #addresses: (string | undefined)[] = new Array(TRADERS);
	#numbers: Map<string, number> | undefined;

	constructor(seed: number) {
		this.#seed = seed;
	}

	address(trader: number): string {
		this.#addresses[trader] ??= checksummed(evmAddress(new Random(this.#seed, 8070, trader)));
		return this.#addresses[trader];
	}

	/** The number of an address, in any letter case; undefined for an unknown address. */
	find(address: string): number | undefined {
		this.#numbers ??= new Map(
			Array.from({length: TRADERS}, (_, trader) => [evmAddress(new Random(this.#seed, 8070, trader)), trader]),
		);
		return this.#numbers.get(address.toLowerCase());
	}
}
