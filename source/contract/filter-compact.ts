import {findField} from './fields.ts';

/**
 * The clauses of compact filter text `field:min:max,field2:min:max` in the form of a filter object's members
 * (contract gaps 3.4): `min` and `max` are inclusive and an empty one is open; `null` as min means a known value; for
 * text and booleans min is the value itself. A part that has no colon, or neither bound, is no filter.
 * Names and values are not checked here: that is done when the members are read.
 */
export function readCompact(text: string): readonly (readonly [field: string, condition: unknown])[] {
	return text.split(',').flatMap(part => {
		const at = part.indexOf(':');
		if (at <= 0) return [];
		const name = part.slice(0, at).trim();
		const condition = conditionOf(name, part.slice(at + 1).trim());
		return condition === undefined ? [] : [[name, condition] as const];
	});
}

/** A moment holds colons itself: `created_at:2026-01-01T00:00:00Z:2026-01-02`. */
const DATE_BOUNDS = /^(null|\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?|[^:]*)(?::(.*))?$/;

function conditionOf(name: string, bounds: string): unknown {
	const kind = findField(name)?.kind;
	if (kind === 'text') return bounds === '' ? undefined : value(bounds.replace(/:$/, ''));
	const [, min = '', max = ''] =
		(kind === 'date' ? DATE_BOUNDS.exec(bounds) : /^([^:]*)(?::(.*))?$/.exec(bounds)) ?? [];
	if (kind === 'boolean') return min === '' ? undefined : value(min);
	if (min === '' && max === '') return undefined;
	const lower = min === '' ? {} : min === 'null' ? {not: null} : {gte: min};
	return max === '' ? lower : {...lower, lte: max};
}

function value(text: string): unknown {
	return text === 'null' ? {not: null} : {equals: text};
}
