import type {LinkState} from '../client/feed/feed-events.ts';
import type {WalletLabels} from '../client/lookups/labels.ts';
import type {Sparkline} from '../client/lookups/sparkline.ts';
import type {Entry} from '../contract/entry.ts';
import type {FieldName} from '../contract/fields.ts';
import type {SortOrder} from '../contract/sort.ts';
import type {Window8} from '../contract/windows.ts';
import type {Explanation} from '../errors.ts';
import type {AlertState} from './alerts/alert-rules.ts';
import type {CandleStepMs} from './candles/candle-series.ts';
import type {Scope} from './columns/scope.ts';
import type {Display} from './display.ts';
import type {EmptyReason} from './filter/empty-clauses.ts';
import type {Hides} from './hides/hides.ts';
import type {Mode} from './mode.ts';
import type {SavedView} from './saved-views/saved-view.ts';
import type {Pins} from './tokens/pins.ts';
import type {UserCommands} from './user-commands.ts';

/** The connection, as the client reports it. */
export type Link = LinkState;
/** The labels of a wallet. */
export type Labels = WalletLabels;

/** The columns of the phases of a launch; a token is shown in one of them. On the wire: views of the default model (spec 4.1). */
export const PHASES = ['new', 'bonding', 'bonded'] as const;
/** All columns: those of the phases, and TRENDING, which repeats tokens of any phase (model `trending`, contract gaps 3.1). */
export const VIEWS = [...PHASES, 'trending'] as const;
export type ViewName = (typeof VIEWS)[number];

/** A record with one value for each column. */
export function byView<T>(make: (view: ViewName) => T): Readonly<Record<ViewName, T>> {
	return {new: make('new'), bonding: make('bonding'), bonded: make('bonded'), trending: make('trending')};
}

/** The recording that is played. */
export interface Recording {
	/** `cut`: its end is missing; `broken`: it can't be read on. */
	readonly phase: 'playing' | 'ended' | 'cut' | 'broken';
	/** How much faster than it happened. */
	readonly speed: number;
}

/** One token in one column. */
export interface Row {
	readonly entry: Entry;
	/** When the token entered this column, local Unix ms. */
	readonly enteredAtMs: number;
	/** The last move of the price, for the change mark. */
	readonly move?: {readonly up: boolean; readonly atMs: number};
	/** The token left the view; the row is kept while the order is frozen. */
	readonly departed?: {readonly atMs: number; readonly reason: string};
}

export interface ColumnFilter {
	/** As typed. */
	readonly text: string;
	/** As sent: the filters of the API and the view options of the line. Undefined without a filter. */
	readonly filters?: Readonly<Record<string, unknown>>;
	readonly viewOptions?: Readonly<Record<string, unknown>>;
}

export type ColumnStatus =
	| {readonly kind: 'loading'}
	| {readonly kind: 'ready'}
	| {readonly kind: 'failed'; readonly problem: Explanation};

export interface Column {
	readonly view: ViewName;
	readonly status: ColumnStatus;
	/** All rows by key, including those that wait behind a frozen order. */
	readonly rows: ReadonlyMap<string, Row>;
	/** Keys as they are shown, before hides and quick search. */
	readonly order: readonly string[];
	/** The order is frozen: figures stay live, new rows wait. */
	readonly frozen: boolean;
	/** Keys of the order that were shown in another column when it was frozen: not shown until it is released. */
	readonly leftOut: ReadonlySet<string>;
	/** How many rows wait behind the frozen order. */
	readonly waiting: number;
	/** When the order last changed, local Unix ms. */
	readonly orderedAtMs: number;
	/** Key of the selected token; selection goes by identity. */
	readonly cursor?: string;
	/** Index of the first row on screen. */
	readonly top: number;
	readonly sortBy: FieldName;
	readonly sortOrder: SortOrder;
	/** The window of the column's volume, counts and change. */
	readonly window: Window8;
	readonly filter: ColumnFilter;
	/** What a row shows after the symbol, in this order (row-fields.ts); empty for the default fields. */
	readonly fields: readonly string[];
	/** The service did not apply the filter: it is applied here, to the rows loaded. */
	readonly isLocal?: boolean;
	/** Why the column is empty; valid for the filter named in it. */
	readonly emptyReason?: EmptyReason;
	/** Quick search: a substring of symbol, name or address, applied here only. */
	readonly search: string;
	readonly limit: number;
	/** Only these chains are requested, unless the filter names others; empty for every chain. */
	readonly chains: readonly string[];
	/** The chains and launchpads that all columns are narrowed to (MonitorState.scope). */
	readonly scope: Scope;
	/** Keys that come first and stay whether or not they match the filter. */
	readonly pinned: ReadonlySet<string>;
	/** Later rows of the view, shown instead of its first ones. */
	readonly page?: Page;
	/** More rows were requested, below or above, and have not arrived. */
	readonly turning?: 'down' | 'up';
	/** How many tokens match on the service, when it reported that. */
	readonly total?: number;
	/** When rows last changed, local Unix ms. */
	readonly changedAtMs: number;
	/** When this column was last known to be up to date, local Unix ms. A connection alone does not make it so. */
	readonly dataAtMs?: number;
}

/** Rows beyond the first ones of a view, read once by their place. The first rows stay live behind them. */
export interface Page {
	/** Place in the view of the first row, from 1. */
	readonly from: number;
	/** How many rows of the view were read up to the end of this page: where the next one begins. */
	readonly end: number;
	/** Later launches, Unix ms, are not counted: in a column of the newest ones they would shift every place. */
	readonly until?: number;
	/** Whether the service sends live updates for its rows; without them the rows are shown as old data. */
	readonly isLive: boolean;
	/** The column without the page: live, its order frozen. */
	readonly head: Column;
}

export const TIME_FRAMES = ['1h', '6h', '24h', '7d'] as const;
export type TimeFrame = (typeof TIME_FRAMES)[number];

export type Loadable<T> =
	| {readonly kind: 'idle'}
	| {readonly kind: 'loading'; readonly last?: T}
	| {readonly kind: 'ready'; readonly value: T; readonly atMs: number}
	| {readonly kind: 'failed'; readonly problem: Explanation; readonly last?: T};

/** How the price is drawn. */
export interface ChartChoice {
	readonly kind: 'line' | 'candles';
	readonly scale: 'price' | 'mcap';
	/** Length of a candle. */
	readonly stepMs: CandleStepMs;
}

/** The open detail pane. */
export interface Detail {
	readonly key: string;
	/** The newest entry known, from any column or from its own look-up. */
	readonly entry: Entry;
	readonly entryAtMs: number;
	readonly lookup: Loadable<Entry>;
	readonly labels: Loadable<ReadonlyMap<string, Labels>>;
	readonly timeFrame: TimeFrame;
	/** The user chose the time frame: the next token has the same one, not one that fits its age. */
	readonly isTimeFrameChosen?: boolean;
	/** `undefined` when the service has no sparkline of the token. */
	readonly sparkline: Loadable<Sparkline | undefined>;
	readonly chart: ChartChoice;
	readonly scroll: number;
}

/** One line for the user, shown for a few seconds. */
export interface Notice {
	readonly text: string;
	readonly tone: 'info' | 'good' | 'warn' | 'bad';
	readonly atMs: number;
	/** What to do about it, actions in braces: `{token.unhide} brings it back.` Not shown in plain mode, which has no keys. */
	readonly hint?: string;
	/** It reports an event, not the result of the last key: money windows do not show it. */
	readonly isNews?: boolean;
	/** It is shown until the next notice, since the user may be looking at another program. */
	readonly stays?: boolean;
}

/** A token that moved to the column of its next phase. */
export interface Promotion {
	readonly key: string;
	readonly symbol: string;
	readonly from: ViewName;
	readonly to: ViewName;
	readonly atMs: number;
}

/** What the keys of a window do as it stands: a word or two, or '' for the usual one, for each action that does something. */
export type Offers = Readonly<Record<string, string>>;

/** How tall rows are: chosen by the size of the terminal, or this many lines. */
export const DENSITIES = ['auto', 'one', 'two', 'three'] as const;
export type Density = (typeof DENSITIES)[number];

export interface MonitorState {
	readonly nowMs: number;
	readonly size: {readonly columns: number; readonly rows: number};
	/** How many token rows one column shows; the screen's layout decides it. */
	readonly pageRows: number;
	readonly columns: Readonly<Record<ViewName, Column>>;
	readonly focus: ViewName;
	/** The columns that are shown, from left to right, including the focused one. */
	readonly shownViews: readonly ViewName[];
	/** The chains and launchpads that all columns are narrowed to, each with its own filter on top. */
	readonly scope: Scope;
	/** Chains and launchpads that can be chosen: named by the service, or seen in the columns since the start. */
	readonly known: Scope;
	readonly modes: readonly Mode[];
	/** Digits typed before a motion: `3j`. */
	readonly count: string;
	readonly detail?: Detail;
	readonly paused: boolean;
	/** How the feed is connected; undefined before it was opened. */
	readonly link?: Link;
	/** Server time minus ours, ms. */
	readonly skewMs: number;
	/** Pinned tokens, with their prices when they were pinned. */
	readonly pins: Pins;
	/** Whether the service has loaded its history, so that its totals are complete; undefined when it does not report that. */
	readonly history?: 'loading' | 'complete';
	/** Hidden tokens, deployers and keywords; the newest last. */
	readonly hidden: Hides;
	/** Prediction markets that are watched: questions by `<platform>:<marketId>`. */
	readonly markets: ReadonlyMap<string, string>;
	/** Saved views by number. */
	readonly savedViews: ReadonlyMap<number, SavedView>;
	/** What the columns showed before a saved view was loaded. */
	readonly viewBefore?: SavedView;
	readonly alerts: AlertState;
	readonly promotions: readonly Promotion[];
	/** Tokens shown in BONDING past its border, with the last time, local Unix ms: they stay there a while (shown-keys.ts). */
	readonly moved: ReadonlyMap<string, number>;
	readonly notice?: Notice;
	/** Of the window on top, where its keys depend on what it shows. */
	readonly offers?: Offers;
	/** The step of the first-run tour, from 0; undefined when there is no tour. */
	readonly tour?: number;
	/** The tour was shown once and does not start by itself again. */
	readonly tourSeen?: boolean;
	readonly theme: string;
	/** The theme that the user chose, kept for the next start; without one the terminal's background decides. */
	readonly chosenTheme?: string;
	readonly density: Density;
	readonly display: Display;
	readonly service: {
		/** Where the data comes from: 'embedded service' or the host. */
		readonly label: string;
		readonly embedded: boolean;
		/** What the service reports of a market that is not real; undefined when it reports nothing. */
		readonly market?: 'simulated' | 'recorded';
		/** The recording that is shown instead of live data. */
		readonly recording?: Recording;
	};
	readonly readOnly: boolean;
	/** Keys that replace the default ones, by action, as written in the configuration. */
	readonly keys: Readonly<Record<string, readonly string[]>>;
	/** Programs that the configuration puts on keys. */
	readonly commands: UserCommands;
	/** A money action in progress, shown in the first line of every screen. */
	readonly transfer?: {readonly text: string; readonly tone: 'info' | 'good' | 'warn' | 'bad'};
}

/** The mode that has the keyboard. */
export function topMode(state: MonitorState): Mode {
	return state.modes.at(-1)!;
}
