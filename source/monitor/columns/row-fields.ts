import type {FieldName} from '../../contract/fields.ts';
import {nearest} from '../../nearest.ts';
import {FIELD_WORDS, type FieldWord, findWord} from '../filter/field-words.ts';

/*
 * The fields that the rows of a column can show: cells of the program, and any figure or date of the filter language by its word
 * (`buyers5m`, `top10`). The same names are used in the configuration, in `:fields` and in saved views.
 */

/** The cells after mark and symbol. Figures of a time window use the column's window. */
export const ROW_CELLS = {
	name: 'Name',
	since: 'Time since bonding',
	age: 'Age of the token',
	mcap: 'Market cap, with a mark for its last move',
	change: 'Price change over the column’s time window',
	volume: 'Volume in the window',
	liquidity: 'Liquidity',
	holders: 'Holders',
	trades: 'Buys and sells in the window',
	bar: 'Progress on the bonding curve, as a bar',
	risk: 'The worst risk, with its figure',
	risks: 'Risks, a figure each',
	authority: 'Who can mint or freeze: M F',
	chain: 'Chain, at another place than beside the symbol',
	source: 'Launchpad',
	socials: 'Twitter, website, Telegram',
	fees: 'Fees paid since launch',
	trail: 'Price of the last ten minutes, as a line',
} as const;
export type RowCell = keyof typeof ROW_CELLS;

/** The default fields, chosen by the width of the column. */
export const DEFAULT_FIELDS: readonly string[] = Object.freeze([]);
/** How the default fields are written. */
const DEFAULT_WORD = 'usual';

const FIGURES: ReadonlySet<FieldWord['kind']> = new Set(['number', 'integer', 'usd', 'percent', 'date', 'boolean']);

/** Every name that can be used: cells first, then the words of figures. */
export const ROW_FIELD_NAMES: readonly string[] = [
	...new Set([...Object.keys(ROW_CELLS), ...FIELD_WORDS.filter(isFigure).map(({word}) => word)]),
];

function isFigure({kind, target}: FieldWord): boolean {
	return FIGURES.has(kind) && target.kind === 'field';
}

/** Whether a name is that of a cell, not of a figure. */
export function isRowCell(name: string): name is RowCell {
	return Object.hasOwn(ROW_CELLS, name);
}

/** The word and the field of a figure; undefined for a cell. */
export function rowFigure(name: string): (FieldWord & {readonly field: FieldName}) | undefined {
	if (isRowCell(name)) return undefined;
	const {word} = findWord(name);
	return word?.target.kind === 'field' ? {...word, field: word.target.field} : undefined;
}

export type ReadRowFields =
	| {readonly ok: true; readonly fields: readonly string[]}
	| {readonly ok: false; readonly item: string; readonly problem: string};

/** Reads names of fields, in any spelling of the filter language, each once. An empty list and `usual` give the default fields. */
export function readRowFields(names: readonly string[]): ReadRowFields {
	if (names.length === 1 && names[0] === DEFAULT_WORD) return {ok: true, fields: DEFAULT_FIELDS};
	const fields = new Set<string>();
	for (const item of names) {
		const name = canonical(item);
		if (name === undefined) return {ok: false, item, problem: whyNot(item)};
		if (fields.has(name)) return {ok: false, item, problem: `${name} is there twice`};
		fields.add(name);
	}
	return {ok: true, fields: [...fields]};
}

/** `mcap,age buyers5m` as a list. */
export function splitRowFields(text: string): readonly string[] {
	return text.split(/[\s,]+/).filter(name => name !== '');
}

/** The fields as one text, which `splitRowFields` and `readRowFields` read: `mcap,age`. */
export function rowFieldsText(fields: readonly string[]): string {
	return fields.length === 0 ? DEFAULT_WORD : fields.join(',');
}

function canonical(name: string): string | undefined {
	const lower = name.trim().toLowerCase();
	if (isRowCell(lower)) return lower;
	const {word} = findWord(lower);
	return word && isFigure(word) ? word.word : undefined;
}

function whyNot(name: string): string {
	if (['symbol', 'sym', 'mark'].includes(name.toLowerCase())) return `every row begins with it: leave ${name} out`;
	const {word, suggestion} = {suggestion: undefined, ...findWord(name)};
	if (word) return `${word.label} is no figure`;
	const near = nearest(name, ROW_FIELD_NAMES) ?? suggestion;
	return near === undefined
		? `${name} is no field; write names such as mcap, age, volume, buyers5m`
		: `${name} is no field; the nearest is ${near}`;
}
