import type {Entry} from '../../contract/entry.ts';
import {isUnknown} from '../../contract/filter-test.ts';
import {compareValues, parseSort} from '../../contract/sort.ts';
import {unlessInvalid} from '../../contract/wire-error.ts';
import type {ViewRequest} from './feed-events.ts';

/** In a random order half of all pairs are wrong; in an order by figures of a moment ago, a few per cent. */
const WRONG_SHARE = 0.25;
const MIN_ROWS = 10;
/** A service that ignores the limit, too, may send any number of rows. */
const MAX_ROWS = 100;

/**
 * Whether rows of a full view come in another order than the request's, so that the service did not choose them by its sort.
 * False where that is not certain: for few rows with a known figure, and for a sort that this program cannot parse.
 */
export function isOutOfOrder(entries: readonly Entry[], {sortBy, sortOrder}: ViewRequest): boolean {
	const sort = sortBy === undefined ? undefined : unlessInvalid(() => parseSort(sortBy, sortOrder));
	if (sort === undefined) return false;
	const figures = entries.slice(0, MAX_ROWS).map(entry => entry[sort.field.name]);
	const values = figures.filter(figure => !isUnknown(figure));
	if (values.length < MIN_ROWS) return false;
	let pairs = 0;
	let wrong = 0;
	for (const [at, value] of values.entries()) {
		for (const later of values.slice(at + 1)) {
			const side = compareValues(value, later, sort.order);
			if (side !== 0) pairs++;
			if (side > 0) wrong++;
		}
	}
	return wrong > pairs * WRONG_SHARE;
}
