import {expect, test} from 'vitest';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {clientForEachTest} from '../client-for-each-test.ts';

/* Responses that follow the API (spec, contract gaps), in other spellings than those of the embedded service. */

const given = clientForEachTest();

function serve(path: string, body: unknown): void {
	given.server.pages.set(path, {type: 'application/json', body: JSON.stringify(body)});
}

const listed = {
	id: 'platformA:m1',
	platform: 'platformA',
	marketId: 'm1',
	question: 'Will it?',
	outcomes: [],
	stats: {},
};
const ITEMS = {body: {items: [{platform: 'platformA', marketId: 'm1'}]}};
const batch = async (payload: unknown[]) => {
	serve('/api/2/pm/markets/batch', {payload});
	return (await given.client.call('marketsBatch', ITEMS, {timeoutMs: PATIENCE_MS})).payload;
};

test('a list of markets needs no name of a server, and figures that come as text are figures', async () => {
	const outcomes = [{outcomeId: 'y', label: 'Yes', priceUSD: '0.42'}];
	const [market] = await batch([{...listed, stats: {volume24hUSD: '1234.5', liquidityUSD: 'a lot'}, outcomes}]);
	expect(market).toMatchObject({stats: {volume24hUSD: 1234.5}, outcomes: [{priceUSD: 0.42}]});
	expect(market!.stats).not.toHaveProperty('liquidityUSD');
});

test('one item that makes no sense does not take the others with it', async () => {
	const {outcomes: _, ...bare} = listed;
	expect(await batch([{...listed, marketId: null}, bare, 7, {...listed, marketId: 'm3', status: null}])).toMatchObject([
		{marketId: 'm1', outcomes: []},
		{marketId: 'm3', outcomes: []},
	]);
});

test('a list of nothing but nonsense is a wrong answer, not an empty list', async () => {
	await expect(batch([7, {platform: 'platformA'}])).rejects.toMatchObject({code: 'wrong-answer'});
	serve('/api/2/pm/markets/batch', {markets: []});
	await expect(given.client.call('marketsBatch', ITEMS)).rejects.toMatchObject({code: 'wrong-answer'});
});

test('a market without figures has unknown figures, not zeros', async () => {
	const {stats: _, ...bare} = listed;
	const [market] = await batch([bare]);
	expect(market?.stats).toEqual({});
});

test('the status of a transfer is read even when other members are null or numbers', async () => {
	const row = {
		id: null,
		intentId: 'i-1',
		message: null,
		amountIn: 12.5,
		amountInUsd: '12.49',
		createdAt: 1_795_271_637_000,
	};
	serve('/api/2/bridge/status/i-1', {data: {...row, status: 'filled', fillTxHashPending: null, timestamps: {}}});
	const {data} = await given.client.call('bridgeStatus', {params: {intentId: 'i-1'}});
	expect(data).toMatchObject({status: 'filled', intentId: 'i-1', amountIn: '12.5', amountInUsd: 12.49});
	expect(data).not.toHaveProperty('message');
});

test('amounts of a quote may be numbers, and raw ones may be written with an exponent', async () => {
	const address = `0x${'ab'.repeat(20)}`;
	const quote = {
		intentId: 'i-1',
		estimatedAmountOut: 12.4,
		minAmountOut: '12.3',
		totalFeeUsd: 0.1,
		fees: {originSponsorGasUsd: 0.05, bridgeFeeBps: '5'},
		estimatedTimeMs: '1000',
		steps: [{type: 'approve', tx: {to: address, value: 0, data: '0x00', chainId: '8453', approvalAddress: null}}],
		sponsorGate: {batchExecutor: address, gasToken: address, minBalance: '1.25e+7'},
		typedData: null,
	};
	serve('/api/2/bridge/quote', {data: quote});
	const query = {originChainId: 'evm:8453', destinationChainId: 'evm:42161', walletAddress: address, amount: '12.5'};
	const {data} = await given.client.call('bridgeQuote', {query});
	expect(data).toMatchObject({
		estimatedAmountOut: '12.4',
		totalFeeUsd: '0.1',
		fees: {originSponsorGasUsd: '0.05', bridgeFeeBps: 5},
		steps: [{tx: {value: '0', chainId: 8453}}],
		sponsorGate: {minBalance: '12500000'},
	});
});

test('a step of a quote that makes no sense is never left out: the quote is a wrong answer', async () => {
	const quote = {intentId: 'i-1', estimatedAmountOut: '1', minAmountOut: '1', fees: {}, steps: [{tx: {to: null}}]};
	serve('/api/2/bridge/quote', {data: quote});
	const query = {originChainId: 'evm:8453', destinationChainId: 'evm:42161', walletAddress: '0x', amount: '1'};
	await expect(given.client.call('bridgeQuote', {query})).rejects.toMatchObject({code: 'wrong-answer'});
});

test('orders of a listing need their names alone, and figures may be text', async () => {
	const order = {id: 'pos-dexB-x-9', marketId: 'x', exchange: 'dexB', chainId: 'dexB:304'};
	serve('/api/2/wallet/positions/perp/unfilled', {data: [order, {...order, amountUSD: '12.5', tp: null, side: null}]});
	const {data} = await given.client.call('perpUnfilled', {query: {wallet: '0x'}});
	expect(data).toMatchObject([{id: 'pos-dexB-x-9'}, {amountUSD: 12.5}]);
});

test('an order that makes no sense is never left out: what is missing would count as cancelled', async () => {
	const order = {id: 'pos-dexB-x-9', marketId: 'x', exchange: 'dexB', chainId: 'dexB:304'};
	serve('/api/2/wallet/positions/perp/unfilled', {data: [order, {...order, id: null}]});
	await expect(given.client.call('perpUnfilled', {query: {wallet: '0x'}})).rejects.toMatchObject({
		code: 'wrong-answer',
	});
});

test('a list of millions does not block the program', async () => {
	await expect(batch(Array.from({length: 500_000}, () => ({})))).rejects.toMatchObject({code: 'wrong-answer'});
});
