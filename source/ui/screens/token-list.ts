import type {DataEvent} from '../../client/feed/feed-buffer.ts';
import type {Entry} from '../../contract/entry.ts';
import type {Explanation} from '../../errors.ts';
import type {Clicked} from './list-lines.ts';

/** A list of tokens beside the columns. */
export interface TokenList<Sort extends string> {
	/** The newest entry of each token, by key. */
	readonly rows: ReadonlyMap<string, Entry>;
	/** Keys as they are shown. It changes when tokens come or go and when the sort is changed, not with every figure. */
	readonly order: readonly string[];
	readonly sort: Sort;
	readonly isReversed: boolean;
	readonly cursor?: string | undefined;
	readonly clicked?: Clicked | undefined;
	/** When the service last reported anything, local Unix ms; undefined before its first answer. */
	readonly atMs?: number;
	readonly problem?: Explanation | undefined;
	/** The service does not filter: these are what its rows have of the tokens, and there may be more. */
	readonly isLocal?: boolean;
}

/** The service reported all tokens of the list, or changes. It is sorted again when tokens came or went. */
export function tokensArrived<List extends TokenList<string>>(
	list: List,
	event: DataEvent,
	sorted: (list: List) => List,
	isLocal = false,
): List {
	const isWhole = event.type === 'snapshot';
	const rows = new Map(isWhole ? [] : list.rows);
	for (const key of isWhole ? [] : event.removed) rows.delete(key);
	for (const entry of isWhole ? event.entries : event.upserts) rows.set(entry.key, entry);
	const isSame =
		isLocal === list.isLocal && rows.size === list.rows.size && rows.keys().every(key => list.rows.has(key));
	const next = {...list, rows, atMs: event.atMs, problem: undefined, isLocal};
	return isSame ? next : sorted(next);
}

/** The figure of a token that a list is sorted by; undefined where it is not known, which goes last. */
export type Rank = (key: string, entry: Entry | undefined) => number | string | undefined;

/** Keys in the order of a figure, the largest first; equal ones and unknown ones stay in the order given. */
export function ranked(keys: readonly string[], list: Pick<TokenList<string>, 'rows' | 'isReversed'>, rank: Rank) {
	const sign = list.isReversed ? -1 : 1;
	const ranks = new Map(keys.map(key => [key, rank(key, list.rows.get(key))]));
	return keys.toSorted((a, b) => {
		const [x, y] = [ranks.get(a), ranks.get(b)];
		if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
		return x === y ? 0 : sign * (x > y ? -1 : 1);
	});
}

/** No trade for this long, and a token counts as dead, ms. */
const DEAD_MS = 3_600_000;

/** Whether a token is no longer traded; undefined when its last trade is not reported. @param nowMs the service's time */
export function isDead({latest_trade_date: tradedAtMs}: Entry, nowMs: number): boolean | undefined {
	return tradedAtMs === undefined ? undefined : nowMs - tradedAtMs >= DEAD_MS;
}
