import {spawn} from '@lydell/node-pty';
import {afterEach, expect, test} from 'vitest';
import {PATIENCE_MS} from '../../helpers/patience.ts';
import {Emulator} from './emulator.ts';

const COLUMNS = 80;
const ROWS = 24;
const STEP_MS = 50;
const program = new URL('busy-program.ts', import.meta.url).pathname;
const running = new Set<{kill(signal: string): void}>();
afterEach(() => {
	for (const child of running) child.kill('SIGKILL');
	running.clear();
});

/** A program in a terminal that reads so many bytes a second, and answers as terminals do, when it gets there. */
function openSlowly(bytesPerSecond: number) {
	const emulator = new Emulator(COLUMNS, ROWS);
	const child = spawn(process.execPath, [program], {name: 'xterm', cols: COLUMNS, rows: ROWS, encoding: null});
	running.add(child);
	emulator.terminal.onData(response => child.write(response));
	let waiting = Buffer.alloc(0);
	child.onData(data => {
		waiting = Buffer.concat([waiting, data as unknown as Buffer]);
		if (waiting.length > 1024) child.pause();
	});
	let readAtMs = performance.now();
	const reading = setInterval(() => {
		const nowMs = performance.now();
		const taken = waiting.subarray(0, Math.round((bytesPerSecond * (nowMs - readAtMs)) / 1000));
		readAtMs = nowMs;
		waiting = waiting.subarray(taken.length);
		if (taken.length > 0) emulator.terminal.write(taken);
		if (waiting.length <= 1024) child.resume();
	}, STEP_MS);
	return {
		child,
		/** What the first row says: how old it is, and the keys that were read. */
		async look() {
			await emulator.settled();
			const [, madeAtMs, keys] = /^at (\d+) .*keys (.*)\.$/.exec(emulator.line(0)) ?? [];
			return madeAtMs === undefined ? undefined : {ageMs: Date.now() - Number(madeAtMs), keys};
		},
		close: () => clearInterval(reading),
	};
}

test('a terminal that reads 8 kB a second shows what is not a second old, and its answers are no keys', async () => {
	const terminal = openSlowly(8000);
	const ages: number[] = [];
	const middle = (): number => ages.slice(-10).toSorted((a, b) => a - b)[5] ?? Number.POSITIVE_INFINITY;
	let seen: Awaited<ReturnType<typeof terminal.look>>;
	// The first picture alone takes seconds. Without pacing, what is shown stays two seconds old for ever.
	for (const startMs = Date.now(); Date.now() - startMs < PATIENCE_MS && (ages.length < 30 || middle() >= 1000); ) {
		await new Promise(resolve => setTimeout(resolve, 200));
		if (ages.length === 5) terminal.child.write('j\x1B');
		seen = await terminal.look();
		if (seen !== undefined) ages.push(seen.ageMs);
	}
	terminal.close();
	expect(ages.length).toBeGreaterThanOrEqual(30);
	expect(middle()).toBeLessThan(1000);
	expect(seen?.keys).toMatch(/^(jesc)+(j)?$/);
});
