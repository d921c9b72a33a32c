import {CHAINS, findChain} from './chains.ts';

/** The name of a chain for people: `Solana`; undefined where it is not known. */
export function chainTitle(chainId: string): string | undefined {
	return findChain(chainId)?.name;
}

/** Meanings of the known chains' tags: `SOL Solana, ETH Ethereum`. */
export function chainLegend(): string {
	return CHAINS.map(({short, name}) => `${short} ${name}`).join(', ');
}

/** A chain in at most four letters. */
export function chainWord(chainId: string): string {
	return (
		findChain(chainId)?.short ??
		chainId
			.slice(chainId.indexOf(':') + 1)
			.toUpperCase()
			.slice(0, 4)
	);
}
