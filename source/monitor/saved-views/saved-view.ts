import type {FieldName} from '../../contract/fields.ts';
import type {SortOrder} from '../../contract/sort.ts';
import type {Window8} from '../../contract/windows.ts';
import {nearest} from '../../nearest.ts';
import {clean} from '../../text.ts';
import {DEFAULT_FIELDS, readRowFields, rowFieldsText, splitRowFields} from '../columns/row-fields.ts';
import {FULL_SCOPE, readScopePart, type Scope, type ScopePart, scopeText} from '../columns/scope.ts';
import {
	DEFAULT_VIEWS,
	isSameShown,
	listedViews,
	readShownViews,
	type ShownViews,
	shownViewsText,
} from '../columns/shown-views.ts';
import {columnFilterOf} from '../filter/column-filter.ts';
import {findWindow, findWord, windowWord, wordOf} from '../filter/field-words.ts';
import {byView, type Column, type MonitorState, VIEWS, type ViewName} from '../state.ts';
import {fieldsChanged, filterChanged, sortChanged, windowChanged} from '../transitions/column.ts';
import {columnChanged, scopeSet, viewsShown} from '../transitions/screen.ts';

/** What a saved view keeps of a column. */
export interface SavedColumn {
	readonly sortBy: FieldName;
	readonly sortOrder: SortOrder;
	readonly window: Window8;
	/** The filter line; empty for none. */
	readonly filter: string;
	/** What the rows show, in this order; none is the usual. */
	readonly fields: readonly string[];
}

/** A saved view: how all columns are sorted and filtered, and what their rows show, under a name. */
export interface SavedView {
	readonly name: string;
	readonly columns: Readonly<Record<ViewName, SavedColumn>>;
	/** What all columns are narrowed to. */
	readonly scope: Scope;
	/** The columns that are shown, from left to right. */
	readonly shownViews: ShownViews;
}

/**
 * How the columns begin, and what the commands without a screen show: the default model's sorts (spec 4.1), without
 * filters. What bonded last stands first: the model says created_at, which for a pool is when the curve was left, but for
 * a token its launch, and so no order of bonding.
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

/** The number keys that views are saved under. */
export const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

/** Cells of the longest name. */
const NAME_CELLS = 24;

/** A name as it may be shown: clean and short. */
export function savedViewName(typed: string): string {
	return clean(typed, {maxCells: NAME_CELLS});
}

/** What is on screen now, as a view. */
export function savedViewOf(
	{columns, scope, shownViews}: Pick<MonitorState, 'columns' | 'scope' | 'shownViews'>,
	name: string,
): SavedView {
	const part = ({sortBy, sortOrder, window, filter, fields}: Column): SavedColumn => ({
		sortBy,
		sortOrder,
		window,
		filter: filter.text,
		fields,
	});
	return {
		name,
		columns: byView(view => part(columns[view])),
		scope,
		shownViews,
	};
}

/** Every column was sorted and filtered as the view says; a column that was so already keeps its rows and its cursor. */
export function savedViewApplied(state: MonitorState, {columns, scope, shownViews}: SavedView): MonitorState {
	return VIEWS.reduce(
		(next, view) => {
			const {sortBy, sortOrder, window, filter, fields} = columns[view];
			return columnChanged(next, view, column => {
				const sorted = fieldsChanged(windowChanged(sortChanged(column, sortBy, sortOrder), window), fields);
				return filter === column.filter.text ? sorted : filterChanged(sorted, columnFilterOf(filter) ?? {text: ''});
			});
		},
		viewsShown(scopeSet(state, scope), shownViews),
	);
}

/** The number of the saved view that is meant by a number or a name. */
export function slotOf(text: string, savedViews: ReadonlyMap<number, SavedView>): number | undefined {
	const wanted = text.trim().toLowerCase();
	for (const [slot, {name}] of savedViews) if (wanted === String(slot) || wanted === name.toLowerCase()) return slot;
	return undefined;
}

/** The number of the saved view that the columns show now, if it is one. */
export function activeSlot(
	state: Pick<MonitorState, 'columns' | 'scope' | 'shownViews' | 'savedViews'>,
): number | undefined {
	const now = savedViewOf(state, '');
	for (const [slot, savedView] of state.savedViews) if (savedViewChanges(now, savedView).length === 0) return slot;
	return undefined;
}

const PARTS = ['sort', 'window', 'filter', 'fields'] as const;
export type SavedPart = (typeof PARTS)[number];
const SCOPE_PARTS: readonly ScopePart[] = ['chains', 'launchpads'];

/** One thing that a view would change on screen, in words. */
export interface SavedViewChange {
	readonly view: ViewName | 'all';
	readonly part: SavedPart | ScopePart | 'columns';
	readonly before: string;
	readonly after: string;
}

/** Everything in which two views differ, in the order of the columns. Names don't count. */
export function savedViewChanges(before: SavedView, after: SavedView): readonly SavedViewChange[] {
	const scope = SCOPE_PARTS.flatMap(part => {
		const [was, is] = [scopeText(before.scope, part), scopeText(after.scope, part)];
		return was === is ? [] : [{view: 'all' as const, part, before: was, after: is}];
	});
	const columns = VIEWS.flatMap(view =>
		PARTS.flatMap(part => {
			const [was, is] = [partText(before.columns[view], part), partText(after.columns[view], part)];
			return was === is ? [] : [{view, part, before: was, after: is}];
		}),
	);
	const [was, is] = [shownViewsText(before.shownViews), shownViewsText(after.shownViews)];
	const shown = was === is ? [] : [{view: 'all' as const, part: 'columns' as const, before: was, after: is}];
	return [...shown, ...scope, ...columns];
}

function partText({sortBy, sortOrder, window, filter, fields}: SavedColumn, part: SavedPart): string {
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

/*
 * One line of text that a person can send to another:
 *
 *   pulsetop-view/1 name="Fresh" new.sort=created:desc new.window=5m new.filter="dev<5% age<10m" new.fields=mcap,age,risk ... chains=solana,base
 *
 * What a line leaves out stays as it is on the reader's screen. Curly quotes, which chat programs make, count as straight ones.
 */
const HEAD = 'pulsetop-view/1';
const WORD = /\s*([\w.-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))(?=\s|$)/y;

/** Whether a text is meant to be a saved view. */
export function looksLikeSavedView(text: string): boolean {
	return text.trimStart().startsWith('pulsetop-view');
}

/** The view as one line. `readSavedView` of it gives the same view. */
export function formatSavedView({name, columns, scope, shownViews}: SavedView): string {
	// What every earlier version shows need not be said, and TRENDING, which it does not know, only where it matters.
	const isUsual = PARTS.every(
		part => partText(columns.trending, part) === partText(DEFAULT_SAVED_VIEW.columns.trending, part),
	);
	const parts = (isUsual ? listedViews({shownViews}) : VIEWS).flatMap(view => [
		`${view}.sort=${partText(columns[view], 'sort')}`,
		`${view}.window=${partText(columns[view], 'window')}`,
		`${view}.filter=${quoted(columns[view].filter)}`,
		`${view}.fields=${partText(columns[view], 'fields')}`,
	]);
	const narrowed = SCOPE_PARTS.filter(part => scope[part].length > 0).map(part => `${part}=${scopeText(scope, part)}`);
	const shown = isSameShown(shownViews, DEFAULT_VIEWS) ? [] : [`columns=${shownViewsText(shownViews)}`];
	return [HEAD, `name=${quoted(name)}`, ...parts, ...narrowed, ...shown].join(' ');
}

function quoted(text: string): string {
	return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

export type ReadSavedView =
	| {readonly ok: true; readonly savedView: SavedView}
	| {readonly ok: false; readonly problem: string};

/**
 * Reads a line that somebody sent. Never throws; a name that is not known, and a filter with a mistake, are refused.
 * @param base what holds where the line says nothing
 */
export function readSavedView(line: string, base: SavedView): ReadSavedView {
	const text = line.replace(/[“”„]/g, '"').replace(/\s+/g, ' ').trim();
	if (!text.startsWith(HEAD) || !/^(?: |$)/.test(text.slice(HEAD.length))) {
		return refused(
			text.startsWith('pulsetop-view/')
				? 'the line was written by a newer version'
				: `a saved view is a line that begins with ${HEAD}`,
		);
	}
	let {name} = base;
	let {scope, shownViews} = base;
	const columns = {...base.columns};
	WORD.lastIndex = HEAD.length;
	while (WORD.lastIndex < text.length) {
		const at = WORD.lastIndex;
		const found = WORD.exec(text);
		if (!found) return refused(`“${text.slice(at).trim().slice(0, 20)}” is not name=value`);
		const [, key = '', inQuotes, bare] = found;
		const value = inQuotes === undefined ? (bare ?? '') : inQuotes.replace(/\\(.)/g, '$1');
		if (key === 'name') {
			name = savedViewName(value);
			continue;
		}
		if (key === 'columns') {
			const read = readShownViews(value);
			if (!read.ok) return refused(`${key}: ${read.problem}`);
			shownViews = read.shown;
			continue;
		}
		const scopePart = SCOPE_PARTS.find(known => known === key);
		if (scopePart !== undefined) {
			const read = readScopePart(value, scopePart);
			if (!read.ok) return refused(`${key}: ${read.problem}`);
			scope = {...scope, [scopePart]: read.listed};
			continue;
		}
		const [view, part] = key.split('.') as [ViewName, SavedPart];
		if (!VIEWS.includes(view) || !PARTS.includes(part)) return refused(unknownKey(key));
		const change = readPart(part, value);
		if ('problem' in change) return refused(`${key}: ${change.problem}`);
		columns[view] = {...columns[view], ...change};
	}
	return {ok: true, savedView: {name, columns, scope, shownViews}};
}

function refused(problem: string): ReadSavedView {
	return {ok: false, problem};
}

function unknownKey(key: string): string {
	const known = ['name', 'columns', ...SCOPE_PARTS, ...VIEWS.flatMap(view => PARTS.map(part => `${view}.${part}`))];
	const near = nearest(key, known);
	return `${key} is not known${near === undefined ? '' : `; the nearest is ${near}`}`;
}

function readPart(part: SavedPart, value: string): Partial<SavedColumn> | {readonly problem: string} {
	if (part === 'window') {
		const window = findWindow(value);
		return window ? {window} : {problem: `${value} is no time window`};
	}
	if (part === 'filter') {
		const filter = columnFilterOf(clean(value));
		return filter ? {filter: filter.text} : {problem: `${value} has a mistake`};
	}
	if (part === 'fields') {
		const read = readRowFields(splitRowFields(value));
		return read.ok ? {fields: read.fields} : {problem: read.problem};
	}
	const [word = '', order = 'desc'] = value.split(':');
	const sortBy = findWord(word).word?.sortBy;
	if (sortBy === undefined) return {problem: `a column can't be sorted by ${word}`};
	return order === 'asc' || order === 'desc' ? {sortBy, sortOrder: order} : {problem: `${order} is not asc or desc`};
}

/** A view in a few words: what the columns are sorted by, and how many have a filter. */
export function savedViewSummary({columns, shownViews}: SavedView): string {
	const views = listedViews({shownViews});
	const sorts = views.map(view => wordOf(columns[view].sortBy)).join(', ');
	const filters = views.filter(view => columns[view].filter !== '').length;
	return filters === 0 ? sorts : `${sorts}; ${filters} filter${filters === 1 ? '' : 's'}`;
}
