import {expect, test} from 'vitest';
import {editOf} from '../../../source/monitor/transitions/text-edit.ts';
import {glyphsFor} from '../../../source/ui/glyphs.ts';
import {checkRows, choice, failedRows, field, type MoneyCanvas} from '../../../source/ui/money/money-rows.ts';
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

test('the cursor of a field stays in sight, however long the text is', () => {
	const row = field({...LOOK, width: 30}, 'recipient', editOf('0x8e32bDA1e7B56FC1490F109df6eE0b2e27289746'), true);
	expect(words(row)).toMatch(/recipient .*9746 $/);
	expect(words(row).length).toBeLessThanOrEqual(30);
});

test('a review says at its top that nothing can be signed, and by which checks, unless all it found is contracts to accept', () => {
	const check = (ok: boolean, title = 'payload is fresh') => ({name: 'x', title, ok, detail: ''});
	const head = (checks: readonly ReturnType<typeof check>[], toAccept: readonly object[] = []) =>
		failedRows({...LOOK, width: 120}, {checks, toAccept}).map(words)[0];
	expect(head([check(true)])).toBeUndefined();
	expect(head([check(false), check(true)], [{}])).toBeUndefined();
	expect(head([check(false), check(true)])).toBe('✗ A check has failed, “payload is fresh”: nothing can be signed.');
	expect(head([check(false), check(true), check(false, 'gas')], [{}])).toBe(
		'✗ 2 checks have failed, “payload is fresh”, “gas”: nothing can be signed.',
	);
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
