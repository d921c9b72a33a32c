import {type FieldName, fieldOf} from '../../contract/fields.ts';
import {isSortable, type SortOrder} from '../../contract/sort.ts';
import {findWord} from './field-words.ts';

/** A typed sort, or its problem with the correction. */
export type ReadSort =
	| {readonly ok: true; readonly sortBy: FieldName; readonly sortOrder: SortOrder}
	| {readonly ok: false; readonly what: string; readonly why: string};

/** Reads `volume_1h desc`, `vol5m:asc` or `age`. By default figures are sorted largest first, ages youngest first. */
export function readColumnSort(text: string): ReadSort {
	const [, name = '', direction] = /^\s*(.+?)(?:[\s:]+(asc|desc))?\s*$/i.exec(text) ?? [];
	const {word, suggestion} = findWord(name);
	if (word?.sortBy === undefined || !isSortable(fieldOf(word.sortBy))) {
		return {
			ok: false,
			what: word ? `Nothing can be sorted by ${word.label}` : `"${name}" is not a field`,
			why:
				suggestion === undefined
					? 'Name a figure or a date, as in "volume_1h desc".'
					: `The nearest is "${suggestion}".`,
		};
	}
	const isAge = word.kind === 'age';
	const order = direction?.toLowerCase() ?? (isAge ? 'asc' : 'desc');
	// A greater age is an earlier creation.
	return {ok: true, sortBy: word.sortBy, sortOrder: (order === 'asc') === isAge ? 'desc' : 'asc'};
}
