import {readFileSync} from 'node:fs';
import {type Abi, type Address, encodeFunctionData, type Hex, keccak256, parseEventLogs, zeroHash} from 'viem';
import type {PrivateKeyAccount} from 'viem/accounts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {
	Bridge,
	MarketToken,
	MarketVenue,
	SwapBridge,
	Token,
} from '../../../source/service/chain/artifacts.generated.ts';
import {bootstrap} from '../../../source/service/chain/bootstrap.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import {failureOf} from '../../../source/service/chain/failure-reason.ts';
import type {Role} from '../../../source/service/chain/practice-keys.ts';
import {createSender, type Sender} from '../../../source/service/chain/sender.ts';
import {entryOf, TOKEN_SLOTS} from '../../../source/service/chain/token-storage.ts';
import {
	afterTax,
	closePoolCalls,
	NO_CURVE,
	PlaceTaken,
	POOLS_SLOT,
	placeMarketToken,
	poolOverride,
	quoteBuy,
	quoteSell,
	readPool,
	setPoolCalls,
	TAX_SLOT,
	type VenuePool,
	type VenueTokenFacts,
	venueTradesIn,
} from '../../../source/service/chain/venue.ts';
import {Random} from '../../../source/service/market/simulator/random.ts';
import {compile} from '../../../source/tools/compile-contracts.ts';
import {fc} from '../../helpers/properties.ts';
import {balanceOf, intentHash, mined, mint, newIntent, newUser, nowS, USDC} from './practice.ts';

const DEPLOYER: Address = '0x00000000000000000000000000000000DeaDBeef';
const MAX = 2n ** 256n - 1n;
const DAY_S = 86_400;

let chains: ChainSet;
let chain: Chain;
let user: ReturnType<typeof newUser>;
let sender: Sender;
let made = 0;

beforeAll(async () => {
	chains = createChainSet({chainIds: [8453]});
	chain = await chains.ready(8453);
	user = newUser();
	sender = newSender();
	await chain.rpc.call('anvil_setBalance', [user.address, '0x8ac7230489e80000']);
	await mint(chain, user.address, 10_000_000n * USDC);
	await allow(chain.addresses.usdc, chain.addresses.venue);
});
afterAll(() => chains.close());

const newSender = () => createSender(chain.rpc, chain.info.id, user, {oneByOne: true});

/** Sends a call as the user or in a role, waits until it is mined, and gives the name of the error it met, if any. */
async function run(abi: Abi, to: Address, functionName: string, args: readonly unknown[], by: Role | 'user' = 'user') {
	const data = encodeFunctionData({abi, functionName, args});
	const hash = await (by === 'user' ? sender : chain.sender(by)).send({to, data, gas: 500_000n});
	const receipt = await mined(chain, hash);
	const reason = receipt.status === 'reverted' ? await failureOf(chain.rpc, hash) : undefined;
	return {receipt, error: reason?.name, trades: venueTradesIn(receipt.logs, chain.addresses.venue)};
}

const allow = (token: Address, spender: Address) => run(Token.abi, token, 'approve', [spender, MAX]);
const buy = (token: Address, usd: bigint, minOut = 0n) =>
	run(MarketVenue.abi, chain.addresses.venue, 'buy', [token, usd, minOut, user.address]);
const sell = (token: Address, amount: bigint, minOut = 0n) =>
	run(MarketVenue.abi, chain.addresses.venue, 'sell', [token, amount, minOut, user.address]);

const sync = (token: Address, pool: VenuePool, validUntilS = Number(nowS()) + DAY_S) =>
	chain.rpc.batch(setPoolCalls(chain, token, pool, validUntilS));

const newAddress = (): Address => `0x${(++made).toString(16).padStart(4, '0').repeat(10)}`;
const facts = (more: Partial<VenueTokenFacts> = {}): VenueTokenFacts => ({
	name: 'Frog Coin',
	symbol: 'FROG',
	decimals: 18,
	supplyRaw: 10n ** 27n,
	buyTaxBps: 0,
	sellTaxBps: 0,
	isHoneypot: false,
	taxTo: DEPLOYER,
	...more,
});
/** $5,000 on one side, all tokens of a launch on the other, 0.3 %. */
const pool = (more: Partial<VenuePool> = {}): VenuePool => ({
	token: 10n ** 27n,
	usd: 5000n * USDC,
	left: NO_CURVE,
	feePpm: 3000,
	...more,
});

/** A launch on the chain whose venue the user may trade with, and its pool. */
async function launch({of = {}, at = {}}: {of?: Partial<VenueTokenFacts>; at?: Partial<VenuePool>} = {}) {
	const token = newAddress();
	await placeMarketToken(chain, token, facts(of));
	await sync(token, pool(at));
	await allow(token, chain.addresses.venue);
	return token;
}

async function read(address: Address, abi: Abi, functionName: string, args: readonly unknown[] = []) {
	return chain.client.readContract({abi, address, functionName, args});
}

describe('storage that is written from outside', () => {
	test('lies where the compiler puts it', () => {
		const files = compile({'*': {MarketToken: ['storageLayout'], MarketVenue: ['storageLayout']}});
		const token = files['market-token.sol']!['MarketToken']!.storageLayout;
		const place = ({label, offset, slot}: {label: string; offset: number; slot: string}) => [label, slot, offset];
		expect(token.storage.map(place)).toEqual([
			['name', String(TOKEN_SLOTS.name), 0],
			['symbol', String(TOKEN_SLOTS.symbol), 0],
			['decimals', String(TOKEN_SLOTS.decimalsAndOwner), 0],
			['owner', String(TOKEN_SLOTS.decimalsAndOwner), 1],
			['totalSupply', String(TOKEN_SLOTS.totalSupply), 0],
			['balanceOf', String(TOKEN_SLOTS.balances), 0],
			['allowance', String(TOKEN_SLOTS.allowances), 0],
			['buyTaxBps', String(TAX_SLOT), 0],
			['sellTaxBps', String(TAX_SLOT), 2],
			['isHoneypot', String(TAX_SLOT), 4],
			['taxTo', String(TAX_SLOT), 5],
		]);
		const venue = files['market-venue.sol']!['MarketVenue']!.storageLayout;
		expect(venue.storage.map(place)).toEqual([['pools', String(POOLS_SLOT), 0]]);
		const struct = Object.values(venue.types).find(({members}) => members !== undefined)!;
		expect(struct.members!.map(place)).toEqual([
			['token', '0', 0],
			['usd', '0', 16],
			['left', '1', 0],
			['feePpm', '1', 16],
			['validUntil', '2', 0],
		]);
	});

	test.each([0, 6, 18, 36])('is read back by the contracts themselves, with %i decimals', async decimals => {
		const token = newAddress();
		const given = facts({decimals, supplyRaw: 77n * 10n ** BigInt(decimals), buyTaxBps: 9900, sellTaxBps: 513});
		await placeMarketToken(chain, token, given);
		const names = ['name', 'symbol', 'decimals', 'totalSupply', 'buyTaxBps', 'sellTaxBps', 'isHoneypot', 'taxTo'];
		const found = await Promise.all(names.map(name => read(token, MarketToken.abi, name)));
		const {name, symbol, supplyRaw, taxTo} = given;
		expect(found).toEqual([name, symbol, decimals, supplyRaw, 9900, 513, false, taxTo]);
		expect(await read(token, MarketToken.abi, 'owner')).toBe(chain.addresses.venue);
		expect(await balanceOf(chain, chain.addresses.venue, token)).toBe(supplyRaw);

		const reserves = {token: 3n, usd: 2n ** 128n - 5n, left: 10n ** 30n, feePpm: 12_345};
		await sync(token, reserves, 1_900_000_000);
		expect(await read(chain.addresses.venue, MarketVenue.abi, 'pools', [token])).toEqual([
			reserves.token,
			reserves.usd,
			reserves.left,
			reserves.feePpm,
			1_900_000_000n,
		]);
		await chain.rpc.batch(closePoolCalls(chain, token));
		expect(await readPool(chain, token)).toEqual(reserves);
	});

	test.each([
		['', ''],
		['x'.repeat(31), 'x'.repeat(31)],
		['x'.repeat(40), 'x'.repeat(31)],
		['🐸'.repeat(9), '🐸'.repeat(7)],
		['\u001b[31mred', '\u001b[31mred'],
	])('keeps a name exactly, up to 31 bytes: %j', async (name, kept) => {
		const token = newAddress();
		await placeMarketToken(chain, token, facts({name, symbol: name}));
		const found = [await read(token, Token.abi, 'name'), await read(token, Token.abi, 'symbol')];
		expect(found).toEqual([kept, kept]);
	});

	test('is never written over: neither code that is not ours, nor the supply a second time', async () => {
		const {bridge, usdc} = chain.addresses;
		const before = await chain.client.getCode({address: bridge});
		for (const taken of [bridge, usdc]) {
			await expect(placeMarketToken(chain, taken, facts())).rejects.toThrow(PlaceTaken);
		}
		expect(await chain.client.getCode({address: bridge})).toBe(before);
		expect(await read(usdc, Token.abi, 'symbol')).toBe('USDC');

		const token = newAddress();
		const once = [facts(), facts({supplyRaw: 1n})].map(given => placeMarketToken(chain, token, given));
		await Promise.all(once);
		await sync(token, pool());
		const {trades} = await buy(token, 10n * USDC);
		await placeMarketToken(chain, token, facts());
		expect(await balanceOf(chain, chain.addresses.venue, token)).toBe(10n ** 27n - trades[0]!.poolTokens);
	});

	test('refuses what does not fit, and a token of another venue', async () => {
		const token = newAddress();
		const bad: Partial<VenueTokenFacts>[] = [{buyTaxBps: 10_001}, {sellTaxBps: -1}, {decimals: 256}];
		for (const more of bad) await expect(placeMarketToken(chain, token, facts(more))).rejects.toThrow(RangeError);
		expect(() => setPoolCalls(chain, token, pool({token: 2n ** 128n}), 1)).toThrow(RangeError);
		await placeMarketToken(chain, token, facts());
		const other = {...chain, addresses: {...chain.addresses, venue: DEPLOYER}};
		await expect(placeMarketToken(other, token, facts())).rejects.toThrow(PlaceTaken);
	});
});

describe('a trade', () => {
	const kinds = [0, 6, 18, 36].flatMap(decimals => [0, 500, 9900].map(taxBps => ({decimals, taxBps})));

	/** A pool and where its tokens and the user's USDC went, kept without the chain. */
	interface Ledger {
		readonly at: VenuePool;
		readonly held: bigint;
		readonly taxed: bigint;
		readonly paid: bigint;
	}

	/** A trade as it is quoted, and the ledger after it; undefined when it is refused. */
	function quoted({at, held, taxed, paid}: Ledger, isBuy: boolean, given: bigint, taxBps: number) {
		const curve = (change: bigint) => (at.left === NO_CURVE ? NO_CURVE : at.left + change);
		if (isBuy) {
			const quote = quoteBuy(at, given);
			if (quote === undefined) return undefined;
			const {tokensOut: out, fee} = quote;
			const [got, usd] = [afterTax(out, taxBps), given - fee];
			const after = {...at, token: at.token - out, usd: at.usd + usd, left: curve(-out)};
			return {
				trade: {isBuy, usd, fee, poolTokens: out, traderTokens: got},
				ledger: {at: after, held: held + got, taxed: taxed + out - got, paid: paid + given},
			};
		}
		const net = afterTax(given, taxBps);
		const quote = quoteSell(at, net);
		if (quote === undefined) return undefined;
		const usd = quote.usdOut + quote.fee;
		const after = {...at, token: at.token + net, usd: at.usd - usd, left: curve(net)};
		return {
			trade: {isBuy, usd, fee: quote.fee, poolTokens: net, traderTokens: given},
			ledger: {at: after, held: held - given, taxed: taxed + given - net, paid: paid - quote.usdOut},
		};
	}

	const productOf = ({at}: Ledger) => at.token * at.usd;

	test('takes nothing from a pool, in any series, whatever its size, its fee and the tax', () => {
		const amount = (most: bigint) => fc.bigInt(1n, most);
		const pools = fc.record({token: amount(10n ** 36n), usd: amount(10n ** 15n), feePpm: fc.nat(50_000)});
		const steps = fc.array(fc.record({isBuy: fc.boolean(), part: amount(1000n)}), {maxLength: 10});
		const series = fc.property(pools, fc.constantFrom(0, 1, 500, 9900), steps, (start, taxBps, moves) => {
			let ledger: Ledger = {at: {...start, left: NO_CURVE}, held: 0n, taxed: 0n, paid: 0n};
			const go = (isBuy: boolean, given: bigint) => {
				const next = given > 0n ? quoted(ledger, isBuy, given, taxBps) : undefined;
				if (next === undefined) return;
				expect(productOf(next.ledger)).toBeGreaterThanOrEqual(productOf(ledger));
				ledger = next.ledger;
			};
			for (const {isBuy, part} of moves) go(isBuy, ((isBuy ? start.usd : ledger.held) * part) / 1000n);
			go(false, ledger.held);
			expect(ledger.paid).toBeGreaterThanOrEqual(0n);
		});
		fc.assert(series, {numRuns: 1000});
	});

	test('is to the unit what was quoted: 360 at random, of every kind of token', async () => {
		const random = new Random(12, 5);
		const tokens = await Promise.all(
			kinds.map(async ({decimals, taxBps}, i) => {
				// As much as fits with 36 decimals; half of them are curves.
				const supplyRaw = (decimals === 36 ? 100n : 10n ** 9n) * 10n ** BigInt(decimals);
				const at = pool({
					token: supplyRaw,
					left: i % 2 ? (supplyRaw * 8n) / 10n : NO_CURVE,
					feePpm: [0, 3000, 10_000][i % 3]!,
				});
				const token = newAddress();
				await placeMarketToken(chain, token, facts({decimals, supplyRaw, buyTaxBps: taxBps, sellTaxBps: taxBps}));
				await sync(token, at);
				return {token, taxBps, supplyRaw, ledger: {at, held: 0n, taxed: 0n, paid: 0n} as Ledger};
			}),
		);
		for (const {token} of tokens) await allow(token, chain.addresses.venue);

		const calls: {to: Address; data: Hex}[] = [];
		const expected: unknown[] = [];
		const {venue} = chain.addresses;
		while (calls.length < 360) {
			const one = tokens[calls.length % tokens.length]!;
			const {held} = one.ledger;
			const isBuy = held < 2n || random.chance(0.5);
			const given = isBuy ? 1n + BigInt(random.index(2_000_000_000)) : 1n + (held * BigInt(random.index(100))) / 100n;
			const functionName = isBuy ? 'buy' : 'sell';
			const args = [one.token, given, 0n, user.address] as const;
			calls.push({to: venue, data: encodeFunctionData({abi: MarketVenue.abi, functionName, args})});
			const next = quoted(one.ledger, isBuy, given, one.taxBps);
			expected.push(next?.trade);
			one.ledger = next?.ledger ?? one.ledger;
		}

		const usdBefore = await balanceOf(chain, user.address);
		const receipts = await mineAll(calls);
		const trades = receipts.map(({logs}) => venueTradesIn(logs, venue)[0]);
		expect(trades.map(trade => trade && pick(trade))).toEqual(expected);
		expect(expected.filter(what => what !== undefined).length).toBeGreaterThan(250);
		const paid = tokens.reduce((sum, {ledger}) => sum + ledger.paid, 0n);
		expect(await balanceOf(chain, user.address)).toBe(usdBefore - paid);
		for (const {token, ledger, supplyRaw} of tokens) {
			const {at, held, taxed} = ledger;
			expect(await readPool(chain, token)).toEqual(at);
			const holders = [user.address, DEPLOYER, venue];
			const found = await Promise.all(holders.map(holder => balanceOf(chain, holder, token)));
			expect(found).toEqual([held, taxed, supplyRaw - held - taxed]);
		}
	});

	const pick = ({isBuy, usd, fee, poolTokens, traderTokens}: ReturnType<typeof venueTradesIn>[number]) => ({
		isBuy,
		usd,
		fee,
		poolTokens,
		traderTokens,
	});

	/** Mines the user's calls in as few blocks as they fit, in their order. */
	async function mineAll(calls: readonly {to: Address; data: Hex}[]) {
		const first = await chain.client.getTransactionCount({address: user.address});
		const raws = await Promise.all(
			calls.map((call, i) =>
				user.signTransaction({
					...call,
					nonce: first + i,
					chainId: chain.info.id,
					type: 'eip1559',
					gas: 140_000n,
					maxFeePerGas: 10n ** 10n,
					maxPriorityFeePerGas: 1n,
				}),
			),
		);
		await chain.rpc.call('evm_setAutomine', [false]);
		await chain.rpc.batch(raws.map(raw => ({method: 'eth_sendRawTransaction', params: [raw]})));
		for (let block = 0; block < 3; block++) await chain.rpc.call('evm_mine', []);
		await chain.rpc.call('evm_setAutomine', [true]);
		// The old one counted on.
		sender = newSender();
		return Promise.all(raws.map(raw => chain.client.getTransactionReceipt({hash: keccak256(raw)})));
	}

	test('there and back leaves less than before', async () => {
		const token = await launch({at: {feePpm: 0}});
		const before = await balanceOf(chain, user.address);
		const {trades} = await buy(token, 500n * USDC);
		await sell(token, trades[0]!.traderTokens);
		expect(await balanceOf(chain, user.address)).toBeLessThanOrEqual(before);
		expect(await balanceOf(chain, user.address, token)).toBe(0n);
	});

	test('gives the least that was asked for, or is not made', async () => {
		const token = await launch({of: {buyTaxBps: 500, sellTaxBps: 500}});
		const out = afterTax(quoteBuy(pool(), 25n * USDC)!.tokensOut, 500);
		expect((await buy(token, 25n * USDC, out + 1n)).error).toBe('TooLittleOut');
		expect((await buy(token, 25n * USDC, out)).error).toBeUndefined();
		const {usdOut} = quoteSell(await readPool(chain, token), afterTax(out, 500))!;
		expect((await sell(token, out, usdOut + 1n)).error).toBe('TooLittleOut');
		expect((await sell(token, out, usdOut)).error).toBeUndefined();
	});

	test('ends a curve with its last unit, and not beyond', async () => {
		const out = quoteBuy(pool(), 900n * USDC)!.tokensOut;
		const short = {left: out - 1n};
		const exact = {left: out};
		expect(quoteBuy(pool(short), 900n * USDC)).toBeUndefined();
		expect(quoteBuy(pool(exact), 900n * USDC)?.tokensOut).toBe(out);
		const [closed, open] = [await launch({at: exact}), await launch({at: short})];
		expect((await buy(open, 900n * USDC)).error).toBe('SoldOut');
		expect((await buy(closed, 900n * USDC)).error).toBeUndefined();
		const end = await readPool(chain, closed);
		expect([end.left, quoteBuy(end, USDC), quoteSell(end, out)]).toEqual([0n, undefined, undefined]);
		expect((await buy(closed, USDC)).error).toBe('SoldOut');
		expect((await sell(closed, out)).error).toBe('SoldOut');
	});

	test('takes no reserves of before, and needs a pool', async () => {
		const token = await launch();
		await buy(token, USDC);
		await chain.rpc.batch(closePoolCalls(chain, token));
		expect((await buy(token, USDC)).error).toBe('Stale');
		await sync(token, pool(), Number(nowS()) - 60);
		expect((await sell(token, 1000n)).error).toBe('Stale');
		expect((await buy(newAddress(), USDC)).error).toBe('NoPool');
	});

	test('of nothing for something is refused', async () => {
		const token = await launch({of: {decimals: 0}, at: {token: 10n, usd: 5000n * USDC}});
		expect(quoteBuy(pool({token: 10n}), USDC)).toBeUndefined();
		expect((await buy(token, USDC)).error).toBe('NothingOut');
		expect((await sell(token, 0n)).error).toBe('NothingOut');
	});

	test('with a honeypot goes one way only', async () => {
		const token = await launch({of: {isHoneypot: true}});
		const {trades} = await buy(token, 25n * USDC);
		expect((await sell(token, trades[0]!.traderTokens)).error).toBe('SaleRefused');
		const friend = newUser().address;
		expect((await run(Token.abi, token, 'transfer', [friend, 5n])).error).toBeUndefined();
		expect(await balanceOf(chain, friend, token)).toBe(5n);
	});

	test('can be tried on reserves that are written nowhere', async () => {
		const token = newAddress();
		await placeMarketToken(chain, token, facts());
		const {result} = await chain.client.simulateContract({
			abi: MarketVenue.abi,
			address: chain.addresses.venue,
			functionName: 'buy',
			args: [token, 25n * USDC, 0n, user.address],
			account: user.address,
			stateOverride: poolOverride(chain, token, pool(), Number(nowS()) + DAY_S),
		});
		expect(result).toBe(quoteBuy(pool(), 25n * USDC)?.tokensOut);
		expect((await readPool(chain, token)).token).toBe(0n);
	});
});

describe('a token that does not behave', () => {
	let odd: Readonly<Record<string, Hex>>;
	let abi: Abi;
	beforeAll(() => {
		const source = readFileSync(new URL('odd-tokens.sol', import.meta.url), 'utf8');
		const outputs = ['abi', 'evm.deployedBytecode.object'];
		const names = ['SilentToken', 'FalseToken', 'CallingToken'];
		const files = compile({'odd.sol': Object.fromEntries(names.map(name => [name, outputs]))}, {'odd.sol': source});
		const found = files['odd.sol']!;
		odd = Object.fromEntries(names.map(name => [name, `0x${found[name]!.evm.deployedBytecode.object}`]));
		abi = found['CallingToken']!.abi as Abi;
	});

	async function place(name: string) {
		const token = newAddress();
		await chain.rpc.call('anvil_setCode', [token, odd[name]]);
		await run(abi, token, 'mint', [chain.addresses.venue, 10n ** 27n]);
		await run(abi, token, 'mint', [user.address, 10n ** 24n]);
		await sync(token, pool());
		return token;
	}

	test('by answering nothing trades all the same', async () => {
		const token = await place('SilentToken');
		const {trades} = await buy(token, 25n * USDC);
		expect(trades[0]?.traderTokens).toBe(quoteBuy(pool(), 25n * USDC)?.tokensOut);
		expect((await sell(token, trades[0]!.traderTokens)).error).toBeUndefined();
	});

	test('by answering false costs nothing', async () => {
		const token = await place('FalseToken');
		const before = await balanceOf(chain, user.address);
		expect((await buy(token, 25n * USDC)).error).toBe('TokenCallFailed');
		expect((await sell(token, 10n ** 20n)).error).toBe('TokenCallFailed');
		expect(await balanceOf(chain, user.address)).toBe(before);
	});

	test.each(['buy', 'sell'] as const)('by calling %s in the middle of a trade is refused', async functionName => {
		const token = await place('CallingToken');
		const again = encodeFunctionData({abi: MarketVenue.abi, functionName, args: [token, 1000n, 0n, user.address]});
		await run(abi, token, 'aim', [chain.addresses.venue, again]);
		expect((await buy(token, 25n * USDC)).error).toBe('Reentered');
		expect((await sell(token, 10n ** 20n)).error).toBe('Reentered');
		expect(await readPool(chain, token)).toEqual(pool());
	});
});

describe('the bridge', () => {
	const fill = (id: Hex, token: Address, usd: bigint, minOut: bigint, to: Address, by: Role | 'user' = 'solver') =>
		run(Bridge.abi, chain.addresses.bridge, 'fillFromVenue', [id, chain.addresses.venue, token, usd, minOut, to], by);

	test('buys for the recipient, once, and says what arrived', async () => {
		const token = await launch({of: {buyTaxBps: 500}});
		const [id, to] = [intentHash(newIntent()), newUser().address];
		const {tokensOut, fee} = quoteBuy(pool(), 25n * USDC)!;
		const out = afterTax(tokensOut, 500);
		const stock = await balanceOf(chain, chain.accounts.solver.address);
		const {receipt, trades} = await fill(id, token, 25n * USDC, out, to);
		const [filled] = parseEventLogs({abi: Bridge.abi, eventName: 'Filled', logs: receipt.logs});
		expect(filled?.args).toEqual({intentId: id, recipient: to, token, amount: out});
		expect(trades).toMatchObject([{trader: to, isBuy: true, fee, poolTokens: tokensOut, traderTokens: out}]);
		expect(await balanceOf(chain, to, token)).toBe(out);
		expect(await balanceOf(chain, chain.accounts.solver.address)).toBe(stock - 25n * USDC);
		expect(receipt.gasUsed).toBeLessThan(250_000n);
		expect((await fill(id, token, 25n * USDC, 0n, to)).error).toBe('AlreadyFilled');
	});

	test('does not fill below the minimum, after a cancel, with stale reserves, or for anybody but the solver', async () => {
		const token = await launch();
		const [id, to] = [intentHash(newIntent()), newUser().address];
		const {tokensOut} = quoteBuy(pool(), 25n * USDC)!;
		const stock = await balanceOf(chain, chain.accounts.solver.address);
		expect((await fill(id, token, 25n * USDC, tokensOut + 1n, to)).error).toBe('TooLittleOut');
		expect((await fill(id, token, 25n * USDC, 0n, to, 'user')).error).toBe('NotSolver');
		expect(await read(chain.addresses.bridge, Bridge.abi, 'fills', [id])).toBe(0);
		await chain.rpc.batch(closePoolCalls(chain, token));
		expect((await fill(id, token, 25n * USDC, 0n, to)).error).toBe('Stale');
		await sync(token, pool());
		await run(Bridge.abi, chain.addresses.bridge, 'cancelFill', [id], 'solver');
		expect((await fill(id, token, 25n * USDC, 0n, to)).error).toBe('FillWasCancelled');
		expect(await balanceOf(chain, chain.accounts.solver.address)).toBe(stock);
		expect(await balanceOf(chain, to, token)).toBe(0n);
	});

	test('gets what the sale of a launch brought, in the name of the seller', async () => {
		const {swapBridge, usdc} = chain.addresses;
		const token = await launch({of: {sellTaxBps: 500}});
		const {trades} = await buy(token, 100n * USDC);
		await allow(token, swapBridge);
		const amount = trades[0]!.traderTokens;
		const {usdOut} = quoteSell(await readPool(chain, token), afterTax(amount, 500))!;
		const swap = (least: bigint) =>
			run(SwapBridge.abi, swapBridge, 'swapAndBridge', [
				intentHash(newIntent()),
				token,
				amount,
				least,
				42161n,
				user.address,
			]);
		expect((await swap(usdOut + 1n)).error).toBe('TooLittleOut');
		const {receipt, trades: sold} = await swap(usdOut);
		const [deposit] = parseEventLogs({abi: Bridge.abi, eventName: 'Deposit', logs: receipt.logs});
		expect(deposit?.args).toMatchObject({depositor: user.address, token: usdc, amount: usdOut});
		expect(sold).toMatchObject([{trader: user.address, isBuy: false, traderTokens: amount}]);
		expect(await balanceOf(chain, swapBridge, token)).toBe(0n);
		await chain.rpc.batch(closePoolCalls(chain, token));
		const late = [zeroHash, token, 0n, 0n, 42161n, user.address];
		expect((await run(SwapBridge.abi, swapBridge, 'swapAndBridge', late)).error).toBe('Stale');
	});
});

test('reserves that go in one request with a trade are those of the trade, each of a hundred times', async () => {
	const token = await launch();
	const data = encodeFunctionData({
		abi: MarketVenue.abi,
		functionName: 'buy',
		args: [token, USDC, 0n, user.address],
	});
	const worlds = Array.from({length: 100}, (_, i) => pool({usd: BigInt(1000 + i) * USDC, feePpm: i}));
	const validUntilS = Number(nowS()) + 5;
	const hashes = await Promise.all(
		worlds.map(world =>
			sender.send({to: chain.addresses.venue, data, gas: 200_000n}, undefined, {
				sync: () => setPoolCalls(chain, token, world, validUntilS),
			}),
		),
	);
	const receipts = await Promise.all(hashes.map(hash => mined(chain, hash)));
	const trades = receipts.map(({logs}) => venueTradesIn(logs, chain.addresses.venue)[0]!);
	expect(trades.map(({poolTokens, fee}) => ({tokensOut: poolTokens, fee}))).toEqual(
		worlds.map(world => quoteBuy(world, USDC)),
	);
});

test('a chain that an earlier version began gets the venue beside what it has, and one that ran low is filled up', async () => {
	const {usdc, venue, swapBridge} = chain.addresses;
	const before = await balanceOf(chain, user.address);
	for (const address of [venue, swapBridge]) {
		await chain.rpc.call('anvil_setCode', [address, '0x']);
		await chain.rpc.call('anvil_setNonce', [address, '0x0']);
	}
	await chain.rpc.call('anvil_setStorageAt', [usdc, entryOf(TOKEN_SLOTS.balances, venue), zeroHash]);
	const {accounts, info, rpc} = chain;
	const senderOf = (account: PrivateKeyAccount) => createSender(rpc, info.id, account, {oneByOne: true});
	const addresses = await bootstrap({accounts, chainId: info.id, rpc, isPractice: true, deploys: true, senderOf});
	expect(addresses).toEqual(chain.addresses);
	expect(await read(venue, MarketVenue.abi, 'usdc')).toBe(usdc);
	expect(await balanceOf(chain, venue)).toBeGreaterThanOrEqual(1_000_000n * USDC);
	expect(await balanceOf(chain, user.address)).toBe(before);
});
