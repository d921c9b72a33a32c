import {afterAll, beforeAll, expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {fc} from '../../helpers/properties.ts';
import {ask} from '../helpers/http-client.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

/* Any input gets a success or a refusal with a reason, never a failure of the service. */

let service: RunningService;

beforeAll(async () => {
	const market = new TinyMarket();
	for (let n = 0; n < 20; n++) market.add({address: `0x${n}`, symbol: `T${n}`, market_cap: n, created_at: n});
	const limits = {requestsPerSecond: 1e6, requestBurst: 1e6, framesPerSecond: 1e6, frameBurst: 1e6};
	service = await startService({market, apiKeys: ['k'], limits, flushMs: 20});
});
afterAll(() => service.close());

const FIELDS = [
	'market_cap',
	'created_at',
	'symbol',
	'bonded',
	'pools',
	'security',
	'created_at_offset',
	'__proto__',
	'x',
];
const OPS = ['equals', 'gt', 'lte', 'in', 'not', 'contains', 'isNull', 'mode', 'constructor', 'AND'];
const scalar = fc.oneof(
	fc.constantFrom(null, true, 0, -1, 1e308, '', '5', '2026-01-01', 'NaN', '\u0000'),
	fc.string(),
	fc.double(),
);
const {filter} = fc.letrec<{filter: unknown}>(tie => ({
	filter: fc.oneof(
		{depthSize: 'small'},
		scalar,
		fc.array(tie('filter'), {maxLength: 3}),
		fc.dictionary(fc.constantFrom(...FIELDS, ...OPS, 'OR', 'NOT', 'includeKeywords'), tie('filter'), {maxKeys: 3}),
	),
}));
const view = fc.record(
	{
		name: fc.oneof(fc.string(), fc.constantFrom('__proto__', 'toString'), scalar),
		model: fc.oneof(fc.constantFrom('new', 'bonding', 'trending'), scalar),
		filters: filter,
		sortBy: fc.oneof(fc.constantFrom('market_cap', 'symbol', 'hasOwnProperty'), scalar),
		sortOrder: scalar,
		limit: fc.oneof(fc.integer(), scalar),
		offset: fc.oneof(fc.nat(), scalar),
		includeTokens: fc.oneof(fc.array(scalar), scalar),
		chainId: fc.oneof(fc.array(scalar), scalar),
		min_socials: scalar,
		token: fc.oneof(scalar, fc.record({address: scalar})),
	},
	{requiredKeys: []},
);
const body = fc.oneof(
	fc.jsonValue(),
	fc.record(
		{
			views: fc.oneof(fc.array(view, {maxLength: 3}), scalar),
			assetMode: fc.oneof(fc.boolean(), scalar),
			model: scalar,
			pagination: fc.oneof(fc.boolean(), scalar),
			compressed: fc.oneof(fc.boolean(), scalar),
			walletAddresses: fc.oneof(fc.array(scalar), scalar),
			subscriptionId: scalar,
		},
		{requiredKeys: []},
	),
);

test('any body of a POST is answered or refused', async () => {
	const paths = fc.constantFrom('/api/2/pulse', '/api/2/pulse/pagination', '/api/1/wallet/labels');
	await fc.assert(
		fc.asyncProperty(paths, body, async (path, json) => {
			const response = await ask(service, 'POST', path, {body: JSON.stringify(json)});
			expect([200, 400]).toContain(response.status);
			if (response.status === 400) expect(response.json.message.length).toBeLessThan(600);
		}),
		{numRuns: 400},
	);
});

test('any query of a GET is answered or refused', async () => {
	const names = ['assetMode', 'limit', 'offset', 'chainId', 'asset', 'symbol', 'id', 'timeFrame', 'png', 'blockchain'];
	const query = fc.array(
		fc.tuple(fc.constantFrom(...names), fc.oneof(fc.string(), fc.constantFrom('true', '1', 'T1'))),
	);
	const paths = fc.constantFrom('/api/2/pulse', '/api/1/market/sparkline', '/sparkline/evm:8453/0x1/24h.svg');
	await fc.assert(
		fc.asyncProperty(paths, query, async (path, pairs) => {
			const response = await ask(service, 'GET', `${path}?${new URLSearchParams(pairs)}`);
			expect([200, 400, 404]).toContain(response.status);
		}),
		{numRuns: 200},
	);
});

test('any path is answered or refused', async () => {
	const part = fc.oneof(
		fc.constantFrom('sparkline', 'api', '2', 'pulse', '..', '%2e%2e', '%00', 'evm:8453', '24h.svg'),
		fc.string(),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(part, {maxLength: 5}), async parts => {
			const path = `/${parts.map(p => (p.startsWith('%') ? p : encodeURIComponent(p))).join('/')}`;
			const response = await ask(service, 'GET', path);
			expect([200, 400, 404, 405, 414]).toContain(response.status);
		}),
		{numRuns: 200},
	);
});

test('any frame leaves the socket open, and the next proper one is answered', async () => {
	const type = fc.oneof(fc.constantFrom('pulse-v2', 'unsubscribe', 'pulse-v2-pause', 'bridge-status'), scalar);
	const frame = fc.oneof(
		fc.record(
			{type, event: fc.option(scalar), authorization: fc.constant('k'), payload: fc.oneof(body, view)},
			{requiredKeys: []},
		),
		fc.jsonValue(),
	);
	const client = await StreamClient.open(service.streamUrl, {headers: {authorization: 'k'}});
	await fc.assert(
		fc.asyncProperty(
			fc.oneof(
				frame.map(f => JSON.stringify(f)),
				fc.string(),
			),
			async text => {
				// Another key than the one of the socket would rightly end it.
				fc.pre(!text.includes('"authorization":') || text.includes('"authorization":"k"'));
				client.send(text);
				client.send({event: 'ping'});
				await client.next(f => f['event'] === 'pong');
			},
		),
		{numRuns: 400},
	);
	await client.close();
});
