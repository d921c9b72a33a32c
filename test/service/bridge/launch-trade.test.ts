import {type Address, encodeFunctionData, parseUnits} from 'viem';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {openPracticeTokens} from '../../../source/service/bridge/practice-tokens.ts';
import {Bridge, Token} from '../../../source/service/chain/artifacts.generated.ts';
import {readPool} from '../../../source/service/chain/venue.ts';
import {readHeldTokens} from '../../../source/service/held-tokens.ts';
import type {HeldToken} from '../../../source/service/market/held-token.ts';
import {type Hold, HoldEnded, isUntradable, type OutsideMarket} from '../../../source/service/market/outside.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {balanceOf, intentHash, mined, USDC, waitFor} from '../chain/practice.ts';
import {bodyOf, type User} from './bridge-client.ts';
import {
	addressOf,
	buy,
	curveLaunch,
	fundedBuyer,
	type LaunchBench,
	LaunchClock,
	openLaunchBench,
	poolLaunch,
	quoteBuy,
	quoteSell,
	sell,
} from './launches.ts';

const crowded = curveLaunch();
const moved = curveLaunch();
const nearlySold = curveLaunch({reserveToken: 283_900_000, reserveQuote: 6.0473, left: 4_000_000});
const returned = curveLaunch();
const late = curveLaunch();
const drained = poolLaunch();
let bench: LaunchBench;
/** Set by a test: what becomes of the next trade that is to be entered in the market. */
let whileSettling: (() => void) | undefined;

beforeAll(async () => {
	const launches = new LaunchClock([crowded, moved, nearlySold, returned, late, drained]);
	bench = await openLaunchBench(launches, {market: faulty(launches)});
});
afterAll(() => bench.close());

/** The market with a hold that a test can disturb. */
function faulty({market}: LaunchClock) {
	const {outside} = market;
	const disturbed: OutsideMarket = {
		...outside,
		async hold(key) {
			const hold = await outside.hold(key);
			return isUntradable(hold) ? hold : faultyHold(hold);
		},
	};
	return {...market, outside: disturbed};
}

function faultyHold(hold: Hold): Hold {
	return {
		...hold,
		settle(trade) {
			const act = whileSettling;
			whileSettling = undefined;
			act?.();
			hold.settle(trade);
		},
	};
}

const held = (user: {address: Address}, launch: HeldToken) => balanceOf(bench.base, user.address, addressOf(launch));

async function expectOneMarket(launch: HeldToken): Promise<void> {
	const {token, usd} = await readPool(bench.base, addressOf(launch));
	const {reserveToken, reserveUSD} = bench.launches.found(launch);
	expect(Number(token) / 1e18 / reserveToken).toBeCloseTo(1, 9);
	expect(Number(usd) / 1e6 / reserveUSD).toBeCloseTo(1, 9);
}

test('two dozen buys at once on one curve: each is made once, on the chain and in the market', async () => {
	const users = await Promise.all(Array.from({length: 3}, () => fundedBuyer(bench)));
	const bodies = await Promise.all(users.map(user => signedBuys(user)));
	const signed = bodies.flat();
	await Promise.all(signed.map(body => bench.bridge.execute(body)));
	const rows = await Promise.all(signed.map(({intentId}) => bench.bridge.wait(intentId)));
	expect(rows.map(({status}) => status)).toEqual(signed.map(() => expect.stringMatching(/^(filled|settled)$/)));

	const balances = await Promise.all(users.map(user => held(user, crowded)));
	const sum = balances.reduce((total, balance) => total + balance, 0n);
	const arrived = rows.reduce((total, {amountOut}) => total + parseUnits(amountOut!, 18), 0n);
	// The three users had a first buy each, which delegated their accounts.
	const first = bench.launches.tape(crowded).slice(0, 3);
	expect(Number(sum - arrived) / 1e18).toBeCloseTo(
		first.reduce((total, {amountToken}) => total + amountToken, 0),
		3,
	);
	// Nothing was made or lost: what no wallet has is the venue's.
	const token = {abi: Token.abi, address: addressOf(crowded)} as const;
	const supply = await bench.base.client.readContract({...token, functionName: 'totalSupply'});
	expect((await balanceOf(bench.base, bench.base.addresses.venue, addressOf(crowded))) + sum).toBe(supply);
	const tape = bench.launches.tape(crowded).slice(3);
	expect(tape.map(({tx}) => tx).toSorted()).toEqual(rows.map(({fillTxHash}) => fillTxHash).toSorted());
	await expectOneMarket(crowded);
});

/** Eight signed buys of a user whose account is delegated by a first one. */
async function signedBuys(user: User) {
	await buy(bench, user, crowded, '5');
	const quotes = await Promise.all(
		Array.from({length: 8}, () => quoteBuy(bench, user, crowded, {amount: '5', slippage: 50})),
	);
	return Promise.all(quotes.map(quote => bodyOf(bench, user, quote, {origin: bench.arbitrum})));
}

test('a price that moves before the deposit gives the money back, all of it', async () => {
	const [slow, quick] = await Promise.all([fundedBuyer(bench), fundedBuyer(bench)]);
	const quote = await quoteBuy(bench, slow, moved, {amount: '50', slippage: 1});
	await buy(bench, quick, moved, '300');
	await bench.bridge.execute(await bodyOf(bench, slow, quote, {origin: bench.arbitrum}));
	expect(await bench.bridge.wait(quote.intentId)).toMatchObject({
		status: 'refunded',
		amountOut: null,
		failureReason: expect.stringContaining('less than the promised minimum'),
	});
	expect(await held(slow, moved)).toBe(0n);
	expect(await balanceOf(bench.arbitrum, slow.address)).toBe(1000n * USDC);
	expect(bench.launches.tape(moved)).toHaveLength(1);
});

test('a curve that is sold out before the deposit is bought from its pool, when that opens', async () => {
	await bench.restart({retryMs: Array.from({length: 500}, () => 20)});
	const user = await fundedBuyer(bench);
	const quote = await quoteBuy(bench, user, nearlySold, {amount: '5', slippage: 50});
	await sellOut(nearlySold);
	await expect(quoteBuy(bench, user, nearlySold, {amount: '5'})).rejects.toMatchObject({check: 'migrating'});
	await bench.bridge.execute(await bodyOf(bench, user, quote, {origin: bench.arbitrum}));
	const reason = async () => (await bench.bridge.status(quote.intentId)).failureReason;
	await waitFor(async () => String(await reason()).includes('between its curve and its pool'));
	bench.launches.pass(4100);
	const row = await bench.bridge.wait(quote.intentId);
	expect(row).toMatchObject({status: 'filled', failureReason: null});
	expect(parseUnits(row.amountOut!, 18)).toBe(await held(user, nearlySold));
	expect(bench.launches.tape(nearlySold).at(-1)).toMatchObject({tx: row.fillTxHash, wallet: user.address});
	await bench.restart();
});

/** Somebody else in the market buys all that a curve has left. */
async function sellOut(launch: HeldToken): Promise<void> {
	const {left, reserveToken, reserveUSD} = bench.launches.found(launch);
	const hold = await bench.launches.market.outside.hold(launch.key);
	if (isUntradable(hold)) throw new Error(hold.why);
	const usd = (reserveUSD * left) / (reserveToken - left);
	const wallet = `0x${'77'.repeat(20)}`;
	hold.settle({side: 'buy', wallet, poolTokens: left, traderTokens: left, usd, feeUSD: 0, tx: `0x${'0'.repeat(64)}`});
	hold.release();
}

test('a sale that would bring less than what was signed is not sent, and can be sent when the price is back', async () => {
	const [slow, quick] = await Promise.all([fundedBuyer(bench), fundedBuyer(bench)]);
	await buy(bench, slow, returned, '50');
	await buy(bench, quick, returned, '300');
	const tokens = await held(slow, returned);
	const quote = await quoteSell(bench, slow, returned, {amountRaw: tokens.toString(), slippage: 1});
	const body = await bodyOf(bench, slow, quote, {origin: bench.base});
	await sell(bench, quick, returned, await held(quick, returned));
	await expect(bench.bridge.execute(body)).rejects.toMatchObject({check: 'send-failed', statusCode: 502});
	expect(await bench.bridge.status(quote.intentId)).toMatchObject({message: 'Quoted, not submitted.'});
	expect(await held(slow, returned)).toBe(tokens);
	await buy(bench, quick, returned, '310');
	await bench.bridge.execute(body);
	expect((await bench.bridge.wait(quote.intentId)).status).toBe('filled');
	expect(await held(slow, returned)).toBe(0n);
	await expectOneMarket(returned);
});

test('a sale that cannot be paid out gives back the USDC that it brought', async () => {
	const {arbitrum, base} = bench;
	const user = await fundedBuyer(bench);
	await buy(bench, user, returned, '50');
	const tokens = await held(user, returned);
	const quote = await quoteSell(bench, user, returned, {amountRaw: tokens.toString()});
	const data = encodeFunctionData({abi: Bridge.abi, functionName: 'cancelFill', args: [intentHash(quote.intentId)]});
	await mined(arbitrum, await arbitrum.sender('solver').send({to: arbitrum.addresses.bridge, data, gas: 200_000n}));
	await bench.bridge.execute(await bodyOf(bench, user, quote, {origin: base}));
	const row = await bench.bridge.wait(quote.intentId);
	expect(row).toMatchObject({
		status: 'refunded',
		amountOut: null,
		message: 'The token was sold; the USDC of the sale was given back on the origin chain.',
	});
	expect(await held(user, returned)).toBe(0n);
	expect(await balanceOf(base, user.address)).toBe(parseUnits(String(row.amountInUsd), 6));
	expect(row.amountInUsd).toBeGreaterThan(48);
});

test('what a sale is worth is not said before it is known', async () => {
	const user = await fundedBuyer(bench);
	const quote = await quoteSell(bench, user, returned, {amount: '1000000'});
	expect(await bench.bridge.status(quote.intentId)).toMatchObject({amountIn: '1000000', amountInUsd: null});
});

test('a trade that the market was not in time for comes before the next one, once', async () => {
	const user = await fundedBuyer(bench);
	whileSettling = () => {
		throw new HoldEnded(late.key);
	};
	const first = await buy(bench, user, late, '20');
	const second = await buy(bench, user, late, '20');
	expect(bench.launches.tape(late).map(({tx}) => tx)).toEqual([first.row.fillTxHash, second.row.fillTxHash]);
	await expectOneMarket(late);
});

test('a trade that the market was not in time for comes by itself, once', async () => {
	const user = await fundedBuyer(bench);
	const trades = bench.launches.tape(late).length;
	let failures = 0;
	whileSettling = function fail() {
		if (++failures < 3) whileSettling = fail;
		throw new HoldEnded(late.key);
	};
	const {row} = await buy(bench, user, late, '20');
	await waitFor(() => bench.launches.tape(late).length > trades);
	expect(failures).toBe(3);
	expect(bench.launches.tape(late)).toHaveLength(trades + 1);
	expect(bench.launches.tape(late).at(-1)?.tx).toBe(row.fillTxHash);
	await expectOneMarket(late);
});

test('a trade that was stored and never sent is none', async () => {
	const user = await fundedBuyer(bench);
	await buy(bench, user, late, '20');
	const trades = bench.launches.tape(late).length;
	const {base, directory, launches} = bench;
	// As a service leaves it that was killed between the two.
	const database = openSqlite(directory);
	await (await openPracticeTokens(database)).begin(
		{
			chainId: base.info.id,
			instance: base.instance,
			pendingTx: `0x${'ab'.repeat(32)}`,
			pendingSince: await base.client.getBlockNumber(),
		},
		launches.market.outside.heldFacts(late.key)!,
	);
	await database.close();
	const {row} = await buy(bench, user, late, '20');
	expect(row.status).toBe('filled');
	expect(launches.tape(late).map(({tx}) => tx)[trades]).toBe(row.fillTxHash);
	expect(launches.tape(late)).toHaveLength(trades + 1);
});

test('a trade that the practice chain lost sight of is mined all the same', async () => {
	const user = await fundedBuyer(bench);
	const trades = bench.launches.tape(late).length;
	// It takes transactions, and mines none by itself.
	await bench.base.rpc.call('evm_setAutomine', [false]);
	const {row} = await buy(bench, user, late, '20').finally(() => bench.base.rpc.call('evm_setAutomine', [true]));
	expect(row.status).toBe('filled');
	expect(bench.launches.tape(late).map(({tx}) => tx)[trades]).toBe(row.fillTxHash);
});

test('a token whose pool was emptied is sold for what is left, all at once, and bought by nobody', async () => {
	const user = await fundedBuyer(bench);
	await buy(bench, user, drained, '50');
	const quote = await quoteBuy(bench, user, drained, {amount: '5'});
	// The deployer takes 97 % of both reserves.
	await reopen(facts =>
		facts.key === drained.key
			? {...facts, isRugged: true, reserveToken: facts.reserveToken * 0.03, reserveQuote: facts.reserveQuote * 0.03}
			: facts,
	);
	await expect(quoteBuy(bench, user, drained, {amount: '5'})).rejects.toMatchObject({check: 'rugged'});
	await bench.bridge.execute(await bodyOf(bench, user, quote, {origin: bench.arbitrum}));
	expect(await bench.bridge.wait(quote.intentId)).toMatchObject({
		status: 'refunded',
		failureReason: expect.stringContaining('took the money'),
	});
	const sold = await sell(bench, user, drained, await held(user, drained));
	expect(sold.row).toMatchObject({status: 'filled', amountOut: sold.quote.estimatedAmountOut});
	// More than twelve per cent of the pool, of which there is nothing to wait for.
	expect(sold.quote.poolShare).toBeGreaterThan(12);
	expect(await held(user, drained)).toBe(0n);
});

test('after a restart the market goes on with what a wallet holds: the same token at the same price', async () => {
	const user = await fundedBuyer(bench);
	const natural = bench.launches.naturalLaunch();
	await buy(bench, user, natural, '25');
	bench.launches.pass(30_000);
	const before = bench.launches.found(natural);

	await reopen();
	const {reserveToken, reserveUSD, ...after} = bench.launches.found(natural);
	expect(after).toMatchObject({address: before.address, symbol: before.symbol, supply: before.supply});
	// The crowd may have traded once since.
	expect(Math.abs(reserveUSD / reserveToken / (before.reserveUSD / before.reserveToken) - 1)).toBeLessThan(0.02);
	expect(bench.launches.figure(natural, 'holders_count')).toBeGreaterThan(0);
	// It is sold there as before; then nobody has any, and the next run begins without it.
	await sell(bench, user, natural, await held(user, natural));
	await expectOneMarket(natural);
	const keys = (await stored()).map(({key}) => key);
	expect(keys).not.toContain(natural.key);
	expect(keys).toContain(late.key);
});

test('a trade that was mined when the service stopped is in the market of the next run, once', async () => {
	const user = await fundedBuyer(bench);
	whileSettling = function fail() {
		whileSettling = fail;
		throw new HoldEnded(late.key);
	};
	const {row} = await buy(bench, user, late, '100');
	const before = bench.launches.figure(late, 'latest_price');
	await bench.bridge.close();
	whileSettling = undefined;
	await reopen();
	await waitFor(() => bench.launches.tape(late).length > 0);
	expect(bench.launches.tape(late).map(({tx, wallet}) => ({tx, wallet}))).toEqual([
		{tx: row.fillTxHash, wallet: user.address},
	]);
	expect(bench.launches.figure(late, 'latest_price')).toBeGreaterThan(before);
	await buy(bench, user, late, '5');
	expect(bench.launches.tape(late)).toHaveLength(2);
	await expectOneMarket(late);
});

/** What a later run would be given. */
const stored = async () => (await readHeldTokens(bench.directory, () => {})) as HeldToken[];

/** Stops the service and starts it with a market of its own, that has what was stored. */
async function reopen(changed = (facts: HeldToken) => facts): Promise<void> {
	await bench.bridge.close();
	const launches = new LaunchClock((await stored()).map(changed), bench.launches.nowMs);
	bench.launches = launches;
	await bench.restart({market: faulty(launches), now: () => launches.nowMs});
}
