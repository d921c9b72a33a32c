import {expect, test} from 'vitest';
import {entryOf} from '../helpers/entries.ts';
import {NOW_MS, openTestMonitor} from '../helpers/monitor-app.tsx';
import {fc} from '../helpers/properties.ts';

/* With any input of a terminal the monitor goes on: it draws, and a person gets back to the list. */

const ESC = '\u001b';
const HUGE = 200_000;
const pasted = (text: string) => `${ESC}[200~${text}${ESC}[201~`;
const garbage = fc.oneof(
	fc.constantFrom(
		'j',
		'k',
		'G',
		'gg',
		'5',
		'\r',
		'\t',
		' ',
		'/',
		'f',
		':',
		'?',
		'b',
		'o',
		'w',
		's',
		'S',
		'U',
		'c',
		'R',
	),
	fc.constantFrom(
		ESC,
		`${ESC}[`,
		`${ESC}O`,
		`${ESC}[1;`,
		`${ESC}[999999999999A`,
		`${ESC}]0;t`,
		`${ESC}P`,
		'\u009b',
		'\u0000',
	),
	fc.constantFrom(
		'\ud800',
		'\udc00',
		'a\ud83d',
		'\ude00b',
		'\u202e',
		'\u200d',
		'\ufeff',
		'👩‍👩‍👧',
		'中',
		'e\u0301'.repeat(40),
	),
	fc.constantFrom(
		`${ESC}[200~`,
		`${ESC}[201~`,
		pasted('\ud800'),
		pasted('a\nb\u0007'),
		pasted(`${ESC}[31m`),
		pasted(''),
	),
	fc.constantFrom(`${ESC}[<0;1;1M`, `${ESC}[<0;99999;99999M`, `${ESC}[<64;5;5M`, `${ESC}[<;;M`, `${ESC}[I`, `${ESC}[O`),
	fc.string({unit: 'binary', maxLength: 6}),
	fc.string({maxLength: 20}).map(pasted),
);

function opened() {
	const monitor = openTestMonitor();
	const token = (symbol: string, ageS: number) =>
		entryOf(`${symbol}address`, {symbol, created_at: NOW_MS - ageS * 1000, market_cap: 5000});
	monitor.arrive('new', [token('AAA', 10), token('BBB', 20)]);
	return monitor;
}

/** Ends a paste that may be open, and leaves everything that may be open: then the list is there. */
function expectAlive(monitor: ReturnType<typeof openTestMonitor>): void {
	monitor.press(`${ESC}[201~`, ...Array.from({length: 12}, () => ESC));
	if (monitor.hasQuit()) return;
	const frame = monitor.frame();
	// No sequence of the input is on the screen, and the screen is whole.
	expect(frame).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
	expect(frame.isWellFormed()).toBe(true);
	expect(monitor.store.get().modes.at(-1)?.kind ?? 'list').toBe('list');
}

test('any keys, pastes and broken sequences leave a monitor that draws and that Esc leads back to the list', () => {
	fc.assert(
		fc.property(fc.array(garbage, {maxLength: 15}), chunks => {
			const monitor = opened();
			monitor.press(...chunks);
			expectAlive(monitor);
		}),
		{numRuns: 20},
	);
});

test.each([
	['a filter', 'f'],
	['a search', '/'],
	['the command line', ':'],
	['the list itself', ''],
])('a huge paste into %s is over at once, and runs nothing', (_, open) => {
	const monitor = opened();
	monitor.press(open);
	for (const text of [
		'q'.repeat(HUGE),
		'\ud800'.repeat(HUGE),
		`y\r${ESC}`.repeat(HUGE / 3),
		'('.repeat(HUGE),
		'👩‍👩‍👧'.repeat(HUGE / 8),
	]) {
		monitor.press(pasted(text));
		monitor.frame();
	}
	expect([monitor.hasQuit(), monitor.copied]).toEqual([false, []]);
	expectAlive(monitor);
});
