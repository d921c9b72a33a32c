import type {MonitorActions} from '../monitor/actions.ts';
import type {Mode, ModeKind, ModeOf} from '../monitor/mode.ts';
import type {KeyHints, MonitorState} from '../monitor/state.ts';
import type {TextEdit} from '../monitor/transitions/text-edit.ts';
import type {Store} from '../store.ts';
import type {Glyphs} from './glyphs.ts';
import type {BindingSpec, BoundKeys, MenuTraits, ModeTraits} from './keymap/binding.ts';
import type {Layout} from './layout.ts';
import type {MoneyActions} from './money/money-actions.ts';
import type {ScreenActions} from './screens/screen-actions.ts';
import type {Theme} from './theme.ts';

/**
 * One thing that the screen can do, in one folder of `features/`: its modes, its keys, what they do, and what its windows
 * show. `features.ts` lists all of them; the table of keys, the hints, the help, the palette, the menus and the windows
 * are made of that list.
 */
export interface Feature<A = unknown> {
	/** The actions of the feature are `actions.NAME`. */
	readonly name: string;
	/** Makes the actions of the feature. Called once, before the first key. */
	actions(context: Context): A;
	readonly modes?: {readonly [K in ModeKind]?: ModeSpec<ModeOf<K>, A>};
	/** Sections of the help, by their ids. */
	readonly help?: Readonly<Record<string, SectionSpec>>;
	/** The rows of the feature in the table of keys. */
	readonly bindings?: readonly BindingSpec<A>[];
	/** Commands that are typed with arguments in the palette. */
	readonly commands?: readonly TextCommand<A>[];
	/** Text pasted where nothing is typed. @returns whether the feature took the text */
	paste?(text: string, actions: A): boolean;
}

/** Checks a feature, and keeps its name and the type of its actions. */
export function feature<const N extends string, A>(
	spec: Feature<A> & {readonly name: N},
): Feature<A> & {readonly name: N} {
	return spec;
}

/** A section of the help. */
export interface SectionSpec {
	/** The title can name the key that leads there: `ALERTS ({alerts.open})`. */
	readonly title: string;
	/** Place among the sections, the lowest first. */
	readonly rank: number;
	/** The keys of several modes that are the same in them: they stand in this section once. */
	readonly shared?: (traits: ModeTraits) => boolean;
	/** Lines after the keys: a name and what it is. */
	readonly notes?: readonly (readonly [string, string])[];
}

/** How far a window is scrolled: by lines, by pages, or to an end. */
export interface ScrollStep {
	readonly lines?: number;
	readonly pages?: number;
	readonly to?: 'first' | 'last';
}

/** A mode of the keyboard. */
export interface ModeSpec<M = Mode, A = unknown> extends ModeTraits {
	/** The section of the help with its keys: `?` opens the help there. */
	readonly help: string;
	readonly menu?: MenuSpec<M, A>;
	/** The window of the mode: `own` has a component in windows.tsx, `money` and `screen` are shared by features. */
	readonly window?: 'own' | 'money' | 'screen';
	/** Lines above the hints, of the component in footer/prompts.tsx: the typed text, or a choice that is open. */
	readonly promptRows?: 1 | 2;
	/** Enter in a prompt. */
	accept?(mode: M, actions: A): void;
	/** Esc in a prompt; without it the line closes. */
	cancel?(mode: M, actions: A): void;
	/** Enter where no line is typed: opens what is marked. */
	open?(actions: A): void;
	/** Esc where no line is typed: a step back. */
	close?(actions: A): void;
	/** The marked line is removed, or copied; `when` says whether the hint is shown; always without it. */
	readonly remove?: {readonly label: string; when(state: MonitorState): boolean; run(actions: A): void};
	readonly copy?: {when?(state: MonitorState): boolean; run(actions: A): void};
	search?(actions: A): void;
	/** Changes the line that is typed in a window with lines of its own. */
	edit?(change: (edit: TextEdit) => TextEdit, actions: A): void;
	readonly fields?: {
		/** A word for what Tab and the arrow keys go to; `next` if not given. */
		readonly label?: string;
		/** Tab and the arrow keys: the next line, or the one before. @param key the pressed key */
		move(by: 1 | -1, actions: A, key: string): void;
		/** Left and right: another value of the line. */
		turn?(by: 1 | -1, actions: A): void;
	};
	/** Tab completes the word that is typed. */
	complete?(actions: A): void;
	/** Called when the typed line has changed. */
	typed?(mode: M, actions: A): void;
	/** Takes a paste. @returns whether the mode took it; else a typed line takes it */
	paste?(text: string, mode: M, actions: A): boolean;
	/** Text of a key without a binding, where no line of the mode is typed. */
	text?(text: string, actions: A): void;
	mouse?(event: MouseEvent, actions: A): void;
	/** Keys and wheel scroll the window. */
	scroll?(step: ScrollStep, actions: A): void;
	/** The hints of the present state; undefined for those of the table of keys. */
	hints?(mode: M, state: MonitorState, actions: A): KeyHints | undefined;
}

export interface MouseEvent {
	readonly kind: 'mouse';
	readonly action: 'press' | 'wheelUp' | 'wheelDown';
	/** Cells from the upper left corner, from 0. */
	readonly x: number;
	readonly y: number;
}

/** The canvas of a window: size, theme, glyphs and keys. */
export interface WindowCanvas {
	readonly screen: {readonly columns: number; readonly rows: number};
	readonly theme: Theme;
	readonly glyphs: Glyphs;
	/** The keys in force. */
	readonly keys: BoundKeys;
}

/** A list to choose from. */
export interface MenuSpec<M, A> extends MenuTraits {
	/** VIEW is the focused column; names of actions in braces are their keys. */
	readonly title: string;
	/** Cells at most; 64 if not given. */
	readonly width?: number;
	items(mode: M, context: MenuContext): readonly MenuItem[];
	/** The further source of the lines, beside the mode: a new value makes the lines again. */
	readonly source?: (state: MonitorState) => unknown;
	/** The message under the typed line: an error, or a hint at the next words. */
	message?(mode: M, context: MenuContext, marked: MenuItem | undefined): MenuMessage | undefined;
	/** The text of an empty list. */
	readonly empty?: string;
	/** Enter on a line that is not disabled. It closes the menu itself. */
	accept?(item: MenuItem, mode: M, actions: A): void;
	/** Esc; without it the menu closes. */
	cancel?(mode: M, actions: A): void;
	/** The marked line is turned on or off, or moved to another place; all lines are as they are by default. */
	toggle?(actions: A): void;
	shift?(by: 1 | -1, actions: A): void;
	reset?(actions: A): void;
	/** Another line was marked. */
	marked?(item: MenuItem, actions: A): void;
}

/** The data that the lines of a menu are made from. */
export interface MenuContext {
	readonly state: MonitorState;
	readonly keys: BoundKeys;
	readonly commands: readonly JoinedCommand[];
	readonly isAscii: boolean;
	/** The lines of any menu. */
	readonly itemsOf: (mode: Mode) => readonly MenuItem[];
}

/** One line of a menu. */
export interface MenuItem {
	readonly id: string;
	readonly label: string;
	/** At the right, dim. */
	readonly note: string;
	readonly isCurrent?: boolean;
	/** Why it can't be chosen. */
	readonly disabled?: string;
	/** The line of the palette that this item stands for, and whether that line is complete. */
	readonly line?: string;
	readonly isReady?: boolean;
	/** One sentence, shown for the marked line. */
	readonly help?: string;
}

export interface MenuMessage {
	readonly text: string;
	readonly isProblem: boolean;
}

/** A command that is typed with arguments in the palette: `sort mcap desc`. */
export interface TextCommand<A> {
	readonly word: string;
	readonly usage: string;
	readonly help: string;
	/** Problem of the arguments; undefined when they are valid. */
	readonly problem: (argument: string, state: MonitorState) => string | undefined;
	readonly completions: (argument: string, state: MonitorState) => readonly Completion[];
	run(argument: string, actions: A): void;
}

/** Maximum number of completions of a typed command. */
export const MAX_COMPLETIONS = 30;

/** One way in which the line of a command can go on. */
export interface Completion {
	/** The text after the word of the command. */
	readonly argument: string;
	/** The text of the line in the palette; the whole command if not given. */
	readonly label?: string;
	readonly note: string;
}

/** A command with the feature whose actions it runs. */
export interface JoinedCommand extends TextCommand<unknown> {
	readonly feature: string;
}

/** The context of a feature's actions. */
export interface Context {
	readonly store: Store<MonitorState>;
	/** Actions of the monitor itself: the cursor, columns, modes, notices. */
	readonly monitor: MonitorActions;
	readonly screen: ScreenSizes;
	readonly glyphs: Glyphs;
	/** The keys in force. */
	readonly keys: () => BoundKeys;
	/** A mode with the actions of its feature. */
	readonly specOf: (kind: ModeKind) => {readonly spec: ModeSpec; readonly actions: unknown};
	readonly menuContext: () => MenuContext;
	/** Runs a binding of any feature, or says why it can't be run now. */
	readonly runBinding: (id: string) => void;
	readonly runCommand: (command: JoinedCommand, argument: string) => void;
	/** Absent where no money can be moved (plain mode). */
	readonly money?: MoneyActions;
	/** Absent where no screens stand beside the columns (plain mode). */
	readonly screens?: ScreenActions;
}

/** Sizes that only the layout knows. */
export interface ScreenSizes {
	/** How far the detail pane can be scrolled, and how many lines it shows. */
	detail(): {readonly max: number; readonly page: number};
	layout(): Layout;
}
