import type {ViewRequest} from '../../client/feed/feed-events.ts';
import {chainWord, resolveChain} from '../filter/chain-words.ts';
import type {Column} from '../state.ts';

/**
 * What the person lets into all columns at once, on top of each column's own filter. An empty list lets everything in.
 * Launchpads are values of `source`, which stays with a token when it bonds; the pool type changes then.
 */
export interface Scope {
	/** Chain ids. */
	readonly chains: readonly string[];
	/** Launchpads in lower case. */
	readonly launchpads: readonly string[];
}

export type ScopePart = keyof Scope;

/** Nothing is left out. */
export const FULL_SCOPE: Scope = {chains: [], launchpads: []};

/** The most of each that a scope holds: a list that was written by hand must not grow requests without end. */
const MAX_LISTED = 50;

/** One more is let in, or no longer. The last one that goes lets everything in again. */
export function scopeToggled(scope: Scope, part: ScopePart, id: string): Scope {
	const listed = scope[part];
	const next = listed.includes(id) ? listed.filter(other => other !== id) : [...listed, id].slice(-MAX_LISTED);
	return {...scope, [part]: next};
}

export function isSameScope(a: Scope, b: Scope): boolean {
	return isSameList(a.chains, b.chains) && isSameList(a.launchpads, b.launchpads);
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every(id => b.includes(id));
}

/** The chains and pool types that a column asks for by itself: its filter line before its configuration. */
function ownChains({chains, filter}: Pick<Column, 'chains' | 'filter'>): readonly string[] {
	const typed = filter.viewOptions?.['chainId'] as readonly string[] | undefined;
	return typed ?? chains;
}

/** The chains that a column and the scope both let in; empty for every chain, undefined when there is none. */
function chainsOf(column: Pick<Column, 'chains' | 'filter' | 'scope'>): readonly string[] | undefined {
	const own = ownChains(column);
	const {chains} = column.scope;
	if (chains.length === 0) return own;
	if (own.length === 0) return chains;
	const both = own.filter(id => chains.includes(id));
	return both.length === 0 ? undefined : both;
}

/** Whether the column's own chains and the chosen ones have none in common: no token can be in it. */
export function isExcluded(column: Pick<Column, 'chains' | 'filter' | 'scope'>): boolean {
	return chainsOf(column) === undefined;
}

/** What the scope adds to the request of a column; undefined where no token can be in it. */
export function scopedRequest(
	column: Pick<Column, 'chains' | 'filter' | 'scope'>,
): Pick<ViewRequest, 'chainId' | 'filters'> | undefined {
	const chainId = chainsOf(column);
	if (chainId === undefined) return undefined;
	const {filters} = column.filter;
	const {launchpads} = column.scope;
	const own = filters === undefined || Object.keys(filters).length === 0 ? [] : [filters];
	const both = launchpads.length === 0 ? filters : {AND: [{source: {in: launchpads}}, ...own]};
	return {...(chainId.length > 0 && {chainId}), ...(both !== undefined && {filters: both})};
}

/** A chain as people write it: `base`, or its id where it has no name here. */
export function chainName(id: string): string {
	return chainWord(id) ?? id;
}

/** One part of a scope as it is typed and shared: `solana,base`, `all`. */
export function scopeText(scope: Scope, part: ScopePart): string {
	const listed = scope[part];
	if (listed.length === 0) return 'all';
	return (part === 'chains' ? listed.map(chainName) : listed).join(',');
}

const LAUNCHPAD = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** Reads what `scopeText` writes. The problem says what is not understood. */
export function readScopePart(
	text: string,
	part: ScopePart,
): {readonly ok: true; readonly listed: readonly string[]} | {readonly ok: false; readonly problem: string} {
	const words = text
		.toLowerCase()
		.split(/[\s,]+/)
		.filter(word => word !== '');
	if (words.length === 0 || (words.length === 1 && words[0] === 'all')) return {ok: true, listed: []};
	const listed: string[] = [];
	for (const word of words.slice(0, MAX_LISTED)) {
		const id = part === 'chains' ? resolveChain(word).id : LAUNCHPAD.test(word) ? word : undefined;
		if (id === undefined)
			return {ok: false, problem: `${word} is no ${part === 'chains' ? 'chain that is known here' : 'launchpad'}`};
		if (!listed.includes(id)) listed.push(id);
	}
	return {ok: true, listed};
}

/** The parts that leave something out. */
export function scopeParts(scope: Scope): readonly ScopePart[] {
	return (['chains', 'launchpads'] as const).filter(part => scope[part].length > 0);
}

/** The scope in a few words for the header: `solana+base`, `3 launchpads`; empty when nothing is left out. */
export function scopeLabel(scope: Scope): string {
	const named = (part: ScopePart): string => {
		const listed = scope[part];
		if (listed.length > 2) return `${listed.length} ${part}`;
		return (part === 'chains' ? listed.map(chainName) : listed).join('+');
	};
	return [named('chains'), named('launchpads')].filter(text => text !== '').join(' ');
}
