import {isDeepStrictEqual} from 'node:util';
import type {Entry} from '../../contract/entry.ts';
import {conflated, type ViewChanges} from '../feed/feed-buffer.ts';
import {blankEntry, ENTRY_FIELDS} from '../wire/entry-shape.ts';
import type {EntryDelta, ViewDelta} from './thread-messages.ts';

/*
 * Entries have about two hundred fields, of which a trade changes a few dozen. Both threads keep the last entry of each
 * token of a view, so that only changed fields are copied between them, and an unchanged entry stays the same object.
 */

/** Encodes the changes of one view as deltas. The decoder must get every delta, in the same order. */
export class DeltaEncoder {
	readonly #lastSent = new Map<string, Entry>();

	encode(view: string, {snapshot, source, missed, changes, atMs}: ViewChanges): ViewDelta {
		const {upserts, removed} = conflated(changes);
		const entries = snapshot?.map(entry => encodeEntry(this.#lastSent.get(entry.key), entry));
		if (snapshot) replaceAll(this.#lastSent, snapshot);
		const changed = upserts.map(entry => encodeEntry(this.#lastSent.get(entry.key), entry));
		for (const key of removed) this.#lastSent.delete(key);
		for (const entry of upserts) this.#lastSent.set(entry.key, entry);
		return {
			view,
			...(entries && {snapshot: entries}),
			...(source && {source}),
			...(missed && {missed: missed.map(entry => encodeEntry(undefined, entry))}),
			upserts: changed,
			removed,
			atMs,
		};
	}
}

/** Decodes the deltas of a DeltaEncoder. */
export class DeltaDecoder {
	readonly #lastReceived = new Map<string, Entry>();

	/** The entries of the snapshot, if there is one, the entries missed before the snapshot, and the entries changed after it. */
	decode({snapshot, missed, upserts, removed}: ViewDelta): {
		readonly snapshot?: Entry[];
		readonly missed?: Entry[];
		readonly upserts: Entry[];
	} {
		const entries = snapshot?.map(entry => decodeEntry(this.#lastReceived.get(entry.key), entry));
		if (entries) replaceAll(this.#lastReceived, entries);
		const changed = upserts.map(entry => decodeEntry(this.#lastReceived.get(entry.key), entry));
		for (const key of removed) this.#lastReceived.delete(key);
		for (const entry of changed) this.#lastReceived.set(entry.key, entry);
		return {
			...(entries && {snapshot: entries}),
			...(missed && {missed: missed.map(entry => decodeEntry(undefined, entry))}),
			upserts: changed,
		};
	}
}

function replaceAll(known: Map<string, Entry>, entries: readonly Entry[]): void {
	known.clear();
	for (const entry of entries) known.set(entry.key, entry);
}

function encodeEntry(before: Entry | undefined, after: Entry): EntryDelta {
	const places: number[] = [];
	const values: unknown[] = [];
	for (const [place, name] of ENTRY_FIELDS.entries()) {
		if (isSame(before?.[name], after[name])) continue;
		places.push(place);
		values.push(after[name]);
	}
	return {key: after.key, places, values};
}

function decodeEntry(before: Entry | undefined, {places, values}: EntryDelta): Entry {
	if (before !== undefined && places.length === 0) return before;
	const entry: Record<string, unknown> = before === undefined ? blankEntry() : {...before};
	for (let i = 0; i < places.length; i++) entry[ENTRY_FIELDS[places[i]!]!] = values[i];
	return entry as unknown as Entry;
}

function isSame(a: unknown, b: unknown): boolean {
	return a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b));
}
