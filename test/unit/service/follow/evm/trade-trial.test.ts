import {readFileSync} from 'node:fs';
import {toFunctionSelector} from 'viem/utils';
import {expect, test} from 'vitest';
import {trialsOf} from '../../../../../source/service/follow/evm/contract-safety.ts';
import {NOTHING_SEEN, seenFlags, seenInTrial} from '../../../../../source/service/follow/evm/observed-taxes.ts';
import type {TokenFacts} from '../../../../../source/service/follow/evm/token-facts.ts';
import {
	canActAs,
	readTrial,
	type TrialResult,
	trialCall,
	trialFlags,
} from '../../../../../source/service/follow/evm/trade-trial.ts';
import type {Address} from '../../../../../source/service/follow/evm/venue.ts';
import {compileTradeTrial} from '../../../../../source/tools/compile-contracts.ts';

const TOKEN: Address = `0x${'11'.repeat(20)}`;
const PAIR: Address = `0x${'21'.repeat(20)}`;
const OWNER: Address = `0x${'41'.repeat(20)}`;
const WRAPPED: Address = `0x${'51'.repeat(20)}`;
const NOTHING: TrialResult = {wanted: 0n, bought: 0n, sent: 0n, arrived: 0n, mints: false};
const SOLD: TrialResult = {wanted: 1000n, bought: 1000n, sent: 500n, arrived: 500n, mints: false};

function word(value: bigint | number | string): string {
	return (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');
}

test('the committed code is what its source compiles to', () => {
	const committed = new URL('../../../../../source/service/follow/evm/trade-trial.generated.ts', import.meta.url);
	expect(readFileSync(committed, 'utf8')).toBe(compileTradeTrial());
});

test('what could be sold is no honeypot, with its taxes in percent', () => {
	expect(trialFlags(SOLD)).toEqual({isHoneypot: false, buyTax: '0', sellTax: '0'});
	expect(trialFlags({...SOLD, bought: 950n, sent: 475n, arrived: 416n})).toEqual({
		isHoneypot: false,
		buyTax: '5',
		sellTax: '12.4',
	});
});

test('what could be bought and not sold is a honeypot', () => {
	expect(trialFlags({...SOLD, sent: 0n, arrived: 0n})).toEqual({isHoneypot: true, buyTax: '0'});
	expect(trialFlags({...SOLD, bought: 0n, sent: 0n, arrived: 0n})).toEqual({isHoneypot: true, buyTax: '100'});
});

test('less than a tenth back is a honeypot, a tenth is none', () => {
	expect(trialFlags({...SOLD, arrived: 49n})).toMatchObject({isHoneypot: true, sellTax: '90.2'});
	expect(trialFlags({...SOLD, arrived: 50n})).toMatchObject({isHoneypot: false, sellTax: '90'});
	// Both taxes count: two fifths of a fifth.
	expect(trialFlags({...SOLD, bought: 400n, sent: 200n, arrived: 40n})).toMatchObject({isHoneypot: true});
});

test('what could not be bought, or was not minted, says nothing', () => {
	expect(trialFlags(NOTHING)).toEqual({});
	expect(trialFlags({...NOTHING, mints: true})).toEqual({isMintable: true});
	// More than was sent arrives: a tax cannot be computed.
	expect(trialFlags({...SOLD, bought: 1001n, sent: 500n, arrived: 501n})).toEqual({isHoneypot: false});
});

test('only five words are an answer', () => {
	const words = [1000n, 900n, 450n, 400n, 1n].map(word).join('');
	expect(readTrial(`0x${words}`)).toEqual({wanted: 1000n, bought: 900n, sent: 450n, arrived: 400n, mints: true});
	expect(readTrial(`0x${words.slice(0, -1)}2`)).toBeUndefined();
	for (const answer of ['0x', `0x${words}00`, `0x${words.slice(64)}`, `0x${words.replace('3', 'g')}`, null, {}, 7]) {
		expect(readTrial(answer)).toBeUndefined();
	}
});

test('a trial is one call at the block of the launch, with code at unused addresses and at the owner', () => {
	const {method, params} = trialCall({token: TOKEN, block: 255, pair: PAIR, owner: OWNER}, WRAPPED);
	const [call, block, overrides] = params as [
		{from: string; to: string; data: string},
		string,
		Record<string, unknown>,
	];
	expect(method).toBe('eth_call');
	expect(block).toBe('0xff');
	expect(call.data.slice(0, 10)).toBe(toFunctionSelector('run(address,address,address,address,address)'));
	expect(call.data).toContain(word(TOKEN) + word(PAIR) + word(WRAPPED));
	expect(call.data.endsWith(word(OWNER))).toBe(true);
	expect(call.from).toBe(call.to);
	expect(Object.keys(overrides)).toEqual(expect.arrayContaining([call.to, OWNER]));
	expect(Object.keys(overrides)).toHaveLength(3);
	const alone = trialCall({token: TOKEN, block: 255, pair: PAIR, owner: null}, WRAPPED).params[2] as object;
	expect(Object.keys(alone)).toHaveLength(2);
});

test('no code is put where it would change what is tried', () => {
	const places = {token: TOKEN, pair: PAIR, wrapped: WRAPPED};
	expect(canActAs(OWNER, places)).toBe(true);
	for (const owner of [TOKEN, PAIR, WRAPPED, `0x${'0'.repeat(39)}4`, `0x${'0'.repeat(36)}dead`] as const)
		expect(canActAs(owner, places)).toBe(false);
});

test('a token and the pair it opens in are one trial; what a launchpad owns is not minted', () => {
	const facts = new Map([[TOKEN, {owner: OWNER} as TokenFacts]]);
	const tokens = [{token: TOKEN, block: 7, launch: undefined, transaction: undefined}];
	const pairs = [{token: TOKEN, pair: PAIR, block: 7}];
	const isNone = () => false;
	const whole = {token: TOKEN, block: 7, pair: PAIR, owner: OWNER};
	expect(trialsOf({tokens, pairs}, facts, isNone)).toEqual([whole]);
	expect(trialsOf({tokens, pairs}, facts, address => address === OWNER)).toEqual([{...whole, owner: null}]);
	expect(trialsOf({tokens: [], pairs}, facts, isNone)).toEqual([{...whole, owner: null}]);
	expect(trialsOf({tokens, pairs: [{...pairs[0]!, block: 9}]}, facts, isNone)).toEqual([
		{...whole, pair: null},
		{...whole, owner: null, block: 9},
	]);
});

test('taxes of a trial count like those of a trade: the highest is shown', () => {
	const seen = seenInTrial({...NOTHING_SEEN, buyTax: 3}, {buyTax: '5', sellTax: '0', isHoneypot: false});
	expect(seenFlags(seen)).toEqual({buyTax: '5', sellTax: '0'});
	expect(seenFlags(seenInTrial(seen, {buyTax: '4'}))).toEqual({buyTax: '5', sellTax: '0'});
	expect(seenInTrial(seen, {isHoneypot: true})).toBe(seen);
});
