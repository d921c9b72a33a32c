import type {ViewRequest} from '../../client/feed/feed-events.ts';
import {chainWord, resolveChain} from '../filter/chain-words.ts';
import type {ColumnFilter} from '../filter/column-filter.ts';

/**
 * The chains and launchpads that all columns are limited to, on top of each column's own filter. An empty list lets all
 * in. Launchpads are values of `source`, which a token keeps when it bonds; its pool type changes then.
 */
export interface Scope {
	/** Chain ids. */
	readonly chains: readonly string[];
	/** Launchpads in lower case. */
	readonly launchpads: readonly string[];
}

export type ScopePart = keyof Scope;

/** All chains and launchpads. */
export const FULL_SCOPE: Scope = {chains: [], launchpads: []};

/** Maximum length of each list, which limits the size of requests. */
const MAX_LISTED = 50;

/** Adds or removes a chain id or launchpad. Removing the last one lets all in. */
export function scopeToggled(scope: Scope, part: ScopePart, id: string): Scope {
	const listed = scope[part];
	const next = listed.includes(id) ? listed.filter(other => other !== id) : [...listed, id].slice(-MAX_LISTED);
	return {...scope, [part]: next};
}

/** Whether two scopes let in the same, in any order. */
export function isSameScope(a: Scope, b: Scope): boolean {
	return isSameList(a.chains, b.chains) && isSameList(a.launchpads, b.launchpads);
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
	return a.length === b.length && a.every(id => b.includes(id));
}

/** The limits of a column's tokens. */
interface Limited {
	readonly chains: readonly string[];
	readonly filter: ColumnFilter;
	readonly scope: Scope;
}

/** The column's own chains: those of its filter line, else those of its configuration. */
function ownChains({chains, filter}: Pick<Limited, 'chains' | 'filter'>): readonly string[] {
	const typed = filter.viewOptions?.['chainId'] as readonly string[] | undefined;
	return typed ?? chains;
}

/** The chains that both the column and the scope let in; empty for every chain, undefined when they have none in common. */
function chainsOf(column: Limited): readonly string[] | undefined {
	const own = ownChains(column);
	const {chains} = column.scope;
	if (chains.length === 0) return own;
	if (own.length === 0) return chains;
	const both = own.filter(id => chains.includes(id));
	return both.length === 0 ? undefined : both;
}

/** Whether the column's own chains and those of the scope have none in common, so that no token can match. */
export function isExcluded(column: Limited): boolean {
	return chainsOf(column) === undefined;
}

/** Chains and filters of a column's request; undefined when no token can match. */
export function scopedRequest(column: Limited): Pick<ViewRequest, 'chainId' | 'filters'> | undefined {
	const chainId = chainsOf(column);
	if (chainId === undefined) return undefined;
	const {filters} = column.filter;
	const {launchpads} = column.scope;
	const own = filters === undefined || Object.keys(filters).length === 0 ? [] : [filters];
	const both = launchpads.length === 0 ? filters : {AND: [{source: {in: launchpads}}, ...own]};
	return {...(chainId.length > 0 && {chainId}), ...(both !== undefined && {filters: both})};
}

/** A chain as people write it: `base`, or its id when it has no name. */
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

/** Reads the text of `scopeText`. The problem names the unknown word. */
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
		const found: ReturnType<typeof resolveChain> =
			part === 'chains' ? resolveChain(word) : LAUNCHPAD.test(word) ? {id: word} : {};
		if (found.id === undefined) {
			const kind = part === 'chains' ? 'chain that is known here' : 'launchpad';
			const near = found.suggestion === undefined ? '' : `; perhaps ${found.suggestion}`;
			return {ok: false, problem: `${word} is no ${kind}${near}`};
		}
		if (!listed.includes(found.id)) listed.push(found.id);
	}
	return {ok: true, listed};
}

/** The parts that are limited. */
export function scopeParts(scope: Scope): readonly ScopePart[] {
	return (['chains', 'launchpads'] as const).filter(part => scope[part].length > 0);
}

/** The scope in the header: `solana+base`, `3 launchpads`; empty when all are let in. */
export function scopeLabel(scope: Scope): string {
	const named = (part: ScopePart): string => {
		const listed = scope[part];
		if (listed.length > 2) return `${listed.length} ${part}`;
		return (part === 'chains' ? listed.map(chainName) : listed).join('+');
	};
	return [named('chains'), named('launchpads')].filter(text => text !== '').join(' ');
}
