import type {Field} from './fields.ts';
import {type Filter, KEYWORD_FIELDS, matches, type Read} from './filter.ts';
import {isUnknown} from './filter-test.ts';

/** Kinds of values that every service reports in the same way. Texts differ from service to service, except addresses. */
const PLAIN: ReadonlySet<Field['kind']> = new Set(['number', 'integer', 'usd', 'percent', 'date', 'boolean']);

const NAMES = KEYWORD_FIELDS.filter(({name}) => name !== 'description');

/**
 * Whether a filter keeps a row, judged by the row alone: undefined where a deciding value is unknown, changes with the
 * time, or is text other than an address or a name. A description that is not reported is none.
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
			if (!PLAIN.has(filter.field.kind) && filter.fold !== 'address') return undefined;
			return isUnknown(read(filter.field)) ? undefined : matches(filter, read, 0);
		case 'security':
			return filter.flag.kind === 'text' || isUnknown(read(filter.flag)) ? undefined : matches(filter, read, 0);
		case 'keywords':
			return NAMES.some(field => isUnknown(read(field))) ? undefined : matches(filter, read, 0);
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
