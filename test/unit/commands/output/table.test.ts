import {expect, test} from 'vitest';
import {csvText, type TableColumn, tableText} from '../../../../source/commands/output/table.ts';
import {cellWidth, clean} from '../../../../source/text.ts';
import {fc} from '../../../helpers/properties.ts';

interface Row {
	readonly name: string;
	readonly figure: string;
}

const COLUMNS: readonly TableColumn<Row>[] = [
	{title: 'NAME', cell: row => row.name, shrinksTo: 4},
	{title: 'FIGURE', align: 'right', cell: row => row.figure},
];

test('columns are as wide as their widest cell, names to the left and figures to the right', () => {
	const rows = [
		{name: 'PEPE', figure: '1.2K'},
		{name: '狗狗币 the dog', figure: '–'},
	];
	expect(tableText(COLUMNS, rows)).toBe(
		['NAME            FIGURE', 'PEPE              1.2K', '狗狗币 the dog       –', ''].join('\n'),
	);
});

test('one long name does not widen every line where a column has a most', () => {
	const columns = [{...COLUMNS[0]!, most: 8}, COLUMNS[1]!];
	const rows = [
		{name: 'a name without end', figure: '1'},
		{name: 'PEPE', figure: '2'},
	];
	const [, long, short] = tableText(columns, rows)
		.split('\n')
		.map(line => cellWidth(line));
	expect([long, short]).toEqual([16, 16]);
	expect(tableText(columns, rows)).toContain('a name …');
});

test('a table without rows is its titles', () => {
	expect(tableText(COLUMNS, [])).toBe('NAME  FIGURE\n');
});

test('in a narrow terminal the column that can shrink gives way, never below its least', () => {
	const rows = [{name: 'a very long name', figure: '123456'}];
	expect(tableText(COLUMNS, rows, {width: 16})).toBe('NAME      FIGURE\na very …  123456\n');
	expect(tableText(COLUMNS, rows, {width: 3})).toBe('NAME  FIGURE\na v…  123456\n');
	expect(tableText(COLUMNS, rows, {width: 16, ascii: true})).toBe('NAME      FIGURE\na very .  123456\n');
});

test('with any names, the figures of a cut table begin in the same cell and no line exceeds the width', () => {
	const name = fc.string({unit: 'grapheme', maxLength: 40}).map(text => clean(text));
	fc.assert(
		fc.property(fc.array(name, {minLength: 1}), fc.integer({min: 12, max: 60}), (names, width) => {
			const rows = names.map(text => ({name: text, figure: '123456'}));
			const lines = tableText(COLUMNS, rows, {width}).split('\n').slice(0, -1);
			const widths = new Set(lines.map(cellWidth));
			expect(widths.size).toBe(1);
			expect([...widths][0]).toBeLessThanOrEqual(width);
		}),
	);
});

test('values with commas, quotes and line breaks are quoted, unknown ones are empty', () => {
	expect(
		csvText(
			['a', 'b'],
			[
				['x,y', 'say "hi"'],
				[undefined, 0.5],
				[true, 'one\ntwo'],
			],
		),
	).toBe('a,b\r\n"x,y","say ""hi"""\r\n,0.5\r\ntrue,"one\ntwo"\r\n');
});

test.each(['=1+1', '+cmd', '-2', '@SUM(A1)'])('a name that a spreadsheet would run is text: %s', name => {
	expect(csvText(['name'], [[name]])).toBe(`name\r\n'${name}\r\n`);
});

test('a negative figure stays a figure', () => {
	expect(csvText(['change'], [[-2.5]])).toBe('change\r\n-2.5\r\n');
});
