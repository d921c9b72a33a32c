import type {Entry} from '../contract/entry.ts';
import type {Explanation} from '../errors.ts';
import type {AlertRule} from './alerts/alert-rules.ts';
import type {ShownViews} from './columns/shown-views.ts';
import type {WhyColumn} from './columns/why.ts';
import type {TokenLink} from './links/token-links.ts';
import type {Moment} from './rewind/history.ts';
import type {SavedView, SavedViewChange} from './saved-views/saved-view.ts';
import type {TextEdit} from './transitions/text-edit.ts';
import type {UserCommand} from './user-commands.ts';

/** One record of the journal, for reading. All text is clean. */
export interface LogLine {
	readonly seq: number;
	readonly atMs: number;
	/** `Bridge transfer: status`. */
	readonly what: string;
	/** Amounts, chains, the result: what of the record fits into words. */
	readonly detail: string;
	/** Id of the intent, hash or order that it is about. */
	readonly about: string;
	/** Address of the wallet, where this or an earlier record about the same names it. */
	readonly wallet?: string;
}

interface PresetsMenu {
	readonly kind: 'presets';
	/** In the lines that are shown: those with the words of `narrow`. */
	readonly index: number;
	readonly narrow?: string;
}

/** What the rows of the focused column show is chosen; `before` is what they showed. */
interface FieldsMenu {
	readonly kind: 'fields';
	/** In the lines that are shown: those with the words of `narrow`. */
	readonly index: number;
	readonly narrow?: string;
	readonly before: readonly string[];
}

/** A menu in which letters are keys, and whose lines can be narrowed by words all the same. */
export type NarrowableMenu = PresetsMenu | FieldsMenu;

export function isNarrowable<M extends {readonly kind: string}>(
	mode: M,
): mode is Extract<M, {readonly kind: NarrowableMenu['kind']}> {
	return mode.kind === 'presets' || mode.kind === 'fields';
}

/** Modes of explanations, saved views and alerts. */
export type ComfortMode =
	/** Why a token is in each column or not, as it was at a moment. */
	| {
			readonly kind: 'why';
			readonly entry: Entry;
			readonly columns: readonly WhyColumn[];
			/** Local Unix ms; in a recording the recorded time. */
			readonly atMs: number;
			readonly scroll: number;
	  }
	/** The number of a saved view is waited for. */
	| {readonly kind: 'slot'}
	| PresetsMenu
	/** A name for the view of a number is typed; `saves` what is on screen, or only renames. */
	| {readonly kind: 'presetName'; readonly slot: number; readonly saves: boolean; readonly edit: TextEdit}
	| FieldsMenu
	/** Words to narrow a menu are typed; `menu` as it was below, `index` in the lines that are left. */
	| {readonly kind: 'menuNarrow'; readonly menu: NarrowableMenu; readonly edit: TextEdit; readonly index: number}
	/** The pages of the token that was under the cursor when the menu opened. */
	| {readonly kind: 'links'; readonly links: readonly TokenLink[]; readonly index: number}
	/** Which columns are shown is chosen; `before` is what was shown. */
	| {readonly kind: 'columns'; readonly index: number; readonly before: ShownViews}
	| {readonly kind: 'presetImport'; readonly edit: TextEdit}
	/** Rules, then recent alerts. */
	| {readonly kind: 'alerts'; readonly index: number}
	| {readonly kind: 'alertRule'; readonly where: AlertRule['where']; readonly edit: TextEdit}
	/** What the columns held is looked at; nothing can be done to it. `at` is the moment's place. */
	| {readonly kind: 'rewind'; readonly moments: readonly Moment[]; readonly at: number}
	/** The journal of what could move money, as it was when it was opened, newest first. */
	| {
			readonly kind: 'actionLog';
			readonly lines: readonly LogLine[];
			/** Why it could not be read. */
			readonly problem?: Explanation;
			readonly isPractice: boolean;
			/** Only the records of this wallet; all without. */
			readonly wallet?: string;
			/** Lines. */
			readonly scroll: number;
	  }
	/** Whether a command of the configuration should run for a token is asked. */
	| {readonly kind: 'commandConfirm'; readonly command: UserCommand; readonly entry: Entry; readonly index: number}
	/** A view that came from elsewhere, with what it would change. */
	| {
			readonly kind: 'presetDiff';
			readonly savedView: SavedView;
			readonly changes: readonly SavedViewChange[];
	  };
