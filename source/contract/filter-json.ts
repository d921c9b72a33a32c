import type {Filter, Leaf} from './filter.ts';

/**
 * The filter as a request writes it; `parseFilters` of it is the same filter again. Text that is compared without regard
 * to case goes out in lower case.
 */
export function filterToJson(filter: Filter): Record<string, unknown> {
	switch (filter.kind) {
		case 'and': {
			const parts = filter.of.map(filterToJson);
			return mergeable(parts) ? Object.assign({}, ...parts) : {AND: parts};
		}
		case 'or':
			return {OR: filter.of.map(filterToJson)};
		case 'not':
			return {NOT: filterToJson(filter.of)};
		default:
			return leafToJson(filter);
	}
}

function leafToJson(leaf: Leaf): Record<string, unknown> {
	if (leaf.kind === 'keywords') return {[`${leaf.mode}Keywords`]: leaf.words};
	const condition = {[leaf.op]: leaf.value, ...(leaf.fold === 'lower' ? {mode: 'insensitive'} : {})};
	if (leaf.kind === 'security') return {security: {[leaf.flag.name]: condition}};
	return {[leaf.kind === 'age' ? 'created_at_offset' : leaf.field.name]: condition};
}

/** Members of one object are AND-ed, but each name stands only once in it. */
function mergeable(parts: readonly Record<string, unknown>[]): boolean {
	const keys = parts.flatMap(Object.keys);
	return new Set(keys).size === keys.length;
}
