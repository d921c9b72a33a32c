import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest';
import {TRIALS} from './flow-trials.ts';

/** The time that passes while a flow waits between two readings: none really does. */
const time = vi.hoisted(() => ({nowMs: 0, waits: [] as number[], onWait: (_count: number) => {}}));
vi.mock('node:timers/promises', async original => ({
	...(await original<typeof import('node:timers/promises')>()),
	setTimeout: (ms: number, _: unknown, {signal}: {signal?: AbortSignal} = {}) =>
		new Promise<void>((resolve, reject) => {
			time.waits.push(ms);
			time.nowMs += ms;
			time.onWait(time.waits.length);
			setImmediate(() => (signal?.aborted ? reject(signal.reason) : resolve()));
		}),
}));

beforeEach(() => {
	Object.assign(time, {nowMs: 0, waits: [], onWait: () => {}});
	vi.spyOn(performance, 'now').mockImplementation(() => time.nowMs);
	// The longest wait that the backoff allows.
	vi.spyOn(Math, 'random').mockReturnValue(1);
});
afterEach(() => void vi.restoreAllMocks());

describe.each(TRIALS)('$name', ({open, claim, intended, answered, claimed}) => {
	async function reviewed() {
		const trial = await open();
		const run = trial.start();
		await run.ready();
		return {trial, run};
	}

	async function sent(answer: 'lost' | 'not-sent') {
		const opened = await reviewed();
		opened.trial.answer = answer;
		await opened.run.execute();
		return opened;
	}

	test('is in the journal before it is signed, and again before it is sent', async () => {
		const {trial, run} = await reviewed();
		await run.execute();
		expect(trial.signatures).toHaveLength(1);
		expect(trial.signatures[0]).toContain(claim);
		expect(trial.posts).toHaveLength(1);
		expect(trial.posts[0]).toContain(intended);
		expect(trial.isCounted()).toBe(true);
		trial.isMined = true;
		await run.watch();
		expect(run.open()).toBe(0);
	});

	test('is not signed when a check fails after the review, and can be reviewed again', async () => {
		const {trial, run} = await reviewed();
		trial.isContractChanged = true;
		await expect(run.execute()).rejects.toMatchObject({
			code: 'check-failed',
			message: expect.stringMatching(/^The check “(executor|known|.*exchange|.*factory).*” failed$/),
			advice: expect.stringMatching(/^Nothing was sent/),
		});
		// The review names it.
		expect(run.view.checks.filter(({ok}) => !ok).map(({name}) => name)).toContainEqual(expect.stringMatching(/pin$/));
		expect([trial.signatures, trial.posts]).toEqual([[], []]);
		expect(trial.kinds()).not.toContain(claim);
		expect([run.open(), trial.isCounted()]).toEqual([0, false]);
		trial.isContractChanged = false;
		await run.ready();
		await run.execute();
		expect(trial.posts).toHaveLength(1);
	});

	test('that the wallet does not sign leaves its claim to the next run', async () => {
		const {trial, run} = await reviewed();
		trial.isWalletLocked = true;
		await expect(run.execute()).rejects.toMatchObject({code: 'wallet-locked'});
		expect([run.open(), trial.isCounted()]).toEqual([0, false]);
		expect(trial.posts).toEqual([]);
		trial.isWalletLocked = false;
		const next = trial.start();
		await next.ready();
		await next.execute();
		expect(trial.posts).toHaveLength(1);
	});

	test('is signed once and sent once by two runs that begin at once', async () => {
		const trial = await open();
		const runs = [trial.start(), trial.start()];
		for (const run of runs) await run.ready();
		const ends = await Promise.allSettled(runs.map(run => run.execute()));
		expect(ends.filter(({status}) => status === 'fulfilled')).toHaveLength(1);
		expect(ends).toContainEqual({status: 'rejected', reason: expect.objectContaining({code: claimed})});
		expect(trial.signatures).toHaveLength(1);
		expect(trial.posts).toHaveLength(1);
		expect(trial.isCounted()).toBe(true);
	});

	test('stays counted when another run of the same plan fails before its claim', async () => {
		const trial = await open();
		const [first, second] = [trial.start(), trial.start()];
		for (const run of [first, second]) await run.ready();
		trial.answer = 'lost';
		await first.execute();
		trial.isContractChanged = true;
		await expect(second.execute()).rejects.toMatchObject({code: 'check-failed'});
		expect(trial.isCounted()).toBe(true);
	});

	test('without an answer is sent once: its end is read', async () => {
		const {trial, run} = await sent('lost');
		expect(run.open()).toBe(1);
		await expect(run.execute()).rejects.toThrow();
		expect(trial.isCounted()).toBe(true);
		time.onWait = count => {
			trial.isMined = count > 2;
		};
		await run.watch();
		expect(run.open()).toBe(0);
		expect([trial.signatures.length, trial.posts.length]).toEqual([1, 1]);
	});

	test('that its node counts before it has the receipt is not taken for a replaced one', async () => {
		const {trial, run} = await sent('lost');
		Object.assign(trial, {isMined: true, isReceiptLate: true});
		time.onWait = count => {
			trial.isReceiptLate = count < 3;
		};
		expect((await run.watch()).phase).toMatch(/^(done|filled|settled)$/);
	});

	test('is not counted any more when nothing left this machine', async () => {
		const {trial} = await sent('not-sent');
		expect(trial.posts).toEqual([]);
		expect(trial.isCounted()).toBe(false);
	});

	test('is not counted for good when a kill follows the record that nothing left this machine', async () => {
		const trial = await open();
		trial.endsAfter = answered;
		const run = trial.start();
		await run.ready();
		trial.answer = 'not-sent';
		await expect(run.execute()).rejects.toThrow('the program was killed');
		expect(trial.isCounted()).toBe(false);
	});

	test('of a run that ended while it was sent is read by the next one, and not sent again', async () => {
		const {trial, run} = await reviewed();
		trial.answer = 'never';
		void run.execute();
		await expect.poll(() => trial.posts.length).toBe(1);
		const next = trial.start();
		expect(next.open()).toBe(1);
		next.resume();
		await expect(next.execute()).rejects.toThrow();
		trial.isMined = true;
		await next.watch();
		expect(next.open()).toBe(0);
		expect([trial.signatures.length, trial.posts.length]).toEqual([1, 1]);
	});

	test('keeps its claim when the reading of its end is aborted', async () => {
		const {trial, run} = await sent('lost');
		const {phase} = run.view.state;
		const reading = new AbortController();
		time.onWait = count => {
			if (count === 3) reading.abort();
		};
		expect((await run.watch(reading.signal)).phase).toBe(phase);
		expect(time.waits).toHaveLength(3);
		const other = trial.start();
		await expect(other.ready().then(() => other.execute())).rejects.toThrow();
		expect(trial.signatures).toHaveLength(1);
		trial.isMined = true;
		const next = trial.start();
		next.resume();
		await next.watch();
		expect(next.open()).toBe(0);
		expect(trial.posts).toHaveLength(1);
	});

	test('is read every second while it goes on', async () => {
		const {trial, run} = await sent('lost');
		time.onWait = count => {
			trial.isMined = count === 4;
		};
		await run.watch();
		expect(time.waits).toEqual([1000, 1000, 1000, 1000]);
	});

	test('is read ever more seldom while nothing answers, until it is silent for too long', async () => {
		const {trial, run} = await sent('lost');
		trial.isSilent = true;
		await run.watch(undefined, 60_000);
		expect(time.waits).toEqual([2000, 3000, 5000, 9000, 15_000, 15_000, 15_000]);
		expect(run.open()).toBe(1);
	});

	test('is read every second again once something answers', async () => {
		const {trial, run} = await sent('lost');
		trial.isSilent = true;
		time.onWait = count => {
			trial.isSilent = count < 3;
			trial.isMined = count === 5;
		};
		await run.watch();
		expect(time.waits).toEqual([2000, 3000, 5000, 1000, 1000]);
	});
});

test('a cancel that only the service calls done is read ever more seldom, as one without an answer', async () => {
	const trial = await TRIALS.find(({name}) => name === 'an order cancel')!.open();
	const run = trial.start();
	await run.ready();
	await run.execute();
	expect(await run.watch(undefined, 20_000)).toMatchObject({phase: 'claimed'});
	expect(time.waits).toEqual([2000, 3000, 5000, 9000, 15_000]);
});

test.each([
	['insufficient funds', 'refused'],
	['already known', 'sent'],
	['transaction ALREADY in the pool', 'sent'],
])('a deposit to which the node says “%s” is %s', async (refusal, phase) => {
	const trial = await TRIALS.find(({name}) => name === 'a deposit into a prediction account')!.open();
	Object.assign(trial, {answer: 'not-sent', refusal});
	const run = trial.start();
	await run.ready();
	await run.execute();
	expect(run.view.state).toMatchObject({phase, said: expect.stringContaining(refusal)});
	// Only an end is written down, with the reason.
	const written = trial
		.journal()
		.records()
		.filter(({kind}) => kind === 'vault.status');
	expect(written.map(({data}) => data)).toEqual(phase === 'refused' ? [{phase, said: refusal}] : []);
	expect(run.open()).toBe(phase === 'refused' ? 0 : 1);
});
