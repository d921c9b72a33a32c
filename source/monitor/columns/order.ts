import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {isUnknown} from '../../contract/filter-test.ts';
import {compareRows, compareValues, type SortOrder} from '../../contract/sort.ts';

/**
 * The keys in the order of the service: the stream sends no positions, so the client sorts (contract gaps 1.3). Rows whose
 * figure is unknown come last, the newest launch first: some services report no date of bonding at all.
 * @param pinned keys that come first
 */
export function sortedKeys(
	entries: Iterable<Entry>,
	{sortBy, sortOrder, pinned}: {sortBy: FieldName; sortOrder: SortOrder; pinned: ReadonlySet<string>},
): string[] {
	const rows = Array.from(entries, entry => {
		const {key, created_at, [sortBy]: value} = entry;
		return {key, value, pinned: pinned.has(key), launchMs: isUnknown(value) ? created_at : undefined};
	});
	rows.sort(
		(a, b) =>
			Number(b.pinned) - Number(a.pinned) ||
			compareValues(a.value, b.value, sortOrder) ||
			compareRows({key: a.key, value: a.launchMs}, {key: b.key, value: b.launchMs}, 'desc'),
	);
	return rows.map(row => row.key);
}
