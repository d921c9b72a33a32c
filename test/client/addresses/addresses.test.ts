import {expect, test} from 'vitest';
import {BadAddress, createAddresses} from '../../../source/client/addresses.ts';
import {ServiceUnreachable} from '../../../source/client/http/service-errors.ts';
import {createReconnecting} from '../../../source/client/stream/reconnecting.ts';
import {explain} from '../../../source/errors.ts';

const THREE = {baseUrl: ['http://a:1', 'http://b:2', 'https://c.example/pulse/']};
const cut = {failure: 'network', error: new ServiceUnreachable('the stream was cut'), retryAfterMs: undefined} as const;

test('each address has its stream, by its place or from its own host', () => {
	const streamsOf = (options: Parameters<typeof createAddresses>[0]) =>
		createAddresses(options, () => 0).all.map(({name, streamUrl}) => `${name} ${streamUrl?.href}`);
	expect(streamsOf(THREE)).toEqual(['a:1 ws://a:1/', 'b:2 ws://b:2/', 'c.example/pulse wss://c.example/']);
	expect(streamsOf({baseUrl: ['http://a:1', 'http://b:2'], streamUrl: ['ws://x:1/s', 'wss://y:2/s']})).toEqual([
		'a:1 ws://x:1/s',
		'b:2 wss://y:2/s',
	]);
	expect(streamsOf({baseUrl: ['http://a:1', 'http://b:2'], streamUrl: null})).toEqual([
		'a:1 undefined',
		'b:2 undefined',
	]);
});

test('a wrong address is named by its place: its text may hold a password', () => {
	const why = (options: Parameters<typeof createAddresses>[0]) => {
		try {
			createAddresses(options);
		} catch (error) {
			expect(error).toBeInstanceOf(BadAddress);
			const {what, why: because} = explain(error);
			return `${what}: ${because}`;
		}
		return undefined;
	};
	expect(why({baseUrl: ['http://a:1', 'ftp://user:hunter2@b']})).toBe(
		'The base address of the service is not one: address 2 of 2 must begin with http:// or https://',
	);
	expect(why({baseUrl: ['http://a:1', 'http://b:2'], streamUrl: ['ws://a', 'b']})).toBe(
		'The stream address of the service is not one: address 2 of 2 must begin with ws:// or wss://',
	);
	expect(why({baseUrl: ['http://a:1', 'http://b:2'], streamUrl: 'ws://a'})).toBe(
		'The stream addresses of the service do not pair with its addresses: there are 1 and 2: the first belongs to the first, and so on',
	);
});

test('clients begin at random addresses, and those that lose one go on to different ones', () => {
	const starts = new Set<string>();
	const seconds = new Set<string>();
	for (let i = 0; i < 200; i++) {
		const {all} = createAddresses(THREE);
		starts.add(all[0]!.name);
		if (all[0]!.name === 'a:1') seconds.add(all[1]!.name);
	}
	expect([...starts].toSorted()).toEqual(['a:1', 'b:2', 'c.example/pulse']);
	expect([...seconds].toSorted()).toEqual(['b:2', 'c.example/pulse']);
});

test('an address that failed is left for the next, one that answered is stayed at, and the states say so', () => {
	const addresses = createAddresses(THREE, () => 0);
	const [a, b] = addresses.all;
	const untouched = addresses.states();
	expect(addresses.states()).toBe(untouched);
	addresses.failed(a!, 'nothing listens at its address');
	expect(addresses.current).toBe(b);
	addresses.worked(b!);
	// Requests that were on their way to it fail later.
	addresses.failed(a!, 'nothing listens at its address');
	expect(addresses.current).toBe(b);
	expect(addresses.states().map(({name, state, why}) => [name, state, why])).toEqual([
		['a:1', 'failed', 'nothing listens at its address'],
		['b:2', 'works', undefined],
		['c.example/pulse', 'unknown', undefined],
	]);
	addresses.prefer('c.example/pulse');
	expect(addresses.current.name).toBe('c.example/pulse');
	addresses.prefer('elsewhere');
	expect(addresses.current.name).toBe('c.example/pulse');
});

test('a lost connection moves to the next address within 300 ms; after a whole round the waits grow', () => {
	const reconnecting = createReconnecting(
		createAddresses(THREE, () => 0),
		() => 1,
	);
	const waits: [string, number][] = [];
	for (let i = 0; i < 9; i++) waits.push([reconnecting.address.name, reconnecting.ended(cut)]);
	expect(waits).toEqual([
		['a:1', 300],
		['b:2', 300],
		['c.example/pulse', 250],
		['a:1', 300],
		['b:2', 300],
		['c.example/pulse', 500],
		['a:1', 300],
		['b:2', 300],
		['c.example/pulse', 1000],
	]);
});

test('an address that stops counts as no failure, and a service whose every address stops is not hammered', () => {
	const reconnecting = createReconnecting(
		createAddresses(THREE, () => 0),
		() => 1,
	);
	const waits = Array.from({length: 9}, () => reconnecting.ended({...cut, isMove: true}));
	expect(waits).toEqual([300, 300, 250, 300, 300, 250, 300, 300, 250]);
});

test('with one address each failure waits as before', () => {
	const reconnecting = createReconnecting(createAddresses({baseUrl: 'http://a:1'}), () => 1);
	expect(Array.from({length: 4}, () => reconnecting.ended({...cut, isMove: true}))).toEqual([250, 500, 1000, 2000]);
});
