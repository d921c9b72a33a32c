import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {createStore} from '../../source/store.ts';

const TICK_MS = 200;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a keypress takes the waiting changes with it, and the next tick comes a whole tick later', () => {
	const store = createStore('', {tickMs: TICK_MS});
	let notified = 0;
	store.subscribe(() => notified++);
	const say = (word: string) => (state: string) => state + word;
	store.later(say('a'));
	vi.advanceTimersByTime(20);
	expect(store.get()).toBe('a');

	store.later(say('b'));
	vi.advanceTimersByTime(TICK_MS / 2);
	store.apply(say('!'));
	expect(store.get()).toBe('a!');
	store.hasten();
	expect(store.get()).toBe('a!b');
	notified = 0;
	store.later(say('c'));
	vi.advanceTimersByTime(TICK_MS - 1);
	expect([store.get(), notified]).toEqual(['a!b', 0]);
	vi.advanceTimersByTime(1);
	expect([store.get(), notified]).toEqual(['a!bc', 1]);
});

test('a key that repeats hastens four ticks in the time of one at most, and none when nothing waits', () => {
	const store = createStore(0, {tickMs: TICK_MS});
	store.later(count => count + 1);
	vi.advanceTimersByTime(TICK_MS);
	let ticks = 0;
	store.subscribe(() => ticks++);
	for (let ms = 0; ms < TICK_MS; ms += 10) {
		store.later(count => count + 1);
		vi.advanceTimersByTime(10);
		store.hasten();
	}
	expect(ticks).toBe(4);
	vi.advanceTimersByTime(TICK_MS);
	expect([store.get(), ticks]).toEqual([21, 5]);
	store.hasten();
	expect(ticks).toBe(5);
});
