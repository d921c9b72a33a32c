import crypto from 'node:crypto';
import constants from 'ssh2/lib/protocol/constants.js';
import kex, {type Curve25519Exchange} from 'ssh2/lib/protocol/kex.js';

/**
 * The hybrid of ML-KEM-768 and curve25519 (draft-ietf-sshm-mlkem-hybrid-kex). OpenSSH prefers the hybrid from 10.0 on, and warns
 * at each login without one from 10.1 on.
 */
const ML_KEM = 'mlkem768x25519-sha256';

/** Bytes of the client's two public keys. */
const KEM_KEY_BYTES = 1184;
const CURVE_KEY_BYTES = 32;
/** DER before the bytes of an ML-KEM-768 public key: a SubjectPublicKeyInfo (RFC 9935). */
const KEM_KEY_INFO = Buffer.from('308204b2300b0609608648016503040402038204a100', 'hex');

/** The server's side of the key exchange. @param Curve the library's exchange by curve25519 */
export function mlKemExchange(Curve: Curve25519Exchange): Curve25519Exchange {
	return class extends Curve {
		#ciphertext: Buffer | undefined;

		/** The client's keys are hashed as they came. */
		override convertPublicKey(keys: Buffer): Buffer {
			return keys;
		}

		/** The library computes the secret before it sends this. */
		override getPublicKey(): Buffer {
			return Buffer.concat([this.#ciphertext!, super.getPublicKey()]);
		}

		/** Returns the secret of both parts: 32 bytes, a string and no number. */
		override computeSecret(keys: Buffer): Buffer | Error {
			if (keys.length !== KEM_KEY_BYTES + CURVE_KEY_BYTES)
				return new Error(`a client's keys have ${KEM_KEY_BYTES + CURVE_KEY_BYTES} bytes, not ${keys.length}`);
			const curve = super.computeSecret(keys.subarray(KEM_KEY_BYTES));
			if (curve instanceof Error) return curve;
			try {
				const key = Buffer.concat([KEM_KEY_INFO, keys.subarray(0, KEM_KEY_BYTES)]);
				const publicKey = crypto.createPublicKey({key, format: 'der', type: 'spki'});
				const {sharedKey, ciphertext} = crypto.encapsulate(publicKey);
				this.#ciphertext = ciphertext;
				return crypto.createHash('sha256').update(sharedKey).update(withoutSign(curve)).digest();
			} catch (error) {
				return error as Error;
			}
		}
	};
}

/** The bytes of the curve's secret, which the library gives as a number: with a sign, without leading zeros. */
function withoutSign(secret: Buffer): Buffer {
	const bytes = secret.subarray(-CURVE_KEY_BYTES);
	return Buffer.concat([Buffer.alloc(CURVE_KEY_BYTES - bytes.length), bytes]);
}

/**
 * Adds the hybrid to the library.
 * @returns the names that a server may offer: none where Node has no ML-KEM (before 24.7), and none outside of the bundle, where
 *   the library has no place for other exchanges (tools/bundle-patches.ts)
 */
export function postQuantumExchanges(): readonly string[] {
	if (kex.EXCHANGES === undefined || typeof crypto.encapsulate !== 'function') return [];
	kex.EXCHANGES[ML_KEM] = mlKemExchange;
	if (!constants.SUPPORTED_KEX.includes(ML_KEM)) constants.SUPPORTED_KEX.push(ML_KEM);
	return [ML_KEM];
}
