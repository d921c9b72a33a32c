import type {DataEvent} from '../../client/feed/feed-buffer.ts';
import type {Entry} from '../../contract/entry.ts';
import type {Explanation} from '../../errors.ts';
import type {MonitorState} from '../state.ts';
import {type Board, type Clicked, keyAfter, lineClicked, listPage} from './board.ts';

/** A list of tokens beside the columns. */
export interface TokenList<Sort extends string> {
	/** What was last heard of each, by key. */
	readonly rows: ReadonlyMap<string, Entry>;
	/** Keys as they are shown. It changes when tokens come or go and when the sort is changed, not with every figure. */
	readonly order: readonly string[];
	readonly sort: Sort;
	readonly isReversed: boolean;
	readonly cursor?: string;
	readonly clicked?: Clicked;
	/** When the service was last heard of, local Unix ms; undefined before its first answer. */
	readonly atMs?: number;
	readonly problem?: Explanation;
}

/** The service reported all tokens of the list, or changes. It is sorted again when tokens came or went. */
export function tokensArrived<List extends TokenList<string>>(
	list: List,
	event: DataEvent,
	sorted: (list: List) => List,
): List {
	const isWhole = event.type === 'snapshot';
	const rows = new Map(isWhole ? [] : list.rows);
	for (const key of isWhole ? [] : event.removed) rows.delete(key);
	for (const entry of isWhole ? event.entries : event.upserts) rows.set(entry.key, entry);
	const isSame = rows.size === list.rows.size && rows.keys().every(key => list.rows.has(key));
	const next = {...list, rows, atMs: event.atMs};
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

/** The marked key: the first line while none was chosen. */
export function markedKey({order, cursor}: Pick<TokenList<string>, 'order' | 'cursor'>): string | undefined {
	return cursor !== undefined && order.includes(cursor) ? cursor : order[0];
}

/** What all lists of tokens do with the keys that move the mark. */
export function listMoves({
	list,
	mark,
	size,
	accept,
}: {
	readonly list: () => TokenList<string>;
	readonly mark: (cursor: string, clicked?: Clicked) => void;
	readonly size: () => MonitorState['size'];
	readonly accept: () => void;
}): Pick<Board, 'move' | 'scroll' | 'page' | 'jump' | 'click'> {
	const step = (by: number): void => {
		const {order, cursor} = list();
		const next = keyAfter(order, cursor, by);
		if (next !== undefined) mark(next);
	};
	return {
		move: step,
		scroll: step,
		page: by => step(by * Math.max(listPage(size()) - 1, 1)),
		jump: to => {
			const {order} = list();
			const key = to === 'first' ? order[0] : order.at(-1);
			if (key !== undefined) mark(key);
		},
		click: line => {
			const hit = lineClicked(list().order, list(), listPage(size()), line);
			if (!hit) return;
			if (hit.isAgain) accept();
			else mark(hit.cursor, hit.clicked);
		},
	};
}

/** No trade for this long, and a token counts as dead, ms. */
const DEAD_MS = 3_600_000;

/** Whether nobody trades a token any more; undefined when its last trade is not reported. @param nowMs the service's time */
export function isDead({latest_trade_date: tradedAtMs}: Entry, nowMs: number): boolean | undefined {
	return tradedAtMs === undefined ? undefined : nowMs - tradedAtMs >= DEAD_MS;
}
