import {type Entry, entryKey} from '../../contract/entry.ts';
import {FIELDS, type Field, type FieldName} from '../../contract/fields.ts';
import {readDetails} from './entry-details.ts';
import {blankEntry, type Draft, ENTRY_FIELDS} from './entry-shape.ts';
import {
	isObject,
	toBoolean,
	toDate,
	toIdentifier,
	toNumber,
	toRawAmount,
	toText,
	toUrl,
	type WireObject,
} from './wire-value.ts';

/** Converts entries of every known wire form into `Entry`. */
export interface Normaliser {
	/** One entry; undefined for an entry without address or chain. Never throws. */
	entry(wire: unknown): Entry | undefined;
	/** The valid entries of a list, in order, and the number of the others. A key that occurs twice keeps the first entry. */
	entries(wire: unknown): {readonly entries: Entry[]; readonly dropped: number};
}

export type FieldAliases = Readonly<Partial<Record<FieldName, readonly string[]>>>;

type Kind = 'number' | 'integer' | 'date' | 'boolean' | 'text' | 'identifier' | 'url' | 'raw';

/** How one field is read: its spellings by place, in order of preference. */
interface Reader {
	readonly name: FieldName;
	readonly kind: Kind;
	readonly maxLength: number;
	readonly isSigned: boolean;
	readonly root: readonly string[];
	readonly pair: readonly string[];
	readonly token: readonly string[];
}

const EVM_NUMBER = /^[1-9]\d{0,15}$/;
const URLS: ReadonlySet<FieldName> = new Set(['logo', 'screener_header', 'live_thumbnail', 'website']);
const RAW: ReadonlySet<FieldName> = new Set(['approximate_reserve_token_raw', 'total_fees_paid_native_raw']);
const IDENTIFIERS: ReadonlySet<FieldName> = new Set(['pool_address', 'bonding_curve_address', 'deployer']);
/** Fields without a reader: the two that make the key, and those in `socials`. */
const BY_HAND: ReadonlySet<FieldName> = new Set(['address', 'chain_id', 'twitter', 'telegram']);
/** At the root of a pool entry these mean the pool, not the token. */
const POOL_ROOT_MEANS_POOL: ReadonlySet<string> = new Set(['address', 'name', 'symbol', 'logo', 'decimals', 'id']);
/** Figures that may be below zero. */
const SIGNED = /^(?:price_change|trending_score)_|^security_score$/;
/** A negative figure nearer to zero than this is a rounding error of sums. */
const NOISE = 1e-6;
const MAX_LENGTHS: ReadonlyMap<FieldName, number> = new Map([
	['symbol', 64],
	['name', 128],
	['description', 1000],
	['livestream_title', 200],
]);

/**
 * Makes a normaliser (contract gaps 2, 10) of asset entries, flat or with their identity under `token`, and of pool
 * entries, with the pool at the root or under `pair`; `baseToken` names the token of a pool.
 * @param aliases further spellings of fields, preferred to the standard ones
 */
export function createNormaliser(aliases: FieldAliases = {}): Normaliser {
	const assetReaders = FIELDS.filter(field => !BY_HAND.has(field.name)).map(field => assetReader(field, aliases));
	const poolReaders = [0, 1].map(base =>
		FIELDS.filter(field => !BY_HAND.has(field.name)).map(field => poolReader(field, aliases, base)),
	);

	function readEntry(wire: unknown): Entry | undefined {
		if (!isObject(wire)) return undefined;
		if (isObject(wire['pair'])) return readPool(wire, wire['pair']);
		if (isObject(wire['token0']) || isObject(wire['token1'])) return readPool(wire, wire);
		const token = isObject(wire['token']) ? wire['token'] : undefined;
		const address = toIdentifier(wire['address']) ?? toIdentifier(token?.['address']);
		const chainId = chainOf(wire) ?? chainOf(token);
		if (address === undefined || chainId === undefined) return undefined;
		return build(address, chainId, assetReaders, wire, undefined, token);
	}

	function readPool(wire: WireObject, pair: WireObject): Entry | undefined {
		const base = baseToken(pair, wire);
		const token = base === 0 ? pair['token0'] : pair['token1'];
		if (!isObject(token)) return undefined;
		const address = toIdentifier(token['address']);
		const chainId = chainOf(token) ?? chainOf(pair) ?? chainOf(wire);
		if (address === undefined || chainId === undefined) return undefined;
		return build(address, chainId, poolReaders[base]!, wire, pair, token);
	}

	return {
		entry: readEntry,
		entries(wire) {
			if (!Array.isArray(wire)) return {entries: [], dropped: wire === undefined || wire === null ? 0 : 1};
			const byKey = new Map<string, Entry>();
			let dropped = 0;
			for (const item of wire) {
				const entry = readEntry(item);
				if (entry === undefined) dropped++;
				else if (!byKey.has(entry.key)) byKey.set(entry.key, entry);
			}
			return {entries: [...byKey.values()], dropped};
		},
	};
}

/**
 * A new entry: the fields of the newer entry, and fields of the older where the newer has none. A null or absent field of
 * an update does not erase a known value (contract gaps 1.3).
 */
export function mergeEntry(older: Entry, newer: Entry): Entry {
	const merged: Record<string, unknown> = {...newer};
	for (const name of ENTRY_FIELDS) {
		if (merged[name] === undefined) merged[name] = older[name];
	}
	// It belongs to the price that it came with.
	if (newer.latest_price !== undefined) merged['priceIsAverage'] = newer.priceIsAverage;
	return merged as unknown as Entry;
}

function build(
	address: string,
	chainId: string,
	readers: readonly Reader[],
	root: WireObject,
	pair: WireObject | undefined,
	token: WireObject | undefined,
): Entry {
	const entry = blankEntry();
	entry['key'] = entryKey(chainId, address);
	entry['chain_id'] = chainId;
	entry['address'] = address;
	for (const reader of readers) {
		let value = firstOf(reader, reader.root, root);
		if (value === undefined && pair !== undefined) value = firstOf(reader, reader.pair, pair);
		if (value === undefined && token !== undefined) value = firstOf(reader, reader.token, token);
		if (value !== undefined) entry[reader.name] = value;
	}
	const draft = entry as unknown as Draft<Entry>;
	readDetails(root, draft);
	if (pair !== undefined && pair !== root) readDetails(pair, draft);
	if (token !== undefined) readDetails(token, draft);
	return draft;
}

function firstOf(reader: Reader, spellings: readonly string[], place: WireObject): unknown {
	for (let i = 0; i < spellings.length; i++) {
		const wire = place[spellings[i]!];
		if (wire === undefined || wire === null || wire === '') continue;
		const value = convert(reader, wire);
		if (value !== undefined) return value;
	}
	return undefined;
}

function convert({kind, maxLength, isSigned}: Reader, wire: unknown): unknown {
	switch (kind) {
		case 'number':
		case 'integer': {
			const number = toNumber(wire);
			if (number === undefined) return undefined;
			// Fewer than no holders is a fault of the service: the figure is unknown.
			if (number < 0 && !isSigned) return number > -NOISE ? 0 : undefined;
			return kind === 'integer' ? Math.round(number) : number;
		}
		case 'date':
			return toDate(wire);
		case 'boolean':
			return toBoolean(wire);
		case 'text':
			return toText(wire, maxLength);
		case 'identifier':
			return toIdentifier(wire);
		case 'url':
			return toUrl(wire);
		case 'raw':
			return toRawAmount(wire);
	}
}

function assetReader(field: Field, aliases: FieldAliases): Reader {
	const extra = aliases[field.name] ?? [];
	return {
		...readerOf(field),
		root: unique([...extra, ...field.asset, field.name]),
		pair: [],
		token: unique([...extra, ...field.asset, ...field.token, field.name]),
	};
}

function poolReader(field: Field, aliases: FieldAliases, base: number): Reader {
	const extra = aliases[field.name] ?? [];
	const sided = [];
	if (field.name === 'ath' || field.name === 'atl') sided.push(`${field.name}Token${base}`);
	if (field.name === 'ath_date' || field.name === 'atl_date') sided.push(`${field.name.slice(0, 3)}DateToken${base}`);
	const elsewhere = [...field.asset, field.name].filter(spelling => !POOL_ROOT_MEANS_POOL.has(spelling));
	return {
		...readerOf(field),
		root: unique([...extra, ...field.pool, ...elsewhere]),
		pair: unique([...extra, ...sided, ...field.pair]),
		token: unique([...extra, ...field.token, ...field.asset]),
	};
}

function readerOf({name, kind}: Field): Pick<Reader, 'name' | 'kind' | 'maxLength' | 'isSigned'> {
	return {
		name,
		kind: kind === 'text' ? textKind(name) : plainKind(kind),
		maxLength: MAX_LENGTHS.get(name) ?? 128,
		isSigned: SIGNED.test(name),
	};
}

function textKind(name: FieldName): Kind {
	if (URLS.has(name)) return 'url';
	if (RAW.has(name)) return 'raw';
	return IDENTIFIERS.has(name) ? 'identifier' : 'text';
}

function plainKind(kind: Exclude<Field['kind'], 'text'>): Kind {
	return kind === 'usd' || kind === 'percent' ? 'number' : kind;
}

function unique(spellings: readonly string[]): readonly string[] {
	return [...new Set(spellings)];
}

/** The index of a pool's base token: as named by `baseToken`, else the other one than `quoteToken`, else the first present. */
function baseToken(pair: WireObject, wire: WireObject): 0 | 1 {
	const base = pair['baseToken'] ?? wire['baseToken'];
	const quote = pair['quoteToken'] ?? wire['quoteToken'];
	if (base === 'token1' || (base !== 'token0' && quote === 'token0')) return 1;
	return isObject(pair['token0']) ? 0 : 1;
}

/** `evm:8453`, `solana:solana` (spec 4.1); a bare number is that of an EVM chain. */
function chainOf(wire: WireObject | undefined): string | undefined {
	const given = wire?.['chainId'];
	if (EVM_NUMBER.test(String(given))) return `evm:${given}`;
	const chainId = toIdentifier(given);
	if (chainId !== undefined) return chainId;
	const blockchain = toIdentifier(wire?.['blockchain']);
	return blockchain?.includes(':') ? blockchain : undefined;
}
