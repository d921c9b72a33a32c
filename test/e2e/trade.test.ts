import {expect, test} from 'vitest';
import {fill, goOn} from '../helpers/money-window.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

/** The screen as running text: without borders, on one line. */
const running = (pty: Pty) => pty.screenText().replaceAll(/[║│]/g, ' ').replaceAll(/\s+/g, ' ');

/** The market goes on meanwhile: what was confirmed is checked and typed again. */
const AGAIN = /The price has moved|The same intent can be tried again/;

/** From a review that passed to the end of the trade: types what the confirmation asks for, again when it has to be. */
async function confirm(pty: Pty, end: RegExp): Promise<void> {
	// Some failures are tried again by Enter alone, with what was signed.
	const next = new RegExp(`Type the amount|${end.source}`);
	for (const endMs = performance.now() + PATIENCE_MS; performance.now() < endMs; ) {
		await goOn(pty, '\r', next);
		if (end.test(pty.screenText())) return;
		const [, text = ''] = /Type the amount, (.+?), then choose/.exec(running(pty))!;
		await fill(pty, text, new RegExp(`▌amount +${text.replaceAll('.', '\\.')} `));
		pty.type('\t\r');
		await pty.waitFor(() => end.test(pty.screenText()) || AGAIN.test(running(pty)));
		if (end.test(pty.screenText())) return;
	}
	throw new Error(`never traded\n${pty.screenText()}`);
}

/** The symbol under the cursor; undefined while no row is marked. The title of a column has the mark, too. */
function underCursor(pty: Pty): string | undefined {
	const row = pty
		.screenText()
		.split('\n')
		.slice(3)
		.find(line => line.startsWith('▌'));
	return row?.match(/^▌[~≈]?\s*(\S+)/)?.[1];
}

/** Puts the cursor on one launch after the other until a buy of $25 passes every check: some launches fail some. @returns its symbol */
async function reviewBuy(pty: Pty): Promise<string> {
	/** What failed, by symbol. */
	const tried = new Map<string, string>();
	const isNext = () => underCursor(pty) !== undefined && !tried.has(underCursor(pty)!);
	for (let presses = 0; presses < 30; presses++) {
		pty.type('j');
		const hasNext = await pty.waitFor(isNext, 5000).then(
			() => true,
			() => false,
		);
		if (!hasNext) {
			// Below the last row there is none: the live column has newer launches.
			if (underCursor(pty) !== undefined) pty.type('\u001b');
			continue;
		}
		const symbol = underCursor(pty)!;
		tried.set(symbol, '');
		// The first row under a cursor is a jump: trade keys wait a moment.
		for (const endMs = performance.now() + PATIENCE_MS; !/PRACTICE MONEY/.test(pty.screenText()); ) {
			if (performance.now() > endMs) throw new Error(`+ opens nothing\n${pty.screenText()}`);
			pty.type('+');
			await pty.waitFor(/PRACTICE MONEY/, 5000).catch(() => {});
		}
		pty.type('2');
		// Behind the window a token that left has the mark as well.
		await pty.waitFor(/checks passed|║ ✗/);
		if (pty.screenText().includes('checks passed')) return /Buy (\S+) on Base/.exec(pty.screenText())![1]!;
		tried.set(symbol, /║ ✗.*(?:\n║ {3}.*)*/.exec(pty.screenText())![0]);
		// Esc goes back to the amounts; while something is still read it closes the window.
		const isClosed = () => !pty.screenText().includes('PRACTICE MONEY');
		pty.type('\u001b');
		await pty.waitFor(() => isClosed() || pty.screenText().includes('1 $10'));
		if (!isClosed()) pty.type('\u001b');
		await pty.waitFor(isClosed);
	}
	throw new Error(`no launch passes: ${JSON.stringify([...tried])}\n${pty.screenText()}`);
}

test('a launch of NEW is bought with + and 2, held, sold by half and then whole, all by keys', async () => {
	await withPty({columns: 80, rows: 24, args: [CLI, '--seed', '7', '--rate', '0.5']}, async pty => {
		await pty.waitFor(/NEW [1-9]/);
		pty.type('f');
		await pty.waitFor(/filter/i);
		pty.type('chain:base buytax<4 selltax<4\r');
		await pty.waitFor(/NEW [1-9].*chain:base/);
		await pty.waitFor(screen => screen.text().split('\n')[3]!.includes(' BAS '));

		const symbol = await reviewBuy(pty);
		// What decides stands on the first page of the smallest usual terminal.
		const review = pty.screenText();
		for (const label of ['you pay', 'about', 'at least', 'to', 'worst case', 'price', 'impact', 'fees', 'tax'])
			expect(review).toMatch(new RegExp(`║ ${label} +\\S`));
		expect(review).toMatch(/║ 0x[0-9a-fA-F]{40} /);
		await confirm(pty, /✓ Bought/);
		expect(running(pty)).toMatch(new RegExp(`[\\d,.]+ ${symbol} arrived on Base: measured on the chain\\.`));
		pty.type('\u001b');
		await pty.waitFor(`•${symbol}`);

		pty.type('m');
		await pty.waitFor(/1 held/);
		await pty.waitFor(/value \$[\d.]+ +open .* cost \$25\.00/);
		pty.type('-');
		await pty.waitFor(`Sell ${symbol} on Base`);
		await pty.waitFor(/1 25 % +2 50 %/);
		pty.type('2');
		await pty.waitFor(/checks passed/);
		await confirm(pty, /✓ Sold/);
		expect(running(pty)).toMatch(/[\d.]+ USDC arrived on Arbitrum: measured on the chain\./);
		pty.type('\u001b');
		await pty.waitFor(/realised [-+]\$[\d.]+ +cost \$12\.50/);

		pty.resize(160, 45);
		await pty.waitFor(/REALISED/);
		pty.type('-');
		await pty.waitFor(/4 100 %/);
		pty.type('4');
		await pty.waitFor(/checks passed/);
		await pty.waitFor(/again +you sold it \d+ s ago/);
		await confirm(pty, /✓ Sold/);
		pty.type('\u001b');
		await pty.waitFor(/0 held/);
		await pty.waitFor(/1 sold whole, realised [-+]\$/);
	});
});
