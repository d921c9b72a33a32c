import {type ChildProcess, fork} from 'node:child_process';
import {once} from 'node:events';
import {type Hash, type Hex, isAddressEqual} from 'viem';
import type {PrivateKeyAccount} from 'viem/accounts';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {createJsonRpc, type JsonRpc} from '../../../source/rpc/json-rpc.ts';
import {type Anvil, startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {createChainSet} from '../../../source/service/chain/chain-set.ts';
import {CHAINS} from '../../../source/service/chain/chains.ts';
import {firstBlock} from '../../../source/service/chain/first-block.ts';
import {type LaneStore, laneChain, openLaneStore} from '../../../source/service/chain/lane-store.ts';
import {createLaneSender} from '../../../source/service/chain/nonce-lane.ts';
import {type RebroadcastOptions, startRebroadcaster} from '../../../source/service/chain/rebroadcast.ts';
import {type Sender, SenderBusy, SendRejected, SendUncertain} from '../../../source/service/chain/sender.ts';
import {startWatchdog, type Watchdog} from '../../../source/service/chain/watchdog.ts';
import {type Database, StoreFailed, StoreUnavailable} from '../../../source/service/store/database.ts';
import {openLeases} from '../../../source/service/store/leases.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';
import type {LaneSenderStart} from './lane-sender-main.ts';
import {newUser} from './practice.ts';
import {type RecordingNode, startRecordingNode} from './recording-node.ts';

const info = CHAINS.get(8453)!;
const COINS = '0x8ac7230489e80000';
/** Where tests send coins to; how many arrived says how many transactions had an effect. */
const RECEIVER = newUser().address;
const outgoing = {to: RECEIVER, gas: 21_000n, value: 1n};

let server: PostgresServer | undefined;
let watchdog: Watchdog;
let anvil: Anvil;
let chain: JsonRpc;
let blocks: NodeJS.Timeout;

beforeAll(async () => {
	if (postgresBinaries === undefined) return;
	server = await startPostgres();
	watchdog = startWatchdog();
	anvil = await startAnvil({chainId: info.id, binary: findAnvil().path!, watchdog});
	chain = createJsonRpc(() => anvil.rpcUrl);
	// A real chain has its blocks at their own times.
	await chain.call('evm_setAutomine', [false]);
	blocks = setInterval(() => void chain.call('evm_mine').catch(() => {}), 50);
});
afterAll(async () => {
	clearInterval(blocks);
	await chain?.close();
	await anvil?.close();
	watchdog?.close();
	await server?.close();
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

let schemas = 0;

/** One of the processes of a service: with connections of its own. */
interface Member {
	readonly database: Database;
	readonly store: LaneStore;
	readonly sender: Sender;
}

interface World {
	readonly account: PrivateKeyAccount;
	readonly key: Hex;
	/** The name of the chain in the database. */
	readonly lane: string;
	readonly node: RecordingNode;
	readonly schema: string;
	join(wrap?: (database: Database) => Database): Promise<Member>;
	rebroadcast(options?: Partial<RebroadcastOptions>): Promise<string[]>;
	/** How many of its transactions are mined. */
	count(): Promise<number>;
	states(): Promise<[nonce: number, state: string][]>;
	/** Lets all be sent again now. */
	due(): Promise<void>;
}

async function world(): Promise<World> {
	const key = generatePrivateKey();
	const account = privateKeyToAccount(key);
	await chain.call('anvil_setBalance', [account.address, COINS]);
	const node = await startRecordingNode(anvil.rpcUrl);
	closers.push(() => node.close());
	const schema = `lanes${++schemas}`;
	const open = async (): Promise<Database> => {
		const database = await openPostgres(server!.address, {schema});
		closers.push(() => database.close());
		return database;
	};
	const first = await open();
	await first.run('CREATE TABLE written (hash TEXT PRIMARY KEY, n BIGINT NOT NULL)');
	const lane = laneChain(info, await firstBlock(chain));
	return {
		account,
		key,
		lane,
		node,
		schema,
		async join(wrap = database => database) {
			const database = wrap(await open());
			const rpc = createJsonRpc(() => node.url, {timeoutMs: PATIENCE_MS});
			closers.push(() => rpc.close());
			const store = openLaneStore(database, lane);
			return {database, store, sender: createLaneSender({rpc, chainId: info.id, account, store})};
		},
		async rebroadcast(options = {}) {
			const lines: string[] = [];
			const all = {info, rpcUrl: node.url, accounts: [account], everyMs: 50, log: (line: string) => lines.push(line)};
			const rebroadcaster = startRebroadcaster({...all, database: await open(), ...options});
			closers.push(() => rebroadcaster.close());
			return lines;
		},
		count: async () => Number(await chain.call('eth_getTransactionCount', [account.address, 'latest'])),
		async states() {
			const rows = await first.all('SELECT nonce, state FROM outgoing ORDER BY nonce, state');
			return rows.map(row => [Number(row['nonce']), String(row['state'])]);
		},
		async due() {
			await first.run('UPDATE outgoing SET due_ms = 0');
		},
	};
}

/** The different raw transactions of each nonce that reached the node. */
function rawsByNonce({sent}: RecordingNode): Map<number, Set<Hex>> {
	const raws = new Map<number, Set<Hex>>();
	for (const {nonce, raw, isPassedOn} of sent) {
		if (isPassedOn) raws.set(nonce, (raws.get(nonce) ?? new Set()).add(raw));
	}
	return raws;
}

const isMined = async (hash: Hash): Promise<boolean> =>
	(await chain.call('eth_getTransactionReceipt', [hash])) !== null;
const write =
	(database: Database, n = 0) =>
	async ({hash}: {hash: Hash}): Promise<void> => {
		await database.run('INSERT INTO written (hash, n) VALUES (?, ?)', [hash, n]);
	};
const numbers = (length: number) => Array.from({length}, (_, i) => i);

describe.skipIf(postgresBinaries === undefined)('nonces that processes share (needs PostgreSQL)', () => {
	test('many senders with one account use each nonce once, and what they write down is stored with it', async () => {
		const {join, node, count, states} = await world();
		const members = [await join(), await join(), await join()];
		let writes = 0;
		const hashes = await Promise.all(
			numbers(36).map(n => {
				const {sender, database} = members[n % 3]!;
				return sender.send(outgoing, prepared => {
					writes++;
					return write(database, n)(prepared);
				});
			}),
		);
		// They queue for the lock: no transaction is repeated.
		expect(writes).toBe(36);
		await expect.poll(count).toBe(36);
		expect(await Promise.all(hashes.map(isMined))).toEqual(Array(36).fill(true));
		const written = await members[0]!.database.all('SELECT hash FROM written');
		expect(new Set(written.map(row => row['hash']))).toEqual(new Set(hashes));
		expect([...rawsByNonce(node).values()].map(raws => raws.size)).toEqual(Array(36).fill(1));
		expect((await states()).map(([nonce]) => nonce)).toEqual(numbers(36));
		// Each process sends in the order of its nonces.
		const order = (of: number) =>
			node.sent.filter(({hash}) => hashes.some((known, n) => known === hash && n % 3 === of)).map(({nonce}) => nonce);
		for (const of of [0, 1, 2]) expect(order(of)).toEqual(order(of).toSorted((a, b) => a - b));
	});

	test('a slow node delays no nonces up to sixteen unsent transactions; after that a sender can be busy', async () => {
		const {join, node, count, states} = await world();
		const {sender} = await join();
		const {promise: passAfter, resolve: go} = Promise.withResolvers<void>();
		node.handle = () => ({passAfter});
		const first = numbers(16).map(() => sender.send(outgoing));
		await expect.poll(states).toEqual(numbers(16).map(nonce => [nonce, 'sending']));
		const patient = sender.send(outgoing);
		await expect(sender.send(outgoing, undefined, {queueMs: 50})).rejects.toBeInstanceOf(SenderBusy);
		expect(await states()).toHaveLength(16);
		await expect.poll(() => node.sent.length).toBe(1);
		go();
		await Promise.all([...first, patient]);
		await expect.poll(count).toBe(17);
		expect(node.sent.map(({nonce}) => nonce)).toEqual(numbers(17));
	});

	test('of transactions that get their nonces together, one that fails leaves no gap and stops no other', async () => {
		const {join, node, count, states} = await world();
		const {sender, database} = await join();
		const failed = new Error('the claim ran out');
		const sent = await Promise.allSettled(
			numbers(6).map(n =>
				sender.send({...outgoing, value: BigInt(n + 1)}, async prepared => {
					await write(database, n)(prepared);
					if (n === 3) throw failed;
				}),
			),
		);
		expect(sent.map(({status}) => status === 'rejected')).toEqual(numbers(6).map(n => n === 3));
		expect(sent[3]).toMatchObject({reason: failed});
		await expect.poll(count).toBe(5);
		expect((await states()).map(([nonce]) => nonce)).toEqual(numbers(5));
		expect(node.sent.map(({nonce}) => nonce)).toEqual(numbers(5));
		expect(new Set(node.sent.map(({value}) => value))).toEqual(new Set([1n, 2n, 3n, 5n, 6n]));
		expect(await database.all('SELECT n FROM written ORDER BY n')).toEqual([0, 1, 2, 4, 5].map(n => ({n})));
	});

	test('nothing is stored or sent when `persist` fails, and the nonce goes to the next transaction', async () => {
		const {join, node, states} = await world();
		const {sender, database} = await join();
		const failed = new Error('the claim ran out');
		const sending = sender.send(outgoing, async prepared => {
			await write(database)(prepared);
			throw failed;
		});
		await expect(sending).rejects.toBe(failed);
		expect([await states(), await database.all('SELECT * FROM written'), node.sent]).toEqual([[], [], []]);
		await sender.send(outgoing);
		expect(node.sent.map(({nonce}) => nonce)).toEqual([0]);
	});

	test('the newest nonce is free again after a refusal, and the refused transaction is never sent again', async () => {
		const {join, node, count, rebroadcast} = await world();
		const {sender} = await join();
		await sender.send(outgoing);
		node.handle = () => ({refuse: 'insufficient funds for gas * price + value'});
		await expect(sender.send({...outgoing, value: 7n})).rejects.toBeInstanceOf(SendRejected);
		node.handle = () => 'pass';
		await rebroadcast();
		await sender.send(outgoing);
		await expect.poll(count).toBe(2);
		expect(node.sent.filter(({value}) => value === 7n)).toHaveLength(1);
		expect(node.sent.map(({nonce}) => nonce)).toEqual([0, 1, 1]);
	});

	test('a refused transaction that is signed again to the last byte is sent again', async () => {
		const {account, join, states} = await world();
		const {store} = await join();
		const sign = async (nonce: number) => ({nonce, raw: '0x01', hash: '0x1'}) as const;
		await store.take(account.address, 0, [{sign}]);
		expect(await store.refuse('0x1')).toBe(true);
		expect(await states()).toEqual([[0, 'refused']]);
		await store.take(account.address, 0, [{sign}]);
		expect(await states()).toEqual([[0, 'sending']]);
	});

	test('a refused nonce with later ones behind it is filled with a transfer of nothing', async () => {
		const {account, join, node, count, rebroadcast} = await world();
		const [one, two] = [await join(), await join()];
		node.handle = ({value}) =>
			value === 7n ? {refuse: 'max fee per gas less than block base fee', afterMs: 400} : 'pass';
		const refused = one.sender.send({...outgoing, value: 7n});
		await expect.poll(() => node.sent.length).toBe(1);
		const later = await Promise.all([two.sender.send(outgoing), two.sender.send(outgoing)]);
		await expect(refused).rejects.toBeInstanceOf(SendRejected);
		expect(await count()).toBe(0);
		const lines = await rebroadcast();
		await rebroadcast();
		await expect.poll(count).toBe(3);
		expect(await Promise.all(later.map(isMined))).toEqual([true, true]);
		const fill = node.sent.findLast(({nonce}) => nonce === 0)!;
		expect([fill.value, isAddressEqual(fill.to, account.address)]).toEqual([0n, true]);
		expect(node.sent.filter(({nonce, isPassedOn}) => nonce === 0 && isPassedOn)).toHaveLength(1);
		expect(node.sent.filter(({value}) => value === 7n)).toHaveLength(1);
		expect(lines.filter(line => line.includes('filled')).length).toBeLessThanOrEqual(1);
	});

	test.each(['drop', 'pass-unanswered'] as const)(
		'a sending without an answer is uncertain, and the same bytes are sent again until they are mined (%s)',
		async handling => {
			const {join, node, count, rebroadcast, due} = await world();
			const {sender} = await join();
			node.handle = () => handling;
			const error = await sender.send(outgoing).catch(caught => caught);
			expect(error).toBeInstanceOf(SendUncertain);
			node.handle = () => 'pass';
			const next = await sender.send(outgoing);
			await due();
			await rebroadcast();
			await expect.poll(count).toBe(2);
			expect([await isMined(error.hash), await isMined(next)]).toEqual([true, true]);
			expect([...rawsByNonce(node).values()].map(raws => raws.size)).toEqual([1, 1]);
		},
	);

	test('a node that says that the nonce was used may have taken the transaction a moment before: that is uncertain', async () => {
		const {join, node} = await world();
		const {sender} = await join();
		node.handle = () => ({refuse: 'nonce too low: next nonce 9, tx nonce 0'});
		await expect(sender.send(outgoing)).rejects.toBeInstanceOf(SendUncertain);
	});

	test('a node that misses earlier nonces gets the transaction again', async () => {
		const {join, node, count, rebroadcast} = await world();
		const {sender} = await join();
		let refusals = 0;
		node.handle = () => (++refusals > 2 ? 'pass' : {refuse: 'nonce too high'});
		const hash = await sender.send(outgoing);
		await rebroadcast();
		await expect.poll(count).toBe(1);
		expect(await isMined(hash)).toBe(true);
	});

	test('an unreachable node uses no nonce; earlier transactions are mined when it is back', async () => {
		const {join, node, count, rebroadcast, due} = await world();
		const {sender} = await join();
		node.handle = () => 'drop';
		await expect(sender.send(outgoing)).rejects.toBeInstanceOf(SendUncertain);
		node.handle = () => 'pass';
		await due();
		await node.down();
		const lines = await rebroadcast();
		await expect(sender.send(outgoing)).rejects.toBeInstanceOf(SendRejected);
		await expect.poll(() => lines.length).toBe(1);
		await node.up();
		await sender.send(outgoing);
		await expect.poll(count).toBe(2);
		expect(lines).toHaveLength(1);
	});

	test('a node that does not answer for some transactions does not delay the others', async () => {
		const {join, node, count, rebroadcast, due} = await world();
		const {sender} = await join();
		node.handle = () => 'drop';
		for (const _ of numbers(5)) await expect(sender.send(outgoing)).rejects.toBeInstanceOf(SendUncertain);
		node.handle = ({nonce}) => (nonce === 0 ? 'drop' : 'pass');
		await due();
		await rebroadcast();
		await expect.poll(() => [...rawsByNonce(node).keys()].toSorted()).toEqual([1, 2, 3, 4]);
		node.handle = () => 'pass';
		await due();
		await expect.poll(count).toBe(5);
	});

	test('nonces that another program used are left out, and those of an earlier chain are not known', async () => {
		const {account, join, node, count} = await world();
		const {sender, database} = await join();
		await sender.send(outgoing);
		const other = {...outgoing, chainId: info.id, maxFeePerGas: 10n ** 10n, type: 'eip1559'} as const;
		for (const nonce of [1, 2]) {
			await chain.call('eth_sendRawTransaction', [await account.signTransaction({...other, nonce})]);
		}
		await sender.send(outgoing);
		await expect.poll(count).toBe(4);
		expect(node.sent.map(({nonce}) => nonce)).toEqual([0, 3]);
		const again = openLaneStore(database, laneChain(info, `0x${'9'.repeat(64)}`));
		const sign = async (nonce: number) => ({nonce, raw: '0x', hash: '0x1'}) as const;
		expect(await again.take(account.address, 0, [{sign}])).toMatchObject([{nonce: 0}]);
	});

	test('mined transactions whose blocks were reorganised away are sent again when later ones wait for them', async () => {
		const {join, count, rebroadcast, states, due} = await world();
		const {sender} = await join();
		const before = await chain.call('evm_snapshot');
		await rebroadcast();
		await sender.send(outgoing);
		await expect.poll(count).toBe(1);
		await due();
		await expect.poll(states).toEqual([[0, 'mined']]);
		await chain.call('evm_revert', [before]);
		expect(await count()).toBe(0);
		await sender.send(outgoing);
		await due();
		await expect.poll(count).toBe(2);
	});

	test('of a refusal and another replica that sends the same bytes, one comes first', async () => {
		const {account, join} = await world();
		const [one, two] = [await join(), await join()];
		const make = (n: number) => async (nonce: number) => ({nonce, raw: `0x0${n}`, hash: `0x${n}`}) as const;
		await one.store.take(account.address, 0, [{sign: make(1)}]);
		await one.database.run('UPDATE outgoing SET due_ms = 0');
		const [refused, due] = await Promise.all([one.store.refuse('0x1'), two.store.takeDue(10)]);
		expect([refused, due.length]).toEqual(refused ? [true, 0] : [false, 1]);
		await one.store.take(account.address, 0, [{sign: make(2)}]);
		await one.database.run("UPDATE outgoing SET due_ms = 0, state = 'sending' WHERE hash = '0x2'");
		const shares = await Promise.all([one.store.takeDue(10), two.store.takeDue(10)]);
		expect(shares.flat().filter(({hash}) => hash === '0x2')).toHaveLength(1);
		// What was taken to be sent is refused for certain only to the one who took it last.
		expect(await one.store.refuse('0x2')).toBe(false);
		const [taken] = shares.flat().filter(({hash}) => hash === '0x2');
		expect(await two.store.giveUp({...taken!, tries: taken!.tries + 1})).toBe(false);
		expect(await two.store.giveUp(taken!)).toBe(true);
	});

	test('a repeatedly refused transaction is given up, so that later ones are mined', async () => {
		const {join, node, count, rebroadcast} = await world();
		const {sender, database} = await join();
		node.handle = ({value}) => (value === 7n ? 'drop' : 'pass');
		await expect(sender.send({...outgoing, value: 7n})).rejects.toBeInstanceOf(SendUncertain);
		const later = await sender.send(outgoing);
		node.handle = ({value}) => (value === 7n ? {refuse: 'intrinsic gas too low'} : 'pass');
		await database.run('UPDATE outgoing SET tries = 3, due_ms = 0 WHERE nonce = 0');
		const lines = await rebroadcast({giveUpMs: 0});
		await expect.poll(count).toBe(2);
		expect(await isMined(later)).toBe(true);
		expect(lines.map(line => /refuses|is filled/.exec(line)?.[0])).toEqual(['refuses', 'is filled']);
	});

	test('a commit without an answer is uncertain: the transaction may be stored, and be sent by another replica', async () => {
		const {join, count, rebroadcast, due} = await world();
		const unanswered = (database: Database): Database => ({
			...database,
			async transaction(act) {
				await database.transaction(act);
				throw new StoreUnavailable('the connection was lost');
			},
		});
		const {sender, database} = await join(unanswered);
		const error = await sender.send(outgoing, write(database)).catch(caught => caught);
		expect(error).toBeInstanceOf(SendUncertain);
		await due();
		await rebroadcast();
		await expect.poll(count).toBe(1);
		expect(await isMined(error.hash)).toBe(true);
		const away = await join(database => ({
			...database,
			transaction: () => Promise.reject(new StoreUnavailable('nothing listens')),
		}));
		await expect(away.sender.send(outgoing)).rejects.toBeInstanceOf(StoreFailed);
	});

	test('processes that are killed between the commit and the sending leave no gap, and no nonce has two transactions', async () => {
		const {node, schema, key, lane, count, rebroadcast, states, join, due} = await world();
		const children = new Map<number, ChildProcess>();
		const gone: Promise<unknown>[] = [];
		const start = (n: number): void => {
			const child = fork(new URL('lane-sender-main.ts', import.meta.url), {
				execArgv: [],
				stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
			});
			children.set(n, child);
			closers.push(() => child.kill('SIGKILL'));
			const sends: LaneSenderStart = {address: server!.address, schema, nodeUrl: node.url, key, value: n, lane};
			child.send(sends);
		};
		const kill = (n: number): void => {
			gone.push(once(children.get(n)!, 'exit'));
			children.get(n)!.kill('SIGKILL');
		};
		let seen = 0;
		const killedAt = new Map([
			[4, 'drop'],
			[9, 'pass-unanswered'],
			[15, 'drop'],
			[16, 'drop'],
		] as const);
		node.handle = ({value}) => {
			const handling = killedAt.get(++seen as 4);
			if (handling === undefined) return 'pass';
			kill(Number(value));
			if (seen < 15) start(Number(value) + 3);
			return handling;
		};
		for (const n of [1, 2, 3]) start(n);
		await expect.poll(() => seen).toBeGreaterThan(30);
		for (const [n, child] of children) if (child.exitCode === null && child.signalCode === null) kill(n);
		await Promise.all(gone);
		const {database} = await join();
		const stored = (await states()).length;
		await due();
		await rebroadcast();
		await expect.poll(count).toBe(stored);
		const written = await database.all('SELECT hash FROM written');
		expect(written).toHaveLength(stored);
		expect((await Promise.all(written.map(row => isMined(row['hash'] as Hash)))).every(Boolean)).toBe(true);
		expect([...rawsByNonce(node).values()].every(raws => raws.size === 1)).toBe(true);
	});

	test('replicas that start together deploy the contracts once, with one account for all roles', async () => {
		const {key, node, join, rebroadcast} = await world();
		await rebroadcast();
		const sets = await Promise.all(
			numbers(3).map(async () => {
				const {database} = await join();
				const leases = openLeases(database);
				const external = new Map([[info.id, {rpcUrl: node.url, key, deploys: true}]]);
				const set = createChainSet({chainIds: [info.id, 56], external, replica: {database, leases}});
				closers.push(
					() => leases.close(),
					() => set.close(),
				);
				return set;
			}),
		);
		const chains = await Promise.all(sets.map(set => set.ready(info.id)));
		const addresses = Object.values(chains[0]!.addresses) as Hex[];
		expect(new Set(chains.map(({addresses: at}) => JSON.stringify(at))).size).toBe(1);
		const codes = await Promise.all(addresses.map(address => chain.call<Hex>('eth_getCode', [address, 'latest'])));
		expect(codes.every(code => code.length > 2)).toBe(true);
		expect(new Set(node.sent.map(({hash}) => hash)).size).toBe(addresses.length);
		const hash = await chains[1]!.sender('solver').send(outgoing);
		expect(await chains[2]!.sender('sponsor').isOutgoing?.(hash)).toBe(true);
		await expect.poll(() => chains[2]!.sender('sponsor').isOutgoing?.(hash)).toBe(false);
		expect(await isMined(hash)).toBe(true);

		const words = 'replicas share no practice chain: start them with --rpc evm:56=URL';
		expect(sets[0]!.state(56)).toEqual({state: 'unavailable', reason: words});
		expect(sets[0]!.outline(56)).toEqual({kind: 'embedded', isNew: false});
		await expect(sets[0]!.ready(56)).rejects.toMatchObject({code: 'chain-unavailable', why: words});
	});
});
