import type {Client} from '../../client/client.ts';
import type {Entry} from '../../contract/entry.ts';
import {PulsetopError} from '../../errors.ts';
import type {Store} from '../../store.ts';
import type {MonitorState, Notice} from '../state.ts';
import type {TextEdit} from '../transitions/text-edit.ts';

/** Screens beside the columns: each covers them, with lists and keys of its own. The feed goes on below. */
export const BOARDS = ['markets', 'webhooks', 'labels', 'watchlist', 'developer'] as const;
export type BoardKind = (typeof BOARDS)[number];

declare module '../mode.ts' {
	interface Modes {
		readonly markets: object;
		readonly webhooks: object;
		readonly labels: object;
		readonly watchlist: object;
		readonly developer: object;
		/** A line of a board is being typed. */
		readonly boardInput: {readonly board: BoardKind; readonly field: string; readonly edit: TextEdit};
	}
}

/** Letters that mean something else on each board. */
export type BoardVerb =
	| 'search'
	| 'watch'
	| 'status'
	| 'create'
	| 'edit'
	| 'remove'
	| 'redeliver'
	| 'type'
	| 'clear'
	| 'relate'
	| 'copy'
	| 'sort'
	| 'reverse'
	| 'unpin'
	| 'hide';

/** What the keys do on a board. */
export interface Board {
	/** It is in sight from now on. */
	open(): void;
	/** It is out of sight: what it asked for is not waited for any more. */
	close(): void;
	move(by: number): void;
	/** The wheel: as `move`, but it never touches the answer of a question. */
	scroll(by: number): void;
	/** A click on a line of the list, counted from the first in sight; one on the marked line opens it. Elsewhere nothing. */
	click(line: number): void;
	/** By pages. */
	page(by: 1 | -1): void;
	jump(to: 'first' | 'last'): void;
	/** Enter. */
	accept(): void;
	/** Esc: one step back. False when there is none, and the board should close. */
	back(): boolean;
	/** Tab: the next list, or the next answer. */
	turn(by: 1 | -1): void;
	refresh(): void;
	run(verb: BoardVerb): void;
	/** Enter in a line. The board closes the line when it took it. */
	acceptInput(field: string, text: string): void;
	/** Tab in a line. */
	turnInput(field: string, text: string, by: 1 | -1): void;
	/** Esc in a line: it is closed already. */
	cancelInput(): void;
	paste(text: string): void;
}

/** The line that is typed for a board, at the top of the mode stack. */
export interface BoardInput {
	/** Opens it, or goes on to another field. @param cursor where in the text; at its end without */
	open(field: string, text: string, cursor?: number): void;
	close(): void;
}

/** What a board works with. */
export interface BoardContext {
	readonly monitor: Store<MonitorState>;
	/** Undefined until the service is there. */
	readonly client: () => Client | undefined;
	/** Whose webhooks are meant; undefined where none is configured. */
	readonly apiKey: () => string | undefined;
	readonly input: BoardInput;
	/** @param hint what can be done about it, actions in braces */
	readonly tell: (text: string, tone?: Notice['tone'], hint?: string) => void;
	readonly copy: (text: string, name: string) => void;
	/** Opens the detail pane on a token; its way out leads back to the board. */
	readonly openToken: (entry: Entry) => void;
	/** Keeps pins, hides and watched markets for the next run. */
	readonly save: () => void;
	readonly nowMs: () => number;
}

/** The service that a board would ask is still starting. */
export class ServiceNotThere extends PulsetopError {
	readonly code = 'service-not-there';

	constructor() {
		super('The service is not there yet', {
			why: 'it is still starting, or it could not be started',
			next: 'retry-later',
		});
	}
}

/** The client of a board that is about to make a request. @throws ServiceNotThere */
export function clientOf({client}: Pick<BoardContext, 'client'>): Client {
	const opened = client();
	if (!opened) throw new ServiceNotThere();
	return opened;
}

/** Header and footer of the screen stay; a board has the rows between them. */
export function boardHeight({rows}: MonitorState['size']): number {
	return Math.max(rows - 2, 1);
}

/** Rows of a board's list: its title, the names of its cells and the line at its end are not. */
export function listPage(size: MonitorState['size']): number {
	return Math.max(boardHeight(size) - 3, 1);
}

/** A line that was clicked: while it is the marked one the list stays as it was, so that a second click meets it again. */
export interface Clicked {
	readonly key: string;
	/** Index of the first line in sight then. */
	readonly top: number;
}

/** Lines scrolled after so many more or fewer: never beyond what there is to see, so that the way back is not longer. */
export function scrolledBy(scroll: number, by: number, reach = 0): number {
	return Math.min(Math.max(Math.min(scroll, reach) + by, 0), reach);
}

/** What a list marks, by key. */
export interface Marked {
	readonly cursor?: string | undefined;
	readonly clicked?: Clicked | undefined;
}

/** Index of the first line in sight: the marked one is near the middle, or where it was when it was clicked. */
export function firstShown(keys: readonly string[], {cursor, clicked}: Marked, page: number): number {
	const wanted =
		clicked !== undefined && clicked.key === cursor
			? clicked.top
			: Math.max(keys.indexOf(cursor ?? ''), 0) - (page >> 1);
	return Math.max(Math.min(wanted, keys.length - page), 0);
}

/** What a click on the n-th line in sight marks, and whether that was marked already. */
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

/** The key so many lines further, inside the list. Where none is marked, the first counts as marked: it is drawn so. */
export function keyAfter(keys: readonly string[], key: string | undefined, by: number): string | undefined {
	const at = Math.max(keys.indexOf(key ?? ''), 0);
	return keys[Math.min(Math.max(at + by, 0), keys.length - 1)];
}
