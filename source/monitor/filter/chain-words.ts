import {CHAINS} from '../../chains/chains.ts';
import {nearestName} from '../../contract/wire-error.ts';

/** A chain with a name that can be typed, from the service's metadata or from KNOWN_CHAINS. */
export interface ChainName {
	readonly id: string;
	readonly name: string;
}

/** Built-in names; the first name of an id is the one that is shown. */
export const KNOWN_CHAINS: readonly ChainName[] = CHAINS.flatMap(({id, words}) => words.map(name => ({id, name})));

const CHAIN_ID = /^[a-z][a-z0-9]*:[A-Za-z0-9-]+$/;

/**
 * The id of a chain from its name or id; names of the service come before the built-in ones. For an unknown chain the nearest
 * name.
 */
export function resolveChain(
	text: string,
	chains: readonly ChainName[] = [],
): {readonly id: string} | {readonly id?: never; readonly suggestion?: string} {
	const typed = text.toLowerCase();
	const all = [...chains, ...KNOWN_CHAINS];
	const found = all.find(chain => slug(chain.name) === slug(typed));
	if (found) return {id: found.id};
	if (CHAIN_ID.test(text)) return {id: text};
	const suggestion = nearestName(
		typed,
		all.map(chain => slug(chain.name)),
	);
	return suggestion === undefined ? {} : {suggestion};
}

/** A name that `resolveChain` turns into this id, or undefined. */
export function chainWord(id: string, chains: readonly ChainName[] = []): string | undefined {
	return [...chains, ...KNOWN_CHAINS]
		.filter(chain => chain.id === id)
		.map(chain => slug(chain.name))
		.find(name => /^[a-z0-9-]+$/.test(name) && resolveChain(name, chains).id === id);
}

/** `BNB Smart Chain` => `bnb-smart-chain`: a name that can be typed without quotes. */
function slug(name: string): string {
	return name.trim().toLowerCase().replace(/\s+/g, '-');
}
