import {bytesToHex, type Hex, hexToBigInt, numberToHex, recoverMessageAddress, recoverTypedDataAddress} from 'viem';
import {type PrivateKeyAccount, privateKeyToAccount} from 'viem/accounts';
import {recoverAuthorizationAddress} from 'viem/utils';
import {expect, test} from 'vitest';
import {
	MalformedSignature,
	recoverAuthorizationSigner,
	recoverMessageSigner,
	recoverSigner,
	recoverTypedDataSigner,
} from '../../../source/service/chain/recover.ts';
import {fc} from '../../helpers/properties.ts';
import {batchTypes, newUser} from './practice.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const hex = (size: number): fc.Arbitrary<Hex> =>
	fc.uint8Array({minLength: size, maxLength: size}).map(bytes => bytesToHex(bytes));
const uint256 = fc.bigInt({min: 0n, max: 2n ** 256n - 1n});
const keyed: fc.Arbitrary<PrivateKeyAccount> = fc
	.bigInt({min: 1n, max: ORDER - 1n})
	.map(key => privateKeyToAccount(numberToHex(key, {size: 32})));
const batch = fc.record({
	calls: fc.array(
		fc.record({to: hex(20), value: uint256, data: fc.uint8Array({maxLength: 200}).map(b => bytesToHex(b))}),
		{
			maxLength: 4,
		},
	),
	nonce: uint256,
	deadline: uint256,
	gasToken: hex(20),
	minBalance: uint256,
});

test('the signer of any batch is recovered, and as viem recovers it', async () => {
	await fc.assert(
		fc.asyncProperty(keyed, batch, fc.integer({min: 1, max: 2 ** 31}), async (user, message, chainId) => {
			const domain = {name: 'ServiceBatchExecutor', version: '1', chainId, verifyingContract: user.address};
			const typedData = {domain, types: batchTypes, primaryType: 'Batch', message} as const;
			const signature = await user.signTypedData(typedData);
			expect(recoverTypedDataSigner(typedData, signature)).toBe(user.address);
			expect(recoverTypedDataSigner(typedData, signature)).toBe(
				await recoverTypedDataAddress({...typedData, signature}),
			);
		}),
		{numRuns: 25},
	);
});

test('the signer of any authorization is recovered, and as viem recovers it', async () => {
	await fc.assert(
		fc.asyncProperty(keyed, hex(20), fc.nat(), fc.nat(), async (user, address, chainId, nonce) => {
			const tuple = await user.signAuthorization({address, chainId, nonce});
			const {r, s, yParity = 2} = tuple;
			expect(recoverAuthorizationSigner({address, chainId, nonce, r, s, yParity})).toBe(user.address);
			expect(await recoverAuthorizationAddress({authorization: tuple})).toBe(user.address);
		}),
		{numRuns: 25},
	);
});

test('the signer of any text is recovered, and as viem recovers it', async () => {
	await fc.assert(
		fc.asyncProperty(keyed, fc.string({unit: 'grapheme'}), async (user, message) => {
			const signature = await user.signMessage({message});
			expect(recoverMessageSigner(message, signature)).toBe(await recoverMessageAddress({message, signature}));
			expect(recoverMessageSigner(message, signature)).toBe(user.address);
		}),
		{numRuns: 25},
	);
});

test('any other 65 bytes name another signer or are malformed, never an exception of another kind', () => {
	const user = newUser().address;
	fc.assert(
		fc.property(hex(32), hex(65), (hash, signature) => {
			try {
				expect(recoverSigner(hash, signature)).not.toBe(user);
			} catch (error) {
				expect(error).toBeInstanceOf(MalformedSignature);
			}
		}),
	);
});

const sign = async () => {
	const user = newUser();
	return {user, signature: await user.signMessage({message: 'a'})};
};

test.each([
	['64 bytes', (s: Hex) => s.slice(0, -2), 'it has 64 bytes, 65 are needed'],
	['66 bytes', (s: Hex) => `${s}00`, 'it has 66 bytes, 65 are needed'],
	['nothing', () => '0x', 'it has 0 bytes, 65 are needed'],
	['no 0x', (s: Hex) => s.slice(2), 'it is not hexadecimal with 0x before it'],
	['letters', (s: Hex) => `${s.slice(0, -2)}zz`, 'it is not hexadecimal with 0x before it'],
	['v 29', (s: Hex) => `${s.slice(0, -2)}1d`, 'its last byte is 29, not 0, 1, 27 or 28'],
	['r zero', (s: Hex) => `0x${'00'.repeat(32)}${s.slice(66)}`, 'no key can have made it'],
	['s zero', (s: Hex) => `${s.slice(0, 66)}${'00'.repeat(32)}1b`, 'no key can have made it'],
	['r beyond the order', (s: Hex) => `0x${'ff'.repeat(32)}${s.slice(66)}`, 'no key can have made it'],
])('a signature with %s is malformed and says why', async (_, spoil, why) => {
	const {signature} = await sign();
	expect(() => recoverMessageSigner('a', spoil(signature))).toThrow(
		expect.objectContaining({name: 'MalformedSignature', why}),
	);
});

test('the twin with s in the upper half, which viem takes, is malformed', async () => {
	const {user, signature} = await sign();
	const s = numberToHex(ORDER - hexToBigInt(`0x${signature.slice(66, 130)}`), {size: 32}).slice(2);
	const twin = `${signature.slice(0, 66)}${s}${signature.endsWith('1b') ? '1c' : '1b'}` as const;
	expect(await recoverMessageAddress({message: 'a', signature: twin as Hex})).toBe(user.address);
	expect(() => recoverMessageSigner('a', twin)).toThrow(expect.objectContaining({why: 'its s is in the upper half'}));
});

test('v may be 0 and 1 as well as 27 and 28', async () => {
	const {user, signature} = await sign();
	const plain = `${signature.slice(0, -2)}${signature.endsWith('1b') ? '00' : '01'}`;
	expect(recoverMessageSigner('a', plain)).toBe(user.address);
});
