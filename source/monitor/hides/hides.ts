import {foldAddress} from '../../address.ts';
import {addressOfKey, type Entry} from '../../contract/entry.ts';
import {clean, middleEllipsis} from '../../text.ts';

export type HideKind = 'token' | 'deployer' | 'keyword';

/** A token, deployer or keyword whose tokens no column shows. */
export interface Hide {
	readonly kind: HideKind;
	/** An entry's key, a deployer's address (EVM in lower case), or a word in lower case. */
	readonly value: string;
	/** The name in lists: a symbol, a short address, the word. */
	readonly label: string;
	/** Why it is hidden, in a few words. */
	readonly reason: string;
	/** The deployer of a hidden token, where it was reported. */
	readonly deployer?: string;
}

/** By `hideId`, the newest last. */
export type Hides = ReadonlyMap<string, Hide>;

export const NO_HIDES: Hides = new Map();

/** Longest keyword, in cells. */
const KEYWORD_CELLS = 40;

/** The key of a hide in `Hides`. */
export function hideId({kind, value}: Pick<Hide, 'kind' | 'value'>): string {
	return `${kind} ${value}`;
}

/** Hides one token. @param place its column at that time, for the reason: `NEW` */
export function tokenHide(entry: Entry, place: string): Hide {
	const {key, symbol, address, deployer} = entry;
	return {
		kind: 'token',
		value: key,
		label: symbol ?? middleEllipsis(address, 13),
		reason: `by hand, from ${place}`,
		...(deployer !== undefined && {deployer}),
	};
}

/** Hides all tokens of a deployer. @param of the symbol of one of them, for the reason */
export function deployerHide(deployer: string, of: string): Hide {
	return {
		kind: 'deployer',
		value: foldAddress(deployer),
		label: middleEllipsis(deployer, 13),
		reason: `deployer of ${of}`,
	};
}

/** How many tokens of a deployer are in the columns. */
export function countOfDeployer(
	columns: Readonly<Record<string, {readonly rows: ReadonlyMap<string, {readonly entry: Entry}>}>>,
	deployer: string,
): number {
	const folded = foldAddress(deployer);
	const keys = Object.values(columns).flatMap(({rows}) =>
		[...rows].flatMap(([key, {entry}]) =>
			entry.deployer !== undefined && foldAddress(entry.deployer) === folded ? [key] : [],
		),
	);
	return new Set(keys).size;
}

/** Hides all tokens with a word in symbol, name or description; undefined for blank text. */
export function keywordHide(typed: string): Hide | undefined {
	const word = clean(typed, {maxCells: KEYWORD_CELLS}).trim().toLowerCase();
	return word === ''
		? undefined
		: {kind: 'keyword', value: word, label: `“${word}”`, reason: 'in symbol, name or description'};
}

interface Index {
	readonly tokens: ReadonlyMap<string, Hide>;
	readonly deployers: ReadonlyMap<string, Hide>;
	readonly keywords: readonly Hide[];
}

const indexes = new WeakMap<Hides, Index>();

/** Cached, since every row of every frame is looked up. */
function indexOf(hides: Hides): Index {
	const known = indexes.get(hides);
	if (known) return known;
	const all = [...hides.values()];
	const of = (kind: HideKind) => new Map(all.filter(hide => hide.kind === kind).map(hide => [hide.value, hide]));
	const index = {tokens: of('token'), deployers: of('deployer'), keywords: all.filter(hide => hide.kind === 'keyword')};
	indexes.set(hides, index);
	return index;
}

/** The hide of a token; undefined for a shown token. */
export function hidingOf(entry: Entry, hides: Hides): Hide | undefined {
	if (hides.size === 0) return undefined;
	const {tokens, deployers, keywords} = indexOf(hides);
	const found = tokens.get(entry.key);
	if (found) return found;
	if (deployers.size > 0 && entry.deployer !== undefined) {
		const deployer = deployers.get(foldAddress(entry.deployer));
		if (deployer) return deployer;
	}
	if (keywords.length === 0) return undefined;
	const texts = [entry.symbol, entry.name, entry.description].map(text => text?.toLowerCase());
	return keywords.find(({value}) => texts.some(text => text?.includes(value)));
}

/*
 * One line of text to copy, or a file with a line for each hide:
 *
 *   pulsetop-hidden/1 token="solana:solana|ADDRESS WIF" deployer="0xADDRESS of WIF" keyword="elon"
 */
const HEAD = 'pulsetop-hidden/1';
const WORD = /\s*(\w+)="((?:[^"\\]|\\.)*)"(?=\s|$)/y;
const KEY = /^[a-z0-9]+:[\w-]+\|[0-9A-Za-z]{1,100}$/;
const ADDRESS = /^[0-9A-Za-z]{20,100}$/;
/** How many hides are read at most. */
const MAX_READ = 5000;

/** Whether a text is meant to be a list of hides. */
export function looksLikeHides(text: string): boolean {
	return text.trimStart().startsWith('pulsetop-hidden');
}

/** All hides as text that `readHides` reads. @param between a blank for one line, a line break for a file */
export function formatHides(hides: Hides, between: ' ' | '\n' = ' '): string {
	const words = Array.from(hides.values(), ({kind, value, label, reason}) => {
		if (kind === 'keyword') return `keyword=${quoted(value)}`;
		return `${kind}=${quoted(`${value} ${kind === 'token' ? label : reason.replace(/^deployer /, '')}`.trim())}`;
	});
	return [HEAD, ...words].join(between) + (between === '\n' ? '\n' : '');
}

function quoted(text: string): string {
	return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

export type ReadHides =
	| {readonly ok: true; readonly hides: readonly Hide[]}
	| {readonly ok: false; readonly problem: string};

/** Reads the text of `formatHides`. Never throws; an unknown word makes the whole text a problem. */
export function readHides(written: string): ReadHides {
	const text = written.replace(/[“”„]/g, '"').replace(/\s+/g, ' ').trim();
	if (!text.startsWith(HEAD) || !/^(?: |$)/.test(text.slice(HEAD.length))) {
		return {
			ok: false,
			problem: looksLikeHides(text)
				? 'it was written by a newer version'
				: `a list of hidden things begins with ${HEAD}`,
		};
	}
	const hides: Hide[] = [];
	WORD.lastIndex = HEAD.length;
	while (WORD.lastIndex < text.length && hides.length < MAX_READ) {
		const at = WORD.lastIndex;
		const found = WORD.exec(text);
		const hide = found ? readHide(found[1]!, clean(found[2]!.replace(/\\(.)/g, '$1'))) : undefined;
		if (!hide) return {ok: false, problem: `“${text.slice(at).trim().slice(0, 24)}” is not understood`};
		hides.push(hide);
	}
	return {ok: true, hides};
}

function readHide(kind: string, text: string): Hide | undefined {
	const [value = '', ...rest] = text.split(' ');
	const label = clean(rest.join(' '), {maxCells: KEYWORD_CELLS});
	if (kind === 'keyword') return keywordHide(text);
	if (kind === 'deployer' && ADDRESS.test(value)) {
		const hide = deployerHide(value, '');
		return {...hide, reason: label === '' ? 'imported' : `deployer ${label}`};
	}
	if (kind !== 'token' || !KEY.test(value)) return undefined;
	const address = addressOfKey(value);
	return {kind, value, label: label || middleEllipsis(address, 13), reason: 'imported'};
}
