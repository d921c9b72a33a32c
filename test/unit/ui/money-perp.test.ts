import {expect, test} from 'vitest';
import type {MoneyStep} from '../../../source/ui/money/money-state.ts';
import {createMoneyWindow} from '../../helpers/money-windows.ts';

const order = {
	key: 'a',
	dex: 'dexA',
	chainId: 'evm:42161',
	marketId: 'ETH',
	index: '0',
	kind: 'LIMIT',
	side: 'BUY',
	sizeUSD: 500,
	price: 1000,
};
const targets = [
	{...order, orderType: 'order'},
	{...order, key: 'b', orderType: 'tp', price: 5000},
	{...order, key: 'c', orderType: 'sl', price: 500, side: 'SELL'},
];

function shown(step: MoneyStep, more: object): string {
	const {put, text} = createMoneyWindow('perp');
	put({step, ...more});
	return text();
}

test('the last step keeps the order unless the other answer is chosen: no button that says Cancel keeps it', () => {
	const rows = shown('confirm', {view: {lines: []}});
	expect(rows).toContain('[ Keep the order ]');
	expect(rows).toContain('Sign and cancel it');
	expect(rows).not.toContain('[ Cancel ]');
	expect(shown('confirm', {view: {lines: []}, answer: 'sign'})).toContain('[ Sign and cancel it ]');
});

test('a take-profit or stop-loss is listed by what it does: that of a long sells, that of a short buys', () => {
	const rows = shown('form', {view: {targets}});
	expect(rows).toMatch(/BUY +limit/);
	expect(rows).toMatch(/SELL +take-profit/);
	expect(rows).toMatch(/BUY +stop-loss/);
	expect(shown('form', {view: {targets}, form: {index: 1}})).toContain(
		'take-profit that closes the long (SELL), 500 USD at 5000',
	);
	expect(shown('form', {view: {targets}, form: {index: 2}})).toContain('stop-loss that closes the short (BUY)');
});
