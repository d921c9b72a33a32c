import {join} from 'node:path';
import type {Hex} from 'viem';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import type {Clock} from '../../../source/client/clock.ts';
import {createClient} from '../../../source/client/create-client.ts';
import {ServiceTimeout} from '../../../source/client/http/service-errors.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {createChainReader} from '../../../source/trading/chain-reader.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {type CancelFlow, createCancelFlow} from '../../../source/trading/perp/flow.ts';
import {openPins} from '../../../source/trading/pins.ts';
import {fundPracticeWallet, listPracticeChains, practiceRpcUrl} from '../../../source/trading/practice-funds.ts';
import {practiceSigner} from '../../helpers/practice-signer.ts';
import {TinyMarket} from '../../service/helpers/tiny-market.ts';
import {Trader, waitingOrder} from './perp-trader.ts';

let service: RunningService;
let client: Client;
let contracts: Record<string, Hex>;

beforeAll(async () => {
	service = await startService({market: new TinyMarket(), chains: {chainIds: [8453, 42161]}});
	client = createClient({baseUrl: service.url, streamUrl: null, apiKey: service.apiKeys[0]!});
	const chains = await listPracticeChains(place());
	contracts = chains.find(({chainId}) => chainId === 'evm:42161')!.contracts as Record<string, Hex>;
});

afterAll(async () => {
	await client?.close();
	await service?.close();
});

const place = () => ({baseUrl: service.url, apiKey: service.apiKeys[0]!});

async function rpc(method: string, params: unknown[]): Promise<unknown> {
	const response = await fetch(practiceRpcUrl(place(), 'evm:42161'), {
		method: 'POST',
		headers: {authorization: place().apiKey, 'content-type': 'application/json'},
		body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params}),
	});
	return ((await response.json()) as {result: unknown}).result;
}

/** A wallet with money on the exchange's chain, its cancel flow, and the same account as a trader who places orders. */
async function trader() {
	const {dir, keystore, caps, signer} = await practiceSigner();
	const address = await signer.unlock();
	const opened = await keystore.open('me');
	const key = opened.withSecret(secret => `0x${secret.toString('hex')}` as const);
	const hand = new Trader(client.call, key);
	for (const token of ['native', contracts['usdc']!]) {
		await fundPracticeWallet({...place(), chainId: 'evm:42161', address, token});
	}
	await rpc('eth_sendRawTransaction', [await hand.approval(contracts['usdc']!, contracts['perpExchange']!, 0)]);
	await expect.poll(() => rpc('eth_getTransactionCount', [address, 'latest'])).toBe('0x1');
	const chains = createChainReader({
		urlOf: chainId => practiceRpcUrl(place(), chainId),
		headers: {authorization: place().apiKey},
	});
	const journal = openJournal(join(dir, 'journal.jsonl'));
	const pins = openPins(join(dir, 'pins.json'));
	const flow = (call = client.call, clock: Clock = client.clock): CancelFlow =>
		createCancelFlow({call, clock, signer, address, chains, caps, pins, journal, pollMs: 20});
	return {hand, flow, address, journal};
}

test('an order on the chain’s exchange is cancelled, and its stop-loss before it, each by its own transaction', async () => {
	const {hand, flow, journal} = await trader();
	await hand.act('create-order', 'perpCreateOrder', waitingOrder('dexA', {tp: 5000, sl: 500}));
	const cancel = flow();
	const targets = await cancel.list();
	expect(targets.map(({dex, orderType, price}) => [dex, orderType, price])).toEqual([
		['dexA', 'order', 1000],
		['dexA', 'tp', 5000],
		['dexA', 'sl', 500],
	]);
	await cancel.build(targets[2]!);
	expect(cancel.view.checks.filter(check => !check.ok).map(check => check.name)).toEqual(['exchange-pin']);
	await cancel.accept(cancel.view.toAccept[0]!.fingerprint.slice(-6));
	await cancel.execute();
	expect(await cancel.watch()).toMatchObject({phase: 'done', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/)});
	expect((await cancel.list()).map(({orderType}) => orderType)).toEqual(['order', 'tp']);

	await cancel.build(targets[0]!);
	expect(cancel.view.state.phase).toBe('reviewed');
	await cancel.execute();
	expect(await cancel.watch()).toMatchObject({phase: 'done'});
	expect(await cancel.list()).toEqual([]);
	expect(journal.records().map(({kind}) => kind)).toEqual([
		'pin.accepted',
		'perp.intended',
		'perp.signed',
		'perp.answered',
		'perp.status',
		'perp.intended',
		'perp.signed',
		'perp.answered',
		'perp.status',
	]);
});

test('an order in the other exchange’s book is cancelled without a transaction', async () => {
	const {hand, flow} = await trader();
	hand.nonce = 1;
	await hand.act('deposit', 'perpDeposit', {
		dex: 'dexB',
		chainId: 'dexB:304',
		originChainId: 'evm:42161',
		amountUsdc: '100',
	});
	await hand.act('create-account', 'perpCreateAccount', {dex: 'dexB', chainId: 'dexB:304'});
	await hand.act('create-order', 'perpCreateOrder', waitingOrder('dexB', {chainIds: ['dexB:304']}));
	const cancel = flow();
	const [target] = await cancel.list();
	expect(target).toMatchObject({dex: 'dexB', orderType: 'order', marketId: 'ETH-USD', price: 1000});
	await cancel.build(target!);
	expect(cancel.view).toMatchObject({state: {phase: 'reviewed'}, plan: {envelope: {transport: 'offchain-api'}}});
	await cancel.execute();
	expect(await cancel.watch()).toMatchObject({phase: 'done'});
	expect(await cancel.list()).toEqual([]);
});

test('two runs of the program ask for cancels of one account in the same millisecond', async () => {
	const {hand, flow} = await trader();
	await hand.act('create-order', 'perpCreateOrder', waitingOrder('dexA', {tp: 5000, sl: 500}));
	const nowMs = client.clock.nowMs();
	const clock = {nowMs: () => nowMs, skewMs: client.clock.skewMs, uncertaintyMs: client.clock.uncertaintyMs};
	const [first, second] = [flow(client.call, clock), flow(client.call, clock)];
	const targets = await first.list();
	await second.list();
	await Promise.all([first.build(targets[1]!), second.build(targets[2]!)]);
	for (const {view} of [first, second])
		expect(view.checks.filter(({ok}) => !ok)).toMatchObject([{name: 'exchange-pin'}]);
});

test('a cancel whose response is lost is settled by the listing; a cancelled order cannot be built again', async () => {
	const {hand, flow} = await trader();
	await hand.act('create-order', 'perpCreateOrder', waitingOrder('dexA'));
	const lossy = (async (id, input, options) => {
		const answer = await client.call(id, input, options);
		if (id === 'perpExecute') throw new ServiceTimeout('no complete answer within 45 s');
		return answer;
	}) as Client['call'];
	const cancel = flow(lossy);
	const [target] = await cancel.list();
	await cancel.build(target!);
	await cancel.accept(cancel.view.toAccept[0]!.fingerprint.slice(-6));
	await cancel.execute();
	expect(cancel.view.state.phase).toBe('unclear');
	expect(await cancel.watch()).toMatchObject({phase: 'done'});
	await expect(flow().build(target!)).rejects.toMatchObject({
		code: 'service-refused',
		said: expect.stringContaining('cancel-order payload generation failed'),
	});
});
