import {expect, onTestFinished, test, vi} from 'vitest';
import {createClient} from '../../source/client/create-client.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import {freshness} from '../../source/monitor/select.ts';
import {openSession} from '../../source/monitor/session.ts';
import {ticked} from '../../source/monitor/transitions/screen.ts';
import {startService} from '../../source/service/server.ts';
import {steadyNow} from '../../source/steady-clock.ts';
import {createStore} from '../../source/store.ts';
import {CLOCK_CHECK, readClock} from '../../source/trading/checks.ts';
import {until} from '../helpers/until.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';

/* The monitor's state on a real service, while the clock of the machine is set back. In one file: each test goes on from there. */

test.each([25_000, 3_600_000])(
	'newcomers enter, data stays fresh and money can move after the clock was set back by %i ms',
	async byMs => {
		// The clock of the machine is ahead, and then set right.
		const {now} = Date;
		const ahead = vi.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
		const market = new TinyMarket();
		const service = await startService({market, apiKeys: ['k'], flushMs: 20});
		const client = createClient({baseUrl: service.url, apiKey: 'k'});
		const size = {columns: 100, rows: 24};
		const label = {label: 'a service', embedded: false};
		const store = createStore(initialState({size, nowMs: steadyNow(), service: label, theme: 'dark'}));
		const session = openSession(store, client);
		onTestFinished(async () => {
			ahead.mockRestore();
			session.close();
			await client.close();
			await service.close();
		});
		const column = () => store.get().columns.new;
		const add = async (address: string): Promise<void> => {
			market.time += 1000;
			market.add({address, symbol: 'N', created_at: market.time, bonded: false, source: 'pumpfun'});
			await until(() => {
				// As the program does it each second.
				store.apply(state => ticked(state, steadyNow()));
				return column().order[0] === `evm:8453|${address}`;
			});
		};
		const clockCheck = async () => {
			await client.call('health', {query: {}});
			return CLOCK_CHECK.run({clock: readClock(client.clock)});
		};
		await add(`0x${'a'.repeat(40)}`);
		expect(await clockCheck()).toMatchObject({ok: false});
		const before = store.get().nowMs;
		ahead.mockRestore();
		for (const n of [1, 2, 3]) await add(`0x${String(n).repeat(40)}`);
		expect(store.get().nowMs).toBeGreaterThanOrEqual(before);
		expect(freshness(column().dataAtMs, store.get().nowMs)).toBe('fresh');
		expect(await clockCheck()).toMatchObject({ok: true});
	},
);
