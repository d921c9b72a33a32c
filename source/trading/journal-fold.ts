import type {JournalRecord} from './journal.ts';
import type {JournalKind} from './journal-labels.ts';

/**
 * Replays the journal's records of one kind of flow.
 * @param claimed kind of the record that stands before a signature, `unsigned` of the record that takes the claim back
 * @param next an item after one of its records; undefined as input for the first one, which is a claim
 * @returns the last state of every item by its id, the newest last; an item whose only claim was taken back is left out
 */
export function foldClaims<Item>(
	records: readonly JournalRecord[],
	{claimed, unsigned}: {readonly claimed: JournalKind; readonly unsigned?: JournalKind},
	next: (item: Item | undefined, record: JournalRecord) => Item | undefined,
): ReadonlyMap<string, Item> {
	const items = new Map<string, Item>();
	/** Items as they were before their last claim. */
	const before = new Map<string, Item | undefined>();
	for (const record of records) {
		const {kind, id} = record;
		const known = items.get(id);
		if (kind === claimed) before.set(id, known);
		else if (known === undefined) continue;
		const item = kind === unsigned ? before.get(id) : next(known, record);
		if (item === undefined) items.delete(id);
		else items.set(id, item);
	}
	return items;
}
