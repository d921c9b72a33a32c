import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {
	BRIDGE_STATUSES,
	bridgeStatusSchema,
	executeBodySchema,
	isTerminal,
	quoteQuerySchema,
	quoteSchema,
} from '../../../source/contract/bridge.ts';
import {parseRequest} from '../../../source/contract/schema.ts';
import {schemaRefusesAt} from './refusal.ts';

const vectors = JSON.parse(readFileSync(new URL('../../vectors/signing.json', import.meta.url), 'utf8'));
const {batch, signature, intentId} = vectors.batches[0];
const {tuple} = vectors.authorizations[0];
const body = {...batch, intentId, batchSignature: signature, authorizationList: [tuple]};

describe('the body of execute (spec 4.4)', () => {
	test('a real one is accepted unchanged', () => {
		expect(parseRequest(executeBodySchema(), body)).toEqual(body);
	});

	test.each([
		{authorizationList: []},
		{authorizationList: undefined},
		{signature: '0x00', executionKind: 'sponsored7702', entrypoint: 'bridgeToken'},
		{somethingNew: 1},
	])('and with %j', change => {
		expect(schemaRefusesAt(executeBodySchema(), {...body, ...change})).toBeUndefined();
	});

	const required = [
		'originChainId',
		'intentId',
		'authority',
		'calls',
		'batchNonce',
		'deadline',
		'gasToken',
		'minBalance',
	];
	test.each([...required, 'batchSignature'])('%s is required', name => {
		const {[name]: _, ...rest} = body;
		expect(schemaRefusesAt(executeBodySchema(), rest)).toBe(name);
	});

	const [call] = body.calls;
	test.each([
		[{calls: Array.from({length: 5}, () => call)}, 'calls'],
		[{calls: []}, 'calls'],
		[{calls: [{...call, to: '0x12'}]}, 'calls[0].to'],
		[{calls: [call, {...call, data: '0x123'}]}, 'calls[1].data'],
		[{calls: [{...call, value: 0}]}, 'calls[0].value'],
		[{calls: [{...call, value: '-1'}]}, 'calls[0].value'],
		[{batchNonce: '0x1'}, 'batchNonce'],
		[{batchNonce: 5}, 'batchNonce'],
		[{deadline: 1_790_000_000}, 'deadline'],
		[{batchSignature: signature.slice(0, -2)}, 'batchSignature'],
		[{authority: 'me'}, 'authority'],
		[{authorizationList: [tuple, tuple]}, 'authorizationList'],
		[{authorizationList: [{...tuple, chainId: '8453'}]}, 'authorizationList[0].chainId'],
		[{authorizationList: [{...tuple, yParity: 27}]}, 'authorizationList[0].yParity'],
		[{authorizationList: [{...tuple, nonce: -1}]}, 'authorizationList[0].nonce'],
		[{executionKind: 'other'}, 'executionKind'],
	])('%j is refused at %s', (change, path) => {
		expect(schemaRefusesAt(executeBodySchema(), {...body, ...change})).toBe(path);
	});
});

describe('the query of quote (contract gaps 4.1)', () => {
	const query = {originChainId: 'evm:8453', destinationChainId: 'evm:42161', walletAddress: '0x1', amount: '50.5'};

	test('fills in the defaults and keeps amounts as exact text', () => {
		expect(parseRequest(quoteQuerySchema(), query)).toEqual({...query, slippage: 1, gasless: false});
		expect(parseRequest(quoteQuerySchema(), {...query, amount: 0.1}).amount).toBe('0.1');
	});

	test.each([
		['true', true],
		['1', true],
		['false', false],
		['0', false],
	])('gasless=%s', (gasless, value) => {
		expect(parseRequest(quoteQuerySchema(), {...query, gasless}).gasless).toBe(value);
	});

	test.each([
		[{amount: undefined}, 'amount'],
		[{amountRaw: '5'}, 'amount'],
		[{amount: '0'}, 'amount'],
		[{amount: '-1'}, 'amount'],
		[{amount: '1e3'}, 'amount'],
		[{amount: '1000000000000001'}, 'amount'],
		[{amount: undefined, amountRaw: '5.5'}, 'amountRaw'],
		[{slippage: '51'}, 'slippage'],
		[{gasless: 'yes'}, 'gasless'],
		[{originChainId: undefined}, 'originChainId'],
		[{walletAddress: ''}, 'walletAddress'],
	])('%j is refused at %s', (change, path) => {
		expect(schemaRefusesAt(quoteQuerySchema(), {...query, ...change})).toBe(path);
	});
});

describe("the figures of a launch in a quote, which are the service's own", () => {
	const quote = {intentId: 'i', estimatedAmountOut: '1', minAmountOut: '1', fees: {}};

	test('are read', () => {
		const figures = {priceUSD: '0.000025', priceImpact: 1.5, poolShare: 1, buyTax: 5, sellTax: 0, marketTimeMs: 1};
		expect(quoteSchema().parse({...quote, ...figures})).toMatchObject(figures);
	});

	test.each([{priceUSD: '1e-30'}, {priceUSD: 0.5}, {priceImpact: '1.5 %'}, {buyTax: null}, {marketTimeMs: 'now'}])(
		"%j is another service's own: it counts as absent and spoils no quote",
		other => {
			expect(quoteSchema().parse({...quote, ...other})).toEqual(quote);
		},
	);
});

test.each(['', 'i'.repeat(201), 'a\u001b[2Jb', 'a\nb', 'a\u202eb', 'a\u200bb'])(
	'a quote whose intent id is %j is a malformed answer: the id is shown, signed and put into addresses',
	intentId => {
		const quote = {intentId, estimatedAmountOut: '1', minAmountOut: '1', fees: {}};
		expect(schemaRefusesAt(quoteSchema(), quote)).toBe('intentId');
	},
);

describe('the status of an intent (spec 3, contract gaps 4.5)', () => {
	test('four statuses are the end, all others, unknown ones too, are not', () => {
		expect(BRIDGE_STATUSES.filter(isTerminal)).toEqual(['filled', 'settled', 'refunded', 'failed']);
		expect(isTerminal('settle_lost')).toBe(false);
	});

	test.each([
		{status: 'pending'},
		{status: 'replaced', failureReason: null},
		{id: 'x', status: 'failed', depositTxHash: '0x1', failureReason: 'call 1 reverted', message: 'm'},
		{status: 'refunded', failureReason: {code: 'slippage', more: 1}},
	])('%j is read', row => {
		expect(schemaRefusesAt(bridgeStatusSchema(), row)).toBeUndefined();
	});
});
