import type {Hex} from 'viem';
import {afterAll, afterEach, beforeAll, describe, expect, test, vi} from 'vitest';
import type {Quote} from '../../../source/contract/bridge.ts';
import {createIntentBook, type IntentBook} from '../../../source/service/bridge/intents.ts';
import {postgresBinaries} from '../../helpers/postgres.ts';
import {balanceOf, intentHash, mined, USDC} from '../chain/practice.ts';
import {bodyOf, fundedUser, quoteOf} from './bridge-client.ts';
import {movesOf, openReplica, openSharedWorld, type ReplicaBridge, type SharedWorld} from './replica-bridges.ts';

/** Bridges as replicas have them: each with its own connection to one PostgreSQL, on chains that are real nodes. */
describe.skipIf(postgresBinaries === undefined)('replicas of the bridge on PostgreSQL', () => {
	let world: SharedWorld;
	const replicas: ReplicaBridge[] = [];
	const books: IntentBook[] = [];

	beforeAll(async () => {
		world = await openSharedWorld();
	});
	afterEach(async () => {
		vi.useRealTimers();
		for (const {database, close} of replicas.splice(0)) {
			database.go();
			await close();
		}
		for (const book of books.splice(0)) await book.close();
		await world?.disconnect();
	});
	afterAll(() => world?.close());

	const open = async (options: Parameters<typeof openReplica>[1] = {}): Promise<ReplicaBridge> => {
		const replica = await openReplica(world, options);
		replicas.push(replica);
		return replica;
	};
	const ask = async (bridge: ReplicaBridge) => {
		const user = await fundedUser(world);
		const quote = await quoteOf({...world, bridge}, user);
		return {user, quote, body: await bodyOf(world, user, quote)};
	};
	/** A quote whose steps the user sends. */
	const signedQuote = async (bridge: ReplicaBridge) => {
		const user = await fundedUser(world);
		await world.base.rpc.call('anvil_setBalance', [user.address, '0xde0b6b3a7640000']);
		const first = await quoteOf({...world, bridge}, user, {gasless: false});
		const {domain, types, primaryType, message} = first.typedData!;
		const signature = await user.signTypedData({domain, types, primaryType, message} as never);
		const {steps} = await quoteOf({...world, bridge}, user, {
			gasless: false,
			intentId: first.intentId,
			deadline: Number(message['deadline']),
			minAmountOut: first.minAmountOut,
			signature,
		} as never);
		return {user, first, steps};
	};
	const movesIn = ({intentId}: Quote) => movesOf(world, intentHash(intentId));
	const statusOf = async (bridge: ReplicaBridge, {intentId}: Quote) => (await bridge.book.get(intentId))?.status;
	const refused = {check: 'already-submitted', statusCode: 409};

	test('of three replicas that claim the same 60 intents at once, one gets each claim', async () => {
		const first = await open();
		const {quote} = await ask(first);
		const model = (await first.book.get(quote.intentId))!;
		const ids = Array.from({length: 60}, (_, n) => `claimed-${n}`);
		for (const id of ids) await first.book.add({...model, intentId: id, intentHash: intentHash(id)});
		for (let n = 0; n < 3; n++) books.push(await createIntentBook(await world.connect(), {isShared: true}));
		const watcher = await world.connect();
		const waiting = async () =>
			Number((await watcher.get("SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"))!['n']);

		// A transaction holds rows until all three wait for each of them in the database: then they go on together.
		const winners: number[] = [];
		for (let at = 0; at < ids.length; at += 6) {
			const some = ids.slice(at, at + 6);
			const holder = await world.connect();
			let claims: Promise<number[]>[] = [];
			await holder.transaction(async () => {
				await holder.run(
					`UPDATE bridge_intents SET updatedAtMs = updatedAtMs WHERE intentId IN (${some.map(() => '?').join(', ')})`,
					some,
				);
				claims = some.map(async id => {
					const got = await Promise.all(books.map(book => book.claim(id)));
					return got.flatMap((claim, who) => (claim === undefined ? [] : [who]));
				});
				await expect.poll(waiting).toBe(3 * some.length);
			});
			for (const got of await Promise.all(claims)) {
				expect(got).toHaveLength(1);
				winners.push(got[0]!);
			}
			await holder.close();
		}
		expect(winners).toHaveLength(60);
		// None was first because it was faster.
		expect(new Set(winners).size).toBe(3);
		await first.database.run("DELETE FROM bridge_intents WHERE intentId LIKE 'claimed-%'");
	});

	test('the clock of a replica decides nothing about claims, and no quote is forgotten by it', async () => {
		const here = await open();
		const {quote} = await ask(here);
		expect(await here.book.claim(quote.intentId)).toBeDefined();
		vi.useFakeTimers({toFake: ['Date'], now: Date.now() + 30 * 24 * 3600_000});
		const ahead = await open();
		expect(await ahead.book.claim(quote.intentId)).toBeUndefined();
		expect(await here.book.get(quote.intentId)).toBeDefined();
	});

	test('an execute sent to all replicas at once is deposited and paid once, and each replica sees its end', async () => {
		const all = [await open(), await open(), await open()];
		const asked = await Promise.all(Array.from({length: 9}, (_, n) => ask(all[n % 3]!)));
		const waits = asked.map(({quote}, n) => all[(n + 1) % 3]!.wait(quote.intentId));
		const results = await Promise.allSettled(
			asked.flatMap(({body}, n) => [0, 1, 2].map(by => all[(n + by) % 3]!.execute(body))),
		);
		expect(results.filter(({status}) => status === 'fulfilled')).toHaveLength(9);
		for (const result of results) if (result.status === 'rejected') expect(result.reason).toMatchObject(refused);
		for (const row of await Promise.all(waits)) expect(row.status).toMatch(/^(filled|settled)$/);
		for (const {user, quote} of asked) {
			expect(await movesIn(quote)).toEqual({deposits: 1, fills: 1});
			expect(await balanceOf(world.base, user.address)).toBe(950n * USDC);
		}
	});

	test.each(['hangs before it is written down', 'hangs after it was sent'] as const)(
		'a transfer goes on elsewhere when its replica dies while its fill %s',
		async fault => {
			const [dying, other] = [await open({leaseMs: 700}), await open({leaseMs: 700})];
			dying.fail('solver', fault);
			const {quote, body} = await ask(dying);
			await dying.execute(body);
			const isReached = async () => {
				const intent = await other.book.get(quote.intentId);
				return intent?.status === 'filling' && (fault !== 'hangs after it was sent' || intent.fillTxHash !== null);
			};
			await expect.poll(isReached).toBe(true);
			dying.database.die();
			await expect.poll(() => statusOf(other, quote)).toBe('settled');
			expect(await movesIn(quote)).toEqual({deposits: 1, fills: 1});
		},
	);

	test('a deposit that was stored and not sent when its replica died is sent and followed by another', async () => {
		const [dying, other] = [await open({leaseMs: 700, solverMs: 200}), await open({leaseMs: 700})];
		const {user, quote, body} = await ask(dying);
		const node = dying.nodes.get(8453)!;
		node.handle = () => {
			dying.database.die();
			return 'drop';
		};
		await expect(dying.execute(body)).rejects.toMatchObject({check: 'no-answer'});
		await expect.poll(() => node.sent.map(({isPassedOn}) => isPassedOn)).toEqual([false]);
		await expect.poll(() => statusOf(other, quote)).toBe('settled');
		expect((await other.book.get(quote.intentId))!.depositTxHash).toBe(node.sent[0]!.hash);
		expect(await movesIn(quote)).toEqual({deposits: 1, fills: 1});
		expect(await balanceOf(world.base, user.address)).toBe(950n * USDC);
	});

	test('a fill that was stored and not sent when its replica died is awaited, and no second one made', async () => {
		const [dying, other] = [await open({leaseMs: 700}), await open({leaseMs: 700})];
		const {quote, body} = await ask(dying);
		const node = dying.nodes.get(42161)!;
		node.handle = () => {
			dying.database.die();
			return 'drop';
		};
		const solver = world.arbitrum.accounts.solver.address;
		const before = await world.arbitrum.client.getTransactionCount({address: solver});
		await dying.execute(body);
		await expect.poll(() => statusOf(other, quote)).toBe('settled');
		expect((await other.book.get(quote.intentId))!.fillTxHash).toBe(node.sent[0]!.hash);
		expect(await world.arbitrum.client.getTransactionCount({address: solver})).toBe(before + 1);
	});

	test('a paused worker that resumes neither sends nor changes anything', async () => {
		const [paused, other] = [await open({leaseMs: 700}), await open({leaseMs: 700})];
		const {quote, body} = await ask(paused);
		const solver = world.arbitrum.accounts.solver.address;
		const sent = () => world.arbitrum.client.getTransactionCount({address: solver});
		const before = await sent();
		const gates: (() => void)[] = [];
		const stop = (replica: ReplicaBridge) => (role: string) =>
			role === 'solver' && gates.length < 2
				? new Promise<void>(resolve => {
						gates.push(resolve);
						if (replica === paused) replica.database.pause();
					})
				: Promise.resolve();
		for (const replica of [paused, other]) replica.before = stop(replica);
		await paused.execute(body);
		await expect.poll(() => gates.length).toBe(1);
		// The other one takes the transfer over, and is about to fill it too.
		await expect.poll(() => gates.length).toBe(2);
		const taken = await other.book.get(quote.intentId);
		paused.database.go();
		gates[0]!();
		// It waits for its worker, which comes to know that the transfer is another's.
		await paused.close();
		expect(await other.book.get(quote.intentId)).toEqual({...taken, workerUntilMs: expect.any(Number)});
		expect(await sent()).toBe(before);
		gates[1]!();
		await expect.poll(() => statusOf(other, quote)).toBe('settled');
		expect(await sent()).toBe(before + 1);
	});

	test('a claim belongs to its replica while the replica lives, and expires soon after', async () => {
		const [slow, other] = [await open({leaseMs: 700, solverMs: 200}), await open({leaseMs: 700})];
		const {user, quote, body} = await ask(slow);
		let wake: () => void = () => {};
		slow.before = role => (role === 'sponsor' ? new Promise(resolve => (wake = resolve)) : Promise.resolve());
		await expect(slow.execute(body)).rejects.toMatchObject({check: 'no-answer'});
		// It lives: its lease is renewed until long after its first end, and the other one leaves it alone.
		const {workerUntilMs: first} = (await other.book.get(quote.intentId))!;
		await expect.poll(async () => (await other.book.get(quote.intentId))!.workerUntilMs! > first! + 2500).toBe(true);
		expect(await other.book.leases.takeFree({sql: 'intentId = ?', parameters: [quote.intentId]}, 1)).toEqual([]);
		expect(await statusOf(other, quote)).toBeNull();
		slow.database.pause();
		await expect.poll(() => statusOf(other, quote)).toBe('failed');
		slow.database.go();
		wake();
		await expect(other.execute(body)).rejects.toMatchObject(refused);
		await slow.close();
		expect(await other.status(quote.intentId)).toMatchObject({
			status: 'failed',
			failureReason: 'the service stopped before the batch was sent: no tokens moved',
		});
		expect(await balanceOf(world.base, user.address)).toBe(1000n * USDC);
	});

	test('a replica that stops releases its transfers at once', async () => {
		const [stopping, other] = [await open({leaseMs: 600_000}), await open({leaseMs: 600_000})];
		stopping.fail('solver', 'hangs before it is written down');
		const {quote, body} = await ask(stopping);
		await stopping.execute(body);
		await expect.poll(() => statusOf(other, quote)).toBe('filling');
		await stopping.close();
		await expect.poll(() => statusOf(other, quote)).toBe('settled');
		expect(await movesIn(quote)).toEqual({deposits: 1, fills: 1});
	});

	test('the deposit of a signed quote is found by another replica when the one that quoted it is dead', async () => {
		const [dying, other] = [await open({leaseMs: 700}), await open({leaseMs: 700})];
		const {user, first, steps} = await signedQuote(dying);
		await expect.poll(async () => (await other.book.get(first.intentId))!.worker).not.toBeNull();
		dying.database.die();
		for (const [nonce, {tx}] of steps!.entries()) {
			const call = {to: tx.to as Hex, data: tx.data as Hex, gas: 500_000n, nonce, chainId: 8453};
			const raw = await user.signTransaction({...call, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n});
			await mined(world.base, await world.base.rpc.call<Hex>('eth_sendRawTransaction', [raw]));
		}
		await expect.poll(() => statusOf(other, first)).toBe('settled');
		expect(await movesIn(first)).toEqual({deposits: 1, fills: 1});
	});

	test('a signed quote that has expired is no longer among those that another replica may take over', async () => {
		const bridge = await open();
		const {first} = await signedQuote(bridge);
		const lease = async () => {
			const {worker, workerUntilMs} = (await bridge.book.get(first.intentId))!;
			return {worker, workerUntilMs};
		};
		await expect.poll(async () => (await lease()).worker).not.toBeNull();
		await bridge.database.run('UPDATE bridge_intents SET expiresAtMs = 1 WHERE intentId = ?', [first.intentId]);
		await expect.poll(lease).toEqual({worker: null, workerUntilMs: null});
	});
});
