import {afterEach, expect, test} from 'vitest';
import {createEvmSource} from '../../../source/service/follow/evm/evm-source.ts';
import {V3_SWAP} from '../../../source/service/follow/evm/venues/uniswap-v3.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {openWorld, type World} from '../../helpers/follow-world.ts';
import {PlainSink} from '../../helpers/plain-sink.ts';

/** Of ZORA with the dollar coin, on Base. */
const POOL = '0xedc625b74537ee3a10874f53d170e9c17a906b9c';
const SENDER = '0x00000000000000000000000000000000000a11ce';
const open: {stop(): Promise<void>}[] = [];

afterEach(async () => {
	for (const part of open.splice(0).reverse()) await part.stop();
});

/** Puts a contract at the pool's place that logs what it is called with, as a swap of V3 between two accounts. */
async function placePool({rpc}: World): Promise<void> {
	const account = SENDER.slice(2).padStart(64, '0');
	// CALLDATACOPY of everything, then LOG3 with the topics below it.
	const code = `0x3660006000377f${account}7f${account}7f${V3_SWAP.slice(2)}366000a300`;
	await rpc('anvil_setCode', [POOL, code]);
	await rpc('anvil_setBalance', [SENDER, '0xde0b6b3a7640000']);
}

/** A swap in the pool that leaves ZORA at so many dollars. */
async function swapTo(world: World, price: number): Promise<void> {
	const root = BigInt(Math.round(Math.sqrt(price * 1e-12) * 2 ** 96));
	const data = `0x${[1n, 1n, root, 1n, 1n].map(word => word.toString(16).padStart(64, '0')).join('')}`;
	await world.rpc('eth_sendTransaction', [{from: SENDER, to: POOL, data, gas: '0x30d40', gasPrice: '0x77359400'}]);
	await world.mine();
}

async function trades(world: World): Promise<readonly Extract<MarketEvent, {type: 'trade'}>[]> {
	const sink = new PlainSink();
	const chainId = `evm:${world.places.number}`;
	const chain = {chainId, name: 'base', urls: [world.url], confirmations: 0};
	const source = createEvmSource({chain, backfillMs: 86_400_000, log: () => {}, nowMs: () => world.nowMs()});
	source.start(sink, sink.resume(chainId));
	const {hash} = await world.head();
	await sink.until(({batches}) => batches.at(-1)?.cursor.includes(hash) === true);
	await source.stop();
	return sink.events.filter(event => event.type === 'trade');
}

test('a coin without a feed has the price of its large pool, and none before the first swap there', async () => {
	const world = await openWorld({chain: 'base'});
	open.push({stop: () => world.close()});
	await placePool(world);
	const token = await world.launch({name: 'A day at the sea', symbol: 'SEA', venue: 'zora'});
	await world.buy(token, 'ann', 10);
	await swapTo(world, 0.05);
	await world.buy(token, 'bob', 10);
	await swapTo(world, 0.06);
	await world.buy(token, 'ann', 10);
	const [before, first, second] = await trades(world);
	expect(before).toMatchObject({quoteUSD: null, valueUSD: null});
	expect(first?.quoteUSD).toBeCloseTo(0.05, 9);
	expect(first!.valueUSD! / first!.amountQuote).toBeCloseTo(0.05, 9);
	expect(second?.quoteUSD).toBeCloseTo(0.06, 9);
});
