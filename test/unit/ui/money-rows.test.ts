import {expect, test} from 'vitest';
import {editOf} from '../../../source/monitor/transitions/text-edit.ts';
import type {TradeTarget} from '../../../source/trading/traded-token.ts';
import {glyphsFor} from '../../../source/ui/glyphs.ts';
import {
	checkCountRows,
	checkRows,
	choice,
	failedRows,
	field,
	type MoneyCanvas,
} from '../../../source/ui/money/money-rows.ts';
import {tradeHeadRows} from '../../../source/ui/money/trade-title.ts';
import {THEMES} from '../../../source/ui/theme.ts';

const LOOK: MoneyCanvas = {theme: THEMES.dark, glyphs: glyphsFor(false), width: 60, nowMs: 0};

const words = (row: readonly {readonly text: string}[]) => row.map(({text}) => text).join('');

test('what is typed, what is chosen and the hint of an empty line begin in the same cell of a form', () => {
	const rows = [
		choice(LOOK, 'you receive', ['USDC'], false),
		field(LOOK, 'amount', editOf('12.5'), false, 'e.g. 12.5'),
		field(LOOK, 'recipient', editOf(''), false, 'this wallet'),
	];
	expect(rows.map(row => words(row).search(/USDC|12\.5|this wallet/))).toEqual([13, 13, 13]);
});

test('a choice that is too long leaves its balance out, and cuts no figure', () => {
	const texts = ['USDC on Base, balance 1,000', 'USDC on Base'];
	expect(words(choice({...LOOK, width: 46}, 'you send', texts, true))).toContain('< USDC on Base, balance 1,000 >');
	expect(words(choice({...LOOK, width: 36}, 'you send', texts, true))).toContain('< USDC on Base >');
});

test('the whole address of what is traded stands above every step, however narrow the screen is', () => {
	const address = `0x${'aB1'.repeat(13)}c`;
	const target = {side: 'buy', symbol: 'WIF', name: 'Dog wif hat', chainId: 'evm:8453', address, marks: []};
	const rows = (width: number) => tradeHeadRows({...LOOK, width}, target as unknown as TradeTarget).map(words);
	expect(rows(76)).toEqual([`${address}  “Dog wif hat”`]);
	expect(rows(36).join('')).toBe(address);
	expect(rows(36).every(row => row.length <= 36)).toBe(true);
});

test('the cursor of a field stays in sight, however long the text is', () => {
	const row = field({...LOOK, width: 30}, 'recipient', editOf('0x8e32bDA1e7B56FC1490F109df6eE0b2e27289746'), true);
	expect(words(row)).toMatch(/recipient .*9746 $/);
	expect(words(row).length).toBeLessThanOrEqual(30);
});

const check = (ok: boolean, more: object = {}) => ({
	name: 'x',
	title: 'payload is fresh',
	ok,
	detail: '70 s old',
	...more,
});

test('each failed check stands at the top with its reason and its advice, unless all it found is contracts to accept', () => {
	const top = (checks: readonly ReturnType<typeof check>[], toAccept: readonly object[] = []) =>
		failedRows(LOOK, {checks, toAccept}, 'Enter checks again.').map(words);
	expect(top([check(true)])).toEqual([]);
	expect(top([check(false), check(true)], [{}])).toEqual([]);
	expect(top([check(false), check(true)])).toEqual([
		'✗ payload is fresh: 70 s old',
		'A check has failed: nothing can be signed. Enter checks',
		'again.',
	]);
	const costly = check(false, {title: 'worst case', detail: '-27 %, at most 25 %', advice: 'Lower the amount.'});
	expect(top([check(false), check(true), costly], [{}])).toEqual([
		'✗ payload is fresh: 70 s old',
		'✗ worst case: -27 %, at most 25 %',
		'  → Lower the amount.',
		'2 checks have failed: nothing can be signed. Enter checks',
		'again.',
	]);
	// No letter of a long reason is left out.
	const long = failedRows(
		{...LOOK, width: 20},
		{checks: [{...costly, detail: 'one two three four five six'}], toAccept: []},
	);
	expect(long.map(words).slice(0, 3)).toEqual(['✗ worst case: one', '  two three four', '  five six']);
});

test('what passed is counted, what was not checked is named', () => {
	const count = (checks: readonly ReturnType<typeof check>[], untried?: string) =>
		checkCountRows(LOOK, {checks, toAccept: []}, {isReady: checks.every(({ok}) => ok), untried}).map(words);
	expect(count([check(true), check(true)])).toEqual(['✓ 2 checks passed. Enter goes on to the confirmation.']);
	expect(
		count([check(true), check(true, {isUnavailable: true, title: 'simulated on your node'})], 'no resale was tried'),
	).toEqual([
		'✓ 1 checks passed. Enter goes on to the confirmation.',
		'? not checked: simulated on your node, no resale was tried',
	]);
	expect(count([check(true), check(false)])).toEqual(['✓ 1 of 2 checks are fine']);
});

test('a contract to accept is asked about, a failed check is crossed out', () => {
	const checks = [
		{id: 'pin', title: 'executor is the known one', ok: false, detail: 'new'},
		{id: 'gas', title: 'gas is sponsored', ok: true, detail: 'yes'},
	] as unknown as Parameters<typeof checkRows>[1]['checks'];
	const glyphs = (toAccept: readonly object[] = []) =>
		checkRows(LOOK, {checks, toAccept}).map(row => words(row).slice(0, 1));
	expect(glyphs([{}])).toEqual(['!', '✓']);
	expect(glyphs()).toEqual(['✗', '✓']);
});
