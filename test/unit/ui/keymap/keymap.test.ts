import {expect, test} from 'vitest';
import type {ModeKind} from '../../../../source/monitor/mode.ts';
import {MODE_KINDS} from '../../../../source/ui/features.ts';
import {NOW_DONE_BY} from '../../../../source/ui/keymap/classic-keys.ts';
import {keyWord} from '../../../../source/ui/keymap/key-names.ts';
import {keymap} from '../../../../source/ui/keymap/keymap.ts';
import {keysByMode} from '../../../../source/ui/keymap/keys-by-mode.ts';

/** The keys in force in each mode, without a configuration. */
const inForce = keysByMode(keymap);

test('no two bindings of one mode have the same key', () => {
	for (const mode of MODE_KINDS) {
		const keys = inForce.filter(binding => binding.modes.includes(mode)).flatMap(binding => binding.keys);
		expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
	}
});

test('only keys of lists yield: another action of a window keeps its key', () => {
	const find = (mode: ModeKind, key: string) => inForce.find(b => b.modes.includes(mode) && b.keys.includes(key))?.id;
	expect(find('fields', 'space')).toBe('menu.toggle');
	expect(find('links', 'space')).toBe('board.pageDown');
	expect([find('alertRule', 'tab'), find('alertRule', 'down')]).toEqual(['prompt.complete', 'form.next']);
	expect([find('trade', 'tab'), find('trade', 'right')]).toEqual(['form.next', 'edit.right']);
	expect(find('positions', 'tab')).toBe('positions.turn');
	expect(find('chains', 'g')).toBe('scope.pick');
	expect(find('palette', 'end')).toBe('edit.end');
	expect(keymap.filter(({yields}) => yields).every(({id}) => /^(board|form|menu|edit)\./.test(id))).toBe(true);
});

test('every id is there once, with a label and a sentence', () => {
	const own = keymap.filter(({isLine}) => !isLine);
	expect(new Set(own.map(b => b.id)).size).toBe(own.length);
	for (const {label, help} of keymap) {
		expect(label).not.toBe('');
		expect(help).toMatch(/\.$/);
	}
});

test('every mode can be left, and Ctrl+C works in all', () => {
	for (const mode of MODE_KINDS) {
		const keys = inForce.filter(binding => binding.modes.includes(mode)).flatMap(binding => binding.keys);
		expect(keys).toContain('ctrl+c');
		expect(keys).toContain('esc');
	}
});

test('every action has a key without Ctrl, Alt or a function key, or is what Ctrl stands for everywhere', () => {
	const plain = new Set(
		keymap.filter(({keys}) => keys.some(key => !/^(ctrl\+|alt\+|f\d)/.test(key))).map(({id}) => id),
	);
	// Done by the key of another action now, which the key of an earlier version names.
	const moved = new Set([...Object.keys(NOW_DONE_BY), 'preset.prefix']);
	const onlyModified = keymap.flatMap(({id}) => (plain.has(id) || moved.has(id) ? [] : [id]));
	expect(onlyModified.sort()).toEqual(
		[
			// In money windows every letter is text.
			'money.raw',
			'money.export',
			'view.redraw',
			'program.interrupt',
			'program.suspend',
			'edit.word',
			'edit.line',
		].sort(),
	);
});

test('keys are written as people write them', () => {
	expect(['j', 'G', 'enter', 'ctrl+c', 'shift+tab', 'down'].map(key => keyWord(key))).toEqual([
		'j',
		'G',
		'Enter',
		'Ctrl+C',
		'Shift+Tab',
		'↓',
	]);
	expect(keyWord('down', true)).toBe('Down');
});
