import {type ChainName, resolveChain} from './chain-words.ts';
import type {Comparison, ComparisonOp, Plain, Span} from './clause.ts';
import {type FieldWord, findWord} from './field-words.ts';
import {isoOf, type ReadValue, readAge, readDate, readNumber} from './values.ts';

/** One value as typed. */
export interface Operand extends Span {
	readonly text: string;
	readonly quoted: boolean;
}

/** A typed operator in its standard spelling. */
export interface TypedOp extends Span {
	readonly op: '=' | '>' | '>=' | '<' | '<=' | '~' | '^=' | '$=';
	readonly negated: boolean;
	/** Whether letter case is ignored: not for `==` and doubled forms; undefined for the default of the field. */
	readonly insensitive?: boolean;
}

/** The values of a clause, or the mistake and its place. */
export type ReadOperands =
	| {readonly comparisons: readonly Comparison[]; readonly known?: readonly FieldWord[]}
	| {readonly comparisons?: never; readonly at: Span; readonly message: string; readonly suggestion?: string};

/** Text in which letter case does not matter to people; addresses, ids and types are taken as they are. */
const WORDING: ReadonlySet<string> = new Set([
	'symbol',
	'name',
	'description',
	'blockchain',
	'livestream_title',
	'twitter',
	'website',
	'telegram',
]);

/** Whether `=` ignores letter case for this word. */
function isWording({target}: FieldWord): boolean {
	return target.kind === 'field' && WORDING.has(target.field);
}

const ORDER: Readonly<Record<string, ComparisonOp>> = {'>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte'};
const TEXTUAL: Readonly<Record<string, ComparisonOp>> = {'~': 'contains', '^=': 'startsWith', '$=': 'endsWith'};
/** Values that mean "unknown", unless they are quoted. */
const UNKNOWN: ReadonlySet<string> = new Set(['unknown', 'null', 'none']);

/** Whether a value must be quoted to be taken literally. */
function isReserved(text: string): boolean {
	return UNKNOWN.has(text.toLowerCase());
}

/** Reads the values of a clause for its field (spec 4.1.1, contract gaps 3.4). @param operands at least one */
export function readOperands(
	word: FieldWord,
	op: TypedOp,
	operands: readonly Operand[],
	chains: readonly ChainName[],
): ReadOperands {
	const first = operands[0]!;
	if (ORDER[op.op] && operands.length > 1) {
		const isGrouped = operands.every((o, i) => (i === 0 ? /^\$?\d{1,3}$/ : /^\d{3}$/).test(o.text));
		const number = operands.map(o => o.text).join('');
		return isGrouped
			? problem(spanOf(operands), 'a comma separates values; write large numbers without', number)
			: problem(spanOf(operands), `${op.op} takes one value, not a list`);
	}
	if (op.op === '=' && operands.length === 1 && !first.quoted && isReserved(first.text) && canBeUnknown(word)) {
		return {comparisons: [{op: 'equals', value: null}]};
	}
	switch (word.kind) {
		case 'keyword':
			return readKeywords(word, op, operands);
		case 'has':
			return readHas(word, op, operands);
		case 'boolean':
			return readBooleans(word, op, operands);
		case 'text':
		case 'chain':
		case 'poolType':
			return readTexts(word, op, operands, chains);
		case 'date':
			return readDates(word, op, operands);
		case 'figure':
			return TEXTUAL[op.op] ? readTexts(word, op, operands, chains) : readFigures(word, op, operands);
		default:
			return readFigures(word, op, operands);
	}
}

function canBeUnknown({kind}: FieldWord): boolean {
	return kind !== 'keyword' && kind !== 'has' && kind !== 'socials';
}

function problem(at: Span, message: string, suggestion?: string): ReadOperands {
	return suggestion === undefined ? {at, message} : {at, message, suggestion};
}

function spanOf(operands: readonly Operand[]): Span {
	return {start: operands[0]!.start, end: operands.at(-1)!.end};
}

/** A single value, or a list of them. */
function equality(values: readonly Plain[], insensitive: boolean | undefined): ReadOperands {
	const mode = insensitive ? {insensitive} : {};
	const [only] = values;
	return {
		comparisons: [values.length === 1 ? {op: 'equals', value: only!, ...mode} : {op: 'in', value: values, ...mode}],
	};
}

function readKeywords(word: FieldWord, op: TypedOp, operands: readonly Operand[]): ReadOperands {
	if (op.op !== '=' && op.op !== '~') return problem(op, `write ${word.word}:word, with a colon`, ':');
	const empty = operands.find(o => o.text.trim() === '');
	if (empty) return problem(empty, 'write a word to look for');
	return equality(
		operands.map(o => o.text.trim().toLowerCase()),
		undefined,
	);
}

function readHas(word: FieldWord, op: TypedOp, operands: readonly Operand[]): ReadOperands {
	if (op.op !== '=') return problem(op, `write ${word.word}:field, with a colon`, ':');
	const known: FieldWord[] = [];
	for (const operand of operands) {
		const found = findWord(operand.text);
		if (!found.word) return problem(operand, `there is no field “${operand.text}”`, found.suggestion);
		const {kind} = found.word.target;
		if (kind !== 'field' && kind !== 'security' && kind !== 'age') {
			return problem(operand, `${found.word.word} is never unknown; has takes fields such as twitter`);
		}
		known.push(found.word);
	}
	return {comparisons: [], known};
}

const TRUTH: Readonly<Record<string, boolean>> = {true: true, yes: true, on: true, false: false, no: false, off: false};

function readBooleans(word: FieldWord, op: TypedOp, operands: readonly Operand[]): ReadOperands {
	if (op.op !== '=') return problem(op, `${word.word} is yes or no; write ${word.word} or -${word.word}`, ':');
	const values: boolean[] = [];
	for (const operand of operands) {
		const value = TRUTH[operand.text.toLowerCase()];
		if (value === undefined) return problem(operand, `write true or false, or only ${word.word} or -${word.word}`);
		values.push(value);
	}
	return equality(values, undefined);
}

function readTexts(
	word: FieldWord,
	op: TypedOp,
	operands: readonly Operand[],
	chains: readonly ChainName[],
): ReadOperands {
	if (ORDER[op.op]) return problem(op, `${word.word} is text; write ${word.word}:value or ${word.word}~part`, ':');
	const textual = TEXTUAL[op.op];
	if (textual) {
		if (operands.length > 1) return problem(spanOf(operands), `${op.op} takes one value; join clauses with |`);
		const insensitive = op.insensitive ?? true;
		return {comparisons: [{op: textual, value: operands[0]!.text, ...(insensitive ? {insensitive} : {})}]};
	}
	const values: string[] = [];
	for (const operand of operands) {
		if (word.kind !== 'text' && !operand.quoted && /^[-!]/.test(operand.text)) {
			return problem(operand, 'write the minus before the field', operand.text.slice(1));
		}
		if (word.kind !== 'chain' || operand.quoted || op.insensitive !== undefined) {
			values.push(operand.text);
			continue;
		}
		const chain = resolveChain(operand.text, chains);
		if (chain.id === undefined) {
			const hint = chain.suggestion === undefined ? '; write a name such as solana or an id such as evm:8453' : '';
			return problem(operand, `“${operand.text}” is not a chain${hint}`, chain.suggestion);
		}
		values.push(chain.id);
	}
	return equality(values, op.insensitive ?? isWording(word));
}

function readFigures(word: FieldWord, op: TypedOp, operands: readonly Operand[]): ReadOperands {
	if (TEXTUAL[op.op]) return problem(op, `${word.word} is a number; compare it with > >= < <= =`, '=');
	const [first] = operands;
	if (operands.length === 1 && op.op === '=' && !first!.quoted && first!.text.includes('..')) {
		return readRange(word, first!);
	}
	const values: Plain[] = [];
	for (const operand of operands) {
		if (word.kind === 'figure' && (operand.quoted || (op.op === '=' && !readFigure(word, operand.text).ok))) {
			if (op.op !== '=') return problem(operand, `${op.op} compares numbers; leave the quotation marks out`);
			values.push(operand.text);
			continue;
		}
		if (operand.text.includes('..')) return problem(operand, 'write a range as field:from..to', undefined);
		const value = readFigure(word, operand.text);
		if (!value.ok) return problem(operand, `“${operand.text}” ${value.problem}`, value.suggestion);
		values.push(value.value);
	}
	const order = ORDER[op.op];
	if (order) return {comparisons: [{op: order, value: values[0]!}]};
	return equality(values, op.insensitive);
}

function readFigure(word: FieldWord, text: string): ReadValue<number> {
	if (word.kind === 'age') return readAge(text);
	if (word.kind === 'socials') {
		const count = readNumber(text, 'number');
		return count.ok && [0, 1, 2, 3].includes(count.value)
			? count
			: {ok: false, problem: 'is not 0, 1, 2 or 3: there are three links to count'};
	}
	return readNumber(text, numberKind(word));
}

function numberKind({kind}: FieldWord): 'number' | 'integer' | 'usd' | 'percent' | 'figure' {
	return kind === 'integer' || kind === 'usd' || kind === 'percent' || kind === 'figure' ? kind : 'number';
}

function readRange(word: FieldWord, operand: Operand): ReadOperands {
	const at = operand.text.indexOf('..');
	const ends = [operand.text.slice(0, at), operand.text.slice(at + 2)].map(text =>
		text === '' ? undefined : readFigure(word, text),
	);
	const wrong = ends.findIndex(end => end?.ok === false);
	if (wrong !== -1) {
		const end = ends[wrong] as ReadValue<number> & {ok: false};
		const span =
			wrong === 0 ? {start: operand.start, end: operand.start + at} : {start: operand.start + at + 2, end: operand.end};
		const text = wrong === 0 ? operand.text.slice(0, at) : operand.text.slice(at + 2);
		return problem(span, `“${text}” ${end.problem}`, end.suggestion);
	}
	const [from, to] = ends.map(end => (end?.ok ? end.value : undefined));
	if (from === undefined && to === undefined) return problem(operand, 'write at least one end of the range: 5..9');
	if (from !== undefined && to !== undefined && from > to) {
		const [low, high] = [operand.text.slice(at + 2), operand.text.slice(0, at)];
		return problem(operand, 'the range ends before it begins', `${low}..${high}`);
	}
	return {comparisons: [...bound('gte', from), ...bound('lte', to)]};
}

function bound(op: ComparisonOp, value: Plain | undefined): Comparison[] {
	return value === undefined ? [] : [{op, value}];
}

function wireDate(ms: number): Plain {
	return isoOf(ms) ?? ms;
}

function readDates(word: FieldWord, op: TypedOp, operands: readonly Operand[]): ReadOperands {
	if (TEXTUAL[op.op]) return problem(op, `${word.word} is a date; compare it with > >= < <= =`, '=');
	const [operand] = operands;
	if (operands.length > 1) return problem(spanOf(operands), `${word.word} takes one date or a range from..to`);
	const at = op.op === '=' ? operand!.text.indexOf('..') : -1;
	const parts = at === -1 ? [operand!.text] : [operand!.text.slice(0, at), operand!.text.slice(at + 2)];
	const dates = parts.map(text => (text === '' ? undefined : readDate(text)));
	const wrong = dates.findIndex(date => date?.ok === false);
	if (wrong !== -1) {
		const date = dates[wrong] as ReadValue<never> & {ok: false};
		const hint = word.word === 'created' && readAge(parts[wrong]!).ok ? '; for an age write age<10m' : '';
		return problem(operand!, `“${parts[wrong]}” ${date.problem}${hint}`);
	}
	const [from, to] = dates.map(date => (date?.ok ? date.value : undefined));
	if (at !== -1) {
		if (!from && !to) return problem(operand!, 'write at least one end of the range: 2026-01-01..2026-01-31');
		if (from && to && from.fromMs > to.fromMs) {
			return problem(operand!, 'the range ends before it begins', `${parts[1]}..${parts[0]}`);
		}
		return {comparisons: [...(from ? bound('gte', wireDate(from.fromMs)) : []), ...(to ? upTo(to) : [])]};
	}
	return {comparisons: compareDate(op, from!)};
}

/** A day includes all of itself: up to the 31st means before the 1st. */
function upTo({fromMs, untilMs}: {fromMs: number; untilMs?: number}): Comparison[] {
	return untilMs === undefined ? bound('lte', wireDate(fromMs)) : bound('lt', wireDate(untilMs));
}

function compareDate(op: TypedOp, date: {fromMs: number; untilMs?: number}): Comparison[] {
	const {fromMs, untilMs} = date;
	switch (op.op) {
		case '<':
		case '>=':
			return bound(op.op === '<' ? 'lt' : 'gte', wireDate(fromMs));
		case '<=':
			return upTo(date);
		case '>':
			return untilMs === undefined ? bound('gt', wireDate(fromMs)) : bound('gte', wireDate(untilMs));
		default:
			if (untilMs === undefined) return bound('equals', wireDate(fromMs));
			return [...bound('gte', wireDate(fromMs)), ...bound('lt', wireDate(untilMs))];
	}
}
