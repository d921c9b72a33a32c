import {encodeFunctionData, parseAbi} from 'viem';
import {describe, expect, test} from 'vitest';
import {createCall} from '../../../source/client/http/call.ts';
import type {Http} from '../../../source/client/http/http.ts';
import type {EndpointId} from '../../../source/contract/endpoints.ts';
import type {Envelope} from '../../../source/contract/perp.ts';
import type {DeployBuild} from '../../../source/contract/prediction.ts';
import {NEUTRAL_PROVIDER} from '../../../source/contract/provider.ts';
import {deployTypedData, typedDataJson} from '../../../source/contract/typed-data.ts';
import {type CancelPlan, checkMarket, checkOrder} from '../../../source/trading/perp/checks.ts';
import {openEnvelope} from '../../../source/trading/perp/envelope.ts';
import {transactionIn} from '../../../source/trading/perp/transaction.ts';
import {checkDeployment, type PredictionPlan} from '../../../source/trading/prediction/checks.ts';

/*
 * Every form in which a service may propose something to sign (spec 4.7, 4.8, 4.12, 4.13; contract gaps 5.2, 6.2), read the
 * whole way: answer, schema, envelope, checks. Each is accepted as it is, and refused with one member more, anywhere.
 */

const FACTORY = '0x1000000000000000000000000000000000000001';
const ACCOUNT = '0x2000000000000000000000000000000000000002';
const EXCHANGE = '0x3000000000000000000000000000000000000003';
const abi = parseAbi(['function cancelOrder(uint256 index)']);

type Json = Record<string, unknown>;

const transaction = {to: ACCOUNT, calldata: '0x1234', chainId: 137, vaultAddress: ACCOUNT};
const node = {hostname: 'node-1', took: 3};
const typedData: Json = {...typedDataJson(deployTypedData(FACTORY)), vaultAddress: ACCOUNT};
const domainFields = ['name', 'chainId', 'verifyingContract'].map(name => ({name, type: 'string'}));

const contentB = (payload: Json) => ({
	action: 'cancel-order',
	dex: 'dexB',
	chainId: 'dexB:304',
	marketId: 'ETH-USD',
	transport: 'offchain-api',
	payload,
});
const contentA = (more: Json = {}, tx: Json = {}, outer: Json = {}) => ({
	action: 'cancel-order',
	dex: 'dexA',
	chainId: 'evm:42161',
	...outer,
	transport: 'evm-tx',
	payload: {
		...more,
		data: {to: EXCHANGE, callData: encodeFunctionData({abi, functionName: 'cancelOrder', args: [7n]}), ...tx},
	},
});
function envelopeOf(content: Json): Json {
	const {payload: _, ...metadata} = content;
	return {...metadata, payloadStr: JSON.stringify(content)};
}

/** A form by its name: the endpoint, and the whole body of its answer. */
type Form = readonly [name: string, id: EndpointId, body: Json];

const FORMS: readonly Form[] = [
	...(['withdrawBuild', 'depositBuild', 'deploySubmit'] as const).flatMap((id): Form[] => [
		['a transaction', id, {data: transaction, ...node}],
		['a transaction alone', id, {data: transaction}],
		['a transaction without a wrapper', id, transaction],
		['a transaction that says whether the account exists', id, {data: {...transaction, deployed: true}, ...node}],
	]),
	['typed data', 'deployBuild', {data: typedData, ...node}],
	['typed data alone', 'deployBuild', {data: typedData}],
	['typed data without a wrapper', 'deployBuild', typedData],
	[
		'typed data with the fields of its domain',
		'deployBuild',
		{data: {...typedData, types: {...(typedData['types'] as Json), EIP712Domain: domainFields}}},
	],
	[
		'typed data with numbers in another spelling',
		'deployBuild',
		{
			data: {
				...typedData,
				domain: {...(typedData['domain'] as Json), chainId: '137'},
				message: {...(typedData['message'] as Json), payment: 0},
			},
		},
	],
	['an envelope', 'perpCancelOrder', {data: envelopeOf(contentB({orderIndex: '7'}))}],
	['an envelope with a flag', 'perpCancelOrder', {success: true, data: envelopeOf(contentB({orderIndex: '7'}))}],
	['an envelope without a wrapper', 'perpCancelOrder', envelopeOf(contentB({orderIndex: '7'}))],
	...['orderIndex', 'order_index', 'Index', 'index'].map(
		(name): Form => [`an order called ${name}`, 'perpCancelOrder', {data: envelopeOf(contentB({[name]: 7}))}],
	),
	[
		'an order with its market, account and key',
		'perpCancelOrder',
		{data: envelopeOf(contentB({orderIndex: '7', market_id: 'ETH-USD', accountIndex: 3, apiKeyIndex: 1}))},
	],
	['a transaction', 'perpCancelOrder', {data: envelopeOf(contentA())}],
	[
		'a transaction with everything that is known of one',
		'perpCancelOrder',
		{
			success: true,
			data: envelopeOf(
				contentA(
					{type: 'evm', orderType: 'order'},
					{
						from: ACCOUNT,
						value: '0',
						chainId: 42161,
						nonce: '0x3',
						gas: '60000',
						maxFeePerGas: '200000000',
						maxPriorityFeePerGas: 0,
					},
					{marketId: 'ETH-USD'},
				),
			),
		},
	],
	['a transaction with one price', 'perpCancelOrder', {data: envelopeOf(contentA({}, {gas: 1, gasPrice: '5'}))}],
];

const ASKED = {
	dexA: {action: 'cancel-order', dex: 'dexA', chainId: 'evm:42161', marketId: 'ETH-USD'},
	dexB: {action: 'cancel-order', dex: 'dexB', chainId: 'dexB:304', marketId: 'ETH-USD'},
} as const;

/** Reads an answer as the flows do. @returns why it is refused; undefined when it is not */
async function refusalOf(id: EndpointId, body: unknown, aliases = {}): Promise<string | undefined> {
	const http = {json: async () => ({body})} as unknown as Http;
	try {
		const {data} = (await createCall(http, aliases)(id, {body: {}} as never)) as {data: unknown};
		if (id === 'perpCancelOrder') return cancelRefusal(data as Envelope);
		if (id !== 'deployBuild') return undefined;
		const plan = {
			action: 'deploy',
			proposal: data as DeployBuild,
			place: {factory: FACTORY},
		} as unknown as PredictionPlan;
		const {ok, detail} = checkDeployment(plan);
		return ok ? undefined : detail;
	} catch (error) {
		return (error as {why: string}).why;
	}
}

function cancelRefusal(envelope: Envelope): string | undefined {
	const asked = envelope.dex === 'dexA' ? ASKED.dexA : ASKED.dexB;
	const content = openEnvelope(envelope, asked, NEUTRAL_PROVIDER);
	const target = {...asked, index: '7', orderType: 'order'};
	const evm = asked.dex === 'dexA' ? {evm: {tx: transactionIn(content)}} : {};
	const plan = {target, content, ...evm} as unknown as CancelPlan;
	return [checkOrder, checkMarket].map(run => run(plan)).find(({ok}) => !ok)?.detail;
}

describe.each(FORMS)('%s from %s', (_, id, body) => {
	test('is accepted as it is', async () => {
		expect(await refusalOf(id, body)).toBeUndefined();
	});

	test('is refused with one member more, wherever it stands, by its name', async () => {
		const places = objectsIn(body);
		// The answer itself, what it carries, and what that carries.
		expect(places.length).toBeGreaterThan(0);
		for (const member of ['cancelAll', '__proto__', 'delegatecall'])
			for (const place of places)
				expect(await refusalOf(id, withMember(body, place, member)), `${place.join('.')} ${member}`).toContain(member);
	});

	test('is refused with an object in the place of a single value', async () => {
		for (const place of scalarsIn(body)) {
			const changed = withValue(body, place, {cancelAll: true});
			expect(await refusalOf(id, changed), place.join('.')).toEqual(expect.any(String));
			expect(await refusalOf(id, withValue(body, place, ['7'])), place.join('.')).toEqual(expect.any(String));
		}
	});
});

test.each(['withdrawBuild', 'depositBuild', 'deployBuild', 'deploySubmit', 'perpCancelOrder'] as const)(
	'%s with `data: null` proposes nothing, and that is said',
	async id => {
		for (const body of [{data: null}, {data: null, ...node}, null])
			expect(await refusalOf(id, body)).toBe('it proposes nothing');
	},
);

test.each(['withdrawBuild', 'deployBuild', 'perpCancelOrder'] as const)(
	'%s in a wrapper of another endpoint is refused, so that nothing can stand beside it unseen',
	async id => {
		const [, , form] = FORMS.find(([, other]) => other === id)!;
		for (const body of [{payload: form}, {data: form}, {payload: form, cancelAll: true}])
			expect(await refusalOf(id, body)).toEqual(expect.any(String));
	},
);

test('the account under the name that a service has for it is read, and under both names refused', async () => {
	const aliases = {vaultAddress: 'safeAddress'};
	const {vaultAddress, ...rest} = transaction;
	expect(await refusalOf('withdrawBuild', {data: {...rest, safeAddress: vaultAddress}}, aliases)).toBeUndefined();
	const both = {data: {...transaction, safeAddress: EXCHANGE}};
	expect(await refusalOf('withdrawBuild', both, aliases)).toContain('safeAddress');
});

test.each(['withdraw', 'deposit', 'create-order', 'close-position', 'create-account', 'edit-order', 'update-margin'])(
	'the payload of %s in the place of a cancel is refused',
	async action => {
		expect(await refusalOf('perpCancelOrder', {data: envelopeOf({...contentB({orderIndex: '7'}), action})})).toContain(
			action,
		);
	},
);

type Path = readonly (string | number)[];

/** Every place in a body, with what payloadStr holds as if it lay there as JSON. */
function walk(value: unknown, path: Path = []): readonly {readonly path: Path; readonly value: unknown}[] {
	const inner = path.at(-1) === 'payloadStr' ? (JSON.parse(value as string) as unknown) : value;
	const members = typeof inner === 'object' && inner !== null ? Object.entries(inner) : [];
	return [{path, value: inner}, ...members.flatMap(([name, member]) => walk(member, [...path, name]))];
}

const isList = (value: unknown) => Array.isArray(value);
const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const objectsIn = (body: unknown) =>
	walk(body).flatMap(({path, value}) => (isObject(value) && !isList(value) ? [path] : []));
const scalarsIn = (body: unknown) => walk(body).flatMap(({path, value}) => (isObject(value) ? [] : [path]));

/** A copy, changed at a place by JSON text: so a `__proto__` is a member like any other. */
function changed(value: unknown, [name, ...rest]: Path, change: (found: unknown) => string): string {
	if (name === undefined) return change(value);
	const members = Object.entries(value as object).map(([key, member]) => {
		const isHere = key === String(name);
		const isText = key === 'payloadStr';
		const text = isHere ? changed(isText ? JSON.parse(member) : member, rest, change) : JSON.stringify(member);
		const written = isHere && isText ? JSON.stringify(text) : text;
		return isList(value) ? written : `${JSON.stringify(key)}:${written}`;
	});
	return isList(value) ? `[${members.join(',')}]` : `{${members.join(',')}}`;
}

function withMember(body: unknown, path: Path, member: string): unknown {
	const add = (found: unknown) => JSON.stringify(found).replace(/\}$/, `,"${member}":{"a":1}}`);
	return JSON.parse(changed(body, path, add));
}

function withValue(body: unknown, path: Path, value: unknown): unknown {
	return JSON.parse(changed(body, path, () => JSON.stringify(value)));
}
