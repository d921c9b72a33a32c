import type {MonitorState} from '../../monitor/state.ts';

/** Header and footer of the screen stay; a screen beside the columns has the rows between them. */
export function screenHeight({rows}: MonitorState['size']): number {
	return Math.max(rows - 2, 1);
}

/** Rows of a screen's list: its title, the names of its cells and the line at its end are not. */
export function listPage(size: MonitorState['size']): number {
	return Math.max(screenHeight(size) - 3, 1);
}

/** A line that was clicked. While the line is marked the list does not scroll: a second click hits the same line. */
export interface Clicked {
	readonly key: string;
	/** Index of the first line in sight then. */
	readonly top: number;
}

/** The lines scrolled after `by` more: 0 to `reach`. */
export function scrolledBy(scroll: number, by: number, reach = 0): number {
	return Math.min(Math.max(Math.min(scroll, reach) + by, 0), reach);
}

/** The marked line of a list, by key. */
export interface Marked {
	readonly cursor?: string | undefined;
	readonly clicked?: Clicked | undefined;
}

/** The marked key: the first line while none was chosen. */
export function markedKey({order, cursor}: Marked & {readonly order: readonly string[]}): string | undefined {
	return cursor !== undefined && order.includes(cursor) ? cursor : order[0];
}

/** Index of the first line in sight: the marked line stands near the middle, a clicked line where it was clicked. */
export function firstShown(keys: readonly string[], {cursor, clicked}: Marked, page: number): number {
	const top =
		clicked !== undefined && clicked.key === cursor
			? clicked.top
			: Math.max(keys.indexOf(cursor ?? ''), 0) - (page >> 1);
	return Math.max(Math.min(top, keys.length - page), 0);
}

/** The line that a click on the n-th line in sight marks, and whether that line was marked already. */
export function lineClicked(
	keys: readonly string[],
	marked: Marked,
	page: number,
	line: number,
): {readonly cursor: string; readonly clicked: Clicked; readonly isAgain: boolean} | undefined {
	const top = firstShown(keys, marked, page);
	const key = line >= 0 && line < page ? keys[top + line] : undefined;
	return key === undefined ? undefined : {cursor: key, clicked: {key, top}, isAgain: key === marked.cursor};
}

/** The key `by` lines further, inside the list. Without a marked line the first counts as marked, as it is drawn. */
export function keyAfter(keys: readonly string[], key: string | undefined, by: number): string | undefined {
	const at = Math.max(keys.indexOf(key ?? ''), 0);
	return keys[Math.min(Math.max(at + by, 0), keys.length - 1)];
}
