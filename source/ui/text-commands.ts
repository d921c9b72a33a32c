import type {FieldName} from '../contract/fields.ts';
import {WINDOWS_8} from '../contract/windows.ts';
import {
	isRowCell,
	ROW_CELLS,
	ROW_FIELD_NAMES,
	readRowFields,
	rowFieldsText,
	rowFigure,
	splitRowFields,
} from '../monitor/columns/row-fields.ts';
import {columnFilterOf} from '../monitor/filter/column-filter.ts';
import {findWindow, findWord, windowWord, wordOf} from '../monitor/filter/field-words.ts';
import {parseFilterLine} from '../monitor/filter/filter-line.ts';
import {savedViewSummary, slotOf} from '../monitor/saved-views/saved-view.ts';
import {focused} from '../monitor/select.ts';
import {VIEWS} from '../monitor/state.ts';
import {nameProblem} from './argument-problem.ts';
import type {TextCommand} from './feature.ts';
import {filterCompletions} from './features/filter/filter-argument.ts';
import type {Verbs} from './features/rest.ts';
import {TOKEN_ARGUMENT} from './features/token/token-argument.ts';
import {fuzzyFilter} from './fuzzy.ts';
import {orderWords, sortChoices} from './sort-choices.ts';

/** How many ways to go on are shown. */
const MOST = 30;

export const TEXT_COMMANDS: readonly TextCommand<Verbs>[] = [
	{
		word: 'go',
		usage: 'go ADDRESS [CHAIN]',
		help: 'Open everything about any token.',
		...TOKEN_ARGUMENT,
		run: (argument, verbs) => verbs.goToToken(argument),
	},
	{
		word: 'sort',
		usage: 'sort FIELD [asc|desc]',
		help: 'Sort the column.',
		problem: argument => {
			const read = readSort(argument);
			return 'problem' in read ? read.problem : undefined;
		},
		completions: (argument, state) => {
			const [word = '', ...rest] = argument.split(' ');
			const field = sortField(word);
			if (field !== undefined && (rest.length > 0 || word === wordOf(field)))
				return (['desc', 'asc'] as const)
					.filter(order => order.startsWith(rest[0] ?? ''))
					.map(order => ({
						argument: `${word} ${order}`,
						note: orderWords(field, order),
					}));
			return fuzzyFilter(sortChoices(focused(state).window), word, c => `${c.word} ${c.label} ${c.field}`)
				.slice(0, MOST)
				.map(choice => ({argument: choice.word, note: choice.label}));
		},
		run: (argument, verbs) => {
			const read = readSort(argument);
			if (!('problem' in read)) verbs.sortExactly(read.field, read.order);
		},
	},
	{
		word: 'filter',
		usage: 'filter LINE',
		help: 'Filter the column; without a line, remove its filter.',
		problem: argument => {
			const parsed = parseFilterLine(argument.trim());
			const error = parsed.ok ? undefined : parsed.errors[0]!;
			if (error === undefined) return undefined;
			const place = argument.trim().slice(error.start, error.end);
			const hint = error.suggestion === undefined ? '' : ` (${error.suggestion}?)`;
			return `${place === '' || error.message.includes(place) ? '' : `${place}: `}${error.message}${hint}`;
		},
		completions: filterCompletions,
		run: (argument, verbs) => {
			const filter = columnFilterOf(argument);
			if (filter) verbs.setFilter(filter);
		},
	},
	{
		word: 'window',
		usage: 'window 1m|5m|15m|1h|4h|6h|12h|24h',
		help: 'Time window of volume, buys, sells and change.',
		problem: argument => (findWindow(argument.trim()) ? undefined : 'write 1m, 5m, 15m, 1h, 4h, 6h, 12h or 24h'),
		completions: (argument, state) =>
			WINDOWS_8.map(windowWord)
				.filter(word => word.startsWith(argument.trim()))
				.map(word => ({argument: word, note: findWindow(word) === focused(state).window ? 'now' : ''})),
		run: (argument, verbs) => {
			const window = findWindow(argument.trim());
			if (window) verbs.setWindow(window);
		},
	},
	{
		word: 'fields',
		usage: 'fields usual|mcap,age,buyers5m,...',
		help: 'What the rows of the column show, in this order.',
		problem: argument => {
			const names = splitRowFields(argument);
			const read = readRowFields(names);
			return read.ok
				? names.length === 0
					? 'write usual, or names such as mcap,age,volume'
					: undefined
				: read.problem;
		},
		completions: (argument, state) => {
			const names = [...splitRowFields(argument)];
			const typed = /[\s,]$/.test(argument) ? '' : (names.pop() ?? '');
			const rest = names.map(name => `${name},`).join('');
			const ways = [...(names.length === 0 ? [rowFieldsText(focused(state).fields)] : []), ...ROW_FIELD_NAMES];
			return [...new Set(ways)]
				.filter(name => name.startsWith(typed.toLowerCase()) && !names.includes(name))
				.slice(0, MOST)
				.map(name => ({
					argument: rest + name,
					note: isRowCell(name) ? ROW_CELLS[name] : (rowFigure(name)?.help ?? ''),
				}));
		},
		run: (argument, verbs) => {
			const read = readRowFields(splitRowFields(argument));
			if (read.ok) verbs.setFields(read.fields);
		},
	},
	{
		word: 'column',
		usage: 'column new|bonding|bonded|trending',
		help: 'Focus a column; one that is not shown is shown again.',
		problem: argument => nameProblem(argument, VIEWS),
		completions: argument =>
			VIEWS.filter(view => view.startsWith(argument.trim())).map(view => ({argument: view, note: ''})),
		run: (argument, verbs) => verbs.focusView(VIEWS.find(view => view === argument.trim())!),
	},
	{
		word: 'view',
		usage: 'view NUMBER|NAME',
		help: 'Load a saved view.',
		problem: (argument, {savedViews}) =>
			slotOf(argument, savedViews) === undefined
				? nameProblem(
						argument,
						[...savedViews.values()].map(({name}) => name),
					)
				: undefined,
		completions: (argument, {savedViews}) =>
			fuzzyFilter([...savedViews], argument, ([slot, {name}]) => `${slot} ${name}`).map(([slot, savedView]) => ({
				argument: savedView.name,
				note: `${slot}: ${savedViewSummary(savedView)}`,
			})),
		run: (argument, verbs) => verbs.loadNamed(argument),
	},
];

function sortField(word: string): FieldName | undefined {
	return findWord(word).word?.sortBy;
}

function readSort(
	argument: string,
):
	| {readonly field: NonNullable<ReturnType<typeof sortField>>; readonly order: 'asc' | 'desc'}
	| {readonly problem: string} {
	const [word = '', order = 'desc', ...more] = argument.trim().split(/\s+/);
	const field = sortField(word);
	if (field === undefined) {
		const {suggestion, word: known} = {suggestion: undefined, ...findWord(word)};
		if (known) return {problem: `a column can't be sorted by ${known.label}`};
		return {problem: `${word} is no field${suggestion === undefined ? '' : `; the nearest is ${suggestion}`}`};
	}
	if ((order !== 'asc' && order !== 'desc') || more.length > 0) return {problem: 'after the field comes asc or desc'};
	return {field, order};
}
