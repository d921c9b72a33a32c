import type {Database} from './database.ts';
import type {Expression} from './table.ts';

/**
 * The current time in statements, Unix ms: the clock of the database, so that all processes agree on what has expired.
 */
export type StoreClock = () => Required<Expression>;

/** @param now replaces the database's clock, for a process with an embedded store */
export function storeClock({dialect}: Database, now?: () => number): StoreClock {
	const shared = {sql: dialect.nowMs, parameters: []};
	// PostgreSQL cannot infer the type of a parameter in an addition.
	const given = `CAST(? AS ${dialect.integer})`;
	return now === undefined ? () => shared : () => ({sql: given, parameters: [Math.floor(now())]});
}

/** A time plus milliseconds. */
export function later({sql, parameters}: Required<Expression>, ms: number): Required<Expression> {
	return {sql: `${sql} + ?`, parameters: [...parameters, ms]};
}
