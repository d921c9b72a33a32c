import {expect, test} from 'vitest';
import type {ViewChanges} from '../../../source/client/feed/feed-buffer.ts';
import {DeltaDecoder, DeltaEncoder} from '../../../source/client/remote/delta-encoder.ts';
import type {Entry} from '../../../source/contract/entry.ts';
import {fc} from '../../helpers/properties.ts';

/* Entries that one thread encodes must be decoded unchanged in the other. */

const key = fc.constantFrom('evm:1|0xa', 'evm:1|0xb', 'evm:1|0xc');
const entry: fc.Arbitrary<Entry> = fc
	.record(
		{
			market_cap: fc.double({noNaN: true}),
			symbol: fc.string(),
			bonded: fc.boolean(),
			security: fc.record({isHoneypot: fc.boolean()}),
			holders: fc.array(fc.record({address: fc.string(), balance: fc.nat()}), {maxLength: 2}) as fc.Arbitrary<never[]>,
			otherSocials: fc.dictionary(fc.constantFrom('discord', 'github'), fc.string()),
		},
		{requiredKeys: []},
	)
	.chain(fields => key.map((key): Entry => ({...fields, key, chain_id: 'evm:1', address: key.slice(6)})));
const unique = fc.uniqueArray(entry, {selector: ({key}): string => key, maxLength: 3});
const changes: fc.Arbitrary<ViewChanges> = fc
	.record({
		snapshot: fc.option(unique, {nil: undefined}),
		upserts: unique,
		removed: fc.uniqueArray(key),
		atMs: fc.nat(),
	})
	.map(({snapshot, upserts, removed, atMs}) => ({
		...(snapshot && {snapshot, source: 'rest' as const}),
		changes: [{upserts: upserts.filter(({key}) => !(removed as string[]).includes(key)), removed}],
		atMs,
	}));

function across<T>(value: T): T {
	return structuredClone(value);
}

test('the decoder returns the same entries as the encoder got', () => {
	fc.assert(
		fc.property(fc.array(changes, {maxLength: 12}), all => {
			const encoder = new DeltaEncoder();
			const decoder = new DeltaDecoder();
			for (const emitted of all) {
				const received = decoder.decode(across(encoder.encode('new', emitted)));
				expect(received.snapshot).toEqual(emitted.snapshot);
				expect(received.upserts).toEqual(emitted.changes[0]!.upserts);
			}
		}),
	);
});

const plain: Entry = {key: 'evm:1|0xa', chain_id: 'evm:1', address: '0xA', market_cap: 5, security: {isHoneypot: true}};
const one = (entry: Entry): ViewChanges => ({changes: [{upserts: [entry], removed: []}], atMs: 1});

test('a received entry is a plain object: a spread, its keys and its JSON have all fields', () => {
	const encoder = new DeltaEncoder();
	const decoder = new DeltaDecoder();
	decoder.decode(across(encoder.encode('new', one(plain))));
	const [live] = decoder.decode(across(encoder.encode('new', one({...plain, market_cap: 6})))).upserts;
	expect({...live!, symbol: 'PEPE'}).toEqual({...plain, market_cap: 6, symbol: 'PEPE'});
	expect(JSON.parse(JSON.stringify(live))).toEqual({...plain, market_cap: 6});
	expect(Object.keys(live!)).toEqual(expect.arrayContaining(Object.keys(plain)));
});

test('a delta holds only the changed fields', () => {
	const encoder = new DeltaEncoder();
	encoder.encode('new', one(plain));
	const [delta] = encoder.encode('new', one({...plain, market_cap: 6, security: {isHoneypot: true}})).upserts;
	expect(delta?.values).toEqual([6]);
});

test('an unchanged entry stays the same object, so that it is not drawn again', () => {
	const encoder = new DeltaEncoder();
	const decoder = new DeltaDecoder();
	const [first] = decoder.decode(encoder.encode('new', one(plain))).upserts;
	const snapshot = [{...plain}];
	const again = decoder.decode(encoder.encode('new', {snapshot, source: 'poll', changes: [], atMs: 2}));
	expect(again.snapshot?.[0]).toBe(first);
	const [changed] = decoder.decode(encoder.encode('new', one({...plain, market_cap: 7}))).upserts;
	expect(changed).not.toBe(first);
	expect(first?.market_cap).toBe(5);
	expect(changed?.market_cap).toBe(7);
});
