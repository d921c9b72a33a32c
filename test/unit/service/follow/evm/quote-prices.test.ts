import {expect, test} from 'vitest';
import {findEvmChain} from '../../../../../source/chains/evm-chains.ts';
import type {EvmNode, NodeCall, NodeOutcome} from '../../../../../source/rpc/evm/node.ts';
import {QuotePrices, StateTooOld} from '../../../../../source/service/follow/evm/quote-prices.ts';
import type {Address, Hex} from '../../../../../source/service/follow/evm/venue.ts';

const base = findEvmChain('base')!;
const WETH = base.native.wrapped;
const USDC = base.quotes.find(({symbol}) => symbol === 'USDC')!.address;
const PHASE = 5n << 64n;
const START_S = 1_800_000_000;

interface Round {
	readonly atS: number;
	readonly price: number;
}

/** A node whose chain has a price feed and no Multicall3. */
class FeedNode implements EvmNode {
	readonly callLimit = null;
	readonly host = 'feed.test';
	readonly traffic = {callsPerMinute: 0, bytesPerSecond: 0};
	/** The first one is round 1 of the phase. */
	rounds: Round[] = [];
	headS = START_S;
	readonly asked: Hex[] = [];

	async call(): Promise<unknown> {
		return {timestamp: `0x${this.headS.toString(16)}`};
	}

	async calls(calls: readonly NodeCall[]): Promise<readonly NodeOutcome[]> {
		return calls.map(({params}) => ({ok: true, result: this.#answer((params[0] as {to: Address; data: Hex}).data)}));
	}

	onHead(): () => void {
		return () => {};
	}

	takeNext(): boolean {
		return false;
	}

	async close(): Promise<void> {}

	#answer(data: Hex): Hex {
		const isLatest = data === '0xfeaf968c';
		if (!isLatest && !data.startsWith('0x9a6fc8f5')) return '0x';
		this.asked.push(data);
		const number = isLatest ? this.rounds.length : Number(BigInt(`0x${data.slice(10)}`) - PHASE);
		const round = this.rounds[number - 1];
		if (!round) return '0x';
		const id = PHASE + BigInt(number);
		const words = [id, BigInt(Math.round(round.price * 1e8)), BigInt(round.atS), BigInt(round.atS), id];
		return `0x${words.map(word => word.toString(16).padStart(64, '0')).join('')}`;
	}
}

function msAt(secondsLater: number): number {
	return (START_S + secondsLater) * 1000;
}

function roundsEvery(seconds: number, prices: readonly number[]): Round[] {
	return prices.map((price, index) => ({atS: START_S + index * seconds, price}));
}

test('a trade has the price of the newest round until its block', async () => {
	const node = new FeedNode();
	node.rounds = roundsEvery(100, [3000, 3010, 3020]);
	node.headS = START_S + 250;
	const prices = new QuotePrices(base, node);
	await prices.prepare(msAt(50), msAt(250));
	expect([0, 99, 100, 199, 200, 250].map(at => prices.at(WETH, msAt(at)))).toEqual([
		3000, 3000, 3010, 3010, 3020, 3020,
	]);
	expect(prices.at(USDC, msAt(50))).toBe(1);
});

test('a chain that is read as it grows has the prices of one that is read later', async () => {
	const all = roundsEvery(
		10,
		Array.from({length: 90}, (_, index) => 3000 + index),
	);
	const node = new FeedNode();
	const live = new QuotePrices(base, node);
	const seen: (number | null)[] = [];
	for (let at = 5; at < 900; at += 35) {
		node.headS = START_S + at;
		node.rounds = all.filter(({atS}) => atS <= node.headS);
		await live.prepare(msAt(at), msAt(at));
		seen.push(live.at(WETH, msAt(at)));
	}
	const later = new QuotePrices(base, node);
	await later.prepare(msAt(5), msAt(880));
	expect(seen).toEqual(Array.from(seen, (_, index) => later.at(WETH, msAt(5 + index * 35))));
	expect(seen).not.toContain(null);
});

test('a price that is older than its heartbeat and five minutes is unknown, and one before the first round', async () => {
	const node = new FeedNode();
	node.rounds = roundsEvery(100, [3000]);
	const heartbeatS = 1200;
	node.headS = START_S + heartbeatS + 301;
	const prices = new QuotePrices(base, node);
	await prices.prepare(msAt(-10), msAt(heartbeatS + 301));
	expect(prices.at(WETH, msAt(heartbeatS + 300))).toBe(3000);
	expect(prices.at(WETH, msAt(heartbeatS + 301))).toBeNull();
	expect(prices.at(WETH, msAt(-10))).toBeNull();
	expect(prices.known(msAt(heartbeatS + 301)).unpriced).toContain('WETH');
});

test('a node whose state is older than its blocks is not believed', async () => {
	const node = new FeedNode();
	node.rounds = roundsEvery(100, [3000]);
	const prices = new QuotePrices(base, node);
	await expect(prices.prepare(msAt(1), msAt(1))).rejects.toBeInstanceOf(StateTooOld);
	node.headS++;
	await prices.prepare(msAt(1), msAt(1));
	expect(prices.at(WETH, msAt(1))).toBe(3000);
});

test('a price of zero and below is none', async () => {
	const node = new FeedNode();
	node.rounds = roundsEvery(100, [0]);
	const prices = new QuotePrices(base, node);
	await prices.prepare(msAt(0), msAt(0));
	expect(prices.at(WETH, msAt(0))).toBeNull();
});

test('times that were read need no further call', async () => {
	const node = new FeedNode();
	node.rounds = roundsEvery(100, [3000, 3010]);
	node.headS = START_S + 150;
	const prices = new QuotePrices(base, node);
	await prices.prepare(msAt(110), msAt(150));
	const {length} = node.asked;
	await prices.prepare(msAt(120), msAt(149));
	expect(node.asked).toHaveLength(length);
});
