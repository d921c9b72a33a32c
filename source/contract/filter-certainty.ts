import type {Field} from './fields.ts';
import {type Filter, KEYWORD_FIELDS, matches, type Read} from './filter.ts';
import {isUnknown, type OrderOp} from './filter-test.ts';

/** Kinds of values that every service reports in the same way. Texts differ from service to service, except addresses. */
const PLAIN: ReadonlySet<Field['kind']> = new Set(['number', 'integer', 'usd', 'percent', 'date', 'boolean']);

const ORDERED: ReadonlySet<string> = new Set<OrderOp>(['gt', 'gte', 'lt', 'lte']);
/** A service that filters may be this far behind the present, ms. */
const AGE_MARGIN_MS = 60_000;
const NAMES = KEYWORD_FIELDS.filter(({name}) => name !== 'description');

/**
 * Whether a filter keeps a row, judged by the row alone: undefined where a deciding value is unknown, is text other than an
 * address or a name, or is an age close to its limit. A token without a reported description has none.
 * @param read the row's values as `matches` takes them
 * @param nowMs the clock of the market; undefined: no age is certain
 */
export function certainly(filter: Filter, read: Read, nowMs: number | undefined): boolean | undefined {
	switch (filter.kind) {
		case 'and':
			return allCertain(filter.of.map(part => certainly(part, read, nowMs)));
		case 'or': {
			const none = allCertain(filter.of.map(part => opposite(certainly(part, read, nowMs))));
			return opposite(none);
		}
		case 'not':
			return opposite(certainly(filter.of, read, nowMs));
		case 'compare':
			if (!PLAIN.has(filter.field.kind) && filter.fold !== 'address') return undefined;
			return isUnknown(read(filter.field)) ? undefined : matches(filter, read, 0);
		case 'security':
			return filter.flag.kind === 'text' || isUnknown(read(filter.flag)) ? undefined : matches(filter, read, 0);
		case 'keywords':
			return NAMES.some(field => isUnknown(read(field))) ? undefined : matches(filter, read, 0);
		case 'age': {
			if (nowMs === undefined || !ORDERED.has(filter.op)) return undefined;
			if (isUnknown(read(filter.field))) return undefined;
			const verdict = matches(filter, read, nowMs - AGE_MARGIN_MS);
			return verdict === matches(filter, read, nowMs + AGE_MARGIN_MS) ? verdict : undefined;
		}
	}
}

function allCertain(verdicts: readonly (boolean | undefined)[]): boolean | undefined {
	if (verdicts.includes(false)) return false;
	return verdicts.includes(undefined) ? undefined : true;
}

function opposite(verdict: boolean | undefined): boolean | undefined {
	return verdict === undefined ? undefined : !verdict;
}
