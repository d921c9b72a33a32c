import {expect, test} from 'vitest';
import {Engine} from '../../../source/service/market/engine.ts';
import {priceHistory} from '../../../source/service/market/price-history.ts';
import {CHAIN, launch, START_MS, trade} from './make-events.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A token that trades every half hour; the price is the number of the trade. */
function traded(days: number): {engine: Engine; history: (sinceMs: number) => ReturnType<typeof priceHistory>} {
	const engine = new Engine(START_MS);
	engine.apply(launch());
	for (let n = 1; n <= days * 48; n++) {
		const timeMs = START_MS + n * (HOUR_MS / 2);
		engine.apply(trade('Ann', n % 2 ? 'buy' : 'sell', {timeMs, amountToken: 1, valueUSD: n}));
		engine.advance(timeMs);
	}
	const {token} = engine.listing(engine.table.rowOf(`${CHAIN}|Token`)!);
	return {engine, history: sinceMs => priceHistory(engine, token, sinceMs)};
}

test('within a day every half hour is there, from the opening on', () => {
	const {history} = traded(0.5);
	expect(history(0)[0]).toEqual({timeMs: START_MS, price: 1});
	expect(history(0).length).toBeGreaterThanOrEqual(24);
	expect(history(0).at(-1)).toEqual({timeMs: START_MS + DAY_MS / 2, price: 24});
});

test('beyond a day a point in two hours is kept, for a week', () => {
	const {engine, history} = traded(9);
	const all = history(0);
	const ages = all.map(({timeMs}) => (engine.nowMs() - timeMs) / HOUR_MS);
	expect(Math.max(...ages)).toBeGreaterThan(7 * 24);
	expect(Math.max(...ages)).toBeLessThan(8 * 24 + 3);
	const gaps = ages.slice(1).map((age, i) => ages[i]! - age);
	expect(Math.max(...gaps)).toBeLessThanOrEqual(2.6);
	expect(all.length).toBeLessThan(84 + 60);
	// Each price is that of a trade of its time.
	for (const {timeMs, price} of all)
		expect(Math.abs((timeMs - START_MS) / (HOUR_MS / 2) - price)).toBeLessThanOrEqual(2);
});

test('a history that starts after the last trade is that one price', () => {
	const {engine, history} = traded(0.5);
	expect(history(engine.nowMs() + 1000)).toEqual([{timeMs: engine.nowMs() + 1000, price: 24}]);
});

test('a token that never traded has its opening price', () => {
	const engine = new Engine(START_MS);
	engine.apply(launch());
	engine.advance(START_MS + 1000);
	expect(priceHistory(engine, engine.listing(0).token, 0)).toEqual([{timeMs: START_MS, price: 1}]);
});
