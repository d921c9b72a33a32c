/** Maximum time for the terminal to report its cursor position. */
const TIMEOUT_MS = 500;
const CURSOR_QUERY = '\u001b[6n';
const CURSOR_AT = /\u001b\[\d+;(\d+)R/g;

/**
 * Measures the width of each text in cells: draws it, queries the cursor position, then clears the line.
 * @returns undefined without a terminal, or when the terminal does not respond
 */
export async function probeWidths(texts: readonly string[]): Promise<readonly number[] | undefined> {
	const {stdin, stdout} = process;
	if (!stdin.isTTY || !stdout.isTTY) return undefined;
	const wasRaw = stdin.isRaw;
	stdin.setRawMode(true);
	try {
		return await cursorColumns(texts.length, () =>
			stdout.write(texts.map(text => `\r${text}${CURSOR_QUERY}`).join('')),
		);
	} finally {
		stdin.setRawMode(wasRaw);
		stdin.pause();
		stdout.write('\r\u001b[K');
	}
}

/** Writes the queries and collects the columns that the terminal reports, less one. */
function cursorColumns(count: number, query: () => void): Promise<readonly number[] | undefined> {
	return new Promise(resolve => {
		let received = '';
		const end = (widths: readonly number[] | undefined) => {
			clearTimeout(timer);
			process.stdin.off('data', listen);
			resolve(widths);
		};
		const listen = (chunk: Buffer | string) => {
			received += chunk;
			const columns = [...received.matchAll(CURSOR_AT)].map(([, column]) => Number(column));
			if (columns.length === count) end(columns.map(column => column - 1));
		};
		const timer = setTimeout(end, TIMEOUT_MS, undefined);
		process.stdin.on('data', listen);
		query();
	});
}
