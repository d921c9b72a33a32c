import type {Database, Stored, StoredRow} from './database.ts';

/** Type of a column. Big integers are stored as text: SQLite's integers have 64 bits. */
export type ColumnKind = 'text' | 'integer' | 'bigint' | 'flag';

/** The kind of a nullable column is written in brackets. */
export type Columns = Readonly<Record<string, ColumnKind | readonly [ColumnKind]>>;

interface Kinds {
	text: string;
	integer: number;
	bigint: bigint;
	flag: boolean;
}

/** A row of a table with these columns. */
export type RowOf<C extends Columns> = {
	-readonly [Name in keyof C]: C[Name] extends readonly [infer K extends ColumnKind]
		? Kinds[K] | null
		: C[Name] extends ColumnKind
			? Kinds[C[Name]]
			: never;
};

/** An SQL expression, such as a condition, with its parameters. */
export interface Expression {
	readonly sql: string;
	readonly parameters?: readonly Stored[];
}

/** Values of columns; an Expression is computed by the database. */
export type ValuesOf<C extends Columns> = {readonly [Name in keyof C]: RowOf<C>[Name] | Expression};

/** Rows of one kind, by a key. */
export interface Table<C extends Columns> {
	/** @throws StoreFailed, also when the key is taken */
	insert(row: ValuesOf<C>): Promise<void>;
	/** Rows that meet the condition, in the order that the condition ends with. */
	find(condition: Expression): Promise<RowOf<C>[]>;
	/**
	 * Changes the rows that meet the condition, atomically: of two equal calls, one finds nothing left to change.
	 * @returns the number of changed rows
	 */
	update(patch: Partial<ValuesOf<C>>, condition: Expression): Promise<number>;
	delete(condition: Expression): Promise<number>;
}

/** Opens a table of the store, which the migrations have made. */
export function openTable<const C extends Columns>(database: Database, name: string, columns: C): Table<C> {
	const names = Object.keys(columns);
	const written = (row: Partial<ValuesOf<C>>, column: string): Required<Expression> => {
		const value = row[column as keyof C];
		if (!isExpression(value)) return {sql: '?', parameters: [store(value)]};
		return {sql: value.sql, parameters: value.parameters ?? []};
	};
	return {
		async insert(row) {
			const values = names.map(column => written(row, column));
			await database.run(
				`INSERT INTO ${name} (${names.join(', ')}) VALUES (${values.map(({sql}) => sql).join(', ')})`,
				values.flatMap(({parameters}) => parameters),
			);
		},
		async find({sql, parameters = []}) {
			const rows = await database.all(`SELECT * FROM ${name} WHERE ${sql}`, parameters);
			return rows.map(row => revive(columns, row));
		},
		update(patch, {sql, parameters = []}) {
			const changed = Object.keys(patch);
			const values = changed.map(column => written(patch, column));
			const settings = changed.map((column, at) => `${column} = ${values[at]!.sql}`).join(', ');
			const given = values.flatMap(value => value.parameters);
			return database.run(`UPDATE ${name} SET ${settings} WHERE ${sql}`, [...given, ...parameters]);
		},
		delete: ({sql, parameters = []}) => database.run(`DELETE FROM ${name} WHERE ${sql}`, parameters),
	};
}

/**
 * Values for `IN`, at least one. The list is filled up with its last value to a power of two: each length is a statement of its
 * own, and the database keeps all statements that a connection has prepared.
 */
export function listOf(values: readonly string[]): Required<Expression> {
	const length = 2 ** Math.ceil(Math.log2(values.length));
	const parameters = Array.from({length}, (_, at) => values[Math.min(at, values.length - 1)]!);
	return {sql: parameters.map(() => '?').join(', '), parameters};
}

function bareKind(kind: ColumnKind | readonly [ColumnKind]): ColumnKind {
	return typeof kind === 'string' ? kind : kind[0];
}

/** Values themselves are never objects. */
function isExpression(value: unknown): value is Expression {
	return typeof value === 'object' && value !== null;
}

function store(value: unknown): Stored {
	if (typeof value === 'bigint') return value.toString();
	if (typeof value === 'boolean') return value ? 1 : 0;
	return (value ?? null) as Stored;
}

function revive<C extends Columns>(columns: C, row: StoredRow): RowOf<C> {
	const values = Object.entries(columns).map(([column, kind]) => {
		// PostgreSQL folds names that are not quoted.
		const value = row[column] ?? row[column.toLowerCase()] ?? null;
		const bare = bareKind(kind);
		if (value === null) return [column, null];
		if (bare === 'bigint') return [column, BigInt(value as string)];
		return [column, bare === 'flag' ? value === 1 : value];
	});
	return Object.fromEntries(values) as RowOf<C>;
}
