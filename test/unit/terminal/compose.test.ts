import {describe, expect, test} from 'vitest';
import {Cells, CellWriter} from '../../../source/terminal/cells.ts';
import {composeRow} from '../../../source/terminal/compose.ts';
import {GlyphTable, NONE, TAIL} from '../../../source/terminal/glyphs.ts';

const glyphs = new GlyphTable();

/** A row of cells: `_` is a blank, and in the live layer `.` is nothing. */
function cells(text: string): Cells {
	const row = new Cells(8, 1);
	const writer = new CellWriter(glyphs, row);
	writer.start(row, 0);
	writer.write(text.replaceAll('_', ' '), 0);
	writer.finish();
	for (const [at, glyph] of row.glyphs.entries()) if (glyph === '.'.charCodeAt(0)) row.glyphs[at] = NONE;
	return row;
}

/** A row in words: `<` stands for the second cell of a wide glyph. */
function words(row: Cells): string {
	return [...row.glyphs]
		.map(glyph => (glyph === TAIL ? '<' : glyphs.text(glyph) === ' ' ? '_' : glyphs.text(glyph)))
		.join('');
}

describe('a composed row', () => {
	test.each([
		['shows live cells where Ink left blanks', '________', 'abcdefgh', 'abcdefgh'],
		['shows what Ink drew over live cells', 'AB______', 'abcdefgh', 'ABcdefgh'],
		['shows blanks where nothing is drawn', '________', 'ab....gh', 'ab____gh'],
		['shows Ink\u2019s blank where nothing is live', 'A_______', '........', 'A_______'],
		['keeps a wide live glyph', '________', 'a猫defgh', 'a猫<defgh'],
		['blanks the second half of a wide glyph whose first is covered', '_X______', 'a猫defgh', 'aX_defgh'],
		['blanks the first half of a wide glyph whose second is covered', '__X_____', 'a猫defgh', 'a_Xdefgh'],
		['keeps two wide glyphs side by side', '________', '猫犬efgh', '猫<犬<efgh'],
		['covers a wide glyph with another', '_猫_____', '犬犬efgh', '_猫<_efgh'],
	])('%s', (_title, ink, live, wanted) => {
		const isBlank = ink === '________';
		for (const layer of isBlank ? [cells(ink), undefined] : [cells(ink)]) {
			const into = new Cells(8, 1);
			composeRow(0, layer, cells(live), into);
			expect(words(into)).toBe(wanted);
		}
	});
});
