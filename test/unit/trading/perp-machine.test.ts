import {expect, test} from 'vitest';
import {PERP_SKEW_MS} from '../../../source/contract/perp.ts';
import type {Journal, JournalRecord} from '../../../source/trading/journal.ts';
import {attemptsBefore, claimCancel, hashesOf, openCancels} from '../../../source/trading/perp/journal-fold.ts';
import * as machine from '../../../source/trading/perp/machine.ts';
import * as phases from '../../../source/trading/review-phases.ts';
import {fc} from '../../helpers/properties.ts';

const NOW = 1_800_000_000_000;
const KEY = 'order';
const CHAIN = 'evm:42161';

/** The records of a journal, in memory: what a restart leaves. */
class Records implements Journal {
	readonly all: JournalRecord[] = [];
	readonly nowMs: () => number;

	constructor(nowMs: () => number) {
		this.nowMs = nowMs;
	}

	append(kind: string, id: string, data: Readonly<Record<string, unknown>>): JournalRecord {
		const clean = JSON.parse(JSON.stringify(data)) as Record<string, unknown>;
		const record = {seq: this.all.length + 1, atMs: this.nowMs(), kind, id, data: clean, prev: '', hash: ''};
		this.all.push(record);
		return record;
	}

	claim(...[kind, id, data, isFree]: Parameters<Journal['claim']>): JournalRecord | undefined {
		return isFree(this.all, this.nowMs()) ? this.append(kind, id, data) : undefined;
	}

	records(): readonly JournalRecord[] {
		return this.all;
	}

	confirm(): void {}
}

/** A try as it left the user: a message that is void after a while, or a transaction with the account's number. */
interface Try {
	readonly sentAtMs: number;
	readonly hash?: string;
	readonly nonce: number;
}

/**
 * A service with responses of its choice, whatever it did; an exchange where the order is cancelled at most once, or filled
 * by another user meanwhile; a chain on which a nonce is used once.
 */
class World {
	nowMs = NOW;
	isListed = true;
	/** The service leaves the order out of its list, though it is there. */
	isHidden = false;
	nonce = 3;
	readonly tries: Try[] = [];
	readonly mined = new Map<string, 'success' | 'reverted'>();
	readonly isOnChain: boolean;

	constructor(isOnChain: boolean) {
		this.isOnChain = isOnChain;
	}

	/** Whether a try may still do something. */
	get live(): Try | undefined {
		return this.tries.find(({sentAtMs, nonce}) =>
			this.isOnChain ? nonce === this.nonce : this.isListed && this.nowMs <= sentAtMs + PERP_SKEW_MS,
		);
	}

	/** A caller executes a try that is live. */
	execute(): void {
		const {live} = this;
		if (!live) return;
		if (this.isOnChain) {
			this.mined.set(live.hash!, this.isListed ? 'success' : 'reverted');
			this.nonce++;
		}
		this.isListed = false;
	}

	sight(hashes: readonly string[], nonce: number | undefined): machine.CancelSight {
		const ends = hashes.map(hash => this.mined.get(hash));
		const isReplaced = nonce !== undefined && this.nonce > nonce;
		const ownEnd = ends.includes('success') ? 'success' : (ends.at(-1) ?? (isReplaced ? 'replaced' : undefined));
		return {
			isListed: this.isListed && !this.isHidden,
			isChainRead: this.isOnChain,
			nowMs: this.nowMs,
			...(this.isOnChain && ownEnd ? {ownEnd} : {}),
		};
	}
}

const ANSWERS: Readonly<Record<string, machine.CancelOutcome>> = {
	executed: {kind: 'executed', txHash: '0xliar'},
	running: {kind: 'running', processId: 'p'},
	failed: {kind: 'failed', said: ''},
	'400': {kind: 'refused', status: 400, said: ''},
	'403': {kind: 'refused', status: 403, said: ''},
	'409': {kind: 'refused', status: 409, said: ''},
	'504': {kind: 'refused', status: 504, said: ''},
	lost: {kind: 'no-answer', said: ''},
	'no connection': {kind: 'not-sent', said: ''},
};

/** The program of the user: what is on the screen, and what is on the disk. */
class User {
	state: machine.CancelState = machine.CHOOSING;
	readonly world: World;
	readonly journal: Records;
	signed = 0;
	/** The last state that was held against the truth. */
	judged: machine.CancelState | undefined;

	constructor(world: World) {
		this.world = world;
		this.journal = new Records(() => world.nowMs);
	}

	/** Signs and sends, if that may be done now. @param dies whether the program is killed before its answer is kept */
	send(response: string, dies: boolean): void {
		const before = this.state;
		let state = phases.signingStarted(phases.checked(machine.built(before, KEY), true));
		if (state.phase !== 'signing') {
			expect(machine.isUnderWay(before)).toBe(true);
			return;
		}
		const {world, journal} = this;
		const open = openCancels(journal).find(({key}) => key === KEY);
		if (!claimCancel(journal, KEY, {})) {
			expect(machine.mayRetry(open!.state)).toBe(false);
			return;
		}
		// One at a time, but for what the service says to have refused.
		expect(open === undefined || machine.mayRetry(open.state)).toBe(true);
		const hash = `0x${++this.signed}`;
		const transaction = world.isOnChain ? {txHash: hash, chainId: CHAIN, nonce: world.nonce} : undefined;
		if (transaction) journal.append('perp.signed', KEY, {...transaction});
		state = machine.sendingStarted(state, {
			nowMs: world.nowMs,
			before: attemptsBefore(open),
			...(transaction ? {transaction} : {}),
		});
		const outcome = ANSWERS[response]!;
		if (outcome.kind !== 'not-sent')
			world.tries.push({sentAtMs: world.nowMs, nonce: world.nonce, ...(world.isOnChain ? {hash} : {})});
		if (dies) {
			this.restart();
			return;
		}
		this.state = machine.answered(state, outcome);
		if (transaction) expect(this.state).toMatchObject({txHash: hash, chainId: CHAIN});
		journal.append('perp.answered', KEY, {...outcome, phase: this.state.phase, claim: this.state.claim});
	}

	restart(): void {
		this.state = openCancels(this.journal)[0]?.state ?? machine.CHOOSING;
	}

	read(said: string): void {
		const before = this.state;
		if (before.phase === 'running') {
			this.state = said === 'gone' ? machine.processLost(before) : machine.processRead(before, {status: said});
		} else this.state = machine.endRead(before, this.world.sight(hashesOf(before), before.nonce));
		const {phase, claim, seenOn} = this.state;
		if (phase !== before.phase) this.journal.append('perp.status', KEY, {phase, claim, seenOn});
	}
}

const ends = {done: 0, failed: 0, refused: 0, retried: 0, hidden: 0};

/** What an end says is so, and stays so. */
function expectTruth(user: User): void {
	const {state, world} = user;
	const {phase, seenOn} = state;
	// What is known to be undone never happens later.
	if (phase === 'failed' || phase === 'refused') expect(world.isListed ? world.live : undefined).toBeUndefined();
	if (state === user.judged) return;
	user.judged = state;
	if (phase !== 'done' && phase !== 'failed' && phase !== 'refused') return;
	ends[phase]++;
	if (state.isRetry) ends.retried++;
	const hasWorked = hashesOf(state).some(hash => world.mined.get(hash) === 'success');
	if (phase === 'done' && seenOn === 'chain') expect(hasWorked).toBe(true);
	// On a chain the list is only believed when no transaction can be mined any more.
	if (phase === 'done' && seenOn === 'listing' && world.isOnChain) expect(world.live).toBeUndefined();
	if (phase === 'done' && seenOn === 'listing' && !world.isOnChain)
		expect(world.isListed && !world.isHidden).toBe(false);
	if (seenOn !== undefined && (phase === 'failed' || phase === 'refused')) {
		if (world.isOnChain) expect(hasWorked).toBe(false);
		else expect(world.isListed).toBe(true);
	}
	if (world.isHidden) ends.hidden++;
}

const step = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('send' as const),
			response: fc.constantFrom(...Object.keys(ANSWERS)),
			dies: fc.boolean(),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			do: fc.constant('read' as const),
			said: fc.constantFrom('pending', 'settled', 'failed', 'gone'),
		}),
	},
	{
		weight: 5,
		arbitrary: fc.record({
			do: fc.constantFrom(
				'execute' as const,
				'fill' as const,
				'hide' as const,
				'restart' as const,
				'replaced' as const,
			),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			do: fc.constant('wait' as const),
			ms: fc.constantFrom(1000, 31_000, machine.UNCLEAR_MS + 1000),
		}),
	},
);

test.each([
	['a message', false],
	['a transaction', true],
])(
	'whatever the service says and does, and whenever the program dies, the end of a cancel by %s is the truth',
	(_, isOnChain) => {
		fc.assert(
			fc.property(fc.array(step, {minLength: 3, maxLength: 25}), steps => {
				const world = new World(isOnChain);
				const user = new User(world);
				for (const one of steps) {
					switch (one.do) {
						case 'send':
							user.send(one.response, one.dies);
							break;
						case 'read':
							user.read(one.said);
							break;
						case 'execute':
							world.execute();
							break;
						case 'fill':
							world.isListed = false;
							break;
						case 'hide':
							world.isHidden = !world.isHidden && isOnChain;
							break;
						case 'restart':
							user.restart();
							break;
						case 'replaced':
							if (isOnChain) world.nonce++;
							break;
						case 'wait':
							world.nowMs += one.ms;
							break;
					}
					expectTruth(user);
				}
			}),
			{numRuns: 3000},
		);
		// The runs got far enough to mean something.
		for (const [name, count] of Object.entries(ends))
			if (isOnChain || name !== 'hidden') expect(count, name).toBeGreaterThan(20);
	},
);

const sending = (before: machine.AttemptsBefore = {}): machine.CancelState =>
	machine.sendingStarted({phase: 'signing', key: KEY}, {nowMs: 0, before});

test.each([
	[400, 'unaccepted'],
	[407, 'unaccepted'],
	[408, 'unclear'],
	[409, 'unclear'],
	[410, 'unaccepted'],
	[499, 'unaccepted'],
	[399, 'unclear'],
	[500, 'unclear'],
	[503, 'unclear'],
])('a refusal with status %i leaves a cancel %s', (status, phase) => {
	expect(machine.answered(sending(), {kind: 'refused', status, said: 'no'})).toMatchObject({phase, status});
});

test('the hash that the service names counts where there is no own one', () => {
	const executed = {kind: 'executed', txHash: '0xtheirs'} as const;
	expect(machine.answered(sending(), executed)).toMatchObject({claim: 'done', txHash: '0xtheirs'});
	expect(machine.answered({...sending(), txHash: '0xown'}, executed)).toMatchObject({txHash: '0xown'});
	expect(machine.answered(sending(), {kind: 'executed'})).not.toHaveProperty('txHash');
});

test('what did not leave this machine was refused, unless an earlier attempt did', () => {
	const notSent = {kind: 'not-sent', said: 'no connection'} as const;
	expect(machine.answered(sending(), notSent).phase).toBe('refused');
	expect(machine.answered(sending({isRetry: true}), notSent).phase).toBe('unaccepted');
});

test('a cancel can be tried again, or left, only when the service says that it failed', () => {
	const state = (phase: machine.CancelPhase, claim?: 'done' | 'failed'): machine.CancelState => ({
		phase,
		key: KEY,
		...(claim && {claim}),
	});
	const may = [state('unaccepted'), state('claimed', 'failed')];
	const mayNot = [
		state('claimed', 'done'),
		state('unclear'),
		state('running'),
		state('sending'),
		state('unclear', 'failed'),
	];
	for (const one of may) {
		expect([machine.mayRetry(one), machine.built(one, 'k2').phase]).toEqual([true, 'built']);
		expect(machine.dismissed(one)).toBe(machine.CHOOSING);
	}
	for (const one of mayNot) {
		expect([machine.mayRetry(one), machine.built(one, 'k2')]).toEqual([false, one]);
		expect(machine.dismissed(one)).toBe(one);
	}
	expect(machine.built(state('signing'), 'k2').phase).toBe('signing');
	expect(machine.dismissed(state('signing'))).toBe(machine.CHOOSING);
});

test('a message is void two minutes after it was sent, and a transaction only by its number', () => {
	expect(machine.UNCLEAR_MS).toBe(2 * PERP_SKEW_MS + 60_000);
	const unclear: machine.CancelState = {phase: 'unclear', key: KEY, sentAtMs: 0};
	const at = (nowMs: number, more: Partial<machine.CancelState> = {}, isChainRead = false) =>
		machine.endRead({...unclear, ...more}, {isListed: true, isChainRead, nowMs}).phase;
	expect([at(machine.UNCLEAR_MS - 1), at(machine.UNCLEAR_MS)]).toEqual(['unclear', 'failed']);
	expect(at(machine.UNCLEAR_MS, {nonce: 4}, true)).toBe('unclear');
	expect(at(machine.UNCLEAR_MS, {nonce: 4}, false)).toBe('failed');
	// Records of earlier versions have no number.
	expect(at(machine.UNCLEAR_MS, {}, true)).toBe('failed');
});
