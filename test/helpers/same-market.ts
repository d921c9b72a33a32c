import type {Entry} from './follower.ts';
import type {Truth} from './world/truth.ts';

/** Sums of the same numbers in another order differ by no more than this part of them. */
const ROUNDING = 1e-9;

/** Windows of figures, and how exactly their edge is known: a window ends inside a bucket of that many seconds. */
const WINDOWS = {
	'1min': [60, 10],
	'5min': [300, 30],
	'15min': [900, 120],
	'1h': [3600, 600],
	'4h': [14_400, 1800],
	'6h': [21_600, 1800],
	'12h': [43_200, 1800],
	'24h': [86_400, 1800],
} as const;

/**
 * Windows that have a trade at their edge: whether it is counted depends on which times were bucketed together, so that they
 * cannot be compared.
 */
export function unclearWindows(truths: readonly Truth[], nowMs: number): ReadonlySet<string> {
	const ages = truths.flatMap(({trades}) => trades.map(({timeMs}) => (nowMs - timeMs) / 1000));
	const isUnclear = ([lengthS, edgeS]: readonly [number, number]) =>
		ages.some(age => Math.abs(age - lengthS) <= edgeS + 2);
	return new Set(Object.entries(WINDOWS).flatMap(([name, window]) => (isUnclear(window) ? [name] : [])));
}

/** The window that a field is about. */
function windowOf(field: string): string | undefined {
	return /(?<!\d)(1min|5min|15min|1h|4h|6h|12h|24h)(?![a-z0-9])/.exec(field)?.[0];
}

/**
 * Where two markets differ, as `TOKEN field: one, other`; nothing when they are the same. Sums may differ by what rounding makes of
 * another order, everything else not at all.
 */
export function differences(
	one: ReadonlyMap<string, Entry>,
	other: ReadonlyMap<string, Entry>,
	unclear: ReadonlySet<string> = new Set(),
): string[] {
	const keys = [...new Set([...one.keys(), ...other.keys()])].sort();
	return keys.flatMap(key => {
		const [a, b] = [one.get(key), other.get(key)];
		if (!a || !b) return [`${key} is only in the ${a ? 'first' : 'second'}`];
		const isClear = ([field]: [string, unknown]) => !unclear.has(windowOf(field) ?? '');
		const clear = (entry: Entry) => Object.fromEntries(Object.entries(entry).filter(isClear));
		return compared(clear(a), clear(b), key);
	});
}

function compared(a: unknown, b: unknown, path: string): string[] {
	if (typeof a === 'number' && typeof b === 'number' && isNear(a, b)) return [];
	if (isObject(a) && isObject(b)) {
		const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
		return keys.flatMap(key => compared(a[key], b[key], `${path} ${key}`));
	}
	return Object.is(a, b) ? [] : [`${path}: ${JSON.stringify(a)}, ${JSON.stringify(b)}`];
}

function isNear(a: number, b: number): boolean {
	return Math.abs(a - b) <= ROUNDING * Math.max(Math.abs(a), Math.abs(b), 1);
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
