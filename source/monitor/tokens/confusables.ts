import {keptByText} from '../../kept-by-text.ts';

/*
 * Letters of other scripts that look like Latin ones, to find names that imitate others. The table has by hand what occurs
 * in launch feeds: Cyrillic, Greek, small capitals and a few Latin letters of other alphabets. Full-width, mathematical and
 * accented letters need no row: NFKD decomposes them.
 */
const LOOKS: Readonly<Record<string, string>> = {
	a: 'аАɑαΑᴀꓮ',
	b: 'ВвΒβʙᏴЬ',
	c: 'сСϲᴄⅽꓚ',
	d: 'ԁᴅꓓ',
	e: 'еЕεΕᴇꓰє',
	f: 'ꜰϝ',
	g: 'ɡɢԍ',
	h: 'һНнΗʜ',
	i: 'іІıιΙɪ',
	j: 'јЈᴊϳ',
	k: 'кКκΚᴋ',
	l: 'ӏʟⅼ|1',
	m: 'мМΜᴍ',
	n: 'пΝɴη',
	o: 'оОοΟᴏσօ0',
	p: 'рРρΡᴘ',
	q: 'ԛ',
	r: 'гʀᴦ',
	s: 'ѕЅꜱ',
	t: 'тТτΤᴛ',
	u: 'υᴜսц',
	v: 'ѵνᴠ',
	w: 'ԝωᴡ',
	x: 'хХχΧ',
	y: 'уУγΥʏ',
	z: 'ΖᴢӠ',
};

const LATIN_OF: ReadonlyMap<string, string> = new Map(
	Object.entries(LOOKS).flatMap(([latin, others]) => Array.from(others, other => [other, latin] as const)),
);

const MARKS = /\p{M}+/gu;
const NOISE = /[^\p{L}\p{N}]+/gu;

/**
 * The look of a name: equal for names that look the same in a list. Letter case, accents, other characters (`$PEPE`), widths
 * and letters of other scripts make no difference.
 */
export const skeleton = keptByText((name: string): string => {
	const plain = name.normalize('NFKD').replace(MARKS, '');
	const latin = Array.from(plain, letter => LATIN_OF.get(letter) ?? letter).join('');
	return latin.replace(NOISE, '').toLowerCase();
});

/** Letters of a name that are not Latin but look so, each once: `С` in `USDС`. Digits don't count. */
export function disguised(name: string): readonly string[] {
	return [...new Set(name)].filter(letter => LATIN_OF.has(letter) && /\p{L}/u.test(letter) && !LATIN.test(letter));
}
const LATIN = /[A-Za-z]/;

/** Whether a name mixes Latin letters with letters of other scripts that look like them, as no language does. */
export function isMixed(name: string): boolean {
	return LATIN.test(name) && disguised(name).some(letter => !/\p{Script=Latin}/u.test(letter));
}

/** The name of the script of a letter: `Cyrillic`. */
export function scriptOf(letter: string): string {
	return SCRIPTS.find(script => SCRIPT_TESTS.get(script)!.test(letter)) ?? 'another alphabet';
}
const SCRIPTS = ['Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Lisu', 'Latin'] as const;
const SCRIPT_TESTS = new Map(SCRIPTS.map(script => [script, new RegExp(`\\p{Script=${script}}`, 'u')]));
