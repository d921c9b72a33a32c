import {expect, test} from 'vitest';
import {OUTPUT_SCHEMAS} from '../../../../source/commands/reference/output-schemas.ts';
import {positionDocument, sumsDocument, tradeDocuments} from '../../../../source/commands/trade/position-documents.ts';
import {foldTrades} from '../../../../source/trading/positions/fold.ts';
import {positionOf} from '../../../../source/trading/positions/position.ts';
import {TOKEN, trades, usd, WALLET} from '../../trading/positions/trades.ts';

const ENTRY = {atMs: Date.UTC(2026, 10, 21), kind: 'read'} as const;

/** The issues of a document under its schema. */
const issuesOf = (name: keyof typeof OUTPUT_SCHEMAS, document: unknown) =>
	OUTPUT_SCHEMAS[name].safeParse(document).error?.issues ?? [];

test('a position is printed with exact amounts, and what was moved elsewhere is no loss', () => {
	// 100 for $10, 50 sold for $9: $5 cost, $4 profit. Of the 50 left 20 were moved elsewhere.
	const [holding] = foldTrades(trades(['buy', 100, 10], ['sell', 50, 9]));
	const position = positionOf(holding!, {...ENTRY, raw: usd(30)}, {usd: 0.25, atMs: ENTRY.atMs});
	const document = positionDocument(position);
	expect(document).toMatchObject({
		wallet: WALLET,
		chainId: 'evm:8453',
		token: TOKEN,
		isHeld: true,
		amount: '30',
		movedElsewhere: '20',
		costUSD: '3',
		valueUSD: '7.5',
		openUSD: '4.5',
		openPercent: 150,
		realisedUSD: '4',
		paidUSD: '10',
		proceedsUSD: '9',
		notes: ['20 moved elsewhere, and their cost with them'],
	});
	const sums = sumsDocument([position]);
	expect(sums).toMatchObject({valueUSD: '7.5', openUSD: '4.5', realisedUSD: '4', withoutValue: 0});
	const whole = {schema: 'pulsetop.positions/1', mode: 'practice', positions: [document], sums, underWay: []};
	expect(issuesOf('positions', whole)).toEqual([]);
});

test('an amount that could not be read, and a token without a price, are left out and never 0', () => {
	const [holding] = foldTrades(trades(['buy', 100, 10]));
	const unread = positionDocument(positionOf(holding!, {kind: 'unread', why: 'no node'}, {usd: 1, atMs: ENTRY.atMs}));
	expect(unread).not.toHaveProperty('amount');
	expect(unread).not.toHaveProperty('valueUSD');
	expect(unread).toMatchObject({isHeld: true, notes: ['amount not read: no node']});
	const unpriced = positionOf(holding!, {...ENTRY, raw: usd(100)});
	expect(positionDocument(unpriced)).not.toHaveProperty('openUSD');
	expect(sumsDocument([unpriced])).toMatchObject({valueUSD: '0', withoutValue: 1});
});

test('the history has every trade, the newest first, with what each sell realised', () => {
	const history = tradeDocuments(foldTrades(trades(['buy', 100, 10], ['sell', 50, 4])));
	expect(history).toMatchObject([
		{side: 'sell', amount: '50', usd: '4', realisedUSD: '-1'},
		{side: 'buy', amount: '100', usd: '10'},
	]);
	expect(issuesOf('trades', {schema: 'pulsetop.trades/1', mode: 'real', trades: history})).toEqual([]);
});
