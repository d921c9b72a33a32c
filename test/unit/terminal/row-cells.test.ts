import {expect, test} from 'vitest';
import {Cells} from '../../../source/terminal/cells.ts';
import {RowCells, sharedRowCells} from '../../../source/terminal/row-cells.ts';
import type {Row, Style} from '../../../source/terminal/style.ts';
import {fc} from '../../helpers/properties.ts';

const STYLES: readonly (Style | undefined)[] = [undefined, {bold: true}, {color: 'red', backgroundColor: '#123456'}];
const row = fc.array(
	fc.record({
		text: fc.string({unit: fc.constantFrom('a', ' ', '▲', '猫', 'e\u0301', '👩‍🚀'), maxLength: 8}),
		style: fc.constantFrom(...STYLES),
	}),
	{maxLength: 5},
) as fc.Arbitrary<Row>;

/** The texts and looks of a row, whatever numbers they have. */
function shown(cells: Cells, {glyphs, styles}: RowCells): readonly (readonly [string, unknown])[] {
	return [...cells.glyphs].map((glyph, at) => [
		glyph < 0x20 ? `${glyph}` : glyphs.text(glyph),
		styles.look(cells.styles[at]!),
	]);
}

test('screens that share rows show what each shows alone, in any width and however often', () => {
	const draws = fc.array(fc.tuple(fc.nat(3), fc.integer({min: 1, max: 12}), fc.nat(3), fc.nat(2)), {maxLength: 20});
	fc.assert(
		fc.property(fc.array(row, {minLength: 4, maxLength: 4}), draws, (rows, all) => {
			const [shared, alone] = [new RowCells({}, true), new RowCells()];
			for (const [which, columns, x, y] of all) {
				const [a, b] = [new Cells(16, 3), new Cells(16, 3)];
				shared.draw(rows[which]!, columns, a, x, y);
				alone.draw(rows[which]!, columns, b, x, y);
				expect(shown(a, shared)).toEqual(shown(b, alone));
			}
		}),
	);
});

test('screens share numbers where they draw glyphs alike, and get new ones when there are too many', () => {
	const cells = sharedRowCells({});
	expect(sharedRowCells({isAmbiguousWide: false})).not.toBe(sharedRowCells({isAmbiguousWide: true}));
	expect(sharedRowCells({})).toBe(cells);
	const line: Row = [{text: '猫'}];
	const into = new Cells(4, 1);
	for (let n = 0; n < 3; n++) cells.draw(line, 4, into);
	for (let n = 0; !cells.isFull; n++) cells.glyphs.intern(`猫${n}`);
	const next = sharedRowCells({});
	expect(next).not.toBe(cells);
	next.draw(line, 4, into);
	expect(next.glyphs.text(into.glyphs[0]!)).toBe('猫');
});
