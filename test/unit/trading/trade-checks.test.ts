import {describe, expect, test} from 'vitest';
import {acknowledgements, notAcknowledged} from '../../../source/trading/acknowledge.ts';
import {BRIDGE_CHECKS} from '../../../source/trading/bridge/checks.ts';
import {assertChecks, type CheckResult, runChecks} from '../../../source/trading/check.ts';
import {TRADE_CHECKS} from '../../../source/trading/trade/checks.ts';
import {figuresOf, lossBeside} from '../../../source/trading/trade/figures.ts';
import type {TradePlan} from '../../../source/trading/trade/plan.ts';
import {fc} from '../../helpers/properties.ts';
import {goodBuy, goodSell, NOW, OTHER, PEPE, swap, USDC} from './trade-plans.ts';

const buy = goodBuy();
const sell = goodSell();
/** The checks of a trade, with the one of every transfer that judges its swap. */
const CHECKS = [...BRIDGE_CHECKS.filter(({name}) => name === 'min-bridged'), ...TRADE_CHECKS];
const run = (plan: TradePlan): readonly CheckResult[] => runChecks(CHECKS, plan);
const failing = (plan: TradePlan) => run(plan).flatMap(({ok, name}) => (ok ? [] : [name]));
const words = (plan: TradePlan) => acknowledgements(run(plan)).map(({word}) => word);
const open = (plan: TradePlan) => run(plan).flatMap(({isUnavailable, name}) => (isUnavailable ? [name] : []));
const detail = (plan: TradePlan, check: string) => run(plan).find(({name}) => name === check)!.detail;

const quote = (plan: TradePlan, more: Partial<TradePlan['quote']>): TradePlan => ({
	...plan,
	quote: {...plan.quote, ...more},
});
const request = (plan: TradePlan, more: Partial<TradePlan['request']>): TradePlan => ({
	...plan,
	request: {...plan.request, ...more},
});
const facts = (plan: TradePlan, more: Partial<TradePlan['trade']>): TradePlan => ({
	...plan,
	trade: {...plan.trade, ...more},
});
/** The quote of a buy as it is when the service gives `share` of what is fair. */
const giving = (share: number, plan = buy): TradePlan =>
	quote(plan, {
		estimatedAmountOut: String(Number(plan.quote.estimatedAmountOut) * share),
		minAmountOut: String(Number(plan.quote.estimatedAmountOut) * share * 0.9),
	});
/** A quote whose fees are a little more than a fifth. */
const dear = quote(buy, {estimatedAmountOut: '19900', minAmountOut: '19701', fees: {totalFeeUsd: '5.01'}});
const bound = (minBridged: bigint): TradePlan => ({
	...sell,
	batch: {
		...sell.batch,
		calls: [sell.batch.calls[0]!, {...sell.batch.calls[1]!, data: swap(minBridged, sell.request.amountRaw)}],
	},
});
function without<Name extends keyof TradePlan['trade']['target']>(plan: TradePlan, ...names: Name[]): TradePlan {
	const target = Object.fromEntries(
		Object.entries(plan.trade.target).filter(([name]) => !names.includes(name as Name)),
	);
	return facts(plan, {target: target as unknown as TradePlan['trade']['target']});
}

describe('the checks before a trade is signed', () => {
	test.each([
		['buy', buy],
		['sell', sell],
	])('all pass on an honest %s, with those of every transfer, and nothing has to be typed', (_, plan) => {
		expect(() => assertChecks([...BRIDGE_CHECKS, ...TRADE_CHECKS], plan)).not.toThrow();
		expect(words(plan)).toEqual([]);
		expect(open(plan)).toEqual(['chain-price']);
	});

	test('figures of the honest buy by hand', () => {
		const figures = figuresOf(buy);
		expect(figures.worst).toBeCloseTo(1 - 22.176 / 25, 9);
		expect(figures.impact?.share).toBeCloseTo(24.95 / 10_024.95, 9);
		expect(figures.poolShare).toBeCloseTo(0.002495, 9);
		expect(figures.gap).toBeCloseTo(1 - 24.64 / ((24.95 * 10_000) / 10_024.95), 9);
		expect(figures.feeShare).toBeCloseTo(0.002, 9);
	});

	test.each<[check: string, what: string, plan: TradePlan]>([
		['target', 'a request for another token', request(buy, {destinationToken: OTHER})],
		['target', 'a request on another chain', request(buy, {destinationChainId: 'evm:137'})],
		['target', 'a sale of another token', request(sell, {originToken: OTHER})],
		['target', 'a row that has become another token', facts(buy, {target: {...buy.trade.target, address: OTHER}})],
		['recipient', 'another recipient', request(buy, {recipient: OTHER})],
		['under-way', 'another buy of it', facts(buy, {underWay: {...UNDER_WAY(), side: 'buy'}})],
		['available', 'dollars that are on their way', facts(buy, {busyRaw: 25_000_001n})],
		['row-fresh', 'an old row', goodBuy({atMs: NOW - 15_001})],
		['row-fresh', 'a row of a time ahead', goodBuy({atMs: NOW + 3_600_000})],
		['row-fresh', 'a feed that is not live', goodBuy({isLive: false})],
		['decimals', 'a row with other decimals than the contract', goodBuy({decimals: 6})],
		['decimals', 'a sale with other decimals than the contract', goodSell({decimals: 6})],
		[
			'decimals',
			'more digits than the token has',
			{
				...quote(goodBuy({decimals: 2}), {estimatedAmountOut: '24640.123', minAmountOut: '22177'}),
				destination: {symbol: 'PEPE', decimals: 2},
			},
		],
		['honeypot', 'a honeypot', goodBuy({isHoneypot: true})],
		['tax', 'more tax to sell than is traded', goodBuy({sellTax: 26})],
		['tax', 'a tax that only the quote names', quote(buy, {buyTax: 30})],
		['tax', 'no tax known of closed code', without(goodBuy({isNotOpenSource: true}), 'sellTax')],
		['dollars', 'another coin that pays', request(buy, {symbol: 'WETH'})],
		['dollars', 'another coin that a sale brings', {...sell, destination: {symbol: 'WETH', decimals: 18}}],
		['quote-figures', 'an exponent', quote(buy, {estimatedAmountOutUsd: '2e1'})],
		['quote-figures', 'a sign', quote(buy, {fees: {totalFeeUsd: '-0'}})],
		['quote-figures', 'forty digits', quote(buy, {totalFeeUsd: '1'.repeat(40)})],
		['liquidity', 'a pool that is nearly empty', thin(499)],
		['pool-share', 'more than a pool takes', quote(buy, {poolShare: 12.1})],
		['impact', 'a service that says how far the price moves', quote(buy, {priceImpact: 15})],
		['fee-share', 'fees of a fifth', request(dear, {slippage: 1})],
		['least', 'a least under the slippage', quote(buy, {minAmountOut: '22174'})],
		['min-bridged', 'a swap that may bring a grain', bound(1n)],
		['min-bridged', 'a swap that leaves no room for the fees', bound(22_005_000n)],
		['min-bridged', 'a transfer in place of a swap', {...sell, batch: buy.batch}],
		['worst-case', 'a worst case of more than the person allows', facts(buy, {maxLoss: 11})],
	])('%s fails on %s, and no other does', (check, _, plan) => {
		expect(failing(plan)).toEqual([check]);
	});

	const asked = (plan: TradePlan, check: string) => words(plan).filter(word => word.startsWith(`${check}=`));

	test.each<[check: string, limit: string, below: TradePlan, at: TradePlan]>([
		['liquidity', 'a pool of $2,000', thin(2000), thin(1999.99)],
		['tax', 'a tax of 10 %', goodBuy({sellTax: 10}), goodBuy({sellTax: 10.1})],
		['tax', 'a tax of 10 % on a sale', goodSell({sellTax: 10}), goodSell({sellTax: 10.1})],
		['impact', 'an impact of 10 %', quote(buy, {priceImpact: 9.99}), quote(buy, {priceImpact: 10})],
		['worst-case', 'a loss of 15 %', quote(buy, {minAmountOut: '21251'}), quote(buy, {minAmountOut: '21249'})],
	])('%s asks for a word beyond %s, and not before', (check, _, without, with_) => {
		expect([asked(without, check).length, asked(with_, check).length]).toEqual([0, 1]);
	});

	test.each<[check: string, limit: string, at: TradePlan, beyond: TradePlan]>([
		['liquidity', 'a pool of $500', thin(500), thin(499.99)],
		['tax', 'a tax of 25 %', goodBuy({sellTax: 25}), goodBuy({sellTax: 25.1})],
		['impact', 'an impact of 15 %', quote(buy, {priceImpact: 14.99}), quote(buy, {priceImpact: 15})],
		['pool-share', 'a share of 12 %', quote(buy, {poolShare: 12}), quote(buy, {poolShare: 12.01})],
		['worst-case', 'a loss of 25 %', quote(buy, {minAmountOut: '18750'}), quote(buy, {minAmountOut: '18749'})],
		['available', 'all that is free', facts(buy, {busyRaw: 25_000_000n}), facts(buy, {busyRaw: 25_000_001n})],
		['row-fresh', 'a row of 15 s', goodBuy({atMs: NOW - 15_000}), goodBuy({atMs: NOW - 15_001})],
	])('%s lets %s pass, and nothing beyond', (check, _, at, beyond) => {
		expect([failing(at).includes(check), failing(beyond).includes(check)]).toEqual([false, true]);
	});

	test('a worst case of exactly what the person allows is allowed', () => {
		const fails = (maxLoss: number) =>
			failing(facts(quote(buy, {minAmountOut: '24250'}), {maxLoss})).includes('worst-case');
		// 1 - 24.25 / 25 is a little more than 0.03 in floating point.
		expect([fails(3.01), fails(3), fails(2.99)]).toEqual([false, false, true]);
	});

	test.each<[what: string, checks: readonly string[], plan: TradePlan]>([
		['the row of the other side', ['target'], facts(buy, {target: {...buy.trade.target, side: 'sell'}})],
		['a price of 1e-30', ['feed-price', 'worst-case'], goodBuy({priceUSD: 1e-30})],
		['a price of 1e30', ['feed-price', 'worst-case'], goodBuy({priceUSD: 1e30})],
		['a price that is no number', ['feed-price', 'worst-case'], goodBuy({priceUSD: Number.NaN})],
		['a price below nothing', ['feed-price', 'worst-case'], goodBuy({priceUSD: -1})],
		['no price', ['feed-price', 'worst-case'], without(buy, 'priceUSD')],
		['a least of 1 %', ['least', 'worst-case'], quote(buy, {minAmountOut: '246.4'})],
		['the price of another token', ['worst-case'], giving(0.001)],
		['fees of 99 %', ['fee-share', 'worst-case'], quote(giving(0.01), {fees: {totalFeeUsd: '24.75'}})],
		[
			'amounts that are no numbers',
			['quote-figures', 'least', 'price'],
			quote(buy, {estimatedAmountOut: 'NaN', minAmountOut: '1e9'}),
		],
	])('a buy with %s is refused', (_, checks, plan) => {
		expect(failing(plan)).toEqual(expect.arrayContaining([...checks]));
	});

	test.each<[word: string, what: string, plan: TradePlan]>([
		['price=6', 'an estimate 6 % too good', quote(giving(1.06 * 1.01), {minAmountOut: '23742'})],
		['price=7', 'an estimate 6 % too low', giving(0.945)],
		['impact=12', 'an impact that the service says', quote(buy, {priceImpact: 11.5})],
		['liquidity=1999', 'a thin pool', thin(1999.5)],
		['tax=11', 'a tax to sell', goodBuy({sellTax: 10.5})],
		['look-alike=0abcde', 'a token that imitates another', goodBuy({lookAlike: 'bad'})],
		['tax=30', 'a taxed token that is sold', taxedSale(0.3)],
	])('asks for %s on %s, and refuses nothing', (word, _, plan) => {
		expect(failing(plan)).toEqual([]);
		expect(words(plan)).toContain(word);
	});

	test.each([
		[9.99, [], []],
		[10, ['impact=10'], []],
		[14.99, ['impact=15'], []],
		[15, [], ['impact']],
	])('an impact of %d %% that the service says asks for %j and fails %j', (priceImpact, asked, refused) => {
		const plan = quote(buy, {priceImpact});
		expect(words(plan).filter(word => word.startsWith('impact'))).toEqual(asked);
		expect(failing(plan).filter(name => name === 'impact')).toEqual(refused);
	});

	test('the worst case passes to 15 %, asks for a word to 25 %, and is refused above, whatever explains it', () => {
		const at = (worst: number) => quote(request(buy, {slippage: 25}), {minAmountOut: String(25_000 * (1 - worst))});
		expect(words(at(0.1499))).toEqual([]);
		expect(words(at(0.1501))).toEqual(['worst-case=16']);
		expect(words(at(0.2499))).toEqual(['worst-case=25']);
		expect(failing(at(0.2601))).toEqual(['worst-case']);
	});

	test.each(['25.125.1', 'all', '', '1e400', '-1', '0x10'])(
		'figures of %j pass no check as a number, and none says NaN',
		text => {
			for (const [side, plan] of Object.entries({buy, sell})) {
				for (const name of ['minAmountOut', 'estimatedAmountOut', 'estimatedAmountOutUsd', 'totalFeeUsd', 'priceUSD']) {
					const shown = quote(plan, {[name]: text});
					const results = runChecks(TRADE_CHECKS, shown);
					expect(failing(shown), `${side} ${name}`).toContain('quote-figures');
					for (const {detail} of results) expect(detail, `${side} ${name}`).not.toMatch(/NaN|Infinity/);
				}
				if (text !== '0x10') expect(failing(quote(plan, {minAmountOut: text})), side).toContain('worst-case');
			}
		},
	);

	test('what is sold under its known tax can be sold by word, and not under more than that', () => {
		expect(failing(taxedSale(0.3))).toEqual([]);
		expect(words(taxedSale(0.3))).toEqual(['tax=30', 'worst-case=38']);
		const hidden = quote(facts(taxedSale(0.3), {target: {...taxedSale(0.3).trade.target, sellTax: 0}}), {sellTax: 30});
		expect(failing(hidden)).toEqual(['worst-case']);
	});

	test('a honeypot and an unpriced token can still be sold, the latter by word', () => {
		expect(failing(goodSell({isHoneypot: true, lookAlike: 'bad'}))).toEqual([]);
		const unpriced = without(sell, 'priceUSD');
		expect(failing(unpriced)).toEqual([]);
		expect(words(unpriced)).toEqual(['worst-case=unknown']);
		expect(open(unpriced)).toEqual(['feed-price', 'impact', 'pool-share', 'price', 'jump', 'chain-price']);
	});

	test.each<[word: string, missing: (keyof TradePlan['trade']['target'])[]]>([
		['honeypot=unknown', ['isHoneypot']],
		['tax=unknown', ['buyTax']],
		['tax=unknown', ['sellTax']],
		['tax=unknown', ['buyTax', 'sellTax']],
		['liquidity=unknown', ['liquidityUSD']],
		['phase=unknown', ['phase']],
		['phase=unknown', ['isCurve']],
	])('asks a buyer for %s where a row leaves out %j, and a seller for a tax alone', (word, missing) => {
		const blind = without(buy, ...missing);
		expect(failing(blind)).toEqual([]);
		expect(words(blind)).toEqual([word]);
		// What is not known is not covered by any figure.
		const needed = acknowledgements(run(blind));
		for (const typed of ['0', '1', '99', 'known', 'none', ''])
			expect(notAcknowledged(needed, [word.replace('unknown', typed)])).toHaveLength(1);
		expect(words(without(sell, ...missing))).toEqual(missing.includes('sellTax') ? ['tax=unknown'] : []);
	});

	test('asks for a word for each that a row leaves out, and names them', () => {
		const names = ['decimals', 'isHoneypot', 'buyTax', 'sellTax', 'liquidityUSD', 'isCurve', 'phase'] as const;
		const blind = without(buy, ...names);
		expect(failing(blind)).toEqual([]);
		expect(words(blind)).toEqual(['honeypot=unknown', 'phase=unknown', 'tax=unknown', 'liquidity=unknown']);
		expect(open(blind)).toEqual(['decimals', 'impact', 'pool-share', 'chain-price']);
		expect(detail(blind, 'tax')).toBe('not known to buy, not known to sell');
		expect(open(quote(buy, {fees: {}}))).toContain('fee-share');
		const unread = {...buy};
		delete (unread as {destination?: unknown}).destination;
		expect(open(unread)).toContain('decimals');
	});

	test('a pool does not pass its limits because `bonded` is left out', () => {
		fc.assert(
			fc.property(fc.double({min: 0, max: 1999, noNaN: true}), liquidityUSD => {
				const plan = without(thin(liquidityUSD), 'isCurve');
				expect(words(plan)).toEqual(['phase=unknown', `liquidity=${Math.floor(liquidityUSD)}`]);
			}),
		);
	});

	test('a curve has no limit of liquidity: its depth is not in the feed', () => {
		expect(failing(goodBuy({isCurve: true, liquidityUSD: 3, phase: 'new'}))).toEqual([]);
	});

	test('the service’s own figures make nothing pass that would not pass without them', () => {
		fc.assert(
			fc.property(
				fc.double({min: 0.05, max: 1.4, noNaN: true}),
				fc.record({
					priceImpact: fc.double(),
					poolShare: fc.double(),
					buyTax: fc.double(),
					sellTax: fc.double(),
				}),
				(share, own) => {
					const plan = giving(share);
					const said = quote(plan, own);
					// The worst case goes by signature, feed and least alone.
					expect(detail(said, 'worst-case')).toBe(detail(plan, 'worst-case'));
					expect(failing(said)).toEqual(expect.arrayContaining(failing(plan)));
				},
			),
			{numRuns: 100},
		);
	});

	test('nothing passes that loses more than a quarter by the price of the feed', () => {
		fc.assert(
			fc.property(
				fc.double({min: 1e-12, max: 1e6, noNaN: true}),
				fc.double({min: 0, max: 2, noNaN: true}),
				fc.double({min: 0, max: 1, noNaN: true}),
				(priceUSD, share, kept) => {
					const fair = 24.6 / priceUSD;
					const plan = quote(goodBuy({priceUSD}), {
						estimatedAmountOut: plain(fair * share),
						minAmountOut: plain(fair * share * kept),
					});
					const worst = 1 - (Number(plan.quote.minAmountOut) * priceUSD) / 25;
					if (failing(plan).length === 0) expect(worst).toBeLessThanOrEqual(0.25 + 1e-9);
				},
			),
			{numRuns: 200},
		);
	});
});

describe('the figures of a trade', () => {
	test('of the honest sale by hand', () => {
		const figures = figuresOf(goodSell({sellTax: 4}));
		const met = 24.75 * 0.96;
		const impact = met / (10_000 + met);
		expect(figures.impact).toEqual({share: expect.closeTo(impact, 12), isOwn: true});
		expect(figures.poolShare).toBeCloseTo(met / 10_000, 12);
		expect(figures.gap).toBeCloseTo(1 - 24.45 / (24.75 * 0.96 * (1 - impact) - 0.05), 12);
		expect(figures.feeShare).toBeCloseTo(0.05 / 24.5, 12);
		expect(figures.worst).toBeCloseTo(1 - 22.005 / 24.75, 12);
	});

	test.each([
		[undefined, undefined],
		[-0.1, undefined],
		[100.1, undefined],
		[Number.NaN, undefined],
		[0, 0],
		[100, 1],
	])('take %s percent of the service for the share %s, where nothing here says one', (percent, share) => {
		const curve = goodBuy({isCurve: true});
		const figures = figuresOf(percent === undefined ? curve : quote(curve, {priceImpact: percent, poolShare: percent}));
		expect([figures.impact, figures.poolShare]).toEqual([
			share === undefined ? undefined : {share, isOwn: false},
			share,
		]);
	});

	test('take the worse of two impacts, and say whose it is', () => {
		const own = figuresOf(buy).impact!;
		expect(own.isOwn).toBe(true);
		expect(figuresOf(quote(buy, {priceImpact: own.share * 100 - 0.01})).impact).toEqual(own);
		expect(figuresOf(quote(buy, {priceImpact: own.share * 100 + 0.01})).impact).toMatchObject({isOwn: false});
	});

	test.each<[feed: number | undefined, service: number | undefined, share: number | undefined]>([
		[5, undefined, 0.05],
		[undefined, 5, 0.05],
		[5, 6, 0.06],
		[6, 5, 0.06],
		[undefined, 0, 0],
		[undefined, -5, undefined],
		[undefined, undefined, undefined],
	])('take the larger of the taxes %s (feed) and %s (service): %s', (feed, service, share) => {
		const bare = without(buy, 'buyTax');
		const row = feed === undefined ? bare : facts(bare, {target: {...bare.trade.target, buyTax: feed}});
		const plan = service === undefined ? row : quote(row, {buyTax: service});
		expect(figuresOf(plan).tax).toBe(share);
		// A tax that only the service names explains nothing that is missing.
		expect(figuresOf(plan).feedTax).toBe((feed ?? 0) / 100);
	});

	test('have no depth of a pool without money, and no loss without anything that leaves', () => {
		expect(figuresOf(goodBuy({liquidityUSD: 0}))).not.toHaveProperty('impact');
		expect(figuresOf(goodBuy({liquidityUSD: Number.NaN}))).not.toHaveProperty('poolShare');
		expect(figuresOf(request(buy, {amountRaw: 0n})).worst).toBeNaN();
	});

	test('leave beside a tax the loss that the tax does not explain', () => {
		expect(lossBeside(0.3, 0)).toBeCloseTo(0.3, 12);
		expect(lossBeside(0.3, 0.3)).toBeCloseTo(0, 12);
		expect(lossBeside(0.44, 0.3)).toBeCloseTo(0.2, 12);
		expect(lossBeside(0.9, 1)).toBe(0.9);
	});
});

test.each<[check: string, words: string, plan: TradePlan]>([
	['feed-price', 'it is not known', without(buy, 'priceUSD')],
	['feed-price', 'it cannot be a price', goodBuy({priceUSD: -1})],
	['liquidity', 'not reported', without(sell, 'liquidityUSD')],
	['liquidity', '$20000.00', sell],
	['price', '0.0 % worse than the feed', giving(1.01)],
	['price', '4.0 % better than the feed', giving(1.05)],
	['worst-case', 'not known without a price of the feed', without(sell, 'priceUSD')],
	['target', 'it is another one than was chosen', (({trade: _, ...plain}) => ({...buy, request: plain}))(buy.request)],
	['available', 'nothing else is under way', buy],
	['available', '1 USDC are on their way besides', facts(buy, {busyRaw: 1_000_000n})],
])('the check %s says "%s"', (check, text, plan) => {
	expect(detail(plan, check)).toContain(text);
});

describe('words that are typed', () => {
	const needed = acknowledgements(run(quote(goodBuy({lookAlike: 'bad'}), {priceImpact: 11.5})));

	test.each([
		[['impact=12', 'look-alike=0abcde'], []],
		[['look-alike=0ABCDE', 'impact=14'], []],
		[['impact=12'], ['look-alike=0abcde']],
		[['impact=11', 'look-alike=0abcde'], ['impact=12']],
		[
			['impact=1e9', 'look-alike=999999'],
			['impact=12', 'look-alike=0abcde'],
		],
		[
			['tax=99', 'impact', 'impact==12', ''],
			['impact=12', 'look-alike=0abcde'],
		],
	])('%j leave %j', (typed, left) => {
		const missing = notAcknowledged(needed, typed).map(({word}) => word);
		expect(missing.toSorted()).toEqual(left.toSorted());
	});

	test('the end of an address is no number that may be higher', () => {
		const digits = facts(goodBuy({lookAlike: 'bad'}), {
			target: {...goodBuy({lookAlike: 'bad'}).trade.target, address: `0x${'1'.repeat(40)}`},
		});
		const [word] = acknowledgements(run(digits));
		expect(word?.word).toBe('look-alike=111111');
		expect(notAcknowledged([word!], ['look-alike=999999'])).toHaveLength(1);
	});

	test('less liquidity than was taken on is not covered', () => {
		const [word] = acknowledgements(run(thin(1500)));
		expect(notAcknowledged([word!], ['liquidity=1400'])).toEqual([]);
		expect(notAcknowledged([word!], ['liquidity=1600'])).toHaveLength(1);
	});
});

function UNDER_WAY() {
	return {
		intentId: 'other',
		wallet: 'me',
		side: 'buy' as const,
		chainId: 'evm:8453',
		token: PEPE.toLowerCase(),
		symbol: 'PEPE',
		phase: 'unclear' as const,
		atMs: NOW,
	};
}

/** A buy of $1 from a pool with so little in it: the price hardly moves. */
function thin(liquidityUSD: number): TradePlan {
	return quote(request(goodBuy({liquidityUSD}), {amountRaw: 1_000_000n}), {
		estimatedAmountOut: '950',
		minAmountOut: '855',
		fees: {totalFeeUsd: '0.03'},
	});
}

/** The honest sale of a token that takes a part of it. */
function taxedSale(tax: number): TradePlan {
	const plan = goodSell({sellTax: tax * 100});
	const [estimate, least] = [24.5 * (1 - tax) - 0.05, 24.5 * (1 - tax) * 0.9 - 0.045];
	const calls = [
		plan.batch.calls[0]!,
		{...plan.batch.calls[1]!, data: swap(BigInt(Math.ceil((least + 0.045) * 1e6)), plan.request.amountRaw)},
	];
	return {
		...quote(plan, {estimatedAmountOut: estimate.toFixed(6), minAmountOut: least.toFixed(6)}),
		batch: {...plan.batch, calls},
	};
}

/** A number as a service writes it: no exponent. */
function plain(value: number): string {
	return value.toFixed(12);
}

test('the fixtures pay with a dollar', () => {
	expect([buy.request.originToken, sell.request.destinationToken]).toEqual([USDC, USDC]);
});
