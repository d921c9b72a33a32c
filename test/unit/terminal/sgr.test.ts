import {describe, expect, test} from 'vitest';
import {type ColorDepth, reduceColor, SgrEncoder} from '../../../source/terminal/sgr.ts';
import {type Color, packColor, type Style, StyleTable} from '../../../source/terminal/style.ts';
import {fc} from '../../helpers/properties.ts';
import {Emulator} from './emulator.ts';

const color = fc.oneof(
	fc.constantFrom<Color>('red', 'gray', 'whiteBright'),
	fc.nat({max: 255}).map((entry): Color => `ansi256(${entry})`),
	fc.nat({max: 0xffffff}).map((rgb): Color => `#${rgb.toString(16).padStart(6, '0')}`),
);
const style = fc.record(
	{
		color,
		backgroundColor: color,
		bold: fc.boolean(),
		dimColor: fc.boolean(),
		italic: fc.boolean(),
		underline: fc.boolean(),
		inverse: fc.boolean(),
		strikethrough: fc.boolean(),
	},
	{requiredKeys: []},
) as fc.Arbitrary<Style>;

describe('styles', () => {
	test('a change from any style to another gives the second', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(style, {minLength: 2, maxLength: 6}), async looks => {
				const styles = new StyleTable();
				const sgr = new SgrEncoder(styles, 'truecolor');
				const emulator = new Emulator(10, 1);
				const alone = new Emulator(10, 1);
				let pen = 0;
				for (const [at, look] of looks.entries()) {
					const next = styles.intern(look);
					emulator.write(`${sgr.change(pen, next)}x`);
					alone.write(`\x1B[m\x1B[${at + 1}G${sgr.change(0, next)}x`);
					pen = next;
				}
				emulator.write(sgr.change(pen, 0));
				await emulator.settled();
				await alone.settled();
				expect(emulator.picture()).toBe(alone.picture());
			}),
			{numRuns: 60},
		);
	});

	test('the same look has one id, however it is written', () => {
		const styles = new StyleTable();
		const id = styles.intern({color: '#ff0000', bold: true});
		expect(styles.intern({bold: true, color: '#F00', italic: false})).toBe(id);
		expect(styles.intern({})).toBe(styles.intern(undefined));
	});

	test.each([
		['truecolor', '\x1B[38;2;255;136;0m'],
		['256', '\x1B[38;5;214m'],
		['16', '\x1B[93m'],
		['none', ''],
	] as const)('an orange on a terminal of depth %s', (depth, bytes) => {
		const styles = new StyleTable();
		expect(new SgrEncoder(styles, depth).change(0, styles.intern({color: '#ff8800'}))).toBe(bytes);
	});

	test('without colours the attributes stay', () => {
		const styles = new StyleTable();
		const sgr = new SgrEncoder(styles, 'none');
		expect(sgr.change(0, styles.intern({color: 'red', backgroundColor: '#ffffff', bold: true}))).toBe('\x1B[1m');
	});

	test('what a background sets apart is inverse where there is no such background', () => {
		const styles = new StyleTable();
		const line = styles.intern({color: '#4ae168', backgroundColor: '#2a3f5f', bold: true, band: 'line'});
		const word = styles.intern({color: '#000000', backgroundColor: '#f0b72f', band: 'word'});
		const cursor = styles.intern({backgroundColor: '#2a3f5f', inverse: true, band: 'line'});
		const bytes = (depth: ColorDepth, id: number): string => new SgrEncoder(styles, depth).change(0, id);
		expect(bytes('none', line)).toBe('\x1B[1;7m');
		expect(bytes('none', word)).toBe('\x1B[7m');
		expect(bytes('16', line)).toBe('\x1B[1;7m');
		expect(bytes('16', word)).toBe('\x1B[30;103m');
		expect(bytes('16', cursor)).toBe('');
		expect(bytes('256', line)).not.toContain('7m');
	});

	test.each([
		['a grey that is quiet on black', 'ansi256(243)', 8],
		['a grey that is quiet on white', 'ansi256(240)', 8],
		['a light grey', 'ansi256(248)', 7],
		['a nearly black', '#161b22', 0],
		['a nearly white', '#f6f8fa', 15],
		['a dark green', 'ansi256(22)', 2],
		['a brown', 'ansi256(94)', 3],
		['a sky blue', 'ansi256(117)', 14],
		['a navy blue', 'ansi256(25)', 4],
	] as const)('%s of 256 colours stays one of 16', (_, color, entry) => {
		expect(reduceColor(packColor(color), '16')).toBe(entry);
	});

	test('no depth is given a colour that it does not have', () => {
		fc.assert(
			fc.property(color, any => {
				const packed = packColor(any);
				expect(reduceColor(packed, '256')).toBeLessThan(256);
				expect(reduceColor(packed, '16')).toBeLessThan(16);
				expect(reduceColor(packed, 'none')).toBe(-1);
			}),
		);
	});
});

test('text with a link is between its sequences where the terminal knows them, and plain text elsewhere', () => {
	const styles = new StyleTable();
	const link = styles.intern({link: 'https://example.com/a'});
	const other = styles.intern({link: 'https://example.com/b', bold: true});
	const sgr = new SgrEncoder(styles, 'truecolor', true);
	expect(sgr.change(0, link)).toBe('\u001b]8;;https://example.com/a\u001b\\');
	expect(sgr.change(link, other)).toBe('\u001b[1m\u001b]8;;https://example.com/b\u001b\\');
	expect(sgr.change(other, 0)).toBe('\u001b[m\u001b]8;;\u001b\\');
	expect(new SgrEncoder(styles, 'truecolor').change(0, link)).toBe('');
	// What could end the sequence early is no link.
	for (const bad of ['https://x/\u001b]52;c;x\u0007', 'https://x/ y', 'javascript:1', 'https://x/ü'])
		expect(styles.intern({link: bad})).toBe(0);
});
