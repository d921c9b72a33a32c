import type {LinkState} from '../client/feed/feed-events.ts';
import type {WalletLabels} from '../client/lookups/labels.ts';
import type {Sparkline} from '../client/lookups/sparkline.ts';
import type {ChainCoverage} from '../contract/coverage.ts';
import type {Entry} from '../contract/entry.ts';
import type {Explanation} from '../errors.ts';
import type {AlertState} from './alerts/alert-rules.ts';
import type {CandleStepMs} from './candles/candle-series.ts';
import type {Column} from './columns/column.ts';
import type {Scope} from './columns/scope.ts';
import type {Display} from './display.ts';
import type {Hides} from './hides/hides.ts';
import type {LastLoss} from './last-loss.ts';
import type {Mode} from './mode.ts';
import type {SavedView} from './saved-views/saved-view.ts';
import type {TokenHoldings} from './tokens/holdings.ts';
import type {Pins} from './tokens/pins.ts';
import type {UserCommands} from './user-commands.ts';
import type {ViewName} from './views.ts';

/** The connection, as the client reports it. */
export type Link = LinkState;
/** The labels of a wallet. */
export type Labels = WalletLabels;

/** The recording that is played. */
export interface Recording {
	/** `cut`: its end is missing; `broken`: it can't be read on. */
	readonly phase: 'playing' | 'ended' | 'cut' | 'broken';
	/** How much faster than it happened. */
	readonly speed: number;
}

/** The chains whose launches are shown, read from nodes. */
export interface Following {
	/** As the service names them; from the configuration until it does. */
	readonly names: readonly string[];
	/** How much of each is seen; undefined until the service reported it. */
	readonly coverage?: readonly ChainCoverage[];
	/** When it was reported, local Unix ms. */
	readonly readAtMs?: number;
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
	/** Whether the service has given the token by itself, with all its fields. */
	readonly lookup: 'idle' | 'loading' | 'found' | 'missing';
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
	/** The advice, actions in braces: `{token.unhide} brings it back.` Not shown in plain mode, which has no keys. */
	readonly hint?: string;
	/** It reports an event, not the result of the last key: money windows do not show it. */
	readonly isEvent?: boolean;
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

/** The keys that do something in a window now: a label for each action, '' for its default label. */
export type KeyHints = Readonly<Record<string, string>>;

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
	/** The last loss of the stream that something is known of. */
	readonly lastLoss?: LastLoss;
	/** Server time minus local time, ms. */
	readonly skewMs: number;
	/** Pinned tokens, with their prices when they were pinned. */
	readonly pins: Pins;
	/** The holdings of tokens that were traded here; undefined until they were read, and without trades. */
	readonly holdings?: TokenHoldings;
	/** Whether the service has loaded its history, so that its totals are complete; undefined when it does not report that. */
	readonly history?: 'loading' | 'complete';
	/** Hidden tokens, deployers and keywords; the newest last. */
	readonly hidden: Hides;
	/** Prediction markets that are watched: questions by `<platform>:<marketId>`. */
	readonly watchedPredictions: ReadonlyMap<string, string>;
	/** Saved views by number. */
	readonly savedViews: ReadonlyMap<number, SavedView>;
	/** The columns before a saved view was loaded. */
	readonly viewBefore?: SavedView;
	readonly alerts: AlertState;
	readonly promotions: readonly Promotion[];
	/** Tokens shown in BONDING past its border, with the last time, local Unix ms: they stay there a while (shown-keys.ts). */
	readonly moved: ReadonlyMap<string, number>;
	readonly notice?: Notice;
	/** Hints of the window on top, where its keys depend on its content. */
	readonly hints?: KeyHints;
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
		/** It is not embedded, and has proved that money is practice money there. */
		readonly isPractice?: boolean;
		/** The service's description of a market that is not real; undefined without one. */
		readonly market?: 'simulated' | 'recorded';
		/** The market is real: it is read from nodes of these chains. */
		readonly follow?: Following;
		/** Why no money can be moved, in words; undefined where it can. */
		readonly noMoney?: string;
		/** The recording that is shown instead of live data. */
		readonly recording?: Recording;
	};
	readonly readOnly: boolean;
	/** The person comes over SSH to a program that many look at; undefined on the own machine. */
	readonly visit?: Visit;
	/** Keys that replace the default ones, by action, as written in the configuration. */
	readonly keys: Readonly<Record<string, readonly string[]>>;
	/** Programs that the configuration puts on keys. */
	readonly commands: UserCommands;
	/** A money action in progress, shown in the first line of every screen. */
	readonly transfer?: {readonly text: string; readonly tone: 'info' | 'good' | 'warn' | 'bad'};
}

/** The visit of a person over SSH. */
export interface Visit {
	/** The name of the person's key; undefined for a guest, of whom nothing is kept. */
	readonly name?: string;
	/** How many people look at this market now, this one counted. */
	readonly viewers: number;
}

/** The mode that has the keyboard. */
export function topMode(state: MonitorState): Mode {
	return state.modes.at(-1)!;
}
