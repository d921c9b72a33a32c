import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {
	cellWidth,
	clean,
	clusterWidth,
	fitTo,
	graphemes,
	middleEllipsis,
	padEnd,
	padStart,
	truncate,
} from '../../source/text.ts';
import {HOSTILE_STRINGS} from '../fixtures/hostile-strings.ts';
import {fc} from '../helpers/properties.ts';

const hostile = Object.entries(HOSTILE_STRINGS);
const anyText = fc.oneof(
	fc.string({unit: 'binary'}),
	fc.string({unit: 'grapheme'}),
	fc
		.array(fc.constantFrom(...Object.values(HOSTILE_STRINGS).filter(text => text.length < 1000)))
		.map(parts => parts.join('')),
	fc
		.array(
			fc.constantFrom(
				'\x1B',
				'[',
				']',
				'3',
				';',
				'm',
				'\x07',
				'\x9B',
				'\u200D',
				'\uFE0F',
				'\u20E3',
				'👩',
				'1',
				'́',
				' ',
				'\uD83D',
				'\u202E',
			),
		)
		.map(parts => parts.join('')),
);

describe('clean', () => {
	test.each([
		['a plain name', 'PEPE coin', 'PEPE coin'],
		['complete escape sequences leave nothing', HOSTILE_STRINGS['colours itself']!, 'REDROSE'],
		['8-bit sequences leave nothing', HOSTILE_STRINGS['colours itself in 8-bit controls']!, 'REDROSE'],
		['a title leaves nothing of itself', HOSTILE_STRINGS['sets the window title']!, 'TITLE'],
		['a clipboard write leaves nothing of itself', HOSTILE_STRINGS['writes the clipboard']!, 'CLIP'],
		[
			'a string without an end hides nothing',
			HOSTILE_STRINGS['opens a string and never ends it']!,
			'OPEN0;never ended',
		],
		['a lone escape is shown', HOSTILE_STRINGS['ends in a lone escape']!, 'LONE�'],
		['overwriting is shown', HOSTILE_STRINGS['backs up over itself']!, 'SAFE�EVIL'],
		['a returned carriage is a space', HOSTILE_STRINGS['returns the carriage']!, 'SAFE EVIL'],
		['lines become one', HOSTILE_STRINGS['breaks the line']!, 'ONE TWO THREE FOUR FIVE SIX'],
		['tabs and their kin are one space', HOSTILE_STRINGS['jumps by tabs']!, 'A B C D E'],
		['a turned reading order is shown', HOSTILE_STRINGS['turns the reading order']!, 'abc�gnp.exe�'],
		['direction marks leave nothing', HOSTILE_STRINGS['marks its direction']!, 'abcd'],
		['right-to-left letters stay', HOSTILE_STRINGS['reads from right to left']!, 'שלום مرحبا'],
		['zero-width characters leave nothing', HOSTILE_STRINGS['hides zero-width characters']!, 'USDC'],
		['soft hyphens leave nothing', HOSTILE_STRINGS['hides soft hyphens']!, 'USDC'],
		['a name of fillers is not nameless', HOSTILE_STRINGS['is made of fillers']!, '�'],
		['a name of blanks is empty', HOSTILE_STRINGS['is made of blanks that are no space']!, ''],
		['tags leave nothing', HOSTILE_STRINGS['hides a message in tags']!, 'FLAG'],
		['lone surrogates are shown', HOSTILE_STRINGS['holds lone surrogates']!, 'a�b�c'],
		['marks without a letter leave nothing', HOSTILE_STRINGS['begins with marks']!, 'mark'],
		['families, skins and professions stay whole', HOSTILE_STRINGS['is a family']!, '👨‍👩‍👧‍👦👩🏽‍🚀'],
		['presented emoji keep their selector', HOSTILE_STRINGS['is a presented emoji']!, '❤️⚠️☎️'],
		['keycaps stay whole', HOSTILE_STRINGS['is keycaps']!, '1️⃣#️⃣*⃣'],
		['a joiner between letters leaves nothing', HOSTILE_STRINGS['joins what cannot be joined']!, 'ab'],
		['spaces at the ends go, inside they collapse', '  a   b ', 'a b'],
	])('%s', (_title, dirty, tidy) => {
		expect(clean(dirty)).toBe(tidy);
	});

	test('no more than two marks stay on a letter', () => {
		expect(clean(HOSTILE_STRINGS['stacks marks']!)).toMatch(/^.\p{M}{2}algo$/u);
	});

	test('emoji are not joined without end', () => {
		for (const cluster of graphemes(clean(HOSTILE_STRINGS['joins emoji without end']!))) {
			expect([...cluster].filter(character => character === '\u200D').length).toBeLessThanOrEqual(3);
		}
	});

	test('a long text is read up to its limit and says that it goes on', () => {
		expect(clean('A'.repeat(100_000))).toBe(`${'A'.repeat(4096)}…`);
		expect(clean('abcdef', {maxLength: 3})).toBe('abc…');
		expect(clean('長い名前です', {maxCells: 5})).toBe('長い…');
	});

	test('cleaned text never contains anything that acts, hides or reorders, and cleaning again changes nothing', () => {
		fc.assert(
			fc.property(anyText, text => {
				const tidy = clean(text);
				expect(tidy.isWellFormed()).toBe(true);
				expect(tidy).not.toMatch(
					/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\u200B\u200C\u200E\u200F\u00AD\uFEFF\u3164]/u,
				);
				expect(tidy).not.toMatch(/\p{M}{3}|^\p{M}|^ | $| {2}/u);
				expect(clean(tidy)).toBe(tidy);
				expect(clean(text, {maxCells: 7}).length === 0 || cellWidth(clean(text, {maxCells: 7})) <= 7).toBe(true);
			}),
			{numRuns: 1000},
		);
	});
});

describe('width', () => {
	test.each([
		['ASCII', 'abc', 3],
		['Latin with marks composed or not', 'é\u0065\u0301', 2],
		['kana and CJK', '猫コ', 4],
		['Hangul', '한국', 4],
		['an emoji', '🚀', 2],
		['a heart presented as emoji', '❤️', 2],
		['a family', '👨‍👩‍👧‍👦', 2],
		['a flag', '🇺🇦', 2],
		['a keycap', '1️⃣', 2],
		['lines, blocks and braille', '─│█⣿…', 5],
		['half-width kana with its mark', 'ﾊﾞ', 2],
		['nothing', '', 0],
	])('%s', (_title, text, cells) => {
		expect(cellWidth(text)).toBe(cells);
	});

	test('clean text is as wide as Ink will measure it', () => {
		for (const [, text] of hostile) {
			const tidy = clean(text);
			if (/[\u1100-\u11FF\u0900-\u0DFF]/.test(tidy)) continue; // clusters over two cells, split on purpose
			expect([tidy, cellWidth(tidy)]).toEqual([tidy, stringWidth(tidy)]);
		}
	});

	test('every cluster measured without string-width is as wide as it says', () => {
		const everyEmoji = Array.from({length: 0x20000}, (_, code) => String.fromCodePoint(code)).filter(character =>
			/\p{Emoji}/u.test(character),
		);
		const clusters = everyEmoji.flatMap(one => [one, `${one}\uFE0F`, `${one}\u20E3`, `${one}\uFE0F\u20E3`, `${one}🏽`]);
		const wrong = clusters.filter(cluster => clusterWidth(cluster) !== stringWidth(cluster));
		expect(wrong).toEqual([]);
		const part = fc.oneof(
			fc.constantFrom(
				...everyEmoji,
				'\u200D',
				'\uFE0F',
				'\u20E3',
				'🏽',
				'\u0301',
				'\u20DD',
				'\u0302',
				'\uFF9E',
				'ক',
				'ᄀ',
			),
			fc.string({unit: 'grapheme', maxLength: 1}),
		);
		const sequence = fc.array(part, {minLength: 2, maxLength: 5}).map(parts => parts.join(''));
		fc.assert(
			fc.property(sequence, text => {
				for (const {segment} of new Intl.Segmenter().segment(text)) {
					expect([segment, clusterWidth(segment)]).toEqual([segment, stringWidth(segment)]);
				}
			}),
			{numRuns: 3000},
		);
	});

	test('the clusters of a text are the text, and none is over two cells', () => {
		fc.assert(
			fc.property(anyText, text => {
				const clusters = graphemes(text);
				expect(clusters.join('')).toBe(text);
				for (const cluster of clusters) expect(clusterWidth(cluster)).toBeLessThanOrEqual(2);
			}),
		);
	});
});

describe('cutting and filling', () => {
	test.each([
		['fits', truncate('abc', 3), 'abc'],
		['too long', truncate('abcdef', 4), 'abc…'],
		['one cell', truncate('abcdef', 1), '…'],
		['no cell', truncate('abcdef', 0), ''],
		['a wide character that does not fit is left out', truncate('a猫猫', 3), 'a…'],
		['without a sign', truncate('abcdef', 4, ''), 'abcd'],
		['the middle of an address', middleEllipsis('0x1234567890abcdef', 9), '0x12…cdef'],
		['the middle with an odd cell over', middleEllipsis('0x1234567890abcdef', 8), '0x12…def'],
		['the middle of what fits', middleEllipsis('0x12', 8), '0x12'],
		['the middle in one cell', middleEllipsis('abcdef', 1), '…'],
		['filled at the end by cells', padEnd('猫', 4), '猫  '],
		['filled at the start by cells', padStart('猫', 4), '  猫'],
		['exactly so many cells', fitTo('猫猫猫', 4), '猫… '],
	])('%s', (_title, got, wanted) => {
		expect(got).toBe(wanted);
	});

	test('fitTo always returns exactly the given number of cells', () => {
		fc.assert(
			fc.property(anyText, fc.integer({min: 0, max: 30}), (text, cells) => {
				expect(cellWidth(fitTo(clean(text), cells))).toBe(cells);
			}),
		);
	});
});
