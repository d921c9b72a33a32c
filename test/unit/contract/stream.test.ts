import {describe, expect, test} from 'vitest';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {parseClientFrame} from '../../../source/contract/stream.ts';
import {pulseFrameSchema} from '../../contract/stream-frames.ts';
import {refusedAt, schemaRefusesAt} from './refusal.ts';

describe('frames of a client (contract gaps 1.2)', () => {
	test('the payload of a subscription is the body of a pulse request', () => {
		const views = [{name: 'new', model: 'new', limit: 5}];
		const payload = {assetMode: true, views, subscriptionId: 's1', instanceTracking: false};
		const request = parseClientFrame(JSON.stringify({type: 'pulse-v2', authorization: 'K', payload}));
		expect(request).toEqual({kind: 'subscribe', key: 'K', subscriptionId: 's1', body: {assetMode: true, views}});
		if (request.kind !== 'subscribe') throw new Error('not a subscription');
		expect(parsePulseBody(request.body)).toEqual(parsePulseBody({assetMode: true, views}));
	});

	const none = {key: undefined, subscriptionId: undefined};
	test.each<[object, object]>([
		[
			{type: 'pulse-v2', payload: {personalizedId: 'p'}},
			{...none, kind: 'subscribe', subscriptionId: 'p', body: {}},
		],
		[{type: 'unsubscribe'}, {...none, kind: 'unsubscribe', type: undefined, viewName: undefined}],
		[
			{type: 'unsubscribe', authorization: 'K', payload: {type: 'pulse-v2', subscriptionId: 's', viewName: 'new'}},
			{kind: 'unsubscribe', key: 'K', type: 'pulse-v2', subscriptionId: 's', viewName: 'new'},
		],
		[
			{type: 'pulse-pause', payload: {action: 'pause', views: ['new'], subscriptionId: 's'}},
			{kind: 'pause', key: undefined, subscriptionId: 's', views: ['new']},
		],
		[
			{type: 'pulse-v2-pause', payload: {action: 'unpause', views: ['a', 'b']}},
			{...none, kind: 'unpause', views: ['a', 'b']},
		],
		[{event: 'ping'}, {kind: 'ping'}],
		[
			{type: 'bridge-status', payload: {intentId: 'i'}},
			{...none, kind: 'bridge-status', intentIds: ['i']},
		],
		[
			{type: 'bridge-status', payload: {intentIds: ['i', 'j']}},
			{...none, kind: 'bridge-status', intentIds: ['i', 'j']},
		],
		[
			{
				event: 'perp-positions-open',
				authorization: 'K',
				data: {wallet: 'w', subscriptionTracking: true, subscriptionId: 's'},
			},
			{kind: 'perp-positions-open', key: 'K', subscriptionId: 's', wallet: 'w'},
		],
		[
			{event: 'unsubscribe', data: {subscriptionId: 's'}},
			{kind: 'unsubscribe', key: undefined, type: undefined, subscriptionId: 's', viewName: undefined},
		],
	])('%j', (frame, request) => {
		expect(parseClientFrame(JSON.stringify(frame))).toEqual(request);
	});

	test.each([
		['{', ''],
		['[]', ''],
		['null', ''],
		['{}', 'type'],
		['{"type":"dance"}', 'type'],
		['{"event":"dance"}', 'event'],
		['{"type":5}', 'type'],
		['{"type":"pulse-v2"}', 'payload'],
		['{"type":"pulse-v2","payload":{"views":[{}]}}', 'payload.views[0].name'],
		[`{"type":"pulse-v2","payload":{"subscriptionId":"${'x'.repeat(256)}"}}`, 'payload.subscriptionId'],
		['{"type":"pulse-v2-pause","payload":{"action":"pause","views":[]}}', 'payload.views'],
		['{"type":"pulse-v2-pause","payload":{"action":"stop","views":["new"]}}', 'payload.action'],
		['{"type":"bridge-status","payload":{}}', 'payload.intentId'],
		[
			JSON.stringify({type: 'bridge-status', payload: {intentIds: Array.from({length: 21}, String)}}),
			'payload.intentIds',
		],
		['{"event":"perp-positions-open","data":{}}', 'data.wallet'],
	])('%s is refused at "%s"', (frame, path) => {
		expect(refusedAt(() => parseClientFrame(frame))).toBe(path);
	});
});

describe('frames of the service (contract gaps 1.3)', () => {
	test.each([
		{event: 'subscribed', type: 'pulse-v2', subscriptionId: 's1'},
		{type: 'init', payload: {new: {data: [{address: 'a'}]}, bonding: {data: []}}, subscriptionId: 's1'},
		{type: 'sync', payload: {}, subscriptionId: 's1'},
		{type: 'new-token', payload: {viewName: 'new', token: {}}, subscriptionId: 's1'},
		{type: 'remove-token', payload: {viewName: 'new', tokenKey: 'evm:8453|0xabc'}, subscriptionId: 's1'},
		{type: 'update-pool', payload: {viewName: 'new', pool: {}}},
		{type: 'remove-pool', payload: {viewName: 'new', poolAddress: '0x1'}},
		{event: 'paused', type: 'pulse-v2-pause', views: ['new'], subscriptionId: 's1'},
		{event: 'unsubscribed', type: 'pulse-v2', subscriptionId: 's1'},
		{event: 'pong'},
		{event: 'error', type: 'pulse-v2', subscriptionId: 's1', message: 'views[0].limit must be at most 100'},
	])('%j', frame => {
		expect(schemaRefusesAt(pulseFrameSchema(), frame)).toBeUndefined();
		expect(pulseFrameSchema().parse(frame)).toEqual(frame);
	});

	test.each([
		{type: 'new-token', payload: {viewName: 'new', token: 'text'}},
		{type: 'init', payload: {new: []}},
		{type: 'remove-token', payload: {viewName: 'new'}},
		{event: 'error'},
	])('%j is not a frame', frame => {
		expect(schemaRefusesAt(pulseFrameSchema(), frame)).toBeDefined();
	});
});
