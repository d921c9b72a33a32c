import type {KeyObject} from 'node:crypto';

/** A string of the SSH protocol (RFC 4251, 5): its length and its bytes. */
export function wireString(text: string | Buffer): Buffer {
	const bytes = Buffer.from(text);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(bytes.length);
	return Buffer.concat([length, bytes]);
}

/** A positive number of the protocol: with a zero before a first bit that is set. */
function wireNumber(base64url: string): Buffer {
	const bytes = Buffer.from(base64url, 'base64url');
	return wireString((bytes[0]! & 0x80) === 0 ? bytes : Buffer.concat([Buffer.from([0]), bytes]));
}

/** A public key of ed25519 or RSA as it is sent (RFC 4253, 6.6; RFC 8709). */
export function wireKey(key: KeyObject): Buffer {
	const {x = '', n = '', e = ''} = key.export({format: 'jwk'});
	return key.asymmetricKeyType === 'ed25519'
		? Buffer.concat([wireString('ssh-ed25519'), wireString(Buffer.from(x, 'base64url'))])
		: Buffer.concat([wireString('ssh-rsa'), wireNumber(e), wireNumber(n)]);
}
