import fc from 'fast-check';
import {expect, test} from 'vitest';
import {parseFrame} from '../../../source/client/stream/frames.ts';

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
