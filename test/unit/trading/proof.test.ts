import {describe, expect, test} from 'vitest';
import {laneOf} from '../../../source/contract/typed-data.ts';
import type {IntendedData} from '../../../source/trading/bridge/journal-fold.ts';
import type {BridgeState} from '../../../source/trading/bridge/machine.ts';
import {readChainStart, readEvidence, readLate} from '../../../source/trading/bridge/proof.ts';
import {LIVE_MARGIN_MS} from '../../../source/trading/live-signature.ts';
import {hexWord, type Mined, ModelChain, type Moved, modelReader} from './model-chain.ts';
import {ARBITRUM, BASE, BRIDGE, filled, INTENT, intended, ME, paid, refunded, STRANGER, USDC} from './sent-intent.ts';

/* What the chains show of an intent that was sent: whether its lane was used, what left, what came, what only looks like it. */

const LANE = laneOf(INTENT).toString(16).padStart(48, '0');
/** Unix seconds. */
const LIVE_UNTIL_S = 1000;
const moved = (amountRaw: bigint, more: Partial<Moved> = {}): Moved => ({
	token: USDC,
	from: ME,
	to: BRIDGE,
	amountRaw,
	...more,
});
const log = (by: string, topics: readonly string[], data = '0x') => ({address: by, topics, data});
/** An event that names the lane of the intent. */
const namesLane = (by: string) => log(by, [hexWord(1n), `0x${LANE.padStart(64, '0')}`]);
const DEPOSIT: Mined = {from: STRANGER, to: ME, events: [namesLane(ME)], moves: [moved(100n)]};
const FILL: Mined = {events: [filled(95n)], moves: [paid(95n)]};
const REFUND: Mined = {events: [refunded()], moves: [paid(99n)]};
const LIKE: Mined = {moves: [paid(95n, {from: STRANGER})]};

function world() {
	const [origin, destination] = [new ModelChain(), new ModelChain('cd')];
	destination.contracts.add(BRIDGE);
	return {origin, destination};
}

interface Reading {
	readonly status?: string | undefined;
	readonly nowMs?: number;
	readonly state?: Partial<BridgeState>;
	readonly more?: Partial<IntendedData>;
	readonly without?: readonly string[];
}

function evidenceOf(
	{origin, destination}: ReturnType<typeof world>,
	{status, nowMs = 0, state = {}, more = {}, without = []}: Reading = {},
) {
	const all: Record<string, ModelChain> = {[BASE]: origin, [ARBITRUM]: destination};
	const chains = modelReader(Object.fromEntries(Object.entries(all).filter(([id]) => !without.includes(id))));
	const sources = {chains, pins: {addresses: () => [BRIDGE]}, taken: new Set<string>()};
	const sent = {intentId: INTENT, intended: {...intended, ...more}, state: {...state} as BridgeState};
	return readEvidence(sources, sent, {status, nowMs});
}

describe('the deposit of an intent', () => {
	/** Reads one transaction that was mined after the intent was sent. */
	async function readOf(mined: Mined, {isNamed = false, lane = 1n as bigint | null, more = {}} = {}) {
		const here = world();
		const [hash] = here.origin.mine(mined);
		here.origin.lane = lane ?? undefined;
		const state = isNamed ? {depositTxHash: hash!} : {};
		const {isUsed, leftTxHash, revertedTxHash, isVoid} = await evidenceOf(here, {state, more});
		return {isUsed, left: leftTxHash === hash, reverted: revertedTxHash === hash, isVoid};
	}
	const LEFT = {isUsed: true, left: true, reverted: false, isVoid: undefined};
	const USED = {isUsed: true, left: false, reverted: false, isVoid: undefined};

	test.each<[what: string, mined: Mined]>([
		['a log of the account names its lane', DEPOSIT],
		[
			'a log of the account names it, though the token reports another amount',
			{...DEPOSIT, moves: [moved(100n, {reported: 5n})]},
		],
		['a log of the contract names it', {...DEPOSIT, events: [namesLane(BRIDGE)]}],
		['the data of a log name it', {...DEPOSIT, events: [log(BRIDGE, [hexWord(1n)], `0x${LANE.padStart(64, '0')}`)]}],
		['its input names it', {...DEPOSIT, events: [], input: `0x1234${LANE.toUpperCase()}`}],
		['it leaves in two parts', {...DEPOSIT, events: [namesLane(BRIDGE)], moves: [moved(40n), moved(60n)]}],
	])('is found where %s', async (_, mined) => {
		expect(await readOf(mined)).toEqual(LEFT);
		expect(await readOf(mined, {isNamed: true})).toEqual(LEFT);
	});

	test.each<[what: string, mined: Mined]>([
		['nothing names the lane', {...DEPOSIT, events: []}],
		['the token alone names it', {...DEPOSIT, events: [namesLane(USDC)]}],
		['a stranger names it', {...DEPOSIT, events: [namesLane(STRANGER)]}],
		['it names another lane', {...DEPOSIT, events: [], input: `0x${'12'.repeat(40)}`}],
	])('is only like it where %s: then nothing is void', async (_, mined) => {
		expect(await readOf(mined)).toEqual(USED);
		expect(await readOf(mined, {isNamed: true})).toEqual(USED);
	});

	test.each<[what: string, mined: Mined]>([
		['another amount leaves', {...DEPOSIT, events: [namesLane(BRIDGE)], moves: [moved(99n)]}],
		['it goes to another contract', {...DEPOSIT, moves: [moved(100n, {to: STRANGER})]}],
		['another account pays', {...DEPOSIT, moves: [moved(100n, {from: STRANGER})]}],
		['another token leaves', {...DEPOSIT, moves: [moved(100n, {token: STRANGER})]}],
		['nothing leaves', {...DEPOSIT, moves: []}],
	])('does not count where %s', async (_, mined) => {
		expect(await readOf(mined)).toEqual(USED);
	});

	test('is void where the lane was used in a named transaction in which no token of it left the account', async () => {
		const nothing: Mined = {...DEPOSIT, moves: []};
		expect(await readOf(nothing, {isNamed: true})).toEqual({...USED, isVoid: true});
		expect(await readOf({...DEPOSIT, moves: [moved(1n, {from: STRANGER})]}, {isNamed: true})).toEqual({
			...USED,
			isVoid: true,
		});
		expect(await readOf({...DEPOSIT, moves: [moved(1n, {token: STRANGER})]}, {isNamed: true})).toEqual({
			...USED,
			isVoid: true,
		});
		expect(await readOf({...DEPOSIT, moves: [moved(1n, {to: STRANGER})]}, {isNamed: true})).toEqual(USED);
		expect(await readOf(nothing, {isNamed: true, lane: 0n})).toEqual({...USED, isUsed: false});
		expect(await readOf(nothing)).toEqual(USED);
	});

	test('goes to any contract where the journal names none', async () => {
		const more = {target: undefined} as unknown as Partial<IntendedData>;
		expect(await readOf({...DEPOSIT, moves: [moved(100n, {to: STRANGER})]}, {more})).toEqual(LEFT);
	});

	test('that was reverted is said, and moved nothing', async () => {
		const reverted: Mined = {...DEPOSIT, isReverted: true};
		expect(await readOf(reverted, {isNamed: true})).toEqual({...USED, reverted: true, isVoid: true});
		expect(await readOf(reverted, {isNamed: true, lane: 0n})).toEqual({
			isUsed: false,
			left: false,
			reverted: true,
			isVoid: undefined,
		});
	});

	test('in or before the block in which it was sent is another one', async () => {
		const more = {originBlock: '101'};
		expect(await readOf(DEPOSIT, {more})).toEqual(USED);
		expect(await readOf({...DEPOSIT, isReverted: true}, {more, isNamed: true})).toEqual(USED);
	});

	test('is not looked for where the lane is unused, whatever the node shows', async () => {
		expect(await readOf(DEPOSIT, {lane: 0n, isNamed: true})).toEqual({
			isUsed: false,
			left: false,
			reverted: false,
			isVoid: undefined,
		});
	});

	test('tells whether the lane was used where the account does not say it, as far as all that left was seen', async () => {
		const read = {left: false, reverted: false, isVoid: undefined};
		expect(await readOf({}, {lane: null})).toEqual({...read, isUsed: false});
		expect(await readOf({...DEPOSIT, events: []}, {lane: null})).toEqual({...read, isUsed: undefined});
		expect(await readOf(DEPOSIT, {lane: null})).toEqual(LEFT);
		const here = world();
		here.origin.lane = undefined;
		here.origin.silent.add('eth_getLogs');
		expect(await evidenceOf(here)).not.toHaveProperty('isUsed');
	});

	test('whose receipt cannot be read may still be the own one', async () => {
		const here = world();
		const [hash] = here.origin.mine(DEPOSIT);
		here.origin.silent.add('eth_getTransactionReceipt');
		expect(await evidenceOf(here, {state: {depositTxHash: hash!}})).toMatchObject({isUsed: true});
		here.origin.lane = undefined;
		expect(await evidenceOf(here)).not.toHaveProperty('isUsed');
	});

	test.each([
		[-1, undefined],
		[0, [{chainId: BASE, number: 100}]],
	])(
		'that did not come is dated by the newest block once the signature is past its use (%d ms)',
		async (byMs, seenIn) => {
			const here = world();
			here.origin.lane = 0n;
			const nowMs = LIVE_UNTIL_S * 1000 + LIVE_MARGIN_MS + byMs;
			const evidence = await evidenceOf(here, {nowMs, state: {liveUntilS: LIVE_UNTIL_S}});
			expect(evidence).toMatchObject({isUsed: false, ...(seenIn && {seenIn})});
			expect(evidence.seenIn === undefined).toBe(seenIn === undefined);
			expect(await evidenceOf(here, {nowMs})).not.toHaveProperty('seenIn');
		},
	);
});

describe('the end of an intent', () => {
	const OPEN = ['pending', 'deposited', 'filling', 'retrying'];

	test('is the payment on the destination, with the blocks of both receipts, whatever the service says', async () => {
		const here = world();
		here.origin.mine(DEPOSIT);
		here.destination.mine({}, FILL);
		for (const status of [undefined, 'failed', 'refunded', ...OPEN])
			expect(await evidenceOf(here, {status})).toMatchObject({
				arrived: {amountRaw: '95'},
				seenIn: [
					{chainId: BASE, number: 101},
					{chainId: ARBITRUM, number: 101},
				],
			});
	});

	test('is what came back, with two blocks of the origin, once the service does not say that it goes on', async () => {
		const here = world();
		here.origin.mine(DEPOSIT);
		here.origin.mine(REFUND);
		for (const status of [undefined, 'failed', 'refunded', 'filled', 'pending-review'])
			expect(await evidenceOf(here, {status})).toMatchObject({
				returned: {amountRaw: '99'},
				seenIn: [
					{chainId: BASE, number: 101},
					{chainId: BASE, number: 102},
				],
			});
		for (const status of OPEN) expect(await evidenceOf(here, {status})).not.toHaveProperty('returned');
	});

	test.each(['origin', 'destination'] as const)(
		'is not there where a block of the %s was replaced meanwhile',
		async side => {
			const here = world();
			here.origin.mine(DEPOSIT);
			here.destination.mine(FILL);
			here[side].forkedFrom = 101;
			expect(await evidenceOf(here)).not.toHaveProperty('arrived');
		},
	);

	test('is not looked for before the tokens were seen to leave', async () => {
		const here = world();
		here.destination.mine(FILL);
		here.origin.mine(REFUND);
		expect(await evidenceOf(here)).not.toHaveProperty('arrived');
		expect(await evidenceOf(here)).not.toHaveProperty('returned');
	});

	test('can look like that of a stranger, which is said where nothing else is found and the service is done', async () => {
		const here = world();
		here.origin.mine(DEPOSIT);
		const [hash] = here.destination.mine(LIKE);
		for (const status of [undefined, 'filled', 'failed'])
			expect(await evidenceOf(here, {status})).toMatchObject({likeTxHash: hash});
		for (const status of OPEN) expect(await evidenceOf(here, {status})).not.toHaveProperty('likeTxHash');
		here.destination.mine(FILL);
		expect(await evidenceOf(here, {status: 'filled'})).not.toHaveProperty('likeTxHash');
	});

	test('cannot be seen where no contract that may pay is on the destination, once the service is done and nothing came', async () => {
		const here = world();
		here.origin.mine(DEPOSIT);
		expect(await evidenceOf(here)).not.toHaveProperty('blindToArrival');
		here.destination.contracts.clear();
		const blind = {blindToArrival: 'the contract that pays on Arbitrum is not known here'};
		expect(await evidenceOf(here)).toMatchObject(blind);
		expect(await evidenceOf(here, {status: 'pending'})).not.toHaveProperty('blindToArrival');
		here.destination.silent.add('eth_getCode');
		expect(await evidenceOf(here)).not.toHaveProperty('blindToArrival');
		here.destination.silent.clear();
		here.destination.mine(FILL);
		expect(await evidenceOf(here)).not.toHaveProperty('blindToArrival');
	});
});

describe('a chain that cannot be read', () => {
	test.each<[what: string, reading: Reading, blind: object]>([
		['the origin has no node', {without: [BASE]}, {blindToOrigin: 'no node of Base is configured'}],
		['the destination has no node', {without: [ARBITRUM]}, {blindToArrival: 'no node of Arbitrum is configured'}],
		[
			'the first block of the origin is unknown',
			{more: {originBlock: undefined} as never},
			{blindToOrigin: 'the blocks of Base at the time it was sent cannot be read'},
		],
		[
			'the first block of the destination is unknown',
			{more: {destinationBlock: undefined} as never},
			{blindToArrival: 'the blocks of Arbitrum at the time it was sent cannot be read'},
		],
		[
			'the decimals of what arrives are unknown',
			{more: {leastRaw: undefined} as never},
			{blindToArrival: 'the decimals of the token that arrives are not known'},
		],
	])('is named where %s, and shows nothing', async (_, reading, blind) => {
		const here = world();
		here.origin.mine(DEPOSIT);
		here.destination.mine(FILL);
		const evidence = await evidenceOf(here, reading);
		expect(evidence).toMatchObject(blind);
		expect(evidence).not.toHaveProperty('arrived');
		expect(evidence.leftTxHash === undefined).toBe('blindToOrigin' in blind);
	});
});

describe('before an intent is sent', () => {
	test('the newest blocks are read; an unread destination is left out, an unread origin stops it', async () => {
		const {origin, destination} = world();
		destination.newest = 7;
		const both = {[BASE]: origin, [ARBITRUM]: destination};
		expect(await readChainStart(modelReader(both), intended)).toEqual({originBlock: '100', destinationBlock: '7'});
		expect(await readChainStart(modelReader({[BASE]: origin}), intended)).toEqual({originBlock: '100'});
		destination.silent.add('eth_blockNumber');
		expect(await readChainStart(modelReader(both), intended)).toEqual({originBlock: '100'});
		await expect(readChainStart(modelReader({[ARBITRUM]: destination}), intended)).rejects.toMatchObject({
			code: 'chain-unread',
		});
	});

	test('what a missing node left out is read later: the blocks half a minute before, and the least in raw units', async () => {
		const {origin, destination} = world();
		const {originBlock: _, destinationBlock: __, leastRaw: ___, destinationDecimals: ____, ...early} = intended;
		const unread = {...early, leastOut: '1.5'};
		const both = {[BASE]: origin, [ARBITRUM]: destination};
		// Block n has the time 2n.
		const late = {originBlock: '65', destinationBlock: '65', leastRaw: '1500000', destinationDecimals: 6};
		expect(await readLate(modelReader(both), unread, 160_000)).toEqual({...unread, ...late});
		expect(await readLate(modelReader({[BASE]: origin}), unread, 160_000)).toEqual({...unread, originBlock: '65'});
		expect(await readLate(modelReader(both), intended, 160_000)).toEqual(intended);
		const {destinationToken: _____, ...coin} = unread;
		expect(await readLate(modelReader(both), coin, 160_000)).toMatchObject({
			leastRaw: '1500000000000000000',
			destinationDecimals: 18,
		});
		origin.silent.add('eth_getBlockByNumber');
		expect(await readLate(modelReader(both), unread, 160_000)).not.toHaveProperty('originBlock');
	});
});
