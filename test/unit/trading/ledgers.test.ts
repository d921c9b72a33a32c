import {createHash} from 'node:crypto';
import {appendFileSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {openCaps} from '../../../source/trading/caps.ts';
import type {ContractCode} from '../../../source/trading/contract-code.ts';
import {formatUnits, parseUnits} from '../../../source/trading/decimal.ts';
import {openJournal} from '../../../source/trading/journal.ts';
import {openPins} from '../../../source/trading/pins.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const spend = (id: string, amountRaw: bigint) => ({
	id,
	chainId: 'evm:8453',
	token: USDC,
	symbol: 'USDC',
	amountRaw,
	decimals: 6,
});
const proven = async () => {};

describe('amounts', () => {
	test('go to raw units and back exactly', () => {
		fc.assert(
			fc.property(fc.bigInt({min: 0n, max: 10n ** 40n}), fc.integer({min: 0, max: 18}), (raw, decimals) => {
				expect(parseUnits(formatUnits(raw, decimals), decimals)).toBe(raw);
			}),
		);
		expect(parseUnits('0.1', 18) + parseUnits('0.2', 18)).toBe(parseUnits('0.3', 18));
	});

	test.each(['', '-1', '1e3', '1,000', '.5', '0x10', '1.2345678', 'NaN'])('are not taken from %j', text => {
		expect(() => parseUnits(text, 6)).toThrow(/not an amount/);
	});
});

describe('spending limits', () => {
	test('stop a transaction that is too large and a day that is spent, across restarts', async () => {
		const path = join(temporaryDirectory(), 'caps.json');
		let now = Date.UTC(2026, 0, 31, 23);
		const caps = openCaps(path, {nowMs: () => now});
		await caps.setLimit('evm:8453', USDC, {perTransaction: '60', perDay: '100'}, proven);
		expect(() => caps.reserve(spend('a', 60_000_001n))).toThrow(/limit/);
		caps.reserve(spend('a', 60_000_000n));
		const again = openCaps(path, {nowMs: () => now});
		expect(again.refusal(spend('b', 40_000_001n))).toBe(
			'60 USDC of 100 USDC for this day are spent, 40.000001 USDC more would pass it',
		);
		again.reserve(spend('b', 40_000_000n));
		expect(again.spentToday('evm:8453', USDC.toLowerCase(), 6)).toBe(100_000_000n);
		now += 3_600_000;
		again.reserve(spend('c', 60_000_000n));
	});

	test('count a retry of the same intent once, and give back what certainly did not happen', () => {
		const caps = openCaps(join(temporaryDirectory(), 'caps.json'));
		caps.reserve(spend('a', 900_000_000n));
		caps.reserve(spend('a', 900_000_000n));
		expect(caps.spentToday('evm:8453', USDC, 6)).toBe(900_000_000n);
		caps.release('a');
		expect(caps.spentToday('evm:8453', USDC, 6)).toBe(0n);
	});

	test('can be lowered freely and raised only with proof', async () => {
		const caps = openCaps(join(temporaryDirectory(), 'caps.json'));
		const refuse = () => Promise.reject(new Error('wrong passphrase'));
		await caps.setLimit('evm:8453', USDC, {perTransaction: '5', perDay: '10'}, refuse);
		await expect(caps.setLimit('evm:8453', USDC, {perTransaction: '5.000001', perDay: '10'}, refuse)).rejects.toThrow(
			/wrong/,
		);
		expect(caps.limitOf('evm:8453', USDC)).toEqual({perTransaction: '5', perDay: '10'});
	});

	describe('of trades', () => {
		const LAUNCH = `0x${'6'.repeat(40)}`;
		const buy = (id: string, usd: bigint) => ({
			...spend(id, usd * 1_000_000n),
			trade: {side: 'buy' as const, usdMicro: usd * 1_000_000n},
		});
		const sell = (id: string, usd?: bigint) => ({
			id,
			chainId: 'evm:8453',
			token: LAUNCH,
			symbol: 'PEPE',
			amountRaw: 5_000_000n * 10n ** 18n,
			decimals: 18,
			trade: {side: 'sell' as const, ...(usd === undefined ? {} : {usdMicro: usd * 1_000_000n})},
		});
		const open = () => openCaps(join(temporaryDirectory(), 'caps.json'));

		test('count in dollars, buys and sells apart, and a buy in units besides', () => {
			const caps = open();
			expect(caps.refusal(buy('a', 201n))).toBe('201 USD of buys is more than 200 USD of buys for one transaction');
			for (const id of ['a', 'b', 'c', 'd', 'e']) caps.reserve(buy(id, 200n));
			expect(caps.refusal(buy('f', 1n))).toContain('1000 USD of buys of 1000 USD of buys for this day are spent');
			expect(caps.spentToday('evm:8453', USDC, 6)).toBe(1_000_000_000n);
			expect(caps.refusal(sell('g', 5000n))).toBeUndefined();
			caps.reserve(sell('g', 5000n));
			expect(caps.refusal(sell('h', 1n))).toContain('of sells');
			expect([caps.spentToday('usd', 'buys', 6), caps.spentToday('usd', 'sells', 6)]).toEqual([
				1_000_000_000n,
				5_000_000_000n,
			]);
			expect(() => caps.reserve(buy('f', 1n))).toThrow(/limit/);
		});

		test('of millions of a launch have no limit in units, unless one was set for it', async () => {
			const caps = open();
			caps.reserve(sell('a', 10n));
			expect(caps.spentToday('evm:8453', LAUNCH, 18)).toBe(0n);
			await caps.setLimit('evm:8453', LAUNCH, {perTransaction: '1000', perDay: '1000'}, proven);
			expect(caps.refusal(sell('b', 10n))).toContain('5000000 PEPE is more than 1000 PEPE');
		});

		test('of no known worth are refused', () => {
			const caps = open();
			expect(caps.refusal(sell('a'))).toBe('what this trade is worth is not known');
			expect(() => caps.reserve(sell('a'))).toThrow(/limit/);
		});

		test('are given back in dollars and units, and a retry counts once', () => {
			const caps = open();
			caps.reserve(buy('a', 100n));
			caps.reserve(buy('a', 100n));
			expect(caps.spentToday('usd', 'buys', 6)).toBe(100_000_000n);
			caps.release('a');
			expect([caps.spentToday('usd', 'buys', 6), caps.spentToday('evm:8453', USDC, 6)]).toEqual([0n, 0n]);
		});

		test('are raised only with proof, and always listed', async () => {
			const caps = open();
			const refuse = () => Promise.reject(new Error('wrong passphrase'));
			await expect(caps.setLimit('usd', 'buys', {perTransaction: '201', perDay: '1000'}, refuse)).rejects.toThrow(
				/wrong/,
			);
			await caps.setLimit('usd', 'buys', {perTransaction: '20', perDay: '100'}, refuse);
			expect(caps.refusal(buy('a', 21n))).toContain('20 USD of buys for one transaction');
			expect(caps.known()).toEqual([
				{chainId: 'usd', token: 'buys'},
				{chainId: 'usd', token: 'sells'},
			]);
		});
	});

	test('sign nothing when their file is damaged', () => {
		const path = join(temporaryDirectory(), 'caps.json');
		writeFileSync(path, '{"version":1,"limits":{');
		expect(() => openCaps(path).reserve(spend('a', 1n))).toThrow(/cannot be read/);
	});
});

describe('the journal', () => {
	test('is a chain of lines that another process can go on with', () => {
		const path = join(temporaryDirectory(), 'journal.jsonl');
		const one = openJournal(path);
		const two = openJournal(path);
		one.append('bridge.intended', 'i1', {attempt: 1});
		two.append('bridge.answered', 'i1', {status: 504});
		one.append('bridge.status', 'i1', {status: 'pending', nothing: undefined});
		expect(one.records().map(r => [r.seq, r.kind])).toEqual([
			[1, 'bridge.intended'],
			[2, 'bridge.answered'],
			[3, 'bridge.status'],
		]);
		expect(openJournal(path).records().length).toBe(3);
	});

	test('puts aside a last line that a crash cut, at any byte, and goes on', () => {
		const whole = join(temporaryDirectory(), 'journal.jsonl');
		openJournal(whole).append('wallet.unlocked', '1', {text: 'ü'});
		const first = readFileSync(whole).length;
		openJournal(whole).append('wallet.signed', '2', {});
		const bytes = readFileSync(whole);
		for (let cut = first + 1; cut < bytes.length; cut++) {
			const dir = temporaryDirectory();
			const path = join(dir, 'journal.jsonl');
			writeFileSync(path, bytes.subarray(0, cut));
			const journal = openJournal(path);
			expect(journal.records().map(r => r.kind)).toEqual(['wallet.unlocked']);
			expect(journal.append('wallet.locked', '3', {}).seq).toBe(2);
			expect(openJournal(path).records().length).toBe(2);
			expect(readdirSync(dir).filter(name => name.includes('.torn-'))).toHaveLength(1);
		}
	});

	test('is refused when another program changed, removed or cut off a line', () => {
		const path = join(temporaryDirectory(), 'journal.jsonl');
		const journal = openJournal(path);
		for (const amount of [1, 2, 3]) journal.append('bridge.intended', `i${amount}`, {amount});
		const lines = readFileSync(path, 'utf8').split('\n');
		writeFileSync(path, lines.join('\n').replace('"amount":2', '"amount":9'));
		expect(() => openJournal(path).records()).toThrow(/changed or is damaged/);
		writeFileSync(path, [lines[0], lines[2], ''].join('\n'));
		expect(() => openJournal(path).records()).toThrow(/changed/);
		writeFileSync(path, `${lines[0]}\n`);
		expect(() => journal.append('wallet.signed', 'y', {})).toThrow(/changed/);
		appendFileSync(path, 'not json\n');
		expect(() => openJournal(path).append('wallet.signed', 'y', {})).toThrow(
			expect.objectContaining({why: 'line 2: it is not JSON'}),
		);
	});
});

describe('accepted contracts', () => {
	const executor = contract('0x00000000000000000000000000000000abcdef12', 'a');
	const path = () => join(temporaryDirectory(), 'pins.json');

	function contract(address: string, code: string): ContractCode {
		const hash = createHash('sha256').update(code).digest('hex');
		const fingerprint = createHash('sha256')
			.update(code + address)
			.digest('hex');
		return {address, kind: 'plain', hash: `0x${hash}`, fingerprint: `0x${fingerprint}`, size: 1};
	}
	const tail = ({fingerprint}: ContractCode) => fingerprint.slice(-6);

	test('are remembered by chain, address and code after the end of the fingerprint was typed', () => {
		const file = path();
		const pins = openPins(file);
		expect(pins.verdict('evm:8453', 'batch executor', executor)).toEqual({kind: 'unknown'});
		for (const typed of ['000000', executor.address.slice(-6), ''])
			expect(() => pins.accept('evm:8453', 'batch executor', executor, typed)).toThrow(/not accepted/);
		pins.accept('evm:8453', 'batch executor', executor, ` ${tail(executor).toUpperCase()} `);
		expect(openPins(file).verdict('evm:8453', 'batch executor', executor)).toMatchObject({kind: 'pinned'});
		expect(pins.verdict('evm:137', 'batch executor', executor)).toEqual({kind: 'unknown'});
	});

	test('cannot be replaced while they are pinned: neither by another contract nor by other code', () => {
		const pins = openPins(path());
		pins.accept('evm:8453', 'batch executor', executor, tail(executor));
		const other = contract(`0x${'11'.repeat(20)}`, 'a');
		const changed = contract(executor.address, 'b');
		for (const [found, what] of [
			[other, 'contract'],
			[changed, 'code'],
		] as const) {
			expect(pins.verdict('evm:8453', 'batch executor', found)).toEqual({
				kind: 'changed',
				pinned: executor.address,
				what,
			});
			expect(() => pins.accept('evm:8453', 'batch executor', found, tail(found))).toThrow(
				/another contract than before/,
			);
		}
		expect(pins.revoke('evm:8453', 'batch executor')).toBe(true);
		pins.accept('evm:8453', 'batch executor', changed, tail(changed));
	});

	test('from before their code was stored need a new confirmation, with the reason', () => {
		const file = path();
		const {address} = executor;
		const old = {version: 1, pins: [{chainId: 'evm:8453', role: 'batch executor', address, atMs: 1}]};
		writeFileSync(file, JSON.stringify(old));
		const pins = openPins(file);
		expect(pins.verdict('evm:8453', 'batch executor', executor)).toMatchObject({
			kind: 'unknown',
			why: expect.stringContaining('before its code was remembered'),
		});
		pins.accept('evm:8453', 'batch executor', executor, tail(executor));
		expect(pins.verdict('evm:8453', 'batch executor', executor)).toMatchObject({kind: 'pinned'});
		expect(pins.list()).toHaveLength(1);
	});

	test('that ship with the program need none, unless their code is another', () => {
		const pins = openPins(path(), {known: [{role: 'batch executor', address: executor.address, hash: executor.hash}]});
		expect(pins.verdict('evm:137', 'batch executor', executor)).toEqual({kind: 'known'});
		expect(pins.verdict('evm:137', 'bridge', executor)).toEqual({kind: 'unknown'});
		expect(pins.verdict('evm:137', 'batch executor', contract(executor.address, 'b'))).toEqual({kind: 'unknown'});
	});

	test('are contracts: an address without code, or one that lends its own, is refused', () => {
		const why = 'there is no code at this address';
		const found = {address: executor.address, kind: 'none', why} as const;
		expect(openPins(path()).verdict('evm:137', 'bridge', found)).toEqual({kind: 'refused', why});
	});
});
