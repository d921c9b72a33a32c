import {afterEach, beforeEach, expect, test} from 'vitest';
import {createJsonRpc} from '../../../source/rpc/json-rpc.ts';
import {EXECUTE_REFUSALS, type ExecuteCheck} from '../../../source/service/bridge/bridge-errors.ts';
import {createIntentBook} from '../../../source/service/bridge/intents.ts';
import {createChainClient} from '../../../source/service/chain/client.ts';
import {newPracticeInstance} from '../../../source/service/chain/instance.ts';
import type {Role} from '../../../source/service/chain/practice-keys.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {balanceOf, mined, USDC, waitFor} from '../chain/practice.ts';
import {type Bench, bodyOf, fundedUser, openBench, quoteOf} from './bridge-client.ts';
import {type Fault, faultyChains} from './faults.ts';

let bench: Bench;
let fault: {role: Role; fault: Fault} | undefined;
let laterMs = 0;

beforeEach(async () => {
	[fault, laterMs] = [undefined, 0];
	bench = await openBench({now: () => Date.now() + laterMs, solverMs: PATIENCE_MS});
	await bench.restart({chains: breaking()});
});
afterEach(() => bench.close());

const breaking = () => faultyChains(bench.chains, (_, role) => (fault?.role === role ? fault.fault : undefined));
const refusal = (check: ExecuteCheck) => ({check, statusCode: EXECUTE_REFUSALS[check]});

async function attempt(sponsorFault?: Fault) {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, quote);
	fault = sponsorFault && {role: 'sponsor', fault: sponsorFault};
	// Time ends the wait for a sender that hangs, and no other.
	if (sponsorFault?.startsWith('hangs')) await bench.restart({chains: breaking(), solverMs: 150});
	const result = await bench.bridge.execute(body).catch(error => error);
	fault = undefined;
	return {user, body, result, intentId: quote.intentId};
}

const statusOf = async (intentId: string) => (await bench.bridge.status(intentId)).status;
const moved = async (user: {address: `0x${string}`}) => 1000n * USDC - (await balanceOf(bench.base, user.address));

test.each(['rejected before it is written down', 'rejected by the node'] as const)(
	'502, %s: the claim is released and the same intent goes through',
	async how => {
		const {user, body, result, intentId} = await attempt(how);
		expect(result).toMatchObject({...refusal('send-failed'), next: 'retry-same'});
		await bench.bridge.execute(body);
		expect((await bench.bridge.wait(intentId)).status).toBe('filled');
		expect(await moved(user)).toBe(50n * USDC);
	},
);

test.each(['no word, but sent', 'hangs after it was sent'] as const)(
	'504, %s: the claim is kept, a second execute is refused, and the deposit is found',
	async how => {
		const {user, body, result, intentId} = await attempt(how);
		expect(result).toMatchObject({...refusal('no-answer'), next: 'poll-status'});
		await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('already-submitted'));
		if (how === 'hangs after it was sent') await bench.restart();
		expect((await bench.bridge.wait(intentId)).status).toBe('filled');
		expect(await moved(user)).toBe(50n * USDC);
	},
);

test.each(['no word, and lost', 'hangs before it is sent'] as const)(
	'504, %s: it stays pending until its batch cannot run any more, and is never sent again',
	async how => {
		const {user, body, result, intentId} = await attempt(how);
		expect(result).toMatchObject(refusal('no-answer'));
		if (how === 'hangs before it is sent') await bench.restart();
		expect(await statusOf(intentId)).toBe('pending');
		await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('already-submitted'));
		laterMs = 370_000;
		const row = await bench.bridge.wait(intentId);
		expect(row).toMatchObject({
			status: 'failed',
			failureReason: expect.stringContaining('not mined before the deadline'),
		});
		await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('already-submitted'));
		expect(await moved(user)).toBe(0n);
	},
);

test.each(['no word, and lost', 'hangs before it is sent'] as const)(
	'504, %s, and the practice chain is reset: the status says at once that no tokens moved',
	async how => {
		const {user, body, result, intentId} = await attempt(how);
		expect(result).toMatchObject(refusal('no-answer'));
		const {chains} = bench;
		await bench.restart({
			chains: {...chains, ready: async id => ({...(await chains.ready(id)), run: 'the next run'})},
		});
		const row = await bench.bridge.wait(intentId);
		expect(row).toMatchObject({status: 'failed', failureReason: expect.stringContaining('no tokens moved')});
		await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('already-submitted'));
		expect(await moved(user)).toBe(0n);
	},
);

test('a deposit that was mined before the practice chain was restarted is found', async () => {
	const {user, intentId} = await attempt('hangs after it was sent');
	await waitFor(async () => (await moved(user)) === 50n * USDC);
	const {chains} = bench;
	await bench.restart({chains: {...chains, ready: async id => ({...(await chains.ready(id)), run: 'the next run'})}});
	expect((await bench.bridge.wait(intentId)).status).toBe('filled');
	expect(await moved(user)).toBe(50n * USDC);
});

test('a claim that was never used is 409 for fifteen minutes, also after a crash', async () => {
	const {user, body, result, intentId} = await attempt('hangs before it is written down');
	expect(result).toMatchObject(refusal('no-answer'));
	await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('already-submitted'));
	await bench.restart();
	await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('already-submitted'));
	expect(await bench.bridge.status(intentId)).toMatchObject({
		status: 'failed',
		failureReason: 'the service stopped before the batch was sent: no tokens moved',
	});
	expect(await moved(user)).toBe(0n);
});

test('a batch whose turn comes after its claim has expired is not sent', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, quote, {signed: {deadline: String(Math.floor(Date.now() / 1000) + 7200)}});
	await bench.restart({chains: breaking(), solverMs: 150});
	// The queue of the sponsor is blocked by another transaction.
	let release: () => void = () => {};
	const sponsor = bench.base.sender('sponsor');
	const held = sponsor.send({to: user.address, gas: 30_000n}, () => new Promise<void>(resolve => (release = resolve)));
	const refused = bench.bridge.execute(body).catch(error => error);
	expect(await refused).toMatchObject(refusal('no-answer'));
	laterMs = 16 * 60_000;
	release();
	await held;
	await expect.poll(() => statusOf(quote.intentId)).toBe('failed');
	expect(await moved(user)).toBe(0n);
});

/** The instance of a chain with a real node. */
const REAL = `0x${'9b'.repeat(32)}`;

test.each([
	['pending', "status = 'pending'"],
	['deposited', "status = 'deposited'"],
	['claimed', "claim = 'c', claimedUntilMs = 9e15"],
])(
	'a transfer between real chains (%s), which a service that practises finds in its store, is left as it is',
	async (_, set) => {
		const quote = await quoteOf(bench, await fundedUser(bench));
		const other = openSqlite(bench.directory);
		await other.run(`UPDATE bridge_intents SET ${set}, originInstance = ?, destinationInstance = ?`, [REAL, REAL]);
		const before = await other.get('SELECT * FROM bridge_intents');
		const lines: string[] = [];
		await bench.restart({log: line => lines.push(line)});
		await expect
			.poll(() => lines)
			.toEqual([`bridge intent ${quote.intentId} is left alone: it is of other chains than those of this service`]);
		expect(await other.get('SELECT * FROM bridge_intents')).toEqual(before);
		await other.close();
	},
);

test('a transfer between practice chains of which one was reset has failed', async () => {
	const quote = await quoteOf(bench, await fundedUser(bench));
	const other = openSqlite(bench.directory);
	const earlier = newPracticeInstance();
	await other.run("UPDATE bridge_intents SET status = 'deposited', originInstance = ?", [earlier]);
	await other.close();
	await bench.restart();
	await expect.poll(() => statusOf(quote.intentId)).toBe('failed');
	expect(await bench.bridge.book.get(quote.intentId)).toMatchObject({failureCode: 'devnet-reset'});
});

test('a second process on the same store meets the claim of the first', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const other = openSqlite(bench.directory);
	const books = [bench.bridge.book, await createIntentBook(other)];
	const claims = await Promise.all(books.map(book => book.claim(quote.intentId)));
	expect(claims.filter(claim => claim !== undefined)).toHaveLength(1);
	await expect(bench.bridge.execute(await bodyOf(bench, user, quote))).rejects.toMatchObject(
		refusal('already-submitted'),
	);
	await other.close();
});

test('after fifteen minutes a claim that was never used is open to the next', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const {book} = bench.bridge;
	expect(await book.claim(quote.intentId)).toBeDefined();
	laterMs = 14 * 60_000;
	expect(await book.claim(quote.intentId)).toBeUndefined();
	laterMs = 15 * 60_000;
	expect(await book.claim(quote.intentId)).toBeDefined();
});

test('a deposit that its user has sent meanwhile is not overwritten by an execute whose turn comes later', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const {book} = bench.bridge;
	const claim = (await book.claim(quote.intentId))!;
	await book.advance(quote.intentId, [null], {status: 'refunded', refundTxHash: '0xab'});
	expect(await book.whileClaimed(claim, {status: 'pending', depositTxHash: '0xcd'})).toBe(false);
	await book.release(claim);
	expect(await book.get(quote.intentId)).toMatchObject({status: 'refunded', depositTxHash: null});
});

test('a store that fails is 503, and nothing is sent', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, quote);
	const other = openSqlite(bench.directory);
	await other.run('DROP TABLE bridge_intents');
	await other.close();
	await expect(bench.bridge.execute(body)).rejects.toMatchObject({...refusal('not-guaranteed'), next: 'retry-later'});
	expect(await moved(user)).toBe(0n);
});

test('an unavailable chain is 503, and nothing is sent', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, quote);
	const away = {...bench.chains, ready: () => bench.chains.ready(137)};
	await bench.restart({chains: away});
	await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('not-guaranteed'));
});

test('too long a queue of transactions is 503, and the same execute may be sent again', async () => {
	const {user, body, result, intentId} = await attempt('busy');
	expect(result).toMatchObject({
		...refusal('not-guaranteed'),
		next: 'retry-later',
		message: expect.stringContaining('it waited 5000 ms behind'),
	});
	expect(await bench.bridge.book.get(intentId)).toMatchObject({status: null, claim: null});
	expect(await moved(user)).toBe(0n);
	await bench.bridge.execute(body);
	expect((await bench.bridge.wait(intentId)).status).toBe('filled');
});

test('a node that does not answer is 503, and nothing is sent', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, quote);
	const rpc = createJsonRpc(() => 'http://127.0.0.1:1');
	const deaf = {...bench.base, rpc, client: createChainClient(bench.base.info, rpc)};
	await bench.restart({chains: {...bench.chains, ready: async () => deaf}});
	await expect(bench.bridge.execute(body)).rejects.toMatchObject({
		...refusal('not-guaranteed'),
		message: expect.stringContaining('node did not answer'),
	});
	await rpc.close();
	await bench.restart();
	await bench.bridge.execute(body);
	expect((await bench.bridge.wait(quote.intentId)).status).toBe('filled');
});

test.each<[string, Fault]>([
	['before the fill was written down', 'hangs before it is written down'],
	['between writing down and sending the fill', 'hangs before it is sent'],
	['after sending the fill', 'hangs after it was sent'],
])('a solver that stops %s fills once after the restart', async (_, how) => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	fault = {role: 'solver', fault: how};
	await bench.bridge.execute(await bodyOf(bench, user, quote));
	await expect.poll(() => statusOf(quote.intentId)).toBe('filling');
	await new Promise(resolve => setTimeout(resolve, 100));
	fault = undefined;
	await bench.restart();
	await expect.poll(() => statusOf(quote.intentId)).toBe('settled');
	const arrived = await balanceOf(bench.arbitrum, user.address);
	expect(arrived).toBe(BigInt(Math.round(Number(quote.estimatedAmountOut) * 1e6)));
});

test('a fill that fails is tried three times and then given back, the destination being closed first', async () => {
	const user = await fundedUser(bench);
	const {usdc} = bench.arbitrum.addresses;
	// Coins for a contract that takes none.
	const quote = await quoteOf(bench, user, {
		walletAddress: usdc,
		senderAddress: user.address,
		destinationToken: undefined,
	});
	await bench.bridge.execute(await bodyOf(bench, user, quote));
	const seen: string[] = [];
	bench.bridge.book.onChange(quote.intentId, ({status}) => void (seen.at(-1) !== status && seen.push(status!)));
	const row = await bench.bridge.wait(quote.intentId);
	expect(row).toMatchObject({status: 'refunded', failureReason: `RecipientRefused(${usdc})`});
	expect(seen.filter(status => status === 'retrying')).toHaveLength(3);
	expect(await moved(user)).toBe(0n);
});

test('a deposit worth less than was promised is given back', async () => {
	const user = await fundedUser(bench);
	const {dai, usdc, amm} = bench.arbitrum.addresses;
	const quote = await quoteOf(bench, user, {destinationToken: dai, slippage: 0.1});
	// Another user buys up the destination's pool before the deposit.
	const {encodeFunctionData} = await import('viem');
	const {Amm, Token} = await import('../../../source/service/chain/artifacts.generated.ts');
	const faucet = bench.arbitrum.sender('faucet');
	const amount = 500_000n * USDC;
	const mint = encodeFunctionData({abi: Token.abi, functionName: 'mint', args: [faucet.address, amount]});
	const approve = encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [amm, amount]});
	const swap = encodeFunctionData({abi: Amm.abi, functionName: 'swap', args: [usdc, amount, 0n, faucet.address]});
	for (const [to, data] of [
		[usdc, mint],
		[usdc, approve],
		[amm, swap],
	] as const) {
		await mined(bench.arbitrum, await faucet.send({to, data, gas: 300_000n}));
	}
	await bench.bridge.execute(await bodyOf(bench, user, quote));
	const row = await bench.bridge.wait(quote.intentId);
	expect(row).toMatchObject({
		status: 'refunded',
		failureReason: expect.stringContaining('less than the promised minimum'),
	});
	expect([await moved(user), await balanceOf(bench.arbitrum, user.address, dai)]).toEqual([0n, 0n]);
});
