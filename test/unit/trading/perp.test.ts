import {join} from 'node:path';
import {
	encodeFunctionData,
	keccak256,
	parseAbi,
	parseTransaction,
	recoverMessageAddress,
	recoverTransactionAddress,
	stringToBytes,
} from 'viem';
import {describe, expect, test} from 'vitest';
import type {Call} from '../../../source/client/http/call.ts';
import {ServiceRefused, ServiceTimeout, ServiceUnreachable} from '../../../source/client/http/service-errors.ts';
import {type Envelope, type UnfilledOrder, unfilledOrderSchema} from '../../../source/contract/perp.ts';
import {NEUTRAL_PROVIDER} from '../../../source/contract/provider.ts';
import {type ChainReader, NodeRefused} from '../../../source/trading/chain-reader.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {describeCancel} from '../../../source/trading/perp/describe-state.ts';
import {openEnvelope, type Requested} from '../../../source/trading/perp/envelope.ts';
import {type CancelFlow, createCancelFlow} from '../../../source/trading/perp/flow.ts';
import {openCancels} from '../../../source/trading/perp/journal-fold.ts';
import {endRead, UNCLEAR_MS} from '../../../source/trading/perp/machine.ts';
import {describeTarget, readListings, unreadText} from '../../../source/trading/perp/orders.ts';
import {unknownMembers} from '../../../source/trading/perp/payload-members.ts';
import {transactionIn} from '../../../source/trading/perp/transaction.ts';
import {openPins} from '../../../source/trading/pins.ts';
import {COIN} from '../../../source/trading/simulation.ts';
import {practiceSigner} from '../../helpers/practice-signer.ts';

const EXCHANGE = '0x7000000000000000000000000000000000aBcDeF';
const OTHER = '0x2000000000000000000000000000000000000002';
const NOW = 1_800_000_000_000;
const abi = parseAbi([
	'function cancelOrder(uint256 index)',
	'function cancelTakeProfit(uint256 index)',
	'function closeAll()',
]);

function row(more: Partial<UnfilledOrder> = {}): UnfilledOrder {
	return {
		id: 'pos-dexA-ETH-USD-USDC-0xme-7',
		marketId: 'ETH-USD',
		exchange: 'dexA',
		chainId: 'evm:42161',
		address: '0xme',
		side: 'BUY',
		type: 'LIMIT',
		entryPriceQuote: 3000,
		currentPriceQuote: 3100,
		liquidationPriceQuote: null,
		currentLeverage: 5,
		amountUSD: 500,
		amountRaw: '1',
		collateralAsset: 'USDC',
		realizedPnlUSD: 0,
		unrealizedPnlUSD: 0,
		realizedPnlPercent: 0,
		unrealizedPnlPercent: 0,
		feesOpeningUSD: 0,
		feesClosingUSD: 0,
		feesFundingUSD: 0,
		openDate: '2026-01-01T00:00:00Z',
		lastUpdate: '2026-01-01T00:00:00Z',
		tp: [],
		sl: [],
		...more,
	};
}

const ORDER_B = row({id: 'pos-dexB-BTC-USD-USDC-0xme-12', exchange: 'dexB', chainId: 'dexB:304', marketId: 'BTC-USD'});

function envelopeOf(content: Record<string, unknown>): Envelope {
	const {action, dex, chainId, marketId, transport} = content as unknown as Envelope;
	return {
		action,
		dex,
		chainId,
		...(marketId === undefined ? {} : {marketId}),
		transport,
		payloadStr: JSON.stringify(content),
	};
}

function contentA(tx: Record<string, unknown> = {}) {
	return {
		action: 'cancel-order',
		dex: 'dexA',
		chainId: 'evm:42161',
		transport: 'evm-tx',
		payload: {
			type: 'evm',
			orderType: 'order',
			data: {
				to: EXCHANGE,
				callData: encodeFunctionData({abi, functionName: 'cancelOrder', args: [7n]}),
				value: '0',
				chainId: 42161,
				nonce: 3,
				gas: '60000',
				maxFeePerGas: '200000000',
				maxPriorityFeePerGas: '0',
				...tx,
			},
		},
	};
}

const contentB = {
	action: 'cancel-order',
	dex: 'dexB',
	chainId: 'dexB:304',
	marketId: 'BTC-USD',
	transport: 'offchain-api',
	payload: {orderIndex: '12'},
};

describe('an envelope', () => {
	const asked: Requested = {action: 'cancel-order', dex: 'dexB', chainId: 'dexB:304', marketId: 'BTC-USD'};
	const open = (envelope: Envelope) => openEnvelope(envelope, asked, NEUTRAL_PROVIDER);

	test('opens when it is the requested one, inside and outside', () => {
		expect(open(envelopeOf(contentB)).payload).toEqual({orderIndex: '12'});
	});

	test('opens when its JSON has blanks and escapes as other writers put them', () => {
		const payloadStr = JSON.stringify(contentB, null, 1).replaceAll('cancel', '\\u0063ancel');
		expect(open({...envelopeOf(contentB), payloadStr}).payload).toEqual({orderIndex: '12'});
	});

	test.each([
		['another action', envelopeOf({...contentB, action: 'withdraw'}), /action is withdraw/],
		['another exchange', envelopeOf({...contentB, dex: 'dexA'}), /dex is dexA/],
		['another chain', envelopeOf({...contentB, chainId: 'dexB:301'}), /chainId is dexB:301/],
		['another market', envelopeOf({...contentB, marketId: 'ETH-USD'}), /marketId is ETH-USD/],
		[
			'another action inside',
			{...envelopeOf(contentB), payloadStr: JSON.stringify({...contentB, action: 'withdraw'})},
			/outside and withdraw inside/,
		],
		[
			'another transport inside',
			{...envelopeOf(contentB), transport: 'evm-tx' as const},
			/transport is evm-tx outside/,
		],
		['a market inside only', (({marketId: _, ...rest}) => rest)(envelopeOf(contentB)), /marketId is missing/],
		[
			'a number with more digits than are read',
			{...envelopeOf(contentB), payloadStr: JSON.stringify(contentB).replace('"12"', '12.000000000000000001')},
			/one form/,
		],
		[
			'a name that stands twice, spelt in two ways',
			{
				...envelopeOf(contentB),
				payloadStr: JSON.stringify(contentB).replace('{"orderIndex"', '{"order\\u0049ndex":"1", "orderIndex"'),
			},
			/one form/,
		],
		[
			'a name that stands twice',
			{
				...envelopeOf(contentB),
				payloadStr: JSON.stringify(contentB).replace('{"orderIndex"', '{"orderIndex":"1","orderIndex"'),
			},
			/one form/,
		],
		...(
			[
				['cancelAll', true],
				['orderIndexes', ['1', '2']],
				['marketIndex', 1],
				['action', 'withdraw'],
				['type', 'cancel-all'],
				['amountRaw', '1'],
				['to', OTHER],
				['signedTxs', []],
				['steps', []],
				['data', {to: OTHER}],
			] as const
		).map(([name, value]): [string, Envelope, RegExp] => [
			`${name} in its payload`,
			envelopeOf({...contentB, payload: {orderIndex: '12', [name]: value}}),
			new RegExp(`does not need: payload\\.${name}$`),
		]),
		['a member beside its payload', envelopeOf({...contentB, more: 1}), /does not need: more$/],
		[
			'a __proto__ of its own',
			{
				...envelopeOf(contentB),
				payloadStr: JSON.stringify(contentB).replace('{"orderIndex"', '{"__proto__":{},"orderIndex"'),
			},
			/payload\.__proto__/,
		],
		['no JSON', {...envelopeOf(contentB), payloadStr: '{'}, /not JSON/],
		[
			'no payload',
			{...envelopeOf(contentB), payloadStr: JSON.stringify({...contentB, payload: undefined})},
			/lacks payload/,
		],
	])('with %s is refused', (_, envelope, why) => {
		expect(() => open(envelope)).toThrow(
			expect.objectContaining({code: 'envelope-mismatch', why: expect.stringMatching(why)}),
		);
	});
});

describe('an envelope of dexA', () => {
	const asked: Requested = {action: 'cancel-order', dex: 'dexA', chainId: 'evm:42161', marketId: 'ETH-USD'};
	const open = (content: Record<string, unknown>) => openEnvelope(envelopeOf(content), asked, NEUTRAL_PROVIDER);

	test('may leave its market out, and may name no other', () => {
		expect(open(contentA()).payload).toMatchObject({orderType: 'order'});
		expect(open({...contentA(), marketId: 'ETH-USD'}).marketId).toBe('ETH-USD');
		expect(() => open({...contentA(), marketId: 'BTC-USD'})).toThrow(
			expect.objectContaining({why: 'its marketId is BTC-USD, requested was ETH-USD'}),
		);
	});

	test.each([
		[{value: -1}, 'value of the transaction is not a whole number'],
		[{value: 1.5}, 'value of the transaction is not a whole number'],
		[{nonce: 2 ** 53}, 'nonce of the transaction is not a whole number'],
		[{gas: '-1'}, 'gas of the transaction is not a whole number'],
		[{gas: '0x'}, 'gas of the transaction is not a whole number'],
		[{to: undefined}, 'the transaction lacks to'],
	])('with %j in its transaction is refused', (tx, why) => {
		expect(() => transactionIn(open(contentA(tx)))).toThrow(expect.objectContaining({why}));
	});

	test('without a transaction is refused', () => {
		const {data: _, ...payload} = contentA().payload;
		expect(() => transactionIn(open({...contentA(), payload}))).toThrow(
			expect.objectContaining({why: 'the transaction lacks its fields'}),
		);
	});

	test('may write numbers as numbers, decimal text or hex text', () => {
		const {gas, nonce, valueRaw} = transactionIn(open(contentA({gas: '0x10', nonce: 0, value: '00'})));
		expect([gas, nonce, valueRaw]).toEqual([16n, 0n, 0n]);
	});
});

describe('the members of a payload that are not known', () => {
	const unknownIn = (payload: unknown, dex: 'dexA' | 'dexB' = 'dexA') =>
		unknownMembers({...contentA(), payload}, 'cancel-order', dex);

	test.each([
		[{type: 'evm', data: {to: EXCHANGE, gas: {}}}, ['payload.data.gas']],
		[{type: {a: 1, b: 2}}, ['payload.type.a', 'payload.type.b']],
		[{type: []}, ['payload.type']],
		[{type: null, orderType: 'order'}, []],
		[{data: null}, []],
		[null, []],
		['text', []],
		[undefined, []],
	])('are named with their place: %j', (payload, expected) => {
		expect(unknownIn(payload)).toEqual(expected);
	});

	test('lie in an object where a value is expected, and in a transaction of an exchange without a chain', () => {
		expect(unknownIn({orderIndex: {more: 1}}, 'dexB')).toEqual(['payload.orderIndex.more']);
		expect(unknownIn({data: {to: EXCHANGE}}, 'dexB')).toEqual(['payload.data']);
	});
});

describe('what can be cancelled', () => {
	test('are waiting orders, and take-profits and stop-losses by the index that the exchange takes', () => {
		const position = row({
			id: 'pos-dexA-ETH-USD-USDC-0xme-3',
			tp: [{size: '1', price: 4000, id: 9}],
			sl: [{size: '1', price: 2000, id: 10}],
		});
		const b = row({
			...ORDER_B,
			tp: [{size: '1', price: 70_000, id: 55}],
			// This would name the order itself.
			sl: [{size: '1', price: 50_000, id: 12}],
		});
		const {targets} = readListings([row(), b], [position], NEUTRAL_PROVIDER);
		expect(targets.map(({dex, orderType, index, price}) => [dex, orderType, index, price])).toEqual([
			['dexA', 'order', '7', 3000],
			['dexB', 'order', '12', 3000],
			['dexB', 'tp', '55', 70_000],
			['dexA', 'tp', '3', 4000],
			['dexA', 'sl', '3', 2000],
		]);
		expect(new Set(targets.map(({key}) => key)).size).toBe(targets.length);
	});

	test('what can not be read of the listings is named, not left out', () => {
		const position = row({id: 'pos-gains-1', exchange: 'gains'});
		const listed = [row(), row({exchange: 'gains'}), row({id: 'pos-dexA-without'})];
		const {targets, unread} = readListings(listed, [position], NEUTRAL_PROVIDER);
		expect(targets.map(({index}) => index)).toEqual(['7']);
		expect(unreadText(unread)).toBe(
			'Listed and not shown, since the exchange is not known here: 2 of gains. The settings provider.dex-a and provider.dex-b are the names that the service has for the exchanges. Listed and not shown, since there is no number to cancel by: 1 of dexA.',
		);
		expect(unreadText([{id: 'x', exchange: 'dexA', unknown: 'number'}])).not.toContain('settings');
		expect(unreadText([])).toBe('');
		const named = readListings(listed, [position], {...NEUTRAL_PROVIDER, dexA: 'gains'});
		expect(named.targets.map(({dex}) => dex)).toEqual(['dexA']);
		expect(named.unread.map(({exchange}) => exchange)).toEqual(['dexA', 'dexA']);
	});

	test('an order with only a name can be cancelled, and the rest of it is unknown', () => {
		const bare = {id: 'pos-dexB-x-9', marketId: 'x', exchange: 'dexB', chainId: 'dexB:304', tp: null};
		const [target] = readListings([unfilledOrderSchema().parse(bare)], [], NEUTRAL_PROVIDER).targets;
		expect(target).toMatchObject({dex: 'dexB', index: '9', kind: 'WAITING'});
		expect(target).not.toHaveProperty('sizeUSD');
		expect(describeTarget(target!)).toBe('waiting order to ?, ? USD at ?');
	});

	test.each([
		['BUY', 'limit order to BUY', 'take-profit that closes the long (SELL)'],
		['SELL', 'limit order to SELL', 'take-profit that closes the short (BUY)'],
		['OTHER', 'limit order to OTHER', 'take-profit that closes the position (?)'],
	])('an order to %s is described by its side, and its exit by the opposite', (side, order, exit) => {
		const {targets} = readListings([row({side, tp: [{size: '1', price: 4000, id: 9}]})], [], NEUTRAL_PROVIDER);
		expect(targets.map(describeTarget)).toEqual([`${order}, 500 USD at 3000`, `${exit}, 500 USD at 4000`]);
	});
});

type Answers = Partial<
	Record<
		'perpCancelOrder' | 'perpExecute' | 'perpCheckProcess' | 'perpUnfilled',
		(body: Record<string, unknown>) => unknown
	>
>;

/** What a node with eth_simulateV1 says of one call. */
const triedWith = (logs: readonly object[], status = '0x1') => [{calls: [{status, returnData: '0x', logs}]}];
/** A node without it. */
const untried = () => {
	throw new NodeRefused('evm:42161', 'the method does not exist');
};
const wordOf = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
const logOf = (event: string, token: string, from: string, to: string) => ({
	address: token,
	topics: [keccak256(stringToBytes(`${event}(address,address,uint256)`)), wordOf(from), wordOf(to)],
	data: wordOf('0x7'),
});

/** A wallet, and a service that responds as the test says and keeps its requests. */
async function bench(
	answers: Answers,
	{skewMs = 0, nonce = 3, requiresSimulation = false, tried = (): unknown => triedWith([])} = {},
) {
	const {dir, caps, signer} = await practiceSigner();
	const address = await signer.unlock();
	const asked: {id: string; input: Record<string, unknown>}[] = [];
	const world = {nowMs: NOW, orders: [row(), ORDER_B], code: '0x6001', nonce};
	const call = (async (id: string, input: {body?: Record<string, unknown>; query?: Record<string, unknown>}) => {
		asked.push({id, input: input.body ?? {}});
		const response = answers[id as keyof Answers];
		if (response) return response(input.body ?? input.query ?? {});
		if (id === 'perpUnfilled') return {data: world.orders};
		if (id === 'perpOpen') return {data: []};
		if (id === 'perpCancelOrder') return {data: envelopeOf(input.body!['dex'] === 'dexA' ? contentA() : contentB)};
		return {
			success: true,
			data: {success: true, executionDetails: [{txHash: `0x${'ab'.repeat(32)}`, status: 'success'}]},
		};
	}) as unknown as Call;
	const receipts = new Map<string, '0x0' | '0x1'>();
	const chains = {
		knows: () => true,
		account: async () => ({nonce: world.nonce, kind: 'plain'}),
		request: async (_: string, method: string, [hash]: readonly string[]) => {
			if (method === 'eth_getCode') return world.code;
			if (method === 'eth_getStorageAt') return `0x${'0'.repeat(64)}`;
			if (method === 'eth_simulateV1') return tried();
			if (method === 'debug_traceCall') throw new NodeRefused('evm:42161', 'the method does not exist');
			if (method === 'eth_call') return '0x';
			const status = method === 'eth_getTransactionReceipt' ? receipts.get(hash!) : undefined;
			return status === undefined ? null : {status, blockNumber: '0x2', gasUsed: '0x1', logs: []};
		},
	} as unknown as ChainReader;
	const journal = openJournal(join(dir, 'journal.jsonl'));
	const clock = {nowMs: () => world.nowMs, skewMs, uncertaintyMs: 10};
	const options = {
		call,
		clock,
		signer,
		address,
		chains,
		caps,
		pins: openPins(join(dir, 'pins.json')),
		journal,
		requiresSimulation,
		pollMs: 1,
	};
	const again = () => createCancelFlow(options);
	return {flow: again(), again, asked, address, journal, world, caps, receipts};
}

async function choose(flow: CancelFlow, dex: 'dexA' | 'dexB'): Promise<void> {
	const target = (await flow.list()).find(other => other.dex === dex)!;
	await flow.build(target);
	for (const {fingerprint} of flow.view.toAccept) await flow.accept(fingerprint.slice(-6));
}

const executed = (asked: {id: string; input: Record<string, unknown>}[]) =>
	asked.filter(({id}) => id === 'perpExecute');

describe('a cancel', () => {
	test('on dexB sends the envelope as it came, signed over its final string', async () => {
		const {flow, asked, address, journal, world} = await bench({});
		await choose(flow, 'dexB');
		expect(flow.view.state.phase).toBe('reviewed');
		await flow.execute();
		expect(flow.view.state.phase).toBe('claimed');
		world.orders = [];
		expect(await flow.watch()).toMatchObject({phase: 'done'});
		const request = asked.find(({id}) => id === 'perpCancelOrder')!.input;
		expect(request).toMatchObject({dex: 'dexB', chainId: 'dexB:304', orderIndex: '12', marketId: 'BTC-USD'});
		expect(request).not.toHaveProperty('orderType');
		const message = `api/2/perp/payloads/cancel-order-${request['timestamp']}`;
		expect(await recoverMessageAddress({message, signature: request['signature'] as `0x${string}`})).toBe(address);
		const body = executed(asked)[0]!.input;
		const {timestamp, signature, ...envelope} = body;
		expect(envelope).toEqual(envelopeOf(contentB));
		const text = `api/2/perp/execute-v2-${timestamp}-${JSON.stringify(contentB)}`;
		expect(await recoverMessageAddress({message: text, signature: signature as `0x${string}`})).toBe(address);
		expect(flow.view.signed.map(({what}) => what)).toEqual(['request for the payload', 'execute']);
		expect(journal.records().map(({kind}) => kind)).toEqual(['perp.intended', 'perp.answered', 'perp.status']);
	});

	test('on dexA signs the transaction that was shown, and nothing else', async () => {
		const {flow, asked, address} = await bench({});
		await choose(flow, 'dexA');
		expect(flow.view.lines).toContainEqual({label: 'fee', text: 'at most 0.000012 ETH'});
		await flow.execute();
		const {signedTx, transport} = executed(asked)[0]!.input as {signedTx: `0x02${string}`; transport: string};
		expect(transport).toBe('evm-tx');
		expect(parseTransaction(signedTx)).toMatchObject({
			type: 'eip1559',
			chainId: 42161,
			nonce: 3,
			gas: 60_000n,
			maxFeePerGas: 200_000_000n,
			to: EXCHANGE.toLowerCase(),
			data: contentA().payload.data.callData,
		});
		expect(await recoverTransactionAddress({serializedTransaction: signedTx})).toBe(address);
	});

	test('is not clear, and never called done, after an answer that says neither yes nor no', async () => {
		const {flow} = await bench({perpExecute: () => ({})});
		await choose(flow, 'dexB');
		await flow.execute();
		expect(flow.view.state).toMatchObject({phase: 'unclear'});
	});

	test('asks to accept the exchange’s contract on first use, and stops when it is another one later', async () => {
		const {flow} = await bench({});
		const [target] = (await flow.list()).filter(({dex}) => dex === 'dexA');
		await flow.build(target!);
		expect(flow.view).toMatchObject({
			state: {phase: 'built'},
			toAccept: [{role: 'perp exchange', address: EXCHANGE.toLowerCase()}],
		});
		await expect(flow.execute()).rejects.toMatchObject({code: 'cancel-not-now'});
		await expect(flow.accept('nope')).rejects.toMatchObject({code: 'pin-not-confirmed'});
		await flow.accept(flow.view.toAccept[0]!.fingerprint.slice(-6).toUpperCase());
		expect(flow.view.state.phase).toBe('reviewed');
	});

	test.each([
		['order', 'another order', {callData: encodeFunctionData({abi, functionName: 'cancelOrder', args: [8n]})}],
		[
			'order',
			'another kind of cancel',
			{callData: encodeFunctionData({abi, functionName: 'cancelTakeProfit', args: [7n]})},
		],
		['order', 'a call that is no cancel', {callData: encodeFunctionData({abi, functionName: 'closeAll'})}],
		['order', 'bytes behind the argument', {callData: `${contentA().payload.data.callData}00`}],
		['value', 'coins', {value: '1'}],
		['sender', 'another sender', {from: OTHER}],
		['chain-id', 'another chain', {chainId: 1}],
		['nonce', 'another nonce', {nonce: 4}],
		['gas', 'too much gas', {gas: '1000001'}],
		['gas', 'too high a price', {maxFeePerGas: '500000000001'}],
		['gas', 'no limit', {gas: undefined}],
		['gas', 'a tip above the fee', {maxPriorityFeePerGas: '200000001'}],
		['caps', 'a fee past the own limit', {gas: '1000000', maxFeePerGas: '20000000000'}],
	])('is stopped by the check %s when the transaction has %s', async (check, _, tx) => {
		const {flow, asked} = await bench({perpCancelOrder: () => ({data: envelopeOf(contentA(tx))})});
		await choose(flow, 'dexA');
		expect(flow.view.checks.filter(({ok}) => !ok).map(({name}) => name)).toContain(check);
		await expect(flow.execute()).rejects.toMatchObject({code: 'cancel-not-now'});
		expect(executed(asked)).toEqual([]);
	});

	test.each([
		['the most gas', {gas: '1000000', maxFeePerGas: '1'}],
		['the highest price', {gas: '1', maxFeePerGas: '500000000000'}],
		['a tip of the whole fee', {maxPriorityFeePerGas: '200000000'}],
	])('passes the check of its gas with %s', async (_, tx) => {
		const {flow} = await bench({perpCancelOrder: () => ({data: envelopeOf(contentA(tx))})});
		await choose(flow, 'dexA');
		expect(flow.view.checks.find(({name}) => name === 'gas')).toMatchObject({ok: true});
	});

	test.each([
		['a tip above the fee', 'the tip is more than the whole fee', {maxPriorityFeePerGas: '200000001'}],
		['no price', 'the transaction does not say what it may cost', {maxFeePerGas: undefined}],
	])('whose transaction has %s says so', async (_, detail, tx) => {
		const {flow} = await bench({perpCancelOrder: () => ({data: envelopeOf(contentA(tx))})});
		await choose(flow, 'dexA');
		expect(flow.view.checks.find(({name}) => name === 'gas')).toMatchObject({ok: false, detail});
	});

	test.each([
		['a success', {success: true}, 'claimed', 'done'],
		['a success inside', {data: {success: true}}, 'claimed', 'done'],
		['a refusal', {success: false, data: {success: true}}, 'claimed', 'failed'],
		['a refusal inside', {success: true, data: {success: false}}, 'claimed', 'failed'],
		['a failed part', {success: true, data: {executionDetails: [{status: 'failed'}]}}, 'claimed', 'failed'],
		['a reverted part', {success: true, data: {executionDetails: [{status: 'reverted'}]}}, 'claimed', 'failed'],
		['a part that was executed', {data: {executionDetails: [{status: 'success'}]}}, 'claimed', 'done'],
		['neither', {data: {executionDetails: []}}, 'unclear', undefined],
		['a process', {success: false, data: {processId: 'p1'}}, 'running', undefined],
	] as const)('answered with %s is what the answer says and no more: %s', async (_, answer, phase, claim) => {
		const {flow} = await bench({perpExecute: () => answer});
		await choose(flow, 'dexB');
		await flow.execute();
		expect([flow.view.state.phase, flow.view.state.claim]).toEqual([phase, claim]);
	});

	test.each([
		['a token would leave', 'Transfer', OTHER, `7 raw units of ${OTHER} would go to ${OTHER}`],
		['coins would leave', 'Transfer', COIN, `coins would leave, 0.000000000000000007 to ${OTHER}`],
		['a token could be taken later', 'Approval', OTHER, `${OTHER} could take of ${OTHER} afterwards`],
	])('on dexA is refused when the node shows that %s', async (_, event, token, detail) => {
		let from = '';
		const tried = () => {
			const [{calls}] = triedWith([logOf(event, token, from, OTHER)]) as [{calls: object[]}];
			// The second try requests what is left of the approval.
			return [
				{calls: event === 'Approval' && isSecond() ? [...calls, {status: '0x1', returnData: '0x7', logs: []}] : calls},
			];
		};
		let tries = 0;
		const isSecond = () => ++tries % 2 === 0;
		const {flow, asked, address} = await bench({}, {tried});
		from = address;
		await choose(flow, 'dexA');
		expect(flow.view.checks.find(({name}) => name === 'simulation')).toMatchObject({ok: false, detail});
		expect(flow.view.lines).toContainEqual({label: 'simulated', text: `refused: ${detail}`});
		await expect(flow.execute()).rejects.toMatchObject({code: 'cancel-not-now'});
		expect(executed(asked)).toEqual([]);
	});

	test('on dexA that would revert is refused before it costs gas', async () => {
		const {flow} = await bench({}, {tried: () => triedWith([], '0x0')});
		await choose(flow, 'dexA');
		expect(flow.view.checks.filter(({ok}) => !ok).map(({name}) => name)).toEqual(['simulation']);
	});

	test('on dexA whose node shows only that it would not revert says so, and is refused where a try is required', async () => {
		const {flow} = await bench({}, {tried: untried});
		await choose(flow, 'dexA');
		expect(flow.view.state.phase).toBe('reviewed');
		const text = 'would not revert now; what would move is not shown by this node';
		expect(flow.view.lines).toContainEqual({label: 'simulated', text});
		const strict = await bench({}, {tried: untried, requiresSimulation: true});
		await choose(strict.flow, 'dexA');
		expect(strict.flow.view.checks.find(({name}) => name === 'simulation')).toMatchObject({
			ok: false,
			detail: expect.stringContaining('[wallet] require-simulation'),
		});
	});

	test('on dexB has nothing to simulate, says so, and is not stopped where a try is required', async () => {
		const {flow} = await bench({}, {requiresSimulation: true});
		await choose(flow, 'dexB');
		expect(flow.view.state.phase).toBe('reviewed');
		const text = 'nothing to simulate: a signed message to the exchange, no transaction';
		expect(flow.view.lines).toContainEqual({label: 'simulated', text});
	});

	test.each([
		['order', {...contentB, payload: {orderIndex: '13'}}],
		['order', {...contentB, payload: {}}],
		['order', {...contentB, payload: {orderIndex: '12', index: '5'}}],
		['market', {...contentB, payload: {orderIndex: '12', marketId: 'ETH-USD'}}],
		['nothing-else', {...contentB, payload: {orderIndex: '12', MessageToSign: 'give everything'}}],
	])('on dexB is stopped by the check %s', async (check, content) => {
		const {flow} = await bench({perpCancelOrder: () => ({data: envelopeOf(content)})});
		await choose(flow, 'dexB');
		expect(flow.view.checks.filter(({ok}) => !ok).map(({name}) => name)).toContain(check);
		expect(flow.view.state.phase).toBe('built');
	});

	test.each([
		['payload.steps', {steps: []}],
		['payload.signedTxs', {signedTxs: []}],
		['payload.data.authorizationList', {data: {...contentA().payload.data, authorizationList: []}}],
	])('on dexA is refused for its member %s, by name', async (name, more) => {
		const content = contentA();
		const envelope = envelopeOf({...content, payload: {...content.payload, ...more}});
		const {flow, asked} = await bench({perpCancelOrder: () => ({data: envelope})});
		await expect(choose(flow, 'dexA')).rejects.toMatchObject({
			code: 'envelope-mismatch',
			why: expect.stringContaining(name),
		});
		expect(executed(asked)).toEqual([]);
	});

	test('on dexA is stopped by the check transport where it would go another way than by a transaction', async () => {
		const content = {...contentA(), transport: 'offchain-api'};
		const {flow} = await bench({perpCancelOrder: () => ({data: envelopeOf(content)})});
		await choose(flow, 'dexA');
		expect(flow.view.checks.filter(({ok}) => !ok).map(({name}) => name)).toContain('transport');
		expect(flow.view.state.phase).toBe('built');
	});

	test('is not even requested when this machine’s clock is more than 20 s off', async () => {
		const {flow, asked} = await bench({}, {skewMs: 20_001});
		await expect(choose(flow, 'dexB')).rejects.toMatchObject({code: 'check-failed', check: 'clock'});
		expect(asked.some(({id}) => id === 'perpCancelOrder')).toBe(false);
	});

	test('makes new signatures over a new time for every try, however fast they come', async () => {
		const refusal = () => {
			throw new ServiceRefused(403, 'signature already used');
		};
		const {flow, asked} = await bench({perpExecute: refusal});
		for (let i = 0; i < 3; i++) {
			await choose(flow, 'dexB');
			await flow.execute();
			expect(flow.view.state).toMatchObject({phase: 'unaccepted', status: 403});
		}
		const signed = asked.filter(({id}) => id === 'perpExecute' || id === 'perpCancelOrder').map(({input}) => input);
		expect(new Set(signed.map(({timestamp}) => timestamp)).size).toBe(6);
		expect(new Set(signed.map(({signature}) => signature)).size).toBe(6);
	});

	test.each([
		['used by another run', 403, 'signature already used', 2],
		['refused for another reason', 403, 'timestamp expired', 1],
		['refused by another status', 400, 'signature already used', 1],
	])('whose request for the payload is %s is requested so many times: %i %s, %i', async (_, status, said, times) => {
		let refused = 0;
		const {flow, asked} = await bench({
			perpCancelOrder: () => {
				refused++;
				throw new ServiceRefused(status, said);
			},
		});
		await expect(choose(flow, 'dexB')).rejects.toMatchObject({said});
		expect(Math.min(refused, 2)).toBe(times);
		const signatures = asked.filter(({id}) => id === 'perpCancelOrder').map(({input}) => input.signature);
		expect(new Set(signatures).size).toBe(refused);
	});

	test('whose response was lost is decided by the listing, and never sent again automatically', async () => {
		const lost = () => {
			throw new ServiceTimeout('no complete answer within 45 s');
		};
		const {flow, asked, world} = await bench({perpExecute: lost});
		await choose(flow, 'dexB');
		await flow.execute();
		expect(flow.view.state.phase).toBe('unclear');
		const [target] = await flow.list();
		await expect(flow.build(target!)).rejects.toMatchObject({code: 'cancel-not-now'});
		expect(() => flow.dismiss()).toThrow(/cannot be done now/);
		const watching = flow.watch();
		world.orders = [];
		expect(await watching).toMatchObject({phase: 'done'});
		expect(executed(asked)).toHaveLength(1);
	});

	test('is not read for ever once nothing answers any more, and stays unclear', async () => {
		const lost = () => {
			throw new ServiceTimeout('no complete answer within 45 s');
		};
		let isGone = false;
		const {flow} = await bench({
			perpExecute: () => {
				isGone = true;
				return lost();
			},
			perpUnfilled: () => (isGone ? lost() : {data: [ORDER_B]}),
		});
		await choose(flow, 'dexB');
		await flow.execute();
		expect(await flow.watch(undefined, 30)).toMatchObject({phase: 'unclear'});
		expect(flow.view.problem?.code).toBe('service-timeout');
	});

	test('that was under way when the program died is only read by the next start', async () => {
		const {flow, journal, asked, world, again} = await bench({perpExecute: () => new Promise(() => {})});
		await choose(flow, 'dexB');
		void flow.execute();
		await expect.poll(() => flow.view.state.phase).toBe('sending');
		const [open] = openCancels(journal);
		expect(open).toMatchObject({key: `${ORDER_B.id}/order`, state: {phase: 'unclear'}});
		const next = again();
		next.resume(open!.key);
		world.orders = [];
		expect(await next.watch()).toMatchObject({phase: 'done'});
		expect(executed(asked)).toHaveLength(1);
		expect(openCancels(journal)).toEqual([]);
	});

	test('shows in a dry run what would be signed for its payload, and signs nothing', async () => {
		const {flow, asked} = await bench({});
		const target = (await flow.list()).find(({dex}) => dex === 'dexA')!;
		expect(await flow.dryRun(target, {accepts: true})).toEqual({
			body: {timestamp: NOW, dex: 'dexA', chainId: 'evm:42161', orderIndex: '7', orderType: 'order'},
			text: `api/2/perp/payloads/cancel-order-${NOW}`,
			checks: expect.toSatisfy((checks: readonly {ok: boolean}[]) => checks.every(({ok}) => ok)),
		});
		expect(asked.some(({id}) => id === 'perpCancelOrder')).toBe(false);
	});

	test('fails in a dry run the checks that its execution would: clock, another cancel, a contract that is new or changed', async () => {
		const failedOf = async (run: Awaited<ReturnType<typeof bench>>, dex = 'dexA', accepts = false) => {
			const target = (await run.flow.list()).find(other => other.dex === dex)!;
			const {checks} = await run.flow.dryRun(target, {accepts});
			return checks.filter(({ok}) => !ok).map(({name}) => name);
		};
		const fresh = await bench({});
		expect(await failedOf(fresh)).toEqual(['exchange-pin']);
		expect(await failedOf(fresh, 'dexA', true)).toEqual([]);
		expect(await failedOf(fresh, 'dexB')).toEqual([]);
		await choose(fresh.flow, 'dexA');
		expect(await failedOf(fresh)).toEqual([]);
		fresh.world.code = '0x6002';
		expect(await failedOf(fresh, 'dexA', true)).toEqual(['exchange-pin']);
		expect(await failedOf(await bench({}, {skewMs: 60_000}), 'dexB')).toEqual(['clock']);
		const sent = await bench({perpExecute: () => Promise.reject(new ServiceTimeout('no answer'))});
		await choose(sent.flow, 'dexB');
		await sent.flow.execute();
		expect(await failedOf({...sent, flow: sent.again()}, 'dexB')).toEqual(['under-way']);
	});

	test.each(['dexA', 'dexB'] as const)(
		'on %s that waited too long for its signature says which check failed, and signs a fresh payload for the same order',
		async dex => {
			const {flow, asked, world, journal} = await bench({});
			await choose(flow, dex);
			world.nowMs += 181_000;
			await expect(flow.execute()).rejects.toMatchObject({
				code: 'check-failed',
				message: 'The check “payload is fresh” failed',
				why: 'the payload is 181 s old, at most 60 s',
				advice: 'Nothing was sent, and the order still stands. Ask for its cancel again.',
			});
			expect(flow.view.state.phase).toBe('built');
			expect(flow.view.checks.filter(({ok}) => !ok).map(({name}) => name)).toEqual(['fresh']);
			expect([executed(asked), journal.records()]).toEqual([
				[],
				expect.not.arrayContaining([expect.objectContaining({kind: 'perp.intended'})]),
			]);
			await expect(flow.execute()).rejects.toMatchObject({
				code: 'cancel-not-now',
				why: 'these checks failed: “payload is fresh”',
			});
			await flow.rebuild();
			expect(flow.view.state.phase).toBe('reviewed');
			await flow.execute();
			expect(executed(asked)).toHaveLength(1);
		},
	);

	test('asks for no fresh payload for an order that is gone or another by now', async () => {
		const {flow, asked, world} = await bench({});
		await choose(flow, 'dexB');
		world.orders = [];
		const payloads = () => asked.filter(({id}) => id === 'perpCancelOrder').length;
		const before = payloads();
		await expect(flow.rebuild()).rejects.toMatchObject({code: 'order-gone'});
		expect(payloads()).toBe(before);
	});

	test('whose order is still listed when its signature is long void was not executed', () => {
		const unclear = {phase: 'unclear', key: 'k', sentAtMs: NOW} as const;
		const listed = {isListed: true, isChainRead: false};
		expect(endRead(unclear, {...listed, nowMs: NOW + UNCLEAR_MS - 1}).phase).toBe('unclear');
		expect(endRead(unclear, {...listed, nowMs: NOW + UNCLEAR_MS}).phase).toBe('failed');
		expect(endRead(unclear, {...listed, isListed: false, nowMs: NOW}).phase).toBe('done');
	});

	test('that the service calls done is a claim while the order is listed and its transaction not mined', () => {
		const claimed = {phase: 'claimed', key: 'k', sentAtMs: NOW, txHash: '0x1', chainId: 'evm:42161'} as const;
		const sight = {isListed: true, isChainRead: true, nowMs: NOW};
		expect(endRead(claimed, {...sight, nowMs: NOW + UNCLEAR_MS * 2})).toBe(claimed);
		expect(endRead(claimed, {...sight, ownEnd: 'success'})).toMatchObject({phase: 'done', seenOn: 'chain'});
		expect(endRead(claimed, {...sight, ownEnd: 'reverted'})).toMatchObject({phase: 'failed', seenOn: 'chain'});
		expect(endRead(claimed, {...sight, ownEnd: 'replaced'})).toMatchObject({phase: 'failed', seenOn: 'chain'});
	});

	test('that leaves the list of the service, while its transaction is not mined, is not done', () => {
		const claimed = {phase: 'claimed', key: 'k', sentAtMs: NOW, txHash: '0x1', chainId: 'evm:42161'} as const;
		const gone = {isListed: false, isChainRead: true, nowMs: NOW};
		expect(endRead(claimed, gone)).toBe(claimed);
		expect(endRead(claimed, {...gone, ownEnd: 'reverted'}).phase).toBe('failed');
		// The own transaction can't happen any more, or no node is there to show it: only the list is left.
		expect(endRead(claimed, {...gone, ownEnd: 'replaced'})).toMatchObject({phase: 'done', seenOn: 'listing'});
		expect(endRead(claimed, {...gone, isChainRead: false})).toMatchObject({phase: 'done', seenOn: 'listing'});
	});

	test.each([
		[
			'refused',
			() => {
				throw new ServiceRefused(400, 'no');
			},
			'refused',
		],
		['failed', () => ({success: true, data: {success: false}}), 'failed'],
	] as const)(
		'on dexB that the service says to have %s, and executes all the same, is done as the list shows',
		async (_, response, over) => {
			const {flow, world, journal} = await bench({perpExecute: response});
			await choose(flow, 'dexB');
			await flow.execute();
			expect(describeCancel(flow.view.state).title).toMatch(/says the service$/);
			expect(describeCancel(flow.view.state).text).toMatch(/It can still be executed until \d\d:\d\d:\d\d\./);
			await flow.read();
			expect(openCancels(journal)).toHaveLength(1);
			world.orders = [];
			expect(await flow.read()).toMatchObject({phase: 'done', seenOn: 'listing'});

			const other = await bench({perpExecute: response});
			await choose(other.flow, 'dexB');
			await other.flow.execute();
			other.world.nowMs = NOW + UNCLEAR_MS + 1000;
			expect(await other.flow.read()).toMatchObject({phase: over, seenOn: 'listing'});
			expect(openCancels(other.journal)).toEqual([]);
		},
	);

	test('on dexA that was refused, tried again in the same number, is done by whichever transaction is mined', async () => {
		let answers = 0;
		const {flow, receipts, journal, caps, again} = await bench({
			perpExecute: () => {
				answers++;
				if (answers === 1) throw new ServiceRefused(400, 'no');
				throw new ServiceUnreachable('nothing listens at its address', {sent: 'no'});
			},
			perpCancelOrder: () => ({data: envelopeOf(contentA({maxFeePerGas: String(200_000_000 + answers)}))}),
		});
		await choose(flow, 'dexA');
		await flow.execute();
		const first = flow.view.state.txHash!;
		expect(describeCancel(flow.view.state).text).toContain('can still be mined until the wallet uses its number, 3');
		await flow.read();
		await choose(flow, 'dexA');
		await flow.execute();
		// The second never left this machine; the end of the first is unknown yet, and its fee stays counted.
		expect(flow.view.state).toMatchObject({phase: 'unaccepted', earlier: [first]});
		expect(flow.view.state.txHash).not.toBe(first);
		expect(caps.spentToday('evm:42161', 'native', 18)).toBeGreaterThan(0n);
		const next = again();
		next.resume(openCancels(journal)[0]!.key);
		receipts.set(first, '0x1');
		expect(await next.read()).toMatchObject({phase: 'done', seenOn: 'chain'});
	});

	test('whose order is listed under a name of the exchange that is not known is not taken for cancelled', async () => {
		const {flow, world, journal} = await bench({perpExecute: () => ({success: false})});
		await choose(flow, 'dexB');
		await flow.execute();
		world.orders = [row(), row({...ORDER_B, exchange: 'lighter'})];
		const before = flow.view.state.phase;
		expect(await flow.read()).toMatchObject({phase: before});
		expect(openCancels(journal)).toHaveLength(1);
		expect(flow.view.unread).toEqual([{id: ORDER_B.id, exchange: 'lighter', unknown: 'exchange'}]);
		// Nor for one that still stands, once the signature is void: the row can't be read.
		world.nowMs = NOW + UNCLEAR_MS + 1000;
		expect(await flow.read()).toMatchObject({phase: before});
		world.orders = [row()];
		expect(await flow.read()).toMatchObject({phase: 'done', seenOn: 'listing'});
	});

	test.each([100, 500])('whose order is listed on a later page of %i rows is not taken for cancelled', async size => {
		let isGone = false;
		const others = Array.from({length: 600}, (_, at) => row({id: `pos-dexA-ETH-USD-USDC-0xme-${at + 100}`}));
		const rows = () => [...others, ...(isGone ? [] : [row(ORDER_B)])];
		const page = (query: {limit: number; offset?: number}) =>
			rows()
				.slice(query.offset ?? 0)
				.slice(0, Math.min(query.limit, size));
		const {flow} = await bench({
			perpExecute: () => ({success: false}),
			perpUnfilled: query => ({data: page(query as never)}),
		});
		await choose(flow, 'dexB');
		await flow.execute();
		const {phase} = flow.view.state;
		expect(await flow.read()).toMatchObject({phase});
		isGone = true;
		expect(await flow.read()).toMatchObject({phase: 'done', seenOn: 'listing'});
	});

	test('a listing that does not end is not read for ever, and its order not taken for cancelled', async () => {
		let [pages, isWhole] = [0, false];
		const {flow} = await bench({
			perpExecute: () => ({success: false}),
			perpUnfilled: () => {
				pages++;
				const others = Array.from({length: 100}, (_, at) => row({id: `pos-dexA-x-${pages}${at}`}));
				return {data: isWhole ? [] : [...(pages === 1 ? [row(ORDER_B)] : []), ...others]};
			},
		});
		await choose(flow, 'dexB');
		expect(pages).toBeLessThan(50);
		await flow.execute();
		const {phase} = flow.view.state;
		expect(await flow.read()).toMatchObject({phase});
		isWhole = true;
		expect(await flow.read()).toMatchObject({phase: 'done', seenOn: 'listing'});
	});

	test('on dexA that a lying service calls done and no longer lists is done when it is mined', async () => {
		const {flow, world, receipts} = await bench({});
		await choose(flow, 'dexA');
		await flow.execute();
		world.orders = [];
		expect(await flow.watch(undefined, 30)).toMatchObject({phase: 'claimed'});
		expect(describeCancel(flow.view.state)).toMatchObject({title: 'Cancelled, says the service', tone: 'warn'});
		receipts.set(flow.view.state.txHash!, '0x1');
		expect(await flow.watch()).toMatchObject({phase: 'done', seenOn: 'chain'});
		expect(describeCancel(flow.view.state).text).toBe('The order is cancelled: the chain shows it.');
	});

	test('that the service calls done with a hash of its own is read on, and ends as the chain shows the own one', async () => {
		const {flow, receipts} = await bench({});
		await choose(flow, 'dexA');
		await flow.execute();
		expect(await flow.watch(undefined, 30)).toMatchObject({phase: 'claimed'});
		const {txHash} = flow.view.state;
		expect(txHash).not.toBe(`0x${'ab'.repeat(32)}`);
		receipts.set(txHash!, '0x1');
		expect(await flow.watch()).toMatchObject({phase: 'done', txHash});
	});

	test('is done when its order left the list, whatever else is listed', async () => {
		const {flow, world} = await bench({});
		await choose(flow, 'dexB');
		await flow.execute();
		world.orders = [ORDER_B];
		expect(await flow.read()).toMatchObject({phase: 'claimed'});
		world.orders = [row()];
		expect(await flow.read()).toMatchObject({phase: 'done', seenOn: 'listing'});
	});

	test('on dexA has failed when the wallet used its number for another transaction', async () => {
		const {flow, world} = await bench({});
		await choose(flow, 'dexA');
		await flow.execute();
		expect(await flow.read()).toMatchObject({phase: 'claimed'});
		world.nonce = 4;
		expect(await flow.read()).toMatchObject({phase: 'failed', seenOn: 'chain'});
	});

	test('on dexA that was refused, and whose transaction was mined and did nothing, cost its fee', async () => {
		const {flow, receipts, caps} = await bench({
			perpExecute: () => {
				throw new ServiceRefused(400, 'no');
			},
		});
		await choose(flow, 'dexA');
		await flow.execute();
		receipts.set(flow.view.state.txHash!, '0x0');
		expect(await flow.read()).toMatchObject({phase: 'refused', seenOn: 'chain'});
		expect(caps.spentToday('evm:42161', 'native', 18)).toBe(12_000_000_000_000n);
	});

	test('can’t be left or resumed while one is on its way, nor resumed where none was begun', async () => {
		const {flow} = await bench({perpExecute: () => new Promise(() => {})});
		expect(() => flow.resume(`${ORDER_B.id}/order`)).toThrow(expect.objectContaining({code: 'cancel-not-now'}));
		flow.dismiss();
		await choose(flow, 'dexB');
		flow.dismiss();
		expect(flow.view.state).toEqual({phase: 'choosing'});
		await choose(flow, 'dexB');
		void flow.execute();
		await expect.poll(() => flow.view.state.phase).toBe('sending');
		expect(() => flow.dismiss()).toThrow(expect.objectContaining({code: 'cancel-not-now'}));
		expect(() => flow.resume(`${ORDER_B.id}/order`)).toThrow(expect.objectContaining({code: 'cancel-not-now'}));
		expect(flow.view.state.phase).toBe('sending');
	});

	test('is signed by one of several runs at once', async () => {
		const {flow, again, asked} = await bench({perpExecute: () => new Promise(() => {})});
		const other = again();
		await choose(flow, 'dexB');
		await choose(other, 'dexB');
		void flow.execute();
		await expect.poll(() => flow.view.state.phase).toBe('sending');
		await expect(other.execute()).rejects.toMatchObject({code: 'cancel-claimed'});
		expect(executed(asked)).toHaveLength(1);
	});

	test('that the service works on is followed until it says how it ended', async () => {
		const statuses = ['pending', 'pending', 'settled'];
		const {flow, world} = await bench({
			perpExecute: () => ({success: true, data: {processId: 'p1'}}),
			perpCheckProcess: () => ({processId: 'p1', status: statuses.shift()!}),
		});
		await choose(flow, 'dexB');
		await flow.execute();
		expect(flow.view.state).toMatchObject({phase: 'running', processId: 'p1'});
		world.orders = [];
		expect(await flow.watch()).toMatchObject({phase: 'done'});
	});

	test.each([
		[{message: 'no margin'}, 'no margin'],
		[{errorMessage: 'price moved', message: 'see errorMessage'}, 'price moved'],
		[{}, undefined],
	])('that the service calls failed says why, as far as the service does: %j', async (words, said) => {
		const {flow} = await bench({
			perpExecute: () => ({success: true, data: {processId: 'p1'}}),
			perpCheckProcess: () => ({processId: 'p1', status: 'failed', ...words}),
		});
		await choose(flow, 'dexB');
		await flow.execute();
		await flow.read();
		expect(flow.view.state).toMatchObject({phase: 'claimed', claim: 'failed'});
		expect(flow.view.state.said).toBe(said);
	});

	test.each([
		[404, 'unclear'],
		[403, 'running'],
		[503, 'running'],
	])('that the service answers a question about with %i is %s', async (status, phase) => {
		const {flow} = await bench({
			perpExecute: () => ({success: true, data: {processId: 'p1'}}),
			perpCheckProcess: () => {
				throw new ServiceRefused(status, 'no');
			},
		});
		await choose(flow, 'dexB');
		await flow.execute();
		await flow.read().catch(() => {});
		expect(flow.view.state.phase).toBe(phase);
	});

	test('that never left this machine, or that the exchange did not execute, says so', async () => {
		const cut = await bench({
			perpExecute: () => {
				throw new ServiceUnreachable('nothing listens at its address', {sent: 'no'});
			},
		});
		await choose(cut.flow, 'dexB');
		await cut.flow.execute();
		expect(cut.flow.view.state.phase).toBe('refused');
		const failed = await bench({perpExecute: () => ({success: true, data: {success: false}})});
		await choose(failed.flow, 'dexB');
		await failed.flow.execute();
		expect(failed.flow.view.state).toMatchObject({phase: 'claimed', claim: 'failed'});
	});
});
