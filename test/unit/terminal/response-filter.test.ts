import {Readable} from 'node:stream';
import {describe, expect, test, vi} from 'vitest';
import {Pacer} from '../../../source/terminal/pacer.ts';
import {withoutResponses} from '../../../source/terminal/response-filter.ts';

/** A paced terminal's keyboard. `ask` has the pacer wait for one more response. */
function keyboard() {
	const source = Object.assign(new Readable({read() {}}), {
		isTTY: true,
		isRaw: false,
		setRawMode: vi.fn(),
		ref: vi.fn(),
		unref: vi.fn(),
	});
	const pacer = new Pacer(() => {});
	const stdin = withoutResponses(source as unknown as NodeJS.ReadStream, pacer);
	let keys = '';
	const heard = (text: string): void => {
		keys += text;
	};
	stdin.on('data', heard);
	return {
		stdin,
		source,
		pacer,
		heard,
		ask: () => pacer.begin(),
		type: async (text: string) => {
			source.push(text);
			await new Promise(resolve => setImmediate(resolve));
		},
		keys: () => keys,
	};
}

describe('the keys of a paced screen', () => {
	test('come through as they are while no answer is to come', async () => {
		const {type, keys} = keyboard();
		await type('jk\x1B[0n\x1B[A\x1B');
		expect(keys()).toBe('jk\x1B[0n\x1B[A\x1B');
	});

	test('are without the answer that was to come, and the pacer has it', async () => {
		const {ask, type, keys, pacer} = keyboard();
		ask();
		await type('j\x1B[0nk');
		expect(keys()).toBe('jk');
		expect(pacer.isWaiting).toBe(false);
	});

	test('are without an answer that comes in two reads', async () => {
		const {ask, type, keys} = keyboard();
		ask();
		await type('j\x1B[');
		expect(keys()).toBe('j');
		await type('0nk');
		expect(keys()).toBe('jk');
	});

	test('have their Escape, a moment later, if it was no answer', async () => {
		const {ask, type, keys} = keyboard();
		ask();
		await type('\x1B');
		expect(keys()).toBe('');
		await expect.poll(keys).toBe('\x1B');
		ask();
		await type('\x1B');
		await type('[A');
		expect(keys()).toBe('\x1B\x1B[A');
	});

	test('can be read as Ink reads them', async () => {
		const {stdin, ask, type, heard} = keyboard();
		stdin.off('data', heard);
		const read: unknown[] = [];
		stdin.on('readable', () => {
			for (let text = stdin.read(); text !== null; text = stdin.read()) read.push(text);
		});
		ask();
		await type('a\x1B[0nb');
		expect(read).toEqual(['ab']);
	});

	test('stay raw until the last answer has come, so that none is typed into the shell', async () => {
		const {stdin, source, ask, type, heard} = keyboard();
		stdin.setRawMode(true);
		ask();
		stdin.off('data', heard);
		stdin.setRawMode(false);
		expect(source.setRawMode).not.toHaveBeenCalledWith(false);
		await type('\x1B[0n');
		expect(source.setRawMode).toHaveBeenLastCalledWith(false);
	});
});

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
		expect(pacer.wrote(2000)).toBe('\x1B[5n');
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
