import {expect, test} from 'vitest';
import {GlyphTable} from '../../../source/terminal/glyphs.ts';

const told = (glyphs: GlyphTable, text: string) =>
	[...text].map(character => {
		const id = glyphs.intern(character);
		return [glyphs.width(id), glyphs.reach(id), glyphs.isDisputed(id)];
	});

test('with wide ambiguous characters the cursor is placed again after one; other characters are unaffected', () => {
	const wide = new GlyphTable({isAmbiguousWide: true});
	expect(told(wide, 'Ωж…')).toEqual([
		[1, 2, true],
		[1, 2, true],
		[1, 2, true],
	]);
	expect(told(wide, 'aş家')).toEqual([
		[1, 1, false],
		[1, 1, false],
		[2, 2, false],
	]);
});

test('in other terminals ambiguous characters are one cell wide, and certain', () => {
	expect(told(new GlyphTable(), 'Ωж…')).toEqual(Array(3).fill([1, 1, false]));
});

test('where lines and marks are ASCII, so is the mark of a cut text; what others wrote stays', () => {
	const glyphs = new GlyphTable({isAscii: true});
	expect([...'a…ж'].map(cluster => glyphs.text(glyphs.intern(cluster))).join('')).toBe('a.ж');
});

test('quotes, apostrophes and dashes of sentences are ASCII where lines and marks are', () => {
	const shown = (isAscii: boolean) => {
		const glyphs = new GlyphTable({isAscii});
		return [...'“it’s” – é'].map(cluster => glyphs.text(glyphs.intern(cluster))).join('');
	};
	expect(shown(true)).toBe('"it\'s" - é');
	expect(shown(false)).toBe('“it’s” – é');
});

test.each([
	['a family', '👨‍👩‍👧', '👨'],
	['a shade of skin', '👍🏽', '👍'],
	['a sign as an emoji', '❤\uFE0F', '❤ '],
	['a keycap', '1\uFE0F\u20E3', '1 '],
	['a flag', '🇺🇸', 'US'],
	['one emoji', '🐸', '🐸'],
	['a letter with an accent of its own', 'q\u0301', 'q\u0301'],
	['a letter of a script', 'ж', 'ж'],
])('without clusters, %s is its first character over the same cells', (_, cluster, shown) => {
	const simple = new GlyphTable({hasClusters: false});
	const full = new GlyphTable();
	const id = simple.intern(cluster);
	expect(simple.text(id)).toBe(shown);
	expect(simple.width(id)).toBe(full.width(full.intern(cluster)));
});
