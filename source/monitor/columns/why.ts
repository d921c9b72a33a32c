import type {Entry} from '../../contract/entry.ts';
import {readEntry} from '../../contract/entry-reader.ts';
import {type ClauseResult, explain, matches} from '../../contract/filter.ts';
import {parseFilters} from '../../contract/filter-parse.ts';
import {modelFilter} from '../../contract/pulse-models.ts';
import {compareRows} from '../../contract/sort.ts';
import {describeActual, describeFailure} from '../filter/clause-text.ts';
import {wordOf} from '../filter/field-words.ts';
import {parseFilterLine} from '../filter/filter-line.ts';
import {type Hide, hidingOf} from '../hides/hides.ts';
import {matchesSearch} from '../select.ts';
import type {MonitorState} from '../state.ts';
import type {ViewName} from '../views.ts';
import type {Column} from './column.ts';
import {chainName, scopeText} from './scope.ts';
import {BONDING_FROM_PERCENT, elsewhereIn, isWellAlong, shownKeys} from './shown-keys.ts';
import {listedViews} from './shown-views.ts';
import type {WhyClause, WhyColumn} from './why-column.ts';

type VerdictText = Pick<WhyColumn, 'verdict' | 'text' | 'hint'>;

/** Why a token is in each column or not: every clause of the view and of its filter, with the token's values. */
export function whyOf(state: MonitorState, entry: Entry, nowMs: number): readonly WhyColumn[] {
	return listedViews(state).map(view => whyInColumn(state, state.columns[view], entry, nowMs));
}

function whyInColumn(state: MonitorState, column: Column, entry: Entry, nowMs: number): WhyColumn {
	const stage = stageClauses(column.view, entry, nowMs);
	const stages = stage.length;
	const clauses = [...stage, ...scopeClauses(column, entry), ...filterClauses(column, entry, nowMs + state.skewMs)].map(
		(clause, at) => (column.isLocal && at >= stages ? {...clause, isLocal: true} : clause),
	);
	return {view: column.view, clauses, ...verdictOf(state, column, entry, clauses)};
}

/** The clauses of the view itself (spec 4.1), without the one that every token with a source passes. */
function stageClauses(view: ViewName, entry: Entry, nowMs: number): WhyClause[] {
	const filter = modelFilter(view, 'asset');
	return explain(filter, readEntry(entry), nowMs)
		.filter(({name}) => name !== 'source')
		.map(result => ({
			text: STAGE_TEXTS[result.name] ?? result.name,
			passed: result.passed,
			actual: stageActual(result),
		}))
		.map(clause => (view === 'bonded' ? {...clause, text: 'it has bonded'} : clause));
}

const STAGE_TEXTS: Readonly<Record<string, string>> = {
	bonded: 'it has not bonded yet',
	bonding_percentage: 'bonding<100%',
	volume_1h: 'vol1h>=10',
};

function stageActual(result: ClauseResult): string {
	if (result.name !== 'bonded') return describeActual(result);
	return result.actual === null ? 'not known' : result.actual === true ? 'bonded' : 'not bonded';
}

/** The clauses of the scope. A pinned token must be on one of its chains, too (spec 4.1, `includeTokens`). */
function scopeClauses({scope}: Column, entry: Entry): WhyClause[] {
	const {chains, launchpads} = scope;
	const source = entry.source?.toLowerCase();
	return [
		...(chains.length === 0
			? []
			: [
					{
						text: `all columns: ${scopeText(scope, 'chains')}`,
						passed: chains.includes(entry.chain_id),
						actual: `chain ${chainName(entry.chain_id)}`,
					},
				]),
		...(launchpads.length === 0
			? []
			: [
					{
						text: `all columns: ${scopeText(scope, 'launchpads')}`,
						passed: source !== undefined && launchpads.includes(source),
						actual: `launchpad ${source ?? 'not known'}`,
					},
				]),
	];
}

/** One clause for each part of the filter line, in its order. */
function filterClauses(column: Column, entry: Entry, nowMs: number): WhyClause[] {
	if (column.filter.text === '') return [];
	const read = readEntry(entry);
	return parseFilterLine(column.filter.text).parts.map(({text, filter: json}) => {
		const filter = parseFilters(json, {mode: 'asset'});
		const passed = matches(filter, read, nowMs);
		const results = explain(filter, read, nowMs);
		const decisive = passed ? results : results.filter(result => result.decisive);
		const actual = decisive.map(result =>
			passed || result.negated ? describeActual(result) : describeFailure(result),
		);
		return {text, passed, actual: [...new Set(actual)].join(', ')};
	});
}

function verdictOf(state: MonitorState, column: Column, entry: Entry, clauses: readonly WhyClause[]): VerdictText {
	const row = column.rows.get(entry.key);
	const isOut = clauses.some(clause => !clause.passed);
	const isPinned = column.pinned.has(entry.key);
	if (row?.departed)
		return {verdict: 'frozen', text: `left, shown only while the order is frozen: ${row.departed.reason}`};
	if (row) {
		const hide = hidingOf(row.entry, state.hidden);
		if (hide) return {verdict: 'hidden', text: hiddenText(hide), hint: '{token.hidden} lists what is hidden'};
		if (column.search !== '' && !matchesSearch(row.entry, column.search))
			return {verdict: 'hidden', text: `the quick search /${column.search} leaves it out`};
		const where = elsewhereIn(state, column.view).get(entry.key);
		if (where !== undefined) return elsewhereVerdict(state, column, row.entry, where);
		const shown = shownKeys(state, column.view);
		const at = shown.indexOf(entry.key);
		if (at < 0) return {verdict: 'frozen', text: 'waits behind the frozen order', hint: '{order.release} lets it in'};
		const place = column.page
			? `#${column.page.from + at} in the order of the column`
			: `#${at + 1} of ${shown.length}`;
		return {verdict: 'shown', text: isPinned && isOut ? `${place}, only because it is pinned` : place};
	}
	if (isOut) return {verdict: 'out', text: 'kept out'};
	if (column.page) {
		const {from} = column.page;
		return {
			verdict: 'beyond',
			text: `not among the rows shown, ${from} to ${from + column.order.length - 1}`,
			hint: '{order.release} goes back to the first ones',
		};
	}
	if (column.rows.size < column.limit)
		return {verdict: 'unlisted', text: 'nothing keeps it out; the service does not list it'};
	if (column.isUnsorted)
		return {verdict: 'unlisted', text: 'nothing keeps it out; the service does not sort, and lists other tokens'};
	const last = lastListed(column);
	const listed = `first ${column.limit} by ${wordOf(column.sortBy)}`;
	const isBehind =
		last !== undefined &&
		compareRows(
			{key: last.key, value: last[column.sortBy]},
			{key: entry.key, value: entry[column.sortBy]},
			column.sortOrder,
		) < 0;
	return isBehind
		? {verdict: 'beyond', text: `not among the ${listed}`}
		: {verdict: 'unlisted', text: `it belongs among the ${listed}; the service does not list it yet`};
}

/** The other column that shows the token, and its rule. */
function elsewhereVerdict(state: MonitorState, {view, frozen}: Column, entry: Entry, where: ViewName): VerdictText {
	const place = where.toUpperCase();
	const isOnCurve = view !== 'bonded' && where !== 'bonded';
	const isPinned = state.pins.get(entry.key)?.view === where;
	const isWaiting = frozen && !shownKeys(state, view).includes(entry.key);
	if (isWaiting && isOnCurve && !isPinned && isWellAlong(entry) === (view === 'bonding'))
		return {
			verdict: 'frozen',
			text: `waits behind the frozen order, and is in ${place} until then`,
			hint: '{order.release} lets it in',
		};
	const border = `bonding>=${BONDING_FROM_PERCENT}%`;
	const why = isPinned
		? ', where it is pinned'
		: !isOnCurve
			? ''
			: where === 'new'
				? ` until ${border}`
				: isWellAlong(entry)
					? ` from ${border} on`
					: '';
	return {verdict: 'elsewhere', text: `a token stands in one column: this one in ${place}${why}`};
}

function hiddenText({kind, label, reason}: Hide): string {
	if (kind === 'token') return `hidden ${reason}`;
	return kind === 'deployer' ? `hidden with its deployer ${label} (${reason})` : `hidden by the keyword ${label}`;
}

function lastListed(column: Column): Entry | undefined {
	const key = column.order.findLast(candidate => {
		const row = column.rows.get(candidate);
		return row !== undefined && row.departed === undefined && !column.pinned.has(candidate);
	});
	return key === undefined ? undefined : column.rows.get(key)?.entry;
}
