import {isDeepStrictEqual} from 'node:util';
import type {Entry} from '../../contract/entry.ts';
import type {ViewNews} from '../feed-buffer.ts';
import {changedEntry, PLACES} from './compact-entry.ts';
import type {PackedEntry, PackedNews} from './thread-messages.ts';

/*
 * Entries have about two hundred fields, of which a trade changes a few dozen. Both threads remember what was told of each
 * token of a view, so that only what changed is copied from one to the other, and what did not change stays one object.
 */

/** Packs the news of one view. The other end must be given all of them, in the same order. */
export class NewsPacker {
	readonly #told = new Map<string, Entry>();

	pack(view: string, {snapshot, source, upserts, removed, atMs}: ViewNews): PackedNews {
		const entries = snapshot?.map(entry => packed(this.#told.get(entry.key), entry));
		if (snapshot) remember(this.#told, snapshot);
		const changed = [...upserts.values()].map(entry => packed(this.#told.get(entry.key), entry));
		for (const key of removed) this.#told.delete(key);
		for (const entry of upserts.values()) this.#told.set(entry.key, entry);
		return {
			view,
			...(entries && {snapshot: entries}),
			...(source && {source}),
			upserts: changed,
			removed: [...removed],
			atMs,
		};
	}
}

/** The other end of a NewsPacker. */
export class NewsUnpacker {
	readonly #told = new Map<string, Entry>();

	/** The entries of the snapshot, if there is one, and those that changed after it. */
	unpack({snapshot, upserts, removed}: PackedNews): {readonly snapshot?: Entry[]; readonly upserts: Entry[]} {
		const entries = snapshot?.map(entry => unpacked(this.#told.get(entry.key), entry));
		if (entries) remember(this.#told, entries);
		const changed = upserts.map(entry => unpacked(this.#told.get(entry.key), entry));
		for (const key of removed) this.#told.delete(key);
		for (const entry of changed) this.#told.set(entry.key, entry);
		return {...(entries && {snapshot: entries}), upserts: changed};
	}
}

function remember(told: Map<string, Entry>, entries: readonly Entry[]): void {
	told.clear();
	for (const entry of entries) told.set(entry.key, entry);
}

function packed(before: Entry | undefined, after: Entry): PackedEntry {
	const places: number[] = [];
	const values: unknown[] = [];
	for (const [place, name] of PLACES.entries()) {
		if (isSame(before?.[name], after[name])) continue;
		places.push(place);
		values.push(after[name]);
	}
	return {key: after.key, places, values};
}

function unpacked(before: Entry | undefined, {places, values}: PackedEntry): Entry {
	return before !== undefined && places.length === 0 ? before : changedEntry(before, places, values);
}

function isSame(a: unknown, b: unknown): boolean {
	return a === b || (typeof a === 'object' && typeof b === 'object' && isDeepStrictEqual(a, b));
}
