import {type Hex, keccak256} from 'viem';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {type Anvil, startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {createJsonRpc} from '../../../source/service/chain/json-rpc.ts';
import {SendRejected} from '../../../source/service/chain/sender.ts';
import {startWatchdog} from '../../../source/service/chain/watchdog.ts';
import {createDexB, type DexB} from '../../../source/service/perp/dex-b.ts';
import {createPerp, type PerpService} from '../../../source/service/perp/perp.ts';
import {createProcesses, type PerpProcess, type Processes} from '../../../source/service/perp/processes.ts';
import type {Database} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';
import {mined, newUser, USDC} from '../chain/practice.ts';

/** Perpetuals as replicas have them: each with its own connection to one PostgreSQL, on a chain that is a real node. */
describe.skipIf(postgresBinaries === undefined)('replicas of the perpetuals on PostgreSQL', () => {
	let server: PostgresServer;
	let anvil: Anvil;
	let chains: ChainSet;
	let chain: Chain;
	const watchdog = startWatchdog();
	const open: {close(): Promise<void>}[] = [];

	beforeAll(async () => {
		const key: Hex = generatePrivateKey();
		[server, anvil] = await Promise.all([
			startPostgres(),
			startAnvil({chainId: 42161, binary: findAnvil().path!, watchdog}),
		]);
		const rpc = createJsonRpc(() => anvil.rpcUrl);
		await rpc.call('anvil_setBalance', [privateKeyToAccount(key).address, '0x3635c9adc5dea00000']);
		await rpc.close();
		const external = new Map([[42161, {rpcUrl: anvil.rpcUrl, key, deploys: true}]]);
		chains = createChainSet({chainIds: [], external});
		chain = await chains.ready(42161);
	});
	afterEach(async () => {
		for (const one of open.splice(0).reverse()) await one.close();
	});
	afterAll(async () => {
		await chains?.close();
		await anvil?.close();
		watchdog.close();
		await server?.close();
	});

	const connect = async (): Promise<Database> => {
		const database = await openPostgres(server.address);
		open.push(database);
		return database;
	};
	/** The executions of one replica, whose ends are booked in a table. */
	const replica = async ({leaseMs = 500} = {}) => {
		const database = await connect();
		await database.run('CREATE TABLE IF NOT EXISTS booked (process_id TEXT)');
		const onEnd = async ({processId}: PerpProcess) =>
			void (await database.run('INSERT INTO booked (process_id) VALUES (?)', [processId]));
		const processes = await createProcesses({database, chains, onEnd, isShared: true, leaseMs});
		open.push(processes);
		await processes.recover();
		return {database, processes};
	};
	const timesBooked = async (database: Database, id: string) =>
		(await database.all('SELECT process_id FROM booked WHERE process_id = ?', [id])).length;
	const begin = (processes: Processes) => {
		const wallet = newUser().address;
		return processes.begin({action: 'withdraw', wallet, chainId: 42161, instance: chain.instance, amountRaw: 40n});
	};
	const statusOf = async (processes: Processes, id: string) => (await processes.get(id))!.status;
	/** A transaction that is on the chain. */
	const transaction = async () => {
		const keeper = chain.sender('keeper');
		let made: {hash: Hex; nonce: number; sentBy: Hex} | undefined;
		const sending = keeper.send({to: newUser().address, gas: 21_000n, value: 1n}, ({hash, nonce}) => {
			made = {hash, nonce, sentBy: keeper.address};
		});
		await mined(chain, await sending);
		return made!;
	};

	test('an execution that is not signed yet is ended by no other replica while its own lives', async () => {
		const [own, other] = [await replica(), await replica()];
		const id = await begin(own.processes);
		const until = async () =>
			Number((await own.database.get('SELECT workerUntilMs AS n FROM perp_processes WHERE processId = ?', [id]))!['n']);
		const first = await until();
		await expect.poll(async () => (await until()) > first + 1500).toBe(true);
		expect(await statusOf(other.processes, id)).toBe('pending');
		await own.processes.sending(id, await transaction());
		expect((await own.processes.awaitEnd(id, 10_000)).status).toBe('settled');
		expect(await timesBooked(own.database, id)).toBe(1);
	});

	test('an execution of a replica that is gone ends once: failed when nothing was signed, else as the chain says', async () => {
		const dying = await replica();
		const others = [await replica(), await replica()];
		const [unsigned, signed] = [await begin(dying.processes), await begin(dying.processes)];
		await dying.processes.sending(signed, await transaction());
		await dying.database.close();
		const {processes} = others[0]!;
		await expect.poll(() => statusOf(processes, unsigned)).toBe('failed');
		await expect.poll(() => statusOf(processes, signed)).toBe('settled');
		for (const id of [unsigned, signed]) expect(await timesBooked(others[0]!.database, id)).toBe(1);
	});

	test("a user's transaction that a replica did not get to send is sent by another, for a minute", async () => {
		const dying = await replica();
		const other = await replica();
		const sign = async () => {
			const user = newUser();
			await chain.rpc.call('anvil_setBalance', [user.address, '0x8ac7230489e80000']);
			const call = {to: user.address, gas: 21_000n, maxFeePerGas: 10n ** 10n, nonce: 0, chainId: 42161} as const;
			const raw = await user.signTransaction({...call, type: 'eip1559'});
			return {raw, hash: keccak256(raw), nonce: 0, sentBy: user.address};
		};
		const [id, old] = [await begin(dying.processes), await begin(dying.processes)];
		const forgotten = await sign();
		await dying.processes.sending(id, await sign());
		await dying.processes.sending(old, forgotten);
		await dying.database.run('UPDATE perp_processes SET createdAtMs = createdAtMs - 61000 WHERE processId = ?', [old]);
		const worker = () => other.database.get('SELECT worker FROM perp_processes WHERE processId = ?', [old]);
		const first = await worker();
		await dying.database.close();
		await expect.poll(() => statusOf(other.processes, id)).toBe('settled');
		await expect.poll(worker).not.toEqual(first);
		expect(await statusOf(other.processes, old)).toBe('pending');
		expect(await chain.client.getTransactionCount({address: forgotten.sentBy})).toBe(0);
	});

	test('a replica that wakes after another has ended its execution sends nothing', async () => {
		const [paused, other] = [await replica({leaseMs: 3_600_000}), await replica()];
		const id = await begin(paused.processes);
		// It does not renew its lease, which has run out by the clock of the database.
		await other.database.run('UPDATE perp_processes SET workerUntilMs = 1 WHERE processId = ?', [id]);
		await expect.poll(() => statusOf(other.processes, id)).toBe('failed');
		await expect(paused.processes.sending(id, await transaction())).rejects.toBeInstanceOf(SendRejected);
		expect(await paused.processes.get(id)).toMatchObject({status: 'failed', txHash: null});
	});

	test('a replica that knows that it has lost an execution sends nothing either', async () => {
		const {processes, database} = await replica({leaseMs: 300});
		const [lost, kept] = [await begin(processes), await begin(processes)];
		await database.run("UPDATE perp_processes SET worker = 'another' WHERE processId = ?", [lost]);
		const until = async () =>
			Number((await database.get('SELECT workerUntilMs AS n FROM perp_processes WHERE processId = ?', [kept]))!['n']);
		// It renews the lease of the other one again and again, and so has come to know of this one.
		const first = await until();
		await expect.poll(async () => (await until()) > first + 300).toBe(true);
		await expect(processes.sending(lost, await transaction())).rejects.toBeInstanceOf(SendRejected);
		expect(await processes.get(lost)).toMatchObject({txHash: null});
	});

	test('the books of dexB are exact whatever three replicas do at once', async () => {
		const books: DexB[] = [];
		for (let n = 0; n < 3; n++) books.push(await createDexB(await connect(), Date.now));
		const wallets = Array.from({length: 12}, () => newUser().address);
		const everywhere = <T>(act: (dexB: DexB, wallet: Hex) => Promise<T>) =>
			Promise.allSettled(wallets.flatMap(wallet => books.map(dexB => act(dexB, wallet))));
		const done = (results: PromiseSettledResult<unknown>[]) =>
			results.filter(({status}) => status === 'fulfilled').length;
		const balances = async () =>
			Promise.all(wallets.map(async wallet => (await books[0]!.account(wallet))!.balanceRaw / USDC));

		// Each replica sees each deposit, which counts once, and makes accounts with numbers of their own.
		expect(done(await everywhere((dexB, wallet) => dexB.credit(wallet, 100n * USDC, `deposit of ${wallet}`)))).toBe(36);
		expect(new Set(await balances())).toEqual(new Set([100n]));
		const accounts = await Promise.all(wallets.map(wallet => books[0]!.account(wallet)));
		expect(new Set(accounts.map(account => account!.accountIndex)).size).toBe(12);
		// Three different deposits each: none is lost.
		let n = 0;
		expect(done(await everywhere((dexB, wallet) => dexB.credit(wallet, 10n * USDC, `another ${++n}`)))).toBe(36);
		expect(new Set(await balances())).toEqual(new Set([130n]));
		// The same withdrawal at all replicas is made once.
		for (const wallet of wallets) await books[0]!.register(wallet, 0);
		expect(done(await everywhere((dexB, wallet) => dexB.withdraw(wallet, 30n * USDC, 0)))).toBe(12);
		expect(new Set(await balances())).toEqual(new Set([100n]));
	});

	test('a signed request counts once, whichever replica gets it', async () => {
		const replicas: PerpService[] = [];
		for (let n = 0; n < 3; n++) replicas.push(await createPerp({chains, database: await connect(), isShared: true}));
		open.push(...replicas);
		const user = newUser();
		const timestamp = Date.now();
		const signature = await user.signMessage({message: `api/2/perp/payloads/deposit-${timestamp}`});
		const place = {dex: 'dexB', chainId: 'dexB:304', originChainId: 'evm:42161'} as const;
		const body = {timestamp, signature, ...place, amountUsdc: '10'};
		const answers = await Promise.allSettled(replicas.map(perp => perp.payload('deposit', body)));
		const messages = answers.map(answer => (answer.status === 'rejected' ? answer.reason.message : 'made'));
		expect(messages.filter(message => message === 'signature already used')).toHaveLength(2);
	});
});
