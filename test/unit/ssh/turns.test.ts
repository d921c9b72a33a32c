import {expect, test} from 'vitest';
import {Turns} from '../../../source/ssh/turns.ts';

const settled = async (holds: () => boolean): Promise<void> => {
	while (!holds()) await new Promise(resolve => setImmediate(resolve));
};

/** Work that takes so long, ms. */
function busy(ms: number): void {
	const untilMs = performance.now() + ms;
	while (performance.now() < untilMs);
}

test('work runs in its order, never inside the call that adds it, and what is urgent runs first', async () => {
	const turns = new Turns();
	const done: string[] = [];
	turns.add(() => done.push('a'));
	turns.add(() => done.push('b'));
	turns.add(() => done.push('key'), true);
	expect(done).toEqual([]);
	await settled(() => done.length === 3);
	expect(done).toEqual(['key', 'a', 'b']);
});

test('between two slices of much work the event loop has its turn, and what came in it is not lost', async () => {
	const turns = new Turns();
	const done: string[] = [];
	for (let at = 0; at < 20; at++)
		turns.add(() => {
			busy(3);
			done.push(String(at));
			if (at === 0) setImmediate(() => turns.add(() => done.push('key'), true));
			if (at === 5) turns.add(() => done.push('late'));
		});
	await settled(() => done.length === 22);
	expect(done.filter(what => /\d/.test(what))).toEqual(Array.from({length: 20}, (_, at) => String(at)));
	expect(done.indexOf('key')).toBeLessThan(10);
	expect(done.at(-1)).toBe('late');
});
