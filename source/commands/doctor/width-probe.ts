/** How long a terminal may take to say where its cursor is. */
const PATIENCE_MS = 500;
const WHERE = '\u001b[6n';
const CURSOR_AT = /\u001b\[\d+;(\d+)R/g;

/**
 * Measures how many cells the terminal moves for each text, by drawing it and asking where the cursor is. The line is
 * clean again afterwards.
 * @returns undefined when stdin or stdout is no terminal, or it does not answer
 */
export async function probeWidths(texts: readonly string[]): Promise<readonly number[] | undefined> {
	const {stdin, stdout} = process;
	if (!stdin.isTTY || !stdout.isTTY) return undefined;
	const wasRaw = stdin.isRaw;
	stdin.setRawMode(true);
	try {
		return await answers(texts.length, () => stdout.write(texts.map(text => `\r${text}${WHERE}`).join('')));
	} finally {
		stdin.setRawMode(wasRaw);
		stdin.pause();
		stdout.write('\r\u001b[K');
	}
}

function answers(count: number, ask: () => void): Promise<readonly number[] | undefined> {
	return new Promise(resolve => {
		let heard = '';
		const end = (widths: readonly number[] | undefined) => {
			clearTimeout(timer);
			process.stdin.off('data', listen);
			resolve(widths);
		};
		const listen = (chunk: Buffer | string) => {
			heard += chunk;
			const columns = [...heard.matchAll(CURSOR_AT)].map(([, column]) => Number(column));
			if (columns.length === count) end(columns.map(column => column - 1));
		};
		const timer = setTimeout(end, PATIENCE_MS, undefined);
		process.stdin.on('data', listen);
		ask();
	});
}
