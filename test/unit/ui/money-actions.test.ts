import {expect, test} from 'vitest';
import type {LinkState} from '../../../source/client/feed/feed-events.ts';
import {createMonitorActions, type Effects, type MonitorActions} from '../../../source/monitor/actions.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import {type MonitorState, topMode} from '../../../source/monitor/state.ts';
import {createStore} from '../../../source/store.ts';
import {createMoneyActions} from '../../../source/ui/money/money-actions.ts';
import type {MoneyState} from '../../../source/ui/money/money-state.ts';
import type {MoneyWindows} from '../../../source/ui/money/money-windows.ts';

/** Money actions on a monitor whose service has not answered yet. */
function beforeTheStart() {
	const store = createStore<MonitorState>(
		initialState({size: {columns: 80, rows: 24}, nowMs: 0, service: {label: 'x', embedded: true}, theme: 'dark'}),
	);
	const actions: MonitorActions = createMonitorActions(store, {nowMs: () => 0} as Effects);
	const done: string[] = [];
	const windows = {
		wallet: {lockSigning: () => done.push('lock signing')},
		windows: {bridge: {open: async () => done.push('open')}},
	} as unknown as MoneyWindows;
	const money = createMoneyActions({
		store,
		actions,
		money: createStore<MoneyState>({wallet: {mode: 'practice', status: 'none'}}),
		load: async () => {
			done.push('load');
			return windows;
		},
		nowMs: () => 0,
	});
	const hear = (phase: 'connecting' | 'live'): void =>
		store.apply(state => ({...state, link: {...state.link, phase} as LinkState}));
	return {store, actions, money, done, hear};
}

test('a window that is opened while the service starts waits for it', async () => {
	const {store, money, done, hear} = beforeTheStart();
	money.moneyOpen('bridge');
	expect(topMode(store.get()).kind).toBe('bridge');
	hear('connecting');
	await Promise.resolve();
	expect(done).toEqual([]);
	hear('live');
	await expect.poll(() => done).toEqual(['load', 'open']);
});

test('a window that is closed while the service starts does not open afterwards', async () => {
	const {store, money, actions, done, hear} = beforeTheStart();
	money.moneyOpen('bridge');
	actions.leaveMode();
	hear('live');
	await new Promise(resolve => setTimeout(resolve, 0));
	expect(done).toEqual([]);
	expect(topMode(store.get()).kind).not.toBe('bridge');
});

test('signing stays locked also when its key is pressed before any money window was opened', async () => {
	const {store, money, done, hear} = beforeTheStart();
	money.lockSigning();
	expect(store.get().notice?.text).toBe('Signing is locked until you restart pulsetop.');
	money.moneyOpen('bridge');
	hear('live');
	await expect.poll(() => done).toEqual(['load', 'lock signing', 'open']);
});
