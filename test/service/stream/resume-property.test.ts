import {expect, test} from 'vitest';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {EntryCache} from '../../../source/service/pulse/entry-cache.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {LiveViews} from '../../../source/service/stream/live-views.ts';
import {type Outlet, Subscription} from '../../../source/service/stream/subscription.ts';
import {fc} from '../../helpers/properties.ts';
import type {Frame} from '../helpers/stream-client.ts';
import {TinyLog} from '../helpers/tiny-log.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

/*
 * A reader that is cut off after any frame and goes on at another replica has learnt of every token that a reader without a
 * cut would have been shown: by the first replica up to its position, by the second one from there on.
 */

const TOKENS = 30;
const VIEWS = [
	{name: 'top', sortBy: 'market_cap', limit: 4},
	{name: 'some', sortBy: 'holders_count', limit: 3, filters: {bonded: false}, includeTokens: ['0x1']},
	// Tokens enter by the passing of time alone, which is looked for once a second.
	{name: 'old', sortBy: 'created_at', limit: 3, filters: {created_at_offset: {gt: 1}}},
];
const address = (n: number) => `0x${n.toString(16)}`;
const poolOf = (token: string) => `pool of ${token}`;

/** One entry of the log: what it makes of one token. Undefined: the token is dropped. */
interface Change {
	readonly token: number;
	readonly fields: {readonly market_cap: number; readonly holders_count: number; readonly bonded: boolean} | undefined;
}

/** A replica: the market at some position, its live views, and what they showed at each of its rounds. */
class TinyReplica {
	readonly log = new TinyLog();
	readonly market: TinyMarket;
	readonly views: LiveViews;
	readonly shown: {seq: number; view: string; names: string[]}[] = [];
	readonly #rows = new Map<number, number>();
	readonly #entries: EntryCache;
	readonly #query;

	/** @param shift rows that are not there on other replicas: the same token is in other rows */
	constructor(assetMode: boolean, shift: number) {
		this.market = new TinyMarket({capacity: 512, log: this.log});
		for (let n = 0; n < shift; n++) this.market.free(this.market.add({address: address(900 + n)}));
		this.views = new LiveViews(new PulseEngine(this.market), this.market.table, {log: this.log, reserve: 1});
		this.#entries = new EntryCache(this.market);
		this.#query = parsePulseBody({assetMode, views: VIEWS});
	}

	apply(changes: readonly Change[]): void {
		for (const {token, fields} of changes) {
			this.log.head++;
			this.market.time += 200;
			const row = this.#rows.get(token);
			if (fields === undefined) {
				if (row !== undefined) this.market.free(row);
				this.#rows.delete(token);
			} else if (row === undefined) {
				const made = {
					address: address(token),
					pool_address: poolOf(address(token)),
					created_at: this.market.time,
					...fields,
				};
				this.#rows.set(token, this.market.add(made));
			} else this.market.change(row, fields);
		}
	}

	has(name: string): boolean {
		return [...this.#rows.keys()].some(token => nameOf({address: address(token)}) === name);
	}

	/** A reader, whose frames are kept as they are sent. */
	subscribe(resume?: string) {
		const frames: Frame[] = [];
		/** How many frames it takes before it is slow. */
		const room = {frames: Number.POSITIVE_INFINITY};
		const outlet: Outlet = {
			get isCongested() {
				return room.frames <= 0;
			},
			send: frame => {
				room.frames--;
				frames.push(JSON.parse(String(frame)) as Frame);
			},
		};
		const parts = {views: this.views, entries: this.#entries, outlet, log: this.log};
		return {subscription: new Subscription('s', this.#query, parts, resume), frames, room};
	}

	round(nowMs: number): void {
		this.views.step(this.market.takeChanged(), nowMs);
		for (const {name, names} of this.windows()) this.shown.push({seq: this.log.head, view: name, names});
	}

	/** What each round showed that the one before did not. */
	entered(wanted: string): {seq: number; view: string; names: string[]}[] {
		const rounds = this.shown.filter(({view}) => view === wanted);
		return rounds.map((round, n) => ({
			...round,
			names: round.names.filter(name => !rounds[n - 1]?.names.includes(name)),
		}));
	}

	/** What a fresh query gives now. */
	truth(): Map<string, string[]> {
		const engine = new PulseEngine(this.market);
		return new Map(this.#query.views.map(view => [view.name, engine.page(view).map(row => this.#nameOf(row))]));
	}

	windows(): {name: string; names: string[]}[] {
		return this.#query.views.map(view => {
			const live = this.views.acquire(view, this.#query.assetMode ? 'asset' : 'pool');
			const names = live.rows.map(row => this.#nameOf(row));
			live.release();
			return {name: view.name, names};
		});
	}

	#nameOf(row: number): string {
		return this.market.table.addresses(row).token0;
	}
}

function nameOf(entry: Frame): string {
	return String(entry['pair']?.token0.address ?? entry['address']);
}

/** What a client knows: its views now, all names that it ever saw, and its position. */
class Reader {
	readonly now = new Map<string, Set<string>>();
	readonly seen = new Map<string, Set<string>>();
	at: string | undefined;

	read(frame: Frame): void {
		const {type, payload, at, missed} = frame;
		for (const [view, {data}] of Object.entries<{data: Frame[]}>(missed ?? {}))
			for (const entry of data) this.#of(this.seen, view).add(nameOf(entry));
		if (type === 'init' || type === 'sync') {
			for (const [view, {data}] of Object.entries<{data: Frame[]}>(payload)) {
				this.now.set(view, new Set());
				for (const entry of data) this.#put(view, entry);
			}
		} else if (String(type).startsWith('remove')) {
			const {viewName, tokenKey, poolAddress} = payload;
			const gone = tokenKey === undefined ? poolAddress.slice(poolOf('').length) : tokenKey.split('|')[1];
			expect(this.now.get(viewName)!.delete(gone)).toBe(true);
		} else this.#put(payload.viewName, payload.token ?? payload.pool);
		this.at = at ?? this.at;
	}

	#put(view: string, entry: Frame): void {
		this.#of(this.now, view).add(nameOf(entry));
		this.#of(this.seen, view).add(nameOf(entry));
	}

	#of(views: Map<string, Set<string>>, view: string): Set<string> {
		if (!views.has(view)) views.set(view, new Set());
		return views.get(view)!;
	}
}

const change: fc.Arbitrary<Change> = fc.record({
	token: fc.nat(TOKENS),
	fields: fc.option(fc.record({market_cap: fc.nat(20), holders_count: fc.nat(20), bonded: fc.boolean()}), {
		nil: undefined,
		freq: 8,
	}),
});
/** Entries of the log between two rounds of the first replica, and how many of them the second one applies before its own round. */
const step = fc.record({changes: fc.array(change, {maxLength: 6}), cut: fc.nat(6), isSlow: fc.boolean()});

test('a cut after any frame loses nothing: what was seen, what was missed and the new state are all that was shown', () => {
	fc.assert(
		fc.property(
			fc.boolean(),
			fc.array(change, {maxLength: 40}),
			fc.array(step, {minLength: 1, maxLength: 15}),
			fc.array(change, {maxLength: 20}),
			fc.nat(),
			(assetMode, before, steps, after, cutAt) => {
				const startMs = performance.now();
				const [first, second] = [new TinyReplica(assetMode, 0), new TinyReplica(assetMode, 3)];
				for (const replica of [first, second]) {
					replica.apply(before);
					replica.round(startMs);
				}
				const {subscription, frames} = first.subscribe();
				subscription.flush(startMs, Infinity);
				let nowMs = startMs;
				for (const {changes, cut} of steps) {
					nowMs += 200;
					first.apply(changes);
					first.round(nowMs);
					subscription.flush(nowMs, Infinity);
					second.apply(changes.slice(0, cut));
					// Its seconds begin at other times.
					second.round(nowMs + 500);
					second.apply(changes.slice(cut));
				}
				const reader = new Reader();
				for (const frame of frames.slice(0, 1 + (cutAt % frames.length))) reader.read(frame);
				second.apply(after);
				second.round(nowMs + 1500);
				const again = second.subscribe(reader.at);
				again.subscription.flush(nowMs, Infinity);
				const init = again.frames[0]!;
				expect(init['recovered']).toBe(true);
				reader.read(init);

				const position = Number(
					/\d+$/.exec(frames.slice(0, 1 + (cutAt % frames.length)).findLast(f => f['at'])!['at'])![0],
				);
				const begun = first.shown.filter(({seq}) => seq >= before.length && seq <= position);
				// The second one may still show what had grown too old for a view, up to a second long.
				const later = second.shown
					.filter(({seq, view}) => seq > position && view !== 'old')
					.concat(second.entered('old').filter(({seq}) => seq > position));
				for (const {view, names} of [...begun, ...later])
					for (const name of names)
						if (second.has(name)) expect(reader.seen.get(view), `${name} of ${view}`).toContain(name);
				for (const {name, names} of second.windows())
					expect([...reader.now.get(name)!].sort()).toEqual([...names].sort());
				for (const {name} of VIEWS) {
					const shown = new Set(init['payload'][name].data.map(nameOf));
					expect(init['missed'][name].data.filter((entry: Frame) => shown.has(nameOf(entry)))).toEqual([]);
				}
			},
		),
		{numRuns: 200},
	);
});

test('a frame carries a position only when the reader has learnt of all that was so there, slow or not', () => {
	fc.assert(
		fc.property(
			fc.boolean(),
			fc.array(change, {maxLength: 40}),
			fc.array(step, {maxLength: 20}),
			fc.boolean(),
			(assetMode, before, steps, maybeSlow) => {
				const replica = new TinyReplica(assetMode, 0);
				replica.apply(before);
				let nowMs = performance.now();
				replica.round(nowMs);
				const {subscription, frames, room} = replica.subscribe();
				const reader = new Reader();
				const truths = new Map<string, Map<string, string[]>>();
				for (const {changes, isSlow, cut} of [{changes: [], isSlow: false, cut: 0}, ...steps]) {
					room.frames = maybeSlow && isSlow ? cut - 2 : Number.POSITIVE_INFINITY;
					replica.apply(changes);
					if (cut === 1) subscription.pause(['top']);
					if (cut === 2) subscription.unpause(['top']);
					replica.round(nowMs);
					truths.set(`e1.${replica.log.head}`, replica.truth());
					const sent = frames.length;
					subscription.flush(nowMs, cut === 3 ? 0 : Infinity);
					for (const frame of frames.slice(sent)) {
						reader.read(frame);
						if (frame !== frames.at(-1)) expect(frame['at']).toBeUndefined();
						else if (!maybeSlow) expect(frame['at']).toBeDefined();
						if (frame['at'] === undefined) continue;
						// A slow reader is not sent what came and went meanwhile.
						for (const name of maybeSlow ? [] : ['some', 'old'])
							expect([...(reader.seen.get(name) ?? [])]).toEqual(
								expect.arrayContaining(truths.get(frame['at'])!.get(name)!),
							);
						for (const {name, names} of replica.windows())
							if (name !== 'top') expect([...reader.now.get(name)!].sort()).toEqual([...names].sort());
					}
					nowMs += 200;
				}
			},
		),
		{numRuns: 200},
	);
});
