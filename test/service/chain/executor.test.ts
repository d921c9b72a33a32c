import {encodeFunctionData, parseEventLogs, toHex} from 'viem';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {
	BatchExecutor,
	BatchExecutorSimulation,
	Bridge,
	SwapBridge,
	Token,
} from '../../../source/service/chain/artifacts.generated.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {failureOf} from '../../../source/service/chain/failure-reason.ts';
import {
	authorize,
	type BatchInput,
	balanceOf,
	depositCalls,
	intentHash,
	laneNonce,
	mined,
	mint,
	newIntent,
	newUser,
	nowS,
	signedBatch,
	USDC,
} from './practice.ts';

let chains: ChainSet;
let base: Chain;
let arbitrum: Chain;

beforeAll(async () => {
	chains = createChainSet({chainIds: [8453, 42161]});
	[base, arbitrum] = await Promise.all([chains.ready(8453), chains.ready(42161)]);
});
afterAll(() => chains.close());

const GAS = 400_000n;
const AMOUNT = 50n * USDC;

/** A user with 100 USDC and no native coin. */
async function fundedUser(amount = 100n * USDC) {
	const user = newUser();
	await mint(base, user.address, amount);
	return user;
}

type User = ReturnType<typeof newUser>;

async function sendBatch(
	user: User,
	input: BatchInput,
	{authorized = false, gas = GAS, nonce = undefined as number | undefined} = {},
) {
	const data = await signedBatch(base, user, input);
	const authorizationList = authorized ? [await authorize(base, user, nonce === undefined ? {} : {nonce})] : [];
	const hash = await base.sender('sponsor').send({to: user.address, data, gas, authorizationList});
	const receipt = await mined(base, hash);
	const deposits = parseEventLogs({abi: Bridge.abi, eventName: 'Deposit', logs: receipt.logs});
	const reason = receipt.status === 'reverted' ? (await failureOf(base.rpc, hash)).text : undefined;
	return {receipt, deposits, reason, gas: receipt.gasUsed};
}

async function delegatedUser() {
	const user = await fundedUser();
	const intentId = newIntent();
	await sendBatch(user, {calls: [], nonce: laneNonce(intentId)}, {authorized: true});
	expect(await base.client.getDelegation({address: user.address})).toBe(base.addresses.batchExecutor);
	return user;
}

const deposit = (user: User, intentId = newIntent(), amount = AMOUNT): BatchInput => ({
	calls: depositCalls(base, user.address, intentId, amount),
	nonce: laneNonce(intentId),
	minBalance: amount,
});

test('a first deposit from an account without native coin delegates, deposits in its name and moves its nonce by one', async () => {
	const user = await fundedUser();
	const intentId = newIntent();
	const {receipt, deposits, gas} = await sendBatch(user, deposit(user, intentId), {authorized: true});
	expect(receipt.status).toBe('success');
	expect(deposits[0]?.args).toMatchObject({intentId: intentHash(intentId), depositor: user.address, amount: AMOUNT});
	expect(await base.client.getCode({address: user.address})).toBe(
		`0xef0100${base.addresses.batchExecutor.slice(2).toLowerCase()}`,
	);
	expect(await base.client.getTransactionCount({address: user.address})).toBe(1);
	expect(await base.client.getBalance({address: user.address})).toBe(0n);
	expect(gas).toBeGreaterThan(110_000n);
	expect(gas).toBeLessThan(200_000n);
});

test('a second deposit needs no authorization and is an ordinary transaction', async () => {
	const user = await delegatedUser();
	const {receipt, deposits} = await sendBatch(user, deposit(user));
	expect([receipt.status, receipt.type, deposits.length]).toEqual(['success', 'eip1559', 1]);
	expect(await base.client.getTransactionCount({address: user.address})).toBe(1);
});

test('a redundant authorization with the right nonce does no harm', async () => {
	const user = await delegatedUser();
	const {receipt, deposits} = await sendBatch(user, deposit(user), {authorized: true});
	expect([receipt.status, receipt.type, deposits.length]).toEqual(['success', 'eip7702', 1]);
});

test('an authorization with a wrong nonce leaves a success with no effect at all', async () => {
	const user = await fundedUser();
	const {receipt, deposits} = await sendBatch(user, deposit(user), {authorized: true, nonce: 7});
	expect([receipt.status, receipt.logs.length, deposits.length]).toEqual(['success', 0, 0]);
	expect(await base.client.getCode({address: user.address})).toBeUndefined();
	expect(await balanceOf(base, user.address)).toBe(100n * USDC);
});

test('swap and bridge deposits what the swap gave, in the name of the account', async () => {
	const user = newUser();
	const {dai, swapBridge, usdc} = base.addresses;
	await mint(base, user.address, 10n ** 19n, dai);
	const intentId = newIntent();
	const calls = [
		{
			to: dai,
			value: 0n,
			data: encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [swapBridge, 10n ** 19n]}),
		},
		{
			to: swapBridge,
			value: 0n,
			data: encodeFunctionData({
				abi: SwapBridge.abi,
				functionName: 'swapAndBridge',
				args: [intentHash(intentId), dai, 10n ** 19n, 9_900_000n, 42161n, user.address],
			}),
		},
	];
	const input = {calls, nonce: laneNonce(intentId), gasToken: dai, minBalance: 10n ** 19n};
	const {deposits} = await sendBatch(user, input, {authorized: true, gas: 600_000n});
	expect(deposits[0]?.args).toMatchObject({depositor: user.address, token: usdc, destinationChainId: 42161n});
	expect(deposits[0]?.args.amount).toBeGreaterThan(9_900_000n);
	expect(await balanceOf(base, base.addresses.swapBridge)).toBe(0n);
});

test('the solver fills on the destination once', async () => {
	const recipient = newUser().address;
	const fill = {
		to: arbitrum.addresses.bridge,
		data: encodeFunctionData({
			abi: Bridge.abi,
			functionName: 'fill',
			args: [intentHash(newIntent()), arbitrum.addresses.usdc, AMOUNT, recipient],
		}),
		gas: 200_000n,
	};
	const first = await mined(arbitrum, await arbitrum.sender('solver').send(fill));
	expect([first.status, await balanceOf(arbitrum, recipient)]).toEqual(['success', AMOUNT]);
	const second = await arbitrum.sender('solver').send(fill);
	expect((await mined(arbitrum, second)).status).toBe('reverted');
	expect((await failureOf(arbitrum.rpc, second)).name).toBe('AlreadyFilled');
});

test('the same intent again, unchanged or signed again, meets a lane that has moved on', async () => {
	const user = await delegatedUser();
	const intentId = newIntent();
	const input = deposit(user, intentId, 10n * USDC);
	expect((await sendBatch(user, input)).receipt.status).toBe('success');
	const again = await sendBatch(user, input);
	expect(again.reason).toMatch(/^BadNonce\(\d+, 1, 0\)$/);
	const signedAgain = await sendBatch(user, {...input, deadline: nowS() + 900n});
	expect(signedAgain.reason).toMatch(/^BadNonce\(\d+, 1, 0\)$/);
	expect(again.gas).toBeLessThan(45_000n);
	expect(await balanceOf(base, user.address)).toBe(90n * USDC);
});

test('too small a balance fails before anything else, and cheaply', async () => {
	const user = await delegatedUser();
	const input = {...deposit(user), minBalance: 200n * USDC, deadline: 1n, signer: newUser()};
	const {reason, gas} = await sendBatch(user, input);
	expect(reason).toBe(`InsufficientBalance(${base.addresses.usdc}, 100000000, 200000000)`);
	expect(gas).toBeLessThan(45_000n);
});

test('a first deposit that reverts still delegates, so that the retry carries no authorization', async () => {
	const user = await fundedUser();
	const intentId = newIntent();
	const failed = await sendBatch(user, {...deposit(user, intentId), minBalance: 200n * USDC}, {authorized: true});
	expect(failed.reason).toContain('InsufficientBalance');
	expect(failed.gas).toBeLessThan(55_000n);
	expect(await base.client.getDelegation({address: user.address})).toBe(base.addresses.batchExecutor);
	expect(await base.client.getTransactionCount({address: user.address})).toBe(1);
	const retried = await sendBatch(user, deposit(user, intentId));
	expect([retried.receipt.status, retried.deposits.length]).toEqual(['success', 1]);
});

test('an expired batch reverts', async () => {
	const user = await delegatedUser();
	const {reason} = await sendBatch(user, {...deposit(user), deadline: 1n});
	expect(reason).toMatch(/^Expired\(/);
});

test('more than four calls revert', async () => {
	const user = await delegatedUser();
	const intentId = newIntent();
	const call = depositCalls(base, user.address, intentId, AMOUNT)[0]!;
	const {reason} = await sendBatch(user, {calls: [call, call, call, call, call], nonce: laneNonce(intentId)});
	expect(reason).toBe('TooManyCalls(5)');
});

test("a batch signed by another account reverts and leaves the account's tokens", async () => {
	const user = await delegatedUser();
	const {reason} = await sendBatch(user, {...deposit(user), signer: newUser()});
	expect(reason).toBe('BadSignature()');
	expect(await balanceOf(base, user.address)).toBe(100n * USDC);
});

test('a batch signed for another account is not taken by the one that signed it', async () => {
	const [user, other] = [await delegatedUser(), await delegatedUser()];
	const input = deposit(user);
	const data = await signedBatch(base, other, {...input, signer: user});
	const hash = await base.sender('sponsor').send({to: user.address, data, gas: GAS});
	await mined(base, hash);
	expect((await failureOf(base.rpc, hash)).name).toBe('BadSignature');
});

test('the twin of a signature with s in the upper half is not taken', async () => {
	const user = await delegatedUser();
	const input = deposit(user);
	const deadline = nowS() + 300n;
	const data = await signedBatch(base, user, {...input, deadline});
	const at = data.length - 2 * 96;
	const [r, s, v] = [
		data.slice(at, at + 64),
		BigInt(`0x${data.slice(at + 64, at + 128)}`),
		data.slice(at + 128, at + 130),
	];
	const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
	const twin = `${r}${toHex(order - s, {size: 32}).slice(2)}${v === '1b' ? '1c' : '1b'}`;
	const hash = await base.sender('sponsor').send({
		to: user.address,
		data: `${data.slice(0, at)}${twin}${data.slice(at + 130)}` as `0x${string}`,
		gas: GAS,
	});
	await mined(base, hash);
	expect((await failureOf(base.rpc, hash)).name).toBe('BadSignature');
});

test('a call that reverts takes the whole batch with it, is named by its index, and leaves the lane usable', async () => {
	const user = await delegatedUser();
	const intentId = newIntent();
	const calls = depositCalls(base, user.address, intentId, AMOUNT, 1n);
	const failed = await sendBatch(user, {calls, nonce: laneNonce(intentId)});
	expect(failed.reason).toBe('call 1 failed: InsufficientAllowance(1, 50000000)');
	const {bridge, usdc} = base.addresses;
	const allowance = await base.client.readContract({
		abi: Token.abi,
		address: usdc,
		functionName: 'allowance',
		args: [user.address, bridge],
	});
	expect(allowance).toBe(0n);
	expect((await sendBatch(user, deposit(user, intentId))).deposits.length).toBe(1);
});

test('a gas limit that is too low is named as the reason', async () => {
	const user = await delegatedUser();
	const {reason, gas} = await sendBatch(user, deposit(user), {gas: 60_000n});
	expect([reason, gas]).toEqual(['out of gas', 60_000n]);
});

test('an authorization by another key delegates that other account and not this one', async () => {
	const [user, other] = [await fundedUser(), newUser()];
	const data = await signedBatch(base, user, deposit(user));
	const tuple = await authorize(base, other);
	const hash = await base.sender('sponsor').send({to: user.address, data, gas: GAS, authorizationList: [tuple]});
	const {status, logs} = await mined(base, hash);
	expect([status, logs.length]).toEqual(['success', 0]);
	expect(await base.client.getCode({address: user.address})).toBeUndefined();
	expect(await base.client.getDelegation({address: other.address})).toBe(base.addresses.batchExecutor);
});

test('a delegated account can receive native coins', async () => {
	const user = await delegatedUser();
	await mined(base, await base.sender('sponsor').send({to: user.address, value: 5n, gas: 60_000n}));
	expect(await base.client.getBalance({address: user.address})).toBe(5n);
});

test('lanes are independent of each other and of other storage', async () => {
	const user = await delegatedUser();
	const [a, b] = [laneNonce(newIntent()), laneNonce(newIntent())];
	await sendBatch(user, {calls: [], nonce: a});
	const next = (nonce: bigint) =>
		base.client.readContract({
			abi: BatchExecutor.abi,
			address: user.address,
			functionName: 'nextSequence',
			args: [nonce >> 64n],
		});
	expect([await next(a), await next(b)]).toEqual([1n, 0n]);
	expect(BigInt((await base.client.getStorageAt({address: user.address, slot: '0x0'})) ?? '0x0')).toBe(0n);
	expect((await sendBatch(user, {calls: [], nonce: a | 1n})).receipt.status).toBe('success');
});

test('the units of a batch are known before it is signed, from the simulation in place of the account', async () => {
	const user = await fundedUser();
	const input = deposit(user);
	const unsigned = encodeFunctionData({
		abi: BatchExecutor.abi,
		functionName: 'execute',
		args: [input.calls, input.nonce, nowS() + 300n, base.addresses.usdc, AMOUNT, `0x${'11'.repeat(64)}1b`],
	});
	const units = await base.client.estimateGas({
		account: base.accounts.sponsor.address,
		to: user.address,
		data: unsigned,
		stateOverride: [{address: user.address, code: BatchExecutorSimulation.runtime}],
	});
	const {receipt, gas} = await sendBatch(user, input, {authorized: true, gas: ((units + 25_000n) * 115n) / 100n});
	expect(receipt.status).toBe('success');
	expect(gas).toBeLessThan(units + 25_000n);
});

test('thirty batches of thirty accounts at once all go through, in one queue of nonces', async () => {
	const users = await Promise.all(Array.from({length: 30}, delegatedUser));
	const results = await Promise.all(users.map(user => sendBatch(user, deposit(user))));
	expect(results.every(({deposits}) => deposits.length === 1)).toBe(true);
});
