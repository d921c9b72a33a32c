import {expect, test} from 'vitest';
import {createMonitorActions, type Effects, type MonitorActions} from '../../../source/monitor/actions.ts';
import {initialState} from '../../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../../source/monitor/state.ts';
import {createStore} from '../../../source/store.ts';
import {createMoneyActions} from '../../../source/ui/money/money-actions.ts';
import type {MoneyState} from '../../../source/ui/money/money-state.ts';
import type {MoneyWindows} from '../../../source/ui/money/money-windows.ts';

test('signing stays locked also when its key is pressed before any money window was opened', async () => {
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
		load: async () => windows,
		nowMs: () => 0,
	});
	money.lockSigning();
	expect(store.get().notice?.text).toBe('Signing is locked until you restart pulsetop.');
	money.moneyOpen('bridge');
	await expect.poll(() => done).toEqual(['lock signing', 'open']);
});
