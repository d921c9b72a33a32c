import type {FieldName} from '../../../contract/fields.ts';
import {findWord, wordOf} from '../../../monitor/filter/field-words.ts';
import {focused} from '../../../monitor/select.ts';
import {MAX_COMPLETIONS, type TextCommand} from '../../feature.ts';
import {fuzzyFilter} from '../../fuzzy.ts';
import {orderLabel, sortChoices} from './sort-choices.ts';

/** The argument `FIELD [asc|desc]` of a typed command. */
export const SORT_ARGUMENT: Pick<TextCommand<unknown>, 'problem' | 'completions'> = {
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
					note: orderLabel(field, order),
				}));
		return fuzzyFilter(sortChoices(focused(state).window), word, c => `${c.word} ${c.label} ${c.field}`)
			.slice(0, MAX_COMPLETIONS)
			.map(choice => ({argument: choice.word, note: choice.label}));
	},
};

function sortField(word: string): FieldName | undefined {
	return findWord(word).word?.sortBy;
}

/** Reads `FIELD [asc|desc]`; the order is `desc` by default. @returns field and order, or the problem as text */
export function readSort(
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
