import {completeFilterLine} from '../monitor/filter/complete.ts';
import {filterTokens, parseFilterLine} from '../monitor/filter/filter-line.ts';
import {activeSlot} from '../monitor/saved-views/saved-view.ts';
import {focused} from '../monitor/select.ts';
import {type Mode, type ModeKind, type MonitorState, topMode} from '../monitor/state.ts';
import type {TextEdit} from '../monitor/transitions/text-edit.ts';
import type {Row, Span, Style} from '../terminal/style.ts';
import {cellWidth, truncate} from '../text.ts';
import {boundKeys} from './bound-keys.ts';
import {keyWords} from './key-names.ts';
import {withKeys} from './key-texts.ts';
import {MONEY_MODES} from './keymap.ts';
import {paintRewind} from './paint-rewind.ts';
import {cutSpans, type Scene, spansWidth, spread, toned} from './scene.ts';
import type {Tone} from './theme.ts';
import {paintTour, tourRowsOf} from './tour.ts';

/** How many rows a mode needs above the hints. */
export function promptRowsOf(mode: Mode): number {
	return mode.kind === 'filter' || mode.kind === 'alertRule'
		? 2
		: ['search', 'slot', 'rewind', 'presetName', 'presetImport', 'hidePrompt'].includes(mode.kind)
			? 1
			: 0;
}

/**
 * The lines at the bottom: a prompt if something is being typed, then the hints or a notice.
 * @param liveMs the present, where the scene is of the past
 */
export function paintFooter(scene: Scene, width: number, liveMs: number): readonly Row[] {
	const mode = topMode(scene.state);
	const above =
		mode.kind === 'rewind'
			? [paintRewind(scene, mode.moments, mode.at, liveMs, width)]
			: tourRowsOf(scene.state) === 1
				? [paintTour(scene, width)]
				: prompt(scene, mode, width);
	const said = noticeSpans(scene);
	return noticeRowsOf(scene.state, width, scene.signs.subscripts === '') === 0
		? [...above, hints(scene, width, said)]
		: [cutSpans([{text: ' '}, ...said], width), ...above, hints(scene, width, [])];
}

/** Hints that stay whatever else is said: the way to all keys, and the ways out. */
const STAYING = ['help.open', 'help.typing', 'order.release', 'program.quit'];
/** In a window with less room than this for a notice the hints that stay beside it are keys without their words. */
const NOTICE_ROOM = 44;
/** A line is typed right above the hints: a notice must stand beside those that stay. */
const TYPED_ABOVE: ModeKind = 'boardInput';

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
function hints(scene: Scene, width: number, said: readonly Span[]): Row {
	const {state, signs} = scene;
	const count = state.count === '' ? [] : [toned(scene, 'warn', ` ${state.count} `)];
	const all = hintsOf(state, signs.subscripts === '');
	const staying = stayingHints(state, all);
	let left = width - spansWidth(count) - 1;
	const isTight = said.length > 0 && left - widthOf(staying) < Math.min(spansWidth(said), NOTICE_ROOM);
	const kept: Hint[] = [];
	for (const hint of isTight ? staying.map(({id, key}) => ({id, key, label: ''})) : staying) {
		if (hintWidth(hint) > left) continue;
		kept.push(hint);
		left -= hintWidth(hint);
	}
	const right = said.length > 0 ? cutSpans(said, Math.max(left, 0)) : promotionText(scene, width);
	left -= spansWidth(right);
	const shown = [...kept];
	for (const hint of isTight ? [] : all) {
		if (staying.includes(hint)) continue;
		if (hintWidth(hint) > left) break;
		shown.push(hint);
		left -= hintWidth(hint);
	}
	// In their order, but the way to all the others and the way out of the program come last.
	const last = ['program.quit', 'help.open'];
	const place = ({id}: Hint): number =>
		last.includes(id) ? all.length + last.indexOf(id) : all.findIndex(hint => hint.id === id);
	const spans: Span[] = [...count];
	for (const {key, label} of shown.toSorted((a, b) => place(a) - place(b)))
		spans.push({text: ' '}, toned(scene, 'key', key), toned(scene, 'dim', label === '' ? ' ' : ` ${label} `));
	return spread(spans, right, width);
}

function stayingHints(state: MonitorState, all: readonly Hint[]): readonly Hint[] {
	const exits = boundKeys(state)
		.hinted(topMode(state).kind)
		.filter(({isExit}) => isExit)
		.map(({id}) => id);
	return all.filter(({id}) => STAYING.includes(id) || exits.includes(id));
}

function noticeSpans(scene: Scene): Span[] {
	const text = noticeText(scene.state, scene.signs.subscripts === '');
	if (text === '') return [];
	const {tone} = scene.state.notice!;
	return [toned(scene, ({info: 'text', good: 'good', warn: 'warn', bad: 'bad'} as const)[tone], `${text} `)];
}

/** What is said for a while, with the keys that it names; a hint that names a key without a use here is left out. */
function noticeText(state: MonitorState, ascii: boolean): string {
	const {notice} = state;
	const {kind} = topMode(state);
	if (!notice || (notice.isNews && MONEY_MODES.includes(kind))) return '';
	const [, first] = /\{([a-zA-Z]+\.[a-zA-Z]+)\}/.exec(notice.hint ?? '') ?? [];
	const keys = boundKeys(state);
	if (notice.hint === undefined || (first !== undefined && !keys.worksIn(first, kind))) return notice.text;
	return `${notice.text} ${withKeys(notice.hint, keys, ascii, kind)}`;
}

/** A text with the keys of the actions that it names in braces. */
function keyText({state, signs}: Scene, text: string): string {
	return withKeys(text, boundKeys(state), signs.subscripts === '', topMode(state).kind);
}

/** A key as people write it, and a word for what it does. */
interface Hint {
	/** Of the binding. */
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
	const hinted = keys
		.hinted(kind)
		.filter(b => b.disabled?.(state) === undefined && b.hintWhen?.(state) !== false && !(b.danger && state.readOnly));
	const {offers} = state;
	if (offers)
		return hinted
			.filter(({id}) => offers[id] !== undefined || id === 'help.open' || id === 'help.typing')
			.map(b => ({id: b.id, key: keyWords(b, ascii)[0]!, label: offers[b.id] || b.label}));
	return hinted.map(b => {
		const key = keyWords(b, ascii)[0]!;
		const up = b.id === 'cursor.down' ? keys.keyOf('cursor.up', ascii) : undefined;
		return up === undefined
			? {id: b.id, key, label: b.labelNow?.(state) ?? b.label}
			: {id: b.id, key: `${key}/${up}`, label: 'move'};
	});
}

/** A screen narrower than this has no room for news beside the keys. */
const NEWS_FROM_WIDTH = 70;
/** Where news of the columns stand: in windows and menus, above all those that move money, they would only distract. */
const NEWS_MODES: readonly ModeKind[] = ['list', 'detail', 'rewind'];

/** The newest token that moved on to another column. It comes before the last of the hints: it is gone in a minute. */
function promotionText(scene: Scene, width: number): Span[] {
	const promotion = scene.state.promotions[0];
	if (!promotion || width < NEWS_FROM_WIDTH || !NEWS_MODES.includes(topMode(scene.state).kind)) return [];
	const ageS = Math.max(Math.floor((scene.state.nowMs - promotion.atMs) / 1000), 0);
	const text = `${truncate(promotion.symbol, 12)} ${promotion.from} ${scene.signs.arrow} ${promotion.to}${scene.isStill ? '' : ` ${ageS}s ago`} `;
	return [toned(scene, 'good', text)];
}

function prompt(scene: Scene, mode: Mode, width: number): Row[] {
	if (mode.kind === 'search')
		return [typedLine(scene, ` search ${scene.state.focus} /`, mode.edit, width, plainTokens(scene, mode.edit.text))];
	if (mode.kind === 'slot') return [slotLine(scene, width)];
	if (mode.kind === 'presetName' || mode.kind === 'presetImport') {
		const label = mode.kind === 'presetImport' ? ' paste a view: ' : ` name of view ${mode.slot}: `;
		return [typedLine(scene, label, mode.edit, width, plainTokens(scene, mode.edit.text))];
	}
	if (mode.kind === 'hidePrompt')
		return [typedLine(scene, HIDE_PROMPTS[mode.purpose], mode.edit, width, plainTokens(scene, mode.edit.text))];
	if (mode.kind !== 'filter' && mode.kind !== 'alertRule') return [];
	const label =
		mode.kind === 'filter'
			? ` filter ${scene.state.focus}: `
			: ` alert in ${mode.where === 'all' ? 'any column' : mode.where}: `;
	return [
		typedLine(scene, label, mode.edit, width, filterSpans(scene, mode.edit.text)),
		filterMessage(scene, mode.edit, cellWidth(label), width),
	];
}

const HIDE_PROMPTS = {
	keyword: ' hide tokens with: ',
	import: ' list or file to import: ',
	export: ' write the list to: ',
} as const;

/** Each clause with where it is applied: `S` by the service, `L` here, to the rows loaded. */
function clauseTags(scene: Scene, {parts}: ReturnType<typeof parseFilterLine>): Span[] {
	const isLocal = focused(scene.state).isLocal === true;
	const tags = parts.flatMap(({text}) => [
		toned(scene, isLocal ? 'warn' : 'good', isLocal ? 'L ' : 'S '),
		toned(scene, 'dim', `${text}  `),
	]);
	const {rows} = focused(scene.state);
	const said = isLocal
		? `L: applied here, to the ${rows.size} rows loaded, not to all tokens`
		: 'S: applied by the service, to all tokens';
	return [...tags, toned(scene, 'faint', said)];
}

/** The saved views by number, while one is waited for. */
function slotLine(scene: Scene, width: number): Row {
	const {state} = scene;
	const active = activeSlot(state);
	const slots = Array.from(state.savedViews, ([slot, {name}]) => [
		toned(scene, 'key', `  ${slot} `),
		toned(scene, slot === active ? 'good' : 'text', name),
	]);
	return cutSpans([toned(scene, 'accent', ' view:'), ...slots.flat()], width);
}

/** A piece of the typed line with its look. */
interface Piece {
	readonly start: number;
	readonly end: number;
	readonly style: Style;
}

function plainTokens(scene: Scene, text: string): Piece[] {
	return [{start: 0, end: text.length, style: scene.theme.tones.input}];
}

const TOKEN_TONES: Readonly<Record<string, Tone>> = {
	field: 'accent',
	operator: 'dim',
	value: 'strong',
	bool: 'brand',
	error: 'bad',
};

function filterSpans(scene: Scene, text: string): Piece[] {
	const pieces: Piece[] = [];
	let at = 0;
	for (const token of filterTokens(text)) {
		if (token.start > at) pieces.push({start: at, end: token.start, style: scene.theme.tones.input});
		const style = scene.theme.tones[TOKEN_TONES[token.kind]!];
		pieces.push({
			start: token.start,
			end: token.end,
			style: token.kind === 'error' ? {...style, underline: true} : style,
		});
		at = token.end;
	}
	if (at < text.length) pieces.push({start: at, end: text.length, style: scene.theme.tones.input});
	return pieces;
}

/** The line with its cursor as an inverted cell; a line longer than the screen shows the part around the cursor. */
function typedLine(
	scene: Scene,
	label: string,
	{text, cursor}: TextEdit,
	width: number,
	pieces: readonly Piece[],
): Row {
	const room = width - cellWidth(label) - 1;
	let from = 0;
	while (cellWidth(text.slice(from, cursor)) > room - 1) from += text.codePointAt(from)! > 0xffff ? 2 : 1;
	const spans: Span[] = [toned(scene, 'key', label)];
	for (const piece of pieces) {
		for (const [start, end, isCursor] of around(piece, cursor, text)) {
			const shown = text.slice(Math.max(start, from), Math.max(end, from));
			if (shown !== '') spans.push({text: shown, style: isCursor ? {...piece.style, inverse: true} : piece.style});
		}
	}
	if (cursor >= text.length) spans.push({text: ' ', style: {inverse: true}});
	return cutSpans(spans, width);
}

/** A piece cut at the cursor: before, the character under it, after. */
function around({start, end}: Piece, cursor: number, text: string): [number, number, boolean][] {
	if (cursor < start || cursor >= end) return [[start, end, false]];
	const next = cursor + (text.codePointAt(cursor)! > 0xffff ? 2 : 1);
	return [
		[start, cursor, false],
		[cursor, next, true],
		[next, end, false],
	];
}

/** Under the line: what is wrong and where, or what could be typed next. */
function filterMessage(scene: Scene, edit: TextEdit, indent: number, width: number): Row {
	const parsed = parseFilterLine(edit.text);
	const completions = completeFilterLine(edit.text, edit.cursor);
	// What can still become right is not called wrong while it is typed.
	const isBeginning = completions.some(
		({start, end, text}) =>
			text.length > end - start && text.startsWith(edit.text.slice(start, end)) && end > start && end === edit.cursor,
	);
	const error = parsed.ok
		? undefined
		: (parsed.errors.find(e => edit.cursor >= e.start && edit.cursor <= e.end) ?? parsed.errors[0]);
	if (error && !(isBeginning && edit.cursor >= error.start && edit.cursor <= error.end)) {
		const at = indent + cellWidth(edit.text.slice(0, error.start));
		const {suggestion} = error;
		const isSaid = suggestion === undefined || error.message.includes(suggestion);
		const message = isSaid ? error.message : `${error.message} (${suggestion}?)`;
		// The sign points at the place; a message that would not fit there moves left of it.
		const from = Math.max(Math.min(at, width - cellWidth(message) - 3), 0);
		return cutSpans([{text: ' '.repeat(from)}, toned(scene, 'bad', `^ ${message}`)], width);
	}
	if (edit.text.trim() === '')
		return cutSpans(
			[
				{text: ' '.repeat(indent)},
				toned(scene, 'dim', 'mcap>50k holders>=100 age<10m dev<5% bonding:80..99 chain:solana type:pumpfun -kw:elon'),
			],
			width,
		);
	const words = completions.slice(0, 8).map(completion => completion.text);
	if (words.length === 0 && topMode(scene.state).kind === 'filter')
		return cutSpans([{text: ' '.repeat(indent)}, ...clauseTags(scene, parsed)], width);
	return cutSpans(
		[
			{text: ' '.repeat(indent)},
			toned(
				scene,
				'dim',
				words.length === 0
					? keyText(
							scene,
							topMode(scene.state).kind === 'alertRule' ? '{rule.typed} adds it' : '{prompt.accept} applies it',
						)
					: `${keyText(scene, '{prompt.complete}: ')}${words.join('  ')}`,
			),
		],
		width,
	);
}
