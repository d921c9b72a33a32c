import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ViewNews} from '../../../source/client/feed-buffer.ts';
import {NewsPacker, NewsUnpacker} from '../../../source/client/feed-thread/news-packer.ts';
import type {Entry} from '../../../source/contract/entry.ts';

/* What one thread packs, the other must read as if it had been told itself. */

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
const news: fc.Arbitrary<ViewNews> = fc
	.record({
		snapshot: fc.option(unique, {nil: undefined}),
		upserts: unique,
		removed: fc.uniqueArray(key),
		atMs: fc.nat(),
	})
	.map(({snapshot, upserts, removed, atMs}) => ({
		...(snapshot && {snapshot, source: 'rest' as const}),
		upserts: new Map(upserts.filter(({key}) => !(removed as string[]).includes(key)).map(one => [one.key, one])),
		removed: new Set(removed),
		atMs,
	}));

/** The fields that are known, whatever kind of object holds them. */
function fieldsOf(entry: Entry): object {
	return JSON.parse(JSON.stringify(entry));
}

function across<T>(value: T): T {
	return structuredClone(value);
}

test('whatever is told on one side is told the same on the other, entry for entry', () => {
	fc.assert(
		fc.property(fc.array(news, {maxLength: 12}), all => {
			const packer = new NewsPacker();
			const unpacker = new NewsUnpacker();
			for (const told of all) {
				const heard = unpacker.unpack(across(packer.pack('new', told)));
				expect(heard.snapshot?.map(fieldsOf)).toEqual(told.snapshot?.map(fieldsOf));
				expect(heard.upserts.map(fieldsOf)).toEqual([...told.upserts.values()].map(fieldsOf));
			}
		}),
	);
});

const plain: Entry = {key: 'evm:1|0xa', chain_id: 'evm:1', address: '0xA', market_cap: 5, security: {isHoneypot: true}};
const one = (entry: Entry): ViewNews => ({upserts: new Map([[entry.key, entry]]), removed: new Set(), atMs: 1});

test('only what changed is handed over', () => {
	const packer = new NewsPacker();
	packer.pack('new', one(plain));
	const [packed] = packer.pack('new', one({...plain, market_cap: 6, security: {isHoneypot: true}})).upserts;
	expect(packed?.values).toEqual([6]);
});

test('an entry that is told again as it was stays the same object, so that nothing is drawn for it', () => {
	const packer = new NewsPacker();
	const unpacker = new NewsUnpacker();
	const [first] = unpacker.unpack(packer.pack('new', one(plain))).upserts;
	const snapshot = [{...plain}];
	const again = unpacker.unpack(
		packer.pack('new', {snapshot, source: 'poll', upserts: new Map(), removed: new Set(), atMs: 2}),
	);
	expect(again.snapshot?.[0]).toBe(first);
	const [changed] = unpacker.unpack(packer.pack('new', one({...plain, market_cap: 7}))).upserts;
	expect(changed).not.toBe(first);
	expect(first?.market_cap).toBe(5);
	expect(changed?.market_cap).toBe(7);
});
