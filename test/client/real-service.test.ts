import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {createClient} from '../../source/client/create-client.ts';
import type {Entry} from '../../source/contract/entry.ts';
import {startService} from '../../source/service/server.ts';
import type {RunningService} from '../../source/service/service-options.ts';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';

/* Client and service are written by different hands from one contract: here they meet. */

let market: TinyMarket;
let service: RunningService;
let client: Client;

beforeEach(async () => {
	market = new TinyMarket();
	service = await startService({market, flushMs: 20});
	client = createClient({baseUrl: service.url, streamUrl: service.streamUrl, apiKey: service.apiKeys[0]});
});

afterEach(async () => {
	await client.close();
	await service.close();
});

function launch(i: number, marketCap: number): number {
	return market.add({
		address: `0x${String(i).padStart(40, '0')}`,
		chain_id: 'evm:8453',
		symbol: `T${i}`,
		name: `Token ${i}`,
		source: 'pumpfun',
		bonded: false,
		created_at: market.time - i * 1000,
		market_cap: marketCap,
		volume_1h: 5,
	});
}

async function until(holds: () => boolean): Promise<void> {
	const deadline = performance.now() + PATIENCE_MS;
	while (!holds()) {
		if (performance.now() > deadline) throw new Error('waited in vain');
		await new Promise(resolve => setTimeout(resolve, 10));
	}
}

test.each([true, false])('a feed follows the market, by stream: asset mode %s', async assetMode => {
	const rows = [1, 2, 3].map(i => launch(i, i * 100));
	const view = new Map<string, Entry>();
	const feed = client.openFeed({
		request: {assetMode, views: {all: {sortBy: 'created_at', limit: 50}}},
		totalsEveryMs: 0,
		onEvent(event) {
			if (event.type === 'snapshot') {
				view.clear();
				for (const entry of event.entries) view.set(entry.key, entry);
			}
			if (event.type === 'change') {
				for (const entry of event.upserts) view.set(entry.key, entry);
				for (const key of event.removed) view.delete(key);
			}
		},
	});
	const caps = () => [...view.values()].map(entry => entry.market_cap).toSorted((a = 0, b = 0) => a - b);
	await until(() => feed.link.phase === 'live' && view.size === 3);
	expect(caps()).toEqual([100, 200, 300]);
	market.change(rows[0]!, {market_cap: 111});
	launch(4, 400);
	await until(() => caps().join() === '111,200,300,400');
	const [entry] = [...view.values()].filter(({market_cap}) => market_cap === 400);
	expect(entry).toMatchObject({
		chain_id: 'evm:8453',
		symbol: 'T4',
		name: 'Token 4',
		source: 'pumpfun',
		bonded: false,
		volume_1h: 5,
	});
	expect(entry?.created_at).toBe(market.time - 4000);
	feed.setView('all', {sortBy: 'created_at', filters: {market_cap: {gte: 300}}});
	await until(() => caps().join() === '300,400');
	expect(feed.link.droppedEntries).toBe(0);
	feed.close();
});

test('a filter that the service refuses is a problem of its view, and names the field', async () => {
	launch(1, 100);
	const problems: string[] = [];
	const feed = client.openFeed({
		request: {assetMode: true, views: {good: {}, bad: {filters: {no_such_field: {gte: 1}}}}},
		totalsEveryMs: 0,
		onEvent: event => event.type === 'problem' && problems.push(`${event.view}: ${event.error.why}`),
	});
	await until(() => problems.length > 0 && feed.view('good')?.lastSnapshotAtMs !== undefined);
	expect(problems.join('\n')).toContain('bad: ');
	expect(problems.join('\n')).toContain('no_such_field');
	feed.close();
});

test('a wrong key is refused, and the refusal does not repeat it', async () => {
	const stranger = createClient({baseUrl: service.url, apiKey: 'not-the-right-key'});
	const feed = stranger.openFeed({request: {views: {all: {}}}, onEvent() {}});
	await until(() => feed.link.phase === 'refused');
	expect(`${feed.link.error?.message} ${feed.link.error?.why}`).not.toContain('not-the-right-key');
	await stranger.close();
});

test('one token is found by its address and watched', async () => {
	const rows = [1, 2].map(i => launch(i, i * 100));
	const address = `0x${'1'.padStart(40, '0')}`;
	expect(await client.fetchToken({chainId: 'evm:8453', address})).toMatchObject({symbol: 'T1', market_cap: 100});
	expect(await client.fetchToken({chainId: 'evm:8453', address: `0x${'9'.repeat(40)}`})).toBeUndefined();
	const seen: (number | undefined)[] = [];
	const watch = client.watchToken({chainId: 'evm:8453', address}, entry => seen.push(entry?.market_cap));
	await until(() => seen.includes(100) && watch.link.phase === 'live');
	market.change(rows[0]!, {market_cap: 123});
	await until(() => seen.at(-1) === 123);
	watch.close();
});

test('totals come from the pagination endpoint', async () => {
	for (let i = 1; i <= 7; i++) launch(i, i);
	const feed = client.openFeed({
		request: {assetMode: true, views: {all: {limit: 2}}},
		totalsEveryMs: 100,
		onEvent() {},
	});
	await until(() => feed.view('all')?.total === 7);
	feed.close();
});
