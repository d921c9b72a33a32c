import {afterEach, expect, test, vi} from 'vitest';
import {parsePulseBody} from '../../../source/contract/pulse-request.ts';
import {createMarket, type LiveMarket} from '../../../source/service/market/create-market.ts';
import {PulseEngine} from '../../../source/service/pulse/pulse-engine.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';

let market: LiveMarket;
afterEach(() => market.stop());

test('a started market loads its history in the background and follows the clock', async () => {
	market = createMarket({seed: 3});
	const firstRows = market.table.length;
	const startMs = market.nowMs();
	let longestMs = 0;
	let lastMs = performance.now();
	const watch = setInterval(() => {
		longestMs = Math.max(longestMs, performance.now() - lastMs);
		lastMs = performance.now();
	}, 1);
	market.start();
	await vi.waitUntil(() => market.isFilled, {timeout: PATIENCE_MS, interval: 5});
	clearInterval(watch);
	expect(market.table.length).toBeGreaterThan(firstRows + 5000);
	await vi.waitUntil(() => market.nowMs() >= startMs + 300, {timeout: PATIENCE_MS, interval: 5});
	await vi.waitUntil(() => Math.abs(Date.now() - market.nowMs()) < 1000, {timeout: PATIENCE_MS, interval: 5});
});

test('the newest tokens that a screen shows are all there at once, before the history is loaded', () => {
	const clockMs = Date.UTC(2026, 0, 1);
	for (const seed of [1, 2, 3]) {
		market = createMarket({seed, nowMs: () => clockMs});
		const [newest] = parsePulseBody({assetMode: true, model: 'default'}).views;
		const page = () => new PulseEngine(market).page(newest!).map(row => market.table.key(row));
		const atOnce = page();
		market.fill();
		expect(atOnce).toHaveLength(50);
		expect(atOnce).toEqual(page());
	}
});

test('history waits for the given delay', async () => {
	market = createMarket({seed: 3});
	const firstRows = market.table.length;
	const startedMs = performance.now();
	market.start({historyInMs: 100});
	await vi.waitUntil(() => market.table.length > firstRows + 100, {timeout: PATIENCE_MS, interval: 5});
	expect(performance.now() - startedMs).toBeGreaterThan(99);
});

test('a history that waits for `fill` is not loaded by the clock', async () => {
	let clockMs = Date.UTC(2026, 0, 1);
	market = createMarket({seed: 3, nowMs: () => clockMs});
	const firstRows = market.table.length;
	market.start({historyInMs: null});
	clockMs += 1000;
	await vi.waitUntil(() => market.nowMs() === clockMs, {timeout: PATIENCE_MS, interval: 5});
	expect(market.table.length).toBeLessThan(firstRows + 50);
	expect(market.isFilled).toBe(false);
});

test('a stopped market does not change', async () => {
	let clockMs = Date.UTC(2026, 0, 1);
	market = createMarket({seed: 3, nowMs: () => clockMs});
	market.start();
	market.stop();
	clockMs += 10_000;
	await new Promise(resolve => setTimeout(resolve, 250));
	expect(market.nowMs()).toBe(Date.UTC(2026, 0, 1));
	expect(market.isFilled).toBe(false);
});

test('after the machine slept for five minutes the market catches up step by step', async () => {
	let clockMs = Date.UTC(2026, 0, 1);
	market = createMarket({seed: 3, nowMs: () => clockMs});
	let trades = 0;
	market.onEvent(event => {
		if (event.type === 'trade') trades++;
	});
	const turns = new Set<number>();
	clockMs += 300_000;
	market.start();
	await vi.waitUntil(() => turns.add(market.nowMs()) && market.nowMs() === clockMs, {
		timeout: PATIENCE_MS,
		interval: 5,
	});
	// Other work ran in between.
	expect(turns.size).toBeGreaterThan(3);
	expect(trades).toBeGreaterThan(5000);
});

test('a listener gets every event until it is removed', () => {
	let clockMs = Date.UTC(2026, 0, 1);
	market = createMarket({seed: 3, nowMs: () => clockMs});
	let received = 0;
	const stop = market.onEvent(() => received++);
	const before = market.engine.applied;
	clockMs += 2000;
	market.advance(clockMs);
	expect(received).toBe(market.engine.applied - before);
	expect(received).toBeGreaterThan(0);
	stop();
	market.advance(clockMs + 2000);
	expect(received).toBeLessThan(market.engine.applied - before);
});

test('a coin is found by its symbol from the start, before the history is loaded', () => {
	market = createMarket({seed: 11, nowMs: () => Date.UTC(2026, 0, 1)});
	const [first] = market.find('SOL');
	expect(market.table.text('address', first!)).toBe('So11111111111111111111111111111111111111112');
});
