import type {FieldName} from '../../contract/fields.ts';
import type {SortOrder} from '../../contract/sort.ts';
import type {Window8} from '../../contract/windows.ts';
import {clean} from '../../text.ts';
import {DEFAULT_FIELDS, rowFieldsText} from '../columns/row-fields.ts';
import {FULL_SCOPE, type Scope, type ScopePart, scopeText} from '../columns/scope.ts';
import {DEFAULT_VIEWS, listedViews, type ShownViews, shownViewsText} from '../columns/shown-views.ts';
import {windowWord, wordOf} from '../filter/field-words.ts';
import {VIEWS, type ViewName} from '../views.ts';

/** The settings of a column in a saved view. */
export interface SavedColumn {
	readonly sortBy: FieldName;
	readonly sortOrder: SortOrder;
	readonly window: Window8;
	/** The filter line; empty for none. */
	readonly filter: string;
	/** The fields of the rows, in this order; empty for the default fields. */
	readonly fields: readonly string[];
}

/** A saved view: sort, filter and fields of all columns, under a name. */
export interface SavedView {
	readonly name: string;
	readonly columns: Readonly<Record<ViewName, SavedColumn>>;
	/** The scope of all columns. */
	readonly scope: Scope;
	/** The columns that are shown, from left to right. */
	readonly shownViews: ShownViews;
}

/**
 * The first settings of the columns, also those of the commands without a screen: the sorts of the default model (spec 4.1),
 * without filters. BONDED is sorted by bonded_at: the model's created_at is the launch of a token, not its bonding.
 */
export const DEFAULT_SAVED_VIEW: SavedView = {
	name: 'default',
	columns: {
		new: {sortBy: 'created_at', sortOrder: 'desc', window: '5min', filter: '', fields: DEFAULT_FIELDS},
		bonding: {sortBy: 'market_cap', sortOrder: 'desc', window: '1h', filter: '', fields: DEFAULT_FIELDS},
		bonded: {sortBy: 'bonded_at', sortOrder: 'desc', window: '1h', filter: '', fields: DEFAULT_FIELDS},
		trending: {sortBy: 'trending_score_24h', sortOrder: 'desc', window: '1h', filter: '', fields: DEFAULT_FIELDS},
	},
	scope: FULL_SCOPE,
	shownViews: DEFAULT_VIEWS,
};

/** The number keys of saved views. */
export const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Maximum width of a name, in cells. */
const NAME_CELLS = 24;

/** A typed name, cleaned and cut to its maximum width. */
export function savedViewName(typed: string): string {
	return clean(typed, {maxCells: NAME_CELLS});
}

/** The slot of a typed number or name; undefined when there is no such view. */
export function slotOf(text: string, savedViews: ReadonlyMap<number, SavedView>): number | undefined {
	const typed = text.trim().toLowerCase();
	for (const [slot, {name}] of savedViews) if (typed === String(slot) || typed === name.toLowerCase()) return slot;
	return undefined;
}

/** The settings of a column, as the text of a view names them. */
export const SAVED_PARTS = ['sort', 'window', 'filter', 'fields'] as const;
export type SavedPart = (typeof SAVED_PARTS)[number];
/** The settings of all columns together. */
export const SCOPE_PARTS: readonly ScopePart[] = ['chains', 'launchpads'];

/** One setting that a view would change, with both values as text. */
export interface SavedViewChange {
	readonly view: ViewName | 'all';
	readonly part: SavedPart | ScopePart | 'columns';
	readonly before: string;
	readonly after: string;
}

/** All settings in which two views differ, in the order of the columns; names are not compared. */
export function savedViewChanges(before: SavedView, after: SavedView): readonly SavedViewChange[] {
	const scope = SCOPE_PARTS.flatMap(part => {
		const [was, is] = [scopeText(before.scope, part), scopeText(after.scope, part)];
		return was === is ? [] : [{view: 'all' as const, part, before: was, after: is}];
	});
	const columns = VIEWS.flatMap(view =>
		SAVED_PARTS.flatMap(part => {
			const [was, is] = [partText(before.columns[view], part), partText(after.columns[view], part)];
			return was === is ? [] : [{view, part, before: was, after: is}];
		}),
	);
	const [was, is] = [shownViewsText(before.shownViews), shownViewsText(after.shownViews)];
	const shown = was === is ? [] : [{view: 'all' as const, part: 'columns' as const, before: was, after: is}];
	return [...shown, ...scope, ...columns];
}

/** One setting of a column as text. */
export function partText({sortBy, sortOrder, window, filter, fields}: SavedColumn, part: SavedPart): string {
	switch (part) {
		case 'sort':
			return `${wordOf(sortBy)}:${sortOrder}`;
		case 'window':
			return windowWord(window);
		case 'filter':
			return filter;
		case 'fields':
			return rowFieldsText(fields);
	}
}

/** A view in short: the sorts of the columns, and the number of filters. */
export function savedViewSummary({columns, shownViews}: SavedView): string {
	const views = listedViews({shownViews});
	const sorts = views.map(view => wordOf(columns[view].sortBy)).join(', ');
	const filters = views.filter(view => columns[view].filter !== '').length;
	return filters === 0 ? sorts : `${sorts}; ${filters} filter${filters === 1 ? '' : 's'}`;
}
