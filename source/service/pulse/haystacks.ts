import {KEYWORD_FIELDS} from '../../contract/filter.ts';
import type {MarketTable} from '../market/market.ts';

/** Stands between the texts of a row: a keyword that holds it may not be looked for here. */
export const SEAM = '\n';

/**
 * What keywords are looked for in: the texts of a row in lower case, as one. Made when first looked at, and again when
 * one of the texts has become another: lower case costs more than the search.
 */
export class Haystacks {
	readonly #joined: string[] = [];
	/** The texts that each was made of, KEYWORD_FIELDS.length of them a row. */
	readonly #parts: (string | null | undefined)[] = [];

	/** Valid for one query. */
	bind(table: MarketTable): (row: number) => string {
		const columns = KEYWORD_FIELDS.map(field => table.texts(field.name as Parameters<MarketTable['texts']>[0]));
		const joined = this.#joined;
		const parts = this.#parts;
		const width = columns.length;
		return row => {
			const at = row * width;
			let isKnown = true;
			for (let i = 0; i < width; i++) {
				const text = columns[i]![row] ?? null;
				if (parts[at + i] === text) continue;
				isKnown = false;
				parts[at + i] = text;
			}
			if (!isKnown) joined[row] = columns.map(column => column[row]?.toLowerCase() ?? '').join(SEAM);
			return joined[row]!;
		};
	}
}
