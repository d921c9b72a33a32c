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

/** The connection, as the client tells it. */
export type Link = LinkState;
/** What is known of a wallet. */
export type Labels = WalletLabels;

/** The columns of the phases of a launch: a token stands in one. On the wire they are views of the default model (spec 4.1). */
export const PHASES = ['new', 'bonding', 'bonded'] as const;
/** All columns: those of the phases, and TRENDING, which repeats tokens of any phase (model `trending`, contract gaps 3.1). */
export const VIEWS = [...PHASES, 'trending'] as const;
export type ViewName = (typeof VIEWS)[number];

/** One of something for each column. */
export function byView<T>(make: (view: ViewName) => T): Readonly<Record<ViewName, T>> {
	return {new: make('new'), bonding: make('bonding'), bonded: make('bonded'), trending: make('trending')};
}

/** How far a recording is. */
export interface Recording {
	/** `cut`: its end is missing; `broken`: it can't be read on. */
	readonly phase: 'playing' | 'ended' | 'cut' | 'broken';
	/** How much faster than it happened. */
	readonly speed: number;
}

/** One token in one column. */
export interface Row {
	readonly entry: Entry;
	/** When it came into this column, local Unix ms. */
	readonly enteredAtMs: number;
	/** The last move of the price, for the change mark. */
	readonly move?: {readonly up: boolean; readonly atMs: number};
	/** It left the view and is kept only because the order is frozen, or because it is pinned. */
	readonly departed?: {readonly atMs: number; readonly reason: string};
}

export interface ColumnFilter {
	/** As typed. */
	readonly text: string;
	/** As sent: the API's filters and the view options that the line asked for. Undefined when there is no filter. */
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
	/** All rows, those that wait behind a frozen order included. */
	readonly rows: ReadonlyMap<string, Row>;
	/** Keys as they are shown, before hides and quick search. */
	readonly order: readonly string[];
	/** The order stands still: values stay live, newcomers wait. */
	readonly frozen: boolean;
	/** Tokens of the order that stood in another column when it froze: they come back when it is released. */
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
	/** What a row shows after the symbol, in this order (row-fields.ts); none is the usual. */
	readonly fields: readonly string[];
	/** The service did not filter as it was asked to: what does not match was left out here, among the rows loaded. */
	readonly isLocal?: boolean;
	/** Which clauses empty the column, for the filter that it names. */
	readonly emptyReason?: EmptyReason;
	/** Quick search: a substring of symbol, name or address, applied here only. */
	readonly search: string;
	readonly limit: number;
	/** Only these chains are asked for, unless the filter names others; none is every chain. */
	readonly chains: readonly string[];
	/** The chains and launchpads that all columns are narrowed to (MonitorState.scope). */
	readonly scope: Scope;
	/** Keys that stand first and stay whatever the filter says. */
	readonly pinned: ReadonlySet<string>;
	/** Later rows of the view are shown instead of its first ones. */
	readonly page?: Page;
	/** More rows were asked for, down or up, and have not come yet. */
	readonly turning?: 'down' | 'up';
	/** How many tokens match on the service, when it said so. */
	readonly total?: number;
	/** When rows last changed, local Unix ms. */
	readonly changedAtMs: number;
	/** When this column was last known to be up to date, local Unix ms. Not the same as being connected. */
	readonly dataAtMs?: number;
}

/** Rows beyond the first ones of a view, read once by their place; what the column holds otherwise goes on behind them. */
export interface Page {
	/** Place in the view of the first row, from 1. */
	readonly from: number;
	/** How many rows of the view were read up to the end of this page: where the next one begins. */
	readonly end: number;
	/** Launches after this moment, Unix ms, do not count: in a column of the newest they would move every place. */
	readonly until?: number;
	/** Live updates come for its rows. Where the service sends none they grow old, and look it. */
	readonly isLive: boolean;
	/** The column as it is without the page: live, its order frozen. */
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
	/** Of a candle. */
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
	/** A person chose the time frame: it is kept for the next token, instead of one that fits its age. */
	readonly isTimeFrameChosen?: boolean;
	/** `undefined` when the service has no line for it. */
	readonly sparkline: Loadable<Sparkline | undefined>;
	readonly chart: ChartChoice;
	readonly scroll: number;
}

/** One line for the person, gone after a while. */
export interface Notice {
	readonly text: string;
	readonly tone: 'info' | 'good' | 'warn' | 'bad';
	readonly atMs: number;
	/** What can be done about it, actions in braces: `{token.unhide} brings it back.` Only for who has keys. */
	readonly hint?: string;
	/** It tells of what happened, not of the last key: money windows leave it out. */
	readonly isNews?: boolean;
	/** It is about something outside that the person may be looking at meanwhile: it stays until something else is said. */
	readonly stays?: boolean;
}

/** A token that moved on, told once under its new column. */
export interface Promotion {
	readonly key: string;
	readonly symbol: string;
	readonly from: ViewName;
	readonly to: ViewName;
	readonly atMs: number;
}

/** What the keys of a window do as it stands: a word or two, or '' for the usual one, for each action that does something. */
export type Offers = Readonly<Record<string, string>>;

/** How tall rows are: by the room there is, or so many lines. */
export const DENSITIES = ['auto', 'one', 'two', 'three'] as const;
export type Density = (typeof DENSITIES)[number];

export interface MonitorState {
	readonly nowMs: number;
	readonly size: {readonly columns: number; readonly rows: number};
	/** How many token rows one column shows; the screen's layout decides it. */
	readonly pageRows: number;
	readonly columns: Readonly<Record<ViewName, Column>>;
	readonly focus: ViewName;
	/** The columns that are shown, from left to right; the focused one is among them. */
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
	/** Whether the service has read all of the past, so that its totals are whole; undefined where it does not say. */
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
	/** Tokens that stood in BONDING well along their curve, and when last, local Unix ms: they stay there (shown-keys.ts). */
	readonly moved: ReadonlyMap<string, number>;
	readonly notice?: Notice;
	/** Of the window on top, where its keys depend on what it shows. */
	readonly offers?: Offers;
	/** The step of the first-run tour that is shown, from 0; undefined while none is. */
	readonly tour?: number;
	/** The tour was shown once: it does not come by itself again. */
	readonly tourSeen?: boolean;
	readonly theme: string;
	/** The theme that the person chose, kept for the next start; without one the terminal's background decides. */
	readonly chosenTheme?: string;
	readonly density: Density;
	readonly display: Display;
	readonly service: {
		/** Where the data comes from, in words: 'embedded service' or the host. */
		readonly label: string;
		readonly embedded: boolean;
		/** What the service says of a market that is not real; undefined where it says nothing. */
		readonly market?: 'simulated' | 'recorded';
		/** What is shown was recorded: nothing of it is now. */
		readonly recording?: Recording;
	};
	readonly readOnly: boolean;
	/** Other keys than the usual ones, by action; names as a person writes them. */
	readonly keys: Readonly<Record<string, readonly string[]>>;
	/** Programs on keys, of the configuration. */
	readonly commands: UserCommands;
	/** A money action under way, told in the first line of every screen. */
	readonly transfer?: {readonly text: string; readonly tone: 'info' | 'good' | 'warn' | 'bad'};
}

/** The mode that has the keyboard. */
export function topMode(state: MonitorState): Mode {
	return state.modes.at(-1)!;
}
