import {join} from 'node:path';
import {expect, test} from 'vitest';
import {claimIntent, type IntendedData, intentsIn, proofsIn} from '../../../source/trading/bridge/journal-fold.ts';
import {type BridgeState, movedNothing, reviewWithdrawn} from '../../../source/trading/bridge/machine.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/* What the journal's records mean for the next signature, and for the proofs and ends of other intents. */

const [BASE, ARBITRUM] = ['evm:8453', 'evm:42161'];
const INTENDED = {
	originChainId: BASE,
	destinationChainId: ARBITRUM,
	deadlineS: 1_800_000_000,
	leastOut: '1',
} as unknown as IntendedData;
const journalOf = () => openJournal(join(temporaryDirectory(), 'journal.jsonl'));
type Journal = ReturnType<typeof journalOf>;
const claim = (journal: Journal, attempts: number, isBlocked?: () => boolean) =>
	claimIntent(journal, {intentId: 'i1', attempts, intended: INTENDED}, isBlocked);

test('an intent is claimed once, and again only behind the attempt that may be repeated', () => {
	const journal = journalOf();
	expect(claim(journal, 1)).toBe(false);
	expect(claim(journal, 0, () => true)).toBe(false);
	expect(claim(journal, 0)).toBe(true);
	// Sent, as far as the journal knows.
	expect([claim(journal, 0), claim(journal, 1)]).toEqual([false, false]);
	journal.append('bridge.status', 'i1', {phase: 'retryable', attempts: 1});
	expect([claim(journal, 0), claim(journal, 2)]).toEqual([false, false]);
	expect(claim(journal, 1)).toBe(true);
	journal.append('bridge.status', 'i1', {phase: 'filled', attempts: 2});
	expect(claim(journal, 2)).toBe(false);
});

test('a proof is that of the statuses of other intents', () => {
	const journal = journalOf();
	journal.append('bridge.status', 'i1', {phase: 'filled', proof: 'a:1'});
	journal.append('bridge.status', 'i2', {phase: 'filled', proof: 'b:2'});
	journal.append('bridge.status', 'i3', {phase: 'deposited'});
	journal.append('bridge.status', 'i4', {phase: 'filled', proof: 5});
	journal.append('perp.status', 'i5', {proof: 'c:3'});
	expect(proofsIn(journal.records(), 'i1')).toEqual(new Set(['b:2']));
	expect(proofsIn(journal.records(), 'none')).toEqual(new Set(['a:1', 'b:2']));
});

test.each<[claim: string, known: readonly string[], more: object, isSearched: boolean]>([
	['refunded', [BASE], {}, true],
	['failed', [BASE], {}, true],
	['refunded', [ARBITRUM], {}, false],
	['failed', [ARBITRUM], {}, false],
	['filled', [ARBITRUM], {}, true],
	['settled', [ARBITRUM], {leastOut: undefined, leastRaw: '1'}, true],
	['filled', [ARBITRUM], {leastOut: undefined}, false],
	['filled', [BASE], {}, false],
])('an end "%s" that no chain showed is searched with a node of %j and %j: %s', (said, known, more, isSearched) => {
	const journal = journalOf();
	journal.append('bridge.intended', 'i1', JSON.parse(JSON.stringify({...INTENDED, ...more})));
	journal.append('bridge.status', 'i1', {phase: 'claimed', claim: said, blind: 'no node', attempts: 1});
	const [intent] = intentsIn(journal.records(), chainId => known.includes(chainId));
	expect(intent!.state.blind).toBe(isSearched ? undefined : 'no node');
	expect(intent!.state.phase).toBe('claimed');
});

test.each<[state: Partial<BridgeState>, isNothing: boolean]>([
	[{phase: 'cancelled'}, true],
	[{phase: 'retryable'}, true],
	[{phase: 'cancelled', liveUntilS: 5}, false],
	[{phase: 'retryable', liveUntilS: 5}, false],
	[{phase: 'refused', liveUntilS: 5}, true],
	[{phase: 'lapsed', liveUntilS: 5}, true],
	[{phase: 'failed', liveUntilS: 5}, true],
	[{phase: 'failed', leftTxHash: '0x1'}, false],
	[{phase: 'unclear'}, false],
	[{phase: 'deposited'}, false],
	[{phase: 'filled'}, false],
	[{phase: 'claimed', claim: 'failed'}, false],
])('%j moved nothing: %s', (state, isNothing) => {
	expect(movedNothing({attempts: 1, ...state} as BridgeState)).toBe(isNothing);
});

test('a review that was confirmed, or only looked at, goes back to its quote; nothing else does', () => {
	const back = (phase: BridgeState['phase']) => reviewWithdrawn({attempts: 0, phase}).phase;
	expect(
		['reviewed', 'confirmed', 'signing', 'sending', 'filled'].map(phase => back(phase as BridgeState['phase'])),
	).toEqual(['quoted', 'quoted', 'signing', 'sending', 'filled']);
});
