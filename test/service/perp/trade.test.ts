import {expect, test} from 'vitest';
import {PERP_MARKETS, perpMarket, perpMarketOf, priceAt} from '../../../source/service/perp/markets.ts';
import {endsAt, feeRaw, liquidationPrice, opensAt, profitRaw, type Trade} from '../../../source/service/perp/trade.ts';
import {fc} from '../../helpers/properties.ts';

const USD = 10n ** 8n;
const trade = (more: Partial<Trade> = {}): Trade => ({
	stage: 'position',
	kind: 'limit',
	isLong: true,
	collateralRaw: 100_000_000n,
	sizeRaw: 1_000_000_000n,
	price: 100n * USD,
	takeProfit: 0n,
	stopLoss: 0n,
	...more,
});

test('a long wins what the price rises and a short what it falls, as many times as its leverage', () => {
	expect(profitRaw(trade(), 105n * USD)).toBe(50_000_000n);
	expect(profitRaw(trade({isLong: false}), 105n * USD)).toBe(-50_000_000n);
	expect(feeRaw(trade())).toBe(500_000n);
});

test('a long wins what a short of the same size loses', () => {
	const price = fc.bigInt({min: 1n, max: 10_000n * USD});
	fc.assert(
		fc.property(price, price, fc.bigInt({min: 1n, max: 10n ** 15n}), (from, to, sizeRaw) => {
			const long = profitRaw(trade({price: from, sizeRaw}), to);
			expect(profitRaw(trade({price: from, sizeRaw, isLong: false}), to) + long).toBe(0n);
		}),
	);
});

test('a position ends where its liquidation price says, and not a step before', () => {
	fc.assert(
		fc.property(
			fc.boolean(),
			fc.bigInt({min: 100n, max: 10_000n}),
			fc.bigInt({min: USD, max: 10n ** 14n}),
			(isLong, leverageX100, price) => {
				const position = trade({isLong, price, collateralRaw: 10n ** 12n, sizeRaw: 10n ** 10n * leverageX100});
				const at = liquidationPrice(position);
				if (at === null) return;
				// Rounding may move it by a little of the smallest step.
				const [inside, outside] = isLong ? [at + 2n, at - 2n] : [at - 2n, at + 2n];
				expect([endsAt(position, inside), endsAt(position, outside)]).toEqual([false, true]);
			},
		),
	);
});

test('orders open on the right side of their price', () => {
	const opens = (kind: Trade['kind'], isLong: boolean, price: bigint) => opensAt(trade({kind, isLong}), price * USD);
	expect([opens('limit', true, 101n), opens('limit', true, 100n), opens('limit', true, 99n)]).toEqual([
		false,
		true,
		true,
	]);
	expect([opens('limit', false, 99n), opens('limit', false, 100n), opens('limit', false, 101n)]).toEqual([
		false,
		true,
		true,
	]);
	expect([opens('stop', true, 99n), opens('stop', true, 100n)]).toEqual([false, true]);
	expect([opens('stop', false, 101n), opens('stop', false, 100n)]).toEqual([false, true]);
});

test('take-profit and stop-loss end a position, each on its side', () => {
	const long = trade({takeProfit: 110n * USD, stopLoss: 95n * USD});
	expect([95n, 96n, 109n, 110n].map(price => endsAt(long, price * USD))).toEqual([true, false, false, true]);
	const short = trade({isLong: false, takeProfit: 95n * USD, stopLoss: 108n * USD});
	expect([95n, 96n, 107n, 108n].map(price => endsAt(short, price * USD))).toEqual([true, false, false, true]);
});

test('prices move slowly around their level, the same for every caller at the same time', () => {
	for (const market of PERP_MARKETS) {
		const start = Date.UTC(2026, 0, 1);
		const prices = Array.from({length: 1440}, (_, minute) => Number(priceAt(market, start + minute * 60_000)) / 1e8);
		expect(priceAt(market, start)).toBe(priceAt(market, start));
		expect(Math.min(...prices)).toBeGreaterThan(market.aroundUSD * 0.96);
		expect(Math.max(...prices)).toBeLessThan(market.aroundUSD * 1.04);
		expect(new Set(prices).size).toBeGreaterThan(1400);
	}
});

test('a market is known by its id and by its two sides, dollars being dollars', () => {
	expect(perpMarket('btc-usd')).toBe(perpMarketOf('BTC', 'USDC'));
	expect([perpMarket('BTC'), perpMarketOf('BTC', 'EUR')]).toEqual([undefined, undefined]);
});
