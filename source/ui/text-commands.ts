import type {Entry} from '../contract/entry.ts';
import type {FieldName} from '../contract/fields.ts';
import {WINDOWS_8} from '../contract/windows.ts';
import type {Actions} from '../monitor/actions.ts';
import {readAlertRule} from '../monitor/alerts/alert-rules.ts';
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
import {completeFilterLine} from '../monitor/filter/complete.ts';
import {findWindow, findWord, windowWord, wordOf} from '../monitor/filter/field-words.ts';
import {parseFilterLine} from '../monitor/filter/filter-line.ts';
import {savedViewSummary, slotOf} from '../monitor/saved-views/saved-view.ts';
import {focused} from '../monitor/select.ts';
import {type MonitorState, VIEWS} from '../monitor/state.ts';
import {entriesOnScreen, readTypedToken} from '../monitor/tokens/token-lookup.ts';
import {nearest} from '../nearest.ts';
import {fitTo, middleEllipsis} from '../text.ts';
import type {ComfortActions} from './comfort-actions.ts';
import {compact} from './format.ts';
import {fuzzyFilter} from './fuzzy.ts';
import {orderWords, sortChoices} from './sort-choices.ts';
import {THEME_NAMES, THEMES} from './theme.ts';

/** One way in which a command's line can go on. */
export interface Completion {
	/** What stands after the command's word then. */
	readonly argument: string;
	/** What is shown; the whole line if not given. */
	readonly label?: string;
	readonly note: string;
}

/** A command that is typed with arguments in the palette: `sort mcap desc`. */
export interface TextCommand {
	readonly word: string;
	readonly usage: string;
	readonly help: string;
	/** What is wrong with the arguments; undefined when the command can be run with them. */
	readonly problem: (argument: string, state: MonitorState) => string | undefined;
	readonly completions: (argument: string, state: MonitorState) => readonly Completion[];
	readonly run: (argument: string, verbs: Actions & ComfortActions) => void;
}

/** How many ways to go on are shown. */
const MOST = 30;

export const TEXT_COMMANDS: readonly TextCommand[] = [
	{
		word: 'why',
		usage: 'why ADDRESS [CHAIN]',
		help: 'Say which clause of which column keeps a token out.',
		problem: tokenProblem,
		completions: tokenCompletions,
		run: (argument, verbs) => verbs.explainToken(argument),
	},
	{
		word: 'go',
		usage: 'go ADDRESS [CHAIN]',
		help: 'Open everything about any token.',
		problem: tokenProblem,
		completions: tokenCompletions,
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
		problem: argument => oneOf(argument, VIEWS),
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
				? oneOf(
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
	{
		word: 'alert',
		usage: 'alert [@new|@bonding|@bonded|@trending] FILTER',
		help: 'Ring when a token comes to match.',
		problem: argument => {
			const read = readAlertRule(argument);
			return read.ok ? undefined : read.problem;
		},
		completions: argument => {
			const line = /^(?:@\w*\s+)?(.*)$/.exec(argument)?.[1] ?? '';
			const before = argument.slice(0, argument.length - line.length);
			if (argument.startsWith('@') && before === '')
				return VIEWS.filter(view => `@${view}`.startsWith(argument)).map(view => ({argument: `@${view} `, note: ''}));
			return filterCompletions(line).map(({argument: rest, note}) => ({argument: before + rest, note}));
		},
		run: (argument, verbs) => verbs.addRule(argument),
	},
	{
		word: 'theme',
		usage: 'theme NAME',
		help: 'Choose the colours.',
		problem: argument => oneOf(argument, THEME_NAMES),
		completions: (argument, state) =>
			THEME_NAMES.filter(name => name.startsWith(argument.trim())).map(name => ({
				argument: name,
				note: `${THEMES[name].label}${name === state.theme ? ', now' : ''}`,
			})),
		run: (argument, verbs) => verbs.setTheme(argument.trim()),
	},
];

/** The command and its arguments, once the word of a command and a blank stand at the start of what was typed. */
export function readCommand(typed: string): {readonly command: TextCommand; readonly argument: string} | undefined {
	const [, word, argument = ''] = /^\s*(\w+)\s(.*)$/.exec(typed) ?? [];
	const command = TEXT_COMMANDS.find(candidate => candidate.word === word);
	return command && {command, argument: argument.trimStart()};
}

function filterCompletions(line: string): readonly Completion[] {
	return completeFilterLine(line, line.length, {limit: MOST}).map(({start, end, text, help}) => ({
		argument: line.slice(0, start) + text + line.slice(end),
		note: help,
	}));
}

function oneOf(argument: string, names: readonly string[]): string | undefined {
	const name = argument.trim();
	if (names.includes(name)) return undefined;
	if (names.length === 0) return 'none yet';
	const near = nearest(name, names);
	return near === undefined ? `write one of ${names.join(', ')}` : `there is no ${name}; the nearest is ${near}`;
}

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

function tokenProblem(argument: string): string | undefined {
	const read = readTypedToken(argument);
	return read.ok ? undefined : read.problem;
}

/** Tokens on screen whose symbol, name or address contains what was typed. */
function tokenCompletions(argument: string, state: MonitorState): readonly Completion[] {
	const needle = argument.trim().toLowerCase();
	const answers = ({symbol, name, address}: Entry): boolean =>
		[symbol, name, address].some(text => text?.toLowerCase().includes(needle));
	const found = new Map(entriesOnScreen(state).map(entry => [entry.key, entry]));
	return [...found.values()]
		.filter(answers)
		.slice(0, MOST)
		.map(({symbol = '', name = '', address, chain_id, market_cap}) => ({
			argument: address.startsWith('0x') ? `${address} ${chain_id}` : address,
			label: `${fitTo(symbol, 12)} ${fitTo(name, 18)} ${middleEllipsis(address, 13)}`,
			note: compact(market_cap),
		}));
}
