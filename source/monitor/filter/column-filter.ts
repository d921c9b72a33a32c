import {parseFilterLine} from './filter-line.ts';

/** The filter of a column. */
export interface ColumnFilter {
	/** As typed. */
	readonly text: string;
	/** As sent: the filters of the API and the view options of the line. Undefined without a filter. */
	readonly filters?: Readonly<Record<string, unknown>>;
	readonly viewOptions?: Readonly<Record<string, unknown>>;
}

/** A clause of a filter that no token matches, and how many would match without it. */
export interface EmptyClause {
	readonly text: string;
	/** The filter without it. */
	readonly rest: ColumnFilter;
	readonly without: number;
}

/** The clauses of the filter of an empty column, the one that excludes most tokens first. */
export interface EmptyReason {
	/** The reason is valid for this filter only. */
	readonly filter: ColumnFilter;
	readonly clauses: readonly EmptyClause[];
}

/** The filter of a column from a typed line; undefined when the line has a mistake. */
export function columnFilterOf(line: string): ColumnFilter | undefined {
	const text = line.trim();
	if (text === '') return {text: ''};
	const parsed = parseFilterLine(text);
	return parsed.ok ? {text, filters: parsed.filters, viewOptions: {...parsed.viewOptions}} : undefined;
}
