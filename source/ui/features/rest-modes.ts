import type {Entry} from '../../contract/entry.ts';
import type {Explanation} from '../../errors.ts';
import type {Scope} from '../../monitor/columns/scope.ts';
import type {ShownViews} from '../../monitor/columns/shown-views.ts';
import type {TokenLink} from '../../monitor/links/token-links.ts';
import type {Moment} from '../../monitor/rewind/history.ts';
import type {SavedView, SavedViewChange} from '../../monitor/saved-views/saved-view.ts';
import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {UserCommand} from '../../monitor/user-commands.ts';

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

interface ScopeMenu {
	readonly index: number;
	/** What was chosen when the menu opened. */
	readonly before: Scope;
}

declare module '../../monitor/mode.ts' {
	interface Modes {
		readonly sort: {readonly edit: TextEdit; readonly index: number};
		readonly filter: {readonly edit: TextEdit; readonly index: number};
		readonly search: {readonly edit: TextEdit; readonly before: {readonly search: string; readonly cursor?: string}};
		/** `hit` is the line found last. */
		readonly help: {readonly scroll: number; readonly search: string; readonly hit?: number};
		/** Words to find in the help are typed; `from` is the line where the search began. */
		readonly helpSearch: {
			readonly edit: TextEdit;
			readonly scroll: number;
			readonly from: number;
			readonly hit?: number;
		};
		readonly palette: {readonly edit: TextEdit; readonly index: number};
		readonly hidden: {readonly index: number};
		/** A keyword to hide is typed, a list to import, or the name of a file to export to. */
		readonly hidePrompt: {readonly purpose: 'keyword' | 'import' | 'export'; readonly edit: TextEdit};
		readonly chains: ScopeMenu;
		readonly launchpads: ScopeMenu;
		readonly bridge: object;
		readonly perp: object;
		readonly vault: object;
		/** The number of a saved view is waited for. */
		readonly slot: object;
		readonly presets: {readonly index: number; readonly narrow?: string};
		/** A name for the view of a number is typed; `saves` what is on screen, or only renames. */
		readonly presetName: {readonly slot: number; readonly saves: boolean; readonly edit: TextEdit};
		/** What the rows of the focused column show is chosen; `before` is what they showed. */
		readonly fields: {readonly index: number; readonly narrow?: string; readonly before: readonly string[]};
		/** The pages of the token that was under the cursor when the menu opened. */
		readonly links: {readonly links: readonly TokenLink[]; readonly index: number};
		/** Which columns are shown is chosen; `before` is what was shown. */
		readonly columns: {readonly index: number; readonly before: ShownViews};
		readonly presetImport: {readonly edit: TextEdit};
		/** What the columns held is looked at; nothing can be done to it. `at` is the moment's place. */
		readonly rewind: {readonly moments: readonly Moment[]; readonly at: number};
		/** The journal of what could move money, as it was when it was opened, newest first. */
		readonly actionLog: {
			readonly lines: readonly LogLine[];
			/** Why it could not be read. */
			readonly problem?: Explanation;
			readonly isPractice: boolean;
			/** Only the records of this wallet; all without. */
			readonly wallet?: string;
			/** Lines. */
			readonly scroll: number;
		};
		/** Whether a command of the configuration should run for a token is asked. */
		readonly commandConfirm: {readonly command: UserCommand; readonly entry: Entry; readonly index: number};
		/** A view that came from elsewhere, with what it would change. */
		readonly presetDiff: {readonly savedView: SavedView; readonly changes: readonly SavedViewChange[]};
	}
}
