import {describe, expect, test} from 'vitest';
import {Cells, CellWriter} from '../../../source/terminal/cells.ts';
import {cursorMove, NOWHERE} from '../../../source/terminal/cursor-moves.ts';
import {GlyphTable, TAIL} from '../../../source/terminal/glyphs.ts';
import {Painter} from '../../../source/terminal/painter.ts';
import {SgrEncoder} from '../../../source/terminal/sgr.ts';
import {type Style, StyleTable} from '../../../source/terminal/style.ts';
import {fc} from '../../helpers/properties.ts';
import {Emulator} from './emulator.ts';
import {foreignBytes} from './strict-bytes.ts';

const COLUMNS = 24;
const ROWS = 4;

/** A painter on a terminal, and pictures to paint on it. */
function easel(widths: 'ours' | 'old' = 'ours') {
	const glyphs = new GlyphTable();
	const styles = new StyleTable();
	const painter = new Painter(COLUMNS, ROWS, glyphs, new SgrEncoder(styles, 'truecolor'));
	const emulator = new Emulator(COLUMNS, ROWS, widths);
	emulator.write('\x1B[?7l');
	painter.clear();
	let before = new Cells(COLUMNS, ROWS);
	return {
		emulator,
		glyphs,
		/** Paints the cells that are other than before, and gives the picture back with the bytes that it took. */
		async paint(picture: readonly (readonly Piece[])[]) {
			const cells = new Cells(COLUMNS, ROWS);
			const writer = new CellWriter(glyphs, cells);
			for (const [y, line] of picture.entries()) {
				writer.start(cells, y);
				for (const {text, style} of line) writer.write(text, styles.intern(style));
				writer.finish();
			}
			for (let y = 0; y < ROWS; y++) {
				const changed = Array.from({length: COLUMNS}, (_, x) => x).filter(x => isOther(cells, before, y * COLUMNS + x));
				if (changed.length > 0) painter.paintRow(y, cells, changed[0], changed.at(-1)! + 1);
			}
			before = cells;
			const bytes = painter.take();
			emulator.write(bytes);
			await emulator.settled();
			return {cells, bytes};
		},
	};
}

function isOther(a: Cells, b: Cells, at: number): boolean {
	return a.glyphs[at] !== b.glyphs[at] || a.styles[at] !== b.styles[at];
}

interface Piece {
	readonly text: string;
	readonly style: Style | undefined;
}

const text = fc.oneof(
	fc.string({unit: fc.constantFrom(...'ab. '), maxLength: 10}),
	fc
		.array(fc.constantFrom('猫', '🚀', '❤️', '👨‍👩‍👧‍👦', '🇯🇵', '1️⃣', '☎', 'é', '─', 'x'), {maxLength: 5})
		.map(parts => parts.join('')),
);
const style = fc.constantFrom<Style | undefined>(
	undefined,
	{color: 'red'},
	{backgroundColor: '#102030'},
	{bold: true, dimColor: true},
	{bold: true, color: '#ffffff'},
	{inverse: true, underline: true},
);
const picture = fc.array(fc.array(fc.record({text, style}), {maxLength: 5}), {minLength: ROWS, maxLength: ROWS});

describe('the painter', () => {
	test('turns any picture into any other', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(picture, {minLength: 1, maxLength: 5}), async pictures => {
				const grown = easel();
				for (const picture of pictures) {
					const {bytes} = await grown.paint(picture);
					expect(foreignBytes(bytes)).toBe('');
					const fresh = easel();
					await fresh.paint(picture);
					expect(grown.emulator.picture()).toBe(fresh.emulator.picture());
				}
			}),
			{numRuns: 60, interruptAfterTimeLimit: 12_000},
		);
	});

	test('spoils no other cell on a terminal that counts the cells of emoji otherwise', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(picture, {minLength: 1, maxLength: 5}), async pictures => {
				const {emulator, glyphs, paint} = easel('old');
				for (const picture of pictures) {
					const {cells} = await paint(picture);
					for (let y = 0; y < ROWS; y++) {
						const seen = emulator.cells(y);
						for (let x = 0; x < COLUMNS; x++) {
							const glyph = cells.glyphs[y * COLUMNS + x]!;
							if (glyph === TAIL || glyphs.isDisputed(glyph)) continue;
							expect([y, x, seen[x]!.text]).toEqual([y, x, glyphs.text(glyph)]);
						}
					}
				}
			}),
			{
				numRuns: 60,
				interruptAfterTimeLimit: 12_000,
				// The last change of the row is the first cell of an emoji whose second one was that of a wide letter.
				examples: [
					[
						[
							[[{text: '猫', style: undefined}], [], [], []],
							[[{text: '👨‍👩‍👧‍👦', style: undefined}], [], [], []],
						],
					],
				],
			},
		);
	});

	test('writes nothing when nothing changed', async () => {
		const {paint} = easel();
		const picture = [[{text: 'a 猫 ❤️', style: {bold: true}}], [], [], []];
		await paint(picture);
		expect((await paint(picture)).bytes).toBe('');
	});

	test.each([
		['one digit', '1.23', '1.24', '\x1B[1;4H4'],
		['a short gap is written again rather than jumped', 'abcdef', 'XbcdYf', '\x1B[HXbcdY'],
		['the end of a line is erased', 'some words here', 'some', '\x1B[1;6H\x1B[K'],
	])('takes few bytes: %s', async (_title, before, after, bytes) => {
		const {paint} = easel();
		await paint([[{text: before, style: undefined}], [], [], []]);
		// The cursor is somewhere else, as after any frame.
		await paint([[{text: before, style: undefined}], [{text: 'z', style: undefined}], [], []]);
		const painted = await paint([[{text: after, style: undefined}], [{text: 'z', style: undefined}], [], []]);
		expect(painted.bytes).toBe(bytes);
	});
});

test('a move leads where it should, from anywhere', async () => {
	const coordinate = fc.record({x: fc.nat({max: COLUMNS - 1}), y: fc.nat({max: ROWS - 1})});
	await fc.assert(
		fc.asyncProperty(
			coordinate,
			coordinate,
			fc.constantFrom('known', 'row only', 'unknown'),
			async (from, to, known) => {
				const {emulator} = easel();
				emulator.write(`\x1B[${from.y + 1};${from.x + 1}H`);
				const x = known === 'known' ? from.x : NOWHERE;
				const y = known === 'unknown' ? NOWHERE : from.y;
				emulator.write(cursorMove(x, y, to.x, to.y));
				await emulator.settled();
				const {cursorX, cursorY} = emulator.terminal.buffer.active;
				expect({x: cursorX, y: cursorY}).toEqual(to);
			},
		),
	);
});
