import {describe, expect, expectTypeOf, test} from 'vitest';
import {
	ENDPOINTS,
	type EndpointId,
	endpointOf,
	type InputOf,
	type OutputOf,
	type ParsedInputOf,
	pathOfEndpoint,
	type ServedOutputOf,
} from '../../../source/contract/endpoints.ts';
import {EXAMPLES} from '../../../source/contract/examples.ts';
import {labelsBodySchema} from '../../../source/contract/labels.ts';
import {openApiDocument} from '../../../source/contract/openapi.ts';
import {marketsBatchBodySchema, withdrawBuildBodySchema} from '../../../source/contract/prediction.ts';
import {factoryNames} from '../../../source/contract/system-metadata.ts';
import {schemaRefusesAt} from './refusal.ts';

const ids = Object.keys(ENDPOINTS) as EndpointId[];

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is what is looked at
type Any = any;

describe('the table of endpoints', () => {
	// Spec 4: method, path, status of a success.
	test.each([
		['POST', '/api/2/pulse', 200],
		['GET', '/api/2/pulse', 200],
		['POST', '/api/2/pulse/pagination', 200],
		['POST', '/api/2/bridge/execute', 200],
		['GET', '/api/2/bridge/quote', 200],
		['GET', '/api/2/bridge/status/{intentId}', 200],
		['GET', '/api/2/bridge/status/{intentId}/wait', 200],
		['POST', '/api/2/perp/payloads/cancel-order', 200],
		['POST', '/api/2/perp/execute-v2', 200],
		['POST', '/api/1/wallet/labels', 200],
		['POST', '/api/2/pm/markets/batch', 200],
		['POST', '/api/2/pm/withdraw/build', 201],
		['POST', '/api/2/pm/deploy/build', 201],
		['GET', '/api/1/market/sparkline', 200],
		['GET', '/api/1/webhook', 200],
		['GET', '/api/1/system-metadata', 200],
	])('has %s %s', (method, path, status) => {
		const rows = ids.map(endpointOf).filter(row => row.method === method && row.path === path);
		expect(rows.map(row => row.status)).toEqual([status]);
	});

	test('no two rows have the same method and path', () => {
		const routes = ids.map(id => `${endpointOf(id).method} ${endpointOf(id).path}`);
		expect(new Set(routes).size).toBe(routes.length);
	});

	test('every parameter of a path is declared, and only those', () => {
		for (const id of ids) {
			const {path, params} = endpointOf(id);
			const named = [...path.matchAll(/\{(\w+)\}/g)].map(match => match[1]);
			const declared = params ? Object.keys((params() as unknown as {shape: object}).shape) : [];
			expect(declared, id).toEqual(named);
		}
	});

	test('what moves money or spends a signature is never sent again blindly', () => {
		const repeated = ids.filter(id => endpointOf(id).retry === 'read');
		expect(
			repeated.filter(id =>
				/Execute|^perp(Cancel|Create|Close|Edit|Update|Withdraw|Deposit)|webhook(Create|Update|Delete|Redeliver)/.test(
					id,
				),
			),
		).toEqual([]);
	});

	test('what is signed, compared or counted is read strictly by a client', () => {
		const read = (reading: 'complete' | 'exact' | 'proposal') => ids.filter(id => endpointOf(id).reading === reading);
		const payloads = ids.filter(id => endpointOf(id).path.includes('/payloads/'));
		expect(payloads).toHaveLength(8);
		expect(read('proposal').toSorted()).toEqual(
			[...payloads, 'depositBuild', 'withdrawBuild', 'deployBuild', 'deploySubmit'].toSorted(),
		);
		expect(read('exact').toSorted()).toEqual(['bridgeExecute', 'bridgeQuote', 'perpExecute', 'webhookCreate']);
		// An order that is not listed counts as cancelled or filled.
		expect(read('complete').toSorted()).toEqual(['perpOpen', 'perpUnfilled']);
	});

	test('a client waits longer than the service may take (spec 8)', () => {
		expect(endpointOf('bridgeExecute').timeoutMs).toBeGreaterThan(30_000);
		expect(endpointOf('bridgeStatusWait').timeoutMs).toBeGreaterThan(30_000);
	});

	test('after each failure of execute the next step is that of spec 7', () => {
		expect(endpointOf('bridgeExecute').next).toEqual({
			400: 'requote',
			401: 'fix-input',
			409: 'poll-status',
			502: 'retry-same',
			503: 'retry-later',
			504: 'poll-status',
		});
	});

	test('path parameters are encoded, and a missing one is a bug', () => {
		expect(pathOfEndpoint('bridgeStatusWait', {intentId: '../a b'})).toBe('/api/2/bridge/status/..%2Fa%20b/wait');
		expect(() => pathOfEndpoint('webhookDelete')).toThrow(/id is missing/);
	});

	test('input and output are typed by id', () => {
		expectTypeOf<InputOf<'bridgeStatus'>>().toEqualTypeOf<{readonly params: {intentId: string}} & unknown>();
		expectTypeOf<OutputOf<'sparkline'>>().toEqualTypeOf<{url: string}>();
		expectTypeOf<InputOf<'marketsBatch'>['body']['items']>().toEqualTypeOf<{platform: string; marketId: string}[]>();
		// What a handler of the service gets and gives: parsed, and read only.
		expectTypeOf<InputOf<'devFaucet'>['body']['token']>().toEqualTypeOf<string | undefined>();
		expectTypeOf<ParsedInputOf<'devFaucet'>['body']['token']>().toEqualTypeOf<string>();
		expectTypeOf<ServedOutputOf<'walletLabels'>['data'][number]['labels']>().toEqualTypeOf<readonly string[]>();
	});
});

describe('bodies with bounds', () => {
	const items = (n: number) => ({
		items: Array.from({length: n}, (_, i) => ({platform: 'platformA', marketId: `${i}`})),
	});

	test.each([
		[items(1), undefined],
		[items(50), undefined],
		[items(51), 'items'],
		[items(0), 'items'],
		[{}, 'items'],
		[{items: [{platform: 'p'}]}, 'items[0].marketId'],
	])('markets batch %#: refused at %s (spec 4.11)', (body, path) => {
		expect(schemaRefusesAt(marketsBatchBodySchema(), body)).toBe(path);
	});

	test.each([
		[0.01, undefined],
		[1_000_000_000, undefined],
		[0.009, 'amount'],
		[1_000_000_000.01, 'amount'],
		['5', 'amount'],
		[null, 'amount'],
	])('a withdrawal of %s: refused at %s (spec 4.12)', (amount, path) => {
		expect(schemaRefusesAt(withdrawBuildBodySchema(), {address: '0x1', amount})).toBe(path);
	});

	test.each([
		[{walletAddresses: 'a'}, undefined],
		[{walletAddresses: Array.from({length: 100}, String)}, undefined],
		[{walletAddresses: Array.from({length: 101}, String)}, 'walletAddresses'],
		[{walletAddresses: ['a', 5]}, 'walletAddresses[1]'],
		[{}, 'walletAddresses'],
		[{walletAddresses: 'a', tokenAddress: 5}, 'tokenAddress'],
	])('labels %#: refused at %s (spec 4.10)', (body, path) => {
		expect(schemaRefusesAt(labelsBodySchema(), body)).toBe(path);
	});
});

describe('the OpenAPI document', () => {
	const document = openApiDocument() as {
		paths: Record<string, Record<string, {parameters?: {name: string; in: string; required: boolean}[]}>>;
		components: {schemas: Record<string, {properties: object}>; headers: Record<string, object>};
	};

	test('has an operation for each row, and resolves every reference', () => {
		const operations = Object.values(document.paths).flatMap(Object.keys);
		expect(operations).toHaveLength(ids.length);
		const text = JSON.stringify(document);
		const {schemas, headers} = document.components;
		const known = Object.entries({schemas, headers}).flatMap(([kind, of]) =>
			Object.keys(of).map(name => `#/components/${kind}/${name}`),
		);
		const used = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(match => match[1]!);
		expect(used.filter(ref => !known.includes(ref))).toEqual([]);
		expect(used.length).toBeGreaterThan(0);
	});

	test('lists path and query parameters', () => {
		const parameters = document.paths['/api/2/bridge/quote']!['get']!.parameters!;
		expect(parameters.find(p => p.name === 'originChainId')).toMatchObject({in: 'query', required: true});
		expect(parameters.find(p => p.name === 'slippage')).toMatchObject({in: 'query', required: false});
		const [id] = document.paths['/api/1/webhook/{id}']!['delete']!.parameters!;
		expect(id).toMatchObject({name: 'id', in: 'path', required: true});
	});

	test('describes an entry field by field', () => {
		expect(Object.keys(document.components.schemas['AssetEntry']!.properties)).toContain('organic_volume_15min');
		expect(Object.keys(document.components.schemas['PoolEntry']!.properties)).toContain('pair');
	});

	test('has an example of each request, which the schemas take', () => {
		for (const id of ids) {
			const {params, query, body} = endpointOf(id);
			const example = EXAMPLES[id] ?? {};
			for (const [name, schema] of Object.entries({params, query, body})) {
				const part = example[name as keyof typeof example];
				expect(part === undefined || schema !== undefined).toBe(true);
				// A call that needs nothing is its own example.
				if (part === undefined && schema?.().safeParse({}).success !== false) continue;
				if (schema) expect([id, name, schema().safeParse(part).error?.message]).toEqual([id, name, undefined]);
			}
		}
	});

	test('says which calls are extensions, what the spec documents of failures, and the one value of a call', () => {
		const {paths} = openApiDocument({operation: true}) as {paths: Record<string, Record<string, Record<string, Any>>>};
		for (const [path, operations] of Object.entries(paths)) {
			if (!/^\/(dev|health|metrics)/.test(path)) continue;
			for (const {description} of Object.values(operations))
				expect([path, description]).toEqual([path, 'Source: extension.']);
		}
		const {requestBody, responses} = paths['/api/2/bridge/execute']!['post']!;
		expect(Object.keys(responses)).toEqual(['200', '400', '401', '402', '409', '502', '503', '504', 'default']);
		const {calls} = requestBody.content['application/json'].schema.properties;
		expect(calls.items.properties.value).toMatchObject({type: 'string', const: '0'});
	});

	test('a service may describe only what it serves', () => {
		expect(Object.keys(openApiDocument({ids: ['pulse', 'pulseDefault']})['paths'] as object)).toEqual(['/api/2/pulse']);
	});
});

test('factories are found by either of their names, in any letter case', () => {
	const names = factoryNames([
		{chainId: 'evm:1', address: '0x1', name: 'Pump', ui_name: 'Pump Fun'},
		{chainId: 'evm:2', address: '0x2', name: 'pump', ui_name: null},
	]);
	expect(names.get('pump')).toEqual(['0x1', '0x2']);
	expect(names.get('pump fun')).toEqual(['0x1']);
});
