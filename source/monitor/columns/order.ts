import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {compareRows, type SortOrder} from '../../contract/sort.ts';

/**
 * The keys in the order of the service: the stream sends no positions, so the client sorts (contract gaps 1.3).
 * @param pinned keys that come first
 */
export function sortedKeys(
	entries: Iterable<Entry>,
	{sortBy, sortOrder, pinned}: {sortBy: FieldName; sortOrder: SortOrder; pinned: ReadonlySet<string>},
): string[] {
	const rows = Array.from(entries, entry => ({key: entry.key, value: entry[sortBy], pinned: pinned.has(entry.key)}));
	rows.sort((a, b) => Number(b.pinned) - Number(a.pinned) || compareRows(a, b, sortOrder));
	return rows.map(row => row.key);
}
