import {expect, test} from 'vitest';
import type {NumberFieldName} from '../../../source/contract/fields.ts';
import {WINDOW_MS, WINDOWS_7, WINDOWS_8} from '../../../source/contract/windows.ts';
import {Engine} from '../../../source/service/market/engine.ts';
import type {MarketEvent} from '../../../source/service/market/events.ts';
import {readNumber} from '../../../source/service/market/readers.ts';
import {fc} from '../../helpers/properties.ts';
import {CHAIN, launch, START_MS, trade, transfer} from './make-events.ts';
import {BURN, Recount, type WindowCount} from './recount.ts';

type Step = {
	gapMs: number;
	kind: 'buy' | 'sell' | 'give' | 'burn';
	wallet: number;
	to: number;
	part: number;
	priceUSD: number;
	/** Of the pool after it; undefined where the source has no state. */
	spotUSD: number | undefined;
};

const GAP_MS = fc.oneof(
	{weight: 6, arbitrary: fc.integer({min: 0, max: 4000})},
	{weight: 3, arbitrary: fc.integer({min: 4000, max: 400_000})},
	// Below an hour: a dead token forgets who has sold out (tested elsewhere).
	{weight: 2, arbitrary: fc.integer({min: 400_000, max: 3_500_000})},
);
const STEPS = fc.array(
	fc.record<Step>({
		gapMs: GAP_MS,
		kind: fc.constantFrom('buy', 'buy', 'buy', 'sell', 'sell', 'sell', 'give', 'burn'),
		wallet: fc.integer({min: 0, max: 5}),
		to: fc.integer({min: 0, max: 5}),
		part: fc.constantFrom(1, 1, 0.5, 0.25),
		priceUSD: fc.double({min: 0.01, max: 50, noNaN: true}),
		spotUSD: fc.option(fc.double({min: 0.01, max: 50, noNaN: true}), {nil: undefined}),
	}),
	{minLength: 1, maxLength: 140},
);
const WALLETS = ['Dev', 'Ann', 'Bob', 'Cid', 'Dan', 'Eve'];

/** Turns steps into events that could have happened: no wallet gives away more than it has. */
function story(steps: readonly Step[]): {events: MarketEvent[]; endMs: number} {
	const events: MarketEvent[] = [launch({supply: 1e6, reserveToken: 9e5, curveSale: 8e5})];
	const balances = new Map([['Dev', 1e5]]);
	let timeMs = START_MS;
	for (const [index, {gapMs, kind, wallet: w, to: t, part, priceUSD, spotUSD}] of steps.entries()) {
		const atMs = timeMs + gapMs;
		const at = {timeMs: atMs, block: 100 + Math.floor((atMs - START_MS) / 400)};
		const wallet = WALLETS[w]!;
		const has = balances.get(wallet) ?? 0;
		const amountToken = kind === 'buy' ? 1 + ((index * 7919) % 1000) : has * part;
		if (amountToken <= 0) continue;
		balances.set(wallet, kind === 'buy' ? has + amountToken : has - amountToken);
		if (kind === 'buy' || kind === 'sell') {
			const spot = spotUSD === undefined ? {} : {spotQuote: spotUSD / 100};
			events.push(trade(wallet, kind, {...at, amountToken, valueUSD: amountToken * priceUSD, ...spot}));
			// Only trades keep a token alive, so only they advance the clock.
			timeMs = atMs;
			continue;
		}
		const to = kind === 'burn' ? BURN : WALLETS[t]!;
		if (to === wallet) {
			balances.set(wallet, has);
			continue;
		}
		balances.set(to, (balances.get(to) ?? 0) + amountToken);
		events.push(transfer(wallet, to, amountToken, {...at, timeMs}));
	}
	return {events, endMs: timeMs};
}

function play(events: readonly MarketEvent[], endMs: number): (name: NumberFieldName) => number {
	const engine = new Engine(START_MS);
	for (const event of events) {
		engine.advance(event.timeMs);
		engine.apply(event);
	}
	engine.advance(endMs);
	const row = engine.table.rowOf(`${CHAIN}|Token`)!;
	return name => readNumber(engine, name)(row);
}

const FIELD_OF: Readonly<Record<keyof WindowCount, string>> = {
	volumeBuy: 'volume_buy',
	volumeSell: 'volume_sell',
	fees: 'fees_paid',
	buys: 'buys',
	sells: 'sells',
	buyers: 'buyers',
	sellers: 'sellers',
	traders: 'traders',
	organicVolume: 'organic_volume',
	organicTrades: 'organic_trades',
	organicBuyers: 'organic_buyers',
	organicSellers: 'organic_sellers',
	organicTraders: 'organic_traders',
};

/** How much later than its window a trade may leave the figures, seconds: the resolution of the buckets of that age, and one. */
const ERROR_S = {
	'1min': 3,
	'5min': 11,
	'15min': 31,
	'1h': 121,
	'4h': 601,
	'6h': 601,
	'12h': 1801,
	'24h': 1801,
} as const;

test('every window holds all of its trades, and none that left it longer ago than the error bound', () => {
	fc.assert(
		fc.property(STEPS, fc.oneof(fc.constant(0), GAP_MS), (steps, pauseMs) => {
			const {events, endMs: lastMs} = story(steps);
			const nowMs = lastMs + pauseMs;
			const figure = play(events, nowMs);
			const recount = new Recount(events, 'Token');
			// An expectation each would be 200 a run, and slow.
			const wrong: string[] = [];
			for (const window of WINDOWS_8) {
				const least = recount.window(nowMs - WINDOW_MS[window]);
				const most = recount.window(nowMs - WINDOW_MS[window] - ERROR_S[window] * 1000);
				for (const [name, family] of Object.entries(FIELD_OF) as [keyof WindowCount, string][]) {
					const value = figure(`${family}_${window}` as NumberFieldName);
					if (value < least[name] * (1 - 1e-9) || value > most[name] * (1 + 1e-9)) {
						wrong.push(`${family}_${window} is ${value}, not ${least[name]} to ${most[name]}`);
					}
				}
			}
			expect(wrong).toEqual([]);
		}),
		{numRuns: 150},
	);
});

test('sums agree with their parts and longer windows contain shorter ones', () => {
	fc.assert(
		fc.property(STEPS, steps => {
			const {events, endMs} = story(steps);
			const read = play(events, endMs);
			const figure = (name: string): number => read(name as NumberFieldName);
			for (const [index, w] of WINDOWS_8.entries()) {
				for (const organic of ['', 'organic_']) {
					expect(figure(`${organic}volume_${w}`)).toBeCloseTo(
						figure(`${organic}volume_buy_${w}`) + figure(`${organic}volume_sell_${w}`),
						6,
					);
					expect(figure(`${organic}trades_${w}`)).toBe(figure(`${organic}buys_${w}`) + figure(`${organic}sells_${w}`));
					const [buyers, sellers, traders] = ['buyers', 'sellers', 'traders'].map(f =>
						figure(`${organic}${f}_${w}`),
					) as [number, number, number];
					expect(traders).toBeGreaterThanOrEqual(Math.max(buyers, sellers));
					expect(traders).toBeLessThanOrEqual(buyers + sellers);
				}
				const longer = WINDOWS_8[index + 1];
				if (!longer) continue;
				for (const family of ['volume', 'trades', 'traders', 'fees_paid', 'organic_trades']) {
					expect(figure(`${family}_${w}`)).toBeLessThanOrEqual(figure(`${family}_${longer}`) * (1 + 1e-12));
				}
			}
		}),
		{numRuns: 60},
	);
});

test('holders are the wallets with a balance, and percentages are their shares of what is not burnt', () => {
	fc.assert(
		fc.property(STEPS, steps => {
			const {events, endMs} = story(steps);
			const figure = play(events, endMs);
			const recount = new Recount(events, 'Token');
			expect(figure('holders_count')).toBe(recount.balances().size);
			for (const n of [10, 50, 100, 200] as const) {
				expect(figure(`top_${n}_holdings_percentage`)).toBeCloseTo(recount.top(n), 4);
			}
			expect(figure('dev_holdings_percentage')).toBeCloseTo(recount.heldBy(new Set(['Dev'])), 4);
			expect(figure('snipers_holdings_percentage')).toBeCloseTo(recount.heldBy(recount.snipers()), 4);
			expect(figure('insiders_holdings_percentage')).toBeCloseTo(recount.heldBy(recount.insiders()), 4);
			expect(figure('circulating_supply')).toBeCloseTo(1e6 - recount.burnt(), 3);
		}),
		{numRuns: 100},
	);
});

test('the price is the pool’s after the last trade, or that trade’s average, its extremes those of all trades, and its change runs from the window start', () => {
	fc.assert(
		fc.property(STEPS, steps => {
			const {events, endMs} = story(steps);
			const figure = play(events, endMs);
			const trades = new Recount(events, 'Token').trades();
			const points = [
				{timeMs: START_MS, price: 1},
				...trades.map(t => ({
					timeMs: t.timeMs,
					price: t.spotQuote === undefined ? t.valueUSD! / t.amountToken : t.spotQuote * 100,
				})),
			];
			const prices = points.map(({price}) => price);
			expect(figure('latest_price')).toBeCloseTo(prices.at(-1)!, 9);
			expect(figure('ath')).toBeCloseTo(Math.max(...prices), 9);
			expect(figure('atl')).toBeCloseTo(Math.min(...prices), 9);
			expect(figure('market_cap')).toBeCloseTo(figure('latest_price') * figure('circulating_supply'), 3);
			for (const window of WINDOWS_7) {
				const startMs = endMs - WINDOW_MS[window];
				const earliestMs = startMs - ERROR_S[window] * 1000;
				const before = points.findLast(({timeMs}) => timeMs <= earliestMs) ?? points[0]!;
				const candidates = [before, ...points.filter(({timeMs}) => timeMs > earliestMs && timeMs <= startMs)].map(
					({price}) => price,
				);
				const ago = figure(`price_${window}_ago`);
				expect(
					candidates.some(price => Math.abs(price - ago) < 1e-9),
					`price_${window}_ago`,
				).toBe(true);
				expect(figure(`price_change_${window}`)).toBeCloseTo((figure('latest_price') / ago - 1) * 100, 6);
			}
		}),
		{numRuns: 100},
	);
});
