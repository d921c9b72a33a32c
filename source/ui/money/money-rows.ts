import {CORRECT_INPUT, type Explanation} from '../../errors.ts';
import type {TextEdit} from '../../monitor/transitions/text-edit.ts';
import type {Row, Span} from '../../terminal/style.ts';
import {cellWidth, clean, padEnd, truncate} from '../../text.ts';
import {type CheckResult, isOnlyNew} from '../../trading/check.ts';
import {PIN_TAIL} from '../../trading/fingerprint.ts';
import type {NewContract} from '../../trading/pins.ts';
import type {Glyphs} from '../glyphs.ts';
import type {Theme, Tone} from '../theme.ts';
import {toned} from '../view-model.ts';
import {folded, wrapText} from '../wrap-text.ts';

/** What the rows of a money window are painted with. */
export interface MoneyCanvas {
	readonly theme: Theme;
	readonly glyphs: Glyphs;
	/** Cells of a row. */
	readonly width: number;
	/** Local Unix ms. */
	readonly nowMs: number;
}

/** Cells before the text of a fact or a field: `you receive` is the longest. */
export const LABEL = 13;

/** A text as rows of the canvas's width, broken at spaces. */
export function paragraph(canvas: MoneyCanvas, tone: Tone, text: string): Row[] {
	return wrapText(text, canvas.width).map(line => [toned(canvas, tone, line)]);
}

/** A label and its value; a long value continues on the next rows. No value is cut: it is what will be signed. */
export function fact(canvas: MoneyCanvas, label: string, value: string, tone: Tone = 'text'): Row[] {
	return folded(value, Math.max(canvas.width - LABEL, 10)).map((line, at) => [
		toned(canvas, 'dim', padEnd(at === 0 ? label : '', LABEL)),
		toned(canvas, tone, line),
	]);
}

/** The known ones of these values, by their labels. The values come from outside and are cleaned. */
export function factsOf(canvas: MoneyCanvas, values: Readonly<Record<string, string | undefined>>): Row[] {
	return Object.entries(values).flatMap(([label, value]) =>
		value === undefined ? [] : fact(canvas, label, clean(value)),
	);
}

/** The part of a line that fits with its cursor in sight, and how much of it is left out before. */
export function inSight({text, cursor}: TextEdit, room: number): TextEdit & {readonly from: number} {
	let from = 0;
	while (cellWidth(text.slice(from, cursor)) > room - 1) from += text.codePointAt(from)! > 0xffff ? 2 : 1;
	return {text: text.slice(from), cursor: cursor - from, from};
}

/** A field that can be typed into, its cursor inverted while it has the keyboard. */
export function field(canvas: MoneyCanvas, label: string, edit: TextEdit, isActive: boolean, hint = ''): Row {
	const {text, cursor} = inSight(edit, canvas.width - LABEL);
	if (text === '') {
		// The cursor stands on the hint, so that it begins where hints of the other fields do.
		const first: Span = isActive ? {text: hint.slice(0, 1) || ' ', style: {inverse: true}} : {text: ''};
		return [...named(canvas, label, isActive), first, toned(canvas, 'faint', isActive ? hint.slice(1) : hint)];
	}
	const value: Span[] = isActive
		? [
				toned(canvas, 'strong', text.slice(0, cursor)),
				{text: text.slice(cursor, cursor + 1) || ' ', style: {inverse: true}},
				toned(canvas, 'strong', text.slice(cursor + 1)),
			]
		: [toned(canvas, 'text', text)];
	return [...named(canvas, label, isActive), ...value];
}

/** One of several, turned with the arrow keys. @param texts of the choice, the longest first: the first that fits is taken, and no figure is cut */
export function choice(canvas: MoneyCanvas, label: string, texts: readonly string[], isActive: boolean): Row {
	const room = canvas.width - LABEL - 4;
	const value = texts.find(text => cellWidth(text) <= room) ?? truncate(texts.at(-1)!, room);
	return [
		...named(canvas, label, isActive),
		toned(canvas, isActive ? 'strong' : 'text', isActive ? `< ${value} >` : value),
	];
}

function named(canvas: MoneyCanvas, label: string, isActive: boolean): Span[] {
	return [
		toned(canvas, 'accent', isActive ? canvas.glyphs.cursor : ' '),
		toned(canvas, isActive ? 'key' : 'dim', padEnd(label, LABEL - 1)),
	];
}

/** Every check with its result; what failed stands first, then what could not be checked. A contract that only has to be accepted is a question, and no failure. */
export function checkRows(canvas: MoneyCanvas, view: Checked): Row[] {
	const [mark, tone]: readonly [string, Tone] = isOnlyNew(view) ? ['!', 'warn'] : [canvas.glyphs.cross, 'bad'];
	const rank = ({ok, isUnavailable}: CheckResult) => (ok ? (isUnavailable ? 1 : 2) : 0);
	return view.checks
		.toSorted((a, b) => rank(a) - rank(b))
		.flatMap(({title, ok, isUnavailable, detail}) =>
			isUnavailable
				? hanging(canvas, 'warn', `? ${title}: not checked, ${detail}`)
				: hanging(canvas, ok ? 'text' : tone, `${ok ? canvas.glyphs.check : mark} ${title}: ${detail}`),
		);
}

/** A contract that is to be accepted: what stands at its address, and what is typed for it. */
export function newContractRows(canvas: MoneyCanvas, contract: NewContract, typed: TextEdit): Row[] {
	return [
		...(contract.why === undefined ? [] : [...paragraph(canvas, 'warn', `It is asked for: ${contract.why}.`), []]),
		...fact(canvas, 'address', contract.address, 'strong'),
		...fact(canvas, 'code', contract.code),
		...fact(canvas, 'fingerprint', contract.fingerprint, 'strong'),
		[],
		...paragraph(
			canvas,
			'text',
			`The fingerprint is made here, of the code on your node and the address: compare it with what others see. It is remembered, and other code is refused from then on. Type its last ${PIN_TAIL} characters to accept it:`,
		),
		[],
		field(canvas, 'ends with', typed, true),
	];
}

/** What happened, why, and what to do next. */
export function problemRows(canvas: MoneyCanvas, problem: Explanation | undefined): Row[] {
	if (!problem) return [];
	return [
		[],
		...paragraph(canvas, 'bad', `${canvas.glyphs.cross} ${problem.what}`),
		...paragraph(canvas, 'text', problem.why),
		// Where the input stands right above, the reason says what to change.
		...(problem.advice === CORRECT_INPUT ? [] : paragraph(canvas, 'dim', problem.advice)),
	];
}

type Checked = {readonly checks: readonly CheckResult[]; readonly toAccept: readonly unknown[]};

/** Above everything else: each failed check with what was found and what to do. Nothing for contracts that only have to be accepted. @param next what to do about all of them */
export function failedRows(canvas: MoneyCanvas, view: Checked, next = ''): Row[] {
	const failed = view.checks.filter(({ok}) => !ok);
	if (failed.length === 0 || isOnlyNew(view)) return [];
	const {cross, arrow} = canvas.glyphs;
	const text = failed.length === 1 ? 'A check has failed' : `${failed.length} checks have failed`;
	return [
		...failed.flatMap(({title, detail, advice}) => [
			...hanging(canvas, 'bad', `${cross} ${title}: ${detail}`),
			...(advice === undefined ? [] : hanging(canvas, 'text', `${arrow} ${advice}`, 2)),
		]),
		...paragraph(canvas, 'warn', `${text}: nothing can be signed. ${next}`.trim()),
	];
}

/**
 * How many checks passed, and by name what was not checked.
 * @param isReady whether Enter leads to the confirmation; `untried`: a trial that no check makes
 */
export function checkCountRows(
	canvas: MoneyCanvas,
	{checks}: Checked,
	{isReady, untried}: {readonly isReady: boolean; readonly untried: string | undefined},
): Row[] {
	if (checks.length === 0) return [];
	const passed = checks.filter(({ok, isUnavailable}) => ok && !isUnavailable).length;
	const isAll = checks.every(({ok}) => ok);
	const open = checks.filter(({isUnavailable}) => isUnavailable).map(({title}) => title);
	const left = [...open, ...(untried === undefined ? [] : [untried])].join(', ');
	const counted = isAll ? `${passed} checks passed` : `${passed} of ${checks.length} checks are fine`;
	const text = isReady ? `${counted}. Enter goes on to the confirmation.` : counted;
	return [
		...hanging(canvas, isReady ? 'good' : 'dim', `${canvas.glyphs.check} ${text}`),
		...(left === '' ? [] : hanging(canvas, open.length > 0 ? 'warn' : 'dim', `? not checked: ${left}`)),
	];
}

/** A marked text: what goes on below stands behind the mark. @param indent cells before the mark */
function hanging(canvas: MoneyCanvas, tone: Tone, text: string, indent = 0): Row[] {
	return wrapText(text, canvas.width - indent - 2).map((line, at) => [
		toned(canvas, tone, `${' '.repeat(at === 0 ? indent : indent + 2)}${line}`),
	]);
}

/** Below everything else: what went wrong with the last key, and what is under way. */
export function footRows(
	canvas: MoneyCanvas,
	{problem, busy, writtenTo}: {readonly problem?: Explanation; readonly busy?: string; readonly writtenTo?: string},
): Row[] {
	const text = `${canvas.glyphs.waiting} ${busy} ${canvas.glyphs.ellipsis}`;
	const written =
		writtenTo === undefined
			? []
			: [[], ...fact(canvas, 'written to', `${writtenTo} (unsigned, private: 0600)`, 'good')];
	return [
		...problemRows(canvas, problem),
		...written,
		...(busy === undefined ? [] : [[], ...paragraph(canvas, 'warn', text)]),
	];
}

/** The answer that changes nothing and the one that signs; the one that Enter gives is marked. */
export function answers(
	canvas: MoneyCanvas,
	answer: 'cancel' | 'sign',
	{keep = 'Cancel', sign}: {readonly keep?: string; readonly sign: string},
	isPossible: boolean,
): Row {
	const button = (text: string, isChosen: boolean, tone: Tone): Span =>
		isChosen
			? {text: ` [ ${text} ] `, style: {...canvas.theme.tones[tone], inverse: true}}
			: toned(canvas, tone, `   ${text}   `);
	return [
		button(keep, answer === 'cancel', 'text'),
		{text: '   '},
		button(sign, answer === 'sign', isPossible ? 'bad' : 'faint'),
	];
}

/** A ruled line with a title. */
export function heading(canvas: MoneyCanvas, title: string): Row {
	const rest = Math.max(canvas.width - title.length - 4, 0);
	return [
		toned(canvas, 'rule', canvas.glyphs.line),
		toned(canvas, 'accent', ` ${title} `),
		toned(canvas, 'rule', canvas.glyphs.line.repeat(rest)),
	];
}

/**
 * Data as JSON, complete: a line that is too long goes on below itself under the same indent, and no character is left out.
 * What is not ASCII stands as its JSON escape, so that every character takes one cell and none can hide.
 */
export function jsonRows(canvas: MoneyCanvas, value: unknown): Row[] {
	return jsonText(value)
		.split('\n')
		.flatMap(line => {
			const indent = /^ */.exec(line)![0];
			const rest = line.slice(indent.length);
			const parts = rest.match(new RegExp(`.{1,${Math.max(canvas.width - indent.length, 1)}}`, 'g')) ?? [''];
			return parts.map(part => [toned(canvas, 'text', indent + part)]);
		});
}

/** Data as indented JSON in ASCII alone; raw amounts (bigint) are decimal text. */
export function jsonText(value: unknown): string {
	const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part), 2);
	return text.replace(/[^\n -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** How long something has been going on: `12 s`, `3 min 5 s`. */
export function elapsed(sinceMs: number | undefined, nowMs: number): string {
	const s = sinceMs === undefined ? 0 : Math.max(Math.floor((nowMs - sinceMs) / 1000), 0);
	return s < 60 ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
}
