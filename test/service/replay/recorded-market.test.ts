import {expect, test} from 'vitest';
import {createNormaliser} from '../../../source/client/wire/normalise.ts';
import {FIELDS} from '../../../source/contract/fields.ts';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {BadLine} from '../../../source/contract/recording.ts';
import {createRecordingDecoder} from '../../../source/contract/recording-decode.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {RecordedMarket} from '../../../source/service/replay/recorded-market.ts';
import {priceLine} from '../../../source/service/sparkline/price-line.ts';
import {drawSvg} from '../../../source/service/sparkline/svg.ts';
import {entryOf} from '../../helpers/entries.ts';
import {fc} from '../../helpers/properties.ts';

const NAMES = [...FIELDS.map(({name}) => name), 'exchange', 'otherSocials', 'security', 'twitterRenames', 'holders'];
const value = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.constantFrom(0, -1, 1e300, -1e300, Number.MIN_VALUE, 8.64e15, 8.65e15, 5, true, false, null),
	},
	fc.double({noNaN: true, noDefaultInfinity: true}),
	fc.string({unit: 'binary', maxLength: 20}),
	fc.jsonValue({maxDepth: 2}),
);
const token = fc
	.tuple(fc.constantFrom('A', 'B', '__proto__', '0xAb'), fc.dictionary(fc.constantFrom(...NAMES), value, {maxKeys: 3}))
	.map(([address, fields]) => ({...fields, address, chain_id: 'evm:1'}));

test('every accepted recording can be served, sorted, searched and drawn', () => {
	const query = parsePulseBody({
		assetMode: true,
		views: [
			{name: 'a', model: 'new', sortBy: 'created_at', filters: {includeKeywords: ['a'], market_cap: {gte: 0}}},
			{name: 'b', model: 'bonded', sortBy: 'market_cap', includeTokens: ['A']},
		],
	});
	const normaliser = createNormaliser();
	let taken = 0;
	fc.assert(
		fc.property(
			fc.array(fc.tuple(fc.constantFrom('new', 'bonded'), fc.array(token, {maxLength: 3})), {maxLength: 6}),
			lines => {
				const decoder = createRecordingDecoder(['new', 'bonded']);
				const market = new RecordedMarket(() => 2000);
				const pulse = new PulseEngine(market);
				for (const [view, upserts] of lines) {
					try {
						const event = decoder.event(
							JSON.stringify({type: 'change', view, atMs: 2000, upserts, removed: ['evm:1|B']}),
						);
						if (event && event.type !== 'end') market.apply(event);
						taken += upserts.length;
					} catch (error) {
						expect(error).toBeInstanceOf(BadLine);
					}
					for (const row of query.views.flatMap(asked => pulse.page(asked))) {
						expect(normaliser.entry(JSON.parse(JSON.stringify(market.assetEntry(row, 20))))).toBeDefined();
						const points = market.priceHistory(market.table.key(row), 0)!;
						expect(drawSvg(priceLine(points, 1, {frame: '1h', nowMs: 2000}))).toContain('<svg');
					}
					market.find('a');
				}
			},
		),
		{numRuns: 400},
	);
	expect(taken).toBeGreaterThan(100);
});

test('a token that left every view can be requested by its address until two thousand others left after it', () => {
	const market = new RecordedMarket(() => 5);
	const change = (upserts: readonly string[], removed: readonly string[]) =>
		market.apply({
			type: 'change',
			view: 'new',
			atMs: 5,
			upserts: upserts.map(address => entryOf(address, {symbol: address, created_at: 1})),
			removed: removed.map(address => entryOf(address).key),
		});
	const [view] = parsePulseBody({assetMode: true, views: [{name: 'new', model: 'new'}]}).views;
	const symbols = () => new PulseEngine(market).page(view!).map(row => market.table.texts('symbol')[row]);
	change(['FIRST'], []);
	expect(symbols()).toEqual(['FIRST']);
	change([], ['FIRST']);
	expect(symbols()).toEqual([]);
	const row = market.table.rowOf(entryOf('FIRST').key)!;
	expect(market.assetEntry(row)['symbol']).toBe('FIRST');
	for (let i = 0; i < 2000; i++) {
		change([`T${i}`], []);
		change([], [`T${i}`]);
	}
	expect(market.table.rowOf(entryOf('FIRST').key)).toBeUndefined();
	expect(market.takeChanged()).toContain(row);
	// The row is given to the next, and the table does not grow for ever.
	change(['NEXT'], []);
	expect(symbols()).toEqual(['NEXT']);
	expect(market.table.length).toBeLessThanOrEqual(2002);
});
