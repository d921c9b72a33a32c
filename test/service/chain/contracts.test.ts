import {readFileSync} from 'node:fs';
import {type Abi, type Address, encodeFunctionData, type Hex, parseEventLogs, zeroAddress} from 'viem';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {
	Amm,
	Bridge,
	PerpExchange,
	Token,
	Vault,
	VaultFactory,
} from '../../../source/service/chain/artifacts.generated.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {accountAddressOf} from '../../../source/service/chain/deployment.ts';
import {failureOf} from '../../../source/service/chain/failure-reason.ts';
import type {Role} from '../../../source/service/chain/practice-keys.ts';
import {createSender, type Sender} from '../../../source/service/chain/sender.ts';
import {compileContracts} from '../../../source/tools/compile-contracts.ts';
import {balanceOf, intentHash, mined, mint, newIntent, newUser, USDC} from './practice.ts';

let chains: ChainSet;
let chain: Chain;
let user: ReturnType<typeof newUser>;
let sender: Sender;

beforeAll(async () => {
	chains = createChainSet({chainIds: [8453, 42161, 137]});
	chain = await chains.ready(8453);
	user = newUser();
	sender = createSender(chain.rpc, chain.info.id, user);
	await chain.rpc.call('anvil_setBalance', [user.address, '0xde0b6b3a7640000']);
	await mint(chain, user.address, 10_000n * USDC);
	for (const spender of [chain.addresses.bridge, chain.addresses.perpExchange, chain.addresses.amm]) {
		await run(Token.abi, chain.addresses.usdc, 'approve', [spender, 2n ** 256n - 1n]);
	}
});
afterAll(() => chains.close());

/** Sends a call as the user or in a role and gives the name of the error it met, if any. */
async function run(
	abi: Abi,
	to: Address,
	functionName: string,
	args: readonly unknown[],
	by: Role | 'user' = 'user',
	value = 0n,
) {
	const data = encodeFunctionData({abi, functionName, args});
	const from = by === 'user' ? sender : chain.sender(by);
	const hash = await from.send({to, data, value, gas: 500_000n});
	const receipt = await mined(chain, hash);
	const error = receipt.status === 'reverted' ? (await failureOf(chain.rpc, hash)).name : undefined;
	return {receipt, error};
}

async function deposit(intentId: Hex, amount = 100n * USDC): Promise<Hex> {
	const {receipt} = await run(Bridge.abi, chain.addresses.bridge, 'bridgeToken', [
		intentId,
		chain.addresses.usdc,
		amount,
		42161n,
		user.address,
	]);
	return parseEventLogs({abi: Bridge.abi, eventName: 'Deposit', logs: receipt.logs})[0]!.args.depositId;
}

test('the committed artifacts are what the sources compile to', () => {
	const committed = readFileSync(
		new URL('../../../source/service/chain/artifacts.generated.ts', import.meta.url),
		'utf8',
	);
	expect(compileContracts()).toBe(committed);
});

test('every contract stands at the same address on every chain', async () => {
	const all = await Promise.all(chains.infos.map(({id}) => chains.ready(id)));
	for (const other of all) {
		expect(other.addresses).toEqual(chain.addresses);
		for (const address of Object.values(other.addresses)) {
			expect((await other.client.getCode({address}))?.length).toBeGreaterThan(2);
		}
	}
	expect(all.length).toBe(3);
});

test('an intent is deposited once by the same account', async () => {
	const intentId = intentHash(newIntent());
	const before = await balanceOf(chain, user.address);
	await deposit(intentId);
	const args = [intentId, chain.addresses.usdc, 1n, 42161n, user.address];
	const {error} = await run(Bridge.abi, chain.addresses.bridge, 'bridgeToken', args);
	expect(error).toBe('AlreadyDeposited');
	expect(await balanceOf(chain, user.address)).toBe(before - 100n * USDC);
});

test('a stranger cannot take the place of an intent by depositing dust for it first', async () => {
	const intentId = intentHash(newIntent());
	await run(Token.abi, chain.addresses.usdc, 'approve', [chain.addresses.bridge, 2n ** 256n - 1n], 'keeper');
	await mint(chain, chain.accounts.keeper.address, 10n);
	const dust = [user.address, intentId, chain.addresses.usdc, 1n, 42161n, user.address];
	const squatted = await run(Bridge.abi, chain.addresses.bridge, 'bridgeTokenFor', dust, 'keeper');
	expect(squatted.error).toBeUndefined();
	expect(await deposit(intentId)).toMatch(/^0x/);
});

test('a deposit of nothing, or for the chain it is on, is refused', async () => {
	const at = chain.addresses;
	const nothing = [intentHash(newIntent()), at.usdc, 0n, 42161n, user.address];
	expect((await run(Bridge.abi, at.bridge, 'bridgeToken', nothing)).error).toBe('ZeroAmount');
	const here = [intentHash(newIntent()), at.usdc, 1n, 8453n, user.address];
	expect((await run(Bridge.abi, at.bridge, 'bridgeToken', here)).error).toBe('SameChain');
});

test('only the solver fills, cancels, settles and refunds', async () => {
	const [id, bridge] = [intentHash(newIntent()), chain.addresses.bridge];
	const attempts: [string, unknown[]][] = [
		['fill', [id, chain.addresses.usdc, 1n, user.address]],
		['fillNative', [id, user.address]],
		['cancelFill', [id]],
		['settle', [id, id]],
		['refund', [id, id]],
	];
	for (const [name, args] of attempts) expect((await run(Bridge.abi, bridge, name, args)).error).toBe('NotSolver');
});

test('a deposit goes back to its depositor or to the solver, once', async () => {
	const [id, bridge] = [intentHash(newIntent()), chain.addresses.bridge];
	const depositId = await deposit(id);
	const before = await balanceOf(chain, user.address);
	expect((await run(Bridge.abi, bridge, 'refund', [id, depositId], 'solver')).error).toBeUndefined();
	expect(await balanceOf(chain, user.address)).toBe(before + 100n * USDC);
	expect((await run(Bridge.abi, bridge, 'refund', [id, depositId], 'solver')).error).toBe('NotDeposited');
	expect((await run(Bridge.abi, bridge, 'settle', [id, depositId], 'solver')).error).toBe('NotDeposited');

	const other = intentHash(newIntent());
	const otherDeposit = await deposit(other);
	const held = await balanceOf(chain, chain.accounts.solver.address);
	expect((await run(Bridge.abi, bridge, 'settle', [other, otherDeposit], 'solver')).error).toBeUndefined();
	expect(await balanceOf(chain, chain.accounts.solver.address)).toBe(held + 100n * USDC);
});

test('what was cancelled on the destination can never be filled, and what was filled never cancelled', async () => {
	const [cancelled, filled, bridge] = [intentHash(newIntent()), intentHash(newIntent()), chain.addresses.bridge];
	await run(Bridge.abi, bridge, 'cancelFill', [cancelled], 'solver');
	const late = [cancelled, chain.addresses.usdc, 1n, user.address];
	expect((await run(Bridge.abi, bridge, 'fill', late, 'solver')).error).toBe('FillWasCancelled');
	await run(Bridge.abi, bridge, 'fill', [filled, chain.addresses.usdc, 1n, user.address], 'solver');
	expect((await run(Bridge.abi, bridge, 'cancelFill', [filled], 'solver')).error).toBe('AlreadyFilled');
});

test('a fill in native coin pays the recipient and is refused when the recipient takes none', async () => {
	const [id, bridge, recipient] = [intentHash(newIntent()), chain.addresses.bridge, newUser().address];
	await run(Bridge.abi, bridge, 'fillNative', [id, recipient], 'solver', 7n);
	expect(await chain.client.getBalance({address: recipient})).toBe(7n);
	const closed = [intentHash(newIntent()), chain.addresses.usdc];
	expect((await run(Bridge.abi, bridge, 'fillNative', closed, 'solver', 7n)).error).toBe('RecipientRefused');
});

test('the pool pays the quoted amount, its price less the fee, and never below the minimum', async () => {
	const {amm, usdc, dai} = chain.addresses;
	const amountIn = 1000n * USDC;
	const said = await chain.client.readContract({
		abi: Amm.abi,
		address: amm,
		functionName: 'amountOut',
		args: [usdc, amountIn],
	});
	expect(said).toBeGreaterThan(996n * 10n ** 18n);
	expect(said).toBeLessThan(997n * 10n ** 18n);
	expect((await run(Amm.abi, amm, 'swap', [usdc, amountIn, said + 1n, user.address])).error).toBe('TooLittleOut');
	const before = await balanceOf(chain, user.address, dai);
	await run(Amm.abi, amm, 'swap', [usdc, amountIn, said, user.address]);
	expect((await balanceOf(chain, user.address, dai)) - before).toBe(said);
});

test('only the faucet makes tokens', async () => {
	expect((await run(Token.abi, chain.addresses.usdc, 'mint', [user.address, 1n])).error).toBe('NotOwner');
	expect((await run(Token.abi, chain.addresses.usdc, 'mint', [user.address, 1n], 'faucet')).error).toBeUndefined();
});

const PRICE = 100_000n * 10n ** 8n;
const [MARKET, LIMIT] = [0, 1];

async function perp(name: string, args: readonly unknown[], by: Role | 'user' = 'user') {
	return run(PerpExchange.abi, chain.addresses.perpExchange, name, args, by);
}

async function place(
	kind: number,
	{isLong = true, price = kind === LIMIT ? 90_000n * 10n ** 8n : 0n, takeProfit = 0n, stopLoss = 0n} = {},
) {
	await perp('setPrice', [1, PRICE], 'keeper');
	const {receipt} = await perp('placeOrder', [1, kind, isLong, 100n * USDC, 1000, price, takeProfit, stopLoss]);
	return parseEventLogs({abi: PerpExchange.abi, eventName: 'OrderPlaced', logs: receipt.logs})[0]!.args.index;
}

async function tradeAt(index: bigint) {
	const args = [user.address, index, 1n] as const;
	const at = {abi: PerpExchange.abi, address: chain.addresses.perpExchange, functionName: 'tradesOf', args} as const;
	return (await chain.client.readContract(at))[0]!;
}

test('a limit order can be cancelled once, by its owner, and gives its collateral back', async () => {
	const index = await place(LIMIT);
	const before = await balanceOf(chain, user.address);
	expect((await perp('cancelOrder', [index], 'keeper')).error).toBe('NotAnOrder');
	const {receipt} = await perp('cancelOrder', [index]);
	expect(receipt.gasUsed).toBeLessThan(60_000n);
	expect(await balanceOf(chain, user.address)).toBe(before + 100n * USDC);
	expect((await perp('cancelOrder', [index])).error).toBe('NotAnOrder');
	expect((await perp('cancelOrder', [9999n])).error).toBe('NotAnOrder');
});

test('take-profit and stop-loss are cancelled one by one, once', async () => {
	const index = await place(MARKET, {takeProfit: 120_000n * 10n ** 8n, stopLoss: 95_000n * 10n ** 8n});
	expect((await perp('cancelTakeProfit', [index])).error).toBeUndefined();
	expect((await tradeAt(index)).stopLoss).toBe(95_000n * 10n ** 8n);
	expect((await perp('cancelTakeProfit', [index])).error).toBe('NoTakeProfit');
	expect((await perp('cancelStopLoss', [index])).error).toBeUndefined();
	expect((await perp('cancelStopLoss', [index])).error).toBe('NoStopLoss');
});

test('a limit order opens at its price or better, and not before', async () => {
	const index = await place(LIMIT);
	expect((await perp('executeOrder', [user.address, index], 'keeper')).error).toBe('NotTriggered');
	await perp('setPrice', [1, 89_000n * 10n ** 8n], 'keeper');
	expect((await perp('executeOrder', [user.address, index], 'keeper')).error).toBeUndefined();
	expect(await tradeAt(index)).toMatchObject({stage: 2, price: 89_000n * 10n ** 8n});
	expect((await perp('cancelOrder', [index])).error).toBe('NotAnOrder');
});

test.each([
	['long', true, 105_000n, 148_752_500n],
	['short', false, 105_000n, 49_252_500n],
	['short', false, 95_000n, 148_752_500n],
])(
	'closing a %s position pays its collateral, its profit or loss and takes the fee',
	async (_, isLong, price, payout) => {
		const index = await place(MARKET, {isLong});
		await perp('setPrice', [1, price * 10n ** 8n], 'keeper');
		const before = await balanceOf(chain, user.address);
		await perp('closePosition', [index, 10_000n]);
		// 100 USDC less 0.5 for the opening are 99.5; ten times that moved by 5 %; less 0.05 % of ten times 99.5.
		expect((await balanceOf(chain, user.address)) - before).toBe(payout);
	},
);

test('a market order does not open at a worse price than it takes', async () => {
	await perp('setPrice', [1, PRICE], 'keeper');
	const order = (isLong: boolean, worst: bigint) => perp('placeOrder', [1, MARKET, isLong, USDC, 100, worst, 0n, 0n]);
	expect((await order(true, PRICE - 1n)).error).toBe('PriceMoved');
	expect((await order(false, PRICE + 1n)).error).toBe('PriceMoved');
	expect((await order(true, PRICE)).error).toBeUndefined();
	expect((await order(false, PRICE)).error).toBeUndefined();
});

test('a position that has lost nine tenths of its collateral can be closed by any account', async () => {
	const index = await place(MARKET);
	await perp('setPrice', [1, 92_000n * 10n ** 8n], 'keeper');
	expect((await perp('trigger', [user.address, index], 'sponsor')).error).toBe('NotTriggered');
	await perp('setPrice', [1, 91_000n * 10n ** 8n], 'keeper');
	expect((await perp('trigger', [user.address, index], 'sponsor')).error).toBeUndefined();
	expect((await tradeAt(index)).stage).toBe(4);
});

test("only the keeper sets prices, and leverage stays within the exchange's limits", async () => {
	expect((await perp('setPrice', [1, 1n])).error).toBe('NotKeeper');
	expect((await perp('placeOrder', [1, MARKET, true, USDC, 99, 0n, 0n, 0n])).error).toBe('BadLeverage');
	expect((await perp('placeOrder', [1, MARKET, true, USDC, 10_001, 0n, 0n, 0n])).error).toBe('BadLeverage');
	expect((await perp('placeOrder', [77, MARKET, true, USDC, 100, 0n, 0n, 0n])).error).toBe('NoPrice');
});

test('a lower leverage takes collateral and a higher one gives it back, the size being kept', async () => {
	const index = await place(MARKET);
	const before = await balanceOf(chain, user.address);
	await perp('updateLeverage', [index, 500]);
	expect(before - (await balanceOf(chain, user.address))).toBe(99_500_000n);
	await perp('updateLeverage', [index, 2000]);
	expect((await balanceOf(chain, user.address)) - before).toBe(99_500_000n / 2n);
});

async function createProxySignature(owner = user) {
	return owner.signTypedData({
		domain: {name: 'ServiceVaultFactory', chainId: chain.info.id, verifyingContract: chain.addresses.vaultFactory},
		types: {
			CreateProxy: [
				{name: 'paymentToken', type: 'address'},
				{name: 'payment', type: 'uint256'},
				{name: 'paymentReceiver', type: 'address'},
			],
		},
		primaryType: 'CreateProxy',
		message: {paymentToken: zeroAddress, payment: 0n, paymentReceiver: zeroAddress},
	});
}

test("a vault appears where it was predicted, with its owner's signature, from any sender, once", async () => {
	const {vaultFactory, usdc} = chain.addresses;
	const vault = accountAddressOf(vaultFactory, user.address);
	const args = [zeroAddress, 0n, zeroAddress, await createProxySignature()];
	expect((await run(VaultFactory.abi, vaultFactory, 'createProxy', args, 'sponsor')).error).toBeUndefined();
	expect(await chain.client.readContract({abi: Vault.abi, address: vault, functionName: 'owner'})).toBe(user.address);
	expect((await run(VaultFactory.abi, vaultFactory, 'createProxy', args, 'sponsor')).error).toBe('AlreadyCreated');

	await mint(chain, vault, 5n * USDC);
	const withdrawal = [usdc, user.address, 5n * USDC];
	expect((await run(Vault.abi, vault, 'withdraw', withdrawal, 'sponsor')).error).toBe('NotOwner');
	const before = await balanceOf(chain, user.address);
	expect((await run(Vault.abi, vault, 'withdraw', withdrawal)).error).toBeUndefined();
	expect((await balanceOf(chain, user.address)) - before).toBe(5n * USDC);
});

test('a vault with a payment in it, or with half a signature, is refused', async () => {
	const {vaultFactory} = chain.addresses;
	const signature = await createProxySignature(newUser());
	const paid = await run(VaultFactory.abi, vaultFactory, 'createProxy', [zeroAddress, 1n, zeroAddress, signature]);
	expect(paid.error).toBe('PaymentUnsupported');
	const half = signature.slice(0, 66) as Hex;
	const cut = await run(VaultFactory.abi, vaultFactory, 'createProxy', [zeroAddress, 0n, zeroAddress, half]);
	expect(cut.error).toBe('BadSignature');
});
