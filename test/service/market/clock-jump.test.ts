import {afterEach, describe, expect, test} from 'vitest';
import type {LiveMarket} from '../../../source/service/market/create-market.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {until} from '../../helpers/until.ts';
import {ask} from '../helpers/http-client.ts';
import {type Frame, StreamClient} from '../helpers/stream-client.ts';
import {openReceiver} from '../webhook/receiver.ts';
import {START_MS, TradedMarket, USER} from './traded-market.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

let world: TradedMarket;
let closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
	world.market.stop();
	for (const close of closing.toReversed()) await close();
	closing = [];
});

/** A market that runs by the clock of the test, with all of its history. */
async function running(): Promise<TradedMarket> {
	world = new TradedMarket();
	world.market.start();
	await until(() => world.market.isFilled);
	return world;
}

/** Waits until the market has looked at the clock twice more. */
async function ticked(): Promise<void> {
	const {nowMs} = world;
	let reads = 0;
	const read = (): number => {
		reads++;
		return nowMs;
	};
	Object.defineProperty(world, 'nowMs', {configurable: true, get: read});
	await until(() => reads > 1);
	Object.defineProperty(world, 'nowMs', {configurable: true, writable: true, value: nowMs});
}

/** The token of each row in use, without coins and pool shares, which are the same in every market. */
function keysOf({table}: LiveMarket): Set<string> {
	const kinds = table.texts('type');
	const rows = [...table.bits.keys()].filter(row => table.bits[row] !== 0 && kinds[row] !== null);
	return new Set(rows.map(row => table.key(row)));
}

/** Lets the clock jump, and waits until the market has followed. */
async function jump({market}: TradedMarket, byMs: number): Promise<void> {
	world.nowMs += byMs;
	await until(() => market.nowMs() === world.nowMs && market.isFilled);
}

describe.each([
	['a machine that slept for 30 days', 30 * DAY_MS],
	['a clock that was set back by 30 days', -30 * DAY_MS],
])('after %s', (_, byMs) => {
	test('the market begins again at the present with the history of a day, and says so', async () => {
		const {market} = await running();
		const before = keysOf(market);
		market.takeChanged();
		const beganAt: number[] = [];
		market.onBeginsAgain(() => beganAt.push(market.nowMs()));
		world.events = [];
		await jump(world, byMs);
		expect(beganAt).toEqual([START_MS + byMs]);
		expect(world.log).toHaveLength(1);
		expect(world.log[0]).toContain(
			`the clock went from ${new Date(START_MS).toISOString()} to ${new Date(START_MS + byMs).toISOString()}`,
		);
		const after = keysOf(market);
		expect(after.size).toBeGreaterThan(5000);
		expect([...after].filter(key => before.has(key))).toEqual([]);
		const created = market.table.numbers('created_at');
		const ages = [...market.table.bits.keys()]
			.filter(row => after.has(market.table.key(row)))
			.map(row => world.nowMs - created[row]!);
		expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
		expect(Math.min(...ages)).toBeLessThan(MINUTE_MS);
		expect(Math.max(...ages)).toBeLessThanOrEqual(DAY_MS);
		expect(market.engine.ignored).toBe(0);
		// Every row that a reader may hold is named as changed, and the history is no news.
		expect(new Set(market.takeChanged()).size).toBe(market.table.length);
		expect(world.events.filter(({timeMs}) => timeMs < world.nowMs)).toEqual([]);
		await jump(world, 2000);
		expect(world.events.length).toBeGreaterThan(0);
		expect(world.events.every(event => event.type === 'fund' || event.timeMs >= START_MS + byMs)).toBe(true);
	});

	test('tokens that wallets hold go on, with what they hold', async () => {
		await running();
		const {key} = world.tradable(({phase, isRugged}) => phase === 'curve' && !isRugged)[0]!;
		await world.buy(key, 3);
		const balance = world.ledgerBalance(key, USER);
		expect(balance).toBeGreaterThan(0);
		const {reserveToken, symbol} = world.found(key);
		await jump(world, byMs);
		expect(world.ledgerBalance(key, USER) / balance).toBeCloseTo(1, 9);
		const after = world.found(key);
		expect(after.symbol).toBe(symbol);
		// One small trade of the crowd gives it a price at once.
		expect(after.reserveToken / reserveToken).toBeCloseTo(1, 0);
		await world.buy(key, 3);
		expect(world.ledgerBalance(key, USER)).toBeGreaterThan(balance);
	});
});

describe('a market whose history waits', () => {
	/** Jumps, and says whether the market began again. */
	async function isBegunBy(byMs: number): Promise<boolean> {
		world = new TradedMarket();
		world.market.start({historyInMs: null});
		const before = keysOf(world.market);
		world.nowMs += byMs;
		await ticked();
		// A clock that was set back is waited for: a second later it has come round.
		if (byMs < 0) world.nowMs = Math.max(world.nowMs, START_MS + 1000);
		await until(() => world.market.nowMs() === world.nowMs);
		expect(world.market.isFilled).toBe(false);
		const kept = [...keysOf(world.market)].filter(key => before.has(key)).length;
		expect(kept === 0).toBe(world.log.length > 0);
		world.market.stop();
		return kept === 0;
	}

	test('plays a pause of ten minutes, and begins again after a longer one', async () => {
		expect(await isBegunBy(10 * MINUTE_MS)).toBe(false);
		expect(await isBegunBy(10 * MINUTE_MS + 1)).toBe(true);
	});

	test('waits for a clock that was set back by ten seconds, and begins again after a larger step', async () => {
		expect(await isBegunBy(-10_000)).toBe(false);
		expect(await isBegunBy(-10_001)).toBe(true);
	});
});

test('a jump while the history is being loaded leaves one market, whole', async () => {
	world = new TradedMarket();
	const {market} = world;
	market.start();
	await until(() => market.table.length > 500);
	expect(market.isFilled).toBe(false);
	await jump(world, 40 * DAY_MS);
	const created = market.table.numbers('created_at');
	const keys = keysOf(market);
	expect(keys.size).toBeGreaterThan(5000);
	for (const row of market.table.bits.keys()) {
		if (keys.has(market.table.key(row))) expect(world.nowMs - created[row]!).toBeLessThanOrEqual(DAY_MS);
	}
});

test('a trade that a jump meets ends in the market that it began in', async () => {
	const {market} = await running();
	const {key} = world.tradable(({phase}) => phase === 'curve')[0]!;
	const hold = await world.held(key);
	world.nowMs += DAY_MS;
	await ticked();
	expect(market.nowMs()).toBe(START_MS);
	hold.release();
	await until(() => market.nowMs() === world.nowMs);
	expect(world.log).toHaveLength(1);
});

describe('a running service', () => {
	async function serve(): Promise<{service: RunningService; client: StreamClient}> {
		await running();
		const service = await startService({
			market: world.market,
			apiKeys: ['secret'],
			flushMs: 20,
			allowPrivateWebhooks: true,
		});
		closing.push(() => service.close());
		const client = await StreamClient.open(service.streamUrl);
		closing.push(() => client.close());
		const payload = {assetMode: true, views: [{name: 'v', model: 'new', limit: 50}], subscriptionId: 's'};
		client.send({type: 'pulse-v2', authorization: 'secret', payload});
		return {service, client};
	}

	test.each([
		['forward', 30 * DAY_MS],
		['back', -30 * DAY_MS],
	])('shows its subscribers the rows of the present, %s', async (_, byMs) => {
		const {service, client} = await serve();
		const spell = (entry: Frame): string => `${entry['chainId'] ?? entry['chain_id']}|${entry['address']}`;
		const init = await client.next(frame => frame['type'] === 'init');
		const shown = new Set<string>(init['payload'].v.data.map(spell));
		expect(shown.size).toBe(50);
		world.nowMs += byMs;
		const seen = client.frames.length;
		await until(() => world.market.nowMs() === world.nowMs);
		const health = await ask(service, 'GET', '/health');
		expect(health.status).toBe(200);
		expect(health.json.time).toBe(new Date(world.nowMs).toISOString());
		const page = await ask(service, 'POST', '/api/2/pulse', {
			body: {assetMode: true, views: [{name: 'v', model: 'new', limit: 50}]},
			key: 'secret',
		});
		const now = new Set<string>(page.json.v.data.map(spell));
		expect([...now].filter(key => shown.has(key))).toEqual([]);
		// The frames alone lead from the old rows to the new ones.
		await until(() => {
			const rows = new Set(shown);
			for (const frame of client.frames.slice(seen)) {
				if (frame['type'] === 'remove-token') rows.delete(frame['payload'].tokenKey);
				if (frame['type'] === 'new-token' || frame['type'] === 'update-token') rows.add(spell(frame['payload'].token));
			}
			return rows.size === 50 && [...shown].every(key => !rows.has(key));
		});
	});

	test('delivers the events of the present to webhooks after the clock was set back', async () => {
		const {service} = await serve();
		const receiver = await openReceiver();
		const body = {
			name: 'test',
			chainIds: ['evm:8453'],
			events: ['swap'],
			apiKey: 'secret',
			url: receiver.url,
		};
		expect((await ask(service, 'POST', '/api/1/webhook', {body, key: 'secret'})).status).toBe(200);
		await jump(world, -30 * DAY_MS);
		world.nowMs += 20_000;
		await until(() => receiver.received.length > 0);
	});
});
