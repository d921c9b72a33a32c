import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Hex} from 'viem';
import {afterAll, afterEach, beforeAll, describe, expect, test, vi} from 'vitest';
import {isTerminal, type Quote, type QuoteRequest} from '../../../source/contract/bridge.ts';
import {type BridgeOptions, createBridge} from '../../../source/service/bridge/bridge.ts';
import {stepDelayMs} from '../../../source/service/bridge/intent-runner.ts';
import {type Chain, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {postgresBinaries} from '../../helpers/postgres.ts';
import {balanceOf, intentHash, nowS, USDC} from '../chain/practice.ts';
import {startRecordingNode} from '../chain/recording-node.ts';
import {bodyOf, fundedUser, quoteOf} from './bridge-client.ts';
import {openRealChains, type RealChains} from './real-chains.ts';
import {movesOf, openReplica, openSharedWorld, type ReplicaBridge, type SharedWorld} from './replica-bridges.ts';

/** A service on chains that are real nodes, as each engine of the store has it. */
type Opened = Pick<ReplicaBridge, 'book' | 'quote' | 'execute' | 'status' | 'nodes' | 'close'>;

/** Real chains, and services on one store, of which each continues what the one before it left. */
interface World extends RealChains {
	open(options: Partial<BridgeOptions>): Promise<Opened>;
}

async function openSqliteWorld(): Promise<World> {
	const chains = await openRealChains();
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-late-'));
	return {
		...chains,
		async open(options) {
			const nodes: ReplicaBridge['nodes'] = new Map(
				await Promise.all(
					[...chains.external].map(async ([id, {rpcUrl}]) => [id, await startRecordingNode(rpcUrl)] as const),
				),
			);
			const external = new Map([...chains.external].map(([id, one]) => [id, {...one, rpcUrl: nodes.get(id)!.url}]));
			const own = createChainSet({chainIds: [], external});
			const database = openSqlite(directory);
			const bridge = await createBridge({chains: own, database, ...options});
			return {
				...bridge,
				nodes,
				async close() {
					await bridge.close();
					await database.close();
					await own.close();
					for (const node of nodes.values()) await node.close();
				},
			};
		},
		async close() {
			await chains.close();
			await rm(directory, {recursive: true});
		},
	};
}

const worldOf = (shared: SharedWorld): World => ({...shared, open: options => openReplica(shared, options)});

const NO_COIN = '0x0';
const MUCH_COIN = '0x3635c9adc5dea00000';

const engines = ['SQLite', 'PostgreSQL'].filter(name => name === 'SQLite' || postgresBinaries !== undefined);

test('a delayed step is tried again at growing intervals, at the most a minute', () => {
	const delays = [0, 1, 2, 3, 4, 5, 1000, 10_000].map(failures => stepDelayMs(failures, 2000));
	expect(delays).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
});

describe.each(engines)('transfers on a store in %s', engine => {
	let world: World;
	let shared: SharedWorld | undefined;
	let service: Opened;
	/** What the services of this test logged. */
	const lines: string[] = [];

	beforeAll(async () => {
		if (engine === 'PostgreSQL') shared = await openSharedWorld();
		world = shared ? worldOf(shared) : await openSqliteWorld();
	});
	afterEach(async () => {
		vi.useRealTimers();
		vi.restoreAllMocks();
		await service.close();
		await shared?.disconnect();
		for (const chain of [world.base, world.arbitrum]) {
			await chain.rpc.call('anvil_setBalance', [chain.accounts.solver.address, MUCH_COIN]);
			await flow(chain);
		}
	});
	afterAll(() => world.close());

	const open = async (): Promise<void> => {
		service = await world.open({retryMs: [20, 20], failureDelayMs: 50, log: line => lines.push(line)});
	};
	const restart = async (): Promise<void> => {
		await service.close();
		await open();
	};
	const begin = async (request: Partial<QuoteRequest> = {}) => {
		lines.length = 0;
		await open();
		return ask(request);
	};
	const ask = async (request: Partial<QuoteRequest> = {}) => {
		const user = await fundedUser(world);
		const quote = await quoteOf({...world, bridge: service as ReplicaBridge}, user, {
			senderAddress: user.address,
			...request,
		});
		return {user, quote, body: await bodyOf(world, user, quote)};
	};
	const intentOf = async ({intentId}: Quote) => (await service.book.get(intentId))!;
	const statusOf = async (quote: Quote) => (await intentOf(quote)).status;
	const sentTo = ({info, accounts}: Chain) =>
		service.nodes.get(info.id)!.sent.filter(({from}) => from === accounts.solver.address);
	/** Without those that were sent again. */
	const hashesTo = (chain: Chain) => new Set(sentTo(chain).map(({hash}) => hash));
	const setCoin = (chain: Chain, coin: Hex) =>
		chain.rpc.call('anvil_setBalance', [chain.accounts.solver.address, coin]);
	const delays = () => lines.filter(line => line.includes(' waits: ')).length;
	/** Beyond what has passed. */
	let passedMs = 0;
	/** From now on time passes in steps, by both clocks. */
	const stepTime = () => {
		vi.useFakeTimers({toFake: ['Date'], now: Date.now()});
		const {now} = performance;
		vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passedMs);
	};
	/** Lets time pass until the condition is met: what is not mined then is late. */
	const later = (condition: () => boolean | Promise<boolean>) =>
		expect
			.poll(() => {
				vi.setSystemTime(Date.now() + 61_000);
				passedMs += 61_000;
				return condition();
			})
			.toBe(true);
	const refunded = async (quote: Quote, user: {address: Hex}) => {
		await expect.poll(() => statusOf(quote)).toBe('refunded');
		expect(await balanceOf(world.base, user.address)).toBe(1000n * USDC);
		expect(await movesOf(world, intentHash(quote.intentId))).toEqual({deposits: 1, fills: 0});
	};
	const isOver = async (quote: Quote) => isTerminal((await statusOf(quote)) ?? 'pending');

	test('a solver without coin for gas gives the deposit back when it has some again, also after a restart', async () => {
		const {user, quote, body} = await begin();
		await setCoin(world.arbitrum, NO_COIN);
		await service.execute(body);
		// Three fills and one cancel were refused: what comes then is the cancel once more.
		await expect.poll(async () => sentTo(world.arbitrum).length > 4 || isOver(quote)).toBe(true);
		expect(await service.status(quote.intentId)).toMatchObject({
			status: 'retrying',
			message: expect.stringContaining('the deposit is given back'),
		});
		await restart();
		await expect.poll(async () => sentTo(world.arbitrum).length > 1 || isOver(quote)).toBe(true);
		expect(await statusOf(quote)).toBe('retrying');
		await setCoin(world.arbitrum, MUCH_COIN);
		await refunded(quote, user);
	});

	test('a deposit whose refund is refused for want of coin for gas is given back later', async () => {
		const {user, quote, body} = await begin({
			walletAddress: world.arbitrum.addresses.usdc,
			destinationToken: undefined as never,
		});
		await setCoin(world.base, NO_COIN);
		await service.execute(body);
		await expect.poll(async () => sentTo(world.base).length > 1 || isOver(quote)).toBe(true);
		expect(await statusOf(quote)).toBe('retrying');
		await setCoin(world.base, MUCH_COIN);
		await refunded(quote, user);
	});

	test('a node that limits requests for the fees only delays a refund', async () => {
		const {user, quote, body} = await begin();
		let limited = 0;
		service.nodes.get(42161)!.limits = methods => {
			const isFees = methods.includes('eth_maxPriorityFeePerGas');
			if (isFees) limited++;
			return isFees;
		};
		await service.execute(body);
		await expect.poll(async () => limited > 4 || isOver(quote)).toBe(true);
		expect(await statusOf(quote)).toBe('retrying');
		service.nodes.get(42161)!.limits = () => false;
		await refunded(quote, user);
	});

	test('a solver without coin for gas on the origin is repaid when it has some again', async () => {
		const {quote, body} = await begin();
		await setCoin(world.base, NO_COIN);
		await service.execute(body);
		await expect.poll(() => sentTo(world.base).length > 1).toBe(true);
		expect(await statusOf(quote)).toBe('filled');
		await setCoin(world.base, MUCH_COIN);
		await expect.poll(() => statusOf(quote)).toBe('settled');
	});

	test('a refund that the token refuses is made once, and the transfer fails', async () => {
		const {quote, body} = await begin({
			walletAddress: world.arbitrum.addresses.usdc,
			destinationToken: undefined as never,
		});
		const {usdc} = world.base.addresses;
		const code = await world.base.client.getCode({address: usdc});
		// It reverts whatever it is asked, from the last fill on.
		service.nodes.get(42161)!.handle = () =>
			sentTo(world.arbitrum).length < 2
				? 'pass'
				: {passAfter: world.base.rpc.call('anvil_setCode', [usdc, '0x60006000fd']).then(() => {})};
		await service.execute(body);
		await expect.poll(() => statusOf(quote)).toBe('failed');
		await world.base.rpc.call('anvil_setCode', [usdc, code]);
		expect(sentTo(world.base)).toHaveLength(1);
		expect(await service.status(quote.intentId)).toMatchObject({
			failureReason: expect.stringContaining('the refund failed'),
			message: expect.stringContaining('could not be refunded'),
		});
	});

	test('a fill that is late is awaited, also after a restart, and no other one is sent', async () => {
		const {user, quote, body} = await begin();
		await halt(world.arbitrum);
		stepTime();
		await service.execute(body);
		await expect.poll(async () => sentTo(world.arbitrum).length > 0 && hasPending(world.arbitrum)).toBe(true);
		// The base fee is more than what the fill offers now. Anvil drops such a transaction, and a replica sends it again.
		if (shared) await setBaseFee(world.arbitrum, '0xe8d4a51000');
		const {hash} = sentTo(world.arbitrum)[0]!;
		await later(async () => delays() > 1 || (await intentOf(quote)).failedFills > 0);
		expect(await intentOf(quote)).toMatchObject({status: 'filling', fillTxHash: hash, failedFills: 0});
		expect(hashesTo(world.arbitrum).size).toBe(1);
		await restart();
		lines.length = 0;
		await later(async () => delays() > 0 || (await intentOf(quote)).failedFills > 0);
		expect(await intentOf(quote)).toMatchObject({status: 'filling', fillTxHash: hash, failedFills: 0});
		if (shared) await setBaseFee(world.arbitrum, '0x1');
		await flow(world.arbitrum);
		await expect.poll(() => statusOf(quote)).toBe('settled');
		expect((await intentOf(quote)).fillTxHash).toBe(hash);
		expect(await movesOf(world, intentHash(quote.intentId))).toEqual({deposits: 1, fills: 1});
		expect(await balanceOf(world.arbitrum, user.address)).toBe(
			BigInt(Math.round(Number(quote.estimatedAmountOut) * 1e6)),
		);
	});

	test('a fill that the node drops because fees rose is made again, and waits behind no gap', async () => {
		const {quote, body} = await begin();
		await halt(world.arbitrum);
		stepTime();
		await service.execute(body);
		await expect.poll(async () => sentTo(world.arbitrum).length > 0 && hasPending(world.arbitrum)).toBe(true);
		await setBaseFee(world.arbitrum, '0xe8d4a51000');
		expect(await hasPending(world.arbitrum)).toBe(false);
		await setBaseFee(world.arbitrum, '0x1');
		await flow(world.arbitrum);
		// Replicas send the same again, one process alone makes another with the same nonce.
		await later(async () => sentTo(world.arbitrum).length > 1);
		const [first, second] = sentTo(world.arbitrum);
		expect(second!.nonce).toBe(first!.nonce);
		await expect.poll(() => statusOf(quote)).toBe('settled');
		expect(await movesOf(world, intentHash(quote.intentId))).toEqual({deposits: 1, fills: 1});
	});

	test.runIf(engine === 'SQLite')(
		'a batch that the node drops moves nothing, and the next one waits behind no gap',
		async () => {
			const {user, quote} = await begin();
			await halt(world.base);
			await service.execute(await bodyOf(world, user, quote, {signed: {deadline: String(nowS() + 60n)}}));
			await expect.poll(() => hasPending(world.base)).toBe(true);
			await setBaseFee(world.base, '0xe8d4a51000');
			await setBaseFee(world.base, '0x1');
			await world.base.rpc.call('evm_increaseTime', [150]);
			await flow(world.base);
			await expect.poll(() => statusOf(quote)).toBe('failed');
			const next = await ask();
			await service.execute(next.body);
			await expect.poll(() => statusOf(next.quote)).toBe('settled');
			expect(await balanceOf(world.base, user.address)).toBe(1000n * USDC);
		},
	);

	test.each(['cancel', 'refund'] as const)('a %s that is late is awaited, and no other one is sent', async which => {
		const {user, quote, body} = await begin({
			walletAddress: world.arbitrum.addresses.usdc,
			destinationToken: undefined as never,
		});
		const chain = which === 'cancel' ? world.arbitrum : world.base;
		const count = which === 'cancel' ? 4 : 1;
		service.nodes.get(chain.info.id)!.handle = ({from}) =>
			from === chain.accounts.solver.address && sentTo(chain).length === count - 1 ? {passAfter: halt(chain)} : 'pass';
		stepTime();
		await service.execute(body);
		await expect.poll(() => sentTo(chain).length).toBe(count);
		const hash = sentTo(chain).at(-1)!.hash;
		await later(async () => delays() > 1 || isOver(quote));
		expect(await intentOf(quote)).toMatchObject({status: 'retrying', [`${which}TxHash`]: hash});
		await flow(chain);
		await refunded(quote, user);
		expect(hashesTo(chain).size).toBe(count);
	});

	test.runIf(engine === 'PostgreSQL').each(['cancel', 'refund'] as const)(
		'a %s whose commit was lost is made later',
		async which => {
			const {user, quote, body} = await begin({
				walletAddress: world.arbitrum.addresses.usdc,
				destinationToken: undefined as never,
			});
			stepTime();
			let lost = 0;
			const replica = service as ReplicaBridge;
			// The first three of the solver are fills, and the cancel comes before the refund.
			let count = 0;
			replica.before = async role => void (role === 'solver' && count++);
			replica.database.losesCommit = () => {
				const isLost = count === (which === 'cancel' ? 4 : 5);
				if (isLost) lost++;
				return isLost;
			};
			await service.execute(body);
			await expect.poll(() => lost).toBe(1);
			await later(async () => delays() > 0 || isOver(quote));
			await refunded(quote, user);
		},
	);
});

/** Keeps a chain from mining what it gets. */
async function halt({rpc}: Chain): Promise<void> {
	await rpc.call('evm_setAutomine', [false]);
}

/** Whether a chain has got a transaction that it has not mined. */
async function hasPending({rpc}: Chain): Promise<boolean> {
	const {pending} = await rpc.call<{pending: Hex}>('txpool_status');
	return BigInt(pending) > 0n;
}

/** Mines a block with this base fee. */
async function setBaseFee({rpc}: Chain, fee: Hex): Promise<void> {
	await rpc.call('anvil_setNextBlockBaseFeePerGas', [fee]);
	await rpc.call('evm_mine');
}

/** Lets a chain mine again, what it has at once. */
async function flow({rpc}: Chain): Promise<void> {
	await rpc.call('evm_setAutomine', [true]);
	await rpc.call('evm_mine');
}
