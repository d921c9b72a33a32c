import {expect, test} from 'vitest';
import {parseFrame} from '../../../source/client/stream/frames.ts';
import {fc} from '../../helpers/properties.ts';

const frame = (wire: object) => parseFrame(JSON.stringify(wire));
const entry = {chainId: 'evm:8453', address: '0x1'};

test.each([
	[
		'init',
		{type: 'init', payload: {new: {data: [entry]}}, subscriptionId: 's1'},
		{kind: 'full', source: 'init', id: 's1'},
	],
	['sync', {type: 'sync', payload: {new: {data: []}}}, {kind: 'full', source: 'sync', id: undefined}],
	['the list itself', {type: 'init', payload: {new: [entry]}}, {kind: 'full'}],
	['new-token', {type: 'new-token', payload: {viewName: 'new', token: entry}}, {kind: 'put', view: 'new', wire: entry}],
	[
		'update-pool',
		{type: 'update-pool', payload: {viewName: 'new', pool: entry}},
		{kind: 'put', view: 'new', wire: entry},
	],
	['batch', {type: 'update', payload: {new: {data: [entry]}}}, {kind: 'merge'}],
	[
		'remove by key',
		{type: 'remove-token', payload: {viewName: 'new', tokenKey: 'evm:8453|0xAB'}},
		{kind: 'drop', which: {by: 'key', key: 'evm:8453|0xab'}},
	],
	[
		'remove by token text',
		{type: 'remove-token', payload: {viewName: 'new', token: 'evm:8453|0xAB'}},
		{kind: 'drop', which: {by: 'key', key: 'evm:8453|0xab'}},
	],
	[
		'remove by address',
		{type: 'remove-token', payload: {viewName: 'new', token: '0xAB'}},
		{kind: 'drop', which: {by: 'address', address: '0xAB'}},
	],
	[
		'remove by entry',
		{type: 'remove-token', payload: {viewName: 'new', token: entry}},
		{kind: 'drop', which: {by: 'entry', wire: entry}},
	],
	[
		'remove by pool',
		{type: 'remove-pool', payload: {viewName: 'new', poolAddress: '0xAB'}},
		{kind: 'drop', which: {by: 'pool', address: '0xAB'}},
	],
	['ack', {event: 'subscribed', type: 'pulse-v2', subscriptionId: 's1'}, {kind: 'ack', id: 's1'}],
	['pong', {event: 'pong'}, {kind: 'pong'}],
	[
		'error',
		{event: 'error', message: 'filters.foo is not known', subscriptionId: 's1'},
		{kind: 'problem', isAboutKey: false, id: 's1'},
	],
	['bare error', {error: 'Invalid API key'}, {kind: 'problem', isAboutKey: true}],
	['unauthorized', {event: 'error', message: 'unauthorized'}, {kind: 'problem', isAboutKey: true}],
	[
		'unknown subscription is as good as gone',
		{event: 'error', message: 'No subscription found for s9'},
		{kind: 'gone'},
	],
	['something of another protocol', {type: 'perp', payload: {}}, {kind: 'other'}],
])('%s', (_name, wire, expected) => {
	expect(frame(wire)).toMatchObject(expected);
});

test('an id may lie in the payload, and have its old name', () => {
	expect(frame({type: 'sync', payload: {subscriptionId: 's2', new: {data: []}}})).toMatchObject({id: 's2'});
	expect(frame({type: 'sync', payload: {}, personalizedId: 's3'})).toMatchObject({id: 's3'});
});

test('no text and no shape makes it throw', () => {
	const names = fc.constantFrom(
		'type',
		'event',
		'payload',
		'viewName',
		'token',
		'tokenKey',
		'pool',
		'poolAddress',
		'data',
		'new',
		'error',
		'message',
		'subscriptionId',
	);
	const types = fc.constantFrom(
		'init',
		'sync',
		'update',
		'new-token',
		'remove-token',
		'remove-pool',
		'error',
		'subscribed',
	);
	const {value} = fc.letrec(tie => ({
		value: fc.oneof(
			{maxDepth: 4},
			types,
			fc.string(),
			fc.integer(),
			fc.constant(null),
			fc.array(tie('value'), {maxLength: 3}),
			fc.dictionary(names, tie('value'), {maxKeys: 5}),
		),
	}));
	fc.assert(
		fc.property(value, wire => void parseFrame(JSON.stringify(wire) ?? '')),
		{numRuns: 2_000},
	);
	fc.assert(fc.property(fc.string(), text => void parseFrame(text)));
});

test('a frame of a replica carries its position, and what it says of a loss and of its market', () => {
	const said = {recovered: true, missed: {new: {data: [entry]}}, stale: 4200, at: 'e1.42'};
	expect(frame({type: 'init', payload: {new: {data: []}}, ...said})).toMatchObject({
		at: 'e1.42',
		recovered: true,
		missed: new Map([['new', {data: [entry], total: undefined}]]),
		staleMs: 4200,
	});
	expect(frame({type: 'new-token', payload: {viewName: 'new', token: entry}, ...said})).toEqual({
		id: undefined,
		kind: 'put',
		view: 'new',
		wire: entry,
		at: 'e1.42',
	});
	expect(frame({type: 'update', payload: {}, at: 'e1.43', stale: 4200})).toEqual({
		id: undefined,
		kind: 'merge',
		views: new Map(),
		at: 'e1.43',
		staleMs: 4200,
	});
});

test.each([
	7,
	null,
	'',
	'e1',
	'e1.',
	'.5',
	'E1.5',
	'e1.5.6',
	'2026-11-23T08:00:00.000Z',
	`${'e'.repeat(33)}.1`,
	'e1.-1',
	{},
])('what is no position says nothing: %j', at => {
	const said = {recovered: true, missed: {new: {data: [entry]}}, stale: 4200};
	const read = frame({type: 'init', payload: {new: {data: []}}, ...said, at});
	expect(Object.keys(read!).toSorted()).toEqual(['id', 'kind', 'source', 'views']);
});

test.each([
	{recovered: 'yes'},
	{stale: -1},
	{stale: 'soon'},
	{missed: {new: {data: [entry]}}},
	{recovered: false, missed: 7},
])('a malformed fact beside a position is not known: %j', said => {
	const read = frame({type: 'init', payload: {new: {data: []}}, at: 'e1.1', ...said});
	expect(read).not.toHaveProperty('missed');
	expect(read).not.toHaveProperty('staleMs');
});
