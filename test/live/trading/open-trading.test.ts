import {afterAll, beforeAll, expect, test} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {createStore} from '../../../source/store.ts';
import {ChainUnread} from '../../../source/trading/chain-reader.ts';
import {openTrading, type Trading} from '../../../source/trading/open-trading.ts';
import {placePracticeOrder} from '../../../source/trading/perp/practice-order.ts';
import {listPracticeChains} from '../../../source/trading/practice-funds.ts';
import {openPracticeWallet} from '../../../source/trading/practice-wallet.ts';
import type {MoneyState} from '../../../source/ui/money/money-state.ts';
import {createMoneyWallet} from '../../../source/ui/money/money-wallet.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {TinyMarket} from '../../service/helpers/tiny-market.ts';

let service: RunningService;
let client: Client;

beforeAll(async () => {
	service = await startService({market: new TinyMarket(), chains: {chainIds: [8453, 42161]}});
	client = createClient({baseUrl: service.url, streamUrl: null, apiKey: service.apiKeys[0]!});
});

afterAll(async () => {
	await client?.close();
	await service?.close();
});

const practiceService = () => ({baseUrl: service.url, apiKey: service.apiKeys[0]!});
const open = (dataDir: string): Trading =>
	openTrading({dataDir, mode: 'practice', client, practice: practiceService()});

test('a practice wallet with funds is there on first use, and the same one later', async () => {
	const dir = temporaryDirectory();
	const first = await openPracticeWallet(open(dir), practiceService());
	expect(first).toMatchObject({isNew: true, signer: {state: {status: 'unlocked', mode: 'practice'}}});
	const trading = open(dir);
	const again = await openPracticeWallet(trading, practiceService());
	expect(again).toMatchObject({isNew: false, address: first.address});
	expect(await trading.chains.balance('evm:8453', again.usdc['evm:8453']!, again.address)).toBe(1_000_000_000n);
	expect(await trading.chains.coins('evm:42161', again.address)).toBe(10n ** 18n);
});

test('a wallet whose chain did not answer in time when it was made is funded by the next attempt', async () => {
	const trading = open(temporaryDirectory());
	let isAway = true;
	const chains: Trading['chains'] = {
		...trading.chains,
		balance: (...which) =>
			isAway ? Promise.reject(new ChainUnread('evm:8453', 'no answer in time')) : trading.chains.balance(...which),
	};
	const wallet = createMoneyWallet({
		store: createStore<MoneyState>({wallet: {mode: 'practice', status: 'none'}}),
		trading: Object.create(trading, {chains: {value: chains}}),
		client,
		practice: practiceService(),
	});
	await expect(wallet.open()).rejects.toMatchObject({code: 'chain-unread'});
	expect(trading.signer?.state.status).toBe('unlocked');
	isAway = false;
	expect(await wallet.open()).toBe('unlocked');
	const chain = (await listPracticeChains(practiceService())).find(({chainId}) => chainId === 'evm:8453')!;
	const address = trading.signer!.state.address!;
	expect(await trading.chains.balance('evm:8453', chain.contracts['usdc']!, address)).toBe(1_000_000_000n);
});

test('once signing is locked, no wallet signs in this run: neither the chosen one nor one chosen later', async () => {
	const trading = open(temporaryDirectory());
	const {signer} = await openPracticeWallet(trading, practiceService());
	trading.lockSigning();
	expect(signer.state.status).toBe('signing-locked');
	// Opening a window again opens the practice wallet again: that must not undo the lock.
	await expect(openPracticeWallet(trading, practiceService())).rejects.toMatchObject({
		code: 'wallet-locked',
		next: 'restart',
	});
	expect(trading.signer?.state.status).toBe('signing-locked');
});

test('a transfer runs on one opened session, and nothing is open afterwards', async () => {
	const trading = open(temporaryDirectory());
	await expect(trading.bridgeFlow()).rejects.toMatchObject({code: 'no-wallet'});
	const {usdc} = await openPracticeWallet(trading, practiceService());
	const flow = await trading.bridgeFlow();
	await flow.quote({
		originChainId: 'evm:8453',
		originToken: usdc['evm:8453']!,
		amount: '12.5',
		destinationChainId: 'evm:42161',
	});
	// The practice contracts ship with the program.
	expect(flow.view.toAccept).toEqual([]);
	flow.confirm('12.5');
	await flow.execute();
	expect(await trading.openIntents()).toHaveLength(1);
	expect(await flow.watch()).toMatchObject({phase: expect.stringMatching(/filled|settled/)});
	expect(await trading.openIntents()).toEqual([]);
	expect(trading.journal.records().map(({kind}) => kind)).toEqual(
		expect.arrayContaining(['wallet.unlocked', 'wallet.signed', 'bridge.intended', 'bridge.answered']),
	);
});

test('an order for practice is placed, waits with its take-profit and stop-loss, and is cancelled in one session', async () => {
	const trading = open(temporaryDirectory());
	await expect(placePracticeOrder(trading, client, practiceService())).rejects.toMatchObject({code: 'practice-failed'});
	const {address} = await openPracticeWallet(trading, practiceService());
	await placePracticeOrder(trading, client, practiceService());
	const waiting = async () => (await client.call('perpUnfilled', {query: {wallet: address}})).data;
	expect(await waiting()).toMatchObject([{marketId: 'ETH-USD', tp: [{price: 5000}], sl: [{price: 500}]}]);
	expect([await trading.openCancels(), await trading.openPredictions()]).toEqual([[], []]);
});

test('another wallet locks the one before', async () => {
	const trading = open(temporaryDirectory());
	const {signer} = await openPracticeWallet(trading, practiceService());
	await trading.keystore.create('second');
	const second = trading.choose('second');
	expect([signer.state.status, second.state.status, trading.signer]).toEqual(['locked', 'locked', second]);
	expect(await trading.cancelFlow()).toBeDefined();
});
