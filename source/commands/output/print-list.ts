import type {Flags} from '../line/flags.ts';
import {formatOf, jsonText, print} from './output.ts';
import {csvText} from './table.ts';

/** Reads the values of a line, by the names of their columns. */
export type CsvColumns<Line> = Readonly<Record<string, (line: Line) => unknown>>;

/** Columns that are members of a line, named in snake case: `sizeUSD` is in `size_usd`. */
export function membersCsv<Line>(...members: readonly (keyof Line & string)[]): CsvColumns<Line> {
	const column = (member: string) => member.replace(/[A-Z]+/g, capitals => `_${capitals.toLowerCase()}`);
	return Object.fromEntries(members.map(member => [column(member), (line: Line) => line[member]]));
}

/** A list as each format needs it. */
export interface PrintedList<Item extends object, Line = Item> {
	/** As in the document; `jsonl` prints each on a line. */
	readonly items: readonly Item[];
	/** The table as text, or a sentence that the list is empty. */
	readonly table: () => string;
	/** The document of `json`: the name of the schema, the items and the members that all share. */
	readonly document: object;
	readonly csv: CsvColumns<Line>;
	/** The lines of an item in `csv`, where it is not one line itself. */
	readonly linesOf?: (item: Item) => readonly Line[];
}

/** Prints a list in the format of the flags. */
export async function printList<Item extends object, Line = Item>(
	flags: Flags,
	{items, table, document, csv, linesOf = item => [item as unknown as Line]}: PrintedList<Item, Line>,
): Promise<void> {
	switch (formatOf(flags)) {
		case 'table':
			return print(table());
		case 'json':
			return print(jsonText(document));
		case 'jsonl':
			return print(items.map(item => `${JSON.stringify(item)}\n`).join(''));
		case 'csv': {
			const read = Object.values(csv);
			return print(
				csvText(
					Object.keys(csv),
					items.flatMap(linesOf).map(line => read.map(value => value(line))),
				),
			);
		}
	}
}
