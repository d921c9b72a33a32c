import {expect, onTestFinished, test} from 'vitest';
import {createClient} from '../../../../source/client/create-client.ts';
import {feedOutput} from '../../../../source/commands/feed/feed.ts';
import {readViews} from '../../../../source/commands/feed/once.ts';
import {PerverseServer} from '../../../client/perverse-server.ts';

test('a view is sorted and limited here for a service that knows neither sorts nor limits', async () => {
	const server = await PerverseServer.start();
	onTestFinished(() => server.stop());
	for (const [address, cap] of Object.entries({'0xa1': 3, '0xa2': 1, '0xa3': 7, '0xa4': 1, '0xa5': 9}))
		server.put('new', {address, market_cap: cap});
	const client = createClient({baseUrl: server.url, streamUrl: null});
	onTestFinished(() => client.close());
	const view = {model: 'new', sortBy: 'market_cap', sortOrder: 'asc', limit: 3} as const;
	const {views, hasUnread} = await readViews(client, {assetMode: true, views: {new: view}}, {totals: false});
	expect(hasUnread).toBe(false);
	// What is equal stays in the service's order.
	expect(views.get('new')?.entries.map(({address}) => address)).toEqual(['0xa2', '0xa4', '0xa1']);
});

test('the total is waited for, also where the service fails to count at first', async () => {
	const server = await PerverseServer.start();
	onTestFinished(() => server.stop());
	server.put('new', {address: '0xa1', market_cap: 3});
	const path = '/api/2/pulse/pagination';
	for (let i = 0; i < 3; i++) server.httpFaults.push({path, fault: {kind: 'answer', status: 500}});
	const client = createClient({baseUrl: server.url, streamUrl: null});
	onTestFinished(() => client.close());
	const {views} = await readViews(client, {assetMode: true, views: {new: {model: 'new'}}}, {totals: true});
	expect(views.get('new')?.total).toBe(1);
	expect(server.requests.filter(request => request.path === path).length).toBeGreaterThan(1);
});

test('views without tokens are a sentence for people, and a document for programs', () => {
	const views = new Map([['new', {entries: [], total: 0, isLocal: false, isUnsorted: false}]]);
	const {table, document, items} = feedOutput({views, hasUnread: false}, 5, {width: 80, ascii: false});
	expect(table()).toBe('No token matches.\n');
	expect([document, items]).toEqual([{schema: 'pulsetop.feed/1', atMs: 5, views: {new: {total: 0, tokens: []}}}, []]);
});
