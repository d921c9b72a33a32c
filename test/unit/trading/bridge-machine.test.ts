import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	answered,
	type BridgeState,
	cancelled,
	confirmed,
	DRAFT,
	type ExecuteOutcome,
	isEnd,
	isInFlight,
	LAPSE_MARGIN_MS,
	maySign,
	quoted,
	restarted,
	reviewed,
	reviewWithdrawn,
	sendingStarted,
	signingFailed,
	signingStarted,
	statusRead,
} from '../../../source/trading/bridge/machine.ts';

const NOW = 1_800_000_000_000;
const DEADLINE_S = NOW / 1000 + 300;

function sending(): BridgeState {
	const ready = signingStarted(confirmed(reviewed(quoted(DRAFT, 'i1'))));
	return sendingStarted(ready, {deadlineS: DEADLINE_S, nowMs: NOW});
}

const refused = (status: number): ExecuteOutcome => ({kind: 'refused', status, said: 'no'});

describe('a bridge intent', () => {
	test('goes from quote to filled when everything is well', () => {
		const sent = answered(sending(), {kind: 'accepted', depositTxHash: '0xd'});
		expect(sent).toMatchObject({phase: 'pending', attempts: 1, depositTxHash: '0xd'});
		const filling = statusRead(sent, {status: 'filling', nowMs: NOW});
		expect(statusRead(filling, {status: 'filled', fillTxHash: '0xf', nowMs: NOW})).toMatchObject({phase: 'filled'});
	});

	test.each([
		[400, 'refused'],
		[401, 'refused'],
		[402, 'refused'],
		[404, 'refused'],
		[409, 'unclear'],
		[429, 'retryable'],
		[500, 'unclear'],
		[502, 'retryable'],
		[503, 'retryable'],
		[504, 'unclear'],
		[520, 'unclear'],
		[200, 'unclear'],
		[302, 'unclear'],
	])('that is answered with %i is %s', (status, phase) => {
		expect(answered(sending(), refused(status)).phase).toBe(phase);
	});

	test('that ended well says nothing of the refusal of a try before', () => {
		const tried = answered(sending(), refused(503));
		const sent = answered(sendingStarted(signingStarted(tried), {deadlineS: DEADLINE_S, nowMs: NOW}), {
			kind: 'accepted',
			depositTxHash: '0xd',
		});
		expect(statusRead(sent, {status: 'filled', nowMs: NOW})).not.toHaveProperty('said');
		expect(statusRead(sent, {status: 'failed', said: 'call 1', nowMs: NOW})).toMatchObject({said: 'call 1'});
	});

	test('whose POST never left this machine may be tried again; one that may have arrived is only read', () => {
		expect(answered(sending(), {kind: 'not-sent', said: ''}).phase).toBe('retryable');
		const unclear = answered(sending(), {kind: 'no-answer', said: ''});
		expect(unclear.phase).toBe('unclear');
		expect(signingStarted(unclear)).toBe(unclear);
		expect(quoted(unclear, 'i2')).toBe(unclear);
		expect(cancelled(unclear)).toBe(unclear);
	});

	test('that failed needs a new quote: it is never signed again', () => {
		const failed = statusRead(answered(sending(), {kind: 'accepted', depositTxHash: '0xd'}), {
			status: 'failed',
			nowMs: NOW,
		});
		expect(signingStarted(failed)).toBe(failed);
		expect(quoted(failed, 'i2')).toEqual({phase: 'quoted', attempts: 0, intentId: 'i2'});
	});

	test('does not end before its batch is certainly dead', () => {
		const unclear = answered(sending(), refused(504));
		const late = DEADLINE_S * 1000 + LAPSE_MARGIN_MS;
		const read = (nowMs: number, laneUsed?: boolean) =>
			statusRead(unclear, {status: 'pending', nowMs, ...(laneUsed === undefined ? {} : {laneUsed})}).phase;
		expect(read(late - 1, false)).toBe('unclear');
		expect(read(late, false)).toBe('lapsed');
		expect(read(late)).toBe('unclear');
		expect(read(late, true)).toBe('unclear');
		expect(read(NOW + 15 * 60_000 + LAPSE_MARGIN_MS)).toBe('lapsed');
	});

	test('takes a status that it does not know for progress, and an end for an end whatever comes later', () => {
		const sent = answered(sending(), {kind: 'accepted', depositTxHash: '0xd'});
		expect(statusRead(sent, {status: 'settle_lost', nowMs: NOW}).phase).toBe('progressing');
		const refunded = statusRead(sent, {status: 'refunded', nowMs: NOW});
		expect(statusRead(refunded, {status: 'pending', nowMs: NOW})).toBe(refunded);
	});

	test('goes back to its quote when the wallet does not sign, and keeps the way open after a retry', () => {
		const first = signingStarted(confirmed(reviewed(quoted(DRAFT, 'i1'))));
		expect(signingFailed(first).phase).toBe('quoted');
		const again = signingStarted(answered(sending(), refused(502)));
		expect(signingFailed(again).phase).toBe('retryable');
	});

	test('that was only prepared is gone after a restart; one that was sent is only read', () => {
		expect(restarted(confirmed(reviewed(quoted(DRAFT, 'i1')))).phase).toBe('cancelled');
		expect(restarted(sending()).phase).toBe('unclear');
		expect(restarted(answered(sending(), refused(502))).phase).toBe('unclear');
		expect(restarted(answered(sending(), {kind: 'accepted', depositTxHash: '0xd'})).phase).toBe('pending');
	});
});

/**
 * A service and a chain that keep the spec's promises and break everything else: they answer when and how they like, lose
 * requests and answers, and the user's program is killed between any two steps. What really happened is known here only.
 */
class World {
	nowMs = NOW;
	/** Batches that reached the service, by the fate that only we know. */
	readonly batches: {deadlineS: number; fate: 'waiting' | 'executed' | 'dead'}[] = [];
	posts = 0;
	wasUnclear = false;

	/** Whether a batch that left the user could still be executed. */
	isAlive(): boolean {
		return this.batches.some(b => b.fate === 'executed' || (b.fate === 'waiting' && this.nowMs <= b.deadlineS * 1000));
	}

	post(deadlineS: number, event: string): ExecuteOutcome {
		this.posts++;
		const arrive = (fate: 'waiting' | 'executed' | 'dead') => this.batches.push({deadlineS, fate});
		switch (event) {
			case 'accepted':
				arrive('waiting');
				return {kind: 'accepted', depositTxHash: '0xd'};
			case 'no connection':
				return {kind: 'not-sent', said: ''};
			case 'lost on the way there':
				return {kind: 'no-answer', said: ''};
			case 'lost on the way back':
			case 'cut':
				arrive('waiting');
				return {kind: 'no-answer', said: ''};
			default: {
				const status = Number(event);
				// Only what spec 7 says for certain: these sent nothing.
				arrive([400, 401, 402, 404, 429, 502, 503].includes(status) ? 'dead' : 'waiting');
				return {kind: 'refused', status, said: ''};
			}
		}
	}

	/** What the status says: the truth, or less. */
	status(isVague: boolean): {status: string; depositTxHash?: string} {
		const executed = this.batches.some(({fate}) => fate === 'executed');
		if (isVague || !executed) return {status: 'pending'};
		return {status: 'filled', depositTxHash: '0xd'};
	}
}

const POSTS = [
	'accepted',
	'no connection',
	'lost on the way there',
	'lost on the way back',
	'cut',
	'400',
	'401',
	'402',
	'404',
	'409',
	'429',
	'500',
	'502',
	'503',
	'504',
];
const step = fc.oneof(
	{weight: 5, arbitrary: fc.record({do: fc.constant('send' as const), answer: fc.constantFrom(...POSTS)})},
	{weight: 3, arbitrary: fc.record({do: fc.constant('read' as const), vague: fc.boolean(), lane: fc.boolean()})},
	{
		weight: 2,
		arbitrary: fc.record({do: fc.constant('wait' as const), ms: fc.constantFrom(1000, 60_000, 301_000, 1_200_000)}),
	},
	{weight: 1, arbitrary: fc.record({do: fc.constant('mine' as const)})},
	{
		weight: 2,
		arbitrary: fc.record({
			do: fc.constant('restart' as const),
			midSend: fc.boolean(),
			answer: fc.constantFrom(...POSTS),
		}),
	},
	{weight: 1, arbitrary: fc.record({do: fc.constantFrom('requote', 'cancel', 'withdraw', 'fail to sign')})},
);

describe('whatever the service, the network and restarts do', () => {
	test('there are never two live batches for one intent, and nothing is sent after an unclear answer', () => {
		let sends = 0;
		let retries = 0;
		fc.assert(
			fc.property(fc.array(step, {maxLength: 25}), steps => {
				let world = new World();
				let state = quoted(DRAFT, 'i1');
				const begin = (): boolean => {
					const ready = maySign(state) ? state : confirmed(reviewed(state));
					const signing = signingStarted(ready);
					if (signing.phase !== 'signing') return false;
					expect(world.isAlive(), `signs while a batch is alive, in ${state.phase}`).toBe(false);
					expect(world.wasUnclear, `sends after an unclear answer, in ${state.phase}`).toBe(false);
					sends++;
					if (state.attempts > 0) retries++;
					state = sendingStarted(signing, {deadlineS: Math.floor(world.nowMs / 1000) + 300, nowMs: world.nowMs});
					return true;
				};
				for (const s of steps) {
					if (s.do === 'send' || (s.do === 'restart' && s.midSend)) {
						const isSent = begin();
						if (isSent) {
							const outcome = world.post(state.deadlineS!, s.answer);
							// Killed before the answer was seen: only the journal's line is left.
							if (s.do === 'send') state = answered(state, outcome);
							const certain =
								outcome.kind === 'accepted' ||
								outcome.kind === 'not-sent' ||
								[400, 401, 402, 404, 429, 502, 503].includes(Number(s.answer));
							if (!certain || s.do === 'restart') world.wasUnclear = true;
						}
					}
					if (s.do === 'restart') {
						if (state.attempts > 0 && !isEnd(state)) world.wasUnclear = true;
						state = restarted(state);
					}
					if (s.do === 'read') {
						const executed = world.batches.some(b => b.fate === 'executed');
						state = statusRead(state, {
							...world.status(s.vague),
							nowMs: world.nowMs,
							...(s.lane ? {laneUsed: executed} : {}),
						});
					}
					if (s.do === 'wait') world.nowMs += s.ms;
					if (s.do === 'mine') {
						const live = world.batches.filter(b => b.fate === 'waiting' && world.nowMs <= b.deadlineS * 1000);
						expect(live.length, 'two batches wait to be executed').toBeLessThan(2);
						for (const batch of live) batch.fate = 'executed';
					}
					if (s.do === 'cancel') state = cancelled(state);
					if (s.do === 'withdraw') state = reviewWithdrawn(state);
					if (s.do === 'fail to sign') state = signingFailed(signingStarted(state));
					if (s.do === 'requote') {
						const next = quoted(state, 'i2');
						if (next !== state) {
							// A new quote while the old batch can still be executed would move the tokens twice.
							const moves = world.batches.some(b => b.fate === 'waiting' && world.nowMs <= b.deadlineS * 1000);
							expect(moves, `a new quote in ${state.phase} while a batch waits`).toBe(false);
							const {nowMs} = world;
							world = new World();
							world.nowMs = nowMs;
							state = next;
						}
					}
					expect(isEnd(state) && isInFlight(state)).toBe(false);
				}
			}),
			{numRuns: 3000},
		);
		// The property says something only if the runs get that far.
		expect(sends).toBeGreaterThan(1000);
		expect(retries).toBeGreaterThan(100);
	});
});
