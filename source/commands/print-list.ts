import type {Flags} from './line/flags.ts';
import {formatOf, jsonText, print} from './output.ts';
import {csvText} from './table.ts';

/** A list as each format needs it. */
export interface PrintedList<Item extends object> {
	/** As they stand in the document; `jsonl` prints each on a line. */
	readonly items: readonly Item[];
	/** For eyes: the table, or the sentence that there is nothing. */
	readonly table: () => string;
	/** What `json` prints: the schema's name, the items and what belongs to all of them. */
	readonly document: object;
	/** The values of `csv` by the names of their columns. */
	readonly csv: Readonly<Record<string, (item: Item) => unknown>>;
}

/** Prints a list in the format that the flags ask for. */
export async function printList<Item extends object>(
	flags: Flags,
	{items, table, document, csv}: PrintedList<Item>,
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
					items.map(item => read.map(value => value(item))),
				),
			);
		}
	}
}
