import {expect, test} from 'vitest';
import {assertRecipient} from '../../../source/trading/bridge/recipient.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const DAI = '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb';
const ME = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const SOL = 'So11111111111111111111111111111111111111112';
const check =
	(recipient: string, chainId = 'evm:8453') =>
	() =>
		assertRecipient(recipient, chainId, [USDC, DAI]);

test.each([ME, ME.toLowerCase(), `0x${ME.slice(2).toUpperCase()}`, `0x${'0'.repeat(39)}1`])(
	'%s may receive a transfer on an EVM chain',
	recipient => {
		expect(check(recipient)).not.toThrow();
	},
);

test('an account of Solana may receive on Solana, and one of a chain that is not known here there', () => {
	expect(check(SOL, 'solana:solana')).not.toThrow();
	expect(check('anything', 'ton:mainnet')).not.toThrow();
});

test('each letter in the wrong case is found by the checksum', () => {
	const letters = [...ME.slice(2)].flatMap((digit, at) => (/[a-f]/i.test(digit) ? [at + 2] : []));
	expect(letters.length).toBeGreaterThan(10);
	for (const at of letters) {
		const other = ME[at] === ME[at]!.toLowerCase() ? ME[at]!.toUpperCase() : ME[at]!.toLowerCase();
		expect(check(ME.slice(0, at) + other + ME.slice(at + 1))).toThrow(
			expect.objectContaining({code: 'bad-recipient', why: expect.stringContaining('its checksum is wrong')}),
		);
	}
});

test.each([
	[ME.replace('7', '8'), 'evm:8453', 'its checksum is wrong'],
	[`0X${ME.slice(2)}`, 'evm:8453', '0x and 40 digits'],
	[ME.slice(0, -1), 'evm:8453', '0x and 40 digits'],
	[`${ME}0`, 'evm:8453', '0x and 40 digits'],
	['vitalik.eth', 'evm:8453', '0x and 40 digits'],
	['', 'evm:8453', '0x and 40 digits'],
	[SOL, 'evm:8453', '0x and 40 digits'],
	[ME, 'solana:solana', 'not an address of Solana'],
	[`0x${'0'.repeat(40)}`, 'evm:8453', 'no wallet has'],
	[USDC.toLowerCase(), 'evm:8453', 'contract of the token itself'],
	[DAI, 'evm:42161', 'contract of the token itself'],
])('%s on %s may not: %s', (recipient, chainId, why) => {
	expect(check(recipient, chainId)).toThrow(
		expect.objectContaining({code: 'bad-recipient', why: expect.stringContaining(why)}),
	);
});
