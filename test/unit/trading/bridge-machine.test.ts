import {describe, expect, test} from 'vitest';
import {
	answered,
	type BridgeState,
	cancelled,
	confirmed,
	DRAFT,
	type Evidence,
	type ExecuteOutcome,
	isEnd,
	isInFlight,
	madeFinal,
	maySign,
	quoted,
	restarted,
	reviewed,
	reviewWithdrawn,
	sendingStarted,
	signingFailed,
	signingStarted,
	statusRead,
	takenBack,
} from '../../../source/trading/bridge/machine.ts';
import {LIVE_MARGIN_MS} from '../../../source/trading/live-signature.ts';
import {fc} from '../../helpers/properties.ts';

const NOW = 1_800_000_000_000;
const DEADLINE_S = NOW / 1000 + 300;

function sending(): BridgeState {
	const ready = signingStarted(confirmed(reviewed(quoted(DRAFT, 'i1'))));
	return sendingStarted(ready, {deadlineS: DEADLINE_S, nowMs: NOW});
}

const refused = (status: number): ExecuteOutcome => ({kind: 'refused', status, said: 'no'});

const accepted: ExecuteOutcome = {kind: 'accepted', depositTxHash: '0xd'};
const LEFT = {isUsed: true, leftTxHash: '0xd'};
const arrived = {arrived: {txHash: '0xf', proof: '0xf:1', amountRaw: '24912345'}};
const SEEN_IN = [{chainId: 'evm:8453', number: 8, hash: '0xb8'}];
/** When a batch that was sent at NOW can no longer be executed, by this machine's time. */
const DEAD_MS = DEADLINE_S * 1000 + LIVE_MARGIN_MS;

/** What the service named stays. */
const fillOf = ({fillTxHash}: BridgeState) => (fillTxHash === undefined ? {} : {fillTxHash});

describe('a bridge intent', () => {
	test('goes from quote to filled when everything is well and the chain shows it', () => {
		const sent = answered(sending(), accepted);
		expect(sent).toMatchObject({phase: 'pending', attempts: 1, depositTxHash: '0xd'});
		const filling = statusRead(sent, {status: 'filling', nowMs: NOW});
		expect(statusRead(filling, {status: 'filled', nowMs: NOW, evidence: {...LEFT, ...arrived}})).toMatchObject({
			phase: 'filled',
			fillTxHash: '0xf',
			proof: '0xf:1',
			arrivedRaw: '24912345',
		});
	});

	test.each([
		[400, 'unaccepted'],
		[401, 'unaccepted'],
		[402, 'unaccepted'],
		[404, 'unaccepted'],
		[409, 'unclear'],
		[429, 'retryable'],
		[500, 'unclear'],
		[502, 'retryable'],
		[503, 'retryable'],
		[504, 'unclear'],
		[520, 'unclear'],
		[200, 'unclear'],
		[302, 'unclear'],
	])('that is answered with %i is %s, and its batch lives until its deadline', (status, phase) => {
		const state = answered(sending(), refused(status));
		expect(state).toMatchObject({phase, liveUntilS: DEADLINE_S});
		expect(isInFlight(state)).toBe(true);
		expect(quoted(state, 'i2')).toBe(state);
		expect(cancelled(state)).toBe(state);
	});

	test.each([
		[503, 'retryable', 'lapsed'],
		[400, 'unaccepted', 'refused'],
	])(
		'that was refused with %i says why, while the service has nothing of it and after its deadline',
		(status, phase, end) => {
			const reading = {status: 'pending', said: 'Quoted, not submitted.', nowMs: NOW, evidence: {isUsed: false}};
			const read = statusRead(answered(sending(), refused(status)), reading);
			expect(read).toMatchObject({phase, said: 'no'});
			expect(statusRead(read, {...reading, nowMs: DEAD_MS})).toMatchObject({phase: end, said: 'no'});
			const sent = statusRead(read, {...reading, said: 'Broadcast.', depositTxHash: '0x1'});
			expect(sent).toMatchObject({phase: 'pending', said: 'Broadcast.'});
		},
	);

	test('that ended well says nothing of the refusal of a try before', () => {
		const tried = answered(sending(), refused(503));
		const sent = answered(sendingStarted(signingStarted(tried), {deadlineS: DEADLINE_S, nowMs: NOW}), accepted);
		expect(statusRead(sent, {status: 'filled', nowMs: NOW, evidence: {...LEFT, ...arrived}})).not.toHaveProperty(
			'said',
		);
		const failed = {status: 'failed', said: 'call 1', nowMs: DEAD_MS, evidence: {isUsed: false}};
		expect(statusRead(sent, failed)).toMatchObject({phase: 'failed', said: 'call 1'});
	});

	test('whose POST never left this machine may be tried again or given up; one that may have arrived is only read', () => {
		const unsent = answered(sending(), {kind: 'not-sent', said: ''});
		expect(unsent.phase).toBe('retryable');
		expect(isInFlight(unsent)).toBe(false);
		expect(cancelled(unsent).phase).toBe('cancelled');
		const unclear = answered(sending(), {kind: 'no-answer', said: ''});
		expect(unclear.phase).toBe('unclear');
		expect(signingStarted(unclear)).toBe(unclear);
		expect(quoted(unclear, 'i2')).toBe(unclear);
		expect(cancelled(unclear)).toBe(unclear);
	});

	test('of which a batch can still be executed is not given up while another is signed', () => {
		const again = signingStarted(answered(sending(), refused(502)));
		expect(cancelled(again)).toMatchObject({phase: 'retryable', liveUntilS: DEADLINE_S});
	});

	test('that failed needs a new quote: it is never signed again', () => {
		const sent = answered(sending(), accepted);
		const failed = statusRead(sent, {status: 'failed', nowMs: DEAD_MS, evidence: {isUsed: false}});
		expect(failed.phase).toBe('failed');
		expect(signingStarted(failed)).toBe(failed);
		expect(quoted(failed, 'i2')).toEqual({phase: 'quoted', attempts: 0, intentId: 'i2'});
	});

	test.each(['failed', 'pending', 'filled', undefined])(
		'whose transaction reverted can still be sent until its deadline, also when the service says %s',
		said => {
			const sent = answered(sending(), accepted);
			const read = (nowMs: number, evidence: Evidence) =>
				statusRead(sent, {...(said === undefined ? {} : {status: said}), nowMs, evidence});
			const reverted = {revertedTxHash: '0xd', isUsed: false};
			const open = read(DEAD_MS - 1, reverted);
			expect(open).toMatchObject({revertedTxHash: '0xd'});
			expect([isInFlight(open), isEnd(open)]).toEqual([true, false]);
			expect(quoted(open, 'i2')).toBe(open);
			expect(read(DEAD_MS, reverted).phase).toBe('failed');
			// Without the lane the end is unknown, and a lane that was used after all is no failure before it is over.
			expect(isInFlight(read(DEAD_MS, {revertedTxHash: '0xd'}))).toBe(true);
			expect(isInFlight(read(DEAD_MS - 1, {isUsed: true, isVoid: true}))).toBe(true);
			expect(read(DEAD_MS, {...reverted, isUsed: true, leftTxHash: '0xe'}).phase).not.toBe('failed');
		},
	);

	test('whose lane was used without any token is over once no batch of it can be sent', () => {
		const evidence = {isUsed: true, isVoid: true};
		const sent = answered(sending(), accepted);
		expect(statusRead(sent, {status: 'failed', nowMs: DEAD_MS, evidence}).phase).toBe('failed');
	});

	test.each([400, 409, 502, 504])(
		'that was answered with %i does not end before its batch is certainly dead',
		status => {
			const open = answered(sending(), refused(status));
			const read = (nowMs: number, isUsed?: boolean, said: string | undefined = 'pending') =>
				statusRead(open, {
					nowMs,
					...(said === undefined ? {} : {status: said}),
					evidence: isUsed === undefined ? {} : {isUsed},
				}).phase;
			const over = status === 400 ? 'refused' : 'lapsed';
			expect(read(DEAD_MS - 1, false)).toBe(open.phase);
			expect(read(DEAD_MS, false)).toBe(over);
			// A service that is away changes nothing about that.
			expect(statusRead(open, {nowMs: DEAD_MS, evidence: {isUsed: false}}).phase).toBe(over);
			// Without the chain the end is unknown, however long it takes.
			expect(read(DEAD_MS)).toBe(open.phase);
			expect(read(NOW + 24 * 3_600_000)).toBe(open.phase);
			expect(read(DEAD_MS, true)).toBe(open.phase);
			expect(
				statusRead(open, {status: 'pending', nowMs: NOW, evidence: {isUsed: true, leftTxHash: '0xe'}}),
			).toMatchObject({
				phase: 'deposited',
				leftTxHash: '0xe',
			});
		},
	);

	test.each(['filled', 'settled', 'refunded', 'failed'] as const)(
		'that the service calls %s is claimed until a chain shows it, and an end only where no chain can be asked',
		status => {
			const sent = answered(sending(), accepted);
			const claimed = statusRead(sent, {status, nowMs: NOW, evidence: {isUsed: false}});
			expect(claimed).toMatchObject({phase: 'claimed', claim: status});
			expect([isInFlight(claimed), isEnd(claimed)]).toEqual([true, false]);
			expect(quoted(claimed, 'i2')).toBe(claimed);
			const blind = statusRead(sent, {
				status,
				nowMs: NOW,
				evidence: {blindToArrival: 'no node', blindToOrigin: 'no node'},
			});
			expect([isInFlight(blind), isEnd(blind)]).toEqual([false, true]);
		},
	);

	test('whose tokens left has not failed, against the word of the service; the arrival on the chain counts first', () => {
		const sent = answered(sending(), accepted);
		const left = {isUsed: true, leftTxHash: '0xd'};
		const claimed = statusRead(sent, {status: 'failed', nowMs: DEAD_MS, evidence: left});
		expect(claimed).toMatchObject({phase: 'claimed', claim: 'failed', leftTxHash: '0xd'});
		expect(statusRead(claimed, {status: 'failed', nowMs: NOW, evidence: {...left, ...arrived}}).phase).toBe('filled');
		const returned = {returned: {txHash: '0xr', proof: '0xr:0'}};
		expect(statusRead(claimed, {status: 'refunded', nowMs: NOW, evidence: {...left, ...returned}}).phase).toBe(
			'refunded',
		);
	});

	test.each(['filled', 'settled', 'refunded', 'failed', 'pending', undefined])(
		'has no arrival and no return before its tokens are seen to have left, though the service says %s',
		status => {
			const sent = answered(sending(), accepted);
			const said = status === undefined ? {} : {status};
			const returned = {returned: {txHash: '0xr', proof: '0xr:0'}};
			for (const shown of [arrived, returned, {...arrived, ...returned}]) {
				for (const origin of [{}, {isUsed: false}, {isUsed: true}]) {
					const read = statusRead(sent, {...said, nowMs: NOW, evidence: {...origin, ...shown}});
					expect([isInFlight(read), isEnd(read)]).toEqual([true, false]);
				}
			}
			// What an earlier reading saw leave is not enough: its block may have been replaced.
			const left = statusRead(sent, {status: 'deposited', nowMs: NOW, evidence: LEFT});
			const now = statusRead(left, {...said, nowMs: NOW, evidence: {isUsed: false, ...arrived}});
			expect([isEnd(now), now.leftTxHash]).toEqual([false, undefined]);
			expect(statusRead(left, {...said, nowMs: DEAD_MS, evidence: {isUsed: false, ...arrived}}).phase).toMatch(
				/lapsed|failed/,
			);
		},
	);

	test.each([
		['filled', {...LEFT, ...arrived}],
		['refunded', {...LEFT, returned: {txHash: '0xr', proof: '0xr:0', amountRaw: '1'}}],
		['pending', {isUsed: false}],
		['failed', {isUsed: false, revertedTxHash: '0xd'}],
	] as const)(
		'that ended as %s is under way again once a block that showed the end is replaced',
		(status, evidence) => {
			const sent = answered(sending(), accepted);
			const reading = {status, nowMs: DEAD_MS, evidence: {...evidence, seenIn: SEEN_IN}};
			const end = statusRead(sent, reading);
			expect([isEnd(end), end.seenIn]).toEqual([true, SEEN_IN]);
			const back = takenBack(end);
			expect(back).toEqual({...sent, phase: 'unclear', isTakenBack: true, readAtMs: DEAD_MS, ...fillOf(end)});
			expect([isInFlight(back), isEnd(back), quoted(back, 'i2') === back]).toEqual([true, false, true]);
			expect(statusRead(back, reading)).toEqual(end);
			// Once every block is final, nothing takes the end back.
			expect(takenBack(madeFinal(end))).toEqual(madeFinal(end));
			expect(takenBack(sent)).toBe(sent);
		},
	);

	test('takes a status that it does not know for progress, and an end for an end whatever comes later', () => {
		const sent = answered(sending(), accepted);
		expect(statusRead(sent, {status: 'settle_lost', nowMs: NOW}).phase).toBe('progressing');
		const filled = statusRead(sent, {status: 'filled', nowMs: NOW, evidence: {...LEFT, ...arrived}});
		expect(statusRead(filled, {status: 'pending', nowMs: NOW})).toBe(filled);
	});

	test('goes back to its quote when the wallet does not sign, and keeps the way open after a retry', () => {
		const first = signingStarted(confirmed(reviewed(quoted(DRAFT, 'i1'))));
		expect(signingFailed(first).phase).toBe('quoted');
		const again = signingStarted(answered(sending(), refused(502)));
		expect(signingFailed(again).phase).toBe('retryable');
	});

	test('that was only prepared is dropped after a restart; one that was sent is only read', () => {
		expect(restarted(confirmed(reviewed(quoted(DRAFT, 'i1')))).phase).toBe('cancelled');
		expect(restarted(sending())).toMatchObject({phase: 'unclear', liveUntilS: DEADLINE_S});
		expect(restarted(answered(sending(), refused(502))).phase).toBe('unclear');
		expect(restarted(answered(sending(), refused(400))).phase).toBe('unaccepted');
		expect(restarted(answered(sending(), {kind: 'not-sent', said: ''})).phase).toBe('cancelled');
		expect(restarted(answered(sending(), accepted)).phase).toBe('pending');
	});
});

/**
 * A service that responds when, how and what it likes, sends a batch that it said to have refused, loses requests and
 * responses; and a user's program that is killed between any two steps. What really happened is known only here and on
 * the chain.
 */
class World {
	nowMs = NOW;
	/** Batches that left the user, all in the lane of one intent: one of them is executed at most. */
	readonly batches: {deadlineS: number}[] = [];
	isExecuted = false;
	isReverted = false;

	post(deadlineS: number, event: string): ExecuteOutcome {
		if (event === 'no connection') return {kind: 'not-sent', said: ''};
		this.batches.push({deadlineS});
		if (event === 'accepted') return accepted;
		const status = Number(event);
		return Number.isNaN(status) ? {kind: 'no-answer', said: ''} : {kind: 'refused', status, said: ''};
	}

	/** Whether something may still happen. */
	canExecute(): boolean {
		return !this.isExecuted && this.batches.some(({deadlineS}) => this.nowMs <= deadlineS * 1000);
	}

	/** A caller has the newest batch executed. */
	mine(): void {
		if (this.canExecute()) this.isExecuted = true;
	}

	/** A caller sends the newest batch with too little gas: it reverts, and its lane goes back too. */
	revert(): void {
		if (this.canExecute()) this.isReverted = true;
	}

	/** The truth, as far as it can be read. */
	evidence(canRead: boolean): Evidence {
		if (!canRead) return {};
		return this.isExecuted
			? {...LEFT, ...arrived}
			: {isUsed: false, ...(this.isReverted ? {revertedTxHash: '0xd'} : {})};
	}
}

const POSTS = [
	'accepted',
	'no connection',
	'lost',
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
const SAID = [undefined, 'pending', 'deposited', 'filling', 'filled', 'settled', 'refunded', 'failed', 'lost'];
const step = fc.oneof(
	{weight: 5, arbitrary: fc.record({do: fc.constant('send' as const), answer: fc.constantFrom(...POSTS)})},
	{
		weight: 3,
		arbitrary: fc.record({do: fc.constant('read' as const), said: fc.constantFrom(...SAID), sees: fc.boolean()}),
	},
	{
		weight: 2,
		arbitrary: fc.record({do: fc.constant('wait' as const), ms: fc.constantFrom(1000, 60_000, 301_000, 1_200_000)}),
	},
	{weight: 1, arbitrary: fc.record({do: fc.constantFrom('mine' as const, 'revert' as const)})},
	{
		weight: 1,
		arbitrary: fc.record({
			do: fc.constant('restart' as const),
			midSend: fc.boolean(),
			answer: fc.constantFrom(...POSTS),
		}),
	},
	{weight: 1, arbitrary: fc.record({do: fc.constantFrom('requote', 'cancel', 'withdraw', 'fail to sign')})},
);

/** Ends that say that nothing moved. */
const NOTHING: ReadonlySet<string> = new Set(['refused', 'lapsed', 'cancelled', 'failed']);

describe('with any behaviour of the service, the network and restarts', () => {
	test('an intent ends as the chain shows, and no other begins while a batch of it can be executed', () => {
		let [sends, retries, ends] = [0, 0, 0];
		fc.assert(
			fc.property(fc.array(step, {maxLength: 25}), steps => {
				let world = new World();
				let state = quoted(DRAFT, 'i1');
				const begin = (): boolean => {
					const signing = signingStarted(maySign(state) ? state : confirmed(reviewed(state)));
					if (signing.phase !== 'signing') return false;
					sends++;
					if (state.attempts > 0) retries++;
					state = sendingStarted(signing, {deadlineS: Math.floor(world.nowMs / 1000) + 300, nowMs: world.nowMs});
					return true;
				};
				for (const s of steps) {
					if ((s.do === 'send' || (s.do === 'restart' && s.midSend)) && begin()) {
						const outcome = world.post(state.deadlineS!, s.answer);
						// Killed before the answer was seen: only the journal's line is left.
						if (s.do === 'send') state = answered(state, outcome);
					}
					if (s.do === 'restart') state = restarted(state);
					if (s.do === 'read') {
						const reading = {nowMs: world.nowMs, evidence: world.evidence(s.sees)};
						state = statusRead(state, s.said === undefined ? reading : {...reading, status: s.said});
					}
					if (s.do === 'wait') world.nowMs += s.ms;
					if (s.do === 'mine') world.mine();
					if (s.do === 'revert') world.revert();
					if (s.do === 'cancel') state = cancelled(state);
					if (s.do === 'withdraw') state = reviewWithdrawn(state);
					if (s.do === 'fail to sign') state = signingFailed(signingStarted(state));
					if (s.do === 'requote' && quoted(state, 'i2') !== state) {
						expect(world.canExecute(), `a new quote in ${state.phase} while a batch waits`).toBe(false);
						const {nowMs} = world;
						world = new World();
						world.nowMs = nowMs;
						state = quoted(state, 'i2');
					}
					if (isEnd(state)) ends++;
					if (NOTHING.has(state.phase))
						expect([state.phase, world.isExecuted, world.canExecute()]).toEqual([state.phase, false, false]);
					if (state.phase === 'filled' || state.phase === 'settled') expect(world.isExecuted).toBe(true);
					expect(isEnd(state) && isInFlight(state)).toBe(false);
				}
			}),
			{numRuns: 3000},
		);
		// The property says something only if the runs get that far.
		expect(sends).toBeGreaterThan(1000);
		expect(retries).toBeGreaterThan(100);
		expect(ends).toBeGreaterThan(300);
	});
});

describe('the status of a transfer in flight', () => {
	const unclear = (): BridgeState => answered(sending(), {kind: 'no-answer', said: 'cut'});

	test.each([
		['pending', 'unclear'],
		['deposited', 'deposited'],
		['filling', 'filling'],
		['retrying', 'retrying'],
		['a word that it will have', 'progressing'],
	])('%s makes one that may not have arrived %s', (status, phase) => {
		expect(statusRead(unclear(), {status, nowMs: NOW}).phase).toBe(phase);
	});

	test('pending with a deposit makes one that may not have arrived pending', () => {
		expect(statusRead(unclear(), {status: 'pending', depositTxHash: '0xd', nowMs: NOW}).phase).toBe('pending');
	});

	test('that the service does not give is deposited once the chain shows the tokens leave, and stays what it was else', () => {
		const silent = (state: BridgeState, evidence: Evidence = {}) => statusRead(state, {nowMs: NOW, evidence}).phase;
		expect([silent(unclear()), silent(unclear(), LEFT)]).toEqual(['unclear', 'deposited']);
		const filling = statusRead(unclear(), {status: 'filling', nowMs: NOW});
		expect([silent(filling), silent(filling, LEFT)]).toEqual(['filling', 'filling']);
	});

	test.each([
		['filled', 'no node of Arbitrum'],
		['settled', 'no node of Arbitrum'],
		['refunded', 'no node of Base'],
		['failed', 'no node of Base'],
	])('%s is a claim that is blind for want of the node that could show that end: %s', (status, blind) => {
		const both = {blindToArrival: 'no node of Arbitrum', blindToOrigin: 'no node of Base'};
		const read = (evidence: Evidence) => statusRead(unclear(), {status, nowMs: NOW, evidence});
		expect(read(both)).toMatchObject({phase: 'claimed', claim: status, blind});
		expect(read({blindToOrigin: 'no node of Base'})).toMatchObject({blind: 'no node of Base'});
		const {blind: seen} = read({blindToArrival: 'no node of Arbitrum'});
		expect(seen).toBe(blind === 'no node of Base' ? undefined : blind);
	});

	test('keeps the reason of a refusal while the service only repeats that it is pending', () => {
		const unaccepted = answered(sending(), refused(400));
		const read = (more: Partial<Parameters<typeof statusRead>[1]>) =>
			statusRead(unaccepted, {status: 'pending', said: 'waiting', nowMs: NOW, ...more}).said;
		expect(read({})).toBe('no');
		expect(read({status: 'filling'})).toBe('waiting');
		expect(read({depositTxHash: '0xd'})).toBe('waiting');
		expect(read({evidence: LEFT})).toBe('waiting');
		const {said: _, ...unsaid} = unaccepted;
		expect(statusRead(unsaid, {status: 'pending', said: 'waiting', nowMs: NOW}).said).toBe('waiting');
	});

	test.each<[what: string, end: object, facts: object, absent: readonly string[]]>([
		[
			'arrives',
			{arrived: {txHash: '0xf', proof: '0xf:1', amountRaw: '5', decimals: 6}},
			{arrivedRaw: '5', arrivedDecimals: 6},
			[],
		],
		[
			'arrives in coins',
			{arrived: {txHash: '0xf', proof: '0xf:1'}},
			{fillTxHash: '0xf'},
			['arrivedRaw', 'arrivedDecimals', 'isShort'],
		],
		[
			'comes back',
			{returned: {txHash: '0xf', proof: '0xf:1', amountRaw: '5', decimals: 6}},
			{returnedRaw: '5', returnedDecimals: 6},
			[],
		],
		[
			'comes back uncounted',
			{returned: {txHash: '0xf', proof: '0xf:1'}},
			{proof: '0xf:1'},
			['returnedRaw', 'returnedDecimals'],
		],
	])('has the figures of what %s, and no others', (_, end, facts, absent) => {
		const read = statusRead(unclear(), {nowMs: NOW, evidence: {...LEFT, likeTxHash: '0x1', ...end}});
		expect(read).toMatchObject(facts);
		for (const name of [...absent, 'likeTxHash']) expect(read).not.toHaveProperty(name);
		expect(statusRead(unclear(), {nowMs: NOW, evidence: {...LEFT, likeTxHash: '0x1'}})).toMatchObject({
			likeTxHash: '0x1',
		});
	});
});
