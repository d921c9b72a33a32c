import {afterAll, beforeAll, expect, test} from 'vitest';
import type {BridgeStatusRow} from '../../../source/contract/bridge.ts';
import {type EndpointId, endpointOf} from '../../../source/contract/endpoints.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {newUser} from '../chain/practice.ts';
import {type Answer, ask} from '../helpers/http-client.ts';
import {StreamClient} from '../helpers/stream-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';
import {fundedUser, openBench, quoteOf} from './bridge-client.ts';
import {walletOf} from './wire-wallet.ts';

let service: RunningService;
beforeAll(async () => {
	service = await startService({market: new TinyMarket(), chains: {chainIds: [8453, 42161]}});
});
afterAll(() => service.close());

/** The body of a success, after the contract's schema has seen it. */
function bodyOf(id: EndpointId, response: Answer) {
	expect(response.json?.error).toBeUndefined();
	expect(response.status).toBe(endpointOf(id).status);
	endpointOf(id).response().parse(response.json);
	return response.json;
}

const refused = (response: Answer, status: number, error: string | RegExp, intentId?: string) => {
	expect(response.status).toBe(status);
	const words = typeof error === 'string' ? error : expect.stringMatching(error);
	expect(response.json).toEqual(intentId === undefined ? {error: words} : {error: words, intentId});
};

test('quote, execute, wait and history agree, each in the form of the contract', async () => {
	const wallet = await walletOf(service);
	const {data: quote} = bodyOf('bridgeQuote', await wallet.quote());
	const body = await wallet.sign(quote);
	const {data: result} = bodyOf('bridgeExecute', await ask(service, 'POST', '/api/2/bridge/execute', {body}));
	expect(result).toMatchObject({intentId: quote.intentId, status: 'pending'});
	const waited = bodyOf('bridgeStatusWait', await ask(service, 'GET', `/api/2/bridge/status/${quote.intentId}/wait`));
	expect(waited.data).toMatchObject({
		status: 'filled',
		depositTxHash: result.depositTxHash,
		amountOut: quote.estimatedAmountOut,
	});
	for (const id of [quote.intentId, result.depositTxHash, waited.data.fillTxHash]) {
		const status = bodyOf('bridgeStatus', await ask(service, 'GET', `/api/2/bridge/status/${id}`));
		expect(status.data.intentId).toBe(quote.intentId);
	}
	const past = bodyOf(
		'bridgeHistory',
		await ask(service, 'GET', `/api/2/bridge/history?wallet=${wallet.user.address}`),
	);
	expect(past.data).toMatchObject([{intentId: quote.intentId, amountIn: '50000000'}]);
	const again = await ask(service, 'POST', '/api/2/bridge/execute', {body});
	refused(again, 409, /already been submitted/, quote.intentId);
});

test('a batch whose addresses and bytes are written in capitals is the same batch', async () => {
	const wallet = await walletOf(service);
	const {data: quote} = bodyOf('bridgeQuote', await wallet.quote());
	const body = await wallet.sign(quote);
	const inCapitals = JSON.parse(
		JSON.stringify(body, (_, value) =>
			typeof value === 'string' && value.startsWith('0x') ? `0x${value.slice(2).toUpperCase()}` : value,
		),
	);
	bodyOf('bridgeExecute', await ask(service, 'POST', '/api/2/bridge/execute', {body: inCapitals}));
	const waited = bodyOf('bridgeStatusWait', await ask(service, 'GET', `/api/2/bridge/status/${quote.intentId}/wait`));
	expect(waited.data.status).toBe('filled');
});

test('an amount in a quote: netted by the gas that the sponsor pays, the least by the slippage, the sum of fees twice', async () => {
	const wallet = await walletOf(service);
	const {data: sponsored} = bodyOf('bridgeQuote', await wallet.quote());
	const {data: plain} = bodyOf('bridgeQuote', await wallet.quote({gasless: 'false'}));
	const micro = (text: string) => Math.round(Number(text) * 1e6);
	const gas = micro(sponsored.fees.originSponsorGasUsd);
	expect(gas).toBeGreaterThan(0);
	expect(micro(plain.estimatedAmountOut) - micro(sponsored.estimatedAmountOut)).toBe(gas);
	expect(micro(sponsored.totalFeeUsd) - micro(plain.totalFeeUsd)).toBe(gas);
	expect(micro(sponsored.estimatedAmountOut) + micro(sponsored.totalFeeUsd)).toBe(50_000_000);
	expect(sponsored.fees.totalFeeUsd).toBe(sponsored.totalFeeUsd);
	expect(micro(sponsored.minAmountOut)).toBe(Math.floor(micro(sponsored.estimatedAmountOut) * 0.99));
	expect(sponsored.sponsorGate).toEqual({
		batchExecutor: wallet.contracts.batchExecutor,
		gasToken: wallet.contracts.usdc,
		minBalance: '50000000',
	});
	expect([plain.sponsorGate, plain.fees.originSponsorGasUsd]).toEqual([undefined, undefined]);
});

test('amount and amountRaw say the same', async () => {
	const wallet = await walletOf(service);
	const {data: a} = bodyOf('bridgeQuote', await wallet.quote({amount: '12.5'}));
	const {data: b} = bodyOf('bridgeQuote', await wallet.quote({amount: undefined, amountRaw: '12500000'}));
	expect([a.sponsorGate?.minBalance, b.sponsorGate?.minBalance]).toEqual(['12500000', '12500000']);
	// The gas that is deducted differs a little: each intent id has other zero bytes, which cost less.
	expect(Number(b.estimatedAmountOut)).toBeCloseTo(Number(a.estimatedAmountOut), 3);
});

test.each<[string, Record<string, string | undefined>, RegExp]>([
	['too little for the sponsored gas', {amount: '0.05'}, /amount does not cover the sponsored origin gas/],
	['too little without a sponsor', {amount: '0.01', gasless: 'false'}, /amount does not cover the fees/],
	['too much', {amount: '10001'}, /more than one transfer may be: 10000 USD/],
	['the native coin', {originToken: undefined}, /must be an ERC-20, not native/],
	[
		'the native coin by its other address',
		{originToken: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE'},
		/must be an ERC-20/,
	],
	['the wrapped native coin', {originToken: '0x4200000000000000000000000000000000000006'}, /must be an ERC-20/],
	['an unknown token', {originToken: `0x${'12'.repeat(20)}`}, /origin token is not bridged from evm:8453/],
	['an unknown destination token', {destinationToken: `0x${'12'.repeat(20)}`}, /destination token is not bridged/],
	['one chain twice', {destinationChainId: 'evm:8453'}, /Only cross-chain routes/],
	['a chain of another kind', {originChainId: 'solana:solana'}, /this origin chain is not served/],
	['a chain that is not served', {destinationChainId: 'evm:1'}, /this destination chain is not served/],
	['a recipient that is no address', {walletAddress: 'somebody'}, /walletAddress is not an address/],
	['a sender that is no address', {senderAddress: '0x1234'}, /senderAddress is not an address/],
	['more decimals than the token has', {amount: '1.1234567'}, /7 decimals, USDC has 6/],
	['two amounts', {amountRaw: '1'}, /amount must not stand beside amountRaw/],
	['no amount', {amount: undefined}, /amount is required/],
	['a negative amount', {amount: '-1'}, /^amount must /],
	['more slippage than there is', {slippage: '51'}, /slippage must be at most 50/],
])('no quote for %s: 400 with the reason as text', async (_, query, words) => {
	const wallet = await walletOf(service);
	refused(await wallet.quote(query), 400, words);
});

test('an API key is required, in the query or as a header', async () => {
	const path = '/api/2/bridge/routes';
	refused(await ask(service, 'GET', path, {key: 'wrong'}), 401, /not valid/);
	const [none, query] = await Promise.all([
		fetch(service.url + path),
		fetch(`${service.url}${path}?apiKey=${service.apiKeys[0]}`),
	]);
	expect([none.status, query.status]).toEqual([401, 200]);
	expect(await none.json()).toEqual({error: 'An API key is required'});
});

test('an execute that does not fit the contract names its field and its intent', async () => {
	const wallet = await walletOf(service);
	const {data: quote} = bodyOf('bridgeQuote', await wallet.quote());
	const body = await wallet.sign(quote);
	const send = (patch: object) => ask(service, 'POST', '/api/2/bridge/execute', {body: {...body, ...patch}});
	refused(await send({calls: Array(5).fill(body.calls[0])}), 400, /calls must have at most 4 items/, quote.intentId);
	refused(await send({batchNonce: '0x1'}), 400, /^batchNonce must /, quote.intentId);
	refused(await send({batchSignature: '0x12'}), 400, /^batchSignature must /, quote.intentId);
	refused(await send({executionKind: 'other'}), 400, /executionKind must be "sponsored7702"/, quote.intentId);
	refused(await send({batchNonce: '1'}), 400, /not the intent's lane/, quote.intentId);
});

test('a transfer that its user signs and sends himself is seen, filled and settled', async () => {
	const wallet = await walletOf(service, {native: true});
	const {data: first} = bodyOf('bridgeQuote', await wallet.quote({gasless: 'false'}));
	expect([first.steps, first.deposit]).toEqual([[], null]);
	const signature = await wallet.signTypedData(first.typedData);
	const echoes = {
		gasless: 'false',
		intentId: first.intentId,
		deadline: first.deadline,
		minAmountOut: first.minAmountOut,
	};
	const stranger = await walletOf(service);
	const forged = await wallet.quote({...echoes, signature: await stranger.signTypedData(first.typedData)});
	refused(forged, 400, /not by the sender/);
	refused(await wallet.quote({...echoes, minAmountOut: '1', signature}), 400, /must be those of the quote/);
	const {data: second} = bodyOf('bridgeQuote', await wallet.quote({...echoes, signature}));
	expect(second).toMatchObject({intentId: first.intentId, estimatedAmountOut: first.estimatedAmountOut});
	for (const {tx} of second.steps) await wallet.send(tx);
	const {data: row} = bodyOf(
		'bridgeStatusWait',
		await ask(service, 'GET', `/api/2/bridge/status/${first.intentId}/wait`),
	);
	expect(row).toMatchObject({status: 'filled', amountOut: first.estimatedAmountOut});
});

test('the steps of a sponsored quote that its user sends by hand are found at the next status request', async () => {
	const wallet = await walletOf(service, {native: true});
	const {data: quote} = bodyOf('bridgeQuote', await wallet.quote());
	for (const {tx} of quote.steps) await wallet.send(tx);
	const {data: row} = bodyOf(
		'bridgeStatusWait',
		await ask(service, 'GET', `/api/2/bridge/status/${quote.intentId}/wait`),
	);
	expect(row.status).toBe('filled');
	const execute = await ask(service, 'POST', '/api/2/bridge/execute', {body: await wallet.sign(quote)});
	refused(execute, 409, /already been submitted/, quote.intentId);
});

test('an unknown id is pending, not an error', async () => {
	const {data} = bodyOf('bridgeStatus', await ask(service, 'GET', '/api/2/bridge/status/nobody-knows-it'));
	expect(data).toEqual({id: 'nobody-knows-it', status: 'pending', message: expect.stringContaining('Not found yet')});
});

test('a route for each ordered pair of the chains that can be quoted: all five, and none where no chain can run', async () => {
	const whole = await startService({market: new TinyMarket()});
	const poor = await startService({market: new TinyMarket(), chains: {anvilPath: '/does/not/exist'}});
	const pairs = async (of: RunningService) => {
		const {data} = bodyOf('bridgeRoutes', await ask(of, 'GET', '/api/2/bridge/routes'));
		return data.routes.map((route: {originChainId: string; destinationChainId: string}) =>
			[route.originChainId, route.destinationChainId].join(' '),
		);
	};
	try {
		const ids = ['evm:8453', 'evm:56', 'evm:42161', 'evm:137', 'evm:4663'];
		expect(await pairs(whole)).toEqual(ids.flatMap(from => ids.filter(to => to !== from).map(to => `${from} ${to}`)));
		expect(await pairs(poor)).toEqual([]);
		// Nothing was started for that.
		const {data} = (await ask(whole, 'GET', '/dev/chains')).json;
		expect(data.map(({state}: {state: string}) => state)).toEqual(ids.map(() => 'idle'));
	} finally {
		await whole.close();
		await poor.close();
	}
});

test('a wait for an unknown id is as long as any other, and ends when its intent has begun and ended', async () => {
	const bench = await openBench();
	try {
		const {intentId} = await quoteOf(bench, await fundedUser(bench));
		const ended = {...(await bench.bridge.book.get(intentId))!, intentId: 'late', status: 'failed'} as const;
		const gone = new AbortController();
		const given: string[] = [];
		const note = (row: BridgeStatusRow) => given.push(`${row.id} ${row.status}`);
		const late = bench.bridge.wait('late').then(note);
		const never = bench.bridge.wait('never', {signal: gone.signal}).then(note);
		await bench.bridge.wait('short', {waitMs: 1}).then(note);
		expect(given).toEqual(['short pending']);
		await bench.bridge.book.add({...ended, intentHash: `0x${'12'.repeat(32)}`});
		await late;
		gone.abort();
		await never;
		expect(given).toEqual(['short pending', 'late failed', 'never pending']);
	} finally {
		await bench.close();
	}
});

test('a route for each ordered pair of configured chains', async () => {
	const {data} = bodyOf('bridgeRoutes', await ask(service, 'GET', '/api/2/bridge/routes'));
	expect(
		data.routes.map((route: {originChainId: string; destinationChainId: string}) => [
			route.originChainId,
			route.destinationChainId,
		]),
	).toEqual([
		['evm:8453', 'evm:42161'],
		['evm:42161', 'evm:8453'],
	]);
});

test('history goes on where a page ended, in both orders, and refuses a cursor that it never gave', async () => {
	const wallet = await walletOf(service);
	const ids: string[] = [];
	for (let i = 0; i < 5; i++) {
		const {data: quote} = bodyOf('bridgeQuote', await wallet.quote({amount: '5'}));
		bodyOf('bridgeExecute', await ask(service, 'POST', '/api/2/bridge/execute', {body: await wallet.sign(quote)}));
		await ask(service, 'GET', `/api/2/bridge/status/${quote.intentId}/wait`);
		ids.push(quote.intentId);
	}
	for (const order of ['asc', 'desc']) {
		const seen: string[] = [];
		let cursor: string | null = null;
		do {
			const at: string = `/api/2/bridge/history?wallet=${wallet.user.address}&limit=2&order=${order}${cursor ? `&cursor=${cursor}` : ''}`;
			const page = bodyOf('bridgeHistory', await ask(service, 'GET', at));
			seen.push(...page.data.map((row: {intentId: string}) => row.intentId));
			cursor = page.pagination.nextCursor;
		} while (cursor !== null);
		expect(seen).toEqual(order === 'asc' ? ids : ids.toReversed());
	}
	// A full page that is the last one has no next.
	const all = `/api/2/bridge/history?wallet=${wallet.user.address}`;
	const paged = async (limit: number) => bodyOf('bridgeHistory', await ask(service, 'GET', `${all}&limit=${limit}`));
	expect((await paged(5)).pagination).toMatchObject({
		pageEntries: 5,
		nextCursor: null,
		resumeCursor: expect.any(String),
	});
	expect((await paged(4)).pagination).toMatchObject({pageEntries: 4, nextCursor: expect.any(String)});
	refused(await ask(service, 'GET', '/api/2/bridge/history?cursor=1;DROP'), 400, /cursor must be one that was given/);
	const none = bodyOf('bridgeHistory', await ask(service, 'GET', `/api/2/bridge/history?wallet=${newUser().address}`));
	expect(none).toEqual({data: [], pagination: {limit: 50, pageEntries: 0, nextCursor: null, resumeCursor: null}});
});

test('the socket sends every status of an intent, from the one it has to its end', async () => {
	const wallet = await walletOf(service);
	const {data: quote} = bodyOf('bridgeQuote', await wallet.quote());
	const socket = await StreamClient.open(service.streamUrl);
	const payload = {intentIds: [quote.intentId, 'nobody-knows-it'], subscriptionId: 'b1'};
	socket.send({type: 'bridge-status', authorization: service.apiKeys[0], payload});
	expect(await socket.next(frame => frame['event'] === 'subscribed')).toMatchObject({
		type: 'bridge-status',
		subscriptionId: 'b1',
	});
	const known = await socket.next(frame => frame['payload']?.intentId === quote.intentId);
	expect(known).toMatchObject({
		type: 'bridge-status',
		subscriptionId: 'b1',
		payload: {status: 'pending', message: 'Quoted, not submitted.'},
	});
	expect((await socket.next(frame => frame['payload']?.id === 'nobody-knows-it'))['payload'].status).toBe('pending');
	await ask(service, 'POST', '/api/2/bridge/execute', {body: await wallet.sign(quote)});
	await socket.next(frame => frame['payload']?.status === 'settled');
	const statuses = socket.frames
		.map(frame => frame['payload']?.status)
		.filter((status, i, all) => status !== undefined && status !== all[i - 1]);
	expect(statuses).toEqual(['pending', 'deposited', 'filling', 'filled', 'settled']);
	await socket.close();
});

test('a chain without its program: quotes answer 503 and say why, the rest of the service goes on', async () => {
	const poor = await startService({market: new TinyMarket(), chains: {anvilPath: '/does/not/exist'}});
	try {
		const path = `/api/2/bridge/quote?originChainId=evm:8453&destinationChainId=evm:42161&walletAddress=${newUser().address}&amount=1`;
		refused(await ask(poor, 'GET', path), 503, /The chain evm:\d+ is not available: the program anvil was not found/);
		expect((await ask(poor, 'GET', '/health')).status).toBe(200);
		const {data} = (await ask(poor, 'GET', '/dev/chains')).json;
		expect(data[0]).toMatchObject({
			chainId: 'evm:8453',
			state: 'unavailable',
			reason: expect.stringContaining('anvil'),
		});
	} finally {
		await poor.close();
	}
});
