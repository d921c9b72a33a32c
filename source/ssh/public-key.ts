import {createHash, createPublicKey} from 'node:crypto';
import keyParser, {type ParsedKey} from 'ssh2/lib/protocol/keyParser.js';

/** RSA keys of these sizes, bits. */
const MIN_RSA = 2048;
const MAX_RSA = 8192;
/** An RSA key of 8192 bits takes 1,047 bytes. */
const MAX_BYTES = 1100;

const KINDS = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];

/** A public key that can be trusted to sign: ed25519, ECDSA, or RSA of 2048 to 8192 bits. */
export interface PublicKey {
	/** As OpenSSH writes it: `SHA256:` and base64. */
	readonly fingerprint: string;
	/**
	 * Whether the key signed this.
	 * @param hash of an RSA signature; without one it was made with SHA-1, which is refused
	 */
	signed(data: Buffer, signature: Buffer, hash: 'sha256' | 'sha512' | undefined): boolean;
}

/**
 * Reads a public key as it comes on the wire (RFC 4253, 6.6).
 * @param blob anything: nothing was proven of it yet
 * @returns undefined for text that is no key, and for kinds and sizes that are not trusted
 */
export function readPublicKey(blob: Buffer): PublicKey | undefined {
	if (blob.length > MAX_BYTES) return undefined;
	const key = parsed(blob);
	// The parser also reads PEM and other texts, whose bytes are not the key: each key has one fingerprint.
	if (key === undefined || key.isPrivateKey() || !KINDS.includes(key.type) || !key.getPublicSSH().equals(blob))
		return undefined;
	const isRSA = key.type === 'ssh-rsa';
	if (isRSA && !hasUsualSize(key)) return undefined;
	return {
		fingerprint: fingerprintOf(blob),
		signed: (data, signature, hash) => {
			if (isRSA && hash === undefined) return false;
			// The parser gives an Error for a signature that can't be one.
			return key.verify(data, signature, isRSA ? hash : undefined) === true;
		},
	};
}

function parsed(blob: Buffer): ParsedKey | undefined {
	try {
		const key = keyParser.parseKey(blob);
		return key instanceof Error ? undefined : key;
	} catch {
		return undefined;
	}
}

function hasUsualSize(key: ParsedKey): boolean {
	try {
		const bits = createPublicKey(key.getPublicPEM()).asymmetricKeyDetails?.modulusLength ?? 0;
		return bits >= MIN_RSA && bits <= MAX_RSA;
	} catch {
		return false;
	}
}

/** The fingerprint of a key: `SHA256:` and base64 without `=`, as OpenSSH writes it. */
export function fingerprintOf(blob: Buffer): string {
	return `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`;
}
