import type {BooleanFieldName, DateFieldName, NumberFieldName, TextFieldName} from '../../contract/fields.ts';
import type {Security} from './events.ts';
import type {MarketTable} from './market.ts';
import {grown} from './segments.ts';

export type NumericFieldName = NumberFieldName | DateFieldName | BooleanFieldName;

/** Where a table's rows come from. */
export interface RowSource {
	readonly length: number;
	readonly bits: Uint8Array;
	readonly versions: Uint32Array;
	/** Computes a numeric field of a row. Called once a field; the result is called once a row and change. */
	reader(name: NumericFieldName): (row: number) => number;
	text(name: TextFieldName, row: number): string | null;
	/** Empty for a free row, as its addresses are. */
	key(row: number): string;
	rowOf(key: string): number | undefined;
	/** Null for a free row. */
	security(row: number): Security | null;
	addresses(row: number): {readonly token0: string; readonly token1: string; readonly pool: string | null};
}

/**
 * A MarketTable whose columns are made when they are first read, and kept current from then on. A service filters and
 * sorts by few of the 220 fields, so a row stays under 1 KB.
 */
export class ColumnTable implements MarketTable {
	readonly #source: RowSource;
	readonly #numbers = new Map<NumericFieldName, {read: (row: number) => number; column: Float64Array}>();
	readonly #texts = new Map<TextFieldName, (string | null)[]>();

	constructor(source: RowSource) {
		this.#source = source;
	}

	get length(): number {
		return this.#source.length;
	}

	get bits(): Uint8Array {
		return this.#source.bits;
	}

	versions(): Uint32Array {
		return this.#source.versions;
	}

	numbers(name: NumericFieldName): Float64Array {
		const known = this.#numbers.get(name);
		if (known) return known.column;
		const read = this.#source.reader(name);
		const column = new Float64Array(this.#source.bits.length);
		for (let row = 0; row < this.length; row++) column[row] = this.bits[row] === 0 ? Number.NaN : read(row);
		this.#numbers.set(name, {read, column});
		return column;
	}

	texts(name: TextFieldName): readonly (string | null)[] {
		const known = this.#texts.get(name);
		if (known) return known;
		const column: (string | null)[] = [];
		for (let row = 0; row < this.length; row++) column.push(this.bits[row] === 0 ? null : this.#source.text(name, row));
		this.#texts.set(name, column);
		return column;
	}

	text(name: TextFieldName, row: number): string | null {
		return this.bits[row] === 0 ? null : this.#source.text(name, row);
	}

	key(row: number): string {
		return this.#source.key(row);
	}

	rowOf(key: string): number | undefined {
		return this.#source.rowOf(key);
	}

	security(row: number): Security | null {
		return this.#source.security(row);
	}

	addresses(row: number): {readonly token0: string; readonly token1: string; readonly pool: string | null} {
		return this.#source.addresses(row);
	}

	/** Brings the columns in use up to date for one row; texts only on demand, since they change rarely. */
	refresh(row: number, withTexts: boolean): void {
		const free = this.bits[row] === 0;
		for (const entry of this.#numbers.values()) {
			if (row >= entry.column.length) entry.column = grown(entry.column, this.bits.length);
			entry.column[row] = free ? Number.NaN : entry.read(row);
		}
		if (!withTexts) return;
		for (const [name, column] of this.#texts) column[row] = free ? null : this.#source.text(name, row);
	}
}
