import {describe, expect, test} from 'vitest';
import {intentHashOf} from '../../../source/contract/typed-data.ts';
import type {IntendedData} from '../../../source/trading/bridge/journal-fold.ts';
import {readArrival, readLikeness, readReturn} from '../../../source/trading/bridge/payout.ts';
import {readReceipt} from '../../../source/trading/chain-proof.ts';
import {wordOf} from '../../../source/trading/evm-words.ts';
import {hexWord, type Mined, ModelChain, type Moved, modelReader} from './model-chain.ts';
import {ARBITRUM, BASE, BRIDGE, filled, INTENT, intended, ME, paid, refunded, STRANGER, USDC} from './sent-intent.ts';

/* Which payment counts as that of an intent, and for how much: a table for each rule, with what is just beyond it. */

const [COIN_BACK, SWAP, NO_TOKEN] = ['cb', '5a', '00'].map(digits => `0x${digits.repeat(20)}`) as [
	string,
	string,
	string,
];
const LEAST = BigInt(intended.leastRaw!);

function world(more: Partial<IntendedData> = {}, taken: readonly string[] = []) {
	const chain = new ModelChain();
	const origin = new ModelChain();
	const chains = modelReader({[BASE]: origin, [ARBITRUM]: chain});
	const sources = {chains, pins: {addresses: () => [BRIDGE]}, taken: new Set(taken)};
	const intent = {intentId: INTENT, intended: {...intended, ...more}};
	return {chain, origin, chains, sources, intent};
}

/** The arrival that one block shows. */
async function arrivalOf(
	block: readonly Mined[],
	{
		named,
		more,
		taken,
		set,
	}: {named?: number; more?: Partial<IntendedData>; taken?: string[]; set?: (chain: ModelChain) => void} = {},
) {
	const {chain, sources, intent} = world(more, taken);
	set?.(chain);
	const hashes = chain.mine(...block);
	const seen = await readArrival(
		sources,
		intent,
		named === undefined ? undefined : hashes[named]!.toUpperCase().replace('0X', '0x'),
	);
	return (
		seen && {
			at: hashes.indexOf(seen.txHash),
			amountRaw: seen.amountRaw,
			isShort: seen.isShort,
			proof: seen.proof.replace(seen.txHash, ''),
		}
	);
}

const OWN = {at: 0, amountRaw: '100', isShort: false, proof: ':1'};

describe('an arrival that the bridge names', () => {
	test('is the payment with its amount, its movement and its decimals', async () => {
		const {chain, sources, intent} = world();
		const [hash] = chain.mine({events: [filled(100n)], moves: [paid(100n)]});
		expect(await readArrival(sources, intent, undefined)).toMatchObject({
			txHash: hash,
			proof: `${hash}:1`,
			amountRaw: '100',
			isShort: false,
			decimals: 6,
			receipt: {block: 101n},
		});
	});

	test.each<[what: string, event: ReturnType<typeof filled>]>([
		['another contract', filled(100n, {by: STRANGER})],
		['another intent', filled(100n, {intent: 'intent-2'})],
		['another recipient', filled(100n, {to: STRANGER})],
		['another token', filled(100n, {token: COIN_BACK})],
		['nothing', filled(0n)],
	])('does not count where the event is of %s', async (_, event) => {
		expect(await arrivalOf([{events: [event], moves: [paid(100n)]}])).toBeUndefined();
		expect(await arrivalOf([{events: [event], moves: [paid(100n, {from: STRANGER})]}], {named: 0})).toBeUndefined();
	});

	test.each([
		[LEAST, false],
		[LEAST - 1n, true],
	])('of %d says whether that is less than was promised: %s', async (amount, isShort) => {
		expect(await arrivalOf([{events: [filled(amount)], moves: [paid(amount)]}])).toMatchObject({
			amountRaw: String(amount),
			isShort,
		});
	});

	test('adds up where the bridge pays in two parts', async () => {
		const parts = {events: [filled(40n), filled(60n)], moves: [paid(40n), paid(60n)]};
		expect(await arrivalOf([parts])).toEqual({...OWN, proof: ':2'});
	});

	test('counts from the block after the one that was newest when the intent was sent', async () => {
		const pays = {events: [filled(100n)], moves: [paid(100n)]};
		expect(await arrivalOf([pays], {more: {destinationBlock: '101'}})).toBeUndefined();
		expect(await arrivalOf([pays], {more: {destinationBlock: '101'}, named: 0})).toBeUndefined();
		expect(await arrivalOf([pays], {more: {destinationBlock: '100'}})).toEqual(OWN);
	});

	test('that was reverted does not count, also where the service names the transaction', async () => {
		const pays: Mined = {events: [filled(100n)], moves: [paid(100n)], isReverted: true};
		expect(await arrivalOf([pays], {named: 0})).toBeUndefined();
	});

	test('is counted though another intent took a payment with the same proof: the event is bound to the intent', async () => {
		const proof = `${wordOf('0xab0001')}:1`;
		expect(await arrivalOf([{events: [filled(100n)], moves: [paid(100n)]}], {taken: [proof]})).toEqual(OWN);
	});
});

describe('the amount of an arrival', () => {
	const pays = (amount: bigint, more: Partial<Moved> = {}): Mined => ({
		events: [filled(100n)],
		moves: [paid(amount, more)],
	});

	test.each<[what: string, block: readonly Mined[], amountRaw: string | undefined]>([
		['no more than the event says', [pays(150n)], '100'],
		['what moved, where the token reports more', [pays(60n, {reported: 100n})], '60'],
		['nothing, where nothing moved', [pays(0n, {reported: 100n})], undefined],
		[
			'without what a stranger sent in the same block',
			[pays(30n, {reported: 100n}), {moves: [paid(70n, {from: STRANGER})]}],
			'30',
		],
		[
			'with what the owner spent in the same block',
			[pays(100n), {from: ME, moves: [paid(80n, {from: ME, to: STRANGER})]}],
			'100',
		],
		[
			'with what a batch of the owner spent in the same block',
			[pays(100n), {from: STRANGER, to: ME, moves: [paid(80n, {from: ME, to: STRANGER})]}],
			'100',
		],
		[
			'without what the token says that the owner spent in a transaction of a stranger',
			[
				pays(30n, {reported: 100n}),
				{from: STRANGER, to: USDC, moves: [paid(0n, {from: ME, to: STRANGER, reported: 70n})]},
			],
			'30',
		],
		[
			'nothing, where the balance fell',
			[pays(0n, {reported: 100n}), {from: STRANGER, moves: [paid(50n, {from: ME, to: STRANGER})]}],
			undefined,
		],
	])('is %s', async (_, block, amountRaw) => {
		expect((await arrivalOf(block))?.amountRaw).toBe(amountRaw);
	});

	test.each([
		[101, '100'],
		[102, '100'],
	])('is bounded by the balance of now where states before block %d are pruned', async (stateFrom, amountRaw) => {
		const {chain, sources, intent} = world();
		chain.mine(pays(100n));
		chain.mine({});
		Object.assign(chain, {stateFrom});
		expect((await readArrival(sources, intent, undefined))?.amountRaw).toBe(amountRaw);
		// All but 40 is gone meanwhile.
		chain.mine({from: ME, moves: [paid(1060n, {from: ME, to: STRANGER})]});
		expect((await readArrival(sources, intent, undefined))?.amountRaw).toBe('40');
	});
});

describe('a transaction that the service names, without an event of the bridge', () => {
	const named = (block: readonly Mined[], more: Parameters<typeof arrivalOf>[1] = {}) =>
		arrivalOf(block, {named: 0, ...more});

	test.each<[what: string, mined: Mined, isTaken: boolean]>([
		['the bridge pays the recipient', {moves: [paid(100n)]}, true],
		['the bridge pays the least', {moves: [paid(LEAST)]}, true],
		['the bridge pays less than the least', {moves: [paid(LEAST - 1n)]}, false],
		['the bridge pays in two parts', {moves: [paid(50n), paid(50n)]}, true],
		['a stranger pays', {moves: [paid(100n, {from: STRANGER})]}, false],
		['the bridge pays a stranger', {moves: [paid(100n, {to: STRANGER})]}, false],
		['the bridge pays another token', {moves: [paid(100n, {token: COIN_BACK})]}, false],
		['the bridge pays another intent', {events: [filled(100n, {intent: 'intent-2'})], moves: [paid(100n)]}, false],
		[
			'a stranger says that the bridge paid another intent',
			{events: [filled(1n, {by: STRANGER, intent: 'intent-2'})], moves: [paid(100n)]},
			true,
		],
		['the token only says that the bridge paid', {moves: [paid(0n, {reported: 100n})]}, false],
	])('where %s', async (_, mined, isTaken) => {
		expect((await named([mined])) !== undefined).toBe(isTaken);
	});

	test('counts for one intent only', async () => {
		const taken = [`${wordOf('0xab0001')}:0`];
		expect(await named([{moves: [paid(100n)]}], {taken})).toBeUndefined();
		expect(await named([{moves: [paid(100n)]}], {taken: [`${wordOf('0xab0002')}:0`]})).toMatchObject({proof: ':0'});
	});

	test('is not asked for where no hash is named', async () => {
		expect(await arrivalOf([{moves: [paid(100n)]}])).toBeUndefined();
	});
});

describe("the chain's coin", () => {
	const coins = (amount: bigint): Moved => paid(amount, {token: 'native'});
	const more = {destinationToken: undefined} as unknown as Partial<IntendedData>;
	const COINS = {at: 0, amountRaw: undefined, isShort: undefined, proof: ':coins'};

	test('arrives by the event of the bridge, as much as the balance grew', async () => {
		const event = filled(100n, {token: NO_TOKEN});
		expect(await arrivalOf([{events: [event], moves: [coins(100n)]}], {more})).toEqual(COINS);
		expect(await arrivalOf([{events: [event]}], {more})).toBeUndefined();
	});

	test.each<[what: string, mined: Mined, isTaken: boolean]>([
		[
			'the bridge takes part and the least arrives',
			{events: [{address: BRIDGE, topics: [hexWord(1n)], data: '0x'}], moves: [coins(LEAST)]},
			true,
		],
		[
			'less arrives',
			{events: [{address: BRIDGE, topics: [hexWord(1n)], data: '0x'}], moves: [coins(LEAST - 1n)]},
			false,
		],
		[
			'the bridge takes no part',
			{events: [{address: STRANGER, topics: [hexWord(1n)], data: '0x'}], moves: [coins(LEAST)]},
			false,
		],
	])('in a named transaction, where %s', async (_, mined, isTaken) => {
		expect(await arrivalOf([mined], {more, named: 0})).toEqual(isTaken ? COINS : undefined);
	});
});

describe('a contract that may pay', () => {
	const pays = (by: string): Mined => ({events: [filled(100n, {by})], moves: [paid(100n, {from: by})]});

	test('is the one that took the deposit, and the bridge that it names', async () => {
		for (const by of [SWAP, STRANGER]) {
			const {chain, origin, sources, intent} = world({target: SWAP.toUpperCase().replace('0X', '0x')});
			origin.answers.set(`${SWAP} 0xe78cea92`, wordOf(STRANGER));
			chain.mine(pays(by));
			expect(await readArrival(sources, intent, undefined)).toMatchObject({amountRaw: '100'});
		}
	});

	test('is no other one, and nothing that an accepted bridge says of another', async () => {
		const [unnamed, ofBridge] = [world({target: SWAP}), world({target: BRIDGE})];
		ofBridge.origin.answers.set(`${BRIDGE} 0xe78cea92`, wordOf(STRANGER));
		for (const {chain, sources, intent} of [unnamed, ofBridge, world()]) {
			chain.mine(pays(STRANGER));
			expect(await readArrival(sources, intent, undefined)).toBeUndefined();
		}
	});
});

describe('a deposit that comes back', () => {
	const deposit: Mined = {from: ME, moves: [paid(100n, {from: ME, to: BRIDGE})]};
	async function returnOf(mined: Mined, {more, inBlock}: {more?: Partial<IntendedData>; inBlock?: 'same'} = {}) {
		const {origin, chains, sources, intent} = world(more);
		const hashes = inBlock ? origin.mine(deposit, mined) : [...origin.mine(deposit), ...origin.mine(mined)];
		const left = await readReceipt(chains, BASE, hashes[0]!);
		const seen = await readReturn(sources, intent, left!);
		return (
			seen && {txHash: seen.txHash === hashes[1], amountRaw: seen.amountRaw, decimals: seen.decimals, proof: seen.proof}
		);
	}
	const back = (amount = 100n, more: Partial<Moved> = {}): Mined => ({
		events: [refunded()],
		moves: [paid(amount, more)],
	});

	test('is what the bridge pays to the account where it names the intent, at once or later', async () => {
		const proof = `${wordOf('0xab0002')}:1`;
		expect(await returnOf(back())).toEqual({txHash: true, amountRaw: '100', decimals: undefined, proof});
		expect(await returnOf(back(), {inBlock: 'same'})).toMatchObject({amountRaw: '100'});
		expect(await returnOf(back(60n, {reported: 100n}))).toMatchObject({amountRaw: '60'});
		// A bridge whose event has another form.
		const other = {address: BRIDGE, topics: [hexWord(5n), intentHashOf(INTENT)], data: '0x'};
		expect(await returnOf({events: [other], moves: [paid(100n)]})).toMatchObject({amountRaw: '100'});
	});

	test.each<[what: string, mined: Mined]>([
		['from a stranger', back(100n, {from: STRANGER})],
		['to a stranger', back(100n, {to: STRANGER})],
		['in another token', back(100n, {token: COIN_BACK})],
		['in words of the token alone', back(0n, {reported: 100n})],
		['in a transaction that was reverted', {...back(), isReverted: true}],
		['for another intent', {events: [refunded(USDC, {intent: 'intent-2'})], moves: [paid(100n)]}],
		['by the word of a stranger', {events: [refunded(USDC, {by: STRANGER})], moves: [paid(100n)]}],
		['without a word of the bridge', {moves: [paid(100n)]}],
	])('does not count %s', async (_, mined) => {
		expect(await returnOf(mined)).toBeUndefined();
	});

	test('is not the deposit itself, whatever comes back in that transaction', async () => {
		const {origin, chains, sources, intent} = world();
		const [hash] = origin.mine({events: [refunded()], moves: [paid(100n, {from: ME, to: BRIDGE}), paid(100n)]});
		expect(await readReturn(sources, intent, (await readReceipt(chains, BASE, hash!))!)).toBeUndefined();
	});

	test('of a swap is in the token that the event names for this account', async () => {
		const swapped = (to?: string): Mined => ({
			events: [refunded(COIN_BACK, to === undefined ? {} : {to})],
			moves: [paid(80n, {token: COIN_BACK})],
		});
		const sale = {trade: {side: 'sell', chainId: BASE, token: USDC, symbol: 'X'}} as Partial<IntendedData>;
		expect(await returnOf(swapped())).toMatchObject({amountRaw: '80', decimals: undefined});
		expect(await returnOf(swapped(), {more: sale})).toMatchObject({amountRaw: '80', decimals: 6});
		expect(await returnOf(swapped(STRANGER))).toBeUndefined();
	});
});

describe('a payment that only looks like that of an intent', () => {
	type Options = {
		readonly status?: string;
		readonly canReadArrival?: boolean;
		readonly more?: Partial<IntendedData>;
		readonly taken?: string[];
	};
	async function likeOf(amount: bigint, {status, canReadArrival = true, more, taken}: Options = {}, leftAt?: number) {
		const {chain, origin, chains, sources, intent} = world(more, taken);
		const on = status === 'refunded' ? origin : chain;
		const [hash] = on.mine({moves: [paid(amount, {from: STRANGER})]});
		const left =
			leftAt === undefined ? undefined : await readReceipt(chains, status === 'refunded' ? BASE : ARBITRUM, hash!);
		return (await readLikeness(sources, intent, {status, canReadArrival, left})) === hash;
	}
	const FIRST = `${wordOf('0xab0001')}:0`;

	test.each<[what: string, amount: bigint, options: Options, isLike: boolean]>([
		['the least to the recipient', LEAST, {}, true],
		['less', LEAST - 1n, {}, false],
		['in or before the first block', LEAST, {more: {destinationBlock: '101'}}, false],
		['that is the proof of another intent', LEAST, {taken: [FIRST]}, false],
		['where the destination cannot be read', LEAST, {canReadArrival: false}, false],
		['in coins, which leave no log', LEAST, {more: {destinationToken: undefined} as never}, false],
		['the amount back to the account, reported as refunded', 100n, {status: 'refunded', canReadArrival: false}, true],
		['less than the amount, reported as refunded', 99n, {status: 'refunded'}, false],
		['reported as refunded, before the intent', 100n, {status: 'refunded', more: {originBlock: '101'}}, false],
		[
			'reported as refunded, with an unknown first block',
			100n,
			{status: 'refunded', more: {originBlock: undefined} as never},
			false,
		],
		[
			'reported as refunded, on a chain without a node',
			100n,
			{status: 'refunded', more: {originChainId: 'evm:1'}},
			false,
		],
	])('%s', async (_, amount, options, isLike) => {
		expect(await likeOf(amount, options)).toBe(isLike);
	});

	test('is not the deposit itself', async () => {
		expect(await likeOf(100n, {status: 'refunded'}, 0)).toBe(false);
	});
});
