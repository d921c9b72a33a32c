import type {Entry} from '../contract/entry.ts';
import type {TradeTarget} from '../contract/trade-target.ts';
import type {AlertRule} from './alerts/alert-rules.ts';
import type {Scope} from './columns/scope.ts';
import type {ShownViews} from './columns/shown-views.ts';
import type {WhyColumn} from './columns/why-column.ts';
import type {TokenLink} from './links/token-links.ts';
import type {Moment} from './rewind/moment.ts';
import type {SavedView, SavedViewChange} from './saved-views/saved-view.ts';
import type {TextEdit} from './transitions/text-edit.ts';
import type {UserCommand} from './user-commands.ts';

/** The screens beside the columns. The state of each lives apart, in the store of the screens. */
export type ScreenKind = 'actionLog' | 'developer' | 'labels' | 'positions' | 'prediction' | 'watchlist' | 'webhooks';

/** The memory of each mode of the keyboard, by its kind. The window of each is in the feature of that name (ui/features). */
export interface Modes extends Readonly<Record<ScreenKind, object>> {
	readonly list: object;
	readonly detail: object;
	/** A line is typed for a screen. */
	readonly screenInput: {readonly screen: ScreenKind; readonly field: string; readonly edit: TextEdit};

	readonly sort: {readonly edit: TextEdit; readonly index: number};
	readonly filter: {readonly edit: TextEdit; readonly index: number};
	/** `before` is the search and the cursor that were in force. */
	readonly search: {readonly edit: TextEdit; readonly before: {readonly search: string; readonly cursor?: string}};
	readonly palette: {readonly edit: TextEdit; readonly index: number};

	/** Windows of actions, each with a key of its own. */
	readonly view: {readonly index: number};
	readonly more: {readonly index: number};
	readonly chains: ScopeMenu;
	readonly launchpads: ScopeMenu;
	/** The shown columns are chosen; `before` are the earlier ones. */
	readonly columns: {readonly index: number; readonly before: ShownViews};
	/** The cells of the focused column's rows are chosen; `before` are the earlier ones. */
	readonly fields: {readonly index: number; readonly narrow?: string; readonly before: readonly string[]};
	/** `before` is the theme that was in force. */
	readonly themes: {readonly index: number; readonly before: string};
	/** Words to narrow a menu are typed; `menu` as it was below, `index` in the lines that are left. */
	readonly menuNarrow: {readonly menu: NarrowableMode; readonly edit: TextEdit; readonly index: number};

	/** The next key is the number of a saved view. */
	readonly slot: object;
	readonly presets: {readonly index: number; readonly narrow?: string};
	/** A name for the view of a number is typed; `saves` what is on screen, or only renames. */
	readonly presetName: {readonly slot: number; readonly saves: boolean; readonly edit: TextEdit};
	readonly presetImport: {readonly edit: TextEdit};
	/** An imported view, with what it would change. */
	readonly presetDiff: {readonly savedView: SavedView; readonly changes: readonly SavedViewChange[]};

	/** Rules, then recent alerts. `index` is the marked line. */
	readonly alerts: {readonly index: number};
	/** A rule is typed for a column, or for all. */
	readonly alertRule: {readonly where: AlertRule['where']; readonly edit: TextEdit};
	readonly hidden: {readonly index: number};
	/** A keyword to hide is typed, a list to import, or the name of a file to export to. */
	readonly hidePrompt: {readonly purpose: 'keyword' | 'import' | 'export'; readonly edit: TextEdit};
	/** The pages of the token that was under the cursor when the menu opened. */
	readonly links: {readonly links: readonly TokenLink[]; readonly index: number};
	/** Why a token is in each column or not, as it was at a moment: local Unix ms; in a recording the recorded time. */
	readonly why: {
		readonly entry: Entry;
		readonly columns: readonly WhyColumn[];
		readonly atMs: number;
		readonly scroll: number;
	};
	/** The columns show a moment of the past. `at` is its place among the moments. */
	readonly rewind: {readonly moments: readonly Moment[]; readonly at: number};
	/** The question whether a command of the configuration should run for a token. */
	readonly commandConfirm: {readonly command: UserCommand; readonly entry: Entry; readonly index: number};
	/** The addresses of the service, and what came and went in the last loss of the stream. */
	readonly addresses: {readonly index: number};

	readonly help: HelpShown & {readonly search: string};
	/** Words to find in the help are typed; `from` is the line where the search began. */
	readonly helpSearch: HelpShown & {readonly edit: TextEdit; readonly from: number};

	/** Windows that move money: what they show lives in a state of their own. */
	readonly bridge: object;
	readonly perp: object;
	readonly predictionAccount: object;
	/** The token that was under the cursor when the key was pressed: the window is about no other one. */
	readonly trade: {readonly target: TradeTarget};
}

interface ScopeMenu {
	readonly index: number;
	/** The choice when the menu opened, which Esc restores. */
	readonly before: Scope;
}

/** `hit` is the line found last; `isReal`: the market is that of real chains, not one to practise; `isVisit`: the person comes over SSH. */
interface HelpShown {
	readonly scroll: number;
	readonly hit?: number;
	readonly isReal?: boolean;
	readonly isVisit?: boolean;
}

export type ModeKind = keyof Modes;
export type ModeOf<K extends ModeKind> = {[Kind in K]: {readonly kind: Kind} & Modes[Kind]}[K];
/** The modes of the keyboard. The top of the stack, and nothing else, receives keys. */
export type Mode = ModeOf<ModeKind>;

/** A menu: `index` is the marked line. */
export type MenuMode = {[K in ModeKind]: Modes[K] extends {readonly index: number} ? ModeOf<K> : never}[ModeKind];
/** A menu whose lines can be narrowed by typed words: `narrow` has them, `index` counts the lines that are left. */
export type NarrowableMode = {[K in ModeKind]: 'narrow' extends keyof Modes[K] ? ModeOf<K> : never}[ModeKind];
