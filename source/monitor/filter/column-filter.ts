import type {ColumnFilter} from '../state.ts';
import {parseFilterLine} from './filter-line.ts';

/** The filter of a column from a typed line; undefined when the line has a mistake. */
export function columnFilterOf(line: string): ColumnFilter | undefined {
	const text = line.trim();
	if (text === '') return {text: ''};
	const parsed = parseFilterLine(text);
	return parsed.ok ? {text, filters: parsed.filters, viewOptions: {...parsed.viewOptions}} : undefined;
}
