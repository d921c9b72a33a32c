import {type MonitorState, topMode} from '../../monitor/state.ts';
import {capitalised, clean} from '../../text.ts';
import {type Actions, FEATURES, featureOf, modeSpec} from '../features.ts';
import {isTooSmall} from '../layout.ts';
import type {Binding} from './binding.ts';
import {boundKeys} from './bound-keys.ts';
import {CLASSIC_KEYS, NOW_DONE_BY} from './classic-keys.ts';
import {keyWord, readKeyName} from './key-names.ts';
import {withKeys} from './key-texts.ts';
import {type KeyEvent, NOTCH} from './keys.ts';
import {whyKept} from './why-kept.ts';

/** The actions that work on a screen that is too small to show anything. */
const WAYS_OUT = ['program.quit', 'program.interrupt', 'program.suspend'] as const;

/** Where a paste is taken. */
const PASTE_HINT =
	'Paste the address of a token or a saved view; {filter.edit} opens the filter and {search.open} the search: paste there.';

/** Why a key that a person has to type does nothing. */
const TOGETHER = 'Several keys came at once, as in a paste: nothing was opened.';

/**
 * Carries out one event of the keyboard or the mouse. Only the mode on top receives it.
 * @param isTyped false for a key of a paste without marks
 */
export function dispatch(event: KeyEvent, state: MonitorState, actions: Actions, isTyped = true): void {
	const {kind} = topMode(state);
	const spec = modeSpec(kind);
	const own = actions[featureOf(kind)];
	// On a screen that is too small only the keys that leave work: a person cannot answer what is not shown.
	if (isTooSmall(state.size, spec.minSize) && !(event.kind === 'key' && leaves(event.name, state))) return;
	if (event.kind === 'paste') {
		paste(event.text, state, actions);
		return;
	}
	if (event.kind === 'mouse') {
		const by = event.action === 'wheelDown' ? 1 : -1;
		if (spec.mouse) spec.mouse(event, own);
		else if (event.action !== 'press') actions.scrolling.scroll({lines: spec.menu ? by : NOTCH * by});
		return;
	}
	if (event.kind !== 'key') return;
	const {name, text} = event;
	if (spec.takesCount && /^[0-9]$/.test(name) && (name !== '0' || state.count !== '')) {
		actions.monitor.typeDigit(name);
		return;
	}
	const binding = boundKeys(state).find(kind, name);
	if (binding?.needsTyping && !isTyped && whyKept(binding, state) === undefined)
		actions.monitor.notify(TOGETHER, 'warn', `Press {${binding.id}} by itself.`);
	else if (binding) run(binding, state, actions, name);
	else if (text !== undefined && spec.text) spec.text(text, own);
	else if (text !== undefined && spec.typesLine) actions.typing.type(text);
	else if (!spec.movesMoney) sayUseless(name, state, actions);
}

/** Pasted text goes to the window or the line on top, else to the first feature that knows it. */
function paste(text: string, state: MonitorState, actions: Actions): void {
	const mode = topMode(state);
	const spec = modeSpec(mode.kind);
	if (spec.paste?.(text, mode, actions[featureOf(mode.kind)])) return;
	if (spec.typesLine) {
		actions.typing.type(text);
		return;
	}
	const isTaken = FEATURES.some(feature => feature.paste?.(text, actions[feature.name as keyof Actions]));
	if (!isTaken) actions.monitor.notify('Pasted text does nothing here.', 'warn', PASTE_HINT);
}

/** Says that a key does nothing here, once while the key repeats. */
function sayUseless(key: string, state: MonitorState, actions: Actions): void {
	const name = readKeyName(key) === undefined ? undefined : clean(keyWord(key), {maxCells: 20});
	const moved = movedText(key, state);
	const text = moved ?? `${name || 'This key'} does nothing here.`;
	if (state.notice?.text === text) return;
	actions.monitor.notify(text, 'info', moved === undefined ? '{help.open} shows the keys.' : KEEPS_OLD_KEYS);
}

const KEEPS_OLD_KEYS = 'ui.keys = "classic": as before.';

/** Where the action of a key of an earlier version is done now; undefined for any other key. */
function movedText(key: string, state: MonitorState): string | undefined {
	const {kind} = topMode(state);
	const [id] = Object.entries(CLASSIC_KEYS).find(([, keys]) => keys.includes(key)) ?? [];
	const keys = boundKeys(state);
	const binding = keys.bindings.find(candidate => candidate.id === id && candidate.modes.includes(kind));
	if (id === undefined || binding === undefined) return undefined;
	const done = NOW_DONE_BY[id];
	if (done !== undefined) return `${keyWord(key)} has moved: ${withKeys(done, keys)}.`;
	const now = keys.keyOf(id, false, kind);
	return now && `${keyWord(key)} has moved: ${now} is ${binding.label} now.`;
}

/** Whether a key leaves or suspends the program where it is pressed in the list. */
function leaves(key: string, state: MonitorState): boolean {
	const id = boundKeys(state).find('list', key)?.id;
	return WAYS_OUT.some(way => way === id);
}

/** `nothing is hidden` as `Nothing is hidden.` */
function asSentence(why: string): string {
	return `${capitalised(why)}${why.endsWith('.') ? '' : '.'}`;
}

/** Runs a binding, or says why it can't be run now. */
export function run(binding: Binding, state: MonitorState, actions: Actions, key = ''): void {
	const kept = whyKept(binding, state);
	// The reason of read-only mode is short, so the action is named with it.
	const why = kept === undefined ? binding.disabled?.(state) : state.visit ? kept : `${kept}: ${binding.label}`;
	if (why !== undefined) actions.monitor.notify(withKeys(asSentence(why), boundKeys(state)), 'warn');
	else binding.run(actions[binding.feature as keyof Actions], state.count === '' ? 1 : Number(state.count), key);
}
