import {createHash, decapsulate, generateKeyPairSync} from 'node:crypto';
import {expect, test} from 'vitest';
import {mlKemExchange} from '../../../source/ssh/post-quantum.ts';

/* The whole exchange is in test/e2e/ssh.test.ts; a secret with leading zeros comes once in 256 logins. */

const kem = generateKeyPairSync('ml-kem-768');
const kemKey = kem.publicKey.export({type: 'spki', format: 'der'}).subarray(-1184);

test.each([
	['a sign before the first byte', [0, 0x80, ...Array(31).fill(7)], [0x80, ...Array(31).fill(7)]],
	['leading zeros that are left out', Array(30).fill(9), [0, 0, ...Array(30).fill(9)]],
	['neither', Array(32).fill(5), Array(32).fill(5)],
])('the secret of the curve is hashed as 32 bytes: %s', (_, given, bytes) => {
	class Curve {
		convertPublicKey(key: Buffer): Buffer {
			return key;
		}
		getPublicKey(): Buffer {
			return Buffer.alloc(32, 1);
		}
		computeSecret(): Buffer {
			return Buffer.from(given);
		}
	}
	const exchange = new (mlKemExchange(Curve))();
	const secret = exchange.computeSecret(Buffer.concat([kemKey, Buffer.alloc(32, 2)]));
	const reply = exchange.getPublicKey();
	expect(reply.subarray(1088)).toEqual(Buffer.alloc(32, 1));
	const ofKem = decapsulate(kem.privateKey, reply.subarray(0, 1088));
	expect(secret).toEqual(createHash('sha256').update(ofKem).update(Buffer.from(bytes)).digest());
});
