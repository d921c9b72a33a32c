import {KEYWORD_FIELDS} from '../../contract/filter.ts';
import type {MarketTable} from '../market/market.ts';

/** Between the texts of a row: a keyword that contains the separator has to be searched text by text. */
export const SEPARATOR = '\n';

/**
 * The text that keywords are searched in: the texts of a row in lower case, joined. Made at the first search, and again
 * when one of the texts has changed: lower case costs more than the search.
 */
export class SearchTexts {
	readonly #joined: string[] = [];
	/** The texts that each was made of, KEYWORD_FIELDS.length of them a row. */
	readonly #parts: (string | null | undefined)[] = [];

	/** Gives the search text of a row. Valid for one query. */
	bind(table: MarketTable): (row: number) => string {
		const columns = KEYWORD_FIELDS.map(field => table.texts(field.name as Parameters<MarketTable['texts']>[0]));
		const joined = this.#joined;
		const parts = this.#parts;
		const width = columns.length;
		return row => {
			const at = row * width;
			let isCurrent = true;
			for (let i = 0; i < width; i++) {
				const text = columns[i]![row] ?? null;
				if (parts[at + i] === text) continue;
				isCurrent = false;
				parts[at + i] = text;
			}
			if (!isCurrent) joined[row] = columns.map(column => column[row]?.toLowerCase() ?? '').join(SEPARATOR);
			return joined[row]!;
		};
	}
}
