import type {ModeKind} from '../../monitor/mode.ts';
import type {MonitorState} from '../../monitor/state.ts';
import {capitalised} from '../../text.ts';

/** Where a binding stands in the help. */
export const GROUPS = [
	'Move',
	'Columns',
	'Token',
	'Money',
	'Screens',
	'View',
	'Commands',
	'Program',
	'Typing',
	'Menu',
] as const;
export type Group = (typeof GROUPS)[number];

/** How keys are taken in a mode. */
export interface ModeTraits {
	/** A line is typed, the `edit` of the mode: a key without a binding types its text, and a paste does. */
	readonly typesLine?: boolean;
	/** The window has lines of its own to type in. */
	readonly edit?: unknown;
	/** Tab and the arrow keys go to the other lines, and to the other values of a line. */
	readonly fields?: {readonly label?: string; readonly turn?: unknown};
	readonly complete?: unknown;
	/** Enter takes the typed line, Esc leaves it (`accept` and `cancel` of the mode). */
	readonly accept?: unknown;
	/** Enter opens what is marked, and Esc goes a step back, in a window that is no menu and where no line is typed. */
	readonly open?: unknown;
	readonly close?: unknown;
	/** A word for what Enter does, and for what Esc does. */
	readonly accepts?: string | ((state: MonitorState) => string);
	readonly cancels?: string;
	/** A digit belongs to the count before a key: `3j`. */
	readonly takesCount?: boolean;
	/** The window of the mode moves money: keys are fixed, every other key is text for the window, and the columns behind it are frozen. */
	readonly movesMoney?: boolean;
	/** The window of the mode covers the columns and handles the mouse itself. */
	readonly coversColumns?: boolean;
	/** The least size of screen that the mode can be shown on, cells; 20x6 if not given. */
	readonly minSize?: {readonly columns: number; readonly rows: number};
	/** The window of the mode is scrolled, and whether there is more of it than is in sight. */
	readonly scroll?: unknown;
	readonly canScroll?: (state: MonitorState, keys: BoundKeys) => boolean;
	/** The marked line can be removed, under this word, and copied. */
	readonly remove?: {readonly label: string; when(state: MonitorState): boolean};
	readonly copy?: {when?(state: MonitorState): boolean};
	/** `/` finds a word. */
	readonly search?: unknown;
	/** The mode lists lines to choose from. Letters are keys in it, unless it types a line. */
	readonly menu?: MenuTraits;
}

export interface MenuTraits {
	/** `/` leaves only the lines with the words that are typed. */
	readonly canNarrow?: boolean;
	/** Lines can be turned on and off, moved, and all be as they are by default. */
	readonly toggle?: unknown;
	readonly shift?: unknown;
	readonly reset?: unknown;
	/** Whether there is a line to mark, where that is not always so. */
	readonly isFilled?: (state: MonitorState) => boolean;
}

/** Whether the keys of lists move in a mode: it has a menu, or a window that scrolls. */
export function isList({menu, scroll}: ModeTraits): boolean {
	return menu !== undefined || scroll !== undefined;
}

/** The word of a mode for what Enter does; undefined where the mode has none. */
export function acceptLabel(state: MonitorState, {accepts}: ModeTraits): string | undefined {
	return typeof accepts === 'function' ? accepts(state) : accepts;
}

/** Money and wallet, files, what belongs to the operator of the host, the shell below the program. */
export type Need = 'money' | 'files' | 'operator' | 'shell';

/** The modes of a binding: by kind, or all with certain traits. */
export type Where = readonly ModeKind[] | ((traits: ModeTraits, kind: ModeKind) => boolean);

/**
 * One row a thing that can be done. Dispatch, the hints at the bottom, the help, the palette, docs/keys.md and read-only
 * mode all read the table of these rows, and no window compares keys.
 */
export interface BindingSpec<A> {
	/** Stable name, for rebinding and for the palette. */
	readonly id: string;
	/** Names as keys.ts gives them. */
	readonly keys: readonly string[];
	readonly modes: Where;
	readonly group: Group;
	/** One or two words for the hint line. */
	readonly label: string;
	/** Name in the palette, verb first; the label if not given. */
	readonly title?: string;
	/** One sentence for the help. */
	readonly help: string;
	/** Rank in the hint line, the lowest first; without one it is not hinted. */
	readonly hint?: number;
	/** Whether the action does something in this state: the hint is shown only then; always, if not given. */
	readonly hintWhen?: (state: MonitorState, traits: ModeTraits, keys: BoundKeys) => boolean;
	/** The label for the hint line in this state, in place of `label`. */
	readonly labelNow?: (state: MonitorState, traits: ModeTraits) => string | undefined;
	/** The action could move money or change something at the service: read-only mode leaves it out. */
	readonly danger?: boolean;
	/** The part of the host that the action works with: a viewer over SSH has none. */
	readonly needs?: Need;
	/** The key does nothing in a paste, not even from a terminal that puts no marks around one. */
	readonly needsTyping?: true;
	/** Why the action can't be run now; undefined when it can. */
	readonly disabled?: (state: MonitorState) => string | undefined;
	/** Where an action of the mode itself (`toOwn`), or any other one (`toAll`), has one of the keys, the key is that action's. */
	readonly yields?: 'toOwn' | 'toAll';
	/** The keys as one text, for a range: `1-9`. */
	readonly written?: string;
	/** The action leaves its modes: it may have other keys, but needs at least one. */
	readonly isExit?: boolean;
	/** @param actions of the feature @param key the pressed key, where the keys of the binding differ; empty from the palette */
	run(actions: A, count: number, key: string): void;
}

/** A row of the joined table, with its modes one by one and the feature that has its actions. */
export interface Binding extends BindingSpec<unknown> {
	readonly feature: string;
	readonly modes: readonly ModeKind[];
	/** The key is that of a line in a window of actions. */
	readonly isLine?: true;
}

/** The name of an action in lists: its title, else its label with a capital letter. */
export function actionName({title, label}: Pick<Binding, 'title' | 'label'>): string {
	return title ?? capitalised(label);
}

/** A part of the help: the keys of one place. */
export interface HelpSection {
	readonly id: string;
	readonly title: string;
	/** Lines after the keys: a name and what it is. */
	readonly notes: readonly (readonly [string, string])[];
	/** The keys by topic; only those of the columns have several. */
	readonly topics: readonly {readonly name?: string; readonly bindings: readonly Binding[]}[];
}

/** The keys that are in force: the table with the keys of the configuration. */
export interface BoundKeys {
	readonly bindings: readonly Binding[];
	/** The binding of a key in a mode. */
	find(mode: ModeKind, key: string): Binding | undefined;
	/** The bindings that are hinted at in a mode, by rank; those without a key are left out. */
	hinted(mode: ModeKind): readonly Binding[];
	/** The first key of an action, as people write it, in a mode where it has others there; undefined when it has none. */
	keyOf(id: string, ascii?: boolean, mode?: ModeKind): string | undefined;
	/** Whether an action can be reached in a mode, by a key or by the palette that opens from it. */
	worksIn(id: string, mode: ModeKind): boolean;
	/** All keys by the place where they are pressed, in the order of the help. */
	sections(): readonly HelpSection[];
}

/** The columns, with or without the detail pane: where most features open. */
export const BROWSE: readonly ModeKind[] = ['list', 'detail'];
