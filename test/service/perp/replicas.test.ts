import {encodeFunctionData, type Hex, keccak256, TransactionReceiptNotFoundError} from 'viem';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {afterAll, afterEach, beforeAll, describe, expect, test, vi} from 'vitest';
import {createJsonRpc, RpcRefused} from '../../../source/rpc/json-rpc.ts';
import {type Anvil, startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {PerpExchange} from '../../../source/service/chain/artifacts.generated.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {SendRejected} from '../../../source/service/chain/sender.ts';
import {startWatchdog} from '../../../source/service/chain/watchdog.ts';
import {createDexB, type DexB} from '../../../source/service/perp/dex-b.ts';
import {executePayload} from '../../../source/service/perp/execute.ts';
import {createPerp, type PerpService} from '../../../source/service/perp/perp.ts';
import {
	createProcesses,
	type PerpProcess,
	type Processes,
	type ProcessOptions,
} from '../../../source/service/perp/processes.ts';
import {type Database, StoreFailed, StoreUnavailable} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';
import {mined, newUser, USDC} from '../chain/practice.ts';

const asItIs = (database: Database): Database => database;

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
		vi.useRealTimers();
		server.resume();
		for (const one of open.splice(0).reverse()) await one.close();
	});
	afterAll(async () => {
		await chains?.close();
		await anvil?.close();
		watchdog.close();
		await server?.close();
	});

	/** A database that is paused is given up by the limits of the program. */
	const connect = async (address = server.limitedAddress): Promise<Database> => {
		const database = await openPostgres(address);
		open.push(database);
		return database;
	};
	/** The executions of one replica, whose ends are booked in a table. */
	const replica = async ({
		leaseMs = 500,
		waitMs = PATIENCE_MS,
		chains: own = chains,
		faulty = asItIs,
		pause = undefined as ProcessOptions['pause'],
	} = {}) => {
		const database = faulty(await connect());
		await database.run('CREATE TABLE IF NOT EXISTS booked (process_id TEXT)');
		const onEnd = async ({processId}: PerpProcess) =>
			void (await database.run('INSERT INTO booked (process_id) VALUES (?)', [processId]));
		const processes = await createProcesses({database, chains: own, onEnd, isShared: true, leaseMs, pause});
		open.push(processes);
		await processes.recover();
		const execute = async ({execution}: Awaited<ReturnType<typeof signedCancel>>) => {
			const dexB = await createDexB(database, Date.now);
			return executePayload({chains: own, dexB, processes, database, waitMs}, execution);
		};
		return {database, processes, execute};
	};
	/** A database that does something around the statement that stores a transaction. */
	const aroundSending =
		(act: (write: () => Promise<number>) => Promise<number>) =>
		(to: Database): Database => ({
			...to,
			run(sql, parameters) {
				const write = () => to.run(sql, parameters);
				return /^UPDATE perp_processes SET txHash/.test(sql) ? act(write) : write();
			},
		});
	/** The chain as some of the nodes behind its address see it. */
	const seenBy = (change: (at: Chain) => Partial<Chain>): ChainSet => ({
		...chains,
		ready: async id => {
			const ready = await chains.ready(id);
			return {...ready, ...change(ready)};
		},
	});
	/** A request to cancel an order that is not there: the chain takes the transaction and reverts it. */
	const signedCancel = async () => {
		const user = newUser();
		await chain.rpc.call('anvil_setBalance', [user.address, '0x8ac7230489e80000']);
		const callData = encodeFunctionData({abi: PerpExchange.abi, functionName: 'cancelOrder', args: [7n]});
		const to = chain.addresses.perpExchange;
		const call = {to, data: callData, gas: 200_000n, maxFeePerGas: 10n ** 10n, nonce: 0, chainId: 42161} as const;
		const signedTx = await user.signTransaction({...call, type: 'eip1559'});
		const envelope = {action: 'cancel-order', dex: 'dexA', chainId: 'evm:42161', transport: 'evm-tx'} as const;
		const content = {...envelope, payload: {data: {to, callData}}};
		const body = {...envelope, payloadStr: JSON.stringify(content), signedTx, timestamp: 0, signature: '0x'};
		return {wallet: user.address, execution: {body, content, signer: user.address}};
	};
	const idOf = async (database: Database, wallet: Hex): Promise<string> =>
		String((await database.get('SELECT processId AS id FROM perp_processes WHERE wallet = ?', [wallet]))!['id']);
	const rowOf = (database: Database, wallet: Hex) =>
		database.get('SELECT status, txHash FROM perp_processes WHERE wallet = ?', [wallet]).catch(() => undefined);
	const sentBy = (address: Hex) => chain.client.getTransactionCount({address});
	const timesBooked = async (database: Database, id: string) =>
		(await database.all('SELECT process_id FROM booked WHERE process_id = ?', [id])).length;
	const begin = (processes: Processes) => {
		const wallet = newUser().address;
		return processes.begin({action: 'withdraw', wallet, chainId: 42161, instance: chain.instance, amountRaw: 40n});
	};
	const statusOf = async (processes: Processes, id: string) => (await processes.get(id).catch(() => undefined))?.status;
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

	test('an unsigned execution is not ended by another replica while its own lives', async () => {
		const [own, other] = [await replica(), await replica()];
		const id = await begin(own.processes);
		const until = async () =>
			Number((await own.database.get('SELECT workerUntilMs AS n FROM perp_processes WHERE processId = ?', [id]))!['n']);
		const first = await until();
		await expect.poll(async () => (await until()) > first + 1500).toBe(true);
		expect(await statusOf(other.processes, id)).toBe('pending');
		await own.processes.sending(id, await transaction());
		expect((await own.processes.awaitEnd(id, PATIENCE_MS)).status).toBe('settled');
		expect(await timesBooked(own.database, id)).toBe(1);
	});

	test('an execution of a dead replica ends once: failed when nothing was signed, else as on the chain', async () => {
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

	test('an execution whose transaction no node has is looked at less and less, never more than once a second', async () => {
		let asked = 0;
		const counting = seenBy(({client}) => ({
			client: {
				...client,
				getTransactionCount(of: Parameters<typeof client.getTransactionCount>[0]) {
					asked++;
					return client.getTransactionCount(of);
				},
			} as typeof client,
		}));
		const delaysMs: number[] = [];
		const HOUR_MS = 3_600_000;
		const waitedMs = () => delaysMs.reduce((sum, ms) => sum + ms, 0);
		const pause = async (ms: number, until: AbortSignal) => {
			delaysMs.push(ms);
			if (waitedMs() > HOUR_MS) await new Promise(resolve => until.addEventListener('abort', resolve));
		};
		const {processes} = await replica({chains: counting, pause});
		const id = await begin(processes);
		await processes.sending(id, {hash: keccak256('0x01'), nonce: 0, sentBy: newUser().address});
		await processes.awaitEnd(id, 1);
		await expect.poll(waitedMs).toBeGreaterThan(HOUR_MS);
		expect(Math.min(...delaysMs)).toBe(1000);
		expect(Math.max(...delaysMs)).toBe(15_000);
		expect(asked).toBe(delaysMs.length);
		expect(asked).toBeLessThan(320);
	});

	test("a user's transaction that a dead replica did not send is sent by another, within a minute", async () => {
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

	test('a replica that resumes after another has ended its execution sends nothing', async () => {
		const [paused, other] = [await replica({leaseMs: 3_600_000}), await replica()];
		const id = await begin(paused.processes);
		// It does not renew its lease, which has run out by the clock of the database.
		await other.database.run('UPDATE perp_processes SET workerUntilMs = 1 WHERE processId = ?', [id]);
		await expect.poll(() => statusOf(other.processes, id)).toBe('failed');
		await expect(paused.processes.sending(id, await transaction())).rejects.toBeInstanceOf(SendRejected);
		expect(await paused.processes.get(id)).toMatchObject({status: 'failed', txHash: null});
	});

	test('a replica that knows of its lost lease sends nothing either', async () => {
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

	test('an execution whose transaction could not be written down is ended when the store works again', async () => {
		let isCut = false;
		const cut = <A extends unknown[], T>(act: (...given: A) => Promise<T>) => {
			return (...given: A): Promise<T> => (isCut ? Promise.reject(new StoreUnavailable('cut')) : act(...given));
		};
		const faulty = (to: Database): Database => ({
			...to,
			transaction: cut(to.transaction) as Database['transaction'],
			run(sql, parameters) {
				isCut ||= /^UPDATE perp_processes SET txHash/.test(sql);
				return cut(to.run)(sql, parameters);
			},
		});
		const [own, other] = [await replica({faulty}), await replica()];
		const cancel = await signedCancel();
		await expect(own.execute(cancel)).rejects.toBeInstanceOf(StoreUnavailable);
		isCut = false;
		const id = await idOf(other.database, cancel.wallet);
		await expect.poll(() => statusOf(other.processes, id)).toBe('failed');
		expect(await chain.client.getTransactionCount({address: cancel.wallet})).toBe(0);
	});

	test('an execution that could not be stored since the database did not answer is not sent after the answer either', async () => {
		let isPausing = false;
		const faulty = aroundSending(write => {
			if (isPausing) server.pause();
			return write();
		});
		const [own, other] = [await replica({faulty}), await replica()];
		// From now on its connection sends the prepared statement in one step.
		await expect(own.execute(await signedCancel())).rejects.toMatchObject({statusCode: 400});
		isPausing = true;
		const cancel = await signedCancel();
		await expect(own.execute(cancel)).rejects.toBeInstanceOf(StoreUnavailable);
		// The statement lies in the socket of the database, which reads it now.
		server.resume();
		await expect.poll(async () => (await rowOf(other.database, cancel.wallet))?.['status']).toBe('failed');
		expect((await rowOf(other.database, cancel.wallet))!['txhash']).toBeNull();
		expect(await sentBy(cancel.wallet)).toBe(0);
	});

	test('an execution whose storing got no answer is answered as running, and ends as it is stored', async () => {
		const faulty = aroundSending(async write => {
			const count = await write();
			server.pause();
			return count;
		});
		const [own, other] = [await replica({faulty, waitMs: 100}), await replica()];
		const cancel = await signedCancel();
		const {processId} = (await own.execute(cancel)).data!;
		server.resume();
		await expect.poll(() => statusOf(other.processes, processId!)).toBe('failed');
		const {errorMessage} = (await other.processes.get(processId!))!;
		expect(await sentBy(cancel.wallet)).toBe(/before anything was sent/.test(errorMessage!) ? 0 : 1);
	});

	test.each(['stored', 'undone'])('an execution that was %s, without an answer, ends so', async how => {
		const faulty = (to: Database): Database => {
			let isWritten = false;
			const database = aroundSending(async write => {
				isWritten = true;
				return write();
			})(to);
			const lost = () => new StoreUnavailable('no answer to the COMMIT');
			return {
				...database,
				async transaction(act, options) {
					isWritten = false;
					const result = await to.transaction(async () => {
						const done = await act();
						if (isWritten && how === 'undone') throw lost();
						return done;
					}, options);
					if (isWritten && how === 'stored') throw lost();
					return result;
				},
			};
		};
		const own = await replica({faulty});
		const cancel = await signedCancel();
		await expect(own.execute(cancel)).rejects.toMatchObject({
			statusCode: 400,
			message: expect.stringMatching(how === 'stored' ? /NotAnOrder/ : /before anything was sent/),
		});
		expect(await sentBy(cancel.wallet)).toBe(how === 'stored' ? 1 : 0);
	});

	test('what the node refused while the database did not answer is answered as running, and ends as not sent', async () => {
		const refusing = seenBy(({rpc}) => ({
			rpc: {
				...rpc,
				async call<T>(method: string, params: readonly unknown[] = []) {
					if (method !== 'eth_sendRawTransaction') return rpc.call<T>(method, params);
					server.pause();
					throw new RpcRefused(method, -32000, 'insufficient funds', undefined);
				},
			},
		}));
		const own = await replica({leaseMs: 3_600_000, waitMs: 100, chains: refusing});
		const other = await replica();
		const cancel = await signedCancel();
		const {processId} = (await own.execute(cancel)).data!;
		server.resume();
		await expect.poll(() => statusOf(other.processes, processId!)).toBe('failed');
		expect((await other.processes.get(processId!))!.errorMessage).toBe('insufficient funds');
		expect(await sentBy(cancel.wallet)).toBe(0);
	});

	test('what was sent before the database went away is answered as running', async () => {
		const passing = seenBy(({rpc}) => ({
			rpc: {
				...rpc,
				async call<T>(method: string, params: readonly unknown[] = []) {
					const answer = await rpc.call<T>(method, params);
					if (method === 'eth_sendRawTransaction') server.pause();
					return answer;
				},
			},
		}));
		const [own, other] = [await replica({waitMs: 100, chains: passing}), await replica()];
		const cancel = await signedCancel();
		const {processId, executionDetails} = (await own.execute(cancel)).data!;
		expect(executionDetails).toMatchObject([{txHash: expect.stringMatching(/^0x/), status: 'pending'}]);
		server.resume();
		await expect.poll(() => statusOf(other.processes, processId!)).toBe('failed');
		expect(await sentBy(cancel.wallet)).toBe(1);
	});

	test('a replica that resumes after another has sent its transaction does not report it as unsent', async () => {
		const other = await replica();
		const cancel = await signedCancel();
		/** Another sends it while this replica stands still, whose node does not know of it then. */
		const lagging = seenBy(({rpc}) => ({
			rpc: {
				...rpc,
				async call<T>(method: string, params: readonly unknown[] = []) {
					if (method === 'eth_sendRawTransaction') throw new RpcRefused(method, -32000, 'nonce too low', undefined);
					if (method !== 'eth_getTransactionByHash') return rpc.call<T>(method, params);
					const id = await idOf(other.database, cancel.wallet);
					await other.database.run('UPDATE perp_processes SET workerUntilMs = 1 WHERE processId = ?', [id]);
					await expect.poll(() => statusOf(other.processes, id)).toBe('failed');
					return null as T;
				},
			},
		}));
		const woken = await replica({leaseMs: 3_600_000, chains: lagging});
		await expect(woken.execute(cancel)).rejects.toMatchObject({
			statusCode: 400,
			message: expect.stringMatching(/^the execution failed: (?!it was not sent)/),
		});
		const id = await idOf(other.database, cancel.wallet);
		expect(await timesBooked(other.database, id)).toBe(1);
	});

	test('a receipt that comes after the nonce is used belongs to the transaction all the same', async () => {
		let missing = 5;
		const lagging = seenBy(({client}) => ({
			client: {
				...client,
				async getTransactionReceipt(of: Parameters<typeof client.getTransactionReceipt>[0]) {
					if (missing-- > 0) throw new TransactionReceiptNotFoundError(of);
					return client.getTransactionReceipt(of);
				},
			} as typeof client,
		}));
		const {processes} = await replica({chains: lagging});
		const id = await begin(processes);
		await processes.sending(id, await transaction());
		expect((await processes.awaitEnd(id, PATIENCE_MS)).status).toBe('settled');
	});

	test('the books of dexB are exact whatever three replicas do at once', async () => {
		const books: DexB[] = [];
		for (let n = 0; n < 3; n++) books.push(await createDexB(await connect(server.address), Date.now));
		const wallets = Array.from({length: 12}, () => newUser().address);
		/** What the database refused because of the others is asked for again, as a caller would. */
		const surely = async <T>(act: () => Promise<T>): Promise<T> => {
			for (;;) {
				try {
					return await act();
				} catch (error) {
					if (!(error instanceof StoreFailed)) throw error;
				}
			}
		};
		const everywhere = <T>(act: (dexB: DexB, wallet: Hex) => Promise<T>) =>
			Promise.allSettled(wallets.flatMap(wallet => books.map(dexB => surely(() => act(dexB, wallet)))));
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
		const another = (dexB: DexB, wallet: Hex) =>
			dexB.credit(wallet, 10n * USDC, `another ${books.indexOf(dexB)} of ${wallet}`);
		expect(done(await everywhere(another))).toBe(36);
		expect(new Set(await balances())).toEqual(new Set([130n]));
		// The same withdrawal at all replicas is made once.
		for (const wallet of wallets) await books[0]!.register(wallet, 0);
		expect(done(await everywhere((dexB, wallet) => dexB.withdraw(wallet, 30n * USDC, 0)))).toBe(12);
		expect(new Set(await balances())).toEqual(new Set([100n]));
	});

	test('the clock of a replica decides nothing about signed requests', async () => {
		const [user, database, nowMs] = [newUser(), await connect(), Date.now()];
		const messageOf = async (perp: PerpService, timestamp: number) => {
			const signature = await user.signMessage({message: `api/2/perp/payloads/deposit-${timestamp}`});
			const place = {dex: 'dexB', chainId: 'dexB:304', originChainId: 'evm:42161'} as const;
			const body = {timestamp, signature, ...place, amountUsdc: '10'};
			return perp.payload('deposit', body).catch((error: Error) => error.message);
		};
		for (const skewMs of [-600_000, 600_000]) {
			vi.useFakeTimers({toFake: ['Date'], now: nowMs + skewMs});
			const perp = await createPerp({chains, database, isShared: true});
			open.push(perp);
			expect(await messageOf(perp, nowMs + skewMs)).toBe('timestamp expired');
			// The exchange of this address is for practice chains: the signature was right.
			expect(await messageOf(perp, nowMs + skewMs / 60_000)).toMatch(/^deposit payload generation failed/);
			expect(await messageOf(perp, nowMs + skewMs / 60_000)).toBe('signature already used');
		}
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
