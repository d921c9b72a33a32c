import type {ChainName} from './chain-words.ts';
import {
	acceptedCounts,
	type FilterClause,
	type FilterError,
	type FilterNode,
	type FilterToken,
	type Span,
	type TokenKind,
} from './clause.ts';
import {FAMILY_WORDS, type FieldWord, findWord, windowWord} from './field-words.ts';
import {type Operand, readOperands, type TypedOp} from './operands.ts';

/** A parsed line: the tree of its good clauses, its mistakes, and the pieces for colouring. */
export interface ParsedLine {
	readonly root: FilterNode;
	readonly errors: readonly FilterError[];
	readonly tokens: readonly FilterToken[];
}

/** Parentheses deeper than this are refused: the API's own limit is 16 levels. */
const MAX_DEPTH = 10;

const NAME = /[a-z_][\w.]*/iy;
/** The window of `vol:5m>10k`: only before an operator, since `vol:5m` means five million. */
const COLON_WINDOW = /:\d+(?:min|m|h|d)(?=\??\s*(?:[<>=~^$:≥≤≠]|![=~^$]))/iy;
const OPERATOR =
	/:\s*(?=[<>=!~^$≥≤≠])|!==|!=~|!~~|!~|!\^==|!\^=|!\$==|!\$=|!=|<>|>=|<=|=>|=<|==|=~|~~|~|\^==|\^=|\$==|\$=|>|<|=|:|≥|≤|≠/y;
const SPACE = /\s+/y;
const JOIN_OR = /\|\|?|or(?![\w.?:<>=!~^$≥≤≠])/iy;
const JOIN_AND = /&&?|and(?![\w.?:<>=!~^$≥≤≠])/iy;
const NOT = /[-!]|not(?![\w.?:<>=!~^$≥≤≠])/iy;
const BARE_VALUE = /[^\s()|,"]+/y;
/** Digits behind a number's field, without an operator: `bonding 80..99`. */
const IMPLICIT_VALUE = /\s+(?=[\d.$])/y;
const NUMERIC: ReadonlySet<string> = new Set(['number', 'integer', 'usd', 'percent', 'age', 'figure', 'socials']);

const OPS: Readonly<Record<string, Omit<TypedOp, keyof Span>>> = {
	':': {op: '=', negated: false},
	'=': {op: '=', negated: false},
	'==': {op: '=', negated: false, insensitive: false},
	'=~': {op: '=', negated: false, insensitive: true},
	'!=': {op: '=', negated: true},
	'<>': {op: '=', negated: true},
	'≠': {op: '=', negated: true},
	'!==': {op: '=', negated: true, insensitive: false},
	'!=~': {op: '=', negated: true, insensitive: true},
	'>': {op: '>', negated: false},
	'>=': {op: '>=', negated: false},
	'=>': {op: '>=', negated: false},
	'≥': {op: '>=', negated: false},
	'<': {op: '<', negated: false},
	'<=': {op: '<=', negated: false},
	'=<': {op: '<=', negated: false},
	'≤': {op: '<=', negated: false},
	'~': {op: '~', negated: false},
	'~~': {op: '~', negated: false, insensitive: false},
	'!~': {op: '~', negated: true},
	'!~~': {op: '~', negated: true, insensitive: false},
	'^=': {op: '^=', negated: false},
	'^==': {op: '^=', negated: false, insensitive: false},
	'!^=': {op: '^=', negated: true},
	'!^==': {op: '^=', negated: true, insensitive: false},
	'$=': {op: '$=', negated: false},
	'$==': {op: '$=', negated: false, insensitive: false},
	'!$=': {op: '$=', negated: true},
	'!$==': {op: '$=', negated: true, insensitive: false},
};

/** Parses a line. Never throws: mistakes are in `errors`. */
export function parseLine(text: string, chains: readonly ChainName[] = []): ParsedLine {
	const parser = new LineParser(text, chains);
	const root = parser.line();
	return {root, errors: parser.errors, tokens: parser.tokens};
}

class LineParser {
	readonly errors: FilterError[] = [];
	readonly tokens: FilterToken[] = [];
	readonly #text: string;
	readonly #chains: readonly ChainName[];
	#at = 0;
	#gaveUp = false;
	/** The last clause that takes a list of words. */
	#listable: FilterClause | undefined;

	constructor(text: string, chains: readonly ChainName[]) {
		this.#text = text;
		this.#chains = chains;
	}

	line(): FilterNode {
		const parts: FilterNode[] = [];
		for (;;) {
			parts.push(this.#any(false, 0));
			if (this.#at >= this.#text.length) break;
			this.#error({start: this.#at, end: this.#at + 1}, 'this ) closes nothing; take it out', '');
			this.#at++;
		}
		return parts.length === 1 ? parts[0]! : {kind: 'all', of: parts, span: {start: 0, end: this.#text.length}};
	}

	/** Clauses joined by `|`; under a negation that is an `all` of opposites. */
	#any(negated: boolean, depth: number): FilterNode {
		const start = this.#at;
		const parts: FilterNode[] = [];
		let join: Span | undefined;
		for (;;) {
			const {node, isMissing} = this.#all(negated, depth);
			parts.push(node);
			const joinAt = this.#at;
			const next = this.#eat(JOIN_OR, 'operator') === undefined ? undefined : {start: joinAt, end: this.#at};
			if (isMissing && (join ?? next)) this.#error((join ?? next)!, 'write a clause on both sides of it');
			if (!next) break;
			join = next;
		}
		return group(negated ? 'all' : 'any', parts, {start, end: this.#at});
	}

	/** Clauses side by side; under a negation that is an `any` of opposites. */
	#all(negated: boolean, depth: number): {node: FilterNode; isMissing: boolean} {
		const parts: FilterNode[] = [];
		this.#eat(SPACE);
		const start = this.#at;
		let end = start;
		while (this.#at < this.#text.length && this.#text[this.#at] !== ')' && !this.#looksAt(JOIN_OR)) {
			if (this.#eat(JOIN_AND, 'operator') === undefined) {
				const part = this.#one(negated, depth);
				if (part) parts.push(part);
			}
			end = this.#at;
			this.#eat(SPACE);
		}
		return {node: group(negated ? 'any' : 'all', parts, {start, end}), isMissing: start === end};
	}

	/** A clause or a group, with its negation. */
	#one(outer: boolean, depth: number): FilterNode | undefined {
		const start = this.#at;
		let negated = outer;
		while (this.#eat(NOT, 'operator') !== undefined) {
			negated = !negated;
			this.#eat(SPACE);
		}
		if (this.#text[this.#at] !== '(') {
			const clause = this.#clause(start, negated);
			return clause && {kind: 'clause', clause};
		}
		const open = {start: this.#at, end: this.#at + 1};
		if (depth >= MAX_DEPTH) {
			this.#error(open, `write at most ${MAX_DEPTH} parentheses inside each other`);
			this.#gaveUp = true;
			this.#at = this.#text.length;
			return undefined;
		}
		this.#eat(/\(/y, 'operator');
		const errors = this.errors.length;
		const inner = this.#any(negated, depth + 1);
		if (this.#eat(/\)/y, 'operator') === undefined) {
			if (!this.#gaveUp) this.#error(open, 'this ( is not closed; write ) at the end of the group');
		} else if (inner.kind !== 'clause' && inner.of.length === 0 && this.errors.length === errors) {
			this.#error({start: open.start, end: this.#at}, 'write a clause between the parentheses');
		}
		return inner;
	}

	#clause(start: number, negated: boolean): FilterClause | undefined {
		const nameAt = this.#at;
		const name = this.#eat(NAME);
		if (name === undefined) {
			this.#unexpected(start);
			return undefined;
		}
		const found = this.#word(name, nameAt);
		const token = this.#token(found.word?.kind === 'boolean' ? 'bool' : 'field', nameAt);
		const unknownAt = this.#at;
		const passesUnknown = this.#eat(/\?/y, 'operator') !== undefined;
		const op = this.#operator(found.word);
		const operands = op ? this.#operands(found.word, op) : [];
		const {word} = found;
		if (!word) {
			this.#noSuchWord(found, op !== undefined, token);
			return undefined;
		}
		if (
			passesUnknown &&
			(word.kind === 'keyword' || word.kind === 'has' || word.kind === 'socials' || word.target.kind === 'live')
		) {
			this.#error({start: unknownAt, end: unknownAt + 1}, `${word.word} is never unknown; take the ? out`, '');
			return undefined;
		}
		const span = {start, end: this.#at, text: this.#text.slice(start, this.#at)};
		const clause = {...span, word, passesUnknown, known: []};
		if (!op) {
			if (word.kind === 'boolean') return {...clause, negated, comparisons: [{op: 'equals', value: true}]};
			this.#error(token, `${word.word} needs a comparison, such as ${exampleOf(word)}`);
			return undefined;
		}
		if (operands === undefined) return undefined;
		const read = readOperands(word, op, operands, this.#chains);
		if (!read.comparisons) {
			this.#error(read.at, read.message, read.suggestion);
			return undefined;
		}
		const whole = {...clause, negated: negated !== op.negated, comparisons: read.comparisons, known: read.known ?? []};
		if (word.kind === 'socials' && acceptedCounts(whole).length === 0) {
			this.#error(whole, 'no token can have that many links: there are 0 to 3 of them');
			return undefined;
		}
		const takesWords =
			word.kind === 'chain' || word.kind === 'poolType' || word.kind === 'keyword' || word.kind === 'text';
		this.#listable = takesWords && op.op === '=' ? whole : undefined;
		return whole;
	}

	/** The word at `nameAt`, with the window of `vol:5m>10k`. */
	#word(name: string, nameAt: number): ReturnType<typeof findWord> {
		const found = findWord(name);
		if (found.word?.family === undefined || !FAMILY_WORDS.has(found.word.family.word)) return found;
		if (/\d/.test(name) || !this.#looksAt(COLON_WINDOW)) return found;
		this.#eat(COLON_WINDOW);
		return findWord(this.#text.slice(nameAt, this.#at).replace(':', ''));
	}

	#operator(word: FieldWord | undefined): TypedOp | undefined {
		const before = this.#at;
		this.#eat(SPACE);
		const start = this.#at;
		const eaten = this.#eat(OPERATOR);
		if (eaten === undefined) {
			this.#at = before;
			if (word === undefined || !NUMERIC.has(word.kind) || !this.#looksAt(IMPLICIT_VALUE)) return undefined;
			return {op: '=', negated: false, start: before, end: before};
		}
		// `mcap:>50k`: the colon says nothing more.
		const text = /^:\s*$/.test(eaten) && this.#looksAt(OPERATOR) ? this.#eat(OPERATOR)! : eaten.trim();
		this.#token('operator', start);
		return {...OPS[text]!, start, end: this.#at};
	}

	/** The values after an operator; undefined after an error. */
	#operands(word: FieldWord | undefined, op: TypedOp): readonly Operand[] | undefined {
		const operands: Operand[] = [];
		const errors = this.errors.length;
		const afterOperator = this.#at;
		this.#eat(SPACE);
		for (;;) {
			const operand = this.#operand();
			if (!operand) {
				this.#at = operands.length === 0 ? afterOperator : this.#at;
				const example = word ? `, such as ${exampleOf(word)}` : '';
				const span = op.start === op.end ? {start: this.#at - 1, end: this.#at} : {start: op.start, end: this.#at};
				this.#error(
					span,
					operands.length === 0 ? `write a value here${example}` : 'a value is missing behind the comma',
				);
				return undefined;
			}
			operands.push(operand);
			if (this.#eat(/\s*,\s*/y, 'operator') === undefined) {
				return this.errors.length > errors ? undefined : operands;
			}
		}
	}

	#operand(): Operand | undefined {
		const start = this.#at;
		if (this.#text[start] !== '"') {
			const text = this.#eat(BARE_VALUE, 'value');
			return text === undefined ? undefined : {text, quoted: false, start, end: this.#at};
		}
		const quoted = this.#eat(/"(?:[^"\\]|\\.)*"/sy, 'value');
		if (quoted !== undefined) {
			return {text: quoted.slice(1, -1).replace(/\\(.)/gs, '$1'), quoted: true, start, end: this.#at};
		}
		this.#at = this.#text.length;
		this.#token('value', start);
		this.#error(
			{start, end: this.#at},
			'the quotation mark is not closed; write " at the end',
			`${this.#text.slice(start)}"`,
		);
		return {text: this.#text.slice(start + 1), quoted: true, start, end: this.#at};
	}

	#noSuchWord(found: ReturnType<typeof findWord>, hasOperator: boolean, span: Span): void {
		const name = this.#text.slice(span.start, span.end);
		if (found.windows) {
			const windows = found.windows.map(windowWord).join(' ');
			this.#error(span, `“${name}” has no such window; there are ${windows}`, found.suggestion);
		} else if (hasOperator || isMistypedField(name, found.suggestion)) {
			const hint = found.suggestion === undefined ? '; write a field such as mcap, age or dev' : '';
			this.#error(span, `there is no field “${name}”${hint}`, found.suggestion);
		} else if (this.#listable && /^\s*(\||or)\s*$/i.test(this.#text.slice(this.#listable.end, span.start))) {
			const list = `${this.#listable.text},${name}`;
			const whole = {start: this.#listable.start, end: span.end};
			this.#error(whole, `values of one field are joined by a comma: ${list}`, list);
		} else {
			this.#error(span, `“${name}” is not a field; to look for it in names write kw:${name}`, `kw:${name}`);
		}
	}

	/** Text that begins no clause: one error, up to the next space. */
	#unexpected(start: number): void {
		const at = this.#at;
		if (at >= this.#text.length || this.#text[at] === ')' || this.#looksAt(JOIN_OR)) {
			this.#error({start, end: Math.max(at, start + 1)}, 'write what to leave out behind the minus, such as -bonded');
			return;
		}
		if (this.#text[at] === '"') {
			const quoted = this.#operand()!;
			const text = this.#text.slice(at, quoted.end);
			if (this.errors.at(-1)?.start !== at)
				this.#error({start: at, end: quoted.end}, `to look for it in names write kw:${text}`, `kw:${text}`);
			return;
		}
		const text = this.#eat(/[^\s()|]+/y) ?? '';
		this.#error(
			{start: at, end: at + text.length},
			`a clause begins with a field, such as mcap>50k; “${text}” is not a field`,
		);
	}

	#eat(pattern: RegExp, kind?: TokenKind): string | undefined {
		pattern.lastIndex = this.#at;
		const [text] = pattern.exec(this.#text) ?? [];
		if (text === undefined) return undefined;
		const start = this.#at;
		this.#at += text.length;
		if (kind) this.#token(kind, start);
		return text;
	}

	#looksAt(pattern: RegExp): boolean {
		pattern.lastIndex = this.#at;
		return pattern.test(this.#text);
	}

	#token(kind: TokenKind, start: number): FilterToken {
		const token = {kind, start, end: this.#at};
		this.tokens.push(token);
		return token;
	}

	#error({start, end}: Span, message: string, suggestion?: string): void {
		this.errors.push(suggestion === undefined ? {start, end, message} : {start, end, message, suggestion});
	}
}

/** A group without needless levels. */
function group(kind: 'all' | 'any', parts: readonly FilterNode[], span: Span): FilterNode {
	const of = parts.filter(part => part.kind === 'clause' || part.of.length > 0);
	// A group without readable clauses lets all pass: an `any` of nothing would match no token.
	return of.length === 1 ? of[0]! : {kind: of.length === 0 ? 'all' : kind, of, span};
}

const EXAMPLES: Readonly<Partial<Record<FieldWord['kind'], string>>> = {
	usd: '>50k',
	number: '>10',
	integer: '>=100',
	percent: '<5%',
	date: '>2026-01-31',
	age: '<10m',
	figure: '<5',
	boolean: ':true',
	chain: ':solana',
	poolType: ':pumpfun',
	keyword: ':doge',
	socials: '>=2',
	has: ':twitter',
	text: ':value',
};

/** A clause that could be typed with this word. */
export function exampleOf(word: FieldWord): string {
	return `${word.word}${EXAMPLES[word.kind]!}`;
}

/** Whether a word without a comparison is a mistyped field: the first letter is seldom mistyped. Others are names to search for. */
function isMistypedField(name: string, suggestion: string | undefined): boolean {
	return suggestion !== undefined && suggestion[0] === name[0]?.toLowerCase();
}
