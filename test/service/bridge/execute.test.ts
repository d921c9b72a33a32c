import {encodeFunctionData, numberToHex, parseEventLogs} from 'viem';
import {afterAll, beforeAll, expect, test} from 'vitest';
import type {ExecuteBody, Quote} from '../../../source/contract/bridge.ts';
import {EXECUTE_REFUSALS, type ExecuteCheck} from '../../../source/service/bridge/bridge-errors.ts';
import {Bridge, Token} from '../../../source/service/chain/artifacts.generated.ts';
import {balanceOf, mined, newUser, nowS, USDC} from '../chain/practice.ts';
import {type Bench, type BodyOptions, bodyOf, fundedUser, openBench, quoteOf, type User} from './bridge-client.ts';

let bench: Bench;
beforeAll(async () => {
	bench = await openBench();
});
afterAll(() => bench.close());

const refusal = (check: ExecuteCheck) => ({check, statusCode: EXECUTE_REFUSALS[check]});

test('a first gasless transfer of an account without native coin arrives, and the next needs no authorization', async () => {
	const user = await fundedUser(bench);
	for (const authorizations of [1, 0]) {
		const before = await balanceOf(bench.arbitrum, user.address);
		const quote = await quoteOf(bench, user);
		const body = await bodyOf(bench, user, quote);
		expect(body.authorizationList).toHaveLength(authorizations);
		const result = await bench.bridge.execute(body);
		expect(result).toMatchObject({intentId: quote.intentId, status: 'pending'});
		const row = await bench.bridge.wait(quote.intentId);
		expect(row.status).toBe('filled');
		const arrived = (await balanceOf(bench.arbitrum, user.address)) - before;
		expect(arrived).toBe(BigInt(Math.round(Number(quote.estimatedAmountOut) * 1e6)));
		expect(row.amountOut).toBe(quote.estimatedAmountOut);
	}
	expect(await balanceOf(bench.base, user.address)).toBe(900n * USDC);
	expect(await bench.base.client.getBalance({address: user.address})).toBe(0n);
});

test('the gas limit of the broadcast is the units that the quote charged, and what was sent is the batch', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const {depositTxHash, sponsoredGasLimit} = await bench.bridge.execute(await bodyOf(bench, user, quote));
	const sent = await bench.base.client.getTransaction({hash: depositTxHash as `0x${string}`});
	expect(sent.gas.toString()).toBe(sponsoredGasLimit);
	expect(sent.type).toBe('eip7702');
	const {base} = bench;
	const charged = Number(sponsoredGasLimit) * base.info.gasPriceGwei * 1e-9 * base.info.nativeUSD;
	expect(Number(quote.fees.originSponsorGasUsd)).toBeCloseTo(charged, 5);
	expect(sent.to?.toLowerCase()).toBe(user.address.toLowerCase());
});

test('the deposit carries the intent, and settling repays the solver', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const {depositTxHash} = await bench.bridge.execute(await bodyOf(bench, user, quote));
	await bench.bridge.wait(quote.intentId);
	const {logs} = await bench.base.client.getTransactionReceipt({hash: depositTxHash as `0x${string}`});
	const [deposit] = parseEventLogs({abi: Bridge.abi, eventName: 'Deposit', logs});
	expect(deposit?.args).toMatchObject({depositor: user.address, amount: 50n * USDC, destinationChainId: 42161n});
	await expect.poll(async () => (await bench.bridge.status(quote.intentId)).status).toBe('settled');
	const row = await bench.bridge.status(quote.intentId);
	expect(Object.values(row.timestamps!).every(moment => typeof moment === 'string')).toBe(true);
});

test('a token that must be swapped first arrives as what the pool gave', async () => {
	const user = newUser();
	const {base, bridge} = bench;
	const {dai} = base.addresses;
	const mint = encodeFunctionData({abi: Token.abi, functionName: 'mint', args: [user.address, 100n * 10n ** 18n]});
	await mined(base, await base.sender('faucet').send({to: dai, data: mint, gas: 200_000n}));
	const quote = await quoteOf(bench, user, {originToken: dai});
	expect(quote.steps!.map(step => step.type)).toEqual(['approve', 'swapAndBridge']);
	await bridge.execute({...(await bodyOf(bench, user, quote)), entrypoint: 'swapAndBridge'});
	const row = await bridge.wait(quote.intentId);
	expect(row.status).toBe('filled');
	expect(Number(row.amountOut)).toBeGreaterThan(49);
	expect(Number(row.amountOut)).toBeLessThan(50);
});

test.each(['native', 'dai'] as const)('the destination can be paid in %s', async kind => {
	const user = await fundedUser(bench);
	const {arbitrum, bridge} = bench;
	const recipient = newUser().address;
	const destinationToken = kind === 'dai' ? arbitrum.addresses.dai : undefined;
	const quote = await quoteOf(bench, user, {destinationToken, walletAddress: recipient, senderAddress: user.address});
	await bridge.execute(await bodyOf(bench, user, quote));
	const row = await bridge.wait(quote.intentId);
	expect(row).toMatchObject({status: 'filled', recipient, sender: user.address});
	const held =
		kind === 'dai'
			? balanceOf(arbitrum, recipient, destinationToken!)
			: arbitrum.client.getBalance({address: recipient});
	expect(Number(await held) / 1e18).toBeCloseTo(Number(row.amountOut), 12);
});

type Spoil = (body: ExecuteBody, user: User, quote: Quote) => Partial<ExecuteBody> | Promise<Partial<ExecuteBody>>;

/** Each refusal, by how a request comes to it. What is changed is signed with the change where a signature covers it. */
const REFUSALS: readonly (readonly [
	ExecuteCheck,
	string,
	{signed?: (body: ExecuteBody) => BodyOptions; sent?: Spoil},
])[] = [
	['unknown-intent', 'an id that was never quoted', {sent: () => ({intentId: 'aaaaaaa-bbbbbbb-ccc'})}],
	['wrong-authority', 'another account than the quoted one', {sent: () => ({authority: newUser().address})}],
	['wrong-origin', 'another chain than the quoted one', {sent: () => ({originChainId: 'evm:42161'})}],
	['wrong-gas-token', 'another gas token', {sent: () => ({gasToken: bench.base.addresses.dai})}],
	['low-min-balance', 'less than the deposit as balance', {signed: () => ({signed: {minBalance: '49999999'}})}],
	[
		'call-out-of-scope',
		'a call to a stranger',
		{signed: body => ({signed: {calls: [body.calls[0]!, {...body.calls[1]!, to: newUser().address}]}})},
	],
	[
		'call-not-quoted',
		'a transfer in place of the approval',
		{
			signed: body => {
				const data = encodeFunctionData({abi: Token.abi, functionName: 'transfer', args: [newUser().address, 1n]});
				return {signed: {calls: [{...body.calls[0]!, data}, body.calls[1]!]}};
			},
		},
	],
	['call-not-quoted', 'calls in another order', {signed: body => ({signed: {calls: body.calls.toReversed()}})}],
	['call-not-quoted', 'a call too few', {signed: body => ({signed: {calls: body.calls.slice(0, 1)}})}],
	[
		'native-value',
		'a call with value',
		{signed: body => ({signed: {calls: [{...body.calls[0]!, value: '1'}, body.calls[1]!]}})},
	],
	['wrong-lane', 'the lane of another intent', {signed: () => ({signed: {batchNonce: (7n << 64n).toString()}})}],
	[
		'wrong-lane',
		'a later sequence of its lane',
		{signed: body => ({signed: {batchNonce: (BigInt(body.batchNonce) + 1n).toString()}})},
	],
	['expired-deadline', 'a deadline that has passed', {signed: () => ({signed: {deadline: String(nowS() - 1n)}})}],
	['bad-batch-signature', 'a batch signed by another account', {signed: () => ({signer: newUser()})}],
	[
		'bad-batch-signature',
		'a deadline changed after signing',
		{sent: body => ({deadline: String(BigInt(body.deadline) + 1n)})},
	],
	['bad-batch-signature', 'a number that no contract takes', {sent: () => ({minBalance: '9'.repeat(78)})}],
	['bad-batch-signature', 'bytes that are no signature', {sent: () => ({batchSignature: `0x${'00'.repeat(65)}`})}],
	['too-many-calls', 'five calls', {signed: body => ({signed: {calls: Array(5).fill(body.calls[0]!)}})}],
	['wrong-entrypoint', 'another entrypoint than the last step', {sent: () => ({entrypoint: 'swapAndBridge'})}],
	[
		'bad-intent-signature',
		'an intent signature by another account',
		{
			sent: async (_, __, quote) => ({signature: await signIntent(newUser(), quote)}),
		},
	],
	['authorization-missing', 'no authorization', {sent: () => ({authorizationList: []})}],
	['authorization-missing', 'no list of authorizations', {sent: () => ({authorizationList: undefined})}],
	['authorization-wildcard', 'an authorization for every chain', {signed: () => ({authorization: {chainId: 0}})}],
	[
		'authorization-wrong-chain',
		'an authorization for another chain',
		{signed: () => ({authorization: {chainId: 42161}})},
	],
	[
		'authorization-wrong-delegate',
		'an authorization for other code',
		{signed: () => ({authorization: {address: bench.base.addresses.bridge}})},
	],
	['authorization-wrong-signer', 'an authorization by another account', {signed: () => ({authorizedBy: newUser()})}],
	['authorization-wrong-nonce', 'an authorization with the next nonce', {signed: () => ({authorization: {nonce: 1}})}],
	[
		'bad-authorization',
		'an authorization with s in the upper half',
		{
			sent: ({authorizationList}) => {
				const [tuple] = authorizationList!;
				const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
				const s = numberToHex(order - BigInt(tuple!.s), {size: 32});
				return {authorizationList: [{...tuple!, s, yParity: 1 - tuple!.yParity}]};
			},
		},
	],
];

async function signIntent(user: User, {typedData}: Quote): Promise<`0x${string}`> {
	const {domain, types, primaryType, message} = typedData!;
	return user.signTypedData({domain, types, primaryType, message} as Parameters<User['signTypedData']>[0]);
}

test.each(REFUSALS)(
	'%s: %s is refused, nothing is sent, and the same intent still goes through',
	async (check, _, {signed, sent}) => {
		const user = await fundedUser(bench);
		const quote = await quoteOf(bench, user);
		const honest = await bodyOf(bench, user, quote);
		const spoiled = signed ? await bodyOf(bench, user, quote, signed(honest)) : honest;
		const body = {...spoiled, ...(await sent?.(spoiled, user, quote))} as ExecuteBody;
		const before = await bench.base.client.getTransactionCount({address: bench.base.accounts.sponsor.address});
		await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal(check));
		expect(await bench.base.client.getTransactionCount({address: bench.base.accounts.sponsor.address})).toBe(before);
		expect((await bench.bridge.status(quote.intentId)).status).toBe('pending');
		await bench.bridge.execute(honest);
		expect((await bench.bridge.wait(quote.intentId)).status).toBe('filled');
	},
);

test('every refusal has its own text that names the check', async () => {
	const words = new Map<string, string>();
	for (const [check, , {signed, sent}] of REFUSALS) {
		const user = newUser();
		const quote = await quoteOf(bench, user);
		const honest = await bodyOf(bench, user, quote);
		const spoiled = signed ? await bodyOf(bench, user, quote, signed(honest)) : honest;
		const body = {...spoiled, ...(await sent?.(spoiled, user, quote))} as ExecuteBody;
		const error = await bench.bridge.execute(body).catch(caught => caught);
		words.set(error.message.replace(/\d+/g, '0'), check);
	}
	expect(words.size).toBe(new Set(REFUSALS.map(([check]) => check)).size);
});

test('a needless authorization is refused: the quote did not charge for it', async () => {
	const user = await fundedUser(bench);
	const first = await quoteOf(bench, user);
	await bench.bridge.execute(await bodyOf(bench, user, first));
	await bench.bridge.wait(first.intentId);
	const second = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, second, {authorization: {}});
	await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('authorization-needless'));
});

test('a quote that was not gasless is refused', async () => {
	const user = await fundedUser(bench);
	const gasless = await quoteOf(bench, user);
	const plain = await quoteOf(bench, user, {gasless: false});
	const body = await bodyOf(bench, user, {...gasless, intentId: plain.intentId});
	await expect(bench.bridge.execute(body)).rejects.toMatchObject(refusal('not-gasless'));
});

test('the intent signature of the user himself is accepted beside the batch', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, quote);
	await bench.bridge.execute({...body, signature: await signIntent(user, quote), executionKind: 'sponsored7702'});
	expect((await bench.bridge.wait(quote.intentId)).status).toBe('filled');
});

test('a batch may be signed for ever', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, quote, {signed: {deadline: String(2n ** 256n - 1n)}});
	await bench.bridge.execute(body);
	expect((await bench.bridge.wait(quote.intentId)).status).toMatch(/^(filled|settled)$/);
});

test('too small a balance at the time of the deposit ends as failed, by its name, and nothing moved', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user, {amount: '1500'});
	const {depositTxHash} = await bench.bridge.execute(await bodyOf(bench, user, quote));
	const row = await bench.bridge.wait(quote.intentId);
	expect(row).toMatchObject({id: quote.intentId, status: 'failed', depositTxHash});
	expect(row.failureReason).toBe(`InsufficientBalance(${bench.base.addresses.usdc}, 1000000000, 1500000000)`);
	expect(await balanceOf(bench.base, user.address)).toBe(1000n * USDC);
	const again = bodyOf(bench, user, quote).then(body => bench.bridge.execute(body));
	await expect(again).rejects.toMatchObject(refusal('already-reverted'));
});

test('a call that reverts ends as failed, with the index of the call', async () => {
	const user = newUser();
	const {base, bridge} = bench;
	const {dai} = base.addresses;
	const mint = encodeFunctionData({abi: Token.abi, functionName: 'mint', args: [user.address, 2000n * 10n ** 18n]});
	await mined(base, await base.sender('faucet').send({to: dai, data: mint, gas: 200_000n}));
	// Without any slippage the swap asks for what the pool gave at the quote: another's trade before it makes it fail.
	const quote = await quoteOf(bench, user, {originToken: dai, amount: '1000', slippage: 0});
	const trade = await quoteOf(bench, user, {originToken: dai, amount: '1000', slippage: 1});
	await bridge.execute(await bodyOf(bench, user, trade));
	await bridge.wait(trade.intentId);
	await bridge.execute(await bodyOf(bench, user, quote));
	const row = await bridge.wait(quote.intentId);
	expect(row.status).toBe('failed');
	expect(row.failureReason).toMatch(/^call 1 failed: TooLittleOut\(\d+, \d+\)$/);
});

test('two executes of one intent at the same moment: one goes through, the other meets the claim', async () => {
	const user = await fundedUser(bench);
	const quote = await quoteOf(bench, user);
	const body = await bodyOf(bench, user, quote);
	const results = await Promise.allSettled(Array.from({length: 8}, () => bench.bridge.execute(body)));
	expect(results.filter(({status}) => status === 'fulfilled')).toHaveLength(1);
	for (const result of results) {
		if (result.status === 'rejected') expect(result.reason).toMatchObject(refusal('already-submitted'));
	}
	await bench.bridge.wait(quote.intentId);
	expect(await balanceOf(bench.base, user.address)).toBe(950n * USDC);
	const later = bench.bridge.execute({...body, deadline: String(nowS() + 900n)});
	await expect(later).rejects.toMatchObject({...refusal('already-submitted'), next: 'poll-status'});
});

test('twenty users at once are all served', async () => {
	const users = await Promise.all(Array.from({length: 20}, () => fundedUser(bench)));
	const rows = await Promise.all(
		users.map(async user => {
			const quote = await quoteOf(bench, user);
			await bench.bridge.execute(await bodyOf(bench, user, quote));
			return bench.bridge.wait(quote.intentId);
		}),
	);
	expect(new Set(rows.map(row => row.status))).toEqual(new Set(['filled']));
});
