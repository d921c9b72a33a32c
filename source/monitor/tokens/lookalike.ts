import {CHAINS} from '../../chains/chains.ts';
import {type Entry, entryKey} from '../../contract/entry.ts';
import {keptByText} from '../../kept-by-text.ts';
import type {MonitorState} from '../state.ts';
import {VIEWS} from '../views.ts';
import {disguised, isMixed, scriptOf, skeleton} from './confusables.ts';

/** Why a token may be mistaken for another one. */
export type LookalikeReason =
	/** Letters of another script replace Latin ones. */
	| {readonly kind: 'spelling'; readonly letters: readonly string[]; readonly script: string}
	/** Its symbol is that of well-known money; `address` is that of the real one on this chain. */
	| {readonly kind: 'known'; readonly symbol: string; readonly address?: string}
	/** Another token on screen, older or larger, has a symbol or name that looks the same. */
	| {readonly kind: 'copy'; readonly of: Entry; readonly what: 'symbol' | 'name'; readonly isOlder: boolean}
	/** Another token on screen has the same Twitter account. */
	| {readonly kind: 'twitter'; readonly of: Entry}
	/** The service counts other tokens with this Twitter account. */
	| {readonly kind: 'twitterReused'; readonly count: number};

/**
 * How closely a token looks like another.
 * - bad: imitates on purpose: foreign letters, or the symbol of known money
 * - warn: the other is much larger, or has bonded while this one has not
 * - note: one of many with that name, or with that Twitter account
 * - info: too common for a mark in the list
 */
export interface Lookalike {
	readonly level: 'bad' | 'warn' | 'note' | 'info';
	readonly reasons: readonly LookalikeReason[];
}

/** Tokens by the look of their symbols and names (confusables.ts) and by Twitter account. */
export interface LookalikeIndex {
	readonly bySymbol: ReadonlyMap<string, readonly Entry[]>;
	readonly byName: ReadonlyMap<string, readonly Entry[]>;
	readonly byTwitter: ReadonlyMap<string, readonly Entry[]>;
}

/** The money that launches are bought with: a token of another address that has such a symbol imitates it. */
const KNOWN_MONEY = ['USDC', 'USDT', 'SOL', 'WSOL', 'ETH', 'WETH', 'BTC', 'WBTC', 'BNB', 'WBNB', 'DAI'] as const;
const WBTC_OF_ETHEREUM = {chainId: 'evm:1', symbol: 'WBTC', address: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599'};

const COINS: readonly {readonly chainId: string; readonly symbol: string; readonly address: string}[] = [
	...CHAINS.flatMap(({id: chainId, quotes = []}) => quotes.map(({symbol, address}) => ({chainId, symbol, address}))),
	WBTC_OF_ETHEREUM,
];
const KNOWN_BY_SKELETON: ReadonlyMap<string, string> = new Map(KNOWN_MONEY.map(symbol => [skeleton(symbol), symbol]));
const KNOWN_ADDRESSES: ReadonlySet<string> = new Set(COINS.map(({chainId, address}) => entryKey(chainId, address)));

/** A name shorter than this says too little to be a copy of another. */
const SHORTEST_NAME = 4;
/** A token with this many times the market cap is taken for the original. */
const MUCH_LARGER = 5;

/** A Twitter account with this many other tokens gets a mark. */
const OFTEN_REUSED = 5;

/** The index of these tokens. */
export function lookalikeIndex(entries: Iterable<Entry>): LookalikeIndex {
	const [bySymbol, byName, byTwitter] = [new Map(), new Map(), new Map()] as const satisfies Map<string, Entry[]>[];
	const add = (index: Map<string, Entry[]>, key: string, entry: Entry): void => {
		const group = index.get(key);
		if (group === undefined) index.set(key, [entry]);
		else if (!group.some(({key: known}) => known === entry.key)) group.push(entry);
	};
	for (const entry of entries) {
		const symbol = skeleton(entry.symbol ?? '');
		if (symbol !== '') add(bySymbol, symbol, entry);
		const name = skeleton(entry.name ?? '');
		if (name.length >= SHORTEST_NAME) add(byName, name, entry);
		const handle = twitterHandle(entry);
		if (handle !== undefined) add(byTwitter, handle, entry);
	}
	return {bySymbol, byName, byTwitter};
}

/** The token that a token imitates; undefined for an original. */
export function lookalikeOf(entry: Entry, index: LookalikeIndex): Lookalike | undefined {
	if (KNOWN_ADDRESSES.has(entry.key)) return undefined;
	const reasons = [...disguises(entry), ...known(entry), ...copies(entry, index), ...twitter(entry, index)];
	if (reasons.length === 0) return undefined;
	const isBad = reasons.some(({kind}) => kind === 'spelling' || kind === 'known');
	const isWarning = reasons.some(reason => reason.kind === 'copy' && isOriginal(reason.of, entry));
	const isCommon = reasons.every(reason => reason.kind === 'twitterReused' && reason.count < OFTEN_REUSED);
	return {level: isBad ? 'bad' : isWarning ? 'warn' : isCommon ? 'info' : 'note', reasons};
}

function disguises({symbol = '', name = ''}: Entry): LookalikeReason[] {
	const letters = foreignLetters(symbol) ?? foreignLetters(name) ?? [];
	return letters.length === 0 ? [] : [{kind: 'spelling', letters, script: scriptOf(letters[0]!)}];
}

/** The foreign letters of a mixed name. */
const foreignLetters = keptByText((text: string): readonly string[] | undefined => {
	const letters = isMixed(text) ? disguised(text) : [];
	return letters.length === 0 ? undefined : letters;
});

function known({symbol = '', chain_id}: Entry): LookalikeReason[] {
	const money = KNOWN_BY_SKELETON.get(skeleton(symbol));
	if (money === undefined) return [];
	const address = COINS.find(({chainId, symbol}) => chainId === chain_id && isSameMoney(symbol, money))?.address;
	return [{kind: 'known', symbol: money, ...(address !== undefined && {address})}];
}

/** Wrapped SOL has either name. */
function isSameMoney(symbol: string, money: string): boolean {
	return symbol === money || (symbol === 'SOL' && money === 'WSOL');
}

function copies(entry: Entry, {bySymbol, byName}: LookalikeIndex): LookalikeReason[] {
	const found = (
		[
			['symbol', bySymbol.get(skeleton(entry.symbol ?? ''))],
			['name', byName.get(skeleton(entry.name ?? ''))],
		] as const
	).flatMap(([what, group = []]) => group.filter(other => outranks(other, entry)).map(of => ({what, of})));
	const [largest] = found.sort((a, b) => (b.of.market_cap ?? 0) - (a.of.market_cap ?? 0));
	if (largest === undefined) return [];
	return [{kind: 'copy', ...largest, isOlder: isOlder(largest.of, entry)}];
}

/** Another token that was there before, or is much larger. The same address on another chain is the same project. */
function outranks(other: Entry, entry: Entry): boolean {
	if (other.key === entry.key || other.address.toLowerCase() === entry.address.toLowerCase()) return false;
	return isOlder(other, entry) || isOriginal(other, entry);
}

function isOlder(other: Entry, entry: Entry): boolean {
	return other.created_at !== undefined && entry.created_at !== undefined && other.created_at < entry.created_at;
}

function isOriginal(other: Entry, entry: Entry): boolean {
	const larger = (other.market_cap ?? 0) >= MUCH_LARGER * (entry.market_cap ?? Number.POSITIVE_INFINITY);
	return larger || (other.bonded === true && entry.bonded === false && isOlder(other, entry));
}

function twitter(entry: Entry, {byTwitter}: LookalikeIndex): LookalikeReason[] {
	const handle = twitterHandle(entry);
	const of = handle === undefined ? undefined : byTwitter.get(handle)?.find(other => outranks(other, entry));
	if (of) return [{kind: 'twitter', of}];
	const count = entry.twitter_reuses_count ?? 0;
	return count > 0 ? [{kind: 'twitterReused', count}] : [];
}

function twitterHandle({twitter: link}: Entry): string | undefined {
	return link === undefined ? undefined : handleOf(link);
}

/** The account of a link to a profile; a link to a post or a community is not an account. */
const handleOf = keptByText((link: string): string | undefined => {
	const [, handle] =
		/^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:twitter|x)\.com\/@?(\w{1,15})\/?(?:\?.*)?$/i.exec(link) ?? [];
	return handle === undefined || /^(?:i|home|search|explore|intent)$/i.test(handle) ? undefined : handle.toLowerCase();
});

/** The index of all tokens in the columns. */
export function lookalikesOnScreen({columns}: Pick<MonitorState, 'columns'>): LookalikeIndex {
	return lookalikeIndex(VIEWS.flatMap(view => Array.from(columns[view].rows.values(), row => row.entry)));
}

/** The look-alikes among the tokens of one screen. */
export interface Lookalikes {
	/** The index of the tokens in the columns, at most a second old. */
	index(state: Pick<MonitorState, 'columns' | 'nowMs'>): LookalikeIndex;
	/** How closely a token imitates another one: judged when its names change, and every few seconds. */
	level(state: Pick<MonitorState, 'columns' | 'nowMs'>, entry: Entry): Judgement['level'];
}

interface Judgement {
	readonly symbol: string | undefined;
	readonly name: string | undefined;
	readonly level: Lookalike['level'] | undefined;
}

/** How often a token with the same names is judged again, ms. */
const JUDGED_EVERY_MS = 5000;

/**
 * Keeps the look-alikes of a screen. The index is rebuilt once a second and when other tokens are on that screen, and a token is
 * judged every few seconds: figures change ten times a second, names do not.
 */
export function keepLookalikes(): Lookalikes {
	let made: {readonly key: string; readonly index: LookalikeIndex} | undefined;
	let judged: {readonly at: number; readonly levels: Map<string, Judgement>} | undefined;
	const index: Lookalikes['index'] = ({columns, nowMs}) => {
		const tokens = VIEWS.map(view => `${columns[view].rows.size} ${columns[view].order[0]}`);
		const key = [Math.floor(nowMs / 1000), ...tokens].join();
		if (made?.key !== key) made = {key, index: lookalikesOnScreen({columns})};
		return made.index;
	};
	return {
		index,
		level(state, entry) {
			const at = Math.floor(state.nowMs / JUDGED_EVERY_MS);
			if (judged?.at !== at) judged = {at, levels: new Map()};
			const {key, symbol, name} = entry;
			const before = judged.levels.get(key);
			if (before !== undefined && before.symbol === symbol && before.name === name) return before.level;
			const level = lookalikeOf(entry, index(state))?.level;
			judged.levels.set(key, {symbol, name, level});
			return level;
		},
	};
}
