import type {Filter, Leaf} from '../contract/filter.ts';
import {parseFilters} from '../contract/filter-parse.ts';
import type {Scalar} from '../contract/filter-test.ts';
import {InvalidRequest} from '../contract/wire-error.ts';
import {PulsetopError} from '../errors.ts';
import {type FieldWord, fieldWordOf, findWord, securityWordOf} from './field-words.ts';
import {type ChainName, chainWord, resolveChain} from './filter-chains.ts';
import {isReserved, isWording, printFigure} from './filter-operand.ts';

/** A filter or view option that the filter line has no words for. */
export class FilterNotExpressible extends PulsetopError {
	readonly code = 'filter-not-expressible';
}

/** No token fits it. */
const NEVER = '(has:address -has:address)';
/** Every token fits it. */
const ALWAYS = '(has:address | -has:address)';

/**
 * The line that means these filters and view options: `parseFilterLine` of it keeps the same tokens.
 * @param filters an object, JSON text or compact text, as the API takes them
 * @throws FilterNotExpressible for a view option that no line can give, or filters that the API would refuse
 */
export function formatFilterLine(
	filters: unknown,
	viewOptions: Readonly<Record<string, unknown>> = {},
	chains: readonly ChainName[] = [],
): string {
	const options = Object.entries(viewOptions).flatMap(([name, value]) => formatOption(name, value, chains));
	const filter = readFilter(filters);
	const {text, isOr} = new Formatter(chains).node(filter, false);
	return [...options, options.length > 0 && isOr ? `(${text})` : text].filter(part => part !== '').join(' ');
}

function readFilter(filters: unknown): Filter {
	try {
		return parseFilters(filters, {mode: 'asset'});
	} catch (error) {
		if (!(error instanceof InvalidRequest)) throw error;
		throw new FilterNotExpressible('These filters cannot be shown as a line', {
			why: error.message,
			next: 'fix-input',
			cause: error,
		});
	}
}

function formatOption(name: string, value: unknown, chains: readonly ChainName[]): string[] {
	if (value === undefined) return [];
	const values = (Array.isArray(value) ? value : [value]).map(String);
	if (name === 'chainId') return values.length === 0 ? [] : [`chain:${values.map(id => chain(id, chains)).join(',')}`];
	if (name === 'poolTypes') return values.length === 0 ? [] : [`type:${values.map(quote).join(',')}`];
	if (name === 'min_socials' && ['1', '2', '3'].includes(String(value))) return [`socials>=${value}`];
	throw new FilterNotExpressible('This view cannot be shown as a filter line', {
		why: `the view option ${name} has no word in it`,
		next: 'fix-input',
	});
}

function chain(id: string, chains: readonly ChainName[]): string {
	const isTakenAsIs = /^[^\s()|,"]+$/.test(id) && !isReserved(id) && resolveChain(id, chains).id === id;
	return chainWord(id, chains) ?? (isTakenAsIs ? id : inQuotes(id));
}

function inQuotes(text: string): string {
	return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function quote(text: string): string {
	const isBare = /^[\p{L}\p{N}_][^\s()|,"]*$/u.test(text) && !isReserved(text);
	return isBare ? text : inQuotes(text);
}

/** A part of a line, and whether it is alternatives side by side. */
interface Written {
	readonly text: string;
	readonly isOr: boolean;
}

/** Writes a filter tree. `not` is pushed down to the clauses, where `-field?` says the same: false or unknown. */
class Formatter {
	readonly #chains: readonly ChainName[];

	constructor(chains: readonly ChainName[]) {
		this.#chains = chains;
	}

	node(filter: Filter, negated: boolean): Written {
		switch (filter.kind) {
			case 'not':
				return this.node(filter.of, !negated);
			case 'and':
			case 'or':
				return this.#group(filter.of, (filter.kind === 'and') !== negated, negated);
			default:
				return {text: this.#leaf(filter, negated), isOr: false};
		}
	}

	#group(of: readonly Filter[], isAll: boolean, negated: boolean): Written {
		if (of.length === 0) return {text: isAll ? (negated ? ALWAYS : '') : NEVER, isOr: false};
		const lenient = isAll || negated ? undefined : this.#orUnknown(of);
		if (lenient !== undefined) return {text: lenient, isOr: false};
		const texts: string[] = [];
		for (let i = 0; i < of.length; i++) {
			const range = isAll && !negated ? this.#range(of[i]!, of[i + 1]) : undefined;
			if (range !== undefined) {
				texts.push(range);
				i++;
			} else {
				const {text, isOr} = this.node(of[i]!, negated);
				// `and` binds tighter than `or`, so only an `or` inside an `and` needs parentheses.
				texts.push(isAll && isOr && of.length > 1 ? `(${text})` : text || ALWAYS);
			}
		}
		return {text: texts.join(isAll ? ' ' : ' | '), isOr: !isAll && texts.length > 1};
	}

	/** Two neighbours `gte` and `lte` of one field are a range. */
	#range(a: Filter, b: Filter | undefined): string | undefined {
		if (!b || (a.kind !== 'compare' && a.kind !== 'age' && a.kind !== 'security') || a.kind !== b.kind)
			return undefined;
		if (a.op !== 'gte' || b.op !== 'lte' || a.value > b.value) return undefined;
		const word = wordOfLeaf(a);
		if (wordOfLeaf(b) !== word) return undefined;
		return `${word.word}:${printFigure(word, a.value).replace('%', '')}..${printFigure(word, b.value)}`;
	}

	/** A comparison or the same field unknown: `dev?<5%`. */
	#orUnknown([a, b, ...others]: readonly Filter[]): string | undefined {
		if (!a || !b || others.length > 0 || !isComparison(a) || !isComparison(b)) return undefined;
		if (a.value === null || b.op !== 'equals' || b.value !== null || wordOfLeaf(a) !== wordOfLeaf(b)) return undefined;
		const {word} = wordOfLeaf(a);
		const text = this.#leaf(a, false);
		return text.startsWith(word) ? `${word}?${text.slice(word.length)}` : undefined;
	}

	#leaf(leaf: Leaf, negated: boolean): string {
		if (leaf.kind === 'keywords') {
			return `${(leaf.mode === 'exclude') !== negated ? '-' : ''}kw:${leaf.words.map(quote).join(',')}`;
		}
		const word = wordOfLeaf(leaf);
		const {op, value} = leaf;
		if (value === null) return `${(op === 'not') !== negated ? '' : '-'}has:${hasWord(word)}`;
		if (Array.isArray(value) && value.length === 0) {
			if (op === 'in') return negated ? ALWAYS : NEVER;
			return `${negated ? '-' : ''}has:${hasWord(word)}`;
		}
		const [before, behind] = negated ? ['-', '?'] : ['', ''];
		if (word.kind === 'boolean' && op === 'equals' && value === true) return `${before}${word.word}${behind}`;
		if (word.kind === 'boolean' && (op === 'equals' || op === 'not') && !negated) {
			return (op === 'equals') === value ? word.word : `-${word.word}`;
		}
		if (word.word === 'livestatus' && op === 'equals' && value === 'live') return `${before}live`;
		if (word.kind === 'date' && Array.isArray(value)) {
			// A date takes no list: one clause for each.
			const compare = `${before}${word.word}${behind}${op === 'notIn' ? '!=' : '='}`;
			const each = value.map(ms => `${compare}${printFigure(word, Number(ms))}`);
			return `(${each.join((op === 'in') !== negated ? ' | ' : ' ')})`;
		}
		const typed = operator(word, leaf);
		const list = Array.isArray(value) ? value : [value as Scalar];
		return `${before}${word.word}${behind}${typed}${list.map(v => this.#value(word, v, typed)).join(',')}`;
	}

	#value(word: FieldWord, value: Scalar, typed: string): string {
		if (typeof value === 'number') return printFigure(word, value);
		if (typeof value === 'boolean') return String(value);
		if (word.kind === 'figure') return inQuotes(value);
		// Names of chains are understood behind : and != only.
		return word.kind === 'chain' && (typed === ':' || typed === '!=') ? chain(value, this.#chains) : quote(value);
	}
}

function isComparison(filter: Filter): filter is Exclude<Leaf, {kind: 'keywords'}> {
	return filter.kind === 'compare' || filter.kind === 'age' || filter.kind === 'security';
}

function wordOfLeaf(leaf: Exclude<Leaf, {kind: 'keywords'}>): FieldWord {
	if (leaf.kind === 'age') return findWord('age').word!;
	return leaf.kind === 'security' ? securityWordOf(leaf.flag.name) : fieldWordOf(leaf.field.name);
}

/** `has` takes fields; the age is known when the date of creation is. */
function hasWord(word: FieldWord): string {
	return word.kind === 'age' ? 'created' : word.word;
}

const ORDER: Readonly<Record<string, string>> = {gt: '>', gte: '>=', lt: '<', lte: '<='};
const TEXTUAL: Readonly<Record<string, string>> = {contains: '~', startsWith: '^=', endsWith: '$='};

function operator(word: FieldWord, {op, fold}: Exclude<Leaf, {kind: 'keywords'}>): string {
	if (ORDER[op]) return ORDER[op];
	const isInsensitive = fold === 'lower';
	const textual = TEXTUAL[op];
	if (textual) return isInsensitive ? textual : textual.replace(/.$/, '$&$&');
	const isNegative = op === 'not' || op === 'notIn';
	const isText = word.kind === 'text' || word.kind === 'chain' || word.kind === 'figure';
	const usual = isWording(word);
	const exactness = !isText || isInsensitive === usual ? '' : isInsensitive ? '~' : '=';
	if (isNegative) return `!=${exactness}`;
	return exactness === '' && (isText || word.kind === 'poolType' || op === 'in' || word.kind === 'boolean')
		? ':'
		: `=${exactness}`;
}
