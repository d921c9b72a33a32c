/** Column or row of a cursor that is not known: the next move is absolute. */
export const NOWHERE = -1;

/**
 * The shortest sequence that moves the terminal's cursor from one cell to another. Never a line feed, which may scroll, and whose
 * effect on the column depends on the line discipline.
 * @param fromX column, from 0, or NOWHERE
 * @param fromY row, from 0, or NOWHERE
 */
export function cursorMove(fromX: number, fromY: number, x: number, y: number): string {
	if (fromY === NOWHERE) return toCell(x, y);
	if (fromY === y) return fromX === x ? '' : alongRow(fromX, x);
	const absolute = toCell(x, y);
	if (fromX === x) return shorter(absolute, alongColumn(fromY, y));
	return x === 0 ? shorter(absolute, `\r${alongColumn(fromY, y)}`) : absolute;
}

function toCell(x: number, y: number): string {
	if (x > 0) return `\x1B[${y + 1};${x + 1}H`;
	return y > 0 ? `\x1B[${y + 1}H` : '\x1B[H';
}

function alongRow(from: number, to: number): string {
	if (to === 0) return '\r';
	const absolute = `\x1B[${to + 1}G`;
	if (from === NOWHERE) return absolute;
	const cells = to - from;
	if (cells > 0) return shorter(absolute, cells === 1 ? '\x1B[C' : `\x1B[${cells}C`);
	return shorter(absolute, cells >= -3 ? '\b'.repeat(-cells) : `\x1B[${-cells}D`);
}

function alongColumn(from: number, to: number): string {
	const rows = to - from;
	const absolute = `\x1B[${to + 1}d`;
	if (rows > 0) return shorter(absolute, rows === 1 ? '\x1B[B' : `\x1B[${rows}B`);
	return shorter(absolute, rows === -1 ? '\x1B[A' : `\x1B[${-rows}A`);
}

function shorter(first: string, second: string): string {
	return second.length < first.length ? second : first;
}
