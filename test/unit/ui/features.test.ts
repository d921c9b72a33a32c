import {expect, test} from 'vitest';
import {COMMANDS, FEATURES, MODE_KINDS, modeSpec} from '../../../source/ui/features.ts';

const twice = (names: readonly string[]): readonly string[] => names.filter((name, at) => names.indexOf(name) !== at);

test('no two features have a name, a mode, a section of the help or a typed command in common', () => {
	expect(twice(['monitor', ...FEATURES.map(({name}) => name)])).toEqual([]);
	expect(twice(FEATURES.flatMap(({modes = {}}) => Object.keys(modes)))).toEqual([]);
	expect(twice(FEATURES.flatMap(({help = {}}) => Object.keys(help)))).toEqual([]);
	expect(twice(COMMANDS.map(({word}) => word))).toEqual([]);
});

test('the keys of every mode stand in a section of the help, each at a place of its own', () => {
	const sections = FEATURES.flatMap(({help = {}}) => Object.entries(help));
	const ids = sections.map(([id]) => id);
	for (const kind of MODE_KINDS) expect(ids).toContain(modeSpec(kind).help);
	expect(twice(sections.map(([, {rank}]) => String(rank)))).toEqual([]);
});

test('a mode that lists lines marks one of them, and a prompt types its line', () => {
	for (const kind of MODE_KINDS) {
		const {typesLine, accept, menu} = modeSpec(kind);
		if (accept) expect(typesLine).toBe(true);
		expect(menu !== undefined && accept === undefined).toBe(menu?.accept !== undefined);
	}
});
