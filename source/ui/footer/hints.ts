import type {ModeKind} from '../../monitor/mode.ts';
import {type MonitorState, topMode} from '../../monitor/state.ts';
import {cellWidth} from '../../text.ts';
import {modeSpec} from '../features.ts';
import {boundKeys} from '../keymap/bound-keys.ts';
import {keyLabels} from '../keymap/key-names.ts';
import {withKeys} from '../keymap/key-texts.ts';
import {whyKept} from '../keymap/why-kept.ts';

/** A key as people write it, and a word for its action. */
export interface Hint {
	/** Id of the binding. */
	readonly id: string;
	readonly key: string;
	readonly label: string;
}

/** Hints that stay beside any notice: help, and the keys that leave. */
const STAYING = ['help.open', 'order.release', 'program.quit'];
/** They stand at the end. */
const LAST = ['program.quit', 'help.open'];
/** In a window with less room than this for a notice the hints that stay beside it are keys without labels. */
const NOTICE_ROOM = 44;
/** A line is typed right above the hints: a notice must stand beside those that stay. */
const TYPED_ABOVE: ModeKind = 'screenInput';

/**
 * Rows that a notice needs above the hints: one where it is too long to stand beside all of them. In a window it covers the
 * lower border for a while; the keys stay in sight.
 */
export function noticeRowsOf(state: MonitorState, width: number, ascii: boolean): 0 | 1 {
	if (state.notice === undefined || topMode(state).kind === TYPED_ABOVE) return 0;
	const room = width - 2 - cellWidth(state.count) - widthOf(hintsOf(state, ascii));
	return cellWidth(noticeText(state, ascii)) > Math.max(room, 0) ? 1 : 0;
}

/** The notice with the keys that it names; a hint whose key does nothing here is left out. */
export function noticeText(state: MonitorState, ascii: boolean): string {
	const {notice} = state;
	const {kind} = topMode(state);
	if (!notice || (notice.isEvent && modeSpec(kind).movesMoney)) return '';
	const [, first] = /\{([a-zA-Z]+\.[a-zA-Z]+)\}/.exec(notice.hint ?? '') ?? [];
	const keys = boundKeys(state);
	if (notice.hint === undefined || (first !== undefined && !keys.worksIn(first, kind))) return notice.text;
	return `${notice.text} ${withKeys(notice.hint, keys, ascii, kind)}`;
}

/** Cells of a hint, with the blanks around its words. */
function hintWidth({key, label}: Hint): number {
	return cellWidth(key) + cellWidth(label) + (label === '' ? 2 : 3);
}

function widthOf(hints: readonly Hint[]): number {
	return hints.reduce((sum, hint) => sum + hintWidth(hint), 0);
}

/**
 * The hints that fit, in the order of the table of keys; help and quit come last.
 * @param room cells
 * @param said cells of the notice at the right: hints give way to the notice, except hints for help and leaving
 * @param besides returns the cells of the text at the right, given the cells that the staying hints leave
 */
export function fittingHints(
	state: MonitorState,
	ascii: boolean,
	{room, said, besides}: {readonly room: number; readonly said: number; besides(left: number): number},
): readonly Hint[] {
	const all = hintsOf(state, ascii);
	const staying = stayingHints(state, all);
	let left = room;
	const isTight = said > 0 && left - widthOf(staying) < Math.min(said, NOTICE_ROOM);
	const shown: Hint[] = [];
	for (const hint of isTight ? staying.map(({id, key}) => ({id, key, label: ''})) : staying) {
		if (hintWidth(hint) > left) continue;
		shown.push(hint);
		left -= hintWidth(hint);
	}
	left -= besides(left);
	for (const hint of isTight ? [] : all) {
		if (staying.includes(hint)) continue;
		if (hintWidth(hint) > left) break;
		shown.push(hint);
		left -= hintWidth(hint);
	}
	const places = new Map([...all, ...LAST.map(id => ({id}))].map(({id}, at) => [id, at]));
	return shown.toSorted((a, b) => places.get(a.id)! - places.get(b.id)!);
}

function stayingHints(state: MonitorState, all: readonly Hint[]): readonly Hint[] {
	const exits = boundKeys(state)
		.hinted(topMode(state).kind)
		.filter(({isExit}) => isExit)
		.map(({id}) => id);
	return all.filter(({id}) => STAYING.includes(id) || exits.includes(id));
}

/**
 * The hints of a state, by rank; an action that can't be done now is left out. Those of the last state are kept, since layout and
 * footer read them in each frame.
 */
function hintsOf(state: MonitorState, ascii: boolean): readonly Hint[] {
	if (last?.state !== state || last.ascii !== ascii) last = {state, ascii, hints: makeHints(state, ascii)};
	return last.hints;
}
let last: {readonly state: MonitorState; readonly ascii: boolean; readonly hints: readonly Hint[]} | undefined;

function makeHints(state: MonitorState, ascii: boolean): readonly Hint[] {
	const keys = boundKeys(state);
	const {kind} = topMode(state);
	const spec = modeSpec(kind);
	const hinted = keys
		.hinted(kind)
		.filter(
			b =>
				b.disabled?.(state) === undefined &&
				b.hintWhen?.(state, spec, keys) !== false &&
				whyKept(b, state) === undefined,
		);
	const {hints} = state;
	if (hints)
		return hinted
			.filter(({id}) => hints[id] !== undefined || id === 'help.open')
			.map(b => ({id: b.id, key: keyLabels(b, ascii)[0]!, label: hints[b.id] || b.labelNow?.(state, spec) || b.label}));
	return hinted.map(b => {
		const key = keyLabels(b, ascii)[0]!;
		const up = b.id === 'cursor.down' ? keys.keyOf('cursor.up', ascii) : undefined;
		return up === undefined
			? {id: b.id, key, label: b.labelNow?.(state, spec) ?? b.label}
			: {id: b.id, key: `${key}/${up}`, label: 'move'};
	});
}
