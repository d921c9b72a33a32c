import {isDeepStrictEqual} from 'node:util';
import {parseWebhookFilters} from '../../contract/webhook-filter.ts';
import {PulsetopError} from '../../errors.ts';

/** A tree of filters as the API has it (contract gaps 8). */
export type FilterTree = Readonly<Record<string, unknown>>;

/** A line that is no filter, with the place in it: UTF-16 units from `start` to before `end`. */
export class FilterLineProblem extends PulsetopError {
	readonly code = 'filter-line';
	readonly start: number;
	readonly end: number;

	constructor(why: string, {start, end}: Place) {
		super('The filter is not understood', {why, next: 'fix-input'});
		this.start = start;
		this.end = end;
	}
}

interface Place {
	readonly start: number;
	readonly end: number;
}

const OPERATORS = {'>=': 'gte', '<=': 'lte', '!=': 'neq', '>': 'gt', '<': 'lt', '=': 'eq', ':': 'eq'} as const;
const SYMBOLS: Readonly<Record<string, string>> = {gte: '>=', lte: '<=', neq: '!=', gt: '>', lt: '<', eq: ':', in: ':'};
const CLAUSE = /^([A-Za-z_][\w.]*)(>=|<=|!=|>|<|=|:)(.+)$/;
const EXPONENTS: Readonly<Record<string, number>> = {k: 3, m: 6, b: 9};

/**
 * The filter tree of a line: `amountUSD>=10k poolType:pumpfun,pumpswap | swapType=buy`. Fields are those of the delivered
 * event. Neighbours are joined by and, `|` is or; `a,b` is a list. A filter that no line can express is written as
 * the API has it, as JSON.
 * @returns undefined for an empty line: every event passes
 * @throws FilterLineProblem with the place
 */
export function readFilterLine(line: string): FilterTree | undefined {
	if (line.trim() === '') return undefined;
	if (line.trimStart().startsWith('{')) return readJson(line);
	let start = 0;
	const trees = line.split('|').map(group => {
		const from = start;
		start += group.length + 1;
		if (group.trim() === '')
			throw new FilterLineProblem(
				'something has to stand on both sides of |',
				placeOf(line, from, from + group.length),
			);
		const clauses = [...group.matchAll(/\S+/g)].map(({0: word, index}) => clauseOf(word, from + index));
		return clauses.length === 1 ? clauses[0]! : {and: clauses};
	});
	const tree = trees.length === 1 ? trees[0]! : {or: trees};
	assertValid(tree, {start: 0, end: line.length});
	return tree;
}

/** The line that reads as the tree: its JSON where it says more than a line can; empty for none. */
export function filterLineOf(tree: FilterTree | null): string {
	if (tree === null) return '';
	const line = groupsOf(tree)
		.map(group => group.map(clauseText).join(' '))
		.join(' | ');
	try {
		if (isDeepStrictEqual(readFilterLine(line), tree)) return line;
	} catch (error) {
		if (!(error instanceof FilterLineProblem)) throw error;
	}
	return JSON.stringify(tree);
}

function readJson(text: string): FilterTree {
	const whole = {start: 0, end: text.length};
	let tree: FilterTree;
	try {
		tree = JSON.parse(text);
	} catch (error) {
		const [, at] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
		const place = at === undefined ? whole : placeOf(text, Number(at), Number(at) + 1);
		throw new FilterLineProblem('it begins as JSON, and is not valid JSON', place);
	}
	assertValid(tree, whole);
	return tree;
}

/** By the compiler that the service has. @throws FilterLineProblem */
function assertValid(tree: FilterTree, place: Place): void {
	try {
		parseWebhookFilters(tree, 'filter');
	} catch (error) {
		if (error instanceof PulsetopError) throw new FilterLineProblem(`${error.message}: ${error.why}`, place);
		throw error;
	}
}

/** A place that has at least one cell, so that it can be shown. */
function placeOf(line: string, start: number, end: number): Place {
	const from = Math.min(start, Math.max(line.length - 1, 0));
	return {start: from, end: Math.max(Math.min(end, line.length), from + 1)};
}

function clauseOf(word: string, start: number): FilterTree {
	const place = {start, end: start + word.length};
	const [, field, operator, text] = CLAUSE.exec(word) ?? [];
	if (field === undefined || operator === undefined || text === undefined)
		throw new FilterLineProblem(
			`${word.slice(0, 30)} is no clause: write field, sign and value, such as amountUSD>=1000`,
			place,
		);
	const key = OPERATORS[operator as keyof typeof OPERATORS];
	const value = {start: place.end - text.length, end: place.end};
	const tree = leafOf(key, field, text, value);
	assertValid(tree, value);
	return tree;
}

function leafOf(key: string, field: string, text: string, place: Place): FilterTree {
	if (key === 'eq' && text.includes(',')) {
		const list = text.split(',').filter(item => item !== '');
		return {in: [field, list.map(readValue)]};
	}
	const value = readValue(text);
	if (key !== 'eq' && key !== 'neq' && typeof value !== 'number')
		throw new FilterLineProblem(`${field} needs a number here, ${text.slice(0, 20)} is not one`, place);
	return {[key]: [field, value]};
}

function readValue(text: string): string | number | boolean {
	if (text === 'true' || text === 'false') return text === 'true';
	const [, digits, unit = ''] = /^(-?\d+(?:\.\d+)?)([kmb]?)$/i.exec(text) ?? [];
	return digits === undefined ? text : Number(`${digits}e${EXPONENTS[unit.toLowerCase()] ?? 0}`);
}

/** The groups of a line, each a list of leaves; a misfit is found when the line is read back. */
function groupsOf(tree: FilterTree): readonly (readonly FilterTree[])[] {
	const {or} = tree;
	return (Array.isArray(or) ? or : [tree]).map(group => (Array.isArray(group?.and) ? group.and : [group]));
}

function clauseText(leaf: FilterTree): string {
	const [key, pair] = Object.entries(leaf ?? {})[0] ?? [];
	const [field, value] = Array.isArray(pair) ? pair : [];
	// One value in a list needs its comma, or it is no list any more.
	const text = key === 'in' && Array.isArray(value) ? (value.length === 1 ? `${value[0]},` : value.join(',')) : value;
	return `${field}${SYMBOLS[key ?? ''] ?? ''}${text}`;
}
