import {expect, test} from 'vitest';
import {SenderBusy} from '../../../../source/service/chain/sender.ts';
import {createBatchQueue, createWorkQueue, type Job} from '../../../../source/service/chain/work-queue.ts';

const turn = () => new Promise(resolve => setImmediate(resolve));

test('calls run one after the other, also after a failure', async () => {
	const queue = createWorkQueue();
	const started: string[] = [];
	const [a, b] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
	const run = (name: string, {promise}: typeof a) =>
		queue.run(() => {
			started.push(name);
			return promise;
		});
	const [first, second] = [run('a', a), run('b', b)];
	await turn();
	expect([started, queue.length]).toEqual([['a'], 2]);
	const isShorter = queue.shorterThan(2).then(() => queue.length);
	a.reject(new Error('no'));
	await expect(first).rejects.toThrow('no');
	expect(await isShorter).toBe(1);
	await turn();
	expect(started).toEqual(['a', 'b']);
	b.resolve('done');
	expect(await second).toBe('done');
	await queue.shorterThan(1);
	expect(queue.length).toBe(0);
});

/** A batch queue whose batches end on a call of `end`. */
function heldBatches(most: number) {
	const batches: string[][] = [];
	const ends: (() => void)[] = [];
	const run = async (jobs: readonly Job<string, string>[]): Promise<void> => {
		batches.push(jobs.map(({item}) => item));
		await new Promise<void>(resolve => ends.push(resolve));
		for (const {item, resolve, reject} of jobs) item === 'bad' ? reject(new Error(item)) : resolve(item.toUpperCase());
	};
	const end = async (): Promise<void> => {
		ends.shift()!();
		await turn();
	};
	return {batches, end, queue: createBatchQueue(run, async () => most)};
}

test('what comes while a batch runs is the next batch, in order and up to its limit', async () => {
	const {queue, batches, end} = heldBatches(2);
	const first = queue.add('a');
	await turn();
	const rest = ['b', 'bad', 'c'].map(item => queue.add(item).catch((error: Error) => error.message));
	await turn();
	expect(batches).toEqual([['a']]);
	await end();
	expect([await first, batches.at(-1)]).toEqual(['A', ['b', 'bad']]);
	await end();
	expect(batches.at(-1)).toEqual(['c']);
	await end();
	expect(await Promise.all(rest)).toEqual(['B', 'bad', 'C']);
});

test('an item that waits too long fails and is in no batch; one whose batch has started is not', async () => {
	const {queue, batches, end} = heldBatches(2);
	const first = queue.add('a', 1);
	await turn();
	const late = queue.add('b', 1);
	const next = queue.add('c');
	await expect(late).rejects.toBeInstanceOf(SenderBusy);
	await end();
	expect(await first).toBe('A');
	await end();
	expect([await next, batches]).toEqual(['C', [['a'], ['c']]]);
});
