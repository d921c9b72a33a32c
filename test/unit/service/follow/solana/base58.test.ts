import {describe, expect, test} from 'vitest';
import {decodeBase58, encodeBase58} from '../../../../../source/service/follow/solana/base58.ts';
import {fc} from '../../../../helpers/properties.ts';

describe('base58', () => {
	test('writes the examples of the draft of the encoding', () => {
		expect(encodeBase58(Buffer.from('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
		expect(encodeBase58(Buffer.from('0000287fb4cd', 'hex'))).toBe('11233QC4');
	});

	test('gives back the bytes of an address', () => {
		const address = '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P';
		expect(decodeBase58(address)).toHaveLength(32);
		expect(encodeBase58(decodeBase58(address)!)).toBe(address);
		expect(encodeBase58(new Uint8Array(32))).toBe('1'.repeat(32));
	});

	test('gives back any bytes', () => {
		fc.assert(
			fc.property(fc.uint8Array({maxLength: 80}), bytes => {
				expect([...decodeBase58(encodeBase58(bytes))!]).toEqual([...bytes]);
			}),
		);
	});

	test('has no bytes for other characters, nor for endless text', () => {
		expect(decodeBase58('0OIl')).toBeUndefined();
		expect(decodeBase58('é')).toBeUndefined();
		expect(decodeBase58('2'.repeat(5000))).toBeUndefined();
	});
});
