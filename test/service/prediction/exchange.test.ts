import {describe, expect, test} from 'vitest';
import {marketSchema} from '../../../source/contract/prediction.ts';
import {PLATFORM, PredictionExchange} from '../../../source/service/prediction/exchange.ts';
import type {PredictionMarket} from '../../../source/service/prediction/prediction-market.ts';
import {candles, marketRecord} from '../../../source/service/prediction/records.ts';
import {normalCdf, REFERENCE_COINS, ReferencePrice} from '../../../source/service/prediction/reference-prices.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 20);
const MINUTE = 60_000;
const DAY = 86_400_000;

function open(seed = 1, nowMs = NOW) {
	const clock = {nowMs};
	const exchange = new PredictionExchange({seed, nowMs: () => clock.nowMs});
	return {exchange, clock};
}

const records = async (exchange: PredictionExchange) =>
	(await exchange.all()).map(market => marketRecord(market, exchange.nowMs()));

describe('the markets of a seed', () => {
	test('are the same in every run at the same time, however often they were read before', async () => {
		const watched = open(1, NOW - 3 * 3_600_000);
		for (let n = 0; n < 36; n++) {
			watched.clock.nowMs += 5 * MINUTE;
			await watched.exchange.all();
		}
		const fresh = open();
		expect(await records(watched.exchange)).toEqual(await records(fresh.exchange));
	});

	test('differ from those of another seed', async () => {
		const [one, other] = [await records(open(1).exchange), await records(open(2).exchange)];
		expect(one.map(({stats}) => stats.totalVolumeUSD)).not.toEqual(other.map(({stats}) => stats.totalVolumeUSD));
	});

	test('are many, of all kinds, in every state, and each has the form of the contract', async () => {
		const all = await records(open().exchange);
		for (const record of all) marketSchema().strict().parse(record);
		expect(all.length).toBeGreaterThan(150);
		expect(new Set(all.map(({status}) => status))).toEqual(new Set(['active', 'closed', 'resolved']));
		expect(new Set(all.map(({type}) => type))).toEqual(new Set(['binary', 'categorical']));
		expect(new Set(all.map(({category}) => category)).size).toBe(7);
		expect(new Set(all.map(({id}) => id)).size).toBe(all.length);
		expect(new Set(all.flatMap(({outcomes}) => outcomes.map(({outcomeId}) => outcomeId))).size).toBe(
			all.reduce((sum, {outcomes}) => sum + outcomes.length, 0),
		);
		expect(all.some(({question}) => question.includes('\u001b'))).toBe(true);
	});
});

describe('a market', () => {
	test('has prices that sum to 1, and figures that are the sums of its trades', async () => {
		const {exchange} = open();
		for (const market of await exchange.all()) {
			const {outcomes, stats} = marketRecord(market, NOW);
			expect(outcomes.reduce((sum, {priceUSD}) => sum + priceUSD, 0)).toBeCloseTo(1, 9);
			const trades = Array.from({length: market.log.length}, (_, i) => market.log.trade(i));
			const volume = (sinceMs: number, outcome?: number) =>
				trades
					.filter(t => t.timeMs >= sinceMs && (outcome === undefined || t.outcome === outcome))
					.reduce((sum, t) => sum + t.amountUSD, 0);
			expect(stats.totalVolumeUSD).toBeCloseTo(volume(0), 3);
			expect(stats.volume24hUSD).toBeCloseTo(volume(NOW - DAY), 3);
			expect(stats.volume7dUSD!).toBeCloseTo(volume(NOW - 7 * DAY), 3);
			expect(stats.tradesCount).toBe(trades.length);
			expect(stats.trades24h).toBe(trades.filter(({timeMs}) => timeMs >= NOW - DAY).length);
			for (const [i, outcome] of outcomes.entries()) {
				expect(outcome.volume24hUSD!).toBeCloseTo(volume(NOW - DAY, i), 3);
				expect(outcome.totalVolumeUSD!).toBeCloseTo(volume(0, i), 3);
			}
			const held = new Map<string, number>();
			for (const {trader, outcome, isBuy, shares} of trades) {
				const key = `${trader} ${outcome}`;
				held.set(key, (held.get(key) ?? 0) + (isBuy ? shares : -shares));
			}
			const holders = [...held].filter(([, shares]) => shares > 1e-9).map(([key]) => key.split(' ')[0]);
			expect(stats.holdersCount).toBe(new Set(holders).size);
			for (const shares of held.values()) expect(shares).toBeGreaterThan(-1e-6);
		}
	});

	test('opens, trades until its end, closes, resolves, and is forgotten, in that order', async () => {
		const {exchange, clock} = open();
		const market = (await exchange.all()).find(
			({plan, status}) => status === 'active' && plan.endMs - NOW <= 40 * MINUTE && plan.tags.includes('hourly'),
		)!;
		const {marketId, endMs, resolveMs, forgetMs} = market.plan;
		const at = (timeMs: number) => {
			clock.nowMs = timeMs;
			const found = exchange.find(PLATFORM, marketId);
			return found && marketRecord(found, timeMs);
		};
		expect(at(NOW)).toMatchObject({status: 'active', metadata: {resolved: false, resolvedOutcome: null}});
		const closed = at(endMs)!;
		expect(closed).toMatchObject({status: 'closed', metadata: {resolved: false, resolvedAt: null}});
		expect(closed.reference!.finalPrice).toEqual(expect.any(Number));
		expect(at(resolveMs - 1)!.stats.tradesCount).toBe(closed.stats.tradesCount);
		const resolved = at(resolveMs)!;
		const {finalPrice, priceToBeat} = resolved.reference!;
		const winner = finalPrice! >= priceToBeat!.price ? 'Up' : 'Down';
		expect(resolved).toMatchObject({
			status: 'resolved',
			metadata: {resolved: true, resolvedOutcome: winner, resolvedAt: new Date(resolveMs).toISOString()},
		});
		expect(Object.fromEntries(resolved.outcomes.map(({label, priceUSD}) => [label, priceUSD]))).toEqual({
			Up: winner === 'Up' ? 1 : 0,
			Down: winner === 'Down' ? 1 : 0,
		});
		expect(market.log.times[market.log.length - 1]!).toBeLessThan(endMs);
		expect(at(forgetMs)).toBeUndefined();
	});

	test('of a price resolves as the price did, and of the others the favourite wins most often', async () => {
		const {exchange} = open();
		const resolved = (await exchange.all()).filter(({winner}) => winner !== undefined);
		expect(resolved.length).toBeGreaterThan(50);
		let sure = 0;
		for (const {plan, winner, log} of resolved) {
			if (plan.rule !== null) {
				const final = plan.rule.price.at(plan.endMs);
				const isAbove = plan.rule.kind === 'above' ? final > plan.rule.strikeUSD : final >= plan.rule.strikeUSD;
				expect(winner, plan.question).toBe(isAbove ? 0 : 1);
			}
			sure += log.price(log.length - 1, winner!);
		}
		expect(sure / resolved.length).toBeGreaterThan(0.75);
	});

	test('is requested by its number and platform only', async () => {
		const {exchange} = open();
		const [market] = (await exchange.all()) as [PredictionMarket];
		expect(exchange.find(PLATFORM, market.plan.marketId)).toBe(market);
		expect(exchange.find('platformB', market.plan.marketId)).toBeUndefined();
		expect(exchange.find(PLATFORM, `${market.plan.marketId}0`)).toBeUndefined();
		expect(exchange.find(PLATFORM, '__proto__')).toBeUndefined();
	});
});

test('candles follow the trades: each opens where the one before closed, and their volumes are all of it', async () => {
	const {exchange} = open();
	const markets = (await exchange.all()).filter(({log}) => log.length > 300).slice(0, 20);
	expect(markets.length).toBe(20);
	for (const market of markets) {
		const made = candles(market, 0, {lengthMs: 3_600_000, fromMs: 0, toMs: NOW, limit: 10_000});
		expect(made[0]!.open).toBe(1 / market.plan.outcomes.length);
		expect(made.at(-1)!.close).toBe(market.log.price(market.log.length - 1, 0));
		for (const [i, candle] of made.entries()) {
			if (i > 0) expect(candle.open).toBe(made[i - 1]!.close);
			if (i > 0) expect(candle.timestamp).toBeGreaterThan(made[i - 1]!.timestamp);
			expect(candle.low).toBeLessThanOrEqual(Math.min(candle.open, candle.close));
			expect(candle.high).toBeGreaterThanOrEqual(Math.max(candle.open, candle.close));
			expect(candle.timestamp % 3_600_000).toBe(0);
		}
		expect(made.reduce((sum, {trades}) => sum + trades, 0)).toBe(market.log.length);
		const total = market.log.usd.subarray(0, market.log.length).reduce((a, b) => a + b, 0);
		expect(made.reduce((sum, {volumeUSD}) => sum + volumeUSD, 0)).toBeCloseTo(total, 1);
	}
});

describe('the reference price', () => {
	test('moves about as much a day as it should, and belief in it is calibrated', () => {
		const price = new ReferencePrice(REFERENCE_COINS[0]!, 4);
		const changes = Array.from({length: 400}, (_, n) =>
			Math.log(price.at(NOW - n * DAY) / price.at(NOW - (n + 1) * DAY)),
		);
		const deviation = Math.sqrt(changes.reduce((sum, change) => sum + change * change, 0) / changes.length);
		expect(deviation).toBeGreaterThan(0.015);
		expect(deviation).toBeLessThan(0.04);
		let expected = 0;
		let above = 0;
		for (let n = 0; n < 2000; n++) {
			const atMs = NOW - n * 7 * 3_600_000;
			const strike = price.at(atMs) * 1.005;
			expected += price.chanceAbove(strike, atMs, 3_600_000 * 4);
			if (price.at(atMs + 3_600_000 * 4) > strike) above++;
		}
		expect(Math.abs(above - expected) / 2000).toBeLessThan(0.06);
	});

	test('the normal distribution is that of the tables', () => {
		for (const [x, p] of [
			[0, 0.5],
			[1, 0.8413447],
			[-1.96, 0.0249979],
			[3, 0.9986501],
		] as const) {
			expect(normalCdf(x)).toBeCloseTo(p, 6);
		}
	});
});
