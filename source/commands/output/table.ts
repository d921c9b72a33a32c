import {cellWidth, padEnd, padStart, truncate} from '../../text.ts';

/** One column of a printed table. */
export interface TableColumn<Row> {
	readonly title: string;
	readonly align?: 'right';
	/** Clean text, one line. */
	readonly cell: (row: Row) => string;
	/** Maximum width in cells: one long name must not widen every line. */
	readonly most?: number;
	/** Minimum width in cells when the table is wider than the screen. Without it the column keeps its width. */
	readonly shrinksTo?: number;
}

/**
 * A table with its titles, each column as wide as its widest cell, two blanks between columns.
 * @param width maximum width in cells, if the columns can shrink that far; without it nothing is cut
 * @param ascii marks a cut text with a full stop
 */
export function tableText<Row>(
	columns: readonly TableColumn<Row>[],
	rows: readonly Row[],
	{width, ascii = false}: {width?: number | undefined; ascii?: boolean} = {},
): string {
	const cells = rows.map(row => columns.map(column => column.cell(row)));
	const natural = columns.map(({title, most = Number.POSITIVE_INFINITY}, at) =>
		Math.min(most, Math.max(cellWidth(title), ...cells.map(line => cellWidth(line[at]!)))),
	);
	const widths = width === undefined ? natural : shrunk(columns, natural, width);
	const line = (texts: readonly string[]) =>
		texts
			.map((text, at) => {
				const cut = truncate(text, widths[at]!, ascii ? '.' : undefined);
				return columns[at]!.align === 'right' ? padStart(cut, widths[at]!) : padEnd(cut, widths[at]!);
			})
			.join('  ')
			.trimEnd();
	return [line(columns.map(({title}) => title)), ...cells.map(line)].map(text => `${text}\n`).join('');
}

/** Takes from the widest column that can still shrink, until the line fits. */
function shrunk<Row>(
	columns: readonly TableColumn<Row>[],
	natural: readonly number[],
	width: number,
): readonly number[] {
	const widths = [...natural];
	let excess = widths.reduce((sum, cells) => sum + cells, 0) + 2 * (columns.length - 1) - width;
	while (excess > 0) {
		const spare = widths.map((cells, at) => cells - (columns[at]!.shrinksTo ?? cells));
		const widest = spare.indexOf(Math.max(...spare));
		if (spare[widest]! <= 0) break;
		widths[widest]!--;
		excess--;
	}
	return widths;
}

/**
 * Lines of comma separated values (RFC 4180), with the names first. A text that a spreadsheet would run as a formula gets an
 * apostrophe in front: anyone can choose the name of a token.
 */
export function csvText(names: readonly string[], rows: readonly (readonly unknown[])[]): string {
	return [names, ...rows].map(row => `${row.map(csvCell).join(',')}\r\n`).join('');
}

function csvCell(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'string') return String(value);
	const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
