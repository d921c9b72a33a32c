import type {Database} from '../../source/service/store/database.ts';
import {tableStatements} from '../../source/service/store/migrations/table-statements.ts';
import {type Columns, openTable, type Table} from '../../source/service/store/table.ts';

/** A table of a test's own, made when it is missing, with those of its columns that it lacks. */
export async function makeTable<const C extends Columns>(
	database: Database,
	{name, key, columns}: {readonly name: string; readonly key: string; readonly columns: C},
): Promise<Table<C>> {
	const present = await database.columnsOf(name);
	const found = {dialect: database.dialect, columnsOf: () => present};
	for (const sql of tableStatements(found, {name, key, columns})) await database.run(sql);
	return openTable(database, name, columns);
}
