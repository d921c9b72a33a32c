import {afterEach, describe, expect, test, vi} from 'vitest';
import type {ViewRequest} from '../../../source/client/feed/feed-events.ts';
import {explain} from '../../../source/errors.ts';
import {steadyNow} from '../../../source/steady-clock.ts';
import {fc} from '../../helpers/properties.ts';
import {feedsForEachTest, isLive, type World} from './feed-world.ts';

const feeds = feedsForEachTest();
const {open, agrees} = feeds;

afterEach(() => vi.restoreAllMocks());
const phaseIs = (world: World, phase: string) => () => world.feed.link.phase === phase;

/** Changes the world and sends nothing: only a new full view can show it. */
function changeSilently(): void {
	feeds.server.put('new', {address: '0xa1', market_cap: 111}, {silently: true});
	feeds.server.put('new', {address: '0xa9', market_cap: 9}, {silently: true});
	feeds.server.remove('new', '0xa2', {silently: true});
}

describe('after a fault of the stream the view is right again:', () => {
	test('connections cut', async () => {
		const world = open();
		await world.until(isLive(world));
		changeSilently();
		feeds.server.cut();
		await world.until(() => agrees(world)() && isLive(world)());
		expect(world.feed.link.reconnects).toBe(1);
	});

	test('the service restarted after being away', async () => {
		const world = open();
		await world.until(isLive(world));
		await world.until(() => world.feed.link.latencyMs !== undefined);
		await feeds.server.stop();
		await world.until(phaseIs(world, 'offline'));
		expect(world.feed.link.nextTryAtMs).toBeGreaterThan(0);
		// The last round trip says nothing of a service that does not answer.
		expect(world.feed.link.latencyMs).toBeUndefined();
		expect(world.believes('new')).toHaveProperty('0xa1');
		changeSilently();
		await feeds.server.listen();
		world.feed.retryNow();
		await world.until(() => agrees(world)() && isLive(world)());
	});

	test('the stream does not wait out its turn once the service answers again', async () => {
		vi.spyOn(Math, 'random').mockReturnValue(0.99);
		const world = open();
		await world.until(isLive(world));
		await feeds.server.stop();
		await world.until(() => (world.feed.link.nextTryAtMs ?? 0) - steadyNow() > 3_500);
		const plannedMs = world.feed.link.nextTryAtMs!;
		await feeds.server.listen();
		await world.feed.refresh();
		await world.until(() => agrees(world)() && isLive(world)());
		expect(steadyNow()).toBeLessThan(plannedMs - 2_000);
	});

	test('totals that failed meanwhile are requested when the stream is back, and the clock is synchronised', async () => {
		const world = open({}, {totalsEveryMs: 60_000});
		await world.until(() => world.feed.view('new')?.total === 3);
		feeds.server.put('new', {address: '0xa4', market_cap: 4}, {silently: true});
		feeds.server.cut();
		await world.until(() => isLive(world)() && world.feed.view('new')?.total === 4);
	});

	test('the Retry-After of the stream is respected, even when REST responds', async () => {
		feeds.server.stream = {upgradeStatus: 503, upgradeHeaders: {'retry-after': '60'}};
		feeds.server.httpFault = {kind: 'answer', status: 503};
		const world = open();
		await world.until(phaseIs(world, 'offline'));
		feeds.server.httpFault = undefined;
		feeds.server.stream = {};
		await world.until(() => agrees(world)() && phaseIs(world, 'polling')());
		expect([feeds.server.upgrades, world.feed.link.nextTryAtMs! > steadyNow() + 20_000]).toEqual([1, true]);
	});

	test('while the service is offline the time of the next poll is reported, which is sooner than that of the stream', async () => {
		feeds.server.stream = {upgradeStatus: 404};
		feeds.server.httpFault = {kind: 'answer', status: 503};
		const world = open();
		await world.until(() => phaseIs(world, 'offline')() && world.feed.link.nextPollAtMs !== undefined);
		const {nextTryAtMs, nextPollAtMs} = world.feed.link;
		expect(nextTryAtMs! - steadyNow()).toBeGreaterThan(30_000);
		expect(nextPollAtMs! - steadyNow()).toBeLessThan(5_000);
	});

	test('half-open: the connection stays, nothing comes', async () => {
		const world = open({silenceMs: 1_500});
		await world.until(isLive(world));
		changeSilently();
		feeds.server.freeze();
		await world.until(() => world.feed.link.phase !== 'live');
		expect(world.feed.link.error?.code).toBe('service-timeout');
		feeds.server.stream.deaf = false;
		await world.until(() => agrees(world)() && isLive(world)());
	});

	test('garbage frames', async () => {
		const world = open();
		await world.until(isLive(world));
		for (const text of [
			'',
			'null',
			'[]',
			'{',
			'"x"',
			'{"type":"sync","payload":7}',
			'{"type":"new-token","payload":{"viewName":"new"}}',
		]) {
			feeds.server.sendRaw(text);
		}
		feeds.server.send('new', {type: 'sync', payload: {}});
		feeds.server.send('new', {type: 'sync', payload: {new: {data: 'x'}}});
		feeds.server.send('new', {type: 'new-token', payload: {viewName: 'new', token: {symbol: 'no address'}}});
		feeds.server.send('new', {type: 'remove-token', payload: {viewName: 'new', tokenKey: 7}});
		feeds.server.send('new', {type: 'remove-token', payload: {viewName: 'new', tokenKey: 'evm:8453|0xnobody'}});
		feeds.server.put('new', {address: '0xa4', market_cap: 4});
		await world.until(agrees(world));
		expect(world.feed.link).toMatchObject({phase: 'live', droppedEntries: 1});
		expect(world.feed.link.badFrames).toBeGreaterThan(4);
	});

	test('after frames that cannot be parsed the views are requested again, but not once a frame', async () => {
		const world = open();
		await world.until(isLive(world));
		changeSilently();
		const before = feeds.server.requests.length;
		for (let i = 0; i < 20; i++) feeds.server.sendRaw('{"type":"new-token","payload":{"viewName":"new","tok');
		await world.until(agrees(world));
		expect(world.feed.link).toMatchObject({phase: 'live', reconnects: 0, badFrames: 20});
		expect(feeds.server.requests.length - before).toBeLessThanOrEqual(2);
	});

	test('bytes that are no websocket', async () => {
		const world = open();
		await world.until(isLive(world));
		changeSilently();
		feeds.server.sendBytes(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x00, 0x13]));
		await world.until(() => agrees(world)() && isLive(world)() && world.feed.link.reconnects === 1);
	});

	test('a frame cut at any byte', async () => {
		const world = open();
		await world.until(isLive(world));
		const frame = Buffer.from(JSON.stringify({type: 'sync', payload: {new: {data: []}}}));
		const whole = Buffer.concat([Buffer.from([0x81, frame.length]), frame]);
		for (const [i, bytes] of [0, 1, 2, 3, 20, whole.length - 1].entries()) {
			feeds.server.put('new', {address: '0xa1', market_cap: 1_000 + i}, {silently: true});
			feeds.server.sendBytes(whole.subarray(0, bytes));
			feeds.server.cut();
			await world.until(() => world.feed.link.phase !== 'live');
			world.feed.retryNow();
			await world.until(() => agrees(world)() && isLive(world)());
		}
	});

	test('no init ever: changes flow, and polling keeps the views right', async () => {
		feeds.server.stream.noInit = true;
		const world = open();
		await world.until(agrees(world));
		changeSilently();
		await world.until(agrees(world));
		feeds.server.put('new', {address: '0xa1', market_cap: 5});
		await world.until(agrees(world));
		expect(world.feed.link.phase).not.toBe('live');
	});

	test('no ids in the frames', async () => {
		feeds.server.stream.untagged = true;
		const world = open();
		await world.until(isLive(world));
		feeds.server.put('new', {address: '0xa4', market_cap: 4});
		feeds.server.remove('new', '0xa1');
		await world.until(agrees(world));
	});

	test('frames twice', async () => {
		const world = open();
		await world.until(isLive(world));
		for (const _ of [1, 2]) {
			feeds.server.send('new', {
				type: 'new-token',
				payload: {viewName: 'new', token: {chainId: 'evm:8453', address: '0xa4', market_cap: 4}},
			});
			feeds.server.send('new', {type: 'remove-token', payload: {viewName: 'new', tokenKey: 'evm:8453|0xA1'}});
		}
		feeds.server.view('new').set('0xa4', {address: '0xa4', market_cap: 4});
		feeds.server.view('new').delete('0xa1');
		await world.until(agrees(world));
	});

	test('a process that was stopped for a while requests everything again', async () => {
		const world = open();
		await world.until(isLive(world));
		changeSilently();
		const {now} = performance;
		const real = now.bind(performance);
		vi.spyOn(performance, 'now').mockImplementation(() => real() + 60_000);
		await world.until(() => agrees(world)() && isLive(world)());
	});

	test('a clock that was set back does not make old data look fresh', async () => {
		const world = open();
		await world.until(isLive(world));
		const realNow = Date.now.bind(Date);
		feeds.server.stream.noInit = true;
		feeds.server.httpFault = {kind: 'hang'};
		vi.spyOn(Date, 'now').mockImplementation(() => realNow() - 3_600_000);
		await world.until(() => steadyNow() - world.feed.view('new')!.lastSnapshotAtMs! > 2_000);
	});

	test('a service that takes the connection and cuts it at once is not hammered', async () => {
		feeds.server.stream.onSubscribe = ({socket}) => socket.terminate();
		const world = open();
		const startedMs = performance.now();
		await world.until(() => performance.now() - startedMs > 4_000);
		// Full jitter from 0.25 s, doubling: without it there would be hundreds.
		expect(feeds.server.upgrades).toBeLessThan(15);
		expect(agrees(world)()).toBe(true);
		expect(['polling', 'reconnecting']).toContain(world.feed.link.phase);
	});
});

describe('freshness is not the link:', () => {
	test('on a stream that is alive a view without changes stays fresh', async () => {
		const world = open({silenceMs: 3_000});
		await world.until(isLive(world));
		const snapshotAtMs = world.feed.view('new')!.lastSnapshotAtMs!;
		await world.until(() => world.feed.view('new')!.lastDataAtMs! > snapshotAtMs + 600);
		expect(world.feed.view('new')?.lastSnapshotAtMs).toBe(snapshotAtMs);
	});

	test('on a stream that died silently a view ages, while the link still says live', async () => {
		const world = open({silenceMs: 60_000});
		await world.until(isLive(world));
		feeds.server.freeze();
		await world.until(() => steadyNow() - world.feed.view('new')!.lastDataAtMs! > 1_000);
		expect(world.feed.link.phase).toBe('live');
	});

	test('polling that finds no changes keeps a view fresh and emits nothing', async () => {
		const world = open({streamUrl: null});
		await world.until(phaseIs(world, 'polling'));
		await world.until(() => feeds.server.requests.length > 6);
		const emitted = world.snapshots('new').length;
		expect(emitted).toBeLessThanOrEqual(2);
		const {lastSnapshotAtMs, lastDataAtMs} = world.feed.view('new')!;
		expect(lastDataAtMs).toBeGreaterThan(lastSnapshotAtMs!);
	});
});

describe('without a stream the feed polls:', () => {
	test('none configured', async () => {
		const world = open({streamUrl: null});
		await world.until(phaseIs(world, 'polling'));
		changeSilently();
		await world.until(agrees(world));
		expect(feeds.server.upgrades).toBe(0);
		expect(world.feed.view('new')?.source).toBe('poll');
	});

	test('none at that address, and later there is one', async () => {
		feeds.server.stream.upgradeStatus = 404;
		const world = open();
		await world.until(phaseIs(world, 'polling'));
		changeSilently();
		await world.until(agrees(world));
		expect(world.feed.link.error?.why).toContain('404');
		expect(feeds.server.upgrades).toBe(1);
		feeds.server.stream = {};
		world.feed.retryNow();
		await world.until(isLive(world));
	});

	test('refused by key, and REST too', async () => {
		feeds.server.stream.upgradeStatus = 401;
		feeds.server.httpFault = {
			kind: 'answer',
			status: 401,
			body: '{"statusCode":401,"message":"Invalid key abcd1234","error":"Unauthorized"}',
		};
		const world = open({apiKey: 'abcd1234'});
		await world.until(phaseIs(world, 'refused'));
		const {error} = world.feed.link;
		expect(JSON.stringify(explain(error))).not.toContain('abcd1234');
		expect(error).toMatchObject({code: 'service-refused', next: 'fix-input'});
	});

	test('refused in a frame and closed with 4401', async () => {
		feeds.server.stream.onSubscribe = ({socket}) => {
			socket.send('{"event":"error","type":"pulse-v2","message":"unauthorized"}');
			socket.close(4401);
		};
		const world = open();
		await world.until(phaseIs(world, 'polling'));
		await world.until(agrees(world));
		expect(world.feed.link).toMatchObject({attempt: 1, error: {status: 401}});
		expect(world.feed.link.nextTryAtMs! - steadyNow()).toBeGreaterThan(30_000);
	});

	test('behind a network that lets no web socket through the link is polling, long before the stream gives up', async () => {
		feeds.server.stream = {deaf: true};
		const startedMs = performance.now();
		const world = open();
		await world.until(phaseIs(world, 'polling'));
		expect(feeds.server.upgrades).toBe(1);
		// The first attempt is still under way.
		expect(world.feed.link).toMatchObject({attempt: 0, reconnects: 0});
		expect(world.feed.link.error).toBeUndefined();
		changeSilently();
		await world.until(agrees(world));
		expect(performance.now() - startedMs).toBeGreaterThan(1000);
		expect(world.feed.link.phase).toBe('polling');
	});

	test('the Retry-After of a stream is respected', async () => {
		feeds.server.stream = {upgradeStatus: 503, upgradeHeaders: {'retry-after': '60'}};
		const world = open();
		await world.until(phaseIs(world, 'polling'));
		const waitMs = world.feed.link.nextTryAtMs! - steadyNow();
		expect(waitMs).toBeGreaterThan(30_000);
		expect(waitMs).toBeLessThan(70_000);
	});
});

describe('faults of REST, with no stream to help:', () => {
	const faults = [
		['429 with Retry-After', {kind: 'answer', status: 429, headers: {'retry-after': '1'}}, 'rate-limited'],
		['503', {kind: 'answer', status: 503}, 'service-refused'],
		['a redirect', {kind: 'answer', status: 302, headers: {location: 'http://127.0.0.1:9/'}}, 'service-refused'],
		['a page instead of JSON', {kind: 'answer', status: 200, body: '<html>hello</html>'}, 'wrong-answer'],
		[
			'an error with status 200',
			{kind: 'answer', status: 200, body: '{"error":"no\\u001b[31m credits"}'},
			'service-refused',
		],
		['a list instead of views', {kind: 'answer', status: 200, body: '[1,2]'}, 'wrong-answer'],
		['no views', {kind: 'answer', status: 200, body: '{}'}, 'wrong-answer'],
		['no answer', {kind: 'hang'}, 'service-timeout'],
		['a slow drip', {kind: 'drip', everyMs: 50}, 'service-timeout'],
		['no HTTP', {kind: 'raw', bytes: 'SSH-2.0-hello\r\n\r\n'}, 'wrong-answer'],
		['an HTTP head that is cut', {kind: 'cut', afterBytes: 9}, 'service-unreachable'],
		['a body that is cut', {kind: 'cut', afterBytes: 140}, 'service-unreachable'],
	] as const;
	test.each(faults)('%s', async (_name, fault, code) => {
		feeds.server.httpFault = fault;
		const world = open({streamUrl: null, timeoutMs: 2_000});
		await world.until(() => world.problems().includes(code));
		for (const event of world.events) {
			if (event.type === 'problem')
				expect(JSON.stringify(explain(event.error))).not.toMatch(/127\.0\.0\.1|\\u001b|https?:/);
		}
		feeds.server.httpFault = undefined;
		changeSilently();
		world.feed.retryNow();
		await world.until(() => agrees(world)() && phaseIs(world, 'polling')());
	});

	test('a filter that is refused blocks its own view only', async () => {
		const world = open({streamUrl: null});
		await world.until(phaseIs(world, 'polling'));
		feeds.server.httpFault = {kind: 'mangle', mangle: body => body};
		feeds.server.pages.clear();
		const refuse = {
			kind: 'answer',
			status: 400,
			body: '{"statusCode":400,"message":"filters.foo is unknown","error":"Bad Request"}',
		} as const;
		feeds.server.httpFaults.push({fault: refuse});
		world.feed.setView('new', {filters: {foo: 1}});
		await world.until(() => world.events.some(event => event.type === 'problem' && event.view === 'new'));
		const problem = world.events.find(event => event.type === 'problem');
		expect(problem).toMatchObject({error: {said: 'filters.foo is unknown'}});
		feeds.server.put('bonding', {address: '0xb2', market_cap: 2}, {silently: true});
		await world.until(() => world.agreesWith(feeds.server, 'bonding'));
		expect(world.feed.view('new')?.isPending).toBe(true);
	});

	test('an answer to an old request that comes late is dropped', async () => {
		const world = open({streamUrl: null});
		await world.until(phaseIs(world, 'polling'));
		const release = Promise.withResolvers<void>();
		feeds.server.httpFaults.push({fault: {kind: 'hold', release: release.promise}});
		world.feed.setView('new', {filters: {market_cap: {gte: 2}}});
		await world.until(() => feeds.server.httpFaults.length === 0);
		const filters = {market_cap: {gte: 3}};
		world.feed.setView('new', {filters});
		await world.until(() => world.agreesWith(feeds.server, 'new', {filters}));
		release.resolve();
		await world.until(() => world.feed.link.lateFrames > 0);
		expect(world.agreesWith(feeds.server, 'new', {filters})).toBe(true);
	});

	test('an answer that is larger than allowed is refused, not kept', async () => {
		feeds.server.put('new', {address: '0xbig', market_cap: 1, description: 'x'.repeat(300_000)});
		const world = open({streamUrl: null, maxResponseBytes: 100_000});
		await world.until(() => world.problems().includes('wrong-answer'));
		expect(world.events.find(event => event.type === 'problem')).toMatchObject({
			error: {why: 'it is longer than 98 KiB'},
		});
	});
});

test('after any sequence of faults the views agree with the service', async () => {
	const step = fc.oneof(
		fc.record({kind: fc.constant('put' as const), i: fc.nat(9), cap: fc.nat(99), silently: fc.boolean()}),
		fc.record({kind: fc.constant('remove' as const), i: fc.nat(9), silently: fc.boolean()}),
		fc.record({
			kind: fc.constantFrom('cut', 'sync', 'garbage', 'close', 'refresh', 'retry', 'pause', 'resume', 'wait'),
		}),
		fc.record({kind: fc.constant('setView' as const), gte: fc.nat(50)}),
	);
	let runs = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(step, {minLength: 1, maxLength: 12}), async steps => {
			const world = open();
			let wanted: ViewRequest = {};
			for (const move of steps) {
				if (move.kind === 'put') feeds.server.put('new', {address: `0xa${move.i}`, market_cap: move.cap}, move);
				if (move.kind === 'remove') feeds.server.remove('new', `0xa${move.i}`, move);
				if (move.kind === 'cut') feeds.server.cut();
				if (move.kind === 'sync') feeds.server.sync('new');
				if (move.kind === 'garbage') feeds.server.sendRaw('{"type":');
				if (move.kind === 'close') feeds.server.closeStreams(1012);
				if (move.kind === 'refresh') world.feed.refresh().catch(() => {});
				if (move.kind === 'retry') world.feed.retryNow();
				if (move.kind === 'pause') world.feed.pause(['new']);
				if (move.kind === 'resume') world.feed.resume(['new']);
				if (move.kind === 'wait') await new Promise(resolve => setTimeout(resolve, 5));
				if (move.kind === 'setView') {
					wanted = {filters: {market_cap: {gte: move.gte}}};
					world.feed.setView('new', wanted);
				}
			}
			world.feed.resume();
			await world.until(isLive(world));
			// When all events have arrived, a full view shows the changes that were not sent.
			const last = `0xlast${++runs}`;
			feeds.server.put('new', {address: last, market_cap: 100});
			await world.until(() => last in world.believes('new'));
			if (steps.some(move => 'silently' in move && move.silently)) await world.feed.refresh();
			await world.until(
				() => world.agreesWith(feeds.server, 'new', wanted) && world.agreesWith(feeds.server, 'bonding'),
			);
			await world.client.close();
			feeds.server.remove('new', last, {silently: true});
		}),
		{numRuns: 25, endOnFailure: true},
	);
});
