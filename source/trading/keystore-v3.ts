import {createCipheriv, createDecipheriv, pbkdf2, randomBytes, randomUUID, scrypt, timingSafeEqual} from 'node:crypto';
import {promisify} from 'node:util';
import * as z from 'zod';
import {once, patterned} from '../contract/schema.ts';
import {PulsetopError} from '../errors.ts';

/*
 * Web3 Secret Storage, version 3: the key file of geth, cast and most wallets. AES-128-CTR under a key that scrypt (or
 * PBKDF2) derives from the passphrase; keccak256 over the second half of that key and the ciphertext proves the passphrase.
 */

/** A passphrase that does not open a key file. */
export class WrongPassphrase extends PulsetopError {
	readonly code = 'wrong-passphrase';

	constructor() {
		super('The passphrase does not open this key', {why: 'the check sum of the key file does not fit', next: 'unlock'});
	}
}

/** A key file that cannot be read, or of a kind that is not supported. */
export class BadKeyFile extends PulsetopError {
	readonly code = 'bad-key-file';

	constructor(why: string) {
		super('This is not a key file that can be read', {why, next: 'fix-input'});
	}
}

/** The default cost of a key file: 256 MiB and about a second for each guess. */
export const SCRYPT_COST = 262_144;
/** More than this is no key file but an attempt to fill the memory. */
const MAX_SCRYPT_BYTES = 1024 ** 3;
const MAX_PBKDF2_ROUNDS = 10_000_000;

const bytes = (length?: number) =>
	patterned(length === undefined ? /^([0-9a-fA-F]{2})+$/ : new RegExp(`^[0-9a-fA-F]{${length * 2}}$`), 'be hex');

const keyFileSchema = once(() =>
	z.looseObject({
		version: z.literal(3),
		id: z.string().optional(),
		address: patterned(/^(0x)?[0-9a-fA-F]{40}$/, 'be an address').optional(),
		crypto: z.object({
			cipher: z.literal('aes-128-ctr'),
			ciphertext: bytes(32),
			cipherparams: z.object({iv: bytes(16)}),
			mac: bytes(32),
			kdf: z.enum(['scrypt', 'pbkdf2']),
			kdfparams: z.union([
				z.object({dklen: z.literal(32), n: z.int().min(2), r: z.int().min(1), p: z.int().min(1), salt: bytes()}),
				z.object({dklen: z.literal(32), c: z.int().min(1), prf: z.literal('hmac-sha256'), salt: bytes()}),
			]),
		}),
		/** Extension: seed of a practice key, see practice.ts. Other programs ignore it. */
		practiceSeed: bytes(32).optional(),
	}),
);

export type KeyFile = z.output<ReturnType<typeof keyFileSchema>>;

/** Reads the text of a key file. @throws BadKeyFile, never with what the file holds */
export function parseKeyFile(text: string): KeyFile {
	let json: unknown;
	try {
		json = JSON.parse(text);
	} catch {
		throw new BadKeyFile('it is not JSON');
	}
	// Some programs write `Crypto`.
	const object = typeof json === 'object' && json !== null && 'Crypto' in json ? {...json, crypto: json.Crypto} : json;
	const result = keyFileSchema().safeParse(object);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	throw new BadKeyFile(`its field ${issue!.path.join('.') || '(whole)'} is missing or not what version 3 has`);
}

/**
 * Seals a private key.
 * @param secret 32 bytes; the caller wipes them
 * @param passphrase UTF-8 bytes; the caller wipes them
 * @param cost scrypt's N
 */
export async function sealKey(
	secret: Uint8Array,
	passphrase: Uint8Array,
	{address, cost = SCRYPT_COST}: {address: string; cost?: number},
): Promise<KeyFile> {
	const salt = randomBytes(32);
	const iv = randomBytes(16);
	const kdfparams = {dklen: 32 as const, n: cost, r: 8, p: 1, salt: salt.toString('hex')};
	const derived = await stretch(passphrase, kdfparams);
	const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
	const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
	const mac = await macOf(derived, ciphertext);
	derived.fill(0);
	return {
		version: 3,
		id: randomUUID(),
		address: address.replace(/^0x/, '').toLowerCase(),
		crypto: {
			cipher: 'aes-128-ctr',
			ciphertext: ciphertext.toString('hex'),
			cipherparams: {iv: iv.toString('hex')},
			mac: mac.toString('hex'),
			kdf: 'scrypt',
			kdfparams,
		},
	};
}

/**
 * The 32 bytes that open a key file. They are a secret themselves, to be wiped when the wallet is locked; the private key
 * need not lie in memory in between.
 * @throws WrongPassphrase, BadKeyFile
 */
export async function deriveOpener(file: KeyFile, passphrase: Uint8Array): Promise<Buffer> {
	const derived = await stretch(passphrase, file.crypto.kdfparams);
	const mac = await macOf(derived, Buffer.from(file.crypto.ciphertext, 'hex'));
	if (timingSafeEqual(mac, Buffer.from(file.crypto.mac, 'hex'))) return derived;
	derived.fill(0);
	throw new WrongPassphrase();
}

/** Passes the private key to `use` and wipes it afterwards, also after a failure. `use` must not keep it. */
export function withKey<T>(file: KeyFile, opener: Uint8Array, use: (secret: Buffer) => T): T {
	const secret = openKey(file, opener);
	try {
		return use(secret);
	} finally {
		secret.fill(0);
	}
}

/** The private key; the caller wipes it. */
export function openKey(file: KeyFile, opener: Uint8Array): Buffer {
	const iv = Buffer.from(file.crypto.cipherparams.iv, 'hex');
	const decipher = createDecipheriv('aes-128-ctr', opener.subarray(0, 16), iv);
	const [head, tail] = [decipher.update(Buffer.from(file.crypto.ciphertext, 'hex')), decipher.final()];
	const secret = Buffer.concat([head, tail]);
	head.fill(0);
	return secret;
}

const deriveByScrypt = promisify(scrypt) as (
	passphrase: Uint8Array,
	salt: Uint8Array,
	length: number,
	options: {N: number; r: number; p: number; maxmem: number},
) => Promise<Buffer>;
const deriveByPbkdf2 = promisify(pbkdf2);

async function stretch(passphrase: Uint8Array, params: KeyFile['crypto']['kdfparams']): Promise<Buffer> {
	const salt = Buffer.from(params.salt, 'hex');
	if ('c' in params) {
		if (params.c > MAX_PBKDF2_ROUNDS) throw new BadKeyFile(`it asks for ${params.c} rounds of PBKDF2`);
		return deriveByPbkdf2(passphrase, salt, params.c, 32, 'sha256');
	}
	const {n, r, p} = params;
	const needed = 128 * r * (n + p);
	if (needed > MAX_SCRYPT_BYTES || p > 64 || (n & (n - 1)) !== 0) {
		throw new BadKeyFile('its scrypt parameters ask for too much, or are not allowed');
	}
	// RFC 7914 requires it, and the library refuses the others; no program of today writes such files.
	if (r * 16 < 53 && n >= 2 ** (r * 16))
		throw new BadKeyFile(`its scrypt parameters N ${n} and r ${r} do not go together`);
	return deriveByScrypt(passphrase, salt, 32, {N: n, r, p, maxmem: needed + 1024 ** 2});
}

async function macOf(derived: Uint8Array, ciphertext: Uint8Array): Promise<Buffer> {
	const {keccak256} = await import('viem/utils');
	return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]), 'bytes'));
}
