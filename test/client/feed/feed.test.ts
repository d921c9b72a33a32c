import {describe, expect, test} from 'vitest';
import {feedsForEachTest, isLive} from './feed-world.ts';

const feeds = feedsForEachTest();
const {open, openRequest, agrees} = feeds;

describe('a feed of a service that knows no filters', () => {
	// `lte` is one that the server here does not know; a pinned token is shown with any figures.
	const views = {new: {filters: {market_cap: {lte: 4}}, includeTokens: ['0xA9']}};

	test.each([
		['over the stream', {}],
		['by REST', {streamUrl: null}],
	])('emits only matching entries, %s', async (_, options) => {
		for (const i of [4, 5, 6, 7, 8, 9]) feeds.server.put('new', {address: `0xa${i}`, market_cap: i});
		const world = openRequest(options, {assetMode: true, views}, {totalsEveryMs: 20});
		const believes = () => Object.keys(world.believes('new'));
		await world.until(() => believes().join() === '0xa1,0xa2,0xa3,0xa4,0xa9');
		if (!('streamUrl' in options)) await world.until(isLive(world));
		feeds.server.put('new', {address: '0xa1', market_cap: 50});
		feeds.server.put('new', {address: '0xa5', market_cap: 1});
		feeds.server.put('new', {address: '0xab', market_cap: 70});
		await world.until(() => believes().join() === '0xa2,0xa3,0xa4,0xa5,0xa9');
		const emitted = world.events.flatMap(event => (event.type === 'change' ? event.removed : []));
		expect(emitted.filter(key => key.endsWith('0xab'))).toEqual([]);
		// Its totals are those of another request.
		await world.until(() => feeds.server.requests.filter(({path}) => path.endsWith('/pagination')).length > 2);
		expect(world.events.some(({type}) => type === 'total')).toBe(false);
	});

	test('emits no token of another deployer; of some the deployer is not known', async () => {
		for (const [address, deployer] of Object.entries({'0xa4': '0xDE', '0xa5': '0xde', '0xa6': '0xee', '0xa7': '0xff'}))
			feeds.server.put('new', {address, market_cap: 1, deployer});
		const world = openRequest({}, {assetMode: true, views: {new: {filters: {deployer: {equals: '0xdE'}}}}});
		await world.until(() => Object.keys(world.believes('new')).join() === '0xa1,0xa2,0xa3,0xa4,0xa5');
		expect(world.feed.view('new')).toMatchObject({isUnfiltered: true});
	});

	test('emits no token that is far older than the filter allows', async () => {
		const aged = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
		for (const [address, hours] of Object.entries({'0xa4': 0, '0xa5': 5, '0xa6': 6, '0xa7': 7}))
			feeds.server.put('new', {address, market_cap: 1, created_at: aged(hours)});
		const world = openRequest({}, {assetMode: true, views: {new: {filters: {created_at_offset: {lte: 1800}}}}});
		await world.until(() => Object.keys(world.believes('new')).join() === '0xa1,0xa2,0xa3,0xa4');
	});

	test('leaves a row alone that may only be a moment behind its filter', async () => {
		feeds.server.put('new', {address: '0xa5', market_cap: 5});
		const world = openRequest({}, {assetMode: true, views});
		await world.until(() => Object.keys(world.believes('new')).includes('0xa5'));
	});
});

describe('a feed of a service that sends rows in its own order', () => {
	const caps = Array.from({length: 12}, (_, i) => i + 1);
	const by = (sortOrder: 'asc' | 'desc', limit: number) => ({sortBy: 'market_cap', sortOrder, limit});

	test.each([
		['over the stream', {}],
		['by REST', {streamUrl: null}],
	])('says whether they are the first ones of all, %s', async (_, options) => {
		for (const cap of caps) feeds.server.put('new', {address: `0xa${cap}`, market_cap: cap});
		const world = openRequest(options, {assetMode: true, views: {new: by('desc', 12)}});
		const isUnsorted = () => world.feed.view('new')?.isUnsorted;
		await world.until(() => isUnsorted() === true);
		if (!('streamUrl' in options)) await world.until(isLive(world));
		const pending = () => world.feed.view('new')?.isPending;
		// With the whole list at hand, the order of the reader is right.
		for (const [request, expected] of [
			[by('desc', 50), false],
			[by('desc', 11), true],
			[by('asc', 12), false],
		] as const) {
			world.feed.setView('new', request);
			expect(isUnsorted()).toBe(false);
			await world.until(() => pending() === false && isUnsorted() === expected);
		}
	});

	test('asks REST before it says so: a stream may send rows in any order', async () => {
		for (const cap of caps) feeds.server.put('new', {address: `0xa${cap}`, market_cap: cap});
		feeds.server.sortsREST = true;
		const world = openRequest({}, {assetMode: true, views: {new: by('asc', 4)}});
		await world.until(isLive(world));
		world.feed.setView('new', by('desc', 12));
		const full = () => world.snapshots('new');
		await world.until(() => full().includes('init') && full().at(-1) === 'rest');
		expect(world.feed.view('new')).toMatchObject({isUnsorted: false, isPending: false});
		expect(Object.keys(world.believes('new'))).toHaveLength(12);
	});
});

test('a service whose stream keeps no order is asked by REST once a sort, whether REST responds or not', async () => {
	for (let cap = 1; cap <= 12; cap++) feeds.server.put('new', {address: `0xa${cap}`, market_cap: cap});
	const request = {sortBy: 'market_cap', sortOrder: 'asc', limit: 12} as const;
	const world = openRequest({}, {assetMode: true, views: {new: request}});
	await world.until(isLive(world));
	feeds.server.httpFault = {kind: 'answer', status: 500};
	const asked = () => feeds.server.requests.filter(({path}) => path === '/api/2/pulse').length;
	const before = asked();
	world.feed.setView('new', {...request, sortOrder: 'desc'});
	await world.until(() => asked() === before + 1);
	for (let n = 0; n < 5; n++) feeds.server.sync('new');
	await world.until(() => world.snapshots('new').filter(source => source === 'sync').length === 5);
	expect(asked()).toBe(before + 1);
	expect(world.feed.view('new')).toMatchObject({isUnsorted: false, source: 'stream'});
});

describe('a feed of a well-behaved service', () => {
	test('emits a snapshot by REST, then the stream takes over', async () => {
		const world = open();
		await world.until(isLive(world));
		await world.until(agrees(world));
		expect(world.snapshots('new')).toContain('init');
		expect(world.feed.view('new')).toMatchObject({source: 'stream', isPending: false, generation: 1});
	});

	test('follows new, changed and removed tokens', async () => {
		const world = open();
		await world.until(isLive(world));
		feeds.server.put('new', {address: '0xa4', market_cap: 4});
		feeds.server.put('new', {address: '0xa1', market_cap: 100});
		feeds.server.remove('new', '0xa2');
		await world.until(agrees(world));
		expect(world.believes('new')).toEqual({'0xa1': 100, '0xa3': 3, '0xa4': 4});
	});

	test('understands a batch of updates, and removals by entry', async () => {
		const world = open();
		await world.until(isLive(world));
		feeds.server.view('new').set('0xa1', {address: '0xa1', market_cap: 7});
		feeds.server.send('new', {
			type: 'update',
			payload: {new: {data: [{chainId: 'evm:8453', address: '0xA1', market_cap: 7}]}},
		});
		feeds.server.view('new').delete('0xa3');
		feeds.server.send('new', {
			type: 'remove-token',
			payload: {viewName: 'new', token: {chainId: 'evm:8453', address: '0xA3'}},
		});
		await world.until(() => world.believes('new')['0xA1'] === 7 && !('0xa3' in world.believes('new')));
		expect(world.believes('new')).toEqual({'0xA1': 7, '0xa2': 2});
	});

	test('an update that leaves a field out does not erase it, a sync does', async () => {
		feeds.server.put('new', {address: '0xa1', market_cap: 1, holders_count: 9});
		const world = open();
		await world.until(isLive(world));
		feeds.server.put('new', {address: '0xa1', market_cap: 2, holders_count: null});
		await world.until(agrees(world));
		expect(world.views.get('new')?.get('evm:8453|0xa1')?.holders_count).toBe(9);
		feeds.server.sync('new');
		await world.until(() => world.snapshots('new').includes('sync'));
		expect(world.views.get('new')?.get('evm:8453|0xa1')?.holders_count).toBeUndefined();
	});

	test('a changed request replaces its view alone, and late answers to the old one are dropped', async () => {
		const world = open();
		await world.until(isLive(world));
		const [old] = feeds.server.subscriptions.filter(({view}) => view === 'new');
		world.feed.setView('new', {filters: {market_cap: {gte: 3}}});
		await world.until(() => world.agreesWith(feeds.server, 'new', {filters: {market_cap: {gte: 3}}}));
		expect(world.believes('new')).toEqual({'0xa3': 3});
		feeds.server.sendTo(old!, {
			type: 'sync',
			payload: {new: {data: [{chainId: 'evm:8453', address: '0xa1', market_cap: 1}]}},
		});
		feeds.server.put('bonding', {address: '0xb2', market_cap: 20});
		await world.until(() => '0xb2' in world.believes('bonding'));
		expect(world.believes('new')).toEqual({'0xa3': 3});
		expect(world.feed.link.lateFrames).toBeGreaterThan(0);
		expect(world.snapshots('bonding').filter(source => source === 'init')).toHaveLength(1);
	});

	test('a view keeps its data while a new request is pending', async () => {
		const world = open();
		await world.until(isLive(world));
		feeds.server.stream.noInit = true;
		const release = Promise.withResolvers<void>();
		feeds.server.httpFault = {kind: 'hold', release: release.promise};
		world.feed.setView('new', {filters: {market_cap: {gte: 3}}});
		expect(world.feed.view('new')).toMatchObject({isPending: true, generation: 2});
		feeds.server.put('new', {address: '0xa9', market_cap: 9});
		expect(world.believes('new')).toEqual({'0xa1': 1, '0xa2': 2, '0xa3': 3});
		release.resolve();
		await world.until(() => world.agreesWith(feeds.server, 'new', {filters: {market_cap: {gte: 3}}}));
		expect(world.believes('new')).toEqual({'0xa3': 3, '0xa9': 9});
	});

	test('a paused view emits nothing, and begins with a snapshot when it is resumed', async () => {
		const world = open();
		await world.until(isLive(world));
		world.feed.pause(['new']);
		await world.until(() => !feeds.server.subscriptions.some(({view}) => view === 'new'));
		feeds.server.put('new', {address: '0xa5', market_cap: 5}, {silently: true});
		feeds.server.put('bonding', {address: '0xb2', market_cap: 20});
		await world.until(() => '0xb2' in world.believes('bonding'));
		expect(world.believes('new')).not.toHaveProperty('0xa5');
		expect(world.feed.link.phase).toBe('live');
		world.feed.resume();
		await world.until(agrees(world));
	});

	test('totals are requested and emitted', async () => {
		const world = open({}, {totalsEveryMs: 50});
		await world.until(() => world.feed.view('new')?.total === 3);
		feeds.server.put('new', {address: '0xa4', market_cap: 4});
		await world.until(() => world.feed.view('new')?.total === 4);
	});

	test('a flood of changes arrives completely', async () => {
		const world = open();
		await world.until(isLive(world));
		for (let i = 0; i < 6_000; i++) feeds.server.put('new', {address: `0xa${i % 50}`, market_cap: i});
		await world.until(agrees(world));
		expect(world.feed.link).toMatchObject({phase: 'live', reconnects: 0, badFrames: 0});
	});

	test('two feeds share one connection', async () => {
		const world = open();
		await world.until(isLive(world));
		const seen: (number | undefined)[] = [];
		feeds.server.put('token', {address: '0xa1', market_cap: 1});
		world.client.watchToken({chainId: 'evm:8453', address: '0xA1'}, entry => seen.push(entry?.market_cap));
		await world.until(() => seen.includes(1));
		feeds.server.put('token', {address: '0xa1', market_cap: 42});
		await world.until(() => seen.at(-1) === 42);
		expect(feeds.server.upgrades).toBe(1);
	});

	test('the key goes into every request and frame', async () => {
		const world = open({apiKey: 'secret-key-1'});
		await world.until(isLive(world));
		expect(feeds.server.requests.every(({headers}) => headers.authorization === 'Bearer secret-key-1')).toBe(true);
		expect(feeds.server.frames.every(frame => frame['authorization'] === 'secret-key-1')).toBe(true);
	});

	test('no event is emitted after close', async () => {
		const world = open();
		await world.until(isLive(world));
		world.feed.close();
		const emitted = world.events.length;
		feeds.server.put('new', {address: '0xa7', market_cap: 7});
		await world.until(() => feeds.server.subscriptions.length === 0);
		expect(world.events).toHaveLength(emitted);
	});
});

describe('a view that the service does not have', () => {
	const views = {new: {model: 'new'}, trending: {model: 'trending', sortBy: 'trending_score_24h'}} as const;
	const pulses = () => feeds.server.requests.filter(({path}) => path === '/api/2/pulse');
	const asked = () => pulses().filter(({body}) => body.includes('trending')).length;

	test.each([
		['refused', {}],
		['refused', {streamUrl: null}],
		['left out', {streamUrl: null}],
	] as const)('is reported once and not requested again, the other views arrive: %s, %o', async (how, options) => {
		feeds.server.unknownModels = {names: ['trending'], how};
		const world = openRequest(options, {assetMode: true, views});
		const problems = () => world.events.filter(event => event.type === 'problem');
		await world.until(() => problems().length > 0 && world.agreesWith(feeds.server, 'new'));
		const [problem] = problems();
		expect(problem).toMatchObject({view: 'trending', error: {code: 'view-not-served', next: 'fix-input'}});
		expect(problem?.error.message).toBe('This service has no trending view');
		await world.until(() => world.feed.link.phase === ('streamUrl' in options ? 'polling' : 'live'));
		const before = asked();
		feeds.server.put('new', {address: '0xa1', market_cap: 99});
		await world.until(() => world.agreesWith(feeds.server, 'new'));
		expect([asked(), problems().length]).toEqual([before, 1]);
		expect(feeds.server.subscriptions.some(({view}) => view === 'trending')).toBe(false);
		// A manual refresh requests it again: the service may know it by now.
		feeds.server.unknownModels = {names: [], how};
		feeds.server.put('trending', {address: '0xc1', market_cap: 5});
		world.feed.retryNow();
		await world.until(() => world.agreesWith(feeds.server, 'trending'));
	});

	test('is read by REST when only the stream lacks it', async () => {
		feeds.server.put('trending', {address: '0xc1', market_cap: 5});
		feeds.server.stream.onSubscribe = subscription => {
			if (subscription.view === 'new') feeds.server.init(subscription);
			else feeds.server.sendTo(subscription, {event: 'error', message: 'no such model'});
		};
		const world = openRequest({}, {assetMode: true, views});
		await world.until(() => world.agreesWith(feeds.server, 'trending'));
		feeds.server.put('trending', {address: '0xc2', market_cap: 6}, {silently: true});
		await world.until(() => world.agreesWith(feeds.server, 'trending'));
		expect(world.events.some(event => event.type === 'problem')).toBe(false);
	});

	test('is not blamed for a filter that the service does not know', async () => {
		const views = {trending: {model: 'trending', filters: {odd: 1}}};
		const world = openRequest({streamUrl: null}, {assetMode: true, views});
		feeds.server.httpFault = {kind: 'answer', status: 400, body: '{"message":"views[0].filters.odd is not a field"}'};
		world.feed.retryNow();
		await world.until(() =>
			world.events.some(event => event.type === 'problem' && event.error.code === 'service-refused'),
		);
		expect(world.events.some(event => event.type === 'problem' && event.error.code === 'view-not-served')).toBe(false);
	});
});
