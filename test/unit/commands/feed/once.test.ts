import {expect, onTestFinished, test} from 'vitest';
import {createClient} from '../../../../source/client/create-client.ts';
import {feedOutput} from '../../../../source/commands/feed/feed.ts';
import {readViews} from '../../../../source/commands/feed/once.ts';
import {DEFAULT_RISK_THRESHOLDS} from '../../../../source/monitor/tokens/risk.ts';
import {PerverseServer} from '../../../client/perverse-server.ts';
import {entryOf} from '../../../helpers/entries.ts';

const LOOK = {width: 120, ascii: false, thresholds: DEFAULT_RISK_THRESHOLDS};

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
	const {table, document, items} = feedOutput({views, hasUnread: false}, 5, LOOK);
	expect(table()).toBe('No token matches.\n');
	expect([document, items]).toEqual([{schema: 'pulsetop.feed/1', atMs: 5, views: {new: {total: 0, tokens: []}}}, []]);
});

test('the table names the worst risk of each token, by the thresholds of the configuration', () => {
	const holdings = {
		...{dev_holdings_percentage: 7, top_10_holdings_percentage: 20, snipers_holdings_percentage: 0},
		...{insiders_holdings_percentage: 0, bundlers_holdings_percentage: 0},
	};
	const NO_AUTHORITY = {isMintable: false, transferPausable: false};
	const entries = [
		entryOf('a', {symbol: 'TRAP', security: {isHoneypot: true}, ...holdings}),
		entryOf('b', {symbol: 'HELD', ...holdings}),
		entryOf('c', {symbol: 'FINE', ...holdings, dev_holdings_percentage: 4, security: NO_AUTHORITY}),
		entryOf('d', {symbol: 'DARK'}),
	];
	const views = new Map([['new', {entries, total: 4, isLocal: false, isUnsorted: false}]]);
	const risks = (look: typeof LOOK): readonly string[] => {
		const [heads, ...rows] = feedOutput({views, hasUnread: false}, 5, look).table().trimEnd().split('\n');
		const at = heads!.indexOf('RISK');
		return rows.map(row => row.slice(at, at + 8).trim());
	};
	expect(risks(LOOK)).toEqual(['honey!', 'dev 7+', '·', '?']);
	const strict = {...DEFAULT_RISK_THRESHOLDS, top10: {warn: 5, bad: 10}};
	expect(risks({...LOOK, ascii: true, thresholds: strict})).toEqual(['honey!', 'top 20!', 'top 20!', '?']);
});
