import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {type Connected, connect} from '../../source/commands/monitor/run.ts';
import {openService} from '../../source/commands/service/open-service.ts';
import type {Config} from '../../source/config/config.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import type {MonitorState} from '../../source/monitor/state.ts';
import {createStore} from '../../source/store.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';

test('the history of an embedded market rings no alert', async () => {
	const dataDir = await mkdtemp(join(tmpdir(), 'pulsetop-history-'));
	const rule = {where: 'all', line: 'mcap>0', isOff: false, isConfigured: true} as const;
	const size = {columns: 80, rows: 24};
	const service = {label: 'simulated market', embedded: true};
	const store = createStore<MonitorState>(
		initialState({size, service, nowMs: Date.now(), theme: 'dark', rules: [rule]}),
	);
	const running: Connected = {};
	const config = {service: {}, embedded: {seed: 7, rate: 1}, follow: {}, dataDir, provider: {}} as unknown as Config;
	try {
		await connect(store, openService(config), running);
		const rangWhileMuted: number[] = [];
		store.subscribe(() => {
			const {isMuted, recent} = store.get().alerts;
			if (isMuted) rangWhileMuted.push(recent.length);
		});
		// On a slow machine the history may be loaded before the first rows are here. A row that has left is sent in its own
		// frame, a moment after the row that took its place: there may be one more.
		await expect
			.poll(
				() => {
					const {alerts, columns} = store.get();
					return alerts.isMuted === undefined && columns.bonding.rows.size >= columns.bonding.limit;
				},
				{interval: 20, timeout: PATIENCE_MS},
			)
			.toBe(true);
		const {alerts} = store.get();
		expect(Math.max(0, ...rangWhileMuted)).toBe(0);
		// A token that was reported late would ring with the next change of its figures: it is known.
		expect(alerts.recent.length).toBeLessThan(5);
	} finally {
		running.session?.close();
		store.close();
		await running.client?.close();
		await running.service?.close();
		await rm(dataDir, {recursive: true, force: true});
	}
});
