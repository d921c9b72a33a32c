import {createCipheriv, createDecipheriv, pbkdf2, randomBytes, randomUUID, scrypt, timingSafeEqual} from 'node:crypto';
import {promisify} from 'node:util';
import * as z from 'zod';
import {once, patterned} from '../contract/schema.ts';
import {PulsetopError} from '../errors.ts';
import {whyNoKeyFile} from './key-text.ts';

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

	constructor(why: string, advice?: string) {
		super('This is not a key file that can be read', {why, next: 'fix-input', advice});
	}
}

/** The default cost of a key file: 256 MiB and about a second for each guess. */
export const SCRYPT_COST = 262_144;
/** More than this is no key file but an attempt to fill the memory. */
const MAX_SCRYPT_BYTES = 1024 ** 3;
const MAX_PBKDF2_ROUNDS = 10_000_000;

const bytes = (length?: number) =>
	patterned(length === undefined ? /^([0-9a-f]{2})+$/ : new RegExp(`^[0-9a-f]{${length * 2}}$`), 'be hex');
/** web3dart sealed some keys with a zero byte before them, and others without the zeros at their begin. */
const MAX_SEALED_BYTES = 40;
/** The key is the beginning of the derived bytes, whatever their length. */
const derivedLength = () => z.int().min(32).max(1024);

const keyFileSchema = once(() =>
	z.looseObject({
		version: z.literal(3),
		id: z.string().optional(),
		address: patterned(/^[0-9a-f]{40}$/, 'be an address').optional(),
		crypto: z.object({
			cipher: z.literal('aes-128-ctr'),
			ciphertext: bytes().max(MAX_SEALED_BYTES * 2),
			cipherparams: z.object({iv: bytes(16)}),
			mac: bytes(32),
			kdf: z.enum(['scrypt', 'pbkdf2']),
			kdfparams: z.union([
				z.object({dklen: derivedLength(), n: z.int().min(2), r: z.int().min(1), p: z.int().min(1), salt: bytes()}),
				z.object({dklen: derivedLength(), c: z.int().min(1), prf: z.literal('hmac-sha256'), salt: bytes()}),
			]),
		}),
		/** Extension: seed of a practice key, see practice.ts. Other programs ignore it. */
		practiceSeed: bytes(32).optional(),
	}),
);

export type KeyFile = z.output<ReturnType<typeof keyFileSchema>>;

/** Reads the text of a key file, in any case of its letters. @throws BadKeyFile, never with content of the file */
export function parseKeyFile(text: string): KeyFile {
	let json: unknown;
	try {
		json = folded(JSON.parse(text.replace(/^\ufeff/, '')));
	} catch {
		throw new BadKeyFile('it is not JSON');
	}
	const result = keyFileSchema().safeParse(json);
	if (result.success) return result.data;
	const foreign = whyNoKeyFile(json);
	if (foreign) throw new BadKeyFile(foreign.why, foreign.advice);
	const [issue] = result.error.issues;
	throw new BadKeyFile(`its field ${issue!.path.join('.') || '(whole)'} is missing or not what version 3 has`);
}

/** Members that are kept as they are. */
const SPELLED = {practiceseed: 'practiceSeed'} as Readonly<Record<string, string>>;

/** With names and hex in lower case and without 0x, as programs wrote them over the years; `"3"` is the version 3. */
function folded(value: unknown, name = ''): unknown {
	if (typeof value === 'string') {
		const text = value.toLowerCase();
		if (name === 'version' && /^\d$/.test(text)) return Number(text);
		return /^0x[0-9a-f]*$/.test(text) ? text.slice(2) : text;
	}
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const members = Object.entries(value).map(([key, member]) => {
		const lower = key.toLowerCase();
		return [SPELLED[lower] ?? lower, folded(member, lower)] as const;
	});
	return Object.fromEntries(members);
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
	const sealed = decipher.update(Buffer.from(file.crypto.ciphertext, 'hex'));
	decipher.final();
	const extra = Math.max(sealed.length - 32, 0);
	const secret = Buffer.alloc(32);
	sealed.copy(secret, 32 - Math.min(sealed.length, 32), extra);
	const isWhole = sealed.subarray(0, extra).every(byte => byte === 0);
	sealed.fill(0);
	if (!isWhole) throw new BadKeyFile('what it holds is no private key');
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
	// RFC 7914 forbids them and the library of Node refuses them; web3.py wrote them for years (r 1, p 8, N 262144).
	if (r * 16 < 53 && n >= 2 ** (r * 16)) {
		const {scryptAsync} = await import('@noble/hashes/scrypt.js');
		return Buffer.from(await scryptAsync(passphrase, salt, {N: n, r, p, dkLen: 32, maxmem: needed + 1024 ** 2}));
	}
	return deriveByScrypt(passphrase, salt, 32, {N: n, r, p, maxmem: needed + 1024 ** 2});
}

async function macOf(derived: Uint8Array, ciphertext: Uint8Array): Promise<Buffer> {
	const {keccak256} = await import('viem/utils');
	return Buffer.from(keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]), 'bytes'));
}
