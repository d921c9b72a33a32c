import {expect, test} from 'vitest';
import {initialState} from '../../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../../source/monitor/state.ts';
import {changesArrived, orderSettled, snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import {REORDER_MS} from '../../../../source/pacing.ts';
import {createStore} from '../../../../source/store.ts';
import {createAnnouncer} from '../../../../source/ui/plain/announcer.ts';
import {entryOf} from '../../../helpers/entries.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0);

test('a newcomer that waits for its place in the order is announced once it has one', () => {
	const size = {columns: 80, rows: 24};
	const service = {label: 'x', embedded: true};
	const store = createStore<MonitorState>(initialState({size, nowMs: NOW, service, theme: 'dark'}));
	const lines: string[] = [];
	const announcer = createAnnouncer(store, line => lines.push(line));
	const at = (ms: number, change: Parameters<typeof columnChanged>[2]) => {
		store.apply(state => columnChanged({...state, nowMs: NOW + ms}, 'new', change));
		announcer.update();
	};
	at(0, column => snapshotArrived(column, [entryOf('first', {created_at: NOW})], NOW));
	const newcomer = entryOf('second', {symbol: 'SECOND', created_at: NOW + 10_000});
	// The order was put right a moment ago: the row is there, its place is not.
	at(10_000, column => changesArrived({...column, orderedAtMs: NOW + 9900}, [newcomer], [], NOW + 10_000));
	expect(lines).toEqual([]);
	at(10_000 + REORDER_MS, column => orderSettled(column, NOW + 10_000 + REORDER_MS));
	expect(lines.join()).toContain('New in new: SECOND');
	announcer.stop();
});
