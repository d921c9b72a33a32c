import type {Chain} from './chain.ts';
import {CHAINS, evmChainNumber} from './chains.ts';
import {type Address, lower} from './evm-chains.ts';

type Make = keyof NonNullable<Chain['exchanges']>;

/** Contracts by chain number, in lower case. */
export type Contracts = Readonly<Record<number, readonly Address[]>>;

/**
 * The factories or managers of an exchange on all chains: who follows a chain reads their events.
 * @throws RangeError for an exchange that no chain lists
 */
export function exchangeContracts(make: Make, exchange: string): Contracts {
	const entries = CHAINS.flatMap(({id, exchanges}) => {
		const contracts = exchanges?.[make]?.[exchange];
		return contracts === undefined ? [] : [[evmChainNumber(id)!, contracts.map(lower)] as const];
	});
	if (entries.length === 0) throw new RangeError(`no chain lists ${exchange}`);
	return Object.fromEntries(entries);
}
