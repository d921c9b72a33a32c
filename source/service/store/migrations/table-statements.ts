import type {ColumnKind, Columns} from '../table.ts';
import type {Layout} from './migration.ts';

/** Statements that make a table, or add the columns that a table of an earlier layout lacks. */
export function tableStatements(
	{dialect, columnsOf}: Layout,
	{name, key, columns}: {readonly name: string; readonly key: string; readonly columns: Columns},
): string[] {
	const present = columnsOf(name);
	const define = (column: string, {isNullable = false} = {}): string => {
		const kind = columns[column]!;
		const bare: ColumnKind = typeof kind === 'string' ? kind : kind[0];
		const type = bare === 'integer' || bare === 'flag' ? dialect.integer : 'TEXT';
		const rest = isNullable || typeof kind !== 'string' ? '' : ' NOT NULL';
		return `${column} ${type}${column === key ? ' PRIMARY KEY' : ''}${rest}`;
	};
	const names = Object.keys(columns);
	if (present.size === 0)
		return [`CREATE TABLE ${name} (${names.map(column => define(column)).join(', ')}) ${dialect.afterTable}`];
	return names
		.filter(column => !present.has(column.toLowerCase()))
		.map(
			column =>
				// Rows that are there have no value for the new column.
				`ALTER TABLE ${name} ADD COLUMN ${define(column, {isNullable: true})}`,
		);
}
