import {findField} from '../../contract/fields.ts';
import type {ClauseResult} from '../../contract/filter.ts';
import {wordOf} from './field-words.ts';
import {printAge, printDate, printNumber} from './values.ts';

/** The sign between value and limit when a comparison fails. */
const OPPOSITE: Readonly<Record<string, string>> = {gt: '≤', gte: '<', lt: '≥', lte: '>', equals: '≠', not: '='};

/** Why a token fails a clause: `mcap 4.9k < 5k`, `twitter is not known`. */
export function describeFailure(result: ClauseResult): string {
	const {name, op, expected, actual, negated} = result;
	const sign = OPPOSITE[op];
	if (sign === undefined || negated || typeof expected !== 'number' || typeof actual !== 'number')
		return actual === null ? `${clauseWord(name)} is not known` : `${clauseWord(name)} is ${actualText(result)}`;
	return `${clauseWord(name)} ${actualText(result)} ${sign} ${printed(name, expected)}`;
}

/** The value of a token for a clause: `mcap 6330`, `twitter not known`. */
export function describeActual(result: ClauseResult): string {
	const {name, kind, actual} = result;
	if (kind === 'keywords') return actual === null ? 'none of the words is in it' : `“${actual}”`;
	return `${clauseWord(name)} ${actual === null ? 'not known' : actualText(result)}`;
}

/** The value; a figure is rounded to three digits unless it would then equal the limit. */
function actualText({name, expected, actual}: ClauseResult): string {
	if (typeof actual === 'boolean') return actual ? 'yes' : 'no';
	if (typeof actual !== 'number') return String(actual);
	if (findField(name)?.kind === 'date') return printed(name, actual);
	const short =
		name === 'created_at_offset' ? printAge(inLargestUnit(actual)) : printed(name, Number(actual.toPrecision(3)));
	return typeof expected === 'number' && short === printed(name, expected) ? printed(name, actual) : short;
}

/** An age rounded to its largest unit: 12m, not 754s. */
function inLargestUnit(seconds: number): number {
	const unit = [86_400, 3600, 60].find(length => seconds >= 2 * length) ?? 1;
	return Math.floor(seconds / unit) * unit;
}

function clauseWord(name: string): string {
	if (name === 'created_at_offset') return 'age';
	if (name.endsWith('Keywords')) return 'kw';
	const field = findField(name);
	return field ? wordOf(field.name) : name.replace(/^security\./, '');
}

function printed(name: string, value: number): string {
	if (name === 'created_at_offset') return printAge(Math.round(value));
	const kind = findField(name)?.kind ?? 'number';
	if (kind === 'date') return printDate(Math.round(value / 1000) * 1000);
	return printNumber(value, kind === 'text' || kind === 'boolean' ? 'number' : kind);
}
