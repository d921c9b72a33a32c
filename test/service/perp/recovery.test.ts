import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {TransactionReceiptNotFoundError} from 'viem';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {newPracticeInstance} from '../../../source/service/chain/instance.ts';
import type {Role} from '../../../source/service/chain/practice-keys.ts';
import {withdrawalMessage} from '../../../source/service/perp/dex-b-messages.ts';
import {createPerp, type PerpService} from '../../../source/service/perp/perp.ts';
import type {Database} from '../../../source/service/store/database.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {type Fault, faultyChains} from '../bridge/faults.ts';
import {balanceOf, mint, newUser, USDC} from '../chain/practice.ts';

let chains: ChainSet;
let directory: string;
let database: Database;
let perp: PerpService;
let fault: Fault | undefined;
/** How many more times the node says that it has no receipt. */
let lateReceipts = 0;
let lines: string[] = [];

beforeEach(async () => {
	directory = mkdtempSync(join(tmpdir(), 'pulsetop-perp-'));
	chains = createChainSet({chainIds: [42161]});
	// The exchange holds what was deposited with it.
	const chain = await chains.ready(42161);
	await mint(chain, chain.accounts.keeper.address, 1_000_000n * USDC);
	[fault, lateReceipts, database, lines] = [undefined, 0, openSqlite(directory), []];
	perp = await open();
});
afterEach(async () => {
	await perp.close();
	await database.close();
	await chains.close();
	await rm(directory, {recursive: true});
});

const open = () =>
	createPerp({
		chains: withLateReceipts(faultyChains(chains, (_, role: Role) => (role === 'keeper' ? fault : undefined))),
		database,
		waitMs: 150,
		log: line => lines.push(line),
	});

/** Chains whose node counts a transaction before it has the receipt, as practice chains do for a moment. */
const withLateReceipts = (of: ChainSet): ChainSet => ({
	...of,
	async ready(id) {
		const chain = await of.ready(id);
		const {client} = chain;
		const late = async (asked: Parameters<typeof client.getTransactionReceipt>[0]) => {
			if (lateReceipts-- > 0) throw new TransactionReceiptNotFoundError(asked);
			return client.getTransactionReceipt(asked);
		};
		return {...chain, client: {...client, getTransactionReceipt: late} as typeof client};
	},
});

async function restart() {
	await perp.close();
	await database.close();
	[fault, database] = [undefined, openSqlite(directory)];
	perp = await open();
}

/** A user with 100 USDC on dexB and a signed withdrawal of 40. */
async function withdrawing() {
	const user = newUser();
	await perp.dexB.credit(user.address, 100n * USDC, `0x${Math.random()}`);
	const {accountIndex} = await perp.dexB.register(user.address, 0);
	const fields = {accountIndex, amountRaw: String(40n * USDC), to: user.address, number: 0};
	const payload = {...fields, L1Sig: await user.signMessage({message: withdrawalMessage(fields)})};
	const metadata = {action: 'withdraw', dex: 'dexB', chainId: 'dexB:304', transport: 'offchain-api'} as const;
	const payloadStr = JSON.stringify({...metadata, payload});
	const timestamp = Date.now();
	const signature = await user.signMessage({message: `api/2/perp/execute-v2-${timestamp}-${payloadStr}`});
	return {user, body: {...metadata, payloadStr, timestamp, signature}};
}

const freeOf = async (user: {address: string}) => (await perp.dexB.account(user.address))!.balanceRaw;
const paidTo = async (user: {address: `0x${string}`}) => balanceOf(await chains.ready(42161), user.address);

test.each<Fault>(['rejected before it is written down', 'rejected by the node'])(
	'a withdrawal that was not sent, %s, is put back',
	async how => {
		const {user, body} = await withdrawing();
		fault = how;
		await expect(perp.execute(body)).rejects.toMatchObject({statusCode: 502});
		expect([await freeOf(user), await paidTo(user)]).toEqual([100n * USDC, 0n]);
	},
);

test.each<Fault>(['no word, but sent', 'hangs after it was sent'])(
	'a withdrawal without an answer, %s, is paid once and taken once',
	async how => {
		const {user, body} = await withdrawing();
		fault = how;
		const response = perp.execute(body);
		if (how === 'no word, but sent') expect(await response).toMatchObject({success: true});
		else await Promise.race([response, new Promise(resolve => setTimeout(resolve, 400))]);
		await restart();
		await expect.poll(() => paidTo(user)).toBe(40n * USDC);
		await restart();
		expect(await freeOf(user)).toBe(60n * USDC);
		await expect(perp.execute(body)).rejects.toMatchObject({message: 'signature already used'});
	},
);

test('a withdrawal that stopped before it was written down is put back after the restart', async () => {
	const {user, body} = await withdrawing();
	fault = 'hangs before it is written down';
	void perp.execute(body);
	await expect.poll(() => freeOf(user)).toBe(60n * USDC);
	await restart();
	await expect.poll(() => freeOf(user)).toBe(100n * USDC);
	expect(await paidTo(user)).toBe(0n);
});

test('a withdrawal with an unknown result stays taken: the answer names a process that is still running', async () => {
	const {user, body} = await withdrawing();
	fault = 'no word, and lost';
	const response = await perp.execute(body);
	const processId = response.data?.processId;
	expect(response.data?.executionDetails).toMatchObject([{type: 'withdraw', status: 'pending'}]);
	expect(await perp.process(processId!)).toMatchObject({status: 'pending'});
	expect(await freeOf(user)).toBe(60n * USDC);
});

test('a transaction whose receipt comes after its nonce is used is not taken for a replaced one', async () => {
	const {user, body} = await withdrawing();
	lateReceipts = 10;
	const {data} = await perp.execute(body);
	const statusOf = async () =>
		data?.processId === undefined ? 'settled' : (await perp.process(data.processId))?.status;
	await expect.poll(statusOf).not.toBe('pending');
	expect([await statusOf(), await paidTo(user), await freeOf(user)]).toEqual(['settled', 40n * USDC, 60n * USDC]);
});

test('it is put back as soon as another transaction of the exchange has taken its place on the chain', async () => {
	const {user, body} = await withdrawing();
	const chain = await chains.ready(42161);
	const next = await chain.client.getTransactionCount({address: chain.accounts.keeper.address});
	fault = 'no word, and lost';
	const {data} = await perp.execute(body);
	expect(await freeOf(user)).toBe(60n * USDC);
	// The lost transaction of these faults names nonce 0, which the exchange has not used yet.
	expect(next).toBe(0);
	await chain.sender('keeper').send({to: user.address, gas: 21_000n});
	await expect.poll(async () => (await perp.process(data!.processId!))?.status).toBe('failed');
	expect([await freeOf(user), await paidTo(user)]).toEqual([100n * USDC, 0n]);
});

test('a used signature is used after a restart as well', async () => {
	const {body} = await withdrawing();
	await perp.execute(body);
	await restart();
	await expect(perp.execute(body)).rejects.toMatchObject({statusCode: 403, message: 'signature already used'});
});

test('an execution on a real chain, which a service that practises finds in its store, is left as it is; one on a practice chain that was reset has failed', async () => {
	const add = (processId: string, instance: string) =>
		database.run(
			`INSERT INTO perp_processes (processId, action, wallet, chainId, instance, status, txHash, nonce, sentBy, createdAtMs)
			VALUES (?, 'deposit', '0x01', 42161, ?, 'pending', ?, 7, ?, ?)`,
			[processId, instance, `0x${'12'.repeat(32)}`, `0x${'34'.repeat(20)}`, Date.now()],
		);
	await add('real', `0x${'9b'.repeat(32)}`);
	await add('reset', newPracticeInstance());
	await restart();
	await expect.poll(async () => (await perp.process('reset'))?.status).toBe('failed');
	await expect
		.poll(() => lines)
		.toEqual(['perp process real is left alone: it is of another chain than that of this service']);
	expect(await perp.process('real')).toMatchObject({status: 'pending'});
});
