import type {Dialect} from '../database.ts';

/** The layout of the store before a migration. */
export interface Layout {
	readonly dialect: Dialect;
	/** Names of a table's columns in lower case; empty for a missing table. */
	columnsOf(table: string): ReadonlySet<string>;
}

/**
 * One step from a layout of the store to the next. Released steps are never changed. During a rolling upgrade replicas of the
 * previous version use the new layout: a step only adds, and a column or table that is no longer used is dropped one version later.
 */
export interface Migration {
	/** 1, 2, 3 and so on without a gap. */
	readonly version: number;
	readonly name: string;
	/** SQL of the step, run in order and in one transaction. */
	statements(found: Layout): readonly string[];
}
