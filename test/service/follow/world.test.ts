import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {type Hex, keccak256} from 'viem';
import {afterEach, expect, test} from 'vitest';
import {compileStandIns} from '../../contracts/compile.ts';
import {openWorld, type World} from '../../helpers/follow-world.ts';
import {truthOf} from '../../helpers/world/truth.ts';

/** The hash of a pair's init code that routers of all chains compute addresses with. */
const PAIR_INIT_HASH = '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f';

const open: World[] = [];
const world = async (options: Parameters<typeof openWorld>[0] = {}) => {
	const opened = await openWorld(options);
	open.push(opened);
	return opened;
};
afterEach(async () => {
	await Promise.all(open.splice(0).map(each => each.close()));
});

test('the artifacts of the stand-ins are what their sources compile to', () => {
	const artifacts = new URL('../../contracts/artifacts.generated.ts', import.meta.url);
	expect(readFileSync(artifacts, 'utf8')).toBe(compileStandIns());
});

test('the pairs of the world are those of the real factory', async () => {
	const base = await world();
	const {place} = await base.launch({venue: 'uniswap-v2'});
	const code = await base.rpc<Hex>('eth_getCode', [place, 'latest']);
	const pair = createRequire(import.meta.url)('@uniswap/v2-core/build/UniswapV2Pair.json') as {
		bytecode: string;
		evm: {deployedBytecode: {object: string}};
	};
	expect(keccak256(`0x${pair.bytecode.replace('0x', '')}`)).toBe(PAIR_INIT_HASH);
	expect(code).toBe(`0x${pair.evm.deployedBytecode.object}`);
});

test('a launch on four.meme climbs its curve to its end and goes on in a pair', async () => {
	const bnb = await world({chain: 'bnb'});
	const token = await bnb.launch({name: 'Climber', symbol: 'CLMB'});
	await bnb.buy(token, 'ann', 6);
	const [half] = await truthOf(bnb, ['ann']);
	// 6 of 18 BNB are half of what the curve gives for 12 beside its 6 virtual ones.
	expect(half).toMatchObject({phase: 'bonding', progress: expect.closeTo(2 / 3, 9), reserves: {quote: 6}});
	expect(half?.balances.get(bnb.person('ann'))).toBeCloseTo(533_333_333.333, 2);
	await bnb.sell(token, 'ann', 0.5);
	await bnb.graduate(token);
	const [whole] = await truthOf(bnb, ['ann', 'whale']);
	expect(whole).toMatchObject({phase: 'bonded', progress: 1, reserves: {token: 200_000_000, quote: 18}});
	expect(whole?.trades.map(trade => trade.side)).toEqual(['buy', 'sell', 'buy']);
	const held = [...whole!.balances.values()].reduce((sum, amount) => sum + amount, 0);
	expect(held).toBeCloseTo(800_000_000, 3);
});

test('a reorg takes launches and trades back, and their blocks have other hashes', async () => {
	const base = await world();
	const kept = await base.launch();
	await base.buy(kept, 'ann', 0.1);
	const before = await base.head();
	await base.launch({venue: 'uniswap-v3', quote: 'dollar', quotes: 5000});
	await base.buy(kept, 'bob', 0.2);
	const undone = await base.head();
	const head = await base.reorg(undone.number - before.number);
	expect(head.number).toBe(undone.number + 1);
	expect(base.launched).toEqual([kept]);
	const [truth] = await truthOf(base, ['ann', 'bob']);
	expect(truth?.trades.map(trade => [trade.wallet, trade.amountQuote, trade.quoteUSD])).toEqual([
		[base.person('ann'), 0.1, 3000],
	]);
	expect(truth?.balances.has(base.person('bob'))).toBe(false);
	const again = await base.rpc<{hash: Hex}>('eth_getBlockByNumber', [`0x${undone.number.toString(16)}`, false]);
	expect(again.hash).not.toBe(undone.hash);
});

test('what is done together is in one block', async () => {
	const base = await world();
	const token = await base.launch();
	await base.together(async () => {
		await base.buy(token, 'ann', 0.1);
		await base.buy(token, 'bob', 0.1, {through: true});
	});
	const [truth] = await truthOf(base, ['ann', 'bob']);
	const blocks = new Set(truth?.trades.map(trade => trade.block));
	expect(truth?.trades).toHaveLength(2);
	expect(blocks.size).toBe(1);
});

test('a launch on Flap moves to its pair in the transaction of its last buy', async () => {
	const bnb = await world({chain: 'bnb'});
	const token = await bnb.launch({venue: 'flap'});
	await bnb.buy(token, 'ann', 4);
	await bnb.sell(token, 'ann', 0.25);
	const [climbing] = await truthOf(bnb, ['ann']);
	expect(climbing).toMatchObject({phase: 'bonding', trades: [{amountQuote: 4}, {side: 'sell'}]});
	expect(climbing?.reserves.quote).toBeLessThan(4);
	await bnb.graduate(token);
	const [whole] = await truthOf(bnb, ['ann', 'whale']);
	expect(whole).toMatchObject({phase: 'bonded', reserves: {token: 200_000_000, quote: 16}});
	await bnb.buy(token, 'bob', 1);
	await bnb.sell(token, 'bob');
});

test('a launch on Clanker is sold from a pool of the manager, and its fee is what the hook says', async () => {
	const base = await world();
	const token = await base.launch({venue: 'clanker'});
	await base.buy(token, 'ann', 1);
	const [bought] = await truthOf(base, ['ann']);
	const [trade] = bought?.trades ?? [];
	expect(trade).toMatchObject({side: 'buy', amountQuote: 1, quoteUSD: 3000, wallet: base.person('ann')});
	// Ten ether for all hundred billion: one without its fee of a percent buys a little less than a tenth.
	expect(trade?.amountToken).toBeGreaterThan(8.9e9);
	expect(trade?.amountToken).toBeLessThan(9.91e9);
	await base.sell(token, 'ann');
	const [sold] = await truthOf(base, ['ann']);
	expect(sold?.balances.has(base.person('ann'))).toBe(false);
	// A percent of the way in stays, and of the way out a percent of the tokens.
	expect(sold?.reserves.quote).toBeGreaterThan(0.0185);
	expect(sold?.reserves.quote).toBeLessThan(0.02);
});

test('a coin of Zora is traded for a coin without a price', async () => {
	const base = await world();
	const coin = await base.launch({venue: 'zora'});
	await base.buy(coin, 'ann', 500);
	const [truth] = await truthOf(base, ['ann']);
	expect(truth?.trades).toMatchObject([{amountQuote: 500, quoteUSD: null, valueUSD: null}]);
	expect(truth?.balances.get(coin.creator)).toBe(10_000_000);
});

test('pools of V4 and V3 that persons make hold what the trades left in them', async () => {
	const base = await world();
	const four = await base.launch({venue: 'uniswap-v4', quote: 'native'});
	const three = await base.launch({venue: 'uniswap-v3', quote: 'dollar', quotes: 9000});
	await base.buy(four, 'ann', 0.5);
	await base.buy(three, 'ann', 600);
	await base.sell(four, 'ann', 0.5);
	const [v4, v3] = await truthOf(base, ['ann']);
	expect(v4?.reserves.quote).toBeGreaterThan(2.2);
	expect(v4?.reserves.quote).toBeLessThan(2.3);
	expect(v3?.reserves.quote).toBeCloseTo(9591, 0);
	expect(v3?.trades).toMatchObject([{amountQuote: 600, quoteUSD: 1, valueUSD: 600}]);
});

test('a taxed token gives the wallet less than left the pool', async () => {
	const base = await world();
	const token = await base.launch();
	await base.tax(token, 50_000, 100_000);
	await base.buy(token, 'ann', 0.1);
	await base.sell(token, 'ann', 0.5);
	const [truth] = await truthOf(base, ['ann']);
	const [buy, sell] = truth?.trades ?? [];
	expect(buy!.walletToken / buy!.amountToken).toBeCloseTo(0.95, 9);
	expect(sell!.amountToken / sell!.walletToken).toBeCloseTo(0.9, 9);
});

test('a token of Virtuals ends at its threshold, and another one begins in a pair', async () => {
	const base = await world();
	const token = await base.launch({venue: 'virtuals', name: 'Agent', symbol: 'AGNT'});
	await base.buy(token, 'ann', 2000);
	await base.sell(token, 'ann', 0.5);
	const [climbing] = await truthOf(base, ['ann']);
	// 2000 coins without their percent, into 6000 virtual ones: 1980 of 7980 parts of all tokens.
	expect(climbing?.trades[0]).toMatchObject({amountQuote: 1980, amountToken: expect.closeTo((1e9 * 1980) / 7980, 0)});
	expect(climbing).toMatchObject({phase: 'bonding'});
	await base.graduate(token);
	const [ended] = await truthOf(base, ['ann', 'whale']);
	expect(ended).toMatchObject({phase: 'bonded', progress: 1});
	expect(ended?.reserves.token).toBeLessThan(125_000_000);
});
