import {expect, test} from 'vitest';
import {foldTrades, type Holding} from '../../../../source/trading/positions/fold.ts';
import {
	type Amount,
	averageUSD,
	isSmall,
	openPercent,
	type Position,
	positionOf,
	sumsOf,
} from '../../../../source/trading/positions/position.ts';
import {valueMicro, wholeTokens} from '../../../../source/trading/positions/value.ts';
import {fc} from '../../../helpers/properties.ts';
import {type Step, TOKEN, trade, trades, usd, WALLET} from './trades.ts';

/** The only holding of some trades of a token with 6 decimals. */
function fold(...steps: Step[]): Holding {
	const [holding, ...others] = foldTrades(trades(...steps));
	expect(others).toEqual([]);
	return holding!;
}

const NOW_MS = Date.UTC(2026, 10, 22, 12);
const read = (raw: bigint): Amount => ({kind: 'read', raw, atMs: NOW_MS});
/** A position with an amount of whole tokens and a price. */
function at(holding: Holding, tokens: number, price?: number): Position {
	const raw = BigInt(Math.round(tokens * 1e6));
	return positionOf(holding, read(raw), price === undefined ? undefined : {usd: price, atMs: NOW_MS});
}

// docs.codex.io, "PnL": PENGU bought at 1 and at 3, sold at 4 and at 7: the average is 2, the profits are 4 and then 10.
test('sells are counted against the average of all buys', () => {
	const holding = fold(['buy', 2, 2], ['buy', 2, 6], ['sell', 2, 8], ['sell', 2, 14]);
	expect(holding.trades.map(({realisedMicro}) => realisedMicro)).toEqual([undefined, undefined, usd(4), usd(10)]);
	expect(holding).toMatchObject({
		trackedRaw: 0n,
		costMicro: 0n,
		paidMicro: usd(8),
		proceedsMicro: usd(22),
		realisedMicro: usd(14),
		sinceMs: undefined,
	});
});

test('a buy after everything was sold begins a new average and a new date', () => {
	const holding = fold(['buy', 10, 10], ['sell', 10, 30], ['buy', 5, 20]);
	expect(holding).toMatchObject({trackedRaw: 5_000_000n, costMicro: usd(20), realisedMicro: usd(20)});
	expect(holding.sinceMs).toBe(holding.trades[2]!.trade.atMs);
	expect(averageUSD(at(holding, 5))).toBe(4);
});

test('fees are in the cost and in the proceeds, and are known besides', () => {
	const [holding] = foldTrades([
		trade({side: 'buy', tokenRaw: 100_000_000n, usdMicro: usd(25), feeMicro: usd(0.3)}),
		trade({side: 'sell', tokenRaw: 50_000_000n, usdMicro: usd(14.9), feeMicro: usd(0.1), atMs: NOW_MS}),
	]);
	expect(holding).toMatchObject({realisedMicro: usd(2.4), costMicro: usd(12.5), feeMicro: usd(0.4)});
});

test('a sell whose dollars came back on the origin chain is a sell', () => {
	const [holding] = foldTrades([
		trade({side: 'buy', tokenRaw: 100n, usdMicro: usd(10)}),
		trade({side: 'sell', end: 'returned', tokenRaw: 100n, usdMicro: usd(9), atMs: NOW_MS}),
	]);
	expect(holding).toMatchObject({trackedRaw: 0n, realisedMicro: -usd(1), proceedsMicro: usd(9)});
});

test('half was moved elsewhere: half of the cost left with it, without profit or loss', () => {
	const holding = fold(['buy', 100, 20]);
	const position = at(holding, 50, 0.3);
	expect(position).toMatchObject({
		boughtRaw: 50_000_000n,
		movedRaw: 50_000_000n,
		movedCostMicro: usd(10),
		foreignRaw: 0n,
		costMicro: usd(10),
		valueMicro: usd(15),
		openMicro: usd(5),
	});
	expect(openPercent(position)).toBe(50);
	// What is left is sold: only its own part of the cost is set against it.
	const sold = fold(['buy', 100, 20], ['sell', 50, 15]);
	expect(sold.realisedMicro).toBe(usd(5));
	expect(at(sold, 0, 0.3)).toMatchObject({
		movedRaw: 50_000_000n,
		movedCostMicro: usd(10),
		valueMicro: 0n,
		openMicro: 0n,
	});
});

test('tokens that were not bought here are worth something, have no cost and make no profit', () => {
	const holding = fold(['buy', 100, 20]);
	const position = at(holding, 150, 0.3);
	expect(position).toMatchObject({
		boughtRaw: 100_000_000n,
		foreignRaw: 50_000_000n,
		valueMicro: usd(45),
		foreignValueMicro: usd(15),
		costMicro: usd(20),
		openMicro: usd(10),
	});
	expect(averageUSD(position)).toBe(0.2);
});

test('an airdrop came in and everything was sold: the share of the airdrop is proceeds without cost', () => {
	const holding = fold(['buy', 100, 20], ['sell', 400, 100]);
	expect(holding).toMatchObject({trackedRaw: 0n, realisedMicro: usd(5), withoutCostMicro: usd(75)});
	expect(holding.trades[1]).toMatchObject({realisedMicro: usd(5), withoutCostMicro: usd(75)});
});

test('a token that was only ever given is sold without cost and without a profit', () => {
	const holding = fold(['sell', 10, 7]);
	expect(holding).toMatchObject({trackedRaw: 0n, realisedMicro: 0n, withoutCostMicro: usd(7), proceedsMicro: usd(7)});
	expect(holding.trades[0]!.realisedMicro).toBeUndefined();
});

test('two wallets with the same token are two holdings, and so are two chains', () => {
	const other = `0x${'bb'.repeat(20)}`;
	const holdings = foldTrades([
		trade({side: 'buy', tokenRaw: 10n, usdMicro: usd(1)}),
		trade({side: 'buy', tokenRaw: 20n, usdMicro: usd(3), wallet: other}),
		trade({side: 'buy', tokenRaw: 30n, usdMicro: usd(5), chainId: 'evm:137'}),
		// The same wallet in another spelling.
		trade({
			side: 'sell',
			tokenRaw: 10n,
			usdMicro: usd(2),
			wallet: WALLET.toUpperCase().replace('0X', '0x'),
			atMs: NOW_MS,
		}),
	]);
	expect(holdings.map(({wallet, chainId, trackedRaw}) => [wallet, chainId, trackedRaw])).toEqual([
		[WALLET, 'evm:8453', 0n],
		[other, 'evm:8453', 20n],
		[WALLET, 'evm:137', 30n],
	]);
	expect(sumsOf(holdings.map(holding => positionOf(holding, read(holding.trackedRaw)))).realisedMicro).toBe(usd(1));
});

test('trades of two processes are taken by their time, not by their place in the journal', () => {
	const [first, second] = trades(['buy', 10, 10], ['sell', 10, 12]);
	expect(foldTrades([second!, first!])[0]!.realisedMicro).toBe(usd(2));
});

test('one unit that is sold unit by unit loses no cost in rounding', () => {
	const bought = trade({side: 'buy', tokenRaw: 3n, usdMicro: 10n, decimals: 0});
	const sell = (n: number) => trade({side: 'sell', tokenRaw: 1n, usdMicro: 0n, decimals: 0, atMs: NOW_MS + n});
	const [holding] = foldTrades([bought, sell(1), sell(2), sell(3)]);
	expect(holding!.trades.map(({realisedMicro}) => realisedMicro)).toEqual([undefined, -3n, -3n, -4n]);
	expect(holding).toMatchObject({trackedRaw: 0n, costMicro: 0n, realisedMicro: -10n});
});

test('36 decimals are counted exactly, and shown without an overflow', () => {
	const raw = 1_234_567n * 10n ** 36n + 1n;
	const [holding] = foldTrades([trade({side: 'buy', tokenRaw: raw, usdMicro: usd(1_234_567), decimals: 36})]);
	const position = positionOf(holding!, read(raw), {usd: 2, atMs: NOW_MS});
	expect(position).toMatchObject({valueMicro: usd(2_469_134), openMicro: usd(1_234_567), movedRaw: 0n, foreignRaw: 0n});
	expect(averageUSD(position)).toBeCloseTo(1, 12);
	expect(openPercent(position)).toBe(100);
	expect(wholeTokens(raw, 36)).toBe(1_234_567);
	expect(wholeTokens(1n, 36)).toBe(1e-36);
});

test.each([
	['none', undefined],
	['zero', 0],
	['negative', -1],
	['no number', Number.NaN],
	['endless', Number.POSITIVE_INFINITY],
	['too small to be one', 1e-30],
	['too large to be one', 1e12],
])('a price that is %s is unknown, which is not 0', (_, price) => {
	const position = at(fold(['buy', 100, 20]), 100, price);
	expect(position.valueMicro).toBeUndefined();
	expect(position.openMicro).toBeUndefined();
	expect(position.price).toBeUndefined();
	expect(openPercent(position)).toBeUndefined();
	expect(isSmall(position)).toBe(false);
	expect(sumsOf([position])).toMatchObject({valueMicro: 0n, costMicro: 0n, openMicro: 0n, unvalued: 1});
});

test('an amount that was not read is not 0: nothing is moved, nothing is lost, and the average stays known', () => {
	const position = positionOf(fold(['buy', 100, 20]), {kind: 'unread', why: 'no node'}, {usd: 1, atMs: NOW_MS});
	expect(position.valueMicro).toBeUndefined();
	expect(position.movedRaw).toBeUndefined();
	expect(averageUSD(position)).toBe(0.2);
	expect(sumsOf([position]).unvalued).toBe(1);
});

test('under 50 cents a position is a small one, and in the sums all the same', () => {
	const holding = fold(['buy', 100, 20]);
	expect(isSmall(at(holding, 100, 0.004999))).toBe(true);
	expect(isSmall(at(holding, 100, 0.005))).toBe(false);
	expect(sumsOf([at(holding, 100, 0.004)])).toMatchObject({valueMicro: usd(0.4), openMicro: usd(0.4) - usd(20)});
});

test('what was bought on a practice chain that was reset is gone, without profit or loss, and what came later is not', () => {
	const list = trades(['buy', 100, 20], ['sell', 40, 12], ['buy', 10, 5]);
	const [holding] = foldTrades(list, new Set([list[0]!.intentId, list[1]!.intentId]));
	expect(holding).toMatchObject({
		trackedRaw: 10_000_000n,
		costMicro: usd(5),
		goneRaw: 60_000_000n,
		goneCostMicro: usd(12),
		realisedMicro: usd(4),
		sinceMs: list[2]!.atMs,
	});
	const [all] = foldTrades(list, new Set(list.map(({intentId}) => intentId)));
	expect(all).toMatchObject({trackedRaw: 0n, costMicro: 0n, goneRaw: 70_000_000n, sinceMs: undefined});
});

test('a value is exact: the price counts by its digits', () => {
	expect(valueMicro(1_000_000_000_000_000_000n, 18, 0.000001234)).toBe(1n);
	expect(valueMicro(10n ** 24n, 18, 0.000001234)).toBe(1_234_000n);
	expect(valueMicro(3n, 0, 0.1)).toBe(300_000n);
	expect(valueMicro(1n, 0, 1e9)).toBe(10n ** 15n);
	expect(valueMicro(10n ** 36n, 36, 1e-18)).toBe(0n);
});

const step = fc.record({
	side: fc.constantFrom('buy', 'sell') as fc.Arbitrary<'buy' | 'sell'>,
	tokenRaw: fc.bigInt(1n, 10n ** 40n),
	usdMicro: fc.bigInt(0n, 10n ** 12n),
});

test('I9: realised and open profit are value and proceeds less what was paid, whatever was traded, moved or given', () => {
	fc.assert(
		fc.property(
			fc.array(step, {maxLength: 12}),
			fc.bigInt(0n, 10n ** 40n),
			fc.double({min: 1e-18, max: 1e9, noNaN: true}),
			fc.nat(36),
			(steps, raw, price, decimals) => {
				const list = steps.map((given, at) => trade({...given, decimals, atMs: at, intentId: `0x${at}`}));
				const [holding] = foldTrades(list);
				if (!holding) return;
				const position = positionOf(holding, read(raw), {usd: price, atMs: NOW_MS});
				const {valueMicro: value, foreignValueMicro: foreign, openMicro, movedCostMicro} = position;
				const {realisedMicro, withoutCostMicro, paidMicro, proceedsMicro} = holding;
				// I9, with the cost that left with moved tokens and the value of those that have none.
				expect(realisedMicro + withoutCostMicro + openMicro! + foreign!).toBe(
					value! + proceedsMicro - (paidMicro - movedCostMicro!),
				);
				// I8: what is tracked and what is not is the balance.
				expect(position.boughtRaw! + position.foreignRaw!).toBe(raw);
				expect(position.boughtRaw! + position.movedRaw!).toBe(holding.trackedRaw);
				expect(holding.costMicro >= 0n && holding.trackedRaw >= 0n && position.costMicro! >= 0n).toBe(true);
				if (holding.trackedRaw === 0n) expect(holding.costMicro).toBe(0n);
				expect(holding.sinceMs === undefined).toBe(holding.trackedRaw === 0n);
			},
		),
		{numRuns: 300},
	);
});

test('the profit of each sell adds up to that of the holding', () => {
	fc.assert(
		fc.property(fc.array(step, {maxLength: 12}), steps => {
			const [holding] = foldTrades(steps.map((given, at) => trade({...given, atMs: at, intentId: `0x${at}`})));
			if (!holding) return;
			const sum = (of: (line: Holding['trades'][number]) => bigint | undefined) =>
				holding.trades.reduce((all, line) => all + (of(line) ?? 0n), 0n);
			expect(sum(({realisedMicro}) => realisedMicro)).toBe(holding.realisedMicro);
			expect(sum(({withoutCostMicro}) => withoutCostMicro)).toBe(holding.withoutCostMicro);
		}),
		{numRuns: 200},
	);
});

test('a token is known by its address, not by its symbol', () => {
	const holdings = foldTrades([
		trade({side: 'buy', tokenRaw: 1n, usdMicro: 1n}),
		trade({side: 'buy', tokenRaw: 1n, usdMicro: 1n, token: TOKEN.replace('1', '2')}),
	]);
	expect(holdings).toHaveLength(2);
});
