import {describe, expect, test} from 'vitest';
import type {IntendedData, IntendedTrade} from '../../../source/trading/bridge/journal-fold.ts';
import type {BridgeState} from '../../../source/trading/bridge/machine.ts';
import type {TradeSources} from '../../../source/trading/bridge/policy.ts';
import type {JournalRecord} from '../../../source/trading/journal.ts';
import {openTrades, settledTrades} from '../../../source/trading/positions/settled.ts';
import {tradesUnderWay} from '../../../source/trading/positions/under-way.ts';
import {readTradeFacts, tradeSpend, tradeUnderWay} from '../../../source/trading/trade/facts.ts';
import {ARBITRUM, BASE, intended, ME, STRANGER, USDC} from './sent-intent.ts';
import {goodBuy, goodSell, NOW, PEPE} from './trade-plans.ts';

/* The trades in the records of a journal: those that ended, those under way, and their effect on the next one. */

const BUY: IntendedTrade = {side: 'buy', chainId: BASE, token: PEPE, symbol: 'PEPE', decimals: 18, feeUSD: '0.05'};
const SELL: IntendedTrade = {...BUY, side: 'sell'};
/** 25 dollars on Arbitrum for PEPE on Base. */
const buying: Partial<IntendedData> = {
	originChainId: ARBITRUM,
	destinationChainId: BASE,
	amountRaw: '25000000',
	trade: BUY,
};
/** 1,000 PEPE on Base for dollars on Arbitrum. */
const selling: Partial<IntendedData> = {originToken: PEPE, decimals: 18, amountRaw: String(10n ** 21n), trade: SELL};

type Sent = readonly [more: Partial<IntendedData>, state?: Partial<BridgeState>];

/** The records of some intents, a second apart, each with its last state: i1, i2, ... */
function journalOf(...sent: readonly Sent[]): readonly JournalRecord[] {
	return sent.flatMap(([more, state], at) => {
		const record = (kind: string, data: object) =>
			({id: `i${at + 1}`, atMs: NOW + at * 1000, kind, data}) as unknown as JournalRecord;
		const claimed = record('bridge.intended', {...intended, ...more});
		return state ? [claimed, record('bridge.status', {attempts: 1, intentId: `i${at + 1}`, ...state})] : [claimed];
	});
}

describe('a trade that a chain has shown', () => {
	const bought = {phase: 'filled', arrivedRaw: '5', arrivedDecimals: 0, fillTxHash: '0xf', leftTxHash: '0xe'} as const;
	const sold = {
		phase: 'settled',
		arrivedRaw: '24990000',
		arrivedDecimals: 6,
		fillTxHash: '0xf',
		leftTxHash: '0xe',
	} as const;
	const returned = {phase: 'refunded', returnedRaw: '24980000', returnedDecimals: 6, leftTxHash: '0xe'} as const;

	test('has what arrived of a buy, what left of a sale, and its dollars', () => {
		const trades = settledTrades(journalOf([buying, bought], [selling, sold], [selling, returned]));
		expect(trades).toEqual([
			{
				intentId: 'i1',
				wallet: ME,
				side: 'buy',
				end: 'traded',
				chainId: BASE,
				token: PEPE,
				symbol: 'PEPE',
				decimals: 0,
				tokenRaw: 5n,
				usdMicro: 25_000_000n,
				feeMicro: 50_000n,
				atMs: NOW,
				txHash: '0xf',
			},
			expect.objectContaining({
				intentId: 'i2',
				end: 'traded',
				decimals: 18,
				tokenRaw: 10n ** 21n,
				usdMicro: 24_990_000n,
				txHash: '0xe',
			}),
			expect.objectContaining({intentId: 'i3', end: 'returned', tokenRaw: 10n ** 21n, usdMicro: 24_980_000n}),
		]);
	});

	test.each<[what: string, sent: Sent]>([
		['a transfer', [{}, bought]],
		['a buy whose dollars came back', [buying, returned]],
		['a trade whose end is only claimed', [buying, {...bought, phase: 'claimed', claim: 'filled'}]],
		['a fill that nothing was read of', [buying, {phase: 'filled'}]],
		['a fill without the decimals of its token', [buying, {phase: 'filled', arrivedRaw: '5'}]],
		['a sale that came back without its decimals', [selling, {phase: 'refunded', returnedRaw: '5'}]],
		['a buy that failed', [buying, {phase: 'failed', arrivedRaw: '5', arrivedDecimals: 0}]],
	])('is not %s', (_, sent) => {
		expect(settledTrades(journalOf(sent))).toEqual([]);
	});

	test('without a hash has none, and trades stand in the order of their ends', () => {
		const trades = settledTrades(
			journalOf([buying, {...bought, readAtMs: NOW + 9000.4}], [selling, {...sold, leftTxHash: undefined} as never]),
		);
		expect(trades.map(({intentId, atMs}) => [intentId, atMs])).toEqual([
			['i2', NOW + 1000],
			['i1', NOW + 9000],
		]);
		expect(trades[0]).not.toHaveProperty('txHash');
	});
});

describe('a trade under way', () => {
	test.each<[state: Partial<BridgeState> | undefined, expected: string[]]>([
		[undefined, ['moving']],
		[{phase: 'pending'}, ['moving']],
		[{phase: 'claimed', claim: 'filled'}, ['moving']],
		[{phase: 'claimed', claim: 'filled', blind: 'no node'}, ['unseen']],
		[{phase: 'claimed', claim: 'settled', blind: 'no node'}, ['unseen']],
		[{phase: 'filled', arrivedRaw: '5', arrivedDecimals: 0}, []],
		[{phase: 'refused'}, []],
	])('with the state %j is %j', (state, expected) => {
		const found = tradesUnderWay(journalOf(state ? [buying, state] : [buying]));
		expect(found.map(trade => trade.state)).toEqual(expected);
		for (const trade of found) expect(trade).toMatchObject({intentId: 'i1', side: 'buy', token: PEPE, sinceMs: NOW});
	});

	test('does not show where only the service reports a refund, and no node can show it', () => {
		const blind = {phase: 'claimed', claim: 'refunded', blind: 'no node'} as const;
		expect(tradesUnderWay(journalOf([buying, blind]))).toEqual([]);
		expect(tradesUnderWay(journalOf([{}]))).toEqual([]);
	});

	test('stands in the way of another of its token and side, and of no other', () => {
		const records = journalOf([buying], [selling, {phase: 'claimed', claim: 'filled', leftTxHash: '0xe'}]);
		expect(openTrades(records).map(({intentId}) => intentId)).toEqual(['i1', 'i2']);
		const target = {side: 'buy', chainId: BASE, address: PEPE.toUpperCase().replace('X', 'x')} as const;
		const found = (more: object, except = 'i9') => tradeUnderWay(records, {...target, ...more}, except)?.intentId;
		expect(found({})).toBe('i1');
		expect(found({}, 'i1')).toBeUndefined();
		// It moves nothing more: its tokens have left.
		expect(found({side: 'sell'})).toBeUndefined();
		expect(found({chainId: ARBITRUM})).toBeUndefined();
		expect(found({address: USDC})).toBeUndefined();
	});
});

describe('the facts of a trade', () => {
	const factsOf = (records: readonly JournalRecord[], plan = goodSell(), more: Partial<TradeSources> = {}) =>
		readTradeFacts(
			{
				journal: {records: () => records},
				address: ME,
				chains: {knows: () => false},
				clock: {nowMs: () => NOW},
				signer: {state: {mode: 'practice'}},
				...more,
			} as unknown as TradeSources,
			plan,
			plan.trade.target,
		);

	test('count what may still leave: sent from this wallet, and not seen to have left', async () => {
		const busy = async (...sent: Sent[]) => (await factsOf(journalOf(...sent))).busyRaw;
		expect(await busy([selling], [selling, {phase: 'pending'}])).toBe(2n * 10n ** 21n);
		expect(await busy([selling, {phase: 'pending', leftTxHash: '0xe'}])).toBe(0n);
		expect(await busy([selling, {phase: 'refused'}])).toBe(0n);
		expect(await busy([{...selling, originChainId: ARBITRUM}])).toBe(0n);
		expect(await busy([{...selling, originToken: USDC}])).toBe(0n);
		expect(await busy([{...selling, authority: STRANGER}])).toBe(0n);
		const {quote} = goodSell();
		const own = journalOf([selling]).map(record => ({...record, id: quote.intentId}));
		expect((await factsOf(own)).busyRaw).toBe(0n);
	});

	test('have the cost of what this wallet bought and holds, the last end, and the limit that was given', async () => {
		const bought: Partial<BridgeState> = {phase: 'filled', arrivedRaw: String(10n ** 19n), arrivedDecimals: 18};
		const facts = await factsOf(journalOf([buying, bought]), goodSell(), {trade: {maxLoss: 4}} as never);
		expect(facts).toMatchObject({own: {costUSD: 2.5, atKeyUSD: 0.001}, maxLoss: 4});
		expect(facts).not.toHaveProperty('endedAtMs');
		const sold: Partial<BridgeState> = {phase: 'filled', arrivedRaw: '24000000', arrivedDecimals: 6};
		const over = await factsOf(journalOf([buying, bought], [selling, sold]));
		expect(over).toMatchObject({endedAtMs: NOW + 1000});
		// All of it is sold.
		expect(over.own).not.toHaveProperty('costUSD');
		const others = journalOf(
			[{...buying, authority: STRANGER}, bought],
			[{...buying, trade: {...BUY, token: USDC}}, bought],
		);
		const {own, ...rest} = await factsOf(others);
		expect(own).not.toHaveProperty('costUSD');
		for (const name of ['maxLoss', 'endedAtMs', 'underWay']) expect(rest).not.toHaveProperty(name);
	});

	test('say why the price was not read on a node', async () => {
		const {trade} = goodBuy();
		const {decimals: _, ...target} = trade.target;
		const nameless = {...goodBuy(), trade: {...trade, target}};
		expect((await factsOf([], nameless)).own.chain).toEqual({kind: 'unread', why: 'no node of Base is configured'});
		const known = {chains: {knows: () => true}} as unknown as Partial<TradeSources>;
		expect((await factsOf([], nameless, known)).own.chain).toEqual({kind: 'unread', why: 'its decimals are not known'});
	});
});

describe('a trade counts in dollars', () => {
	const spendOf = (plan: ReturnType<typeof goodSell>) => tradeSpend(plan.request, plan.quote, plan.trade.target);
	const quoting = (estimatedAmountOut: string, totalFeeUsd?: string, plan = goodSell()) => ({
		...plan,
		quote: {...plan.quote, estimatedAmountOut, fees: totalFeeUsd === undefined ? {} : {totalFeeUsd}},
	});

	test('of a purchase the payment', () => {
		expect(spendOf(goodBuy())).toEqual({side: 'buy', usdMicro: 25_000_000n});
	});

	test.each([
		['the price of the feed, where that is higher', quoting('1'), 24_750_000n],
		['what it brings and costs, where that is higher', quoting('30', '0.5'), 30_500_000n],
		['what it brings, where the feed has no price', quoting('1', '0.5', goodSell({priceUSD: Number.NaN})), 1_500_000n],
		['as much as a cap can be', quoting('900000000000', '0'), 900_000_000_000_000_000n],
	])('of a sale %s', (_, plan, usdMicro) => {
		expect(spendOf(plan)).toEqual({side: 'sell', usdMicro});
	});

	test.each([
		['nothing', quoting('0', '0', goodSell({priceUSD: Number.NaN}))],
		['more than any cap', quoting('1000000000000')],
		['no number', quoting('x')],
	])('of a sale for %s an unknown sum', (_, plan) => {
		expect(spendOf(plan)).toEqual({side: 'sell'});
	});
});
