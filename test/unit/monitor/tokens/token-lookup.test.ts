import {expect, test} from 'vitest';
import type {Client} from '../../../../source/client/client.ts';
import type {Entry} from '../../../../source/contract/entry.ts';
import {entriesOnScreen, lookUpToken, readTypedToken} from '../../../../source/monitor/tokens/token-lookup.ts';
import {whyNotOnChain} from '../../../../source/monitor/tokens/traded-chains.ts';
import {snapshotArrived} from '../../../../source/monitor/transitions/column.ts';
import {columnChanged} from '../../../../source/monitor/transitions/screen.ts';
import {entryOf} from '../../../helpers/entries.ts';
import {startState} from '../../../helpers/start-state.ts';

const EVM = '0xAbCdef0123456789aBcDef0123456789abcdef01';
const SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

test.each([
	[EVM, {address: EVM}],
	[`  ${EVM}  `, {address: EVM}],
	[`${EVM} base`, {address: EVM, chainId: 'evm:8453'}],
	[`${EVM} evm:56`, {address: EVM, chainId: 'evm:56'}],
	[`evm:56|${EVM}`, {address: EVM, chainId: 'evm:56'}],
	[`evm:56|${EVM} base`, {address: EVM, chainId: 'evm:8453'}],
	[SOLANA, {address: SOLANA, chainId: 'solana:solana'}],
	[`solana:solana|${SOLANA}`, {address: SOLANA, chainId: 'solana:solana'}],
])('%j names a token', (text, token) => {
	expect(readTypedToken(text)).toEqual({ok: true, ...token});
});

test.each([
	['', 'an address is needed'],
	['   ', 'an address is needed'],
	[`${EVM} base now`, 'only an address and its chain can be given'],
	[EVM.slice(0, -1), `${EVM.slice(0, 20)} is not a whole address`],
	['pepe', 'pepe is not a whole address'],
	[`${EVM} bsae`, 'bsae is no chain: base?'],
	[`${EVM} zzzzzzzz`, 'zzzzzzzz is no chain'],
])('%j is no token: %s', (text, problem) => {
	const read = readTypedToken(text);
	expect(read).toMatchObject({ok: false, problem: expect.stringContaining(problem)});
	if (problem.endsWith('zz is no chain')) expect(read).toMatchObject({problem});
});

const START = startState();
const shown = (...entries: readonly Entry[]) => columnChanged(START, 'bonded', c => snapshotArrived(c, entries, 0));

/** A service that knows these tokens, and what it was asked for. */
function serviceOf(...entries: readonly Entry[]) {
	const asked: string[] = [];
	const fetchToken = async ({chainId, address}: {chainId: string; address: string}) => {
		asked.push(chainId);
		return entries.find(entry => entry.chain_id === chainId && entry.address === address);
	};
	return {asked, client: {fetchToken} as unknown as Client};
}

test('a token on screen is not asked for; its chain counts, and the letter case of an EVM address does not', async () => {
	const entry = entryOf(EVM, {}, 'evm:56');
	const state = shown(entryOf('x'), entry);
	expect(entriesOnScreen(state)).toHaveLength(2);
	const {asked, client} = serviceOf();
	expect(await lookUpToken(EVM.toLowerCase(), state, undefined)).toBe(entry);
	expect(await lookUpToken(`${EVM} bnb`, state, client)).toBe(entry);
	expect(asked).toEqual([]);
	await expect(lookUpToken(`${EVM} base`, state, client)).rejects.toThrow('does not know this token');
	expect(asked).toEqual(['evm:8453']);
});

test('without a chain those on screen are asked first, then each that is known, once', async () => {
	const state = shown(entryOf('0x1111111111111111111111111111111111111111', {}, 'evm:4663'));
	const found = entryOf(EVM, {}, 'evm:56');
	const {asked, client} = serviceOf(found);
	expect(await lookUpToken(EVM, state, client)).toBe(found);
	expect(asked[0]).toBe('evm:4663');
	expect(asked.at(-1)).toBe('evm:56');
	const none = serviceOf();
	await expect(lookUpToken(EVM, state, none.client)).rejects.toMatchObject({
		code: 'token-not-found',
		why: 'it was searched on every chain',
	});
	expect(new Set(none.asked).size).toBe(none.asked.length);
	expect(none.asked).not.toContain('solana:solana');
});

test('a token that nothing names, or no service is there for, is not found', async () => {
	await expect(lookUpToken('pepe', START, serviceOf().client)).rejects.toThrow('This is not a token');
	await expect(lookUpToken(EVM, START, undefined)).rejects.toMatchObject({why: 'the service is not there yet'});
	await expect(lookUpToken(SOLANA, START, serviceOf().client)).rejects.toMatchObject({
		why: 'it was searched on solana:solana',
	});
});

test('a chain that the bridge does not lead to is named', () => {
	expect([whyNotOnChain('evm:8453'), whyNotOnChain('solana:solana')]).toEqual([undefined, 'not on Solana']);
});
