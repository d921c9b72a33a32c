import {expect, test} from 'vitest';
import {GlyphTable} from '../../../source/terminal/glyphs.ts';
import {foreignBytes} from './strict-bytes.ts';

/** Of each plane with assigned characters, and of private ones, every code point; of the others some. */
function* codePoints(): Generator<number> {
	for (let code = 0; code < 0x11_0000; code += code < 0x2_0000 ? 1 : 0x101) yield code;
}

test('no character keeps a code point that acts on a terminal, or that nobody has assigned', () => {
	const glyphs = new GlyphTable();
	const foreign: string[] = [];
	for (const code of codePoints()) {
		const shown = glyphs.text(glyphs.intern(String.fromCodePoint(code)));
		if (foreignBytes(shown) !== '') foreign.push(code.toString(16));
	}
	expect(foreign).toEqual([]);
});
