import type {Entry} from '../contract/entry.ts';
import type {Dropped, Frame, ViewData} from './frames.ts';
import {mergeEntry, type Normaliser} from './normalise.ts';
import type {Sieve} from './view-sieve.ts';

/** What a view became: all of it, or what changed. */
export type ViewUpdate =
	| {readonly kind: 'snapshot'; readonly entries: readonly Entry[]; readonly total: number | undefined}
	| {readonly kind: 'change'; readonly upserts: readonly Entry[]; readonly removed: readonly string[]};

/** A REST request for the view that is under way. */
export interface Asking {
	readonly generation: number;
	/** The last that the stream had said by then. */
	readonly since: number;
	/** Grows with every request. */
	readonly order: number;
}

/**
 * What the feed knows of one view. It decides which of two sources is newer: the stream's full view beats every REST
 * answer that was asked for before it; changes that arrive while REST is asked are applied to its answer again.
 */
export interface ViewState {
	/** A new request: what is known stays until its first full view; older answers no longer count. */
	renew(): void;
	readonly generation: number;
	readonly isPending: boolean;
	/** A full view of the stream. */
	replace(data: ViewData): ViewUpdate;
	/** A change from the stream; undefined when nothing is to be told now. */
	apply(change: Change): ViewUpdate | undefined;
	/** To be called when REST is asked, before the request leaves. */
	ask(): Asking;
	/** Its answer; undefined when something newer is known already. */
	answer(asking: Asking, data: ViewData): readonly ViewUpdate[] | undefined;
	/** The request is over, whatever came of it. */
	settle(asking: Asking): void;
	/** Changes with every new request and with everything that the stream says. */
	readonly version: string;
	readonly droppedEntries: number;
	readonly size: number;
	/** The last full view was not what was asked for: the service knows no filters. What does not belong is left out here. */
	readonly isUnfiltered: boolean;
}

/** The frames that change a part of a view. */
export type Change = Frame & {kind: 'put' | 'drop' | 'merge'};

/** More changes than this while REST is asked are not kept: its answer is dropped, and asked for again. */
const MAX_KEPT_CHANGES = 5_000;
/** A service that filters may be a moment behind itself with this part of a view, and with one entry of a small one. */
const ODD_PART = 0.1;

/**
 * @param name the view's name in frames
 * @param capacity most entries that are remembered; a service that never says what left would fill the memory otherwise
 * @param sieve what certainly does not belong to the view, as it is asked for now
 */
export function createViewState(
	name: string,
	normaliser: Normaliser,
	capacity: () => number,
	sieve: () => Sieve | undefined = () => undefined,
): ViewState {
	/** In the order of their last change. */
	let entries = new Map<string, Entry>();
	let generation = 1;
	let isPending = true;
	let droppedEntries = 0;
	let isUnfiltered = false;
	/** Everything the stream said of this view is numbered: the last of it, and its last full view. */
	let lastAt = 0;
	let fullAt = 0;
	/** Changes that came while REST was asked. */
	let kept: {readonly at: number; readonly change: Change}[] = [];
	const asked = new Set<Asking>();
	/** How many requests there were, and the youngest that was answered. */
	let requests = 0;
	let answered = 0;

	function settle(asking: Asking): void {
		asked.delete(asking);
		if (asked.size === 0) kept = [];
	}

	function readAll(data: ViewData): ViewUpdate {
		const read = normaliser.entries(data.data);
		droppedEntries += read.dropped;
		const isOdd = sieve();
		const odd = new Set(isOdd && read.entries.filter(isOdd));
		isUnfiltered = odd.size > Math.max(1, read.entries.length * ODD_PART);
		const kept = isUnfiltered ? read.entries.filter(entry => !odd.has(entry)) : read.entries;
		entries = new Map(kept.map(entry => [entry.key, entry]));
		isPending = false;
		return {kind: 'snapshot', entries: kept, total: isUnfiltered ? undefined : data.total};
	}

	/** Takes those out again that do not belong. Returns the keys of those that were there before. */
	function sift(upserts: readonly Entry[], before: ReadonlySet<string>): string[] {
		const isOdd = sieve();
		if (!isOdd) return [];
		const odd = upserts.filter(isOdd).map(entry => entry.key);
		for (const key of odd) entries.delete(key);
		return odd.filter(key => before.has(key));
	}

	function put(wire: unknown): Entry | undefined {
		const entry = normaliser.entry(wire);
		if (entry === undefined) {
			droppedEntries++;
			return undefined;
		}
		const known = entries.get(entry.key);
		const merged = known === undefined ? entry : mergeEntry(known, entry);
		entries.delete(entry.key);
		entries.set(entry.key, merged);
		return merged;
	}

	function trim(): string[] {
		const excess = entries.size - capacity();
		if (excess <= 0) return [];
		const stale = [...entries.keys().take(excess)];
		for (const key of stale) entries.delete(key);
		return stale;
	}

	function perform(change: Change): ViewUpdate | undefined {
		if (change.kind === 'drop') {
			const key = findKey(change.which);
			if (key === undefined || !entries.delete(key)) return undefined;
			return {kind: 'change', upserts: [], removed: [key]};
		}
		const wires = change.kind === 'put' ? [change.wire] : listOf(change.views.get(name)?.data);
		const before = new Set(isUnfiltered ? entries.keys() : []);
		const told = wires.map(put).filter(entry => entry !== undefined);
		const removed = isUnfiltered ? [...sift(told, before), ...trim()] : trim();
		const upserts = isUnfiltered ? told.filter(entry => entries.has(entry.key)) : told;
		return upserts.length + removed.length === 0 ? undefined : {kind: 'change', upserts, removed};
	}

	function findKey(which: Dropped): string | undefined {
		switch (which.by) {
			case 'key':
				return which.key;
			case 'entry':
				return normaliser.entry(which.wire)?.key;
			case 'pool':
				return findBy(entry => entry.pool_address, which.address);
			case 'address':
				return findBy(entry => entry.address, which.address);
		}
	}

	function findBy(read: (entry: Entry) => string | undefined, address: string): string | undefined {
		const wanted = fold(address);
		return entries.values().find(entry => fold(read(entry) ?? '') === wanted)?.key;
	}

	return {
		get generation() {
			return generation;
		},
		get isPending() {
			return isPending;
		},
		get droppedEntries() {
			return droppedEntries;
		},
		get size() {
			return entries.size;
		},
		get isUnfiltered() {
			return isUnfiltered;
		},
		renew() {
			generation++;
			isPending = true;
			asked.clear();
			kept = [];
		},
		replace(data) {
			fullAt = ++lastAt;
			kept = [];
			return readAll(data);
		},
		apply(change) {
			lastAt++;
			if (asked.size > 0) kept.push({at: lastAt, change});
			if (kept.length > MAX_KEPT_CHANGES) {
				asked.clear();
				kept = [];
			}
			// Nothing to change yet: the first full view is on its way, over the stream or by REST.
			return isPending ? undefined : perform(change);
		},
		ask() {
			const asking = {generation, since: lastAt, order: ++requests};
			asked.add(asking);
			return asking;
		},
		answer(asking, data) {
			const isOld = asking.generation !== generation || fullAt > asking.since || asking.order < answered;
			if (isOld || !asked.has(asking)) {
				settle(asking);
				return undefined;
			}
			answered = asking.order;
			const replay = kept.filter(({at}) => at > asking.since);
			const updates = [
				readAll(data),
				...replay.map(({change}) => perform(change)).filter(update => update !== undefined),
			];
			settle(asking);
			return updates;
		},
		settle,
		get version() {
			return `${generation}.${lastAt}`;
		},
	};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function fold(address: string): string {
	return address.startsWith('0x') ? address.toLowerCase() : address;
}
