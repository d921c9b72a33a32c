import {expect, test} from 'vitest';
import {meaningProblems} from '../../../../source/commands/config/meaning.ts';
import {readConfigText} from '../../../../source/config/config-file.ts';
import {MODE_KINDS, modeSpec} from '../../../../source/ui/features.ts';
import {boundKeys} from '../../../../source/ui/keymap/bound-keys.ts';
import {readKeyName} from '../../../../source/ui/keymap/key-names.ts';
import {keymap} from '../../../../source/ui/keymap/keymap.ts';
import {KeyReader} from '../../../../source/ui/keymap/keys.ts';
import {keysByMode} from '../../../../source/ui/keymap/keys-by-mode.ts';
import {type KeyOverrides, rebind} from '../../../../source/ui/keymap/rebinding.ts';
import {fc} from '../../../helpers/properties.ts';

/** The first problem of a section `keys`, as a person reads it. */
async function problemOf(text: string): Promise<string | undefined> {
	const problems = await meaningProblems(await readConfigText(text, 'c.toml'));
	return problems.map(({message, why}) => `${message}. ${why}`)[0];
}

/** A sentence that ends with modes, in whatever order the features stand. */
const sentenceWithModes = (before: string, modes: string): unknown => ({
	asymmetricMatch: (said: string) =>
		said.startsWith(before) &&
		said.slice(before.length, -1).split(', ').sort().join(', ') === modes.split(', ').sort().join(', '),
});

const idOf = (keys: KeyOverrides, mode: Parameters<ReturnType<typeof boundKeys>['find']>[0], key: string) =>
	boundKeys({keys}).find(mode, key)?.id;

test('an action has the configured keys instead of the default ones, in all of its modes', () => {
	const keys = {'cursor.down': ['n', 'PageDown'], 'page.down': []};
	expect(idOf(keys, 'list', 'n')).toBe('cursor.down');
	expect(idOf(keys, 'list', 'pgdn')).toBe('cursor.down');
	expect(idOf(keys, 'list', 'j')).toBeUndefined();
	expect(idOf(keys, 'list', 'ctrl+f')).toBeUndefined();
	expect(idOf(keys, 'help', 'j')).toBe('board.down');
});

test('a mode goes by the name that it had in an earlier configuration, too', () => {
	expect(idOf({'markets.board.refresh': ['ctrl+n']}, 'prediction', 'ctrl+n')).toBe('board.refresh');
	expect(idOf({'markets.board.refresh': ['ctrl+n']}, 'webhooks', 'ctrl+n')).toBe('board.down');
	expect(idOf({'boardInput.edit.line': ['ctrl+n']}, 'screenInput', 'ctrl+n')).toBe('edit.line');
});

test('the keys of the action log go by their names of earlier configurations, too', () => {
	expect(idOf({'log.down': ['n']}, 'actionLog', 'n')).toBe('board.down');
	expect(idOf({'actionLog.log.pageUp': ['b']}, 'actionLog', 'b')).toBe('board.pageUp');
	expect(idOf({'log.close': ['z']}, 'actionLog', 'z')).toBe('menu.close');
	expect(idOf({'log.close': ['z']}, 'watchlist', 'z')).toBeUndefined();
	expect(idOf({'help.last': ['z']}, 'help', 'z')).toBe('board.last');
	expect(idOf({'why.down': ['z']}, 'why', 'z')).toBe('board.down');
});

test('the keys that take and leave a typed line go by the names that they had in single windows, too', () => {
	const keys = {'rule.typed': ['ctrl+y'], 'preset.untyped': ['f4'], 'boardInput.accept': ['f6']};
	expect(rebind(keymap, keys).problems).toEqual([]);
	expect(idOf(keys, 'alertRule', 'ctrl+y')).toBe('prompt.accept');
	expect(idOf(keys, 'alertRule', 'enter')).toBeUndefined();
	expect(idOf(keys, 'filter', 'ctrl+y')).toBeUndefined();
	for (const mode of ['presetName', 'presetImport'] as const) expect(idOf(keys, mode, 'f4')).toBe('prompt.cancel');
	expect(idOf(keys, 'screenInput', 'f6')).toBe('prompt.accept');
	expect(rebind(keymap, {'hidePrompt.cancel': []}).problems.map(({what}) => what)).toEqual([
		'hidePrompt.prompt.cancel needs a key',
	]);
});

test('the keys that turn lines on and off go by the names that they had in single windows, too', () => {
	const keys = {'fields.later': ['ctrl+y'], 'columns.toggle': ['z'], 'scope.keep': ['f6']};
	expect(rebind(keymap, keys).problems).toEqual([]);
	expect([idOf(keys, 'fields', 'ctrl+y'), idOf(keys, 'columns', 'ctrl+y')]).toEqual(['menu.later', undefined]);
	expect([idOf(keys, 'columns', 'z'), idOf(keys, 'fields', 'space')]).toEqual(['menu.toggle', 'menu.toggle']);
	for (const mode of ['chains', 'launchpads'] as const) expect(idOf(keys, mode, 'f6')).toBe('menu.accept');
});

test('what was an action of its own in menus, and is some keys of one, keeps its name and leaves the other keys', () => {
	const keys = {'menu.letterDown': ['Q'], 'menu.letterUp': [], 'menu.down': ['ctrl+g'], 'menu.letterClose': ['Z']};
	expect(rebind(keymap, keys).problems).toEqual([]);
	const inLinks = (key: string) => idOf(keys, 'links', key);
	expect(['Q', 'ctrl+g', 'tab'].map(inLinks)).toEqual(['board.down', 'board.down', 'board.down']);
	expect(['j', 'k', 'ctrl+n', 'q'].map(inLinks)).toEqual([undefined, undefined, undefined, undefined]);
	expect([inLinks('up'), inLinks('Z'), inLinks('esc')]).toEqual(['board.up', 'menu.close', 'menu.close']);
	// Pages never had these actions.
	expect(['j', 'k', 'q'].map(key => idOf(keys, 'developer', key))).toEqual(['board.down', 'board.up', 'menu.close']);
	expect(idOf({'links.menu.letterDown': ['n']}, 'links', 'n')).toBe('board.down');
	expect(idOf({'links.menu.letterDown': ['n']}, 'themes', 'n')).toBeUndefined();
	expect(idOf({'help.typing': ['ctrl+g']}, 'filter', 'ctrl+g')).toBe('help.open');
	expect(idOf({'help.typing': ['ctrl+g']}, 'list', '?')).toBe('help.open');
});

test('what one list could do keeps its name where the action is one of all lists', () => {
	const keys = {
		'alerts.remove': ['ctrl+x'],
		'hidden.remove': ['ctrl+y'],
		'preset.copy': ['c'],
		'links.copy': [],
		'preset.refuse': ['esc', 'Q'],
		'rewind.minuteOlder': ['pgup', 'b'],
		'rewind.newest': ['N'],
		'rewind.leave': ['esc', 'B'],
		'help.search': ['f7'],
		'rule.where': ['ctrl+y'],
		'palette.complete': ['f9'],
		'boardInput.previous': ['f8'],
		'fields.usual': ['Z'],
		'scope.toggle': ['f6'],
		'positions.board.accept': ['o'],
		'board.copy': ['C'],
	};
	expect(rebind(keymap, keys).problems).toEqual([]);
	expect([idOf(keys, 'alerts', 'ctrl+x'), idOf(keys, 'alerts', 'x')]).toEqual(['menu.remove', undefined]);
	expect([idOf(keys, 'hidden', 'ctrl+y'), idOf(keys, 'presets', 'x')]).toEqual(['menu.remove', 'menu.remove']);
	expect([idOf(keys, 'presets', 'c'), idOf(keys, 'links', 'y')]).toEqual(['menu.copy', undefined]);
	expect([idOf(keys, 'presetDiff', 'Q'), idOf(keys, 'slot', 'Q')]).toEqual(['menu.close', undefined]);
	expect([idOf(keys, 'rewind', 'b'), idOf(keys, 'rewind', 'N')]).toEqual(['board.up', 'board.last']);
	expect([idOf(keys, 'rewind', 'B'), idOf(keys, 'rewind', 'q')]).toEqual(['menu.close', undefined]);
	expect([idOf(keys, 'help', 'f7'), idOf(keys, 'links', '/')]).toEqual(['menu.narrow', undefined]);
	expect([idOf(keys, 'alertRule', 'ctrl+y'), idOf(keys, 'trade', 'down')]).toEqual(['form.next', 'form.next']);
	expect([idOf(keys, 'palette', 'f9'), idOf(keys, 'filter', 'tab')]).toEqual(['prompt.complete', 'prompt.complete']);
	expect([idOf(keys, 'screenInput', 'f8'), idOf(keys, 'alertRule', 'up')]).toEqual(['form.previous', 'form.previous']);
	expect([idOf(keys, 'fields', 'Z'), idOf(keys, 'columns', 'r')]).toEqual(['menu.reset', 'menu.reset']);
	expect([idOf(keys, 'chains', 'f6'), idOf(keys, 'launchpads', 'f6')]).toEqual(['menu.toggle', 'menu.toggle']);
	expect([idOf(keys, 'positions', 'o'), idOf(keys, 'watchlist', 'enter')]).toEqual(['menu.accept', 'menu.accept']);
	expect([idOf(keys, 'webhooks', 'C'), idOf(keys, 'hidden', 'y')]).toEqual(['menu.copy', 'menu.copy']);
	expect(rebind(keymap, {'preset.keep': ['Q']}).problems).toMatchObject([
		{what: expect.stringContaining("can't be changed")},
	]);
});

test('the keys that actions had by default under their earlier names are valid, all at once', () => {
	const keys = {
		'board.accept': ['enter'],
		'board.back': ['esc', 'q'],
		'board.copy': ['y'],
		'boardInput.next': ['tab', 'down'],
		'boardInput.previous': ['shift+tab', 'up'],
		'columns.all': ['r'],
		'developer.hide': ['x', 'delete'],
		'fields.usual': ['r'],
		'help.close': ['esc', 'q', '?', 'enter', 'f1'],
		'help.search': ['/'],
		'labels.clear': ['x', 'delete'],
		'palette.complete': ['tab'],
		'preset.apply': ['enter'],
		'preset.cancel': ['esc', 'q'],
		'rewind.leave': ['esc', 'q', 'enter'],
		'rule.where': ['down', 'ctrl+n'],
		'rule.whereBack': ['up', 'ctrl+p'],
		'scope.toggle': ['space'],
		'why.close': ['esc', 'q', 'enter'],
	};
	expect(rebind(keymap, keys).problems).toEqual([]);
	expect([idOf(keys, 'rewind', 'enter'), idOf(keys, 'why', 'enter')]).toEqual(['menu.close', 'menu.close']);
	expect([idOf(keys, 'help', '?'), idOf(keys, 'prediction', 'y')]).toEqual(['help.close', 'menu.copy']);
});

test('a key of what all lists do is a key of the mode itself where that has it, and an exit keeps one', () => {
	const keys = {'menu.accept': ['enter', 'l'], 'menu.close': ['esc', '<'], 'menu.copy': ['n'], 'edit.line': ['ctrl+r']};
	expect(rebind(keymap, keys).problems).toEqual([]);
	expect([idOf(keys, 'links', 'l'), idOf(keys, 'rewind', 'l')]).toEqual(['menu.accept', 'rewind.newer']);
	expect([idOf(keys, 'why', '<'), idOf(keys, 'rewind', '<')]).toEqual(['menu.close', 'rewind.older']);
	expect([idOf(keys, 'filter', 'ctrl+r'), idOf(keys, 'trade', 'ctrl+r')]).toEqual(['edit.line', 'money.raw']);
	expect([idOf(keys, 'links', 'n'), idOf(keys, 'webhooks', 'n')]).toEqual(['menu.copy', 'webhooks.create']);
	expect(idOf({'menu.accept': ['space']}, 'themes', 'space')).toBe('menu.accept');
	expect(rebind(keymap, {'menu.close': ['tab']}).problems).toMatchObject([
		{item: 'menu.close', why: expect.stringMatching(/other actions in .*palette/)},
	]);
});

test('a letter is a key of an action where none is typed, and an exit of typed lines needs another key', () => {
	const keys = {'board.down': ['n'], 'menu.close': ['Z', 'esc']};
	expect(rebind(keymap, keys).problems).toEqual([]);
	expect([idOf(keys, 'links', 'n'), idOf(keys, 'developer', 'n')]).toEqual(['board.down', 'board.down']);
	expect([idOf(keys, 'palette', 'n'), idOf(keys, 'palette', 'esc')]).toEqual([undefined, 'menu.close']);
	expect(rebind(keymap, {'menu.close': ['Z']}).problems).toMatchObject([
		{item: 'menu.close', why: expect.stringMatching(/text in .*palette/)},
	]);
});

test('keys of one mode leave the others as they are, and go before keys for all', () => {
	const keys = {'detail.cursor.down': ['ctrl+n'], 'cursor.down': ['n']};
	expect(idOf(keys, 'detail', 'ctrl+n')).toBe('cursor.down');
	expect(idOf(keys, 'detail', 'n')).toBeUndefined();
	expect(idOf(keys, 'list', 'n')).toBe('cursor.down');
	expect(idOf(keys, 'list', 'ctrl+n')).toBeUndefined();
});

test('two actions can change places', () => {
	const swapped = {'token.pin': ['x'], 'token.hide': ['P', '*', 'delete']};
	expect(rebind(keymap, swapped).problems).toEqual([]);
	expect(idOf(swapped, 'list', 'x')).toBe('token.pin');
	expect(idOf(swapped, 'list', 'P')).toBe('token.hide');
});

test.each([
	[
		'[keys]\n\n"curser.down" = ["n"]',
		'"curser.down" in keys is not an action. Line 3 of c.toml: The nearest is "cursor.down".',
	],
	[
		'[keys]\ndetail.cursr.down = "n"',
		'"detail.cursr.down" in keys is not an action. Line 2 of c.toml: The nearest is "detail.cursor.down".',
	],
	[
		'[keys.list]\ndetail.time = "n"',
		'"list.detail.time" in keys is not an action. Line 2 of c.toml: detail.time is not done in list; it is in detail.',
	],
	[
		'[keys]\nfeed.pause = ["f13"]',
		'"f13" can\'t be a key of feed.pause. Line 2 of c.toml: No terminal sends such a key; the nearest is "f1".',
	],
	[
		'[keys]\nfeed.pause = ["alt+p"]',
		'"alt+p" can\'t be a key of feed.pause. Line 2 of c.toml: No terminal sends such a key. Keys are "j", "G", "ctrl+d", "enter", "pgdn", "f5", "shift+up".',
	],
	[
		'[keys]\nfeed.pause = ["z",\n"Ctrl+C"]',
		'"Ctrl+C" can\'t be a key of feed.pause. Line 2 of c.toml: Ctrl+C leaves the program, from anywhere.',
	],
	['[keys]\nfeed.pause = ["5"]', '"5" can\'t be a key of feed.pause. Line 2 of c.toml: Digits are counts: 3j.'],
	[
		'[keys]\nprogram.interrupt = ["q"]',
		"The keys of program.interrupt can't be changed. Line 2 of c.toml: Ctrl+C leaves the program, from anywhere.",
	],
	[
		'[keys]\nmoney.accept = ["y"]',
		"The keys of money.accept can't be changed. Line 2 of c.toml: Windows that move money keep their keys.",
	],
	[
		'[keys.bridge]\nview.redraw = ["f5"]',
		"The keys of bridge.view.redraw can't be changed. Line 2 of c.toml: Windows that move money keep their keys.",
	],
	[
		'[keys]\npreset.load = ["a"]',
		"The keys of preset.load can't be changed. Line 2 of c.toml: They are the numbers that they stand for, 1-9.",
	],
	[
		'[keys]\nedit.word = ["w"]',
		sentenceWithModes(
			'"w" can\'t be a key of edit.word. Line 2 of c.toml: It is text in ',
			'screenInput, filter, search, helpSearch, palette, sort, menuNarrow, presetName, presetImport, alertRule, hidePrompt, bridge, perp, predictionAccount, trade',
		),
	],
	['[keys]\ndetail.close = []', 'detail.close needs a key. Line 2 of c.toml: It is the way out of detail.'],
	[
		'[keys]\nfeed.retry = ["z"]\nfeed.pause = ["s"]',
		'"s" is the key of two actions, feed.pause and sort.menu. Line 3 of c.toml: Both are done in list, detail. Give one of them another key, or [] for none.',
	],
	[
		'[keys]\nfeed.retry = ["z"]\nfeed.pause = ["z"]',
		'"z" is the key of two actions, feed.retry and feed.pause. Line 2 of c.toml: Both are done in list, detail. Give one of them another key, or [] for none.',
	],
	['[keys]\nview.redraw = ["enter"]', expect.stringContaining('"Enter" is the key of two actions, view.redraw and ')],
])('%s is refused with its line and what would be right', async (text, words) => {
	expect(await problemOf(text)).toEqual(words);
});

test('a key is known by the names people give it', () => {
	const names = [
		'G',
		'shift+g',
		'Ctrl+D',
		'Return',
		'Escape',
		'PageDown',
		'↓',
		' ',
		'DownArrow',
		'Shift+Up',
		'F5',
		'+',
		'é',
		'家',
	];
	expect(names.map(readKeyName)).toEqual([
		'G',
		'G',
		'ctrl+d',
		'enter',
		'esc',
		'pgdn',
		'down',
		'space',
		'down',
		'shift+up',
		'f5',
		'+',
		'é',
		'家',
	]);
	for (const none of ['', 'jj', 'alt+x', 'ctrl+1', 'super+a', 'ctrl+ctrl+a', 'f13', '\u001b', '\u200b']) {
		expect(readKeyName(none)).toBeUndefined();
	}
});

test.each([
	['ctrl+d', '\u0004'],
	['shift+up', '\u001b[1;2A'],
	['f5', '\u001b[15~'],
	['ctrl+h', '\b'],
	['alt+left', '\u001b[1;3D'],
	['shift+tab', '\u001b[Z'],
	['ctrl+space', '\0'],
])('%s is what a terminal sends for it', (written, bytes) => {
	expect(new KeyReader().feed(bytes)).toMatchObject([{kind: 'key', name: readKeyName(written)}]);
});

test('no key of the table types text where text is typed', () => {
	const typing = MODE_KINDS.filter(kind => modeSpec(kind).typesLine || modeSpec(kind).movesMoney);
	const texts = keysByMode(keymap).filter(
		({modes, keys}) => modes.some(m => typing.includes(m)) && keys.some(key => key.length === 1),
	);
	expect(texts.map(({id}) => id)).toEqual([]);
});

test('every mode has a way out that keeps a key', () => {
	const modes = new Set(keymap.flatMap(binding => binding.modes));
	const withExit = new Set(keymap.filter(binding => binding.isExit).flatMap(binding => binding.modes));
	expect([...modes].filter(mode => !withExit.has(mode) && !modeSpec(mode).movesMoney)).toEqual([]);
});

test('no name of an action is the beginning of another: TOML would read one as a table', () => {
	const ids = keymap.map(({id}) => id);
	expect(ids.filter(id => ids.some(other => other.startsWith(`${id}.`)))).toEqual([]);
});

test('with any configuration without a reported problem, each key has one action, every mode has an exit, and money keys stay', () => {
	const keys = fc.constantFrom('j', 'x', 'Q', 'esc', 'enter', 'ctrl+c', 'ctrl+g', 'f5', 'pgdn', '5', 'nonsense', ' ');
	const names = fc.constantFrom(
		...keymap.map(({id}) => id),
		'detail.cursor.down',
		'list.token.copy',
		'bridge.money.back',
		'x',
	);
	fc.assert(
		fc.property(fc.dictionary(names, fc.array(keys, {maxLength: 2}), {maxKeys: 4}), overrides => {
			const {bindings, problems} = rebind(keymap, overrides);
			if (problems.length > 0) return;
			const modes = new Set(keymap.flatMap(binding => binding.modes));
			const inForce = keysByMode(bindings);
			for (const mode of modes) {
				const here = inForce.filter(binding => binding.modes.includes(mode));
				const all = here.flatMap(binding => binding.keys);
				expect(new Set(all).size).toBe(all.length);
				expect(here.some(({isExit, id, keys: own}) => (isExit || id === 'money.back') && own.length > 0)).toBe(true);
				expect(here.find(({id}) => id === 'program.interrupt')?.keys).toEqual(['ctrl+c']);
			}
			const money = (table: typeof keymap) => table.filter(({id}) => id.startsWith('money.'));
			expect(money(bindings)).toEqual(money(keymap));
		}),
		{numRuns: 300},
	);
});
