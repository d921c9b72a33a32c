import {expect, test} from 'vitest';
import type {Entry} from '../../../source/contract/entry.ts';
import {BadLine, headerLine, type RecordedEvent, readHeaderLine} from '../../../source/contract/recording.ts';
import {createRecordingDecoder} from '../../../source/contract/recording-decode.ts';
import {createRecordingEncoder} from '../../../source/contract/recording-encode.ts';
import {entryOf} from '../../helpers/entries.ts';
import {fc} from '../../helpers/properties.ts';

const entry: fc.Arbitrary<Entry> = fc
	.record(
		{
			symbol: fc.string({unit: 'grapheme', maxLength: 8}),
			market_cap: fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value || 0),
			bonded: fc.boolean(),
			created_at: fc.integer({min: 1, max: 2e12}),
			security: fc.record({isHoneypot: fc.boolean(), buyTax: fc.string({maxLength: 4})}, {requiredKeys: []}),
			holders: fc.constant([
				{
					address: 'W1',
					balance: 1,
					balanceUSD: 2,
					boughtAmount: 3,
					boughtAmountUSD: 4,
					soldAmount: 5,
					soldAmountUSD: 6,
					realizedPnlUSD: -7,
					unrealizedPnlUSD: 8,
					tags: ['dev'],
				},
				{address: 'W2', tags: []},
			]),
		},
		{requiredKeys: []},
	)
	.chain(figures => fc.constantFrom('A', 'B', 'C', 'D').map(address => entryOf(address, figures)));

const distinct = fc.uniqueArray(entry, {selector: ({key}) => key, maxLength: 4});
const view = fc.constantFrom('new', 'bonded');
const event = (atMs: number): fc.Arbitrary<RecordedEvent> =>
	fc.oneof(
		fc.record({type: fc.constant('snapshot' as const), view, atMs: fc.constant(atMs), tokens: distinct}),
		fc.record({
			type: fc.constant('change' as const),
			view,
			atMs: fc.constant(atMs),
			upserts: distinct,
			removed: fc.uniqueArray(fc.constantFrom('solana:solana|A', 'solana:solana|E')),
		}),
	);
const events = fc
	.integer({min: 0, max: 12})
	.chain(n => fc.tuple(...Array.from({length: n}, (_, i) => event(1000 + i))));

/** What views hold after events, by the words of the format. */
function viewsAfter(all: Iterable<RecordedEvent>): Map<string, Map<string, Entry>> {
	const views = new Map<string, Map<string, Entry>>();
	for (const one of all) {
		if (one.type === 'end') continue;
		const known = (one.type === 'change' ? views.get(one.view) : undefined) ?? new Map<string, Entry>();
		for (const token of one.type === 'snapshot' ? one.tokens : one.upserts) known.set(token.key, {...token});
		if (one.type === 'change') for (const key of one.removed) known.delete(key);
		views.set(one.view, known);
	}
	return new Map([...views].filter(([, known]) => known.size > 0));
}

test('what was written is read again: every view is the same after every event', () => {
	fc.assert(
		fc.property(events, written => {
			const encoder = createRecordingEncoder();
			const decoder = createRecordingDecoder(['new', 'bonded']);
			const read: RecordedEvent[] = [];
			for (const [i, one] of written.entries()) {
				const line = encoder.line(one);
				if (line !== undefined) read.push(decoder.event(line)!);
				expect(viewsAfter(read)).toEqual(viewsAfter(written.slice(0, i + 1)));
			}
		}),
		{numRuns: 300},
	);
});

test('a full view that comes again is written as its differences', () => {
	const encoder = createRecordingEncoder();
	const before = entryOf('A', {symbol: 'PEPE', market_cap: 1000, liquidity: 5});
	encoder.line({type: 'snapshot', view: 'new', atMs: 1, tokens: [before, entryOf('B')]});
	const {liquidity: _, ...rest} = before;
	const again = encoder.line({type: 'snapshot', view: 'new', atMs: 2, tokens: [{...rest, market_cap: 2000}]});
	expect(JSON.parse(again!)).toEqual({
		type: 'change',
		view: 'new',
		atMs: 2,
		upserts: [{key: before.key, market_cap: 2000, liquidity: null}],
		removed: ['solana:solana|B'],
	});
	expect(encoder.line({type: 'snapshot', view: 'new', atMs: 3, tokens: [{...rest, market_cap: 2000}]})).toBeUndefined();
});

test('times never go back, even when the clock of the machine was set back', () => {
	const encoder = createRecordingEncoder();
	const tokens = [entryOf('A')];
	const atMs = (line: string | undefined) => JSON.parse(line!).atMs;
	expect(atMs(encoder.line({type: 'snapshot', view: 'new', atMs: 9000, tokens}))).toBe(9000);
	expect(atMs(encoder.line({type: 'snapshot', view: 'bonded', atMs: 4000, tokens}))).toBe(9000);
});

test('any line is applied or refused as a whole, and never breaks the reader', () => {
	const known = entryOf('A', {market_cap: 1});
	const like = fc.record(
		{
			type: fc.constantFrom('snapshot', 'change', 'end', 'other'),
			view: fc.constantFrom('new', '__proto__', 'toString', 7),
			atMs: fc.oneof(fc.constant(5000), fc.jsonValue()),
			tokens: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
			upserts: fc.array(
				fc.oneof(
					fc.jsonValue(),
					fc.dictionary(
						fc.constantFrom('key', 'address', 'chain_id', 'market_cap', 'symbol', 'security', '__proto__', 'holders'),
						fc.oneof(fc.jsonValue(), fc.constantFrom(known.key, 'A', 'solana:solana')),
					),
				),
			),
			removed: fc.jsonValue(),
		},
		{requiredKeys: []},
	);
	fc.assert(
		fc.property(
			fc.oneof(
				fc.string(),
				fc.json(),
				like.map(wire => JSON.stringify(wire)),
			),
			line => {
				const decoder = createRecordingDecoder(['new']);
				decoder.event(JSON.stringify({type: 'snapshot', view: 'new', atMs: 5000, tokens: [known]}));
				let isRefused = false;
				try {
					decoder.event(line);
				} catch (error) {
					expect(error).toBeInstanceOf(BadLine);
					isRefused = true;
				}
				expect(({} as Record<string, unknown>)['market_cap']).toBeUndefined();
				if (!isRefused) return;
				const after = decoder.event(
					JSON.stringify({
						type: 'change',
						view: 'new',
						atMs: 5000,
						upserts: [{key: known.key, liquidity: 2}],
						removed: [],
					}),
				);
				expect(after).toMatchObject({upserts: [{...known, liquidity: 2}]});
			},
		),
		{numRuns: 1000},
	);
});

test('only a recording of this version is one', () => {
	const header = {atMs: 5, views: {new: {limit: 3}}};
	expect(readHeaderLine(headerLine(header))).toEqual(header);
	const later = headerLine(header).replace('"version":1', '"version":2');
	expect(() => readHeaderLine(later)).toThrow('it is of version 2, and this program reads version 1');
	expect(() => readHeaderLine('{"type":"snapshot"}')).toThrow('it does not begin as a recording of pulsetop does');
});
