import {describe, expect, test} from 'vitest';
import {settledDocument, settledText, targetDocument} from '../../../../source/commands/trade/trade-documents.ts';
import type {TradeTarget} from '../../../../source/contract/trade-target.ts';
import type {SettledTrade} from '../../../../source/trading/positions/settled.ts';

const TARGET: TradeTarget = {
	side: 'buy',
	chainId: 'evm:8453',
	address: '0xToken',
	symbol: 'AAA',
	name: 'Aaa',
	phase: undefined,
	marks: [],
	isCurve: true,
	isNotOpenSource: true,
	atMs: 1000.6,
	isLive: true,
};

describe('the row of a trade', () => {
	test('is printed without what the feed does not report, and without what is only ours', () => {
		const {side, chainId, symbol, name, marks} = TARGET;
		expect(targetDocument(TARGET)).toStrictEqual({
			side,
			chainId,
			symbol,
			name,
			marks,
			token: '0xToken',
			readAtMs: 1001,
		});
	});

	test('is printed with its phase and its likeness where they are known', () => {
		expect(targetDocument({...TARGET, phase: 'bonded', lookAlike: 'warn', priceUSD: 0})).toMatchObject({
			phase: 'bonded',
			lookAlike: 'warn',
			priceUSD: 0,
		});
	});
});

describe('the end of a trade', () => {
	const SETTLED = {
		side: 'sell',
		end: 'traded',
		chainId: 'evm:8453',
		symbol: 'AAA',
		tokenRaw: 1_500_000n,
		decimals: 6,
		usdMicro: -250_000n,
	} as unknown as SettledTrade;

	test('has exact amounts, and fees and a transaction only where they are known', () => {
		expect(settledDocument(SETTLED)).toStrictEqual({end: 'traded', amount: '1.5', usd: '-0.25'});
		expect(settledDocument({...SETTLED, feeMicro: 0n, txHash: '0x1'} as SettledTrade)).toStrictEqual({
			end: 'traded',
			amount: '1.5',
			usd: '-0.25',
			feesUSD: '0',
			txHash: '0x1',
		});
	});

	test('is one line that says which way, and whether it came back', () => {
		expect(settledText(SETTLED)).toBe('sold     1.5 AAA on Base for -0.25 USD\n');
		expect(settledText({...SETTLED, side: 'buy', end: 'returned'})).toBe(
			'bought   1.5 AAA on Base for -0.25 USD, which came back on its own chain\n',
		);
	});
});
