import {describe, expect, test} from 'vitest';
import {createClock} from '../../source/client/clock.ts';
import {createPollPace} from '../../source/client/feed/poll-pace.ts';
import {
	backoffMs,
	failureOfStatus,
	pollDelayMs,
	retryAfterMs,
	STREAM_BACKOFF,
} from '../../source/client/http/backoff.ts';
import {RateLimited, ServiceUnreachable} from '../../source/client/http/service-errors.ts';
import {createTraffic} from '../../source/client/stream/traffic.ts';
import {fc} from '../helpers/properties.ts';

describe('the wait before the next attempt', () => {
	test('is full jitter: between nothing and a limit that doubles from 0.25 s to 30 s', () => {
		const longest = (attempt: number) => backoffMs(attempt, STREAM_BACKOFF, {random: 1});
		expect([1, 2, 3, 4, 7, 8, 9, 1000].map(longest)).toEqual([250, 500, 1000, 2000, 16_000, 30_000, 30_000, 30_000]);
		expect(backoffMs(9, STREAM_BACKOFF, {random: 0})).toBeLessThanOrEqual(50);
	});

	test('is never shorter than Retry-After, and never endless', () => {
		fc.assert(
			fc.property(
				fc.integer({min: 1, max: 1e9}),
				fc.integer({min: 0, max: 1e9}),
				fc.double({min: 0, max: 1, noNaN: true}),
				(attempt, asked, random) => {
					const wait = backoffMs(attempt, STREAM_BACKOFF, {retryAfterMs: asked, random});
					expect(wait).toBeGreaterThanOrEqual(Math.min(asked, 15 * 60_000));
					expect(wait).toBeLessThanOrEqual(15 * 60_000 + 1_000);
				},
			),
		);
	});

	test('is long after a refusal, which a retry does not fix', () => {
		for (const failure of ['refused', 'rejected'] as const) {
			expect(backoffMs(1, STREAM_BACKOFF, {failure, random: 0})).toBeGreaterThanOrEqual(45_000);
		}
		expect(backoffMs(1, STREAM_BACKOFF, {failure: 'rate-limited', random: 0})).toBeGreaterThanOrEqual(500);
	});

	test('between polls is the default while polling works, and never shorter or over the limit after failures', () => {
		expect(pollDelayMs(2_000, 0, 30_000)).toBe(2_000);
		fc.assert(
			fc.property(fc.integer({min: 1, max: 1e6}), fc.double({min: 0, max: 1, noNaN: true}), (failures, random) => {
				const ms = pollDelayMs(2_000, failures, 30_000, random);
				expect(ms).toBeGreaterThan(2_000);
				expect(ms).toBeLessThanOrEqual(30_000);
			}),
		);
		expect([1, 2, 3, 9].map(failures => pollDelayMs(2_000, failures, 30_000, 1))).toEqual([
			4_000, 6_000, 10_000, 30_000,
		]);
	});

	test('maps each HTTP status to a kind of failure', () => {
		expect([200, 302, 400, 401, 403, 404, 408, 429, 500, 503].map(failureOfStatus)).toEqual([
			undefined,
			undefined,
			'rejected',
			'refused',
			'refused',
			'rejected',
			'network',
			'rate-limited',
			'service',
			'service',
		]);
	});

	test('reads Retry-After as seconds and as a date by the server clock', () => {
		const nowMs = Date.UTC(2025, 10, 21, 8, 0, 0);
		expect(retryAfterMs('7', nowMs)).toBe(7_000);
		expect(retryAfterMs('Fri, 21 Nov 2025 08:00:30 GMT', nowMs)).toBe(30_000);
		expect(retryAfterMs('Fri, 21 Nov 2025 07:00:30 GMT', nowMs)).toBe(0);
		for (const header of [undefined, '', '-5', 'soon', '1e9', '99999999999999'])
			expect(retryAfterMs(header, nowMs)).toBeUndefined();
	});
});

describe('the server clock', () => {
	test('stays within its uncertainty of the true skew, with any delays', () => {
		const delay = fc.integer({min: 0, max: 3_000});
		fc.assert(
			fc.property(
				fc.integer({min: -1e6, max: 1e6}),
				fc.array(fc.tuple(delay, delay, fc.integer({min: 0, max: 60_000})), {minLength: 1, maxLength: 30}),
				(skew, trips) => {
					let localMs = 1_700_000_000_000;
					const clock = createClock(() => localMs);
					for (const [out, back, pause] of trips) {
						const sentMs = localMs;
						const writtenMs = Math.floor((sentMs + out + skew) / 1000) * 1000;
						localMs += out + back;
						clock.sample(new Date(writtenMs).toUTCString(), sentMs, localMs);
						expect(Math.abs(clock.skewMs - skew)).toBeLessThanOrEqual(clock.uncertaintyMs! + 0.001);
						expect(clock.nowMs()).toBe(localMs + clock.skewMs);
						localMs += pause;
					}
				},
			),
		);
	});

	test('grows more certain with every response in another part of the second', () => {
		let localMs = 1_700_000_000_000;
		const clock = createClock(() => localMs);
		const uncertainties = [0, 300, 450, 800, 950].map(part => {
			localMs = 1_700_000_000_000 + part;
			clock.sample(new Date(Math.floor((localMs + 5_250) / 1000) * 1000).toUTCString(), localMs, localMs);
			return clock.uncertaintyMs!;
		});
		expect(uncertainties[0]).toBe(500);
		expect(uncertainties.at(-1)).toBeLessThan(180);
		expect(Math.abs(clock.skewMs - 5_250)).toBeLessThan(180);
	});

	test('follows when one of the clocks is set, and admits that it knows nothing after a jump', () => {
		const clock = createClock(() => 10_000);
		clock.sample(new Date(20_000).toUTCString(), 10_000, 10_000);
		expect(clock.skewMs).toBe(10_500);
		clock.sample(new Date(5_000_000).toUTCString(), 10_000, 10_000);
		expect(clock.skewMs).toBe(4_990_500);
		clock.forget();
		expect(clock.uncertaintyMs).toBeUndefined();
		expect(clock.skewMs).toBe(4_990_500);
		clock.sample('no date', 10_000, 10_000);
		clock.sample(undefined, 10_000, 10_000);
		expect(clock.uncertaintyMs).toBeUndefined();
	});
});

describe('the pace of polling', () => {
	const calm = {tookMs: 10, rateLimit: undefined, nowMs: 0};

	test('slows down while nothing changes, and is quick again when something does', () => {
		const pace = createPollPace(2_000, 15_000);
		const waits = Array.from({length: 20}, () => pace.answered({...calm, hasChanged: false}));
		expect(waits[0]).toBe(2_500);
		expect(waits.at(-1)).toBe(15_000);
		expect(pace.answered({...calm, hasChanged: true})).toBe(2_000);
	});

	test('leaves a slow service three quarters of the time', () => {
		expect(createPollPace(2_000, 15_000).answered({...calm, tookMs: 2_500, hasChanged: true})).toBe(10_000);
	});

	test('spreads what is left of the budget over the time until it is full again', () => {
		const rateLimit = {limit: 60, remaining: 3, resetAtMs: 30_000};
		expect(createPollPace(2_000, 15_000).answered({...calm, rateLimit, hasChanged: true})).toBe(10_000);
		expect(
			createPollPace(2_000, 15_000).answered({...calm, rateLimit: {...rateLimit, remaining: 0}, hasChanged: true}),
		).toBe(30_000);
	});

	test('waits for Retry-After after 429, and halves the rate', () => {
		const pace = createPollPace(2_000, 15_000, () => 0);
		expect(pace.failed(new RateLimited(9_000))).toBe(9_000);
		expect(pace.everyMs).toBe(4_000);
		expect(pace.failed(new ServiceUnreachable('cut'))).toBe(50);
	});
});

test('traffic is counted in all, and per second over the last five whole seconds', () => {
	let nowMs = 0;
	const traffic = createTraffic(() => nowMs);
	for (let second = 0; second < 10; second++) {
		nowMs = second * 1_000 + 500;
		for (let i = 0; i < 4; i++) traffic.add(100);
	}
	expect([traffic.bytesIn, traffic.framesIn, traffic.bytesPerSecond, traffic.framesPerSecond]).toEqual([
		4_000, 40, 400, 4,
	]);
	nowMs = 60_000;
	expect([traffic.bytesIn, traffic.bytesPerSecond, traffic.framesPerSecond]).toEqual([4_000, 0, 0]);
});
