import {expect, onTestFinished, test, vi} from 'vitest';
import {createClient} from '../../source/client/create-client.ts';
import type {Column} from '../../source/monitor/columns/column.ts';
import {startService} from '../../source/service/server.ts';
import {openTestMonitor, type TestMonitor} from '../helpers/monitor-app.tsx';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';

/* The way past the first rows of a column, on the real service: by its REST pages and its stream. */

/** A market with so many launches, T1 the newest, a second apart. */
async function open(launches: number) {
	const market = new TinyMarket();
	const launch = (i: number) =>
		market.add({
			address: `0x${String(i + 1000).padStart(40, '0')}`,
			chain_id: 'evm:8453',
			symbol: `T${i}`,
			source: 'pumpfun',
			bonded: false,
			bonding_percentage: 5,
			created_at: market.time - i * 1000,
			market_cap: 1000 + i,
			volume_1h: 0,
		});
	for (let i = 1; i <= launches; i++) launch(i);
	const service = await startService({market, flushMs: 20});
	const client = createClient({baseUrl: service.url, streamUrl: service.streamUrl, apiKey: service.apiKeys[0]});
	const monitor = openTestMonitor({size: {columns: 160, rows: 40}, reading: client});
	// The notices so far: the next may follow at once.
	const said: string[] = [];
	monitor.store.subscribe(() => said.push(monitor.store.get().notice?.text ?? ''));
	const closeService = vi.fn(() => service.close());
	onTestFinished(async () => {
		monitor.close();
		await client.close();
		if (closeService.mock.calls.length === 0) await closeService();
	});
	const column = (): Column => monitor.store.get().columns.new;
	await until(() => column().rows.size === Math.min(50, launches) && column().total === launches);
	await until(() => monitor.store.get().link?.phase === 'live');
	return {monitor, market, launch, column, closeService, said};
}

const until = (holds: () => boolean) =>
	vi.waitFor(() => expect(holds()).toBe(true), {timeout: PATIENCE_MS, interval: 10});
const title = (monitor: TestMonitor) => monitor.frame().split('\n')[1]!.split('│')[0]!;
const cursor = (column: Column) => column.cursor && column.rows.get(column.cursor)?.entry.symbol;

test(
	'at the end of a column the next rows are read, stay live, and g goes back to the newest',
	async () => {
		const {monitor, market, launch, column, said} = await open(130);
		monitor.press('G');
		expect(cursor(column())).toBe('T50');
		monitor.press('j');
		expect(title(monitor)).toContain('loading');
		await until(() => column().page !== undefined);
		expect(title(monitor)).toMatch(/NEW 51-100\/130 /);
		expect(cursor(column())).toBe('T51');

		// Its rows are live, and what is launched meanwhile moves none of them.
		await until(() => column().page!.isLive);
		market.change(52, {market_cap: 77_777});
		const capOf = (key: string) => column().rows.get(key)?.entry.market_cap;
		await until(() => column().order.some(key => capOf(key) === 77_777));
		expect(monitor.frame()).toContain('77.8K');
		launch(0);
		await until(() => column().page!.head.waiting === 1);
		expect(title(monitor)).toContain('51-100/');
		expect(title(monitor)).toContain('+1 new');

		// On from there nothing is missed and nothing comes twice, though every place moved by one.
		monitor.press('G', '\u001b[6~');
		await until(() => column().page!.from === 101);
		expect(column().order.map(key => column().rows.get(key)!.entry.symbol)).toEqual(
			Array.from({length: 30}, (_, at) => `T${101 + at}`),
		);
		monitor.press('G', 'G');
		await until(() => said.includes('These are the last tokens of this column.'));
		expect(title(monitor)).toMatch(/NEW 101-130\/13\d /);

		monitor.press('g');
		expect(column().page).toBeUndefined();
		expect(column().frozen).toBe(false);
		expect(monitor.frame().split('\n')[4]).toContain('T0 ');
	},
	2 * PATIENCE_MS,
);

test(
	'going up from a page leads over the pages before it to where the cursor left the first rows',
	async () => {
		const {monitor, column} = await open(170);
		monitor.press('G', 'j');
		await until(() => column().page?.from === 51);
		monitor.press('G', 'j');
		await until(() => column().page?.from === 101);
		monitor.press('k');
		await until(() => column().page?.from === 51);
		expect(cursor(column())).toBe('T100');
		monitor.press('50k');
		expect(cursor(column())).toBe('T51');
		monitor.press('k');
		expect(column().page).toBeUndefined();
		expect(cursor(column())).toBe('T50');
		monitor.press('k', '\u001b');
		expect(column().frozen).toBe(false);
	},
	2 * PATIENCE_MS,
);

test(
	'another sort, filter or scope shows the first rows again, and Esc lets them go on',
	async () => {
		const {monitor, column} = await open(60);
		for (const keys of [['s', '\r'], ['f', 'mcap>5', '\r'], ['\u001b']]) {
			await until(() => column().status.kind === 'ready' && column().rows.size === 50);
			monitor.press('G', 'j');
			await until(() => column().page !== undefined);
			monitor.press(...keys);
			expect(column().page).toBeUndefined();
		}
		expect(column().frozen).toBe(false);
	},
	2 * PATIENCE_MS,
);

test(
	'an unavailable service is reported, and the rows stay',
	async () => {
		const {monitor, column, closeService, said} = await open(120);
		monitor.press('G', 'j');
		await until(() => column().page !== undefined);
		await closeService();
		monitor.press('G', 'j');
		await until(() => said.some(text => text.startsWith('More tokens could not be read. ')));
		await until(() => column().turning === undefined);
		expect(column().page?.from).toBe(51);
		expect(cursor(column())).toBe('T100');
		expect(title(monitor)).not.toContain('loading');
	},
	2 * PATIENCE_MS,
);

test(
	'a column that shows all there is asks for no more',
	async () => {
		const {monitor, column} = await open(20);
		monitor.press('G', 'j', 'j', 'G');
		expect(column().turning).toBeUndefined();
		expect(cursor(column())).toBe('T20');
	},
	2 * PATIENCE_MS,
);
