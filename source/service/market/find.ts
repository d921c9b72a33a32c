import {entryKey} from '../../contract/entry.ts';
import type {Engine} from './engine.ts';
import {ROW} from './market.ts';

/** How well a token matches a text: lower is better. */
const MATCH = {address: 0, symbol: 2, name: 4, start: 6, part: 8, none: 10} as const;
const MAX_FOUND = 50;

/** The members of a row that a search reads. */
export interface Findable {
	readonly row: number;
	readonly chainId: string;
	readonly address: string;
	readonly symbol: string | null;
	readonly name: string | null;
	/** NaN where it is not known. */
	readonly marketCap: number;
	/** A quote coin: a launch that took its symbol comes after it. */
	readonly isQuote: boolean;
}

/** Main rows whose token matches an address, a symbol or a name (case-insensitive): best match first, then largest, then by key. */
export function findRows(engine: Engine, text: string, chainId?: string): number[] {
	return bestMatches(text, findable(engine, chainId));
}

function* findable(engine: Engine, chainId: string | undefined): Generator<Findable> {
	const marketCap = engine.reader('market_cap');
	for (let row = 0; row < engine.length; row++) {
		if ((engine.bits[row]! & (ROW.live | ROW.main)) !== (ROW.live | ROW.main)) continue;
		const {token} = engine.listing(row);
		if (chainId !== undefined && token.chainId !== chainId) continue;
		const {address, symbol, name} = token;
		const isQuote = (engine.bits[row]! & ROW.quote) !== 0;
		yield {row, chainId: token.chainId, address, symbol, name, marketCap: marketCap(row), isQuote};
	}
}

/** The rows that match a text: best match first, then largest, then by key. */
export function bestMatches(text: string, rows: Iterable<Findable>): number[] {
	const lower = text.trim().toLowerCase();
	if (lower === '') return [];
	const found: {row: number; key: string; rank: number; cap: number}[] = [];
	for (const candidate of rows) {
		const match = quality(lower, candidate);
		if (match === MATCH.none) continue;
		const {row, chainId, address, marketCap, isQuote} = candidate;
		const rank = isQuote && match < MATCH.start ? match - 1 : match;
		found.push({row, key: entryKey(chainId, address), rank, cap: Number.isNaN(marketCap) ? 0 : marketCap});
	}
	// Not by row: it is another one on each replica, and after a restart.
	found.sort((a, b) => a.rank - b.rank || b.cap - a.cap || (a.key < b.key ? -1 : 1));
	return found.slice(0, MAX_FOUND).map(({row}) => row);
}

function quality(text: string, token: Findable): number {
	if (token.address.toLowerCase() === text) return MATCH.address;
	const symbol = token.symbol?.toLowerCase() ?? '';
	const name = token.name?.toLowerCase() ?? '';
	// A chain's own coin is in pools as its wrapped form: ETH is WETH.
	if (symbol === text || (token.isQuote && symbol === `w${text}`)) return MATCH.symbol;
	if (name === text) return MATCH.name;
	if (symbol.startsWith(text) || name.startsWith(text)) return MATCH.start;
	return symbol.includes(text) || name.includes(text) ? MATCH.part : MATCH.none;
}
