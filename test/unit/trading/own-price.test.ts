import {describe, expect, test} from 'vitest';
import {acknowledgements} from '../../../source/trading/acknowledge.ts';
import {runChecks} from '../../../source/trading/check.ts';
import {agreeingOf, OWN_CHECKS} from '../../../source/trading/trade/own-price.ts';
import type {ChainPrice, OwnPrices} from '../../../source/trading/trade/own-prices.ts';
import type {TradePlan} from '../../../source/trading/trade/plan.ts';
import {fc} from '../../helpers/properties.ts';
import {goodBuy, goodSell} from './trade-plans.ts';

/* Feed and quote are one voice: what this program knows besides judges both. */

const NO_NODE: ChainPrice = {kind: 'unread', why: 'no node of Base is configured'};
const pool = (usd: number): ChainPrice => ({kind: 'read', usd, place: 'Uniswap V2', depthUSD: 52_000});
const seen = (lowUSD: number, highUSD = lowUSD, more = {}) => ({lowUSD, highUSD, count: 20, spanMs: 100_000, ...more});

/** An honest trade whose feed and quote were moved together by a factor: what is bought costs so much more, what is sold brings so much. */
function moved(plan: TradePlan, by: number, own: Partial<OwnPrices> = {}): TradePlan {
	const scale = plan.trade.target.side === 'buy' ? 1 / by : by;
	const amount = (text: string) => (Number(text) * scale).toFixed(18);
	const {estimatedAmountOut, minAmountOut} = plan.quote;
	return {
		...plan,
		quote: {
			...plan.quote,
			estimatedAmountOut: amount(estimatedAmountOut),
			minAmountOut: amount(minAmountOut),
			fees: {totalFeeUsd: '0'},
		},
		trade: {
			...plan.trade,
			target: {...plan.trade.target, priceUSD: 0.001 * by},
			own: {chain: NO_NODE, ...own},
		},
	};
}

const results = (plan: TradePlan) => runChecks(OWN_CHECKS, plan);
const words = (plan: TradePlan) => acknowledgements(results(plan)).map(({word}) => word);
const failing = (plan: TradePlan) => results(plan).flatMap(({ok, name}) => (ok ? [] : [name]));
const detail = (plan: TradePlan, check: string) => results(plan).find(({name}) => name === check)!.detail;
const SIDES = [
	['buy', goodBuy()],
	['sell', goodSell()],
] as const;

describe.each(SIDES)('a %s of which feed and quote agree', (side, plan) => {
	test('takes a word where nothing else is known, and says that they are one voice', () => {
		expect(words(moved(plan, 1))).toEqual(['own-price=none']);
		expect(detail(moved(plan, 1), 'own-price')).toContain('feed and quote are one voice');
		expect(agreeingOf(moved(plan, 1))).toEqual([]);
	});

	test.each<[what: string, own: Partial<OwnPrices>, names: RegExp]>([
		['its price before the key', {seen: seen(0.0009, 0.0011)}, /^its price in the 2 min before the key$/],
		['what was paid for it', {costUSD: 0.0012}, /^what you paid for it$/],
		['the pool on the node', {chain: pool(0.00102)}, /^your node \(Uniswap V2, \$52000\.00 in its pool\)$/],
	])('takes none where %s agrees, and says which', (_, own, names) => {
		expect(words(moved(plan, 1, own))).toEqual([]);
		expect(failing(moved(plan, 1, own))).toEqual([]);
		expect(agreeingOf(moved(plan, 1, own))).toEqual([expect.stringMatching(names)]);
	});

	test.each([1000, 0.001, 50, 0.02, 5, 0.2])('and that were moved together by %d is noticed by each source', by => {
		const isHarmful = side === 'buy' ? by > 1 : by < 1;
		const before = moved(plan, by, {seen: seen(0.001)});
		const [jump = ''] = words(before);
		expect(jump).toMatch(/^jump=\d+0$/);
		// The price at the press of the key alone is compared too, and agrees with nothing.
		expect(words(moved(plan, by, {atKeyUSD: 0.001}))).toEqual([jump]);
		expect(words(moved(plan, 1, {atKeyUSD: 0.001}))).toEqual(['own-price=none']);

		const chain = moved(plan, by, {chain: pool(0.001)});
		if (isHarmful) expect(failing(chain)).toEqual(['chain-price']);
		else expect(words(chain)).toEqual([expect.stringMatching(/^chain-price=\d+$/)]);

		const [cost = ''] = words(moved(plan, by, {costUSD: 0.001}));
		expect(cost).toMatch(side === 'sell' && isHarmful ? /^cost=\d+0$/ : /^own-price=none$/);
	});

	test('is not believed by few prices, or those of a moment', () => {
		for (const more of [{count: 2}, {spanMs: 9999}])
			expect(words(moved(plan, 1, {seen: seen(0.001, 0.001, more)}))).toEqual(['own-price=none']);
	});

	test('whose price drifts slowly and then jumps is compared with the whole range that was seen', () => {
		const [low, high] = [0.0008, 0.0012];
		const far = side === 'buy' ? 0.0012 * 1.6 : 0.0008 * 0.6;
		expect(words(moved(plan, 1, {seen: seen(low, high)}))).toEqual([]);
		expect(words(moved(plan, far / 0.001, {seen: seen(low, high)}))).toEqual([expect.stringMatching(/^jump=/)]);
	});

	test('is judged by the node alone where the node disagrees, whatever else agrees', () => {
		const agreed = {seen: seen(0.001), costUSD: 0.001};
		const away = side === 'buy' ? 0.0006 : 0.0016;
		const refused = moved(plan, 1, {...agreed, chain: pool(away)});
		expect(failing(refused)).toEqual(['chain-price']);
		expect(detail(refused, 'chain-price')).toMatch(/by Uniswap V2: by that up to \d+ % may be lost/);
		const near = side === 'buy' ? 0.00088 : 0.00113;
		expect(words(moved(plan, 1, {...agreed, chain: pool(near)}))).toEqual([expect.stringMatching(/^chain-price=\d+$/)]);
	});

	test('may lose exactly the bound by the node, however the figures are rounded, and no more', () => {
		const usdOf = (judged: TradePlan, share: number): number => {
			const paid = Number(judged.request.amountRaw) / 10 ** judged.request.decimals;
			const least = Number(judged.quote.minAmountOut);
			return side === 'buy' ? ((1 - share) * paid) / least : least / ((1 - share) * paid);
		};
		for (let by = 0.5; by < 2; by += 0.01) {
			const judged = moved(plan, by);
			const at = (share: number) => failing(moved(plan, by, {chain: pool(usdOf(judged, share))}));
			expect([by, at(0.25), at(0.2501)]).toEqual([by, [], ['chain-price']]);
		}
	});

	test('never passes in silence when it loses more than the bound by a price that is known here', () => {
		fc.assert(
			fc.property(
				fc.double({min: 1e-4, max: 1e4, noNaN: true}),
				fc.double({min: 1e-4, max: 1e4, noNaN: true}),
				fc.constantFrom('seen', 'cost', 'chain'),
				(by, off, source) => {
					const usd = 0.001 * off;
					const own = {seen: {seen: seen(usd)}, cost: {costUSD: usd}, chain: {chain: pool(usd)}}[source];
					const judged = moved(plan, by, own);
					const {amountRaw, decimals} = judged.request;
					const paid = Number(amountRaw) / 10 ** decimals;
					const least = Number(judged.quote.minAmountOut);
					const worst = side === 'buy' ? 1 - (least * usd) / paid : 1 - least / (paid * usd);
					const bound = source === 'chain' ? 0.15 : 0.6;
					if (worst > bound + 1e-6) expect([...words(judged), ...failing(judged)]).not.toEqual([]);
					if (source === 'chain' && worst > 0.25 + 1e-6) expect(failing(judged)).toEqual(['chain-price']);
				},
			),
			{numRuns: 500},
		);
	});
});

test('a sale at a gain, and a purchase above what was paid before, are not bounded by that cost', () => {
	expect(words(moved(goodSell(), 3, {costUSD: 0.001}))).toEqual(['own-price=none']);
	expect(words(moved(goodBuy(), 3, {costUSD: 0.001}))).toEqual(['own-price=none']);
});

test('a sale without a price of the feed is bounded by what was paid, and by the node', () => {
	const plan = moved(goodSell(), 1);
	const {priceUSD: _, ...target} = plan.trade.target;
	const unpriced = (own: Partial<OwnPrices>): TradePlan => ({
		...plan,
		trade: {...plan.trade, target, own: {chain: NO_NODE, ...own}},
	});
	expect(words(unpriced({costUSD: 0.001}))).toEqual([]);
	expect(words(unpriced({costUSD: 0.004}))).toEqual(['cost=80']);
	expect(failing(unpriced({chain: pool(1)}))).toEqual(['chain-price']);
	expect(words(unpriced({chain: pool(0.001)}))).toEqual([]);
});

/** A trade whose row has this price, with a price before the key. */
const priced = (plan: TradePlan, priceUSD: number, own: Partial<OwnPrices>): TradePlan => ({
	...plan,
	trade: {...plan.trade, target: {...plan.trade.target, priceUSD}, own: {chain: NO_NODE, ...own}},
});
const jumps = (plan: TradePlan) => words(plan).filter(word => word.startsWith('jump='));

describe('limits of what another price says', () => {
	test.each<[what: string, plan: TradePlan, usual: number, jump: number]>([
		['a buy after a rise of a half', goodBuy(), 1.5, 1.51],
		['a buy after a fall of three quarters', goodBuy(), 0.25, 0.249],
		['a sale after a rise to four times', goodSell(), 4, 4.01],
		['a sale after a fall of a third', goodSell(), 0.667, 0.66],
	])('%s needs no word, and beyond it one', (_, plan, usual, jump) => {
		expect(jumps(priced(plan, usual, {seen: seen(1)}))).toEqual([]);
		expect(jumps(priced(plan, jump, {seen: seen(1)}))).toHaveLength(1);
	});

	test.each<[what: string, count: number, spanMs: number, isBelieved: boolean]>([
		['three prices in ten seconds', 3, 10_000, true],
		['two prices', 2, 10_000, false],
		['less than ten seconds', 3, 9999, false],
	])('%s are enough to agree: %s', (_, count, spanMs, isBelieved) => {
		const plan = priced(goodBuy(), 0.001, {seen: seen(0.001, 0.001, {count, spanMs})});
		expect(agreeingOf(plan).length > 0).toBe(isBelieved);
	});

	test('the time before the key is said in seconds up to a minute', () => {
		const said = (spanMs: number) => agreeingOf(priced(goodBuy(), 0.001, {seen: seen(0.001, 0.001, {spanMs})}))[0];
		expect([said(59_400), said(60_000), said(150_000)]).toEqual([
			'its price in the 59 s before the key',
			'its price in the 1 min before the key',
			'its price in the 3 min before the key',
		]);
	});

	test.each<[what: string, costUSD: number, isNear: boolean]>([
		['half of the price', 0.0005, true],
		['less than half', 0.000499, false],
		['twice the price', 0.002, true],
		['more than twice', 0.002001, false],
	])('a cost of %s agrees with a buy: %s', (_, costUSD, isNear) => {
		expect(agreeingOf(priced(goodBuy(), 0.001, {costUSD})).length > 0).toBe(isNear);
	});

	test('a sale below half of its cost takes a word in tens of per cent', () => {
		const sale = goodSell();
		const least = Number(sale.quote.minAmountOut);
		const amount = 24_750;
		const lossOf = (share: number) =>
			words(priced(sale, 0.001, {costUSD: least / amount / (1 - share)})).filter(word => word.startsWith('cost='));
		expect([lossOf(0.499), lossOf(0.501), lossOf(0.599), lossOf(0.601)]).toEqual([
			[],
			['cost=60'],
			['cost=60'],
			['cost=70'],
		]);
	});

	test('the price of the node may be a tenth away, and more by word', () => {
		const away = (usd: number) =>
			words(priced(goodBuy(), 0.001, {chain: pool(usd)})).filter(word => word.startsWith('chain-price='));
		expect([away(0.001 / 0.9).length, away(0.00112).length]).toEqual([0, 1]);
	});

	test('a price before the key is a range where there were two', () => {
		expect(detail(priced(goodBuy(), 5, {seen: seen(1, 2)}), 'jump')).toContain('$1.00 to $2.00');
		expect(detail(priced(goodBuy(), 5, {seen: seen(1)}), 'jump')).not.toContain(' to ');
	});
});
