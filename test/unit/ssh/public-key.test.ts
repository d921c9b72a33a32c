import {createHash, generateKeyPairSync, type KeyObject, sign} from 'node:crypto';
import {expect, test} from 'vitest';
import {readPublicKey} from '../../../source/ssh/public-key.ts';
import {fc} from '../../helpers/properties.ts';
import {wireKey, wireString} from '../../helpers/ssh-wire.ts';

const DATA = Buffer.from('what the client signs');

test('an ed25519 key signs, and another key does not sign for it', () => {
	const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
	const blob = wireKey(own.publicKey);
	const key = readPublicKey(blob)!;
	expect(key.fingerprint).toBe(`SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`);
	expect(key.signed(DATA, sign(null, DATA, own.privateKey), undefined)).toBe(true);
	expect(key.signed(DATA, sign(null, DATA, other.privateKey), undefined)).toBe(false);
	expect(key.signed(Buffer.from('something else'), sign(null, DATA, own.privateKey), undefined)).toBe(false);
	expect(key.signed(DATA, Buffer.alloc(0), undefined)).toBe(false);
	expect(key.signed(DATA, Buffer.alloc(64), undefined)).toBe(false);
});

test.each([
	{bits: 2048, isTrusted: true},
	{bits: 2040, isTrusted: false},
	{bits: 1024, isTrusted: false},
	{bits: 4096, isTrusted: true},
])('an RSA key of $bits bits is trusted: $isTrusted', ({bits, isTrusted}) => {
	const {publicKey} = generateKeyPairSync('rsa', {modulusLength: bits});
	expect(readPublicKey(wireKey(publicKey)) !== undefined).toBe(isTrusted);
});

test('an RSA signature counts with SHA-2 and never with SHA-1', () => {
	const {publicKey, privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
	const key = readPublicKey(wireKey(publicKey))!;
	expect(key.signed(DATA, sign('sha256', DATA, privateKey), 'sha256')).toBe(true);
	expect(key.signed(DATA, sign('sha512', DATA, privateKey), 'sha512')).toBe(true);
	expect(key.signed(DATA, sign('sha1', DATA, privateKey), undefined)).toBe(false);
	expect(key.signed(DATA, sign('sha256', DATA, privateKey), undefined)).toBe(false);
});

test('a key as PEM, as text or with more bytes behind it is not that key', () => {
	const {publicKey, privateKey} = generateKeyPairSync('ed25519');
	const blob = wireKey(publicKey);
	expect(readPublicKey(Buffer.from(`ssh-ed25519 ${blob.toString('base64')}`))).toBeUndefined();
	expect(readPublicKey(Buffer.from(publicKey.export({type: 'spki', format: 'pem'})))).toBeUndefined();
	expect(readPublicKey(Buffer.from(privateKey.export({type: 'pkcs8', format: 'pem'})))).toBeUndefined();
	expect(readPublicKey(Buffer.concat([blob, Buffer.from([0])]))).toBeUndefined();
	expect(readPublicKey(blob.subarray(0, -1))).toBeUndefined();
});

test('kinds that are not trusted are no keys: DSA, hardware keys, certificates', () => {
	for (const kind of ['ssh-dss', 'sk-ssh-ed25519@openssh.com', 'ssh-ed25519-cert-v01@openssh.com', 'x'])
		expect(readPublicKey(Buffer.concat([wireString(kind), wireString(Buffer.alloc(32, 1))]))).toBeUndefined();
});

test('any bytes are read without an error', () => {
	fc.assert(
		fc.property(fc.uint8Array({maxLength: 1200}), bytes => {
			readPublicKey(Buffer.from(bytes));
			readPublicKey(Buffer.concat([wireString('ssh-rsa'), Buffer.from(bytes)]));
			readPublicKey(Buffer.concat([wireString('ecdsa-sha2-nistp256'), Buffer.from(bytes)]));
		}),
	);
});

test('a larger key than any is refused before it is read', () => {
	const blob = (key: KeyObject) => Buffer.concat([wireKey(key), Buffer.alloc(2000)]);
	expect(readPublicKey(blob(generateKeyPairSync('ed25519').publicKey))).toBeUndefined();
});
