import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {boundKeys, DEFAULT_KEYS} from '../../../../source/ui/keymap/bound-keys.ts';
import {withKeys} from '../../../../source/ui/keymap/key-texts.ts';
import {keymap} from '../../../../source/ui/keymap/keymap.ts';

const own = (keys: Readonly<Record<string, readonly string[]>>) => boundKeys({keys});

test('a text names the keys in force, and one with a name stands apart from what it is pressed with', () => {
	const text =
		'a count moves further (3{cursor.down}); {preset.list}{preset.back} goes back; {palette.open}why ADDRESS';
	expect(withKeys(text, DEFAULT_KEYS)).toBe("a count moves further (3j); '' goes back; :why ADDRESS");
	expect(
		withKeys(text, own({'cursor.down': ['f5'], 'preset.list': ['ctrl+g'], 'palette.open': ['ctrl+k']}), true),
	).toBe("a count moves further (3 F5); Ctrl+G ' goes back; Ctrl+K why ADDRESS");
});

test('a key of one place alone is named there and nowhere else', () => {
	const keys = own({'detail.token.copy': ['ctrl+y']});
	expect(withKeys('{token.copy} copies it', keys, false, 'detail')).toBe('Ctrl+Y copies it');
	expect(withKeys('{token.copy} copies it', keys, false, 'list')).toBe('y copies it');
});

test('an action without a key is named as the palette finds it', () => {
	expect(withKeys('{token.unhide} brings it back', own({'token.unhide': []}))).toBe(': unhide brings it back');
});

test('braces that name no action stay as they are', () => {
	expect(withKeys('{"and": [{"a.b": 1}]} {no.action}', DEFAULT_KEYS)).toBe('{"and": [{"a.b": 1}]} {no.action}');
});

/** What stands in braces with a dot inside a text of the sources. */
function named(dir: string): readonly string[] {
	return readdirSync(dir, {withFileTypes: true}).flatMap(file => {
		const path = join(dir, file.name);
		if (file.isDirectory()) return named(path);
		// Behind the end of a tag stand values in braces, not keys.
		return Array.from(
			readFileSync(path, 'utf8').matchAll(/['`"][^'`">\n]*?(?<![$=>])\{([a-zA-Z]+\.[a-zA-Z]+)\}/g),
			([, id]) => id!,
		);
	});
}

test('every action that a text of the screen names is one that there is', () => {
	const ids = new Set(keymap.map(({id}) => id));
	const texts = ['monitor', 'ui', 'commands'].flatMap(room =>
		named(join(import.meta.dirname, '../../../../source', room)),
	);
	expect(texts.length).toBeGreaterThan(30);
	expect([...new Set(texts)].filter(id => !ids.has(id))).toEqual([]);
});
