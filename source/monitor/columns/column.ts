import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import type {SortOrder} from '../../contract/sort.ts';
import type {Window8} from '../../contract/windows.ts';
import type {Explanation} from '../../errors.ts';
import type {ColumnFilter, EmptyReason} from '../filter/column-filter.ts';
import type {ViewName} from '../views.ts';
import type {Scope} from './scope.ts';

/** Rows of the column were read. */
export const READY: ColumnStatus = {kind: 'ready'};

/** One token in one column. */
export interface Row {
	readonly entry: Entry;
	/** The last move of the price, for the change mark. */
	readonly move?: {readonly up: boolean; readonly atMs: number};
	/** The token left the view; the row is kept while the order is frozen. */
	readonly departed?: {readonly atMs: number; readonly reason: string};
}

export type ColumnStatus =
	| {readonly kind: 'loading'}
	| {readonly kind: 'ready'}
	/** `wasReady`: rows of this request had come before. */
	| {readonly kind: 'failed'; readonly problem: Explanation; readonly wasReady?: true};

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
	/** The fields of a row after the symbol, in this order (row-fields.ts); empty for the default fields. */
	readonly fields: readonly string[];
	/** The service did not apply the filter: it is applied here, to the rows loaded. */
	readonly isLocal?: boolean;
	/** The service did not apply the sort: the order is that of the rows loaded. */
	readonly isUnsorted?: boolean;
	/** Why the column is empty; valid for the filter named in it. */
	readonly emptyReason?: EmptyReason;
	/** Quick search: a substring of symbol, name or address, applied here only. */
	readonly search: string;
	readonly limit: number;
	/** Only these chains are requested, unless the filter names others; empty for every chain. */
	readonly chains: readonly string[];
	/** The chains and launchpads that all columns are limited to (MonitorState.scope). */
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
	/** The service says that its market has not moved on since then, local Unix ms; absent while it is up to date. */
	readonly staleSinceMs?: number;
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
