import type {Entry} from '../../contract/entry.ts';
import type {FieldName} from '../../contract/fields.ts';
import {compareRows, type SortOrder} from '../../contract/sort.ts';

/**
 * The order of a view, as the service has it: the stream sends no positions, so the reader sorts again (contract gaps 1.3).
 * @param pinned keys that stand before all others
 */
export function sortedKeys(
	entries: Iterable<Entry>,
	{sortBy, sortOrder, pinned}: {sortBy: FieldName; sortOrder: SortOrder; pinned: ReadonlySet<string>},
): string[] {
	const rows = Array.from(entries, entry => ({key: entry.key, value: entry[sortBy], pinned: pinned.has(entry.key)}));
	rows.sort((a, b) => Number(b.pinned) - Number(a.pinned) || compareRows(a, b, sortOrder));
	return rows.map(row => row.key);
}
