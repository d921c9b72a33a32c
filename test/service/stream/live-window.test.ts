import {expect, test} from 'vitest';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {ROW} from '../../../source/service/market/market.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {type LiveView, LiveViews} from '../../../source/service/stream/live-views.ts';
import {fc} from '../../helpers/properties.ts';
import {TinyMarket, type TinyRow} from '../helpers/tiny-market.ts';

/* The reader of a stream knows the sent changes only. After any history they must add up to the answer of a fresh query. */

const figure = fc.oneof({weight: 5, arbitrary: fc.integer({min: 0, max: 9})}, fc.constant(null));
const fields: fc.Arbitrary<TinyRow> = fc.record({market_cap: figure, holders_count: figure, bonded: fc.boolean()});
const row = fc.nat(60);
const change = fc.oneof(
	{weight: 6, arbitrary: fc.record({kind: fc.constant('change' as const), row, fields})},
	fc.record({kind: fc.constant('add' as const), fields}),
	fc.record({kind: fc.constant('free' as const), row}),
	// A freed row is used again by another token.
	fc.record({kind: fc.constant('reuse' as const), row, fields}),
	// The token goes on in another pool's row.
	fc.record({kind: fc.constant('move' as const), row}),
);
const steps = fc.array(fc.array(change, {maxLength: 12}), {maxLength: 25});
const view = fc.record({
	sortBy: fc.constantFrom('market_cap', 'holders_count'),
	sortOrder: fc.constantFrom('asc', 'desc'),
	limit: fc.integer({min: 1, max: 8}),
	offset: fc.constantFrom(0, 0, 3),
	filters: fc.constantFrom({}, {market_cap: {gte: 3}}, {bonded: false}, {holders_count: {not: null}}),
	includeTokens: fc.constantFrom([], ['0x1', '0x900']),
});

test('the changes that a reader got always add up to the answer of a fresh query', () => {
	fc.assert(
		fc.property(steps, view, fc.nat(60), fc.nat(4), (history, body, size, reserve) => {
			const market = new TinyMarket({capacity: 512});
			let made = 0;
			const fresh = (from: TinyRow): TinyRow => ({address: `0x${(made++).toString(16)}`, ...from});
			for (let i = 0; i < size; i++)
				market.add(fresh({market_cap: i % 10, holders_count: 9 - (i % 10), bonded: i % 2 === 0}));
			const engine = new PulseEngine(market);
			// So short a reserve that it runs out and overflows all the time.
			const live = new LiveViews(engine, market.table, {reserve});
			const [query] = parsePulseBody({assetMode: true, views: [{...body, name: 'v'}]}).views;
			const followed = live.acquire(query!, 'asset');
			const known = new Map(followed.rows.map(r => [market.table.key(r), market.table.versions()[r]!]));
			for (const step of history) {
				for (const one of step) {
					const at = 'row' in one ? one.row : 0;
					const isLive = at < market.rows.length && (market.table.bits[at]! & ROW.main) !== 0;
					if (one.kind === 'add') market.add(fresh(one.fields));
					else if (!isLive) continue;
					else if (one.kind === 'change') market.change(at, one.fields);
					else if (one.kind === 'reuse') market.put(at, fresh(one.fields));
					else if (one.kind === 'free') market.free(at);
					else {
						const moved = market.rows[at]!;
						market.free(at);
						market.add(moved);
					}
				}
				live.step(market.takeChanged(), 0);
				read(followed, known, market);
				const expected = engine.page(query!).map(r => [market.table.key(r), market.table.versions()[r]!] as const);
				expect(known).toEqual(new Map(expected));
			}
		}),
		{numRuns: 400},
	);
});

/** What a client does with the frames of a step. Strict: nothing enters twice, leaves unseen or is updated unseen. */
function read(followed: LiveView, known: Map<string, number>, market: TinyMarket): void {
	const {left, entered, updated} = followed.change;
	for (const {key} of left) expect(known.delete(key)).toBe(true);
	for (const at of entered) {
		expect(known.has(market.table.key(at))).toBe(false);
		known.set(market.table.key(at), market.table.versions()[at]!);
	}
	for (const at of updated) {
		expect(known.has(market.table.key(at))).toBe(true);
		known.set(market.table.key(at), market.table.versions()[at]!);
	}
}

test('views of the same rows are followed once, and only while they have readers', () => {
	const market = new TinyMarket();
	const live = new LiveViews(new PulseEngine(market), market.table);
	const ask = (body: Record<string, unknown>) => parsePulseBody({assetMode: true, views: [body]}).views[0]!;
	const first = live.acquire(ask({name: 'a', filters: {market_cap: {gt: 1}}}), 'asset');
	const second = live.acquire(ask({name: 'b', filters: {marketCap: {gt: 1}}}), 'asset');
	live.acquire(ask({name: 'a', filters: {market_cap: {gt: 2}}}), 'asset').release();
	expect(live.size).toBe(1);
	first.release();
	expect(live.size).toBe(1);
	second.release();
	expect(live.size).toBe(0);
});
