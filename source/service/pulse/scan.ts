import type {Field} from '../../contract/fields.ts';
import {type Compare, type Filter, KEYWORD_FIELDS, type Keywords, type Security} from '../../contract/filter.ts';
import {predicate, type Test, type Value} from '../../contract/filter-test.ts';
import type {MarketTable} from '../market/market.ts';
import type {RowBuffers} from './row-buffers.ts';
import {SEPARATOR, type SearchTexts} from './search-texts.ts';

/** The input of a scan. */
export interface ScanSource {
	readonly table: MarketTable;
	readonly buffers: RowBuffers;
	readonly texts: SearchTexts;
	/** The clock of the market, for created_at_offset. */
	readonly nowMs: number;
}

/**
 * Keeps those of `rows[0..count)` that pass the filter, in their order and in place, and returns their number. Passes the
 * same rows as `matches` of the contract, but works a column at a time: each clause is one tight loop over the rows that
 * the clauses before it kept.
 */
export function scan(filter: Filter, source: ScanSource, rows: Int32Array, count: number): number {
	if (count === 0) return 0;
	switch (filter.kind) {
		case 'and':
			return scanAll(filter.of, source, rows, count);
		case 'or':
			return scanAny(filter.of, source, rows, count);
		case 'not':
			return scanNot(filter.of, source, rows, count);
		case 'compare':
			return scanField(filter.field, filter, source, rows, count);
		case 'age':
			return scanAge(filter.field, filter, source, rows, count);
		case 'security':
			return scanSecurity(filter, source, rows, count);
		case 'keywords':
			return scanKeywords(filter, source, rows, count);
	}
}

/** Cheap clauses first, so that the expensive ones see few rows. */
function scanAll(parts: readonly Filter[], source: ScanSource, rows: Int32Array, count: number): number {
	const ordered = parts.length > 1 ? parts.toSorted((a, b) => cost(a) - cost(b)) : parts;
	for (const part of ordered) count = scan(part, source, rows, count);
	return count;
}

function cost(filter: Filter): number {
	switch (filter.kind) {
		case 'compare':
			return isNumeric(filter.field) ? 0 : 2;
		case 'age':
			return 1;
		case 'keywords':
			return 8;
		case 'security':
			return 9;
		case 'not':
			return 4 + cost(filter.of);
		default:
			return 4 + Math.max(0, ...filter.of.map(cost));
	}
}

function scanAny(parts: readonly Filter[], source: ScanSource, rows: Int32Array, count: number): number {
	const {buffers} = source;
	const marks = buffers.marks(source.table.length);
	const part = buffers.list(count);
	for (const filter of parts) {
		let size = 0;
		for (let i = 0; i < count; i++) {
			const row = rows[i]!;
			part[size] = row;
			size += 1 - marks[row]!;
		}
		size = scan(filter, source, part, size);
		for (let i = 0; i < size; i++) marks[part[i]!] = 1;
	}
	buffers.releaseList(part);
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		rows[kept] = row;
		kept += marks[row]!;
		marks[row] = 0;
	}
	buffers.releaseMarks(marks);
	return kept;
}

function scanNot(of: Filter, source: ScanSource, rows: Int32Array, count: number): number {
	const {buffers} = source;
	const dropped = buffers.list(count);
	dropped.set(rows.subarray(0, count));
	const droppedCount = scan(of, source, dropped, count);
	// Both lists are in the same order, so one walk takes the second out of the first.
	let kept = 0;
	let at = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		if (at < droppedCount && dropped[at] === row) at++;
		else rows[kept++] = row;
	}
	buffers.releaseList(dropped);
	return kept;
}

function isNumeric(field: Field): boolean {
	return field.kind !== 'text';
}

function scanField(field: Field, test: Compare, source: ScanSource, rows: Int32Array, count: number): number {
	if (isNumeric(field)) {
		return scanNumbers(test, source.table.numbers(field.name as NumberColumn), rows, count);
	}
	return scanTexts(test, source.table.texts(field.name as TextColumn), rows, count);
}

type NumberColumn = Parameters<MarketTable['numbers']>[0];
type TextColumn = Parameters<MarketTable['texts']>[0];

function scanAge(field: Field, test: Test, source: ScanSource, rows: Int32Array, count: number): number {
	const column = source.table.numbers(field.name as NumberColumn);
	const passes = predicate(test);
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		rows[kept] = row;
		kept += passes((source.nowMs - column[row]!) / 1000) ? 1 : 0;
	}
	return kept;
}

/** Numbers, dates and booleans (0 and 1): one loop without a call for every operator; NaN is unknown. */
function scanNumbers(test: Test, column: Float64Array, rows: Int32Array, count: number): number {
	const {op, value} = test;
	switch (op) {
		case 'gt':
			return scanRange(nextUp(value), Infinity, column, rows, count);
		case 'gte':
			return scanRange(value, Infinity, column, rows, count);
		case 'lt':
			return scanRange(-Infinity, -nextUp(-value), column, rows, count);
		case 'lte':
			return scanRange(-Infinity, value, column, rows, count);
		case 'equals':
			if (value === null) return scanNull(column, rows, count);
			if (typeof value === 'string') break;
			return scanRange(Number(value), Number(value), column, rows, count);
		case 'not':
			if (value === null) return scanRange(-Infinity, Infinity, column, rows, count);
			if (typeof value === 'string') break;
			return scanOther(Number(value), column, rows, count);
	}
	return scanValues(predicate(test), column, rows, count);
}

function scanRange(low: number, high: number, column: Float64Array, rows: Int32Array, count: number): number {
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		const value = column[row]!;
		rows[kept] = row;
		// Without a branch: with one, half the rows passing costs a misprediction for each of them.
		kept += Number(value >= low) & Number(value <= high);
	}
	return kept;
}

function scanNull(column: Float64Array, rows: Int32Array, count: number): number {
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		rows[kept] = row;
		kept += Number(Number.isNaN(column[row]!));
	}
	return kept;
}

function scanOther(excluded: number, column: Float64Array, rows: Int32Array, count: number): number {
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		const value = column[row]!;
		rows[kept] = row;
		kept += Number(value < excluded) | Number(value > excluded);
	}
	return kept;
}

/** @param from rows before it are done, and `kept` of them were kept */
function scanValues(
	passes: (value: Value) => boolean,
	column: ArrayLike<Value>,
	rows: Int32Array,
	count: number,
	from = 0,
	kept = 0,
): number {
	for (let i = from; i < count; i++) {
		const row = rows[i]!;
		if (passes(column[row])) rows[kept++] = row;
	}
	return kept;
}

function scanTexts(test: Test, column: readonly (string | null)[], rows: Int32Array, count: number): number {
	const passes = predicate(test);
	const isEquality = test.op === 'equals' || test.op === 'in' || test.op === 'not' || test.op === 'notIn';
	return isEquality ? scanRepeated(passes, column, rows, count) : scanValues(passes, column, rows, count);
}

/** With more distinct texts, remembering results costs more than it saves. */
const FEW_TEXTS = 12;

/**
 * Chains, pool types and factories are few texts in many rows: each is tested once and recognised by identity, which for
 * the engine's constants is one comparison of pointers. A column of many texts is tested row by row.
 */
function scanRepeated(
	passes: (value: Value) => boolean,
	column: readonly (string | null)[],
	rows: Int32Array,
	count: number,
): number {
	const known: (string | null | undefined)[] = [];
	const results: number[] = [];
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		const text = column[row];
		let at = 0;
		while (at < known.length && known[at] !== text) at++;
		if (at === known.length) {
			if (at === FEW_TEXTS) return scanValues(passes, column, rows, count, i, kept);
			known.push(text);
			results.push(Number(passes(text)));
		}
		rows[kept] = row;
		kept += results[at]!;
	}
	return kept;
}

function scanSecurity(filter: Security, source: ScanSource, rows: Int32Array, count: number): number {
	const {table} = source;
	const {name} = filter.flag;
	const passes = predicate(filter);
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		if (passes(table.security(row)?.[name])) rows[kept++] = row;
	}
	return kept;
}

function scanKeywords(filter: Keywords, source: ScanSource, rows: Int32Array, count: number): number {
	const {words} = filter;
	const isIncluded = filter.mode === 'include';
	const textOf = source.texts.bind(source.table);
	// A keyword must not match across the end of a text.
	const plain = words.filter(word => !word.includes(SEPARATOR));
	const separated = words.filter(word => word.includes(SEPARATOR));
	const holdsWord = (row: number): boolean => {
		const text = textOf(row);
		for (const word of plain) if (text.includes(word)) return true;
		return separated.length > 0 && holdsAny(source.table, row, separated);
	};
	let kept = 0;
	for (let i = 0; i < count; i++) {
		const row = rows[i]!;
		if (holdsWord(row) === isIncluded) rows[kept++] = row;
	}
	return kept;
}

/** Searches text by text, for words that contain the separator. */
function holdsAny(table: MarketTable, row: number, words: readonly string[]): boolean {
	return KEYWORD_FIELDS.some(field => {
		const text = table.texts(field.name as TextColumn)[row]?.toLowerCase();
		return text !== undefined && words.some(word => text.includes(word));
	});
}

const float = new Float64Array(1);
const bits = new BigInt64Array(float.buffer);

/** The next greater double, so that `>` becomes `>=`. NaN (nothing passes) above infinity. */
function nextUp(value: number): number {
	if (value === Infinity || Number.isNaN(value)) return NaN;
	if (value === 0) return Number.MIN_VALUE;
	float[0] = value;
	bits[0]! += value > 0 ? 1n : -1n;
	return float[0]!;
}
