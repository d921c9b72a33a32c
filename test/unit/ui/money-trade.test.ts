import {createElement} from 'react';
import {expect, test} from 'vitest';
import type {TradeTarget} from '../../../source/contract/trade-target.ts';
import {editOf} from '../../../source/monitor/transitions/text-edit.ts';
import type {BridgeInput} from '../../../source/trading/bridge/flow.ts';
import {shortUnits} from '../../../source/trading/decimal.ts';
import type {TradeForm} from '../../../source/ui/money/money-state.ts';
import {shareOf, tradeFormOver, tradeOf} from '../../../source/ui/money/trade-form.ts';
import {TradedToken, tradeTitles} from '../../../source/ui/money/trade-modal.tsx';
import {drawnTexts} from '../../helpers/drawn-rows.tsx';
import {createMoneyWindow, HELD_RAW, TARGET} from '../../helpers/money-windows.ts';

const SALE: TradeTarget = {...TARGET, side: 'sell'};

/** A window of a trade that shows its form. */
async function openForm(target: TradeTarget = TARGET) {
	const window = createMoneyWindow('trade', {target});
	await window.keys.open();
	window.see();
	return Object.assign(window, {form: () => window.shown().form as TradeForm});
}
const request = ({asked}: {asked: readonly unknown[]}) => asked.at(-1) as BridgeInput;
/** What was pressed has been done. */
const done = () => new Promise(resolve => setImmediate(resolve));

test('a number key is an amount, and asks for its quote at once: two keys to the review of a buy', async () => {
	const window = await openForm();
	window.type('2');
	await done();
	expect(window.shown().step).toBe('review');
	expect(request(window)).toMatchObject({
		originChainId: 'evm:8453',
		amount: '25',
		destinationChainId: TARGET.chainId,
		destinationToken: TARGET.address,
		trade: TARGET,
	});
	expect(request(window).slippage).toBeUndefined();
});

test('an amount is typed after $, a dot or Tab: then digits are digits', async () => {
	for (const [keys, amount] of [
		['$12.5', '12.5'],
		['.75', '0.75'],
	] as const) {
		const window = await openForm();
		window.type(keys);
		expect(window.shown().step).toBe('form');
		await window.keys.accept();
		expect(request(window).amount).toBe(amount);
	}
	const window = await openForm();
	window.keys.move(1);
	window.type('4');
	expect(window.form()).toMatchObject({field: 'amount', amount: {text: '4'}});
	expect(window.asked).toEqual([]);
});

test('a key that stands for nothing in the form changes nothing: letters, + and -, numbers without an amount', async () => {
	const window = await openForm();
	const before = window.form();
	window.type('+-=xyz05678 9');
	expect(window.form()).toBe(before);
	expect(window.asked).toEqual([]);
});

test('a pasted number is an amount, and asks for nothing; other pasted text is dropped', async () => {
	const window = await openForm();
	window.keys.paste('+2\r25\r');
	expect(window.form().amount.text).toBe('');
	window.keys.paste('2\n');
	expect(window.form()).toMatchObject({field: 'amount', amount: {text: '2'}});
	expect(window.asked).toEqual([]);
});

test('a buy is paid with the largest balance on another chain, and a turns to the next one', async () => {
	const token = (chainId: string, balanceRaw: bigint, symbol = 'USDC') => ({
		chainId,
		address: `0x${'1'.repeat(40)}`,
		symbol,
		decimals: chainId === 'evm:56' ? 18 : 6,
		balanceRaw,
	});
	const {form} = await openForm();
	const tokens = [
		token('evm:8453', 5_000_000n),
		token('evm:56', 7n * 10n ** 18n),
		token(TARGET.chainId, 900_000_000n),
		token('evm:137', 900_000_000n, 'FAKE'),
	];
	const over = tradeFormOver({...form(), dollars: [], dollar: 0}, {tokens});
	expect(over.dollars.map(({chainId}) => chainId)).toEqual(['evm:56', 'evm:8453']);
	expect(tradeFormOver(form(), {tokens, chainId: 'evm:56'}).dollar).toBe(1);
	expect(tradeFormOver({...form(), dollars: []}, {tokens, chainId: 'evm:8453'}).dollar).toBe(1);

	const window = await openForm();
	const first = window.form().dollars[0]!.chainId;
	window.type('a');
	window.type('1');
	await done();
	expect(request(window).originChainId).not.toBe(first);
	expect(request(window).originChainId).not.toBe(TARGET.chainId);
});

test('a sale is a share of what is held, rounded down; 100 % is exactly all of it', async () => {
	expect(shareOf(HELD_RAW, 100)).toBe(HELD_RAW);
	expect(shareOf(HELD_RAW, 50)).toBe(617_250_000_000_000_000_000n);
	expect(shareOf(HELD_RAW, 33.33)).toBe((HELD_RAW * 3333n) / 10_000n);
	for (const [keys, amount] of [
		['4', '1234.500000000000000001'],
		['2', '617.25'],
		['$max', '1234.500000000000000001'],
		['$30%', '370.35'],
		['$12.5', '12.5'],
	] as const) {
		const window = await openForm(SALE);
		window.type(keys);
		if (keys.startsWith('$')) await window.keys.accept();
		await done();
		expect(request(window)).toMatchObject({
			originChainId: SALE.chainId,
			originToken: SALE.address,
			amount,
			destinationChainId: 'evm:8453',
			trade: SALE,
		});
	}
});

test('a sale of more than is held, of nothing, and of no number is refused before any request', async () => {
	for (const [typed, what] of [
		['1234.500000000000000002', /You have 1,234\.500000000000000001 WIF/],
		['0', /not an amount/],
		['1.2.3', /not an amount/],
		['101%', /no share/],
		['0%', /no share/],
	] as const) {
		const window = await openForm(SALE);
		window.type(`$${typed}`);
		await window.keys.accept();
		expect(window.shown().problem?.what, typed).toMatch(what);
		expect(window.asked).toEqual([]);
	}
});

test('the slippage is automatic until another one is typed, and more than 25 % is refused', async () => {
	const window = await openForm();
	expect(window.text()).toContain('automatic: 10 %');
	window.type('%5');
	window.type('$20');
	await window.keys.accept();
	expect(request(window)).toMatchObject({amount: '20', slippage: 5});
	for (const slippage of ['25.01', '0', 'x', '1e1']) {
		const form = {...window.form(), slippage: editOf(slippage)};
		expect(() => tradeOf(form), slippage).toThrow(/slippage/);
	}
});

test('the form says what its keys do, and what the token in the wallet is worth by the feed', async () => {
	const buy = (await openForm()).text(74);
	expect(buy).toMatch(/amount +1 \$10 +2 \$25 +3 \$50 +4 \$100/);
	expect(buy).toContain('1 to 4: this amount, and its quote at once; nothing is signed yet. $: type');
	const sale = (await openForm(SALE)).text(74);
	expect(sale).toMatch(/you hold +1,234\.5 WIF, about \$2\.47 by the feed/);
	expect(sale).toMatch(/amount +1 25 % +2 50 % +3 75 % +4 100 %/);
	expect(sale).toMatch(/receive +USDC on Base/);
});

test('where no other chain has USDC, and where nothing is held, the form says so and asks for nothing', async () => {
	const poor = await openForm();
	poor.put({form: {...poor.form(), dollars: []}});
	expect(poor.text()).toContain('No practice chain beside Arbitrum has USDC that pays for it.');
	poor.type('2');
	await poor.keys.accept();
	const none = await openForm(SALE);
	const {held: _, ...form} = none.form();
	none.put({form});
	expect(none.text()).toContain('This wallet has no WIF on Arbitrum: there is nothing to sell.');
	none.type('4');
	await done();
	expect(none.shown().problem?.what).toBe('There is nothing to sell');
	expect([...poor.asked, ...none.asked]).toEqual([]);
});

test('the head of the window has the whole address and everything that speaks against the token', () => {
	const target: TradeTarget = {
		...TARGET,
		symbol: 'A'.repeat(60),
		name: 'Doge\u202e',
		lookAlike: 'bad',
		marks: ['honeypot', 'tax can change'],
	};
	const rows = drawnTexts(createElement(TradedToken, {target}), 74);
	expect(rows[0]).toContain(TARGET.address);
	expect(rows.join(' ')).toMatch(/imitates the name.*honeypot.*tax can change/);
	expect(Math.max(...rows.map(row => row.length))).toBeLessThanOrEqual(74);
	expect(rows.join('')).not.toContain('\u202e');
	expect(tradeTitles(target)[0]!.length).toBeLessThan(40);
});

const ended = async (target: TradeTarget, state: object) => {
	const window = await openForm(target);
	const quoted = {
		request: {
			originChainId: 'evm:137',
			destinationChainId: target.chainId,
			amountRaw: 25_000_000n,
			decimals: 6,
			symbol: 'USDC',
		},
		quote: {estimatedAmountOut: '12450'},
	};
	window.put({step: 'status', view: {state: {attempts: 1, ...state}, quoted, checks: [], lines: [], toAccept: []}});
	return window.text(74).replaceAll(/\s+/g, ' ');
};

test('an end says what a chain has shown, and what only the service says', async () => {
	expect(await ended(TARGET, {phase: 'filled', arrivedRaw: '12450000000000000000000', arrivedDecimals: 18})).toMatch(
		/✓ Bought WIF .* 12,450 WIF arrived on Arbitrum: measured on the chain\./,
	);
	expect(await ended(TARGET, {phase: 'claimed', claim: 'filled'})).toMatch(
		/Bought, says the service .* The chain does not show WIF yet, so it counts as no position\./,
	);
	expect(await ended(TARGET, {phase: 'refunded', returnedRaw: '25000000', returnedDecimals: 6})).toMatch(
		/Not bought: your USDC came back .* came back on Polygon\./,
	);
	const sold = {...SALE, chainId: 'evm:137'};
	expect(await ended(sold, {phase: 'refunded', returnedRaw: '9500000', returnedDecimals: 6})).toMatch(
		/Sold WIF; the USDC is on Polygon .* came back on Polygon: 9\.5 USDC\. It can be bridged from there\./,
	);
});

test('while a trade is under way another token has a window of its own, and the first one comes back with its status', async () => {
	const other = {...TARGET, address: `0x${'cd'.repeat(20)}`, symbol: 'BONK'};
	const window = await openForm();
	window.type('2');
	await done();
	window.see();
	await window.keys.accept();
	window.see();
	window.type('25');
	window.keys.turn(1);
	await window.keys.accept();
	expect(window.shown().step).toBe('status');
	const end = window.endOfLatest();
	window.keys.close();

	await window.openTarget(other);
	expect(window.shown().step).toBe('form');
	expect(window.form().target).toBe(other);
	end();
	expect(window.shown().step).toBe('form');
	expect(window.form().target).toBe(other);
	expect(window.shown().view).toBeUndefined();
	window.keys.close();

	await window.openTarget({...SALE});
	expect(window.shown().step).toBe('form');
	window.keys.close();
	expect(window.signed).toHaveLength(1);
});

test('a token whose trade is under way opens on its status, and nothing else of it can be begun', async () => {
	const window = await openForm();
	window.type('1');
	await done();
	window.see();
	await window.keys.accept();
	window.see();
	window.type('10');
	window.keys.turn(1);
	await window.keys.accept();
	window.keys.close();
	await window.openTarget({...TARGET, address: TARGET.address.toUpperCase().replace('0X', '0x'), priceUSD: 5});
	expect(window.shown().step).toBe('status');
	window.type('2');
	await window.keys.accept();
	expect(window.signed).toHaveLength(1);
	expect(window.asked).toHaveLength(1);
});

test.each([
	[25_000_000n, 6, '25'],
	[12_500_000n, 6, '12.5'],
	[HELD_RAW, 18, '1234'],
	[617_250_000_000_000_000_001n, 18, '617.25'],
	[99_999_999_999_999_999_999n, 18, '99.9999'],
	[12_345_678_901n, 18, '0.00000001234'],
	[1n, 36, `0.${'0'.repeat(35)}1`],
	[10_000_000_001n, 9, '10'],
	[0n, 18, '0'],
])('of %d units with %d decimals %s is typed', (raw, decimals, typed) => {
	expect(shortUnits(raw, decimals)).toBe(typed);
});

test.each([
	[41_234_567_890_123n, 18, '0.00004124'],
	[99_999_999_999_999_999_999n, 18, '100'],
	[1_234_000_000_000_000_000_001n, 18, '1235'],
	[12_500_000n, 6, '12.5'],
])('a bound of %d units with %d decimals is at most %s', (raw, decimals, text) => {
	expect(shortUnits(raw, decimals, 'up')).toBe(text);
});

test('what has to be acknowledged stands in the confirmation with its reason, and its word is typed behind the amount', async () => {
	const window = await openForm();
	window.type('2');
	await done();
	window.see();
	await window.keys.accept();
	const view = {
		...window.shown().view,
		acknowledge: [{name: 'impact', value: '12', word: 'impact=12', why: 'price impact: the price moves by 11.6 %'}],
		lines: [
			{label: 'address', text: TARGET.address},
			{label: 'you pay', text: '25 USDC on Base'},
			{label: 'fees', text: '$0.04'},
			{label: 'worst case', text: '-14.0%', isMarked: true},
		],
	};
	window.put({view});
	window.see();
	const text = window.text(74);
	expect(text).toContain('you accept   price impact: the price moves by 11.6 %');
	expect(text).toContain('Type the amount, 25 impact=12, then choose with Tab.');
	expect(text).toMatch(/you pay +25 USDC on Base\nworst case +-14\.0%/);
	expect(text).not.toContain('$0.04');
	window.type('25');
	window.keys.turn(1);
	expect(window.shown().answer).toBe('cancel');
	window.type(' impact=12');
	window.keys.turn(1);
	expect(window.shown().answer).toBe('sign');
});

test('a quote that became worse at the confirmation leads back to a review, which has to be seen and confirmed again', async () => {
	const window = await openForm();
	window.type('2');
	await done();
	window.see();
	await window.keys.accept();
	window.see();
	// The quote of the review is long too old by then: signing asks for a fresh one, and that alone decides.
	window.wait(120_000);
	expect(window.text()).not.toContain('too old');
	window.isWorse = true;
	window.type('25');
	window.keys.turn(1);
	await window.keys.accept();
	expect(window.shown()).toMatchObject({step: 'review', answer: 'cancel'});
	expect(window.shown().problem).toBeDefined();
	expect(window.signed).toEqual([]);
	await window.keys.accept();
	expect(window.shown().step).toBe('review');
	window.isWorse = false;
});
