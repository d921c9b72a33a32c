import type {Value} from '../../../source/contract/filter-test.ts';

/**
 * A second, naive reading of the filter language (contract gaps 3.4), written from its description and sharing nothing
 * with the product: it walks the raw request object for each row. Only well-formed filters over the fields of `KINDS`.
 */
export type RawRow = Record<string, Value>;

const KINDS = {
	market_cap: 'number',
	volume_1h: 'number',
	created_at: 'date',
	bonded: 'boolean',
	symbol: 'text',
	deployer: 'address',
	type: 'pool type',
} as const;

export function oracle(filter: Record<string, unknown>, row: RawRow, nowMs: number): boolean {
	for (const [key, value] of Object.entries(filter)) {
		if (!member(key, value, row, nowMs)) return false;
	}
	return true;
}

function list(value: unknown): Record<string, unknown>[] {
	return (Array.isArray(value) ? value : [value]) as Record<string, unknown>[];
}

function member(key: string, value: unknown, row: RawRow, nowMs: number): boolean {
	if (key === 'AND') return list(value).filter(f => !oracle(f, row, nowMs)).length === 0;
	if (key === 'OR') return list(value).filter(f => oracle(f, row, nowMs)).length > 0;
	if (key === 'NOT') return list(value).filter(f => oracle(f, row, nowMs)).length === 0;
	if (key === 'includeKeywords') return (value as string[]).length === 0 || hasWord(value as string[], row);
	if (key === 'excludeKeywords') return !hasWord(value as string[], row);
	if (key === 'created_at_offset') {
		const made = row['created_at'];
		return condition('number', typeof made === 'number' ? (nowMs - made) / 1000 : null, value);
	}
	return condition(KINDS[key as keyof typeof KINDS], row[key] ?? null, value);
}

function hasWord(words: string[], row: RawRow): boolean {
	const texts = [row['name'], row['symbol'], row['description']].filter(t => typeof t === 'string');
	return texts.some(t => words.some(w => t.toUpperCase().includes(w.toUpperCase())));
}

/** True, false, or undefined for "the value is unknown, so the comparison cannot hold whichever way it is put". */
function condition(kind: string, value: Value, wanted: unknown): boolean {
	return conditionOrUnknown(kind, value ?? null, wanted) === true;
}

function conditionOrUnknown(kind: string, value: Value, wanted: unknown): boolean | undefined {
	if (typeof wanted !== 'object' || wanted === null) return compare(kind, value, 'equals', wanted, false);
	const {mode, ...ops} = wanted as Record<string, unknown>;
	let all: boolean | undefined = true;
	for (const [op, argument] of Object.entries(ops)) {
		const holds =
			op === 'not' && typeof argument === 'object' && argument !== null
				? negate(conditionOrUnknown(kind, value, {...(mode === undefined ? {} : {mode}), ...argument}))
				: compare(kind, value, op, argument, mode === 'insensitive');
		if (holds === false) all = false;
		else if (holds === undefined && all === true) all = undefined;
	}
	return all;
}

function negate(holds: boolean | undefined): boolean | undefined {
	return holds === undefined ? undefined : !holds;
}

function compare(kind: string, value: Value, op: string, wanted: unknown, insensitive: boolean): boolean | undefined {
	if (op === 'isNull') return (value === null) === wanted;
	if (op === 'isNotNull') return (value !== null) === wanted;
	if (wanted === null) return op === 'equals' ? value === null : value !== null;
	if (value === null) return undefined;
	const isLower = insensitive || kind === 'pool type' || (kind === 'address' && String(value).startsWith('0x'));
	const plain = (v: unknown): unknown => {
		if (typeof v !== 'string' || kind === 'number') return v;
		if (kind === 'date') return new Date(v).getTime();
		return isLower ? v.toLowerCase() : v;
	};
	const [a, b] = [plain(value), plain(wanted)] as [never, never];
	switch (op) {
		case 'equals':
			return a === b;
		case 'not':
			return a !== b;
		case 'gt':
			return a > b;
		case 'gte':
			return a >= b;
		case 'lt':
			return a < b;
		case 'lte':
			return a <= b;
		case 'in':
			return (wanted as unknown[]).some(w => plain(w) === a);
		case 'notIn':
			return !(wanted as unknown[]).some(w => plain(w) === a);
		case 'contains':
			// ''.split('') has no parts at all, though each text contains the empty one.
			return b === '' || String(a).split(b).length > 1;
		case 'startsWith':
			return String(a).slice(0, String(b).length) === b;
		default:
			return String(a).slice(String(a).length - String(b).length) === b && String(b).length <= String(a).length;
	}
}
