import {setImmediate as turn} from 'node:timers/promises';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createReceiveQueue, type ReceiveQueue} from '../../../source/client/stream/receive-queue.ts';

let nowMs = 0;
let read: string[];
let holds: string[];
let queue: ReceiveQueue;
/** What reading one frame takes. */
let costMs = 0;

beforeEach(() => {
	[nowMs, costMs, read, holds] = [0, 0, [], []];
	vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
	queue = createReceiveQueue({
		read(text) {
			nowMs += costMs;
			read.push(text);
		},
		onFull: () => holds.push('full'),
		onRoom: () => holds.push('room'),
		gatherMs: 1,
	});
});

afterEach(() => {
	queue.clear();
	vi.restoreAllMocks();
});

const names = (count: number) => Array.from({length: count}, (_, i) => String(i));

test('frames that no caller awaits are read together, in order', async () => {
	for (const name of names(5)) queue.push(name, false);
	expect(read).toEqual([]);
	await vi.waitFor(() => expect(read).toEqual(names(5)));
});

test('an awaited frame is read at once, after all frames before it', () => {
	queue.push('0', false);
	queue.push('1', true);
	expect(read).toEqual(['0', '1']);
});

test('many frames are read in slices of a few milliseconds, with turns for others in between', async () => {
	costMs = 1;
	for (const name of names(100)) queue.push(name, false);
	let turns = 0;
	while (read.length < 100) {
		await turn();
		turns++;
	}
	expect(read).toEqual(names(100));
	expect(turns).toBeGreaterThan(20);
});

test('a sender that is too fast is paused until there is space again', async () => {
	costMs = 1;
	for (const name of names(1_500)) queue.push(name, false);
	expect(holds).toEqual(['full']);
	while (read.length < 1_500) await turn();
	expect(holds).toEqual(['full', 'room']);
	expect(read).toEqual(names(1_500));
});

test('a few large frames pause the sender as many small ones do', async () => {
	costMs = 10;
	const large = 'x'.repeat(3_000_000);
	for (let i = 0; i < 3; i++) queue.push(large, false);
	expect(holds).toEqual(['full']);
	while (read.length < 3) await turn();
	expect(holds).toEqual(['full', 'room']);
});

test('the queue is read to its end on demand, or dropped', async () => {
	for (const name of names(3)) queue.push(name, false);
	queue.flush();
	expect(read).toEqual(names(3));
	queue.push('lost', false);
	queue.clear();
	queue.push('kept', true);
	expect(read).toEqual([...names(3), 'kept']);
});

test('reading may clear the queue', () => {
	const ending: ReceiveQueue = createReceiveQueue({
		read(text) {
			read.push(text);
			ending.clear();
		},
		onFull() {},
		onRoom() {},
	});
	ending.push('a', false);
	ending.push('b', false);
	ending.flush();
	expect(read).toEqual(['a']);
});
