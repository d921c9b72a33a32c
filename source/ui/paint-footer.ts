import type {ModeKind} from '../monitor/mode.ts';
import {type MonitorState, topMode} from '../monitor/state.ts';
import type {Row, Span} from '../terminal/style.ts';
import {cellWidth, truncate} from '../text.ts';
import {paintTour, tourRowsOf} from './features/tour/tour-line.ts';
import {modeSpec} from './features.ts';
import {boundKeys} from './keymap/bound-keys.ts';
import {keyLabels} from './keymap/key-names.ts';
import {withKeys} from './keymap/key-texts.ts';
import {cutSpans, spansWidth, spread, toned, type ViewModel} from './view-model.ts';

/** The lines at the bottom: a prompt if something is being typed, then the hints or a notice. */
export function paintFooter(model: ViewModel, width: number): readonly Row[] {
	const mode = topMode(model.state);
	const above =
		tourRowsOf(model.state) === 1
			? [paintTour(model, width)]
			: (modeSpec(mode.kind).prompt?.paint(model, mode, width) ?? []);
	const said = noticeSpans(model);
	return noticeRowsOf(model.state, width, model.glyphs.subscripts === '') === 0
		? [...above, hints(model, width, said)]
		: [cutSpans([{text: ' '}, ...said], width), ...above, hints(model, width, [])];
}

/** Hints that stay beside any notice: help, and the keys that leave. */
const STAYING = ['help.open', 'help.typing', 'order.release', 'program.quit'];
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

/**
 * The keys that can be pressed now, the most useful first, as many as fit. A notice that fits beside all of them stands at
 * the right for a while. Below a line that is typed hints give way to it, but not those that lead out or to the help.
 */
function hints(model: ViewModel, width: number, said: readonly Span[]): Row {
	const {state, glyphs} = model;
	const count = state.count === '' ? [] : [toned(model, 'warn', ` ${state.count} `)];
	const all = hintsOf(state, glyphs.subscripts === '');
	const staying = stayingHints(state, all);
	let left = width - spansWidth(count) - 1;
	const isTight = said.length > 0 && left - widthOf(staying) < Math.min(spansWidth(said), NOTICE_ROOM);
	const kept: Hint[] = [];
	for (const hint of isTight ? staying.map(({id, key}) => ({id, key, label: ''})) : staying) {
		if (hintWidth(hint) > left) continue;
		kept.push(hint);
		left -= hintWidth(hint);
	}
	const right = said.length > 0 ? cutSpans(said, Math.max(left, 0)) : promotionText(model, width);
	left -= spansWidth(right);
	const shown = [...kept];
	for (const hint of isTight ? [] : all) {
		if (staying.includes(hint)) continue;
		if (hintWidth(hint) > left) break;
		shown.push(hint);
		left -= hintWidth(hint);
	}
	// In the order of the table, but help and quit come last.
	const last = ['program.quit', 'help.open'];
	const place = ({id}: Hint): number =>
		last.includes(id) ? all.length + last.indexOf(id) : all.findIndex(hint => hint.id === id);
	const spans: Span[] = [...count];
	for (const {key, label} of shown.toSorted((a, b) => place(a) - place(b)))
		spans.push({text: ' '}, toned(model, 'key', key), toned(model, 'dim', label === '' ? ' ' : ` ${label} `));
	return spread(spans, right, width);
}

function stayingHints(state: MonitorState, all: readonly Hint[]): readonly Hint[] {
	const exits = boundKeys(state)
		.hinted(topMode(state).kind)
		.filter(({isExit}) => isExit)
		.map(({id}) => id);
	return all.filter(({id}) => STAYING.includes(id) || exits.includes(id));
}

function noticeSpans(model: ViewModel): Span[] {
	const text = noticeText(model.state, model.glyphs.subscripts === '');
	if (text === '') return [];
	const {tone} = model.state.notice!;
	return [toned(model, ({info: 'text', good: 'good', warn: 'warn', bad: 'bad'} as const)[tone], `${text} `)];
}

/** The notice with the keys that it names; a hint whose key does nothing here is left out. */
function noticeText(state: MonitorState, ascii: boolean): string {
	const {notice} = state;
	const {kind} = topMode(state);
	if (!notice || (notice.isEvent && modeSpec(kind).movesMoney)) return '';
	const [, first] = /\{([a-zA-Z]+\.[a-zA-Z]+)\}/.exec(notice.hint ?? '') ?? [];
	const keys = boundKeys(state);
	if (notice.hint === undefined || (first !== undefined && !keys.worksIn(first, kind))) return notice.text;
	return `${notice.text} ${withKeys(notice.hint, keys, ascii, kind)}`;
}

/** A key as people write it, and a word for what it does. */
interface Hint {
	/** Id of the binding. */
	readonly id: string;
	readonly key: string;
	readonly label: string;
}

function hintWidth({key, label}: Hint): number {
	return cellWidth(key) + cellWidth(label) + (label === '' ? 2 : 3);
}

function widthOf(hints: readonly Hint[]): number {
	return hints.reduce((sum, hint) => sum + hintWidth(hint), 0);
}

/** What the hint line offers in a state, by rank; what can't be done now is left out. */
function hintsOf(state: MonitorState, ascii: boolean): readonly Hint[] {
	const keys = boundKeys(state);
	const {kind} = topMode(state);
	const spec = modeSpec(kind);
	const hinted = keys
		.hinted(kind)
		.filter(
			b =>
				b.disabled?.(state) === undefined && b.hintWhen?.(state, spec, keys) !== false && !(b.danger && state.readOnly),
		);
	const {hints} = state;
	if (hints)
		return hinted
			.filter(({id}) => hints[id] !== undefined || id === 'help.open' || id === 'help.typing')
			.map(b => ({id: b.id, key: keyLabels(b, ascii)[0]!, label: hints[b.id] || b.label}));
	return hinted.map(b => {
		const key = keyLabels(b, ascii)[0]!;
		const up = b.id === 'cursor.down' ? keys.keyOf('cursor.up', ascii) : undefined;
		return up === undefined
			? {id: b.id, key, label: b.labelNow?.(state) ?? b.label}
			: {id: b.id, key: `${key}/${up}`, label: 'move'};
	});
}

/** A narrower screen has no room for promotions beside the keys. */
const PROMOTIONS_FROM_WIDTH = 70;
/** Modes that show promotions: in windows and menus, above all those that move money, they would distract. */
const PROMOTION_MODES: readonly ModeKind[] = ['list', 'detail', 'rewind'];

/** The newest promotion to another column, shown for a minute. It takes the place of the last hints. */
function promotionText(model: ViewModel, width: number): Span[] {
	const promotion = model.state.promotions[0];
	if (!promotion || width < PROMOTIONS_FROM_WIDTH || !PROMOTION_MODES.includes(topMode(model.state).kind)) return [];
	const ageS = Math.max(Math.floor((model.state.nowMs - promotion.atMs) / 1000), 0);
	const text = `${truncate(promotion.symbol, 12)} ${promotion.from} ${model.glyphs.arrow} ${promotion.to}${model.isStill ? '' : ` ${ageS}s ago`} `;
	return [toned(model, 'good', text)];
}
