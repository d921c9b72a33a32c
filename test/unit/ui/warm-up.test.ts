import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {initialState} from '../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../source/monitor/state.ts';
import {snapshotArrived} from '../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../source/monitor/transitions/screen.ts';
import {VIEWS, type ViewName} from '../../../source/monitor/views.ts';
import {createStore} from '../../../source/store.ts';
import {glyphsFor} from '../../../source/ui/glyphs.ts';
import {warmUp} from '../../../source/ui/warm-up.tsx';
import {entryOf} from '../../helpers/entries.ts';
import {fc} from '../../helpers/properties.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

function open(size: MonitorState['size'] = {columns: 120, rows: 40}) {
	const service = {label: 'simulated market', embedded: true};
	const store = createStore(initialState({size, nowMs: NOW_MS, service, theme: 'dark'}));
	const listeners = new Set<() => void>();
	const watched = {
		...store,
		subscribe(listener: () => void) {
			const unsubscribe = store.subscribe(listener);
			listeners.add(listener);
			return () => {
				unsubscribe();
				listeners.delete(listener);
			};
		},
	};
	const arrive = (view: ViewName, symbols: readonly string[]): void =>
		store.apply(state =>
			columnChanged(state, view, column =>
				snapshotArrived(
					column,
					symbols.map(symbol => entryOf(symbol, {symbol})),
					NOW_MS,
				),
			),
		);
	return {store: watched, arrive, listeners};
}

const canvas = (isAscii = false) => ({glyphs: glyphsFor(isAscii)});

describe('windows made beforehand', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());

	test('wait for the rows of every column', () => {
		const {store, arrive} = open();
		warmUp(store, canvas());
		arrive('new', ['AAA']);
		arrive('bonding', []);
		expect(vi.getTimerCount()).toBe(0);
		arrive('bonded', ['BBB']);
		expect(vi.getTimerCount()).toBe(1);
	});

	test('change nothing of the state, notify no listener, and leave neither a timer nor a listener', async () => {
		const {store, arrive, listeners} = open();
		warmUp(store, canvas());
		for (const view of VIEWS) arrive(view, ['AAA', 'BBB']);
		const before = store.get();
		const told = vi.fn();
		store.subscribe(told);
		await vi.runAllTimersAsync();
		expect(store.get()).toBe(before);
		expect(told).not.toHaveBeenCalled();
		expect(vi.getTimerCount()).toBe(0);
		expect(listeners.size).toBe(1);
	});

	test('are left as they are when the program ends', () => {
		const {store, arrive, listeners} = open();
		const early = warmUp(store, canvas());
		early();
		expect(listeners.size).toBe(0);
		const late = warmUp(store, canvas());
		for (const view of VIEWS) arrive(view, ['AAA']);
		vi.advanceTimersToNextTimer();
		late();
		expect(vi.getTimerCount()).toBe(0);
	});

	test('can be made on a screen of any size, with tokens or without', async () => {
		const screen = fc.record({columns: fc.integer({min: 1, max: 250}), rows: fc.integer({min: 1, max: 80})});
		await fc.assert(
			fc.asyncProperty(screen, fc.boolean(), fc.constantFrom([], ['AAA']), async (size, isAscii, symbols) => {
				const {store, arrive} = open(size);
				warmUp(store, canvas(isAscii));
				for (const view of VIEWS) arrive(view, symbols);
				await vi.runAllTimersAsync();
				expect(vi.getTimerCount()).toBe(0);
			}),
			{numRuns: 40},
		);
	});
});
