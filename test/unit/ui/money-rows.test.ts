import {expect, test} from 'vitest';
import {editOf} from '../../../source/monitor/transitions/text-edit.ts';
import {choice, field, type MoneyLook} from '../../../source/ui/desk/money-rows.ts';
import {signsFor} from '../../../source/ui/signs.ts';
import {THEMES} from '../../../source/ui/theme.ts';

const LOOK: MoneyLook = {theme: THEMES.dark, signs: signsFor(false), width: 60, nowMs: 0};

const words = (row: readonly {readonly text: string}[]) => row.map(({text}) => text).join('');

test('what is typed, what is chosen and the hint of an empty line begin in the same cell of a form', () => {
	const rows = [
		choice(LOOK, 'you get', 'USDC', false),
		field(LOOK, 'amount', editOf('12.5'), false, 'a decimal number'),
		field(LOOK, 'recipient', editOf(''), false, 'this wallet'),
	];
	expect(rows.map(row => words(row).search(/USDC|12\.5|this wallet/))).toEqual([11, 11, 11]);
});
