import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {recoverAuthorizationAddress, recoverTypedDataAddress} from 'viem/utils';
import {createClient} from '../../source/client/create-client.ts';
import {tableText} from '../../source/commands/output/table.ts';
import type {Quote} from '../../source/contract/bridge.ts';
import {batchTypedData, perpPayloadText} from '../../source/contract/typed-data.ts';
import {type Chain, createChainSet} from '../../source/service/chain/chain-set.ts';
import {
	type AuthorizationTuple,
	recoverAuthorizationSigner,
	recoverMessageSigner,
	recoverTypedDataSigner,
} from '../../source/service/chain/recover.ts';
import type {LiveMarket} from '../../source/service/market/create-market.ts';
import {isUntradable, type OutsideMarket} from '../../source/service/market/outside.ts';
import {startService} from '../../source/service/server.ts';
import {createSignatureStore} from '../../source/service/store/signatures.ts';
import {openSqlite} from '../../source/service/store/sqlite.ts';
import {createBridgeFlow} from '../../source/trading/bridge/flow.ts';
import {type ChainReader, NodeRefused} from '../../source/trading/chain-reader.ts';
import {openTrading} from '../../source/trading/open-trading.ts';
import {fundPracticeWallet, listPracticeChains} from '../../source/trading/practice-funds.ts';
import {bodyOf, fundedUser, openBench, quoteOf} from '../service/bridge/bridge-client.ts';
import {
	addressOf,
	curveLaunch,
	fundedBuyer,
	LaunchClock,
	openLaunchBench,
	quoteBuy,
	quoteSell,
} from '../service/bridge/launches.ts';
import {balanceOf} from '../service/chain/practice.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';
import {measureTradeWindow} from './trade-window.ts';

/*
 * What the money flows cost: the start of the chains, the checks of an execute, and a transfer from the request to the
 * funds, everything on real practice chains and with the store on the disk.
 */

// Timers of the service keep no process alive: here nothing else does.
const alive = setInterval(() => {}, 1000);
const rows: string[][] = [];

/** @param high the upper figure, instead of that of the column: named in the row then */
function note(what: string, times: number[], high = 0.95): void {
	const sorted = times.toSorted((a, b) => a - b);
	const at = (part: number) =>
		`${sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!.toFixed(2)} ms`;
	rows.push([high === 0.95 ? what : `${what} (p${high * 100})`, at(0.5), at(high), String(times.length)]);
}

async function measure(what: string, count: number, act: (i: number) => unknown): Promise<void> {
	const times: number[] = [];
	for (let i = 0; i < count; i++) {
		const from = performance.now();
		await act(i);
		times.push(performance.now() - from);
	}
	note(what, times);
}

await measure('all practice chains: start, deploy, fund', 5, async () => {
	const chains = createChainSet();
	await Promise.all(chains.infos.map(({id}) => chains.ready(id)));
	await chains.close();
});

const directory = mkdtempSync(join(tmpdir(), 'pulsetop-bench-'));
const database = openSqlite(directory);
const signatures = await createSignatureStore(database);
await measure('a signature marked as used, on the disk', 200, i => signatures.use(`0x${i}`, Date.now() + 60_000));
await database.close();
rmSync(directory, {recursive: true});

const bench = await openBench();
const user = await fundedUser(bench);
const quote = await quoteOf(bench, user);
const body = await bodyOf(bench, user, quote);
const typedData = batchTypedData(body);
const tuple = body.authorizationList![0] as AuthorizationTuple;
const text = perpPayloadText('cancel-order', Date.now());
const signature = await user.signMessage({message: text});
await measure('signer of a batch', 300, () => recoverTypedDataSigner(typedData, body.batchSignature));
await measure('the same by viem', 100, () =>
	recoverTypedDataAddress({...typedData, signature: body.batchSignature as `0x${string}`}),
);
await measure('signer of an authorization', 300, () => recoverAuthorizationSigner(tuple));
await measure('the same by viem', 100, () => recoverAuthorizationAddress({authorization: tuple}));
await measure('signer of a text', 300, () => recoverMessageSigner(text, signature));

await measure('gasless quote', 100, () => quoteOf(bench, user, {amount: '1'}));
const users = await Promise.all(Array.from({length: 60}, () => fundedUser(bench)));
const signed = await Promise.all(
	users.map(async one => {
		const own = await quoteOf(bench, one);
		return {intentId: own.intentId, body: await bodyOf(bench, one, own)};
	}),
);
await measure('execute, answered', 30, i => bench.bridge.execute(signed[i]!.body));
await measure('execute, funds arrived', 30, async i => {
	const one = signed[30 + i]!;
	await bench.bridge.execute(one.body);
	await bench.bridge.wait(one.intentId);
});
await bench.close();
await measureLaunches();
await measureClient();
await measureTradeWindow(measure);

/** What a trade of a launch costs, with the real market: its quote, how long the market stands still for it, and all of it. */
async function measureLaunches(): Promise<void> {
	const launch = curveLaunch();
	const clock = new LaunchClock([launch]);
	const holds: number[] = [];
	const launches = await openLaunchBench(clock, {market: timedHolds(clock, holds)});
	const buyer = await fundedBuyer(launches);
	const ask = () => quoteBuy(launches, buyer, launch, {amount: '5', slippage: 50});
	const sign = async (quoted: Quote, origin: Chain) => ({
		intentId: quoted.intentId,
		body: await bodyOf(launches, buyer, quoted, {origin}),
	});
	const make = async ({intentId, body}: Awaited<ReturnType<typeof sign>>) => {
		await launches.bridge.execute(body);
		await launches.bridge.wait(intentId);
	};
	await make(await sign(await ask(), launches.arbitrum));
	await measure('launch: quote of a buy', 100, ask);
	const buys = await Promise.all(Array.from({length: 30}, async () => sign(await ask(), launches.arbitrum)));
	holds.length = 0;
	await measure('launch: buy, execute to arrived', 30, i => make(buys[i]!));
	const held = await balanceOf(launches.base, buyer.address, addressOf(launch));
	const askSale = () => quoteSell(launches, buyer, launch, {amountRaw: (held / 40n).toString(), slippage: 50});
	await measure('launch: quote of a sale', 100, askSale);
	// The first sale delegates the account on this chain.
	await make(await sign(await askSale(), launches.base));
	const sales = await Promise.all(Array.from({length: 30}, async () => sign(await askSale(), launches.base)));
	await measure('launch: sale, execute to arrived', 30, i => make(sales[i]!));
	note('launch: hold of the market for a trade', holds, 0.99);
	const crowd = await Promise.all(Array.from({length: 100}, async () => sign(await ask(), launches.arbitrum)));
	await measure('launch: 100 buys at once, all arrived', 1, () => Promise.all(crowd.map(make)));
	await launches.close();
}

/** The market with a clock on its holds. */
function timedHolds({market}: LaunchClock, times: number[]): Pick<LiveMarket, 'table' | 'outside'> {
	const {outside, table} = market;
	const hold: OutsideMarket['hold'] = async key => {
		const held = await outside.hold(key);
		const from = performance.now();
		if (isUntradable(held)) return held;
		const release = (): void => {
			times.push(performance.now() - from);
			held.release();
		};
		return {...held, release};
	};
	return {table, outside: {...outside, hold}};
}

/** What the client's own reads and checks cost, on the nodes that it chose: the code of contracts and the try of the batch beside all others. */
async function measureClient(): Promise<void> {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-bench-'));
	const service = await startService({
		market: new TinyMarket(),
		chains: {chainIds: [8453, 42161]},
		limits: {requestsPerSecond: 5000, requestBurst: 5000},
	});
	const [apiKey] = service.apiKeys as [string];
	const practice = {baseUrl: service.url, apiKey};
	const client = createClient({baseUrl: service.url, streamUrl: null, apiKey});
	const trading = openTrading({dataDir, mode: 'practice', client, practice, scryptCost: 2 ** 12});
	await trading.keystore.create('bench');
	const signer = trading.choose('bench');
	const address = await signer.unlock();
	const known = await listPracticeChains(practice);
	const usdc = (chainId: string) => known.find(chain => chain.chainId === chainId)!.contracts['usdc']!;
	const [originChainId, destinationChainId] = ['evm:8453', 'evm:42161'] as const;
	const token = usdc(originChainId);
	await fundPracticeWallet({...practice, chainId: originChainId, address, token});
	const {caps, pins, journal, chains} = trading;
	const parts = {call: client.call, clock: client.clock, signer, address, caps, pins, journal, chains, pollMs: 20};
	const input = {
		originChainId,
		originToken: token,
		amount: '20',
		destinationChainId,
		destinationToken: usdc(destinationChainId),
	};
	/** The chains, on nodes that refuse some of the ways to try calls. */
	const refusing = (isRefused: (method: string, params: readonly unknown[]) => boolean): ChainReader => ({
		...chains,
		request: (chainId, method, params) =>
			isRefused(method, params)
				? Promise.reject(new NodeRefused(chainId, 'not asked here'))
				: chains.request(chainId, method, params),
	});
	const byCall = refusing(method => method === 'eth_simulateV1');
	const untried = refusing((method, params) => /^(eth_simulateV1|debug_)/.test(method) || params[2] instanceof Object);
	await createBridgeFlow(parts).quote(input);
	await measure('client: account and balance alone', 30, () =>
		Promise.all([chains.account(originChainId, address), chains.balance(originChainId, token, address)]),
	);
	await measure('client: quote and review, no try', 30, () =>
		createBridgeFlow({...parts, chains: untried}).quote(input),
	);
	await measure('client: quote and review, tried by eth_call alone', 30, () =>
		createBridgeFlow({...parts, chains: byCall}).quote(input),
	);
	await measure('client: quote and review, all checks', 30, () => createBridgeFlow(parts).quote(input));
	const flows = Array.from({length: 15}, () => createBridgeFlow(parts));
	await measure('client: from the quote to arrived, seen on the chain', flows.length, async i => {
		const flow = flows[i]!;
		await flow.quote(input);
		flow.confirm('20');
		await flow.execute();
		await flow.watch();
	});
	await client.close();
	await service.close();
	rmSync(dataDir, {recursive: true});
}

const column = (title: string, at: number) => ({
	title,
	cell: (row: readonly string[]) => row[at]!,
	...(at === 0 ? {} : {align: 'right' as const}),
});
console.log(tableText(['', 'p50', 'p95', 'times'].map(column), rows));
clearInterval(alive);
