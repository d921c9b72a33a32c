import type {Database} from './database.ts';
import type {Expression} from './table.ts';

/**
 * The time in statements, Unix ms: the clock of the database, so that processes with clocks of their own agree about what
 * has run out.
 */
export type StoreClock = () => Required<Expression>;

/** @param now another clock than the database's, for a process that has its store alone */
export function storeClock({dialect}: Database, now?: () => number): StoreClock {
	const shared = {sql: dialect.nowMs, parameters: []};
	// PostgreSQL has to be told the kind of a parameter that is added to.
	const given = `CAST(? AS ${dialect.integer})`;
	return now === undefined ? () => shared : () => ({sql: given, parameters: [Math.floor(now())]});
}

/** A time that many milliseconds after another. */
export function later({sql, parameters}: Required<Expression>, ms: number): Required<Expression> {
	return {sql: `${sql} + ?`, parameters: [...parameters, ms]};
}
