import type {ModeKind} from '../../monitor/mode.ts';
import {nearest} from '../../nearest.ts';
import {MODE_KINDS, modeSpec} from '../features.ts';
import type {Binding, ModeTraits} from './binding.ts';
import {CLASSIC_KEYS} from './classic-keys.ts';
import {isTextKey, KEY_NAMES, keyWord, readKeyName} from './key-names.ts';
import {keymap} from './keymap.ts';
import {isText, isTyped, keysByMode} from './keys-by-mode.ts';

/** Other keys for actions: by `cursor.down`, or by `detail.cursor.down` for one mode alone, keys as people write them. */
export type KeyOverrides = Readonly<Record<string, readonly string[]>>;

/** An override and its problem. */
export interface KeyProblem {
	readonly item: string;
	readonly what: string;
	readonly why: string;
}

/** The table with other keys. An action that has others in one mode only is there twice, with the modes shared out. */
export interface Rebound {
	readonly bindings: readonly Binding[];
	readonly problems: readonly KeyProblem[];
}

/** The target of an override; the keys of one mode take precedence over those for all modes. */
interface Target {
	readonly binding: Binding;
	readonly mode?: ModeKind;
}

/**
 * The table with the keys of the configuration in place of the default ones. Never throws: an override with a problem is left
 * out and reported. Two actions on one key in one mode are a problem when the configuration put one of the actions there.
 */
export function rebind(table: readonly Binding[], overrides: KeyOverrides): Rebound {
	const problems: KeyProblem[] = [];
	const changed = new Map<Binding, Change>();
	const named = Object.entries(withParts(overrides)).flatMap(([item, written]) =>
		namesNow(item).map(name => [name, written] as const),
	);
	for (const [item, written] of named) {
		const target = targetOf(table, item);
		const problem = 'why' in target ? target : problemOf(item, target, written);
		if (problem || 'why' in target) {
			if (problem) problems.push(problem);
			continue;
		}
		const keys = [...new Set(written.map(key => readKeyName(key)!))];
		const change: Change = changed.get(target.binding) ?? {modes: new Map()};
		changed.set(target.binding, change);
		if (target.mode === undefined) change.keys = {item, keys};
		else change.modes.set(target.mode, {item, keys});
	}
	const moved = new Map<Binding, string>();
	const bindings = table.flatMap(binding => {
		const change = changed.get(binding);
		if (!change) return [binding];
		const rest = binding.modes.filter(mode => !change.modes.has(mode));
		const parts: Binding[] = [];
		const add = (modes: readonly ModeKind[], by: Moved | undefined, whole: Binding = binding): void => {
			const part = {...whole, modes, ...(by && {keys: by.keys})};
			if (by) moved.set(part, by.item);
			parts.push(part);
		};
		if (rest.length > 0) add(rest, change.keys);
		// A key that the configuration chooses for one mode does not yield.
		const {yields: _, ...firm} = binding;
		for (const [mode, by] of change.modes) add([mode], by, firm);
		return parts;
	});
	const yielding = bindings.map(binding => (moved.has(binding) ? binding : yieldedTo(moved, binding)));
	return {bindings: yielding, problems: [...problems, ...conflicts(yielding, moved), ...withoutExit(yielding, moved)]};
}

/** A key that an action got after version 0.2 is free for a configuration that was written before. */
function yieldedTo(moved: ReadonlyMap<Binding, string>, binding: Binding): Binding {
	const earlier = CLASSIC_KEYS[binding.id];
	if (earlier === undefined) return binding;
	const taken = [...moved.keys()].filter(({modes}) => modes.some(mode => binding.modes.includes(mode)));
	const isFree = (key: string): boolean => earlier.includes(key) || !taken.some(({keys}) => keys.includes(key));
	return binding.keys.every(isFree) ? binding : {...binding, keys: binding.keys.filter(isFree)};
}

/** Problems of keys in the configuration. */
export function keyProblems(overrides: KeyOverrides): readonly KeyProblem[] {
	return rebind(keymap, overrides).problems;
}

interface Moved {
	readonly item: string;
	readonly keys: readonly string[];
}

/** The keys that an action gets everywhere, and those in single modes. */
interface Change {
	keys?: Moved;
	readonly modes: Map<ModeKind, Moved>;
}

/** Present modes by their names in configurations of earlier versions. */
const EARLIER_MODES: Readonly<Record<string, ModeKind>> = {
	boardInput: 'screenInput',
	markets: 'prediction',
	vault: 'predictionAccount',
};

/** Present actions by their names in configurations of earlier versions. */
const EARLIER_ACTIONS: Readonly<Record<string, string | readonly string[]>> = {
	'log.close': 'actionLog.menu.close',
	'board.accept': inModes('menu.accept', ({coversColumns}) => coversColumns === true),
	'board.back': inModes('menu.close', ({coversColumns}) => coversColumns === true),
	'board.copy': inModes('menu.copy', ({coversColumns}) => coversColumns === true),
	'log.down': 'actionLog.board.down',
	'log.up': 'actionLog.board.up',
	'log.pageDown': 'actionLog.board.pageDown',
	'log.pageUp': 'actionLog.board.pageUp',
	...Object.fromEntries(
		['down', 'up', 'pageDown', 'pageUp', 'first', 'last'].map(step => [`help.${step}`, `help.board.${step}`]),
	),
	'why.down': 'why.board.down',
	'why.up': 'why.board.up',
	'fields.toggle': 'fields.menu.toggle',
	'fields.later': 'fields.menu.later',
	'fields.earlier': 'fields.menu.earlier',
	'fields.keep': 'fields.menu.accept',
	'columns.toggle': 'columns.menu.toggle',
	'columns.later': 'columns.menu.later',
	'columns.earlier': 'columns.menu.earlier',
	'columns.keep': 'columns.menu.accept',
	'scope.keep': ['chains.menu.accept', 'launchpads.menu.accept'],
	'preset.typed': ['presetName.prompt.accept', 'presetImport.prompt.accept'],
	'preset.untyped': ['presetName.prompt.cancel', 'presetImport.prompt.cancel'],
	'rule.typed': 'alertRule.prompt.accept',
	'rule.untyped': 'alertRule.prompt.cancel',
	'hidePrompt.accept': 'hidePrompt.prompt.accept',
	'hidePrompt.cancel': 'hidePrompt.prompt.cancel',
	'narrow.keep': 'menuNarrow.prompt.accept',
	'narrow.end': 'menuNarrow.prompt.cancel',
	'help.searched': 'helpSearch.prompt.accept',
	'help.unsearched': 'helpSearch.prompt.cancel',
	'boardInput.accept': 'screenInput.prompt.accept',
	'boardInput.cancel': 'screenInput.prompt.cancel',
	'alerts.remove': 'alerts.menu.remove',
	'preset.remove': 'presets.menu.remove',
	'preset.copy': 'presets.menu.copy',
	'preset.keep': 'presetDiff.preset.load',
	'preset.refuse': 'presetDiff.menu.close',
	'preset.cancel': ['slot.menu.close', 'presetDiff.menu.close'],
	'preset.apply': 'presetDiff.menu.accept',
	'rewind.leave': 'rewind.menu.close',
	'why.close': 'why.menu.close',
	'help.search': 'help.menu.narrow',
	'fields.usual': 'fields.menu.reset',
	'columns.all': 'columns.menu.reset',
	'palette.complete': 'palette.prompt.complete',
	'boardInput.next': 'screenInput.form.next',
	'boardInput.previous': 'screenInput.form.previous',
	'rule.where': 'alertRule.form.next',
	'rule.whereBack': 'alertRule.form.previous',
	'scope.toggle': ['chains.menu.toggle', 'launchpads.menu.toggle'],
	'labels.clear': 'labels.menu.remove',
	'developer.hide': 'developer.menu.remove',
	'hidden.remove': 'hidden.menu.remove',
	'hidden.copy': 'hidden.menu.copy',
	'links.copy': 'links.menu.copy',
	'rewind.minuteOlder': 'rewind.board.up',
	'rewind.minuteNewer': 'rewind.board.down',
	'rewind.oldest': 'rewind.board.first',
	'rewind.newest': 'rewind.board.last',
	'help.typing': inModes('help.open', ({typesLine}, kind) => typesLine === true && kind !== 'helpSearch'),
};

/** Actions of menus in configurations of earlier versions that are some keys of one action now; the other keys of that action stay. */
const EARLIER_PARTS: Readonly<Record<string, {readonly of: string; readonly keys: readonly string[]}>> = {
	'menu.down': {of: 'board.down', keys: ['down', 'ctrl+n']},
	'menu.next': {of: 'board.down', keys: ['tab']},
	'menu.letterDown': {of: 'board.down', keys: ['j']},
	'menu.up': {of: 'board.up', keys: ['up', 'ctrl+p', 'shift+tab']},
	'menu.letterUp': {of: 'board.up', keys: ['k']},
	'menu.letterClose': {of: 'menu.close', keys: ['q']},
};

/** The overrides, with an override of such a part as an override of the whole action in each menu. */
function withParts(overrides: KeyOverrides): KeyOverrides {
	const now: Record<string, readonly string[]> = {};
	for (const [item, written] of Object.entries(overrides)) {
		const [, mode, id = item] = /^(\w+)\.(\w+\..+)$/.exec(item) ?? [];
		const part = EARLIER_PARTS[id];
		if (!part) now[item] = written;
		else
			for (const {kind, keys} of keysOfMenus(part.of)) {
				if ((mode !== undefined && mode !== kind) || !part.keys.some(key => keys.includes(key))) continue;
				const name = `${kind}.${part.of}`;
				const rest = (now[name] ?? keys).filter(key => !part.keys.includes(key));
				now[name] = [...rest, ...written];
			}
	}
	return now;
}

/** The keys that an action has in each menu by default. */
function keysOfMenus(id: string): readonly {readonly kind: ModeKind; readonly keys: readonly string[]}[] {
	return keysByMode(keymap)
		.filter(binding => binding.id === id)
		.flatMap(({modes, keys}) => modes.filter(kind => modeSpec(kind).menu).map(kind => ({kind, keys})));
}

/** The names of an action in the modes where it is done. */
function inModes(id: string, has: (spec: ModeTraits, kind: ModeKind) => boolean): readonly string[] {
	return MODE_KINDS.filter(kind => has(modeSpec(kind), kind)).map(kind => `${kind}.${id}`);
}

/** The present names of an override of a configuration, for all modes or for that of the name. */
function namesNow(item: string): readonly string[] {
	const [, mode = '', id = item] = /^(\w+)\.(\w+\.\w+)$/.exec(item) ?? [];
	const now = EARLIER_ACTIONS[id];
	if (now === undefined) return [item];
	const names = [now].flat();
	const own = names.filter(name => name.startsWith(`${EARLIER_MODES[mode] ?? mode}.`));
	return own.length > 0 ? own : names;
}

function targetOf(table: readonly Binding[], item: string): Target | KeyProblem {
	const whole = table.find(({id}) => id === item);
	if (whole) return {binding: whole};
	const [, written = '', id = ''] = /^(\w+)\.(.+)$/.exec(item) ?? [];
	const mode = EARLIER_MODES[written] ?? written;
	const ofId = table.filter(candidate => candidate.id === id);
	const binding = ofId.find(({modes}) => modes.includes(mode as ModeKind)) ?? ofId[0];
	const what = `"${item}" in keys is not an action`;
	if (!binding) {
		const modes = new Set(table.flatMap(({modes}) => modes));
		const inMode = modes.has(mode as ModeKind) ? table.filter(one => one.modes.includes(mode as ModeKind)) : [];
		const near = nearest(item, [...table.map(one => one.id), ...inMode.map(one => `${mode}.${one.id}`)]);
		const why = near === undefined ? 'pulsetop config template --all lists them all.' : `The nearest is "${near}".`;
		return {item, what, why};
	}
	if (binding.modes.includes(mode as ModeKind)) return {binding, mode: mode as ModeKind};
	return {item, what, why: `${id} is not done in ${mode}; it is in ${binding.modes.join(', ')}.`};
}

function problemOf(item: string, {binding, mode}: Target, written: readonly string[]): KeyProblem | undefined {
	const modes = mode === undefined ? binding.modes : [mode];
	const fixed = whyFixed(binding, modes);
	if (fixed !== undefined) return {item, what: `The keys of ${item} can't be changed`, why: `${fixed}.`};
	if (written.length === 0 && binding.isExit) {
		return {item, what: `${item} needs a key`, why: `It is the way out of ${modes.join(', ')}.`};
	}
	// A letter is text where a line is typed: an action that leaves such a place needs another key.
	const typing = modes.filter(isTyped);
	const isTextOnly = written.every(name => isTextKey(readKeyName(name) ?? ''));
	const needed = binding.isExit && isTextOnly && typing.length > 0 ? typing : modes;
	for (const name of written) {
		const why = keyProblem(name, needed);
		if (why !== undefined) return {item, what: `"${name}" can't be a key of ${item}`, why};
	}
	return undefined;
}

/** Why the keys of an action cannot be changed: those that protect money and those that leave the program are fixed. */
export function whyFixed({id, written}: Binding, modes: readonly ModeKind[]): string | undefined {
	if (id === 'program.interrupt') return 'Ctrl+C leaves the program, from anywhere';
	if (modes.every(mode => modeSpec(mode).movesMoney)) return 'Windows that move money keep their keys';
	return written === undefined ? undefined : `They are the numbers that they stand for, ${written}`;
}

/** Why a key can't be pressed for an action in these modes. @param written as people write it */
export function keyProblem(written: string, modes: readonly ModeKind[]): string | undefined {
	const key = readKeyName(written);
	if (key === undefined) {
		const near = nearest(written, KEY_NAMES);
		return near === undefined
			? 'No terminal sends such a key. Keys are "j", "G", "ctrl+d", "enter", "pgdn", "f5", "shift+up".'
			: `No terminal sends such a key; the nearest is "${near}".`;
	}
	if (key === 'ctrl+c') return 'Ctrl+C leaves the program, from anywhere.';
	if (modes.every(mode => isText(key, mode))) return `It is text in ${modes.join(', ')}.`;
	if (/^\d$/.test(key) && modes.some(mode => modeSpec(mode).takesCount)) return 'Digits are counts: 3j.';
	return undefined;
}

/** Exits of which every key is that of another action in some mode. */
function withoutExit(bindings: readonly Binding[], moved: ReadonlyMap<Binding, string>): readonly KeyProblem[] {
	const shut = keysByMode(bindings).filter(({isExit, keys}) => isExit && keys.length === 0);
	return Array.from(moved).flatMap(([{id, modes: all}, item]) => {
		const modes = shut.filter(part => part.id === id).flatMap(part => part.modes.filter(mode => all.includes(mode)));
		if (modes.length === 0) return [];
		return [
			{item, what: `${item} needs another key`, why: `Its keys are those of other actions in ${modes.join(', ')}.`},
		];
	});
}

/** Pairs of actions on one key in one mode where the configuration moved at least one of the two; each pair once. */
function conflicts(bindings: readonly Binding[], moved: ReadonlyMap<Binding, string>): readonly KeyProblem[] {
	const owners = new Map<string, Binding>();
	const found = new Map<string, KeyProblem & {modes: ModeKind[]}>();
	for (const binding of bindings) {
		for (const mode of binding.modes) {
			for (const key of binding.keys) {
				if (isText(key, mode)) continue;
				const place = `${mode} ${key} ${binding.yields}`;
				const other = owners.get(place);
				owners.set(place, binding);
				const item = moved.get(binding) ?? (other && moved.get(other));
				if (other === undefined || other === binding || item === undefined) continue;
				const rest = moved.has(binding) ? other.id : binding.id;
				const pair = `${key} ${[binding.id, other.id].sort().join(' ')}`;
				const modes = [...(found.get(pair)?.modes ?? []), mode];
				found.set(pair, {
					item,
					modes,
					what: `"${keyWord(key, true)}" is the key of two actions, ${item} and ${rest}`,
					why: `Both are done in ${modes.join(', ')}. Give one of them another key, or [] for none.`,
				});
			}
		}
	}
	return Array.from(found.values(), ({item, what, why}) => ({item, what, why}));
}
