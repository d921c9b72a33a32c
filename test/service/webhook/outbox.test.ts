import {randomUUID} from 'node:crypto';
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import type {Database} from '../../../source/service/store/database.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {DeliveryQueue, type NewDelivery} from '../../../source/service/webhook/delivery-queue.ts';
import {Outbox} from '../../../source/service/webhook/outbox.ts';
import type {Outcome, Poster} from '../../../source/service/webhook/poster.ts';
import {retryDelayMs} from '../../../source/service/webhook/retry-plan.ts';
import {createWebhookStore, type Webhook} from '../../../source/service/webhook/webhook-store.ts';

const webhook: Webhook = {
	id: 'w1',
	owner: 'me',
	name: 'n',
	chainIds: ['evm:1'],
	events: ['swap'],
	url: 'https://example.com/',
	secret: 'whsec_00',
	createdAtMs: 0,
	filters: null,
	since: null,
};

const swap = (body: string, webhookId = 'w1'): NewDelivery => ({id: randomUUID(), webhookId, event: 'swap', body});

const failed = (status: number): Outcome => ({
	isDone: false,
	status,
	reason: `the answer was ${status}`,
	isFinal: false,
});
const done: Outcome = {isDone: true, status: 200, reason: null, isFinal: false};

interface Sent {
	readonly atMs: number;
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
}

const START_MS = 1_000_000;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: START_MS});
});
const outboxes: Outbox[] = [];
afterEach(async () => {
	vi.useRealTimers();
	for (const outbox of outboxes.splice(0)) await outbox.stop();
});

/** An outbox whose target gives preset answers; requests to it are kept. */
async function open(
	answer: (sent: Sent) => Outcome | Promise<Outcome>,
	{database = openSqlite(undefined), parallel}: {database?: Database; parallel?: number} = {},
) {
	const sent: Sent[] = [];
	const poster: Poster = {
		async post(_hook, _url, headers, body) {
			const one = {atMs: performance.now(), body, headers};
			sent.push(one);
			return answer(one);
		},
		drop() {},
		close: async () => {},
	};
	const store = await createWebhookStore(database);
	if ((await store.webhooks()).length === 0) await store.insert(webhook);
	const errors: unknown[] = [];
	const startMs = performance.now();
	const queue = new DeliveryQueue(database, {owner: randomUUID(), now: () => performance.now()});
	await queue.state('');
	await queue.takeOver();
	const outbox = new Outbox({
		queue,
		poster,
		parallel,
		dateOf: Date.now,
		onWebhooksChanged: async () => {},
		onError: error => errors.push(error),
	});
	outboxes.push(outbox);
	outbox.wake();
	return {
		sent,
		store,
		outbox,
		queue,
		errors,
		add: async (...deliveries: readonly NewDelivery[]) => {
			await queue.add(deliveries);
			outbox.wake();
		},
		timesOf: () => sent.map(({atMs}) => Math.round((atMs - startMs) / 100) * 100),
		letters: () => store.deadLetters('w1', {limit: 100, offset: 0}),
		status: async () => ({...(await store.tally('w1')), pending: (await queue.depths(['w1'])).get('w1') ?? 0}),
	};
}

describe('a failed delivery (contract gaps 8)', () => {
	test('is tried three times, after one and two seconds, with the same id and a fresh signature, then given up', async () => {
		const {sent, add, timesOf, letters, status} = await open(() => failed(500));
		await add(swap('{"a":1}'));
		await pass(10_000);
		expect(timesOf()).toEqual([0, 1000, 3000]);
		expect(new Set(sent.map(({headers}) => headers['X-Webhook-Delivery'])).size).toBe(1);
		const signedAtS = sent.map(({headers}) => /^t=(\d+),/.exec(headers['X-Webhook-Signature']!)![1]);
		expect(signedAtS).toEqual(['1000', '1001', '1003']);
		expect(await letters()).toMatchObject([{attempts: 3, status: 500, reason: 'the answer was 500', body: '{"a":1}'}]);
		expect(await status()).toMatchObject({failedAttempts: 3, delivered: 0, pending: 0});
	});

	test.each([3_600_000, -3_600_000])('is tried as often when the clock is set by %i ms meanwhile', async setMs => {
		const {timesOf, add, letters, sent} = await open(() => failed(500));
		await add(swap('{"a":1}'));
		await pass(500);
		vi.setSystemTime(START_MS + 500 + setMs);
		await pass(10_000);
		expect(timesOf()).toEqual([0, 1000, 3000]);
		expect(await letters()).toMatchObject([{attempts: 3}]);
		// A receiver refuses a signature of another hour.
		expect(sent[2]!.headers['X-Webhook-Signature']).toContain(`t=${(START_MS + 3000 + setMs) / 1000},`);
	});

	test('that succeeds later is delivered once and leaves no letter', async () => {
		let tries = 0;
		const {sent, add, letters, status} = await open(() => (++tries < 3 ? failed(503) : done));
		await add(swap('{}'));
		await pass(60_000);
		expect(sent).toHaveLength(3);
		expect(await letters()).toEqual([]);
		expect(await status()).toMatchObject({failedAttempts: 2, delivered: 1, pending: 0});
	});

	test('for which five minutes would not be enough is given up earlier', () => {
		expect([retryDelayMs(1, 299_000), retryDelayMs(1, 299_001)]).toEqual([1000, undefined]);
		expect([retryDelayMs(2, 298_000), retryDelayMs(2, 298_001)]).toEqual([2000, undefined]);
		expect(retryDelayMs(3, 0)).toBeUndefined();
	});

	test('to a refused target is not tried again', async () => {
		const {sent, add, letters} = await open(() => ({isDone: false, status: null, reason: 'private', isFinal: true}));
		await add(swap('{}'));
		await pass(10_000);
		expect(sent).toHaveLength(1);
		expect(await letters()).toMatchObject([{status: null, reason: 'private', attempts: 1}]);
	});

	test('is redelivered from the dead letters on request', async () => {
		let works = false;
		const {sent, add, queue, outbox, letters} = await open(() => (works ? done : failed(500)));
		await add(...[0, 1, 2].map(n => swap(`{"n":${n}}`)));
		await pass(10_000);
		expect(await letters()).toHaveLength(3);
		works = true;
		expect(await queue.revive('w1')).toBe(3);
		outbox.wake();
		await pass(1000);
		expect(sent.slice(-3).map(({body}) => body)).toEqual(['{"n":0}', '{"n":1}', '{"n":2}']);
		expect(await letters()).toEqual([]);
	});
});

describe('the queue of a webhook', () => {
	test('sends an event once that comes again while it waits, also after a restart, and again once it has arrived', async () => {
		const database = openSqlite(undefined);
		const event = swap('{"same":1}');
		const first = await open(() => failed(500), {database});
		await first.add(event, event);
		await pass(10);
		await first.add(event);
		await pass(10);
		expect([first.sent.length, (await first.status()).pending]).toEqual([1, 1]);
		await first.outbox.stop();

		const second = await open(() => done, {database});
		await second.add(event);
		await pass(1000);
		expect([second.sent.length, (await second.status()).pending]).toEqual([1, 0]);
		await second.add(event);
		await pass(1000);
		expect(second.sent.map(({headers}) => headers['X-Webhook-Delivery'])).toEqual([event.id, event.id]);
		expect(second.errors).toEqual([]);
	});

	test('is worked through with a bounded number of requests at a time', async () => {
		const {promise: gate, resolve: release} = Promise.withResolvers<void>();
		const {sent, add, status} = await open(() => gate.then(() => done), {parallel: 3});
		await add(...Array.from({length: 10}, (_, n) => swap(`{"n":${n}}`)));
		await pass(2000);
		expect(sent).toHaveLength(3);
		release();
		await pass(1000);
		expect(sent).toHaveLength(10);
		expect(await status()).toMatchObject({pending: 0, delivered: 10});
	});

	test('of a target that fails is worked through slowly: a waiting retry keeps its place', async () => {
		const {sent, add} = await open(() => failed(500), {parallel: 2});
		await add(...Array.from({length: 6}, (_, n) => swap(`{"n":${n}}`)));
		await pass(2900);
		expect(new Set(sent.map(({body}) => body)).size).toBe(2);
		await pass(10_000);
		expect(new Set(sent.map(({body}) => body)).size).toBe(6);
	});

	test('of another webhook does not wait for it', async () => {
		const {promise: late, resolve: arrive} = Promise.withResolvers<Outcome>();
		const {sent, add, store} = await open(({body}) => (body === 'slow' ? late : done), {parallel: 1});
		await store.insert({...webhook, id: 'w2'});
		await add(swap('slow'), swap('slow'), swap('quick', 'w2'), swap('quick', 'w2'));
		await pass(500);
		expect(sent.map(({body}) => body).sort()).toEqual(['quick', 'quick', 'slow']);
		arrive(done);
	});
});

describe('across a restart', () => {
	test('what did not arrive is delivered by the next run, with the attempts that are left', async () => {
		const database = openSqlite(undefined);
		const first = await open(() => failed(500), {database});
		await first.add(swap('{"kept":1}'));
		await pass(1500);
		expect(first.sent).toHaveLength(2);
		await first.outbox.stop();
		const second = await open(() => failed(500), {database});
		await pass(60_000);
		expect(second.sent.map(({body}) => body)).toEqual(['{"kept":1}']);
		expect(second.sent[0]!.headers['X-Webhook-Delivery']).toBe(first.sent[0]!.headers['X-Webhook-Delivery']);
		expect(await second.letters()).toMatchObject([{attempts: 3}]);
		expect(await second.status()).toMatchObject({failedAttempts: 3});
	});

	test('what arrives while the service stops is not sent again, and what does not is', async () => {
		const database = openSqlite(undefined);
		const {promise: arrival, resolve: arrive} = Promise.withResolvers<Outcome>();
		const first = await open(({body}) => (body === 'arrives' ? arrival : failed(500)), {database});
		await first.add(swap('arrives'), swap('fails'));
		await pass(10);
		const stopped = first.outbox.stop();
		arrive(done);
		await stopped;
		const second = await open(() => done, {database});
		await pass(10);
		expect(second.sent.map(({body}) => body)).toEqual(['fails']);
	});
});

test('while the store fails results are kept, and it goes on when the store works again', async () => {
	const real = openSqlite(undefined);
	let isBroken = false;
	const database: Database = {
		...real,
		transaction: (act, options) => (isBroken ? Promise.reject(new Error('disk full')) : real.transaction(act, options)),
	};
	const {promise: arrival, resolve: arrive} = Promise.withResolvers<Outcome>();
	const {sent, add, errors, status} = await open(({body}) => (body === 'first' ? arrival : done), {database});
	await add(swap('first'));
	await pass(10);
	isBroken = true;
	arrive(done);
	await pass(5000);
	expect(errors).toHaveLength(1);
	isBroken = false;
	await add(swap('second'));
	await pass(2000);
	expect(sent.map(({body}) => body)).toEqual(['first', 'second']);
	expect(await status()).toMatchObject({delivered: 2, pending: 0});
});
