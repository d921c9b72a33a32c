import {describe, expect, test} from 'vitest';
import {exitCodeOf} from '../../../source/commands/bridge/execute.ts';
import {describeBridge} from '../../../source/trading/bridge/describe-state.ts';
import {
	type BridgeEnd,
	type BridgePhase,
	isInFlight,
	statusRead,
	takenBack,
} from '../../../source/trading/bridge/machine.ts';
import {describeCancel} from '../../../source/trading/perp/describe-state.ts';
import {type CancelPhase, type CancelState, isUnderWay} from '../../../source/trading/perp/machine.ts';
import {describePrediction} from '../../../source/trading/prediction/describe-state.ts';

/* A text about money must be no more certain than what is known. */

const NOTHING_HAPPENED = /nothing (was|moved)|no tokens moved|sent nothing|was not cancelled/i;

describe('a transfer', () => {
	const of = (phase: BridgePhase, status?: number) =>
		describeBridge({phase, attempts: 1, intentId: 'i', ...(status === undefined ? {} : {status})});
	const FLIGHT: BridgePhase[] = [
		'sending',
		'unclear',
		'unaccepted',
		'pending',
		'deposited',
		'filling',
		'retrying',
		'progressing',
		'claimed',
	];

	test.each(FLIGHT)('that is %s is neither done nor undone, and is never said to be sent again', phase => {
		expect(isInFlight({phase, attempts: 1})).toBe(true);
		const {title, text, tone, next} = of(phase);
		expect(`${title} ${text}`).not.toMatch(/no tokens moved|nothing moved|arrived\.|nothing was sent\./i);
		expect(['info', 'warn']).toContain(tone);
		if (phase !== 'sending') expect(next).toBe('poll-status');
	});

	test.each([
		[undefined, 'Pending', /may have sent the batch, or know nothing of it/],
		['0x1', 'Broadcast', /says that it sent the batch/],
	] as const)('that is pending with the transaction %s is called %s', (depositTxHash, title, words) => {
		const pending = {phase: 'pending', attempts: 1, intentId: 'i'} as const;
		const text = describeBridge(depositTxHash === undefined ? pending : {...pending, depositTxHash});
		expect(text).toMatchObject({title, text: expect.stringMatching(words), next: 'poll-status'});
	});

	test.each<[BridgePhase, RegExp]>([
		['retryable', /Nothing left this machine/],
		['failed', /no tokens moved.*new quote/],
		['refused', /nothing moved/],
		['lapsed', /Nothing moved/],
		['cancelled', /Nothing was sent/],
	])('that is %s says that nothing happened', (phase, words) => {
		expect(of(phase).text).toMatch(words);
		expect(of(phase).tone).not.toBe('good');
	});

	test.each<BridgePhase>(['filled', 'settled'])('that is %s arrived', phase => {
		expect(of(phase)).toEqual({
			title: 'Filled',
			text: 'The tokens arrived. The destination chain shows it.',
			tone: 'good',
		});
	});

	test.each<[BridgeEnd, string]>([
		['filled', 'Filled, says the service'],
		['settled', 'Filled, says the service'],
		['refunded', 'Refunded, says the service'],
		['failed', 'Failed, says the service'],
	])('of which only the service says that it is %s is not certain', (claim, title) => {
		const state = {phase: 'claimed', attempts: 1, intentId: 'i', claim} as const;
		expect(describeBridge(state)).toMatchObject({title, tone: 'warn', next: 'poll-status'});
		expect(describeBridge(state).text).not.toMatch(NOTHING_HAPPENED);
		expect(describeBridge({...state, blind: 'no node of Base is configured'}).text).toContain(
			'no node of Base is configured. Name one under [rpc], and it is looked for again.',
		);
	});

	test.each<[BridgeEnd, string, string]>([
		['failed', 'the chain does not show yet whether tokens moved', 'the chain shows that the tokens left the account'],
		[
			'filled',
			'the chain does not show that the tokens left your account',
			'the arrival of the tokens is not seen on the chain yet',
		],
		['refunded', 'their return is not seen on the chain yet', 'their return is not seen on the chain yet'],
	])('of which the service says that it is %s says what the chain shows of it', (claim, unseen, left) => {
		const state = {phase: 'claimed', attempts: 1, intentId: 'i', claim} as const;
		expect(describeBridge(state).text).toContain(`That is not certain: ${unseen}.`);
		expect(describeBridge({...state, leftTxHash: '0x1'}).text).toContain(`That is not certain: ${left}.`);
	});

	test.each<BridgePhase>(['unclear', 'unaccepted', 'retryable'])(
		'that is %s says until when it can still be sent',
		phase => {
			const liveUntilS = new Date(2026, 10, 22, 14, 5, 30).getTime() / 1000;
			const {text} = describeBridge({phase, attempts: 1, intentId: 'i', status: 400, liveUntilS});
			expect(text).toContain('It can still be sent until 14:05:30.');
			expect(text).not.toMatch(/nothing (was|moved)|no tokens moved/i);
		},
	);

	test('that was refused says what to do about it', () => {
		expect([401, 402, 409].map(status => of('refused', status))).toMatchObject([
			{next: 'fix-input', text: expect.stringContaining('signature or the API key')},
			{next: 'requote', text: expect.stringContaining('plan or the credits')},
			{next: 'requote', text: expect.stringContaining('did not accept the batch')},
		]);
	});

	test.each([
		[undefined, 'The service says that the tokens left your account; waiting'],
		['0x1', 'The tokens left your account; waiting'],
	])('that is deposited says who showed that, with the transaction %s', (leftTxHash, words) => {
		const state = {phase: 'deposited', attempts: 1, intentId: 'i'} as const;
		expect(describeBridge(leftTxHash === undefined ? state : {...state, leftTxHash}).text).toContain(words);
	});

	test('whose tokens left does not claim that no tokens moved', () => {
		const {text} = describeBridge({phase: 'failed', attempts: 1, intentId: 'i', leftTxHash: `0x${'1'.repeat(64)}`});
		expect(text).not.toMatch(NOTHING_HAPPENED);
	});

	test('that came back is no success', () => {
		expect(of('refunded')).toMatchObject({tone: 'warn', text: expect.stringContaining('came back')});
	});

	test.each<BridgePhase>(['draft', 'quoted', 'reviewed', 'confirmed', 'signing'])('that is %s was not sent', phase => {
		expect(isInFlight({phase, attempts: 0})).toBe(false);
		expect(of(phase).tone).toBe('info');
	});
});

describe('a cancel', () => {
	test.each<CancelPhase>(['sending', 'running', 'claimed', 'unaccepted', 'unclear'])(
		'that is %s is neither done nor undone',
		phase => {
			expect(isUnderWay({phase})).toBe(true);
			expect(describeCancel({phase}).text).not.toMatch(/is cancelled|was not|nothing was/i);
		},
	);

	test.each<[CancelPhase, string]>([
		['choosing', 'info'],
		['built', 'warn'],
		['reviewed', 'info'],
		['signing', 'info'],
		['done', 'good'],
		['failed', 'bad'],
		['refused', 'bad'],
	])('that is %s has the tone %s', (phase, tone) => {
		expect(describeCancel({phase}).tone).toBe(tone);
	});

	test.each([
		[401, 'nothing: the API key does not allow it.'],
		[402, 'nothing: the API key does not allow it.'],
		[403, 'nothing: the time or the signature was not accepted.'],
		[400, 'nothing.'],
		[undefined, 'nothing.'],
	])('that was refused with %s says why, as far as the service does', (status, words) => {
		const {text} = describeCancel(status === undefined ? {phase: 'unaccepted'} : {phase: 'unaccepted', status});
		expect(text.startsWith(`The service says that it executed ${words} It can still be executed`)).toBe(true);
	});

	test.each<[CancelState, string]>([
		[{phase: 'refused'}, 'it never left this machine.'],
		[{phase: 'refused', sentAtMs: 1}, 'it never left this machine.'],
		[{phase: 'refused', seenOn: 'listing'}, 'it never left this machine.'],
		[
			{phase: 'failed', sentAtMs: 1, seenOn: 'listing'},
			'the order is still listed, and what was signed is void by now.',
		],
		[{phase: 'failed', sentAtMs: 1, seenOn: 'chain'}, 'its transaction did nothing, or can never be mined.'],
	])('that is over says why nothing can come of it: %j', (state, why) => {
		expect(describeCancel(state).text).toContain(`: ${why} It can be tried again.`);
	});

	test.each<[CancelState, string, string]>([
		[{phase: 'unclear'}, 'the list of orders is read', 'list of orders and chain are read'],
		[{phase: 'claimed'}, 'the order is still listed', 'the chain does not show it yet'],
	])(
		'that is %j names the sources that are read: for an exchange with a chain, the chain too',
		(state, without, withChain) => {
			expect(describeCancel(state).text).toContain(without);
			expect(describeCancel({...state, chainId: 'evm:42161'}).text).toContain(withChain);
		},
	);
});

test.each([
	[undefined, 'Sent', 'Waiting to be mined.', 'info'],
	['connection reset', 'Not clear yet', 'may have taken the transaction. It is not sent again', 'warn'],
] as const)('a transaction of which the node said %s is %s', (said, title, words, tone) => {
	const state = said === undefined ? {phase: 'sent' as const} : {phase: 'sent' as const, said};
	expect(describePrediction(state)).toMatchObject({title, tone, text: expect.stringContaining(words)});
});

describe('an arrival', () => {
	const state = {
		phase: 'filled',
		attempts: 1,
		intentId: 'i',
		leftTxHash: '0xd',
		proof: '0xf:1',
		arrivedRaw: '1',
	} as const;

	test('of less than the promised minimum is called so, and is no success of the command', () => {
		expect(exitCodeOf(state, {mayBeOpen: false})).toBe(0);
		const short = {...state, isShort: true} as const;
		expect(describeBridge(short)).toMatchObject({title: 'Filled short', tone: 'warn'});
		expect(exitCodeOf(short, {mayBeOpen: false})).toBe(1);
	});

	test('that was taken back is neither done nor undone', () => {
		const back = takenBack({...state, seenIn: [{chainId: 'evm:1', number: 8, hash: '0xb'}]});
		expect(describeBridge(back)).toMatchObject({title: 'Taken back', tone: 'warn', next: 'poll-status'});
		expect(describeBridge(back).text).not.toMatch(NOTHING_HAPPENED);
		expect(exitCodeOf(back, {mayBeOpen: false})).toBe(4);
		const claimed = statusRead(back, {status: 'filled', nowMs: 1, evidence: {isUsed: true, leftTxHash: '0xd'}});
		expect(describeBridge(claimed).text).toContain('its block was replaced');
	});
});
