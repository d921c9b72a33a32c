import {nearest} from '../../nearest.ts';
import {clean} from '../../text.ts';
import {readRowFields, splitRowFields} from '../columns/row-fields.ts';
import {readScopePart, scopeText} from '../columns/scope.ts';
import {DEFAULT_VIEWS, isSameShown, listedViews, readShownViews, shownViewsText} from '../columns/shown-views.ts';
import {columnFilterOf} from '../filter/column-filter.ts';
import {findWindow, findWord} from '../filter/field-words.ts';
import {VIEWS, type ViewName} from '../views.ts';
import {
	DEFAULT_SAVED_VIEW,
	partText,
	SAVED_PARTS,
	type SavedColumn,
	type SavedPart,
	type SavedView,
	SCOPE_PARTS,
	savedViewName,
} from './saved-view.ts';

/*
 * A saved view as one line of text, to copy and paste:
 *
 *   pulsetop-view/1 name="Fresh" new.sort=created:desc new.window=5m new.filter="dev<5% age<10m" new.fields=mcap,age,risk ... chains=solana,base
 *
 * Settings that a line does not have stay unchanged. Curly quotes, which chat programs insert, are read as straight ones.
 */
const HEAD = 'pulsetop-view/1';
const WORD = /\s*([\w.-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))(?=\s|$)/y;

/** Whether a text is meant to be a saved view. */
export function looksLikeSavedView(text: string): boolean {
	return text.trimStart().startsWith('pulsetop-view');
}

/** The view as one line, which `readSavedView` reads. */
export function formatSavedView({name, columns, scope, shownViews}: SavedView): string {
	// Earlier versions refuse a line with TRENDING: its settings are written only when they are not the default.
	const isDefault = SAVED_PARTS.every(
		part => partText(columns.trending, part) === partText(DEFAULT_SAVED_VIEW.columns.trending, part),
	);
	const parts = (isDefault ? listedViews({shownViews}) : VIEWS).flatMap(view => [
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
 * Reads a pasted line. Never throws; an unknown name and a filter with a mistake are problems.
 * @param base the settings that the line does not have
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
		if (!VIEWS.includes(view) || !SAVED_PARTS.includes(part)) return refused(unknownKey(key));
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
	const known = [
		'name',
		'columns',
		...SCOPE_PARTS,
		...VIEWS.flatMap(view => SAVED_PARTS.map(part => `${view}.${part}`)),
	];
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
