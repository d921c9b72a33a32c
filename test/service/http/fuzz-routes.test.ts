import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import * as z from 'zod';
import {ENDPOINTS, type Endpoint} from '../../../source/contract/endpoints.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {fc} from '../../helpers/properties.ts';
import {newUser} from '../chain/practice.ts';
import {type Answer, ask} from '../helpers/http-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

/* Every row of the contract's table, with whatever can be written into its parameters, its query and its body. */

let service: RunningService;
beforeAll(async () => {
	const market = new TinyMarket();
	market.add({address: '0x00000000000000000000000000000000000000aa', symbol: 'AAA', market_cap: 5, created_at: 1});
	const limits = {requestsPerSecond: 1e6, requestBurst: 1e6, framesPerSecond: 1e6, frameBurst: 1e6};
	service = await startService({market, apiKeys: ['k'], limits, bridgeWaitMs: 20});
});
afterAll(() => service.close());

const ADDRESS = '0x00000000000000000000000000000000000000aa';
const value: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom(null, true, 0, -1, 1.5, 1e21, 1e308, '', '0', '5', '1e5', '-1', '0x', '0xzz', '\u0000', '__proto__'),
	fc.constantFrom(ADDRESS, 'evm:8453', 'evm:42161', 'dexA', 'dexB', 'dexB:304', 'solana:solana', 'BTC', 'USD', 'k'),
	fc.constantFrom('https://a.example/h', 'http://127.0.0.1:1', 'javascript:0', '{"payload":{}}', '{', 'cancel-order'),
	fc.constantFrom([], {}, [[]], [null], {constructor: 1}, ['transfer'], [{to: ADDRESS, value: '0', data: '0x'}]),
	fc.string(),
	fc.jsonValue(),
);

interface Shape {
	readonly properties?: Readonly<Record<string, Shape>>;
	readonly anyOf?: readonly Shape[];
	readonly oneOf?: readonly Shape[];
	readonly allOf?: readonly Shape[];
}

function namesOf(schema: (() => z.ZodType) | undefined): string[] {
	if (!schema) return [];
	const collect = ({properties = {}, anyOf = [], oneOf = [], allOf = []}: Shape): string[] => [
		...Object.keys(properties),
		...[...anyOf, ...oneOf, ...allOf].flatMap(collect),
	];
	return [...new Set(collect(z.toJSONSchema(schema(), {io: 'input', unrepresentable: 'any'}) as Shape))];
}

/** Some of the names that the schema knows, each with anything; now and then a name that it does not know. */
function anyOf(names: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
	const known = fc.record(Object.fromEntries(names.map(name => [name, value])), {requiredKeys: []});
	const strange = fc.dictionary(fc.string(), value, {maxKeys: 1});
	return fc.oneof(
		{weight: 4, arbitrary: known},
		{weight: 1, arbitrary: fc.tuple(known, strange).map(([a, b]) => ({...b, ...a}))},
	);
}

const textOf = (given: unknown) => (typeof given === 'string' ? given : JSON.stringify(given)).toWellFormed();

async function send(
	endpoint: Endpoint,
	query: Record<string, unknown>,
	body: unknown,
	params: string,
): Promise<Answer> {
	const path = endpoint.path.replace(/\{\w+\}/g, () => encodeURIComponent(params.toWellFormed()) || '-');
	const pairs = Object.entries(query).map(([name, given]): [string, string] => [name.toWellFormed(), textOf(given)]);
	const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
	const hasBody = endpoint.method === 'POST' || endpoint.method === 'PATCH';
	return ask(service, endpoint.method, path + search, hasBody ? {body: JSON.stringify(body) ?? 'null'} : {});
}

describe.each(Object.entries(ENDPOINTS) as [string, Endpoint][])('%s', (_, endpoint) => {
	const names = {query: namesOf(endpoint.query), body: namesOf(endpoint.body)};
	// The perp routes have a text of their own (spec 4.8).
	const saysWhat = [
		...names.query,
		...names.body,
		...namesOf(endpoint.params),
		'The request',
		'Body',
		'zod validation failed',
		// A name that is not among these, which the sentence begins with.
		'not a known field',
	];

	test('responds to or refuses any input, and names what it refuses', async () => {
		await fc.assert(
			fc.asyncProperty(
				anyOf(names.query),
				fc.oneof({weight: 5, arbitrary: anyOf(names.body)}, {weight: 1, arbitrary: value}),
				fc.string(),
				async (query, body, params) => {
					const {status, json} = await send(endpoint, query, body, params);
					expect(status).toBeLessThan(500);
					if (status === 400) {
						const words = String(json.message ?? json.error);
						expect(words.length).toBeLessThan(600);
						expect(words).toSatisfy(text => saysWhat.some(what => text.includes(what)));
					}
				},
			),
			{numRuns: 25},
		);
	});
});

describe('signed as it should be', () => {
	const trader = newUser();
	let lastMs = 0;
	const signed = async (text: (timestamp: number) => string, fields: Record<string, unknown>) => {
		// Two requests in one millisecond would carry the same signature.
		const timestamp = Math.max(Date.now(), lastMs + 1);
		lastMs = timestamp;
		return {...fields, timestamp, signature: await trader.signMessage({message: text(timestamp)})};
	};
	const payloads = Object.values<Endpoint>(ENDPOINTS).filter(({path}) => path.includes('/perp/payloads/'));

	test.each(payloads.map(endpoint => [endpoint.path.split('/').at(-1)!, endpoint] as const))(
		'%s builds a payload, or refuses in the words of the spec',
		async (action, endpoint) => {
			const names = namesOf(endpoint.body).filter(name => name !== 'timestamp' && name !== 'signature');
			const wanted = fc.record({
				dex: fc.constantFrom('dexA', 'dexB'),
				chainId: fc.constantFrom('evm:42161', 'dexB:304'),
			});
			await fc.assert(
				fc.asyncProperty(wanted, anyOf(names), async (base, fields) => {
					const body = await signed(at => `api/2/perp/payloads/${action}-${at}`, {...base, ...fields});
					const {status, json} = await send(endpoint, {}, body, '');
					if (status === 200) return;
					// dexA has no accounts to make.
					expect([400, 403, 500, 501]).toContain(status);
					expect(json.message).toMatch(
						/^(zod validation failed|Body|[a-z-]+ payload generation failed|could not build|sig)/,
					);
				}),
				{numRuns: 25},
			);
		},
	);

	test('execute-v2 breaks on no payload', async () => {
		const content = fc.oneof(
			value.map(textOf),
			anyOf(['payload', 'action', 'dex', 'chainId', 'transport', 'signedTx']).map(textOf),
			fc
				.record({payload: anyOf(['to', 'data', 'nonce', 'gas', 'steps', 'signedTxs', 'L1Sig', 'MessageToSign'])})
				.map(textOf),
		);
		const names = ['action', 'dex', 'chainId', 'transport', 'signedTx'];
		await fc.assert(
			fc.asyncProperty(content, anyOf(names), async (payloadStr, fields) => {
				const body = await signed(at => `api/2/perp/execute-v2-${at}-${payloadStr}`, {
					...{action: 'cancel-order', dex: 'dexA', chainId: 'evm:42161', transport: 'evm-tx'},
					...fields,
					payloadStr,
				});
				const {status} = await send(ENDPOINTS.perpExecute, {}, body, '');
				expect([200, 400, 403]).toContain(status);
			}),
			{numRuns: 100},
		);
	});
});
