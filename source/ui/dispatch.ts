import {BOARDS} from '../monitor/boards/board.ts';
import {type Mode, type ModeKind, type MonitorState, topMode} from '../monitor/state.ts';
import {clean} from '../text.ts';
import {boundKeys} from './bound-keys.ts';
import {keyWord, readKeyName} from './key-names.ts';
import {withKeys} from './key-texts.ts';
import {type Binding, COUNT_MODES, TYPING, type Verbs} from './keymap.ts';
import type {KeyEvent} from './keys.ts';
import {isTooSmall} from './layout.ts';

/** Modes in which a key that is not bound types its text. */
const TEXT_MODES: ReadonlySet<ModeKind> = new Set(TYPING);

/** What can still be done on a screen that is too small to show anything. */
const WAYS_OUT = ['program.quit', 'program.interrupt', 'program.suspend'] as const;

/** Where a paste is taken. */
const PASTE_HINT =
	'Paste the address of a token or a saved view; {filter.edit} opens the filter and {search.open} the search: paste there.';

/** The binding of a key in a mode; read-only mode has none of the dangerous ones. */
function bindingFor(mode: ModeKind, key: string, state: MonitorState): Binding | undefined {
	const binding = boundKeys(state).find(mode, key);
	return binding?.danger && state.readOnly ? undefined : binding;
}

/** Carries out one event of the keyboard. Only the top of the mode stack hears it. */
export function dispatch(event: KeyEvent, state: MonitorState, actions: Verbs): void {
	const mode = topMode(state).kind;
	const isMoney = mode === 'bridge' || mode === 'perp' || mode === 'vault';
	// What can't be seen can't be answered: on a screen that is too small only the ways out work.
	if (isTooSmall(state.size, mode) && !(event.kind === 'key' && leaves(event.name, state))) return;
	if (event.kind === 'paste') {
		if (isMoney) actions.moneyPaste(event.text);
		else if (takesPaste(topMode(state))) actions.boardPaste(event.text);
		else if (TEXT_MODES.has(mode)) actions.type(event.text);
		else if (actions.pasteElsewhere(event.text)) return;
		else actions.tell('Pasted text does nothing here.', 'warn', PASTE_HINT);
		return;
	}
	if (event.kind === 'mouse' && isBoard(mode)) actions.boardMouse(event);
	else if (event.kind === 'mouse') actions.mouse(event);
	if (event.kind !== 'key') return;
	if (COUNT_MODES.includes(mode) && /^[0-9]$/.test(event.name) && (event.name !== '0' || state.count !== '')) {
		actions.typeDigit(event.name);
		return;
	}
	const binding = bindingFor(mode, event.name, state);
	const kept = boundKeys(state).find(mode, event.name);
	if (binding) run(binding, state, actions, event.name);
	else if (kept) actions.tell(`${readOnlyReason(state)}: ${kept.label}.`, 'warn');
	else if (event.text !== undefined && isMoney) actions.moneyType(event.text);
	else if (event.text !== undefined && TEXT_MODES.has(mode)) actions.type(event.text);
	else if (!isMoney) sayUseless(event.name, state, actions);
}

/** A key without a use here says so, once while it is held. */
function sayUseless(key: string, state: MonitorState, actions: Verbs): void {
	const name = readKeyName(key) === undefined ? undefined : clean(keyWord(key), {maxCells: 20});
	const text = `${name || 'This key'} does nothing here.`;
	if (state.notice?.text !== text) actions.tell(text, 'info', '{help.open} shows the keys.');
}

/** Whether a key leaves or suspends the program where it is pressed in the list. */
function leaves(key: string, state: MonitorState): boolean {
	const id = boundKeys(state).find('list', key)?.id;
	return WAYS_OUT.some(way => way === id);
}

function isBoard(mode: ModeKind): boolean {
	return BOARDS.some(kind => kind === mode);
}

/** A board takes a paste itself, and so does its line of addresses: it may be longer than a line can be. */
function takesPaste(mode: Mode): boolean {
	return isBoard(mode.kind) || (mode.kind === 'boardInput' && mode.field === 'addresses');
}

/** Why a key that moves money or changes something does nothing. */
function readOnlyReason({service}: MonitorState): string {
	return service.recording ? 'Not in a recording' : 'Not in read-only mode';
}

/** `nothing is hidden` as a sentence of its own. */
function asSentence(why: string): string {
	return `${why.charAt(0).toUpperCase()}${why.slice(1)}${why.endsWith('.') ? '' : '.'}`;
}

/** Runs a binding, or says why it can't be run now. */
export function run(binding: Binding, state: MonitorState, actions: Verbs, key = ''): void {
	const why = binding.disabled?.(state);
	if (why !== undefined) actions.tell(withKeys(asSentence(why), boundKeys(state)), 'warn');
	else binding.run(actions, state.count === '' ? 1 : Number(state.count), key);
}
