import {parseFilters} from '../../contract/filter-parse.ts';
import {InvalidRequest} from '../../contract/wire-error.ts';
import type {ChainName} from './chain-words.ts';
import type {FilterClause, FilterError, FilterNode, FilterToken, Span} from './clause.ts';
import {compileLine, compileNode, conjunctsOf, type FilterJson, type ViewOptions} from './compile.ts';
import {parseLine} from './parser.ts';

/*
 * The filter line: `mcap>50k holders>=100 age<10m dev<5% bonding:80..99 chain:solana type:pumpfun -kw:elon`
 *
 *   clauses     side by side all must hold; `|` or `or` joins alternatives; ( ) groups; `-`, `!` or `not` negates
 *   operators   > >= < <= = != ; `:` is `=`; `a..b` a range with both ends; `a,b,c` one of them
 *               text: `~` contains, `^=` begins with, `$=` ends with; doubled (`==`, `~~`) they match letter case
 *   values      50k 1.5m 2b, 5%, ages 30s 10m 2h 1d, dates 2026-01-31 or 2026-01-31T18:30Z (UTC), "quoted text"
 *   special     bonded -live (yes or no), kw:word, has:twitter, socials>=2, mcap=unknown
 *   windows     vol5m, vol:5m>10k; without one an hour
 *   unknown     a figure that was not reported fails every comparison, a negated one too; `dev?<5%` lets it pass
 */

/** A part of the line that a token must match, with its own filter, for `:why` and for counting. */
export interface FilterPart extends Span {
	readonly text: string;
	/** View options included. */
	readonly filter: FilterJson;
}

interface Reading {
	/** The API's filters (contract gaps 3.4), `{}` for none. */
	readonly filters: FilterJson;
	/** The parts of the line that a view takes beside the filters. */
	readonly viewOptions: ViewOptions;
	readonly clauses: readonly FilterClause[];
	readonly parts: readonly FilterPart[];
}

/** A compiled line; with errors, its clauses without mistakes. */
export type FilterLine =
	| ({readonly ok: true} & Reading)
	| ({readonly ok: false; readonly errors: readonly FilterError[]} & Reading);

export interface FilterLineOptions {
	/** Chains that the service knows, from system metadata; common names are built in. */
	readonly chains?: readonly ChainName[];
}

/** Compiles a filter line. Never throws; every error has its place and the words to write. */
export function parseFilterLine(text: string, {chains = []}: FilterLineOptions = {}): FilterLine {
	const {root, errors} = parseLine(text, chains);
	const {filters, viewOptions} = compileLine(root);
	const reading = {filters, viewOptions, clauses: clausesOf(root), parts: partsOf(root, text)};
	const problems = [...errors, ...refusals(filters, text)];
	return problems.length === 0 ? {ok: true, ...reading} : {ok: false, errors: inOrder(problems), ...reading};
}

/** The limits of the API that a line can pass: too many clauses or values, too deep. */
function refusals(filters: FilterJson, text: string): FilterError[] {
	try {
		parseFilters(filters, {mode: 'asset'});
		return [];
	} catch (error) {
		if (!(error instanceof InvalidRequest)) throw error;
		return [{start: 0, end: text.length, message: `the filter is too large: ${error.why}`}];
	}
}

function inOrder(errors: readonly FilterError[]): readonly FilterError[] {
	return errors.toSorted((a, b) => a.start - b.start);
}

function clausesOf(node: FilterNode): readonly FilterClause[] {
	return node.kind === 'clause' ? [node.clause] : node.of.flatMap(clausesOf);
}

function partsOf(root: FilterNode, text: string): readonly FilterPart[] {
	return conjunctsOf(root).map(node => {
		const {start, end} = node.kind === 'clause' ? node.clause : node.span;
		return {start, end, text: text.slice(start, end), filter: compileNode(node)};
	});
}

/** The pieces of a line for colouring while it is typed, in order, without overlap; the gaps between are spaces. */
export function filterTokens(text: string, {chains = []}: FilterLineOptions = {}): readonly FilterToken[] {
	const {tokens, errors} = parseLine(text, chains);
	const isBad = ({start, end}: Span) => errors.some(error => start < error.end && end > error.start);
	const known = tokens.map(token => (isBad(token) ? {...token, kind: 'error' as const} : token));
	const uncovered = errors.filter(({start, end}) => start < end && !known.some(t => t.start < end && t.end > start));
	return [...known, ...uncovered.map(({start, end}) => ({start, end, kind: 'error' as const}))].toSorted(
		(a, b) => a.start - b.start,
	);
}
