import type {MonitorState} from '../../monitor/state.ts';
import {type Clicked, keyAfter, lineClicked, listPage, type Marked, scrolledBy} from './list-lines.ts';
import type {Screen} from './screen.ts';

export interface MovesOptions {
	/** Keys of the lines of the list, in their order. */
	readonly keys: () => readonly string[];
	readonly marked: () => Marked;
	/** Marks a line; `clicked` where the mouse did it. */
	readonly mark: (cursor: string, clicked?: Clicked) => void;
	/** Opens the marked line. */
	readonly accept: () => void;
	readonly size: () => MonitorState['size'];
	/** The page of text that is shown in place of the list; without, there is only the list. */
	readonly page?: {
		readonly isShown: () => boolean;
		readonly reach: () => number;
		readonly scroll: (change: (scroll: number) => number) => void;
	};
}

/** The effects of the mouse and of the keys that move: they mark lines of the list, or scroll the page that is shown in its place. */
export function createMoves({
	keys,
	marked,
	mark,
	accept,
	size,
	page,
}: MovesOptions): Pick<Screen, 'move' | 'scroll' | 'page' | 'jump' | 'click'> {
	const shownPage = () => (page?.isShown() ? page : undefined);

	function step(by: number) {
		const shown = shownPage();
		if (shown) return shown.scroll(scroll => scrolledBy(scroll, by, shown.reach()));
		const next = keyAfter(keys(), marked().cursor, by);
		if (next !== undefined) mark(next);
	}

	return {
		move: step,
		scroll: step,
		page: by => step(by * Math.max(listPage(size()) - 1, 1)),
		jump(to) {
			const shown = shownPage();
			if (shown) return shown.scroll(() => (to === 'first' ? 0 : shown.reach()));
			const key = to === 'first' ? keys()[0] : keys().at(-1);
			if (key !== undefined) mark(key);
		},
		click(line) {
			const hit = shownPage() ? undefined : lineClicked(keys(), marked(), listPage(size()), line);
			if (hit?.isAgain) accept();
			else if (hit) mark(hit.cursor, hit.clicked);
		},
	};
}
