import {expect, test} from 'vitest';
import {type PerpDesk, perpOpened} from '../../../source/ui/desk/desk-state.ts';
import type {MoneyLook} from '../../../source/ui/desk/money-rows.ts';
import {perpRows} from '../../../source/ui/desk/perp-rows.ts';
import {signsFor} from '../../../source/ui/signs.ts';
import {THEMES} from '../../../source/ui/theme.ts';

const WALLET = {mode: 'practice', status: 'unlocked'} as const;
const LOOK: MoneyLook = {theme: THEMES.dark, signs: signsFor(false), width: 96, nowMs: 0};
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

function shown(step: PerpDesk['step'], more: object): string[] {
	const desk = {...perpOpened(), step, ...more} as unknown as PerpDesk;
	return perpRows(desk, WALLET, LOOK).map(row => row.map(({text}) => text).join(''));
}

test('the last step keeps the order unless the other answer is chosen: no button that says Cancel keeps it', () => {
	const rows = shown('confirm', {view: {lines: []}}).join('\n');
	expect(rows).toContain('[ Keep the order ]');
	expect(rows).toContain('Sign and cancel it');
	expect(rows).not.toContain('[ Cancel ]');
	expect(shown('confirm', {view: {lines: []}, answer: 'sign'}).join('\n')).toContain('[ Sign and cancel it ]');
});

test('a take-profit or stop-loss is listed by what it does: that of a long sells, that of a short buys', () => {
	const rows = shown('list', {view: {targets}}).join('\n');
	expect(rows).toMatch(/BUY +limit/);
	expect(rows).toMatch(/SELL +take-profit/);
	expect(rows).toMatch(/BUY +stop-loss/);
	expect(shown('list', {view: {targets}, index: 1}).join('\n')).toContain(
		'take-profit that closes the long (SELL), 500 USD at 5000',
	);
	expect(shown('list', {view: {targets}, index: 2}).join('\n')).toContain('stop-loss that closes the short (BUY)');
});
