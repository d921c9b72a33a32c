import {describe, expect, test} from 'vitest';
import {
	readCurve,
	readLaunchLab,
	readMint,
	readSwapPool,
	readTokenAccount,
} from '../../../../../source/service/follow/solana/accounts.ts';
import {isOnCurve, pumpCurveAddress, pumpPoolAddress} from '../../../../../source/service/follow/solana/addresses.ts';
import {decodeBase58} from '../../../../../source/service/follow/solana/base58.ts';
import {accountVector} from './vectors.ts';

describe('accounts of the main network', () => {
	test('a curve of pump.fun', () => {
		const {bytes} = accountVector('curve 2026-10-06');
		// Its virtual reserves are 69.184077687 SOL and hundreds of millions of tokens: 30 SOL and 279.9 million more than the real ones.
		const view = Buffer.from(bytes);
		expect(readCurve(bytes)).toEqual({
			left: view.readBigUInt64LE(8) - 279_900_000_000_000n,
			raised: 69_184_077_687n - 30_000_000_000n,
			isFull: false,
		});
	});

	test('a pool of PumpSwap and its vaults, which name each other', () => {
		const pool = accountVector('pool 2026-10-06');
		const state = readSwapPool(pool.bytes);
		expect(state).toEqual({
			base: pool.mint,
			quote: 'So11111111111111111111111111111111111111112',
			baseVault: accountVector('vault of base coins').address,
			quoteVault: accountVector('vault of wrapped SOL').address,
		});
		const vault = readTokenAccount(accountVector('vault of wrapped SOL').bytes);
		expect(vault).toMatchObject({mint: state.quote, owner: pool.address});
	});

	test('a mint of Token-2022 whose rights were given up', () => {
		const {supply, decimals, security} = readMint(accountVector('mint 2026-10-07').bytes);
		expect({supply, decimals}).toEqual({supply: 1_000_000_000_000_000n, decimals: 6});
		expect(security).toEqual({
			noMintAuthority: true,
			isMintable: false,
			transferPausable: false,
			balanceMutable: false,
			renounced: true,
			modifyableTax: false,
			buyTax: '0',
			sellTax: '0',
		});
	});

	test('a mint with a transfer fee, a delegate and a freeze authority (built)', () => {
		const mint = Buffer.alloc(166 + 4 + 108 + 4 + 32);
		mint[44] = 9;
		mint[45] = 1;
		mint.writeUInt32LE(1, 46);
		mint[165] = 1;
		mint.writeUInt16LE(1, 166);
		mint.writeUInt16LE(108, 168);
		mint[170] = 7;
		mint.writeUInt16LE(250, 170 + 106);
		mint.writeUInt16LE(12, 278);
		mint.writeUInt16LE(32, 280);
		mint[282] = 7;
		expect(readMint(mint).security).toMatchObject({
			transferPausable: true,
			balanceMutable: true,
			modifyableTax: true,
			sellTax: '2.5',
			renounced: false,
		});
	});

	test('bytes of something else are refused', () => {
		for (const read of [readCurve, readSwapPool, readLaunchLab, readMint, readTokenAccount]) {
			expect(() => read(new Uint8Array(7))).toThrow(expect.objectContaining({code: 'decode-failed'}));
		}
		expect(() => readCurve(accountVector('pool 2026-10-06').bytes)).toThrow(/could not be read/);
	});
});

describe('addresses of programs', () => {
	test('the curve and the pool of a mint of the main network', () => {
		const {mint, address} = accountVector('pool 2026-10-06');
		expect(pumpCurveAddress(mint!)).toBe('FGUstULVErz7xdWFs8ag5NSbvQnuWe6mmKwNmcDzFsYq');
		expect(pumpPoolAddress(mint!)).toBe(address);
		const curve = accountVector('curve 2026-10-06');
		expect(pumpCurveAddress(curve.mint!)).toBe(curve.address);
	});

	test('an address of a person is a point of the curve, one of a program is none', () => {
		expect(isOnCurve(decodeBase58('4YXzjFCjbHqzpEGe7oEZgeJxafnFzWs63rJ3woayceXh')!)).toBe(true);
		expect(isOnCurve(decodeBase58('FGUstULVErz7xdWFs8ag5NSbvQnuWe6mmKwNmcDzFsYq')!)).toBe(false);
	});
});
