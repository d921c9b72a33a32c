import {foldAddress} from '../../address.ts';
import type {Entry} from '../../contract/entry.ts';
import type {Dropped, Frame, ViewData} from '../stream/frames.ts';
import {mergeEntry, type Normaliser} from '../wire/normalise.ts';
import type {ClientFilter} from './client-filter.ts';

/** An update of a view: the whole view, or the changes. */
export type ViewUpdate =
	| {readonly kind: 'snapshot'; readonly entries: readonly Entry[]; readonly total: number | undefined}
	| {readonly kind: 'change'; readonly upserts: readonly Entry[]; readonly removed: readonly string[]};

/** A REST request for the view that is under way. */
export interface PendingRequest {
	readonly generation: number;
	/** The number of the stream's last message before the request left. */
	readonly since: number;
	/** Grows with every request. */
	readonly order: number;
}

/**
 * The entries of one view, from two sources. A full view of the stream wins over every REST response that was requested
 * earlier; changes that arrive while a REST request is under way are applied again to the response.
 */
export interface ViewState {
	/** Starts a new generation: the entries stay until the first full view; older responses no longer count. */
	renew(): void;
	readonly generation: number;
	readonly isPending: boolean;
	/** Takes a full view of the stream. */
	replace(data: ViewData): ViewUpdate;
	/** Takes a change of the stream; undefined when there is nothing to report. */
	apply(change: Change): ViewUpdate | undefined;
	/** Call before a REST request leaves. */
	startRequest(): PendingRequest;
	/** Takes the response to a request; undefined when newer data is known. */
	applyResponse(request: PendingRequest, data: ViewData): readonly ViewUpdate[] | undefined;
	/** Call when a request is over, successful or not. */
	endRequest(request: PendingRequest): void;
	/** Differs after every new request and every message of the stream. */
	readonly version: string;
	readonly droppedEntries: number;
	readonly size: number;
	/** The keys of the entries now. */
	keys(): ReadonlySet<string>;
	/** The service ignores the filters: the last full view held non-matching entries, which are removed here. */
	readonly isUnfiltered: boolean;
	/**
	 * Whether the service sorts as the current request says. The stream may send rows in any order: only REST proves that the
	 * sort is ignored. Undefined while nothing speaks against it.
	 */
	readonly order: 'kept' | 'ignored' | 'unproven' | undefined;
}

/** The frames that change a part of a view. */
export type Change = Frame & {kind: 'put' | 'drop' | 'merge'};

/** With more changes than this during one REST request, the response is dropped and requested again. */
const MAX_KEPT_CHANGES = 5_000;
/** A service that filters may lag with this share of a view, or with one entry of a small one. */
const NON_MATCHING_SHARE = 0.1;

/**
 * @param name the view's name in frames
 * @param capacity maximum number of entries: bounds the memory where a service never sends removals
 * @param clientFilter finds entries that certainly do not match the current request
 * @param isOutOfOrder whether entries come in another order than the current request's
 */
export function createViewState(
	name: string,
	normaliser: Normaliser,
	capacity: () => number,
	clientFilter: () => ClientFilter | undefined = () => undefined,
	isOutOfOrder: (entries: readonly Entry[]) => boolean = () => false,
): ViewState {
	/** In the order of their last change. */
	let entries = new Map<string, Entry>();
	let generation = 1;
	let isPending = true;
	let droppedEntries = 0;
	let isUnfiltered = false;
	let order: ViewState['order'];
	/** Messages of the stream about this view are numbered: the last message, and the last full view. */
	let lastAt = 0;
	let fullAt = 0;
	/** Changes that arrived while a REST request was under way. */
	let kept: {readonly at: number; readonly change: Change}[] = [];
	const pending = new Set<PendingRequest>();
	/** The number of requests so far, and of the youngest with a response. */
	let requests = 0;
	let answered = 0;

	function endRequest(request: PendingRequest): void {
		pending.delete(request);
		if (pending.size === 0) kept = [];
	}

	function readAll(data: ViewData, source: 'rest' | 'stream'): ViewUpdate {
		const read = normaliser.entries(data.data);
		droppedEntries += read.dropped;
		if (source === 'rest') order = isOutOfOrder(read.entries) ? 'ignored' : 'kept';
		else if (order === undefined && isOutOfOrder(read.entries)) order = 'unproven';
		const isNonMatching = clientFilter();
		const nonMatching = new Set(isNonMatching && read.entries.filter(isNonMatching));
		isUnfiltered = nonMatching.size > Math.max(1, read.entries.length * NON_MATCHING_SHARE);
		const matching = isUnfiltered ? read.entries.filter(entry => !nonMatching.has(entry)) : read.entries;
		entries = new Map(matching.map(entry => [entry.key, entry]));
		isPending = false;
		return {kind: 'snapshot', entries: matching, total: isUnfiltered ? undefined : data.total};
	}

	/** Removes non-matching entries. Returns the keys of those that the view had before. */
	function removeNonMatching(upserts: readonly Entry[], before: ReadonlySet<string>): string[] {
		const isNonMatching = clientFilter();
		if (!isNonMatching) return [];
		const nonMatching = upserts.filter(isNonMatching).map(entry => entry.key);
		for (const key of nonMatching) entries.delete(key);
		return nonMatching.filter(key => before.has(key));
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
		const changed = wires.map(put).filter(entry => entry !== undefined);
		const removed = isUnfiltered ? [...removeNonMatching(changed, before), ...trim()] : trim();
		const upserts = isUnfiltered ? changed.filter(entry => entries.has(entry.key)) : changed;
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
		const folded = foldAddress(address);
		return entries.values().find(entry => foldAddress(read(entry) ?? '') === folded)?.key;
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
		keys: () => new Set(entries.keys()),
		get isUnfiltered() {
			return isUnfiltered;
		},
		get order() {
			return order;
		},
		renew() {
			generation++;
			isPending = true;
			order = undefined;
			pending.clear();
			kept = [];
		},
		replace(data) {
			fullAt = ++lastAt;
			kept = [];
			return readAll(data, 'stream');
		},
		apply(change) {
			lastAt++;
			if (pending.size > 0) kept.push({at: lastAt, change});
			if (kept.length > MAX_KEPT_CHANGES) {
				pending.clear();
				kept = [];
			}
			// No entries to change yet: the first full view is on its way, over the stream or by REST.
			return isPending ? undefined : perform(change);
		},
		startRequest() {
			const request = {generation, since: lastAt, order: ++requests};
			pending.add(request);
			return request;
		},
		applyResponse(request, data) {
			const isOld = request.generation !== generation || fullAt > request.since || request.order < answered;
			if (isOld || !pending.has(request)) {
				endRequest(request);
				return undefined;
			}
			answered = request.order;
			const replay = kept.filter(({at}) => at > request.since);
			const updates = [
				readAll(data, 'rest'),
				...replay.map(({change}) => perform(change)).filter(update => update !== undefined),
			];
			endRequest(request);
			return updates;
		},
		endRequest,
		get version() {
			return `${generation}.${lastAt}`;
		},
	};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}
