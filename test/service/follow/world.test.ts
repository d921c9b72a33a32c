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
