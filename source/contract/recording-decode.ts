import {type Entry, type EntryDetails, entryKey, HOLDER_FIGURES, type Holder} from './entry.ts';
import {FIELDS, type FieldKind} from './fields.ts';
import {
	BadLine,
	isObject,
	LAST_DATE,
	type LineObject,
	MAX_TOKENS,
	parseLine,
	type RecordedEvent,
	timeOf,
} from './recording.ts';
import {SECURITY_FLAGS} from './security-flags.ts';

/**
 * Turns the lines of a recording after its first one into events (see recording.ts). A recording may come from
 * anywhere.
 */
export interface RecordingDecoder {
	/**
	 * The event of a line, with complete tokens; undefined for a kind of line that this version does not know.
	 * @throws BadLine when the line is not valid; none of it was applied
	 */
	event(line: string): RecordedEvent | undefined;
}

const KINDS: ReadonlyMap<string, FieldKind> = new Map(FIELDS.map(({name, kind}) => [name, kind]));
/** The limits of client/wire/normalise.ts: a recording has nothing larger. */
const MAX_TEXT = 2048;
const MAX_LIST = 100;
const MAX_SOCIALS = 20;
const IDENTIFIER = /^[!-{}~]{1,200}$/;

/** @param views their names, from the header */
export function createRecordingDecoder(views: Iterable<string>): RecordingDecoder {
	const known = new Map([...views].map(name => [name, new Map<string, Entry>()]));
	let lastMs = 0;

	function read(wire: LineObject, atMs: number): RecordedEvent | undefined {
		const {type, view} = wire;
		if (type === 'end') return {type, atMs};
		if (type !== 'snapshot' && type !== 'change') return undefined;
		const tokens = typeof view === 'string' ? known.get(view) : undefined;
		if (tokens === undefined || typeof view !== 'string') throw new BadLine('its view is not one of the recording');
		if (type === 'snapshot') {
			const all = listOf(wire['tokens'], MAX_TOKENS).map(token => readToken(token, undefined));
			tokens.clear();
			for (const token of all) tokens.set(token.key, token);
			return {type, view, atMs, tokens: [...tokens.values()]};
		}
		const upserts = listOf(wire['upserts'], MAX_TOKENS).map(token => {
			const key = isObject(token) ? token['key'] : undefined;
			return readToken(token, typeof key === 'string' ? tokens.get(key) : undefined);
		});
		const removed = listOf(wire['removed'], MAX_TOKENS).filter(key => typeof key === 'string');
		const newcomers = new Set(upserts.map(({key}) => key)).difference(tokens);
		if (tokens.size + newcomers.size > MAX_TOKENS) throw new BadLine('its view has too many tokens');
		for (const token of upserts) tokens.set(token.key, token);
		for (const key of removed) tokens.delete(key);
		return {type, view, atMs, upserts, removed};
	}

	return {
		event(line) {
			const wire = parseLine(line);
			const atMs = timeOf(wire);
			if (atMs < lastMs) throw new BadLine('its time is before that of the line above it');
			const event = read(wire, atMs);
			lastMs = atMs;
			return event;
		},
	};
}

/** @throws BadLine */
function listOf(value: unknown, most: number): readonly unknown[] {
	if (!Array.isArray(value)) throw new BadLine('a list is missing');
	if (value.length > most) throw new BadLine('a list is too long');
	return value;
}

/** A token: complete, or its changes since the known one. @throws BadLine */
function readToken(wire: unknown, before: Entry | undefined): Entry {
	if (!isObject(wire)) throw new BadLine('a token is no object');
	const address = before?.address ?? wire['address'];
	const chainId = before?.chain_id ?? wire['chain_id'];
	if (!isIdentifier(address) || !isIdentifier(chainId)) throw new BadLine('a token has no address or no chain');
	// Without a prototype: `__proto__` is a name like any other then.
	const entry: Record<string, unknown> = Object.assign(Object.create(null), before);
	entry['key'] = entryKey(chainId, address);
	entry['chain_id'] = chainId;
	entry['address'] = address;
	for (const [name, value] of Object.entries(wire)) {
		if (name === 'key' || name === 'chain_id' || name === 'address') continue;
		const read = Object.hasOwn(DETAILS, name) ? DETAILS[name as keyof EntryDetails] : fieldReader(name);
		if (read === undefined) continue;
		const good = value === null ? undefined : read(value);
		if (good !== undefined) entry[name] = good;
		else if (value === null) delete entry[name];
		else throw new BadLine(`${name} is not what it should be`);
	}
	return entry as unknown as Entry;
}

function isIdentifier(value: unknown): value is string {
	return typeof value === 'string' && IDENTIFIER.test(value);
}

type Reader = (value: unknown) => unknown;

function fieldReader(name: string): Reader | undefined {
	const kind = KINDS.get(name);
	if (kind === undefined) return undefined;
	return kind === 'text' ? text : kind === 'boolean' ? boolean : kind === 'date' ? date : number;
}

const number: Reader = value => (typeof value === 'number' && Number.isFinite(value) ? value : undefined);
const date: Reader = value => (typeof value === 'number' && value > 0 && value <= LAST_DATE ? value : undefined);
const boolean: Reader = value => (typeof value === 'boolean' ? value : undefined);
const text: Reader = value => (typeof value === 'string' && value.length <= MAX_TEXT ? value : undefined);

/** The parts of a token that are no single field; undefined where a part has another form. */
const DETAILS: {readonly [name in keyof EntryDetails]-?: (value: unknown) => EntryDetails[name] | undefined} = {
	exchange: value => textsOf(value, ['name', 'logo']),
	priceIsAverage: value => (value === true ? value : undefined),
	otherSocials: value => textsOf(value, isObject(value) ? Object.keys(value).slice(0, MAX_SOCIALS) : []),
	security: value => {
		if (!isObject(value)) return undefined;
		const read = SECURITY_FLAGS.map(({name, kind}) => [name, {text, number, boolean}[kind](value[name])] as const);
		return Object.fromEntries(read.filter(([, flag]) => flag !== undefined));
	},
	twitterRenames: value => {
		const renames = listed(value)?.map(item => textsOf(item, ['username', 'lastChecked']));
		return renames?.every(rename => rename?.['username'] !== undefined && rename['lastChecked'] !== undefined)
			? (renames as unknown as EntryDetails['twitterRenames'])
			: undefined;
	},
	holders: value => {
		const holders = listed(value)?.map(readHolder);
		return holders?.every(holder => holder !== undefined) ? holders : undefined;
	},
};

function readHolder(value: unknown): Holder | undefined {
	if (!isObject(value) || !isIdentifier(value['address'])) return undefined;
	const known = HOLDER_FIGURES.filter(name => value[name] !== undefined);
	const figures = known.map(name => [name, number(value[name])] as const);
	const tags = listed(value['tags']);
	if (figures.some(([, figure]) => figure === undefined) || !tags?.every(tag => text(tag) !== undefined))
		return undefined;
	return {...Object.fromEntries(figures), address: value['address'], tags} as unknown as Holder;
}

function listed(value: unknown): readonly unknown[] | undefined {
	return Array.isArray(value) && value.length <= MAX_LIST ? value : undefined;
}

function textsOf(value: unknown, names: readonly string[]): Record<string, string> | undefined {
	if (!isObject(value)) return undefined;
	const texts = names.map(name => [name, text(value[name])] as const);
	return Object.fromEntries(texts.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
