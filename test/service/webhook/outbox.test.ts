import {randomUUID} from 'node:crypto';
import {afterEach, describe, expect, test} from 'vitest';
import type {Database} from '../../../source/service/store/database.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {Outbox} from '../../../source/service/webhook/outbox.ts';
import type {Outcome, Poster} from '../../../source/service/webhook/poster.ts';
import {
	createWebhookStore,
	DEAD_LETTERS_KEPT,
	NO_TALLY,
	type Webhook,
} from '../../../source/service/webhook/webhook-store.ts';
import type {WorkClock} from '../../../source/service/webhook/work-clock.ts';
import {waitFor} from '../chain/practice.ts';

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

/** An event that came once. */
const swap = (webhookId: string, body: string) => ({id: randomUUID(), webhookId, event: 'swap', body});

/** A clock that the test moves. */
class FakeClock implements WorkClock {
	#nowMs = 1_000_000;
	/** How far the date is from what passed. */
	setMs = 0;
	#timers: {atMs: number; run: () => void}[] = [];

	nowMs(): number {
		return this.#nowMs + this.setMs;
	}

	passedMs(): number {
		return this.#nowMs;
	}

	after(delayMs: number, run: () => void): () => void {
		const timer = {atMs: this.#nowMs + delayMs, run};
		this.#timers.push(timer);
		return () => {
			this.#timers = this.#timers.filter(other => other !== timer);
		};
	}

	async pass(ms: number): Promise<void> {
		const untilMs = this.#nowMs + ms;
		for (;;) {
			await settled();
			const next = this.#timers.toSorted((a, b) => a.atMs - b.atMs)[0];
			if (next === undefined || next.atMs > untilMs) break;
			this.#nowMs = next.atMs;
			this.#timers = this.#timers.filter(other => other !== next);
			next.run();
		}
		this.#nowMs = untilMs;
		await settled();
	}
}

async function settled(): Promise<void> {
	for (let n = 0; n < 5; n++) await new Promise(resolve => setImmediate(resolve));
}

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

/** An outbox whose target gives preset answers; requests to it are kept. */
async function open(
	answer: (sent: Sent) => Outcome | Promise<Outcome>,
	{database = openSqlite(undefined), ...limits}: {database?: Database; queue?: number; parallel?: number} = {},
) {
	const clock = new FakeClock();
	const sent: Sent[] = [];
	const poster: Poster = {
		async post(_hook, _url, headers, body) {
			const one = {atMs: clock.nowMs(), body, headers};
			sent.push(one);
			return answer(one);
		},
		drop() {},
		close: async () => {},
	};
	const store = await createWebhookStore(database);
	if ((await store.webhooks()).length === 0) await store.insert(webhook);
	const errors: unknown[] = [];
	const outbox = new Outbox({store, poster, clock, onError: error => errors.push(error), ...limits});
	outbox.open(webhook, {waiting: await store.pending('w1'), tally: await store.tally('w1')});
	outboxes.push(outbox);
	return {
		clock,
		sent,
		store,
		outbox,
		database,
		errors,
		letters: () => store.deadLetters('w1', {limit: 100, offset: 0}),
	};
}

const outboxes: Outbox[] = [];
afterEach(async () => {
	for (const outbox of outboxes.splice(0)) await outbox.stop();
});

describe('a failed delivery (contract gaps 8)', () => {
	test('is tried three times, after one and two seconds, with the same id and a fresh signature, then given up', async () => {
		const {clock, sent, outbox, letters, store} = await open(() => failed(500));
		outbox.enqueue(swap('w1', '{"a":1}'));
		await clock.pass(10_000);
		expect(sent.map(({atMs}) => atMs - 1_000_000)).toEqual([0, 1000, 3000]);
		expect(new Set(sent.map(({headers}) => headers['X-Webhook-Delivery'])).size).toBe(1);
		expect(sent.map(({headers}) => headers['X-Webhook-Signature']!.slice(0, 7))).toEqual([
			't=1000,',
			't=1001,',
			't=1003,',
		]);
		expect(await letters()).toMatchObject([{attempts: 3, status: 500, reason: 'the answer was 500', body: '{"a":1}'}]);
		expect(await store.pending('w1')).toEqual([]);
		expect(outbox.status('w1')).toMatchObject({failedAttempts: 3, delivered: 0, pending: 0});
	});

	test.each([3_600_000, -3_600_000])('is tried as often when the clock is set by %i ms meanwhile', async setMs => {
		const {clock, sent, outbox, letters} = await open(() => failed(500));
		outbox.enqueue(swap('w1', '{"a":1}'));
		await clock.pass(500);
		clock.setMs = setMs;
		await clock.pass(10_000);
		expect(sent).toHaveLength(3);
		expect(await letters()).toMatchObject([{attempts: 3}]);
	});

	test('that succeeds later is delivered once and leaves no letter', async () => {
		let tries = 0;
		const {clock, sent, outbox, letters} = await open(() => (++tries < 3 ? failed(503) : done));
		outbox.enqueue(swap('w1', '{}'));
		await clock.pass(60_000);
		expect(sent).toHaveLength(3);
		expect(await letters()).toEqual([]);
		expect(outbox.status('w1')).toMatchObject({failedAttempts: 2, delivered: 1, pending: 0});
	});

	test('for which five minutes would not be enough is given up earlier', async () => {
		const {clock, sent, outbox, letters} = await open(async () => {
			await clock.pass(299_500);
			return failed(504);
		});
		outbox.enqueue(swap('w1', '{}'));
		await waitFor(async () => {
			if (sent.length === 1 && (await letters()).length === 1) return true;
			await clock.pass(200);
			return false;
		});
		expect(sent).toHaveLength(1);
	});

	test('to a refused target is not tried again', async () => {
		const {clock, sent, outbox, letters} = await open(() => ({
			isDone: false,
			status: null,
			reason: 'private',
			isFinal: true,
		}));
		outbox.enqueue(swap('w1', '{}'));
		await clock.pass(10_000);
		expect(sent).toHaveLength(1);
		expect(await letters()).toMatchObject([{status: null, reason: 'private', attempts: 1}]);
	});

	test('is redelivered from the dead letters on request', async () => {
		let works = false;
		const {clock, sent, outbox, letters} = await open(() => (works ? done : failed(500)));
		for (let n = 0; n < 3; n++) outbox.enqueue(swap('w1', `{"n":${n}}`));
		await clock.pass(10_000);
		expect(await letters()).toHaveLength(3);
		works = true;
		expect(await outbox.revive('w1')).toBe(3);
		await clock.pass(10_000);
		expect(sent.slice(-3).map(({body}) => body)).toEqual(['{"n":0}', '{"n":1}', '{"n":2}']);
		expect(await letters()).toEqual([]);
	});
});

describe('the queue of a webhook', () => {
	test('holds an event once, also after a restart, and takes it again once it has arrived', async () => {
		const database = openSqlite(undefined);
		const event = swap('w1', '{"same":1}');
		const first = await open(() => failed(500), {database});
		expect([first.outbox.enqueue(event), first.outbox.enqueue(event)]).toEqual([true, true]);
		await first.clock.pass(10);
		expect(first.outbox.enqueue(event)).toBe(true);
		await first.clock.pass(10);
		expect([first.sent.length, first.outbox.status('w1')?.pending]).toEqual([1, 1]);

		const second = await open(() => done, {database});
		expect(second.outbox.enqueue(event)).toBe(true);
		await second.clock.pass(1000);
		expect([second.sent.length, second.outbox.status('w1')?.pending]).toEqual([1, 0]);
		expect(second.outbox.enqueue(event)).toBe(true);
		await second.clock.pass(1000);
		expect(second.sent.map(({headers}) => headers['X-Webhook-Delivery'])).toEqual([event.id, event.id]);
		expect(second.errors).toEqual([]);
	});

	test('holds a dead letter once that came again before it was revived', async () => {
		const {promise: late, resolve: arrive} = Promise.withResolvers<Outcome>();
		let isSlow = false;
		const {clock, outbox, letters, errors} = await open(() => (isSlow ? late : {...failed(500), isFinal: true}));
		const event = swap('w1', '{}');
		outbox.enqueue(event);
		await clock.pass(1000);
		expect(await letters()).toHaveLength(1);
		isSlow = true;
		outbox.enqueue(event);
		await clock.pass(1000);
		expect(await outbox.revive('w1')).toBe(0);
		expect([await letters(), outbox.status('w1')?.pending, errors]).toEqual([[], 1, []]);
		arrive(done);
	});

	test('is bounded: what finds it full is dropped and counted, what was accepted is delivered', async () => {
		let release = () => {};
		const gate = new Promise<void>(resolve => {
			release = resolve;
		});
		const {clock, sent, outbox} = await open(() => gate.then(() => done), {queue: 10, parallel: 3});
		const accepted = Array.from({length: 25}, (_, n) => outbox.enqueue(swap('w1', `{"n":${n}}`)));
		await clock.pass(100);
		expect(accepted.filter(Boolean)).toHaveLength(10);
		expect(sent).toHaveLength(3);
		expect(outbox.status('w1')).toMatchObject({dropped: 15, pending: 10});
		release();
		await clock.pass(1000);
		expect(sent).toHaveLength(10);
		expect(outbox.status('w1')).toMatchObject({dropped: 15, pending: 0, delivered: 10});
		expect(outbox.enqueue(swap('w1', '{}'))).toBe(true);
	});

	test('of a target that fails is worked through slowly: a waiting retry keeps its place', async () => {
		const {clock, sent, outbox} = await open(() => failed(500), {parallel: 2});
		for (let n = 0; n < 6; n++) outbox.enqueue(swap('w1', `{"n":${n}}`));
		await clock.pass(2999);
		expect(new Set(sent.map(({body}) => body)).size).toBe(2);
		await clock.pass(10_000);
		expect(new Set(sent.map(({body}) => body)).size).toBe(6);
	});

	test('of another webhook does not wait for it', async () => {
		const {clock, sent, outbox, store} = await open(({body}) => (body === 'slow' ? new Promise(() => {}) : done), {
			parallel: 1,
		});
		const other = {...webhook, id: 'w2'};
		await store.insert(other);
		outbox.open(other, {waiting: [], tally: NO_TALLY});
		outbox.enqueue(swap('w1', 'slow'));
		outbox.enqueue(swap('w1', 'slow'));
		outbox.enqueue(swap('w2', 'quick'));
		await clock.pass(10);
		expect(sent.map(({body}) => body)).toEqual(['slow', 'quick']);
		outbox.drop('w1');
		outboxes.length = 0;
	});

	test('keeps the newest dead letters only', async () => {
		const {store} = await open(() => done);
		const letter = (n: number) => ({
			id: `d${n}`,
			webhookId: 'w1',
			event: 'swap',
			body: '{}',
			createdAtMs: n,
			attempts: 3,
			failedAtMs: n,
			status: 500,
			reason: 'x',
		});
		const nothing = {queued: [], tried: [], done: [], tallies: new Map()};
		await store.write({...nothing, dead: Array.from({length: DEAD_LETTERS_KEPT}, (_, n) => letter(n))});
		await store.write({...nothing, dead: [letter(5000), letter(5001)]});
		expect(await store.countDeadLetters('w1')).toBe(DEAD_LETTERS_KEPT);
		expect((await store.deadLetters('w1', {limit: 2, offset: 0})).map(({id}) => id)).toEqual(['d5001', 'd5000']);
		expect((await store.deadLetters('w1', {limit: 1, offset: DEAD_LETTERS_KEPT - 1})).map(({id}) => id)).toEqual([
			'd2',
		]);
	});
});

describe('across a restart', () => {
	test('what did not arrive is delivered by the next run, with the attempts that are left', async () => {
		const database = openSqlite(undefined);
		const first = await open(() => failed(500), {database});
		first.outbox.enqueue(swap('w1', '{"kept":1}'));
		await first.clock.pass(1500);
		expect(first.sent).toHaveLength(2);
		await first.outbox.stop();
		const second = await open(() => failed(500), {database});
		await second.clock.pass(60_000);
		expect(second.sent.map(({body}) => body)).toEqual(['{"kept":1}']);
		expect(second.sent[0]!.headers['X-Webhook-Delivery']).toBe(first.sent[0]!.headers['X-Webhook-Delivery']);
		expect(await second.letters()).toMatchObject([{attempts: 3}]);
		expect(second.outbox.status('w1')).toMatchObject({failedAttempts: 3});
	});

	test('an event is in the store before it is sent', async () => {
		const stored: number[] = [];
		const {clock, outbox, store} = await open(async () => {
			stored.push((await store.pending('w1')).length);
			return done;
		});
		outbox.enqueue(swap('w1', '{}'));
		outbox.enqueue(swap('w1', '{}'));
		await clock.pass(1000);
		expect(stored).toEqual([2, 2]);
		expect(await store.pending('w1')).toEqual([]);
	});

	test('what arrives while the service stops is not sent again, and what does not is', async () => {
		const database = openSqlite(undefined);
		let arrive = () => {};
		const first = await open(
			({body}) =>
				body === 'arrives'
					? new Promise<Outcome>(resolve => {
							arrive = () => resolve(done);
						})
					: failed(500),
			{database},
		);
		first.outbox.enqueue(swap('w1', 'arrives'));
		first.outbox.enqueue(swap('w1', 'fails'));
		await first.clock.pass(10);
		const stopped = first.outbox.stop();
		arrive();
		await stopped;
		const second = await open(() => done, {database});
		await second.clock.pass(10);
		expect(second.sent.map(({body}) => body)).toEqual(['fails']);
	});
});

test('while the store fails nothing is lost or sent; it goes on when the store works again', async () => {
	const real = openSqlite(undefined);
	let isBroken = false;
	const database: Database = {
		...real,
		async run(sql, parameters) {
			if (isBroken && sql.startsWith('INSERT INTO webhook_deliveries')) throw new Error('disk full');
			return real.run(sql, parameters);
		},
	};
	const {clock, sent, outbox, errors} = await open(() => done, {database});
	isBroken = true;
	outbox.enqueue(swap('w1', '{}'));
	await clock.pass(500);
	expect(sent).toHaveLength(0);
	expect(errors.length).toBeGreaterThan(0);
	isBroken = false;
	await clock.pass(2000);
	expect(sent).toHaveLength(1);
});
