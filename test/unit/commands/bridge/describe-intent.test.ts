import {expect, test} from 'vitest';
import {intentDocument, intentText, reviewDocument} from '../../../../source/commands/bridge/describe-intent.ts';
import type {BridgeFlow} from '../../../../source/trading/bridge/flow.ts';
import type {JournaledIntent} from '../../../../source/trading/bridge/journal-fold.ts';
import type {BridgeState} from '../../../../source/trading/bridge/machine.ts';
import {expectShape} from '../../../helpers/output-shape.ts';

const BARE: BridgeState = {phase: 'pending', attempts: 2, intentId: 'i-1'};
const WALLET = `0x${'c'.repeat(40)}`;
const HASH = (digit: string) => `0x${digit.repeat(64)}` as const;
const FULL = {
	...BARE,
	depositTxHash: HASH('1'),
	fillTxHash: HASH('2'),
	revertedTxHash: HASH('3'),
	likeTxHash: HASH('4'),
	said: 'no\u001b[31m money',
	status: 503,
	deadlineS: 1_800_000_000,
	liveUntilS: 1_800_000_300,
	sentAtMs: 1_800_000_000_000.4,
	readAtMs: 1_800_000_000_001.6,
	isShort: true,
	isTakenBack: true,
} as unknown as BridgeState;

test('a document holds what is known, and nothing that is not', () => {
	expect(Object.keys(intentDocument(BARE))).toEqual([
		'intentId',
		'phase',
		'isEnd',
		'title',
		'text',
		'next',
		'attempts',
	]);
	expect(intentDocument(FULL)).toMatchObject({
		depositTxHash: HASH('1'),
		fillTxHash: HASH('2'),
		revertedTxHash: HASH('3'),
		likeTxHash: HASH('4'),
		httpStatus: 503,
		deadlineS: 1_800_000_000,
		liveUntilS: 1_800_000_300,
		sentAtMs: 1_800_000_000_000,
		readAtMs: 1_800_000_000_002,
		isShort: true,
		isTakenBack: true,
	});
	expect(intentDocument(FULL).said).not.toContain('\u001b');
});

test('only an end that was seen to leave is final or not, and only a claim is a claim', () => {
	const left = HASH('5');
	const claim = 'filled';
	const of = (state: object) => intentDocument({...BARE, ...state} as BridgeState);
	expect(of({phase: 'settled', leftTxHash: left})).toMatchObject({isEnd: true, isFinal: true, leftTxHash: left});
	expect(of({phase: 'settled', leftTxHash: left, seenIn: {}})).toMatchObject({isFinal: false});
	expect('isFinal' in of({phase: 'settled'})).toBe(false);
	expect('isFinal' in of({phase: 'pending', leftTxHash: left})).toBe(false);
	expect(of({phase: 'claimed', claim})).toMatchObject({claim});
	expect('claim' in of({phase: 'pending', claim})).toBe(false);
	expect('claim' in of({phase: 'claimed'})).toBe(false);
	expect(
		[of({isShort: false, isTakenBack: false})].map(document => ['isShort' in document, 'isTakenBack' in document]),
	).toEqual([[false, false]]);
});

test('a transfer of the journal stands in it with whole amounts', () => {
	const known = {
		intentId: 'i-1',
		atMs: 5,
		state: BARE,
		intended: {
			originChainId: 'evm:8453',
			originToken: `0x${'a'.repeat(40)}`,
			destinationChainId: 'evm:42161',
			amountRaw: '12500000',
			decimals: 6,
			symbol: 'US\u001bDC',
			authority: `0x${'b'.repeat(40)}`,
			recipient: WALLET,
		},
	} as unknown as JournaledIntent;
	const document = intentDocument(BARE, known);
	expect(document.transfer).toMatchObject({amount: '12.5', originChainId: 'evm:8453', recipient: WALLET});
	expect(document.transfer!.symbol).not.toContain('\u001b');
	expect('destinationToken' in document.transfer!).toBe(false);
	const named = {...known, intended: {...known.intended, destinationToken: `0x${'d'.repeat(40)}`}} as JournaledIntent;
	expect(intentDocument(BARE, named).transfer).toMatchObject({destinationToken: `0x${'d'.repeat(40)}`});
	expectShape('bridge-status', {schema: 'pulsetop.bridge-status/1', mode: 'practice', intents: [document]});
});

test('as text each fact has its line, and an unknown one has none', () => {
	const facts = (state: BridgeState) =>
		intentText(state)
			.split('\n')
			.flatMap(line => /^(intent|deposit|fill|reverted|other payment|said) {2,}/.exec(line)?.[1] ?? []);
	expect(facts(BARE)).toEqual(['intent']);
	expect(facts(FULL)).toEqual(['intent', 'deposit', 'fill', 'reverted', 'other payment', 'said']);
	const {intentId: _, ...draft} = BARE;
	expect(facts(draft as BridgeState)).toEqual([]);
});

test.each([
	[[], false],
	[[{ok: true}], true],
	[[{ok: true}, {ok: false}], false],
])('a review with the checks %j is ready: %s', (checks, isReady) => {
	const flow = {view: {lines: [], checks, toAccept: []}} as unknown as BridgeFlow;
	expect(reviewDocument(flow).isReady).toBe(isReady);
});
