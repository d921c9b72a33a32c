import {FIELDS, type Field, fieldOf, findField} from './fields.ts';
import {isUnknown, type Value} from './filter-test.ts';
import {InvalidRequest, nearestName, quoteForMessage} from './wire-error.ts';

export type SortOrder = 'asc' | 'desc';

/** The order of a view: one field, ties by key (contract gaps 3.5). */
export interface Sort {
	readonly field: Field;
	readonly order: SortOrder;
}

export const DEFAULT_SORT: Sort = {field: fieldOf('created_at'), order: 'desc'};

/** Whether a view can be sorted by a field: figures and dates can. */
export function isSortable(field: Field): boolean {
	return field.kind !== 'text' && field.kind !== 'boolean';
}

/**
 * Reads `sortBy` (any spelling of a numeric or date field) and `sortOrder`; an absent one comes from `fallback`.
 * @param path of the view, goes before the path of an error
 * @throws InvalidRequest for an unknown or unsortable field and for another order than `asc` and `desc`
 */
export function parseSort(sortBy: unknown, sortOrder: unknown, {path = '', fallback = DEFAULT_SORT} = {}): Sort {
	const at = (name: string) => (path === '' ? name : `${path}.${name}`);
	if (sortOrder !== undefined && sortOrder !== 'asc' && sortOrder !== 'desc') {
		throw new InvalidRequest(at('sortOrder'), 'must be asc or desc', `got ${quoteForMessage(sortOrder)}`);
	}
	if (sortBy === undefined) return {field: fallback.field, order: sortOrder ?? fallback.order};
	const field = typeof sortBy === 'string' ? findField(sortBy) : undefined;
	if (field && isSortable(field)) return {field, order: sortOrder ?? 'desc'};
	const sortable = FIELDS.filter(isSortable).map(f => f.name);
	const near = typeof sortBy === 'string' ? nearestName(sortBy, sortable) : undefined;
	const got = `got ${quoteForMessage(sortBy)}`;
	throw new InvalidRequest(
		at('sortBy'),
		field ? 'must be a figure or a date' : 'is not a field that can be sorted by',
		near === undefined ? got : `${got}; the nearest name is ${near}`,
	);
}

/** Compares two values of the sort field: unknown last in both orders; 0 for a tie. */
export function compareValues(a: Value, b: Value, order: SortOrder): number {
	const [unknownA, unknownB] = [isUnknown(a), isUnknown(b)];
	if (unknownA || unknownB) return Number(unknownA) - Number(unknownB);
	if (a === b) return 0;
	return a! < b! === (order === 'asc') ? -1 : 1;
}

/**
 * Compares two rows: by value, unknown last, ties by key ascending in both orders, so that paging by offset is stable.
 * @param a value of the sort field and the key (`<chainId>|<address>`) of a row
 */
export function compareRows(a: SortedRow, b: SortedRow, order: SortOrder): number {
	return compareValues(a.value, b.value, order) || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);
}

export interface SortedRow {
	readonly value: Value;
	readonly key: string;
}
