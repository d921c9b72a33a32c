import type {Field} from './fields.ts';
import {type Filter, matches, type Read} from './filter.ts';
import {isUnknown} from './filter-test.ts';

/** Kinds of values that every service reports in the same way; texts differ from service to service. */
const PLAIN: ReadonlySet<Field['kind']> = new Set(['number', 'integer', 'usd', 'percent', 'date', 'boolean']);

/**
 * Whether a filter keeps a row, judged by the row alone: undefined where a deciding value is unknown, changes with the
 * time, or is text.
 * @param read the row's values as `matches` takes them
 */
export function certainly(filter: Filter, read: Read): boolean | undefined {
	switch (filter.kind) {
		case 'and':
			return allCertain(filter.of.map(part => certainly(part, read)));
		case 'or': {
			const none = allCertain(filter.of.map(part => opposite(certainly(part, read))));
			return opposite(none);
		}
		case 'not':
			return opposite(certainly(filter.of, read));
		case 'compare':
			return PLAIN.has(filter.field.kind) && !isUnknown(read(filter.field)) ? matches(filter, read, 0) : undefined;
		default:
			return undefined;
	}
}

function allCertain(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
	if (verdicts.includes(false)) return false;
	return verdicts.includes(undefined) ? undefined : true;
}

function opposite(verdict: boolean | undefined): boolean | undefined {
	return verdict === undefined ? undefined : !verdict;
}
