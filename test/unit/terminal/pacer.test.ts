import {describe, expect, test, vi} from 'vitest';
import {Pacer} from '../../../source/terminal/pacer.ts';

describe('the pacer', () => {
	test('withholds nothing from a terminal that has never responded, and queries it once', () => {
		const pacer = new Pacer(() => {});
		expect(pacer.begin()).toBe('\x1B[5n');
		expect(pacer.wrote(1_000_000)).toBe('');
		expect(pacer.room).toBeGreaterThan(0);
	});

	test('lets some kB be on their way to one that answers, and goes on when it has', () => {
		const wake = vi.fn();
		const pacer = new Pacer(wake);
		pacer.begin();
		pacer.respond();
		expect(pacer.wrote(5000)).toBe('\x1B[5n');
		expect(pacer.room).toBeGreaterThan(0);
		expect(pacer.wrote(9000)).toBe('\x1B[5n');
		expect(pacer.room).toBeLessThanOrEqual(0);
		pacer.respond();
		expect(pacer.room).toBeGreaterThan(0);
		expect(wake).toHaveBeenCalledTimes(2);
	});

	test('queries again if the first response came so late that too much is on its way already', () => {
		const pacer = new Pacer(() => {});
		pacer.begin();
		pacer.wrote(50_000);
		pacer.respond();
		expect(pacer.room).toBeLessThanOrEqual(0);
		expect(pacer.isWaiting).toBe(false);
		expect(pacer.wrote(0)).toBe('\x1B[5n');
		pacer.respond();
		expect(pacer.room).toBeGreaterThan(0);
	});

	test('asks a terminal that answers at once every four kB, a slower one every kB, and always before the window is full', async () => {
		vi.useFakeTimers({toFake: ['performance', 'setTimeout']});
		try {
			const pacer = new Pacer(() => {});
			pacer.begin();
			pacer.respond();
			expect(pacer.wrote(4000)).toBe('');
			expect(pacer.wrote(96)).toBe('\x1B[5n');
			vi.advanceTimersByTime(300);
			pacer.respond();
			expect(pacer.wrote(1000)).toBe('');
			expect(pacer.wrote(24)).toBe('\x1B[5n');
			// The window shrinks to two kB: the question comes at one, however quick the answer before.
			for (let late = 0; late < 4; late++) {
				vi.advanceTimersByTime(600);
				pacer.respond();
				pacer.wrote(1024);
			}
			pacer.respond();
			expect(pacer.wrote(1023)).toBe('');
			expect(pacer.wrote(1)).toBe('\x1B[5n');
		} finally {
			vi.useRealTimers();
		}
	});

	test('can be made to ask for the last bytes, as before something that must have been seen', () => {
		const pacer = new Pacer(() => {});
		pacer.begin();
		pacer.respond();
		expect(pacer.ask()).toBe('');
		expect(pacer.wrote(10)).toBe('');
		expect(pacer.ask()).toBe('\x1B[5n');
		expect(pacer.ask()).toBe('');
		expect(pacer.isWaiting).toBe(true);
	});

	test('does not hang on a terminal that no longer answers', async () => {
		vi.useFakeTimers();
		try {
			const wake = vi.fn();
			const pacer = new Pacer(wake);
			pacer.begin();
			pacer.respond();
			// One more window after each time of silence, and in the end no more queries.
			for (let silences = 1; silences <= 3; silences++) {
				expect(pacer.wrote(100_000)).toBe('\x1B[5n');
				expect(pacer.room).toBeLessThanOrEqual(0);
				await vi.advanceTimersByTimeAsync(5000);
				expect(pacer.room).toBeGreaterThan(0);
				expect(wake).toHaveBeenCalledTimes(1 + silences);
			}
			expect(pacer.wrote(100_000)).toBe('');
			expect(pacer.room).toBe(Number.POSITIVE_INFINITY);
		} finally {
			vi.useRealTimers();
		}
	});

	test('is quiet at the end even if the last answer does not come', async () => {
		vi.useFakeTimers();
		try {
			const pacer = new Pacer(() => {});
			pacer.begin();
			const quiet = pacer.quiet();
			await vi.advanceTimersByTimeAsync(500);
			await quiet;
		} finally {
			vi.useRealTimers();
		}
	});
});
