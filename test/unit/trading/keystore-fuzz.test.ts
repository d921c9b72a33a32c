import {expect, test} from 'vitest';
import {
	BadKeyFile,
	deriveOpener,
	openKey,
	parseKeyFile,
	sealKey,
	WrongPassphrase,
} from '../../../source/trading/keystore-v3.ts';
import {fc} from '../../helpers/properties.ts';

/* Any key file opens to its key or is refused in words that repeat nothing of it. */

const PASSPHRASE = new TextEncoder().encode('a passphrase');
/** Small enough that a derivation costs nothing. */
const KDF = {dklen: 32, n: 2, r: 8, p: 1, salt: 'ab'.repeat(32)};
const FILE = {
	version: 3,
	id: '3198bc9c-6672-5ab3-d995-4942343ae5b6',
	address: '00'.repeat(20),
	crypto: {
		cipher: 'aes-128-ctr',
		ciphertext: 'ca'.repeat(32),
		cipherparams: {iv: 'cd'.repeat(16)},
		kdf: 'scrypt',
		kdfparams: KDF,
		mac: 'ef'.repeat(32),
	},
};

async function open(text: string): Promise<void> {
	try {
		const file = parseKeyFile(text);
		openKey(file, await deriveOpener(file, PASSPHRASE));
	} catch (error) {
		expect([BadKeyFile, WrongPassphrase], String((error as Error).stack)).toContain((error as Error).constructor);
		expect(JSON.stringify(error)).not.toMatch(/caca|cdcd|efef|abab/);
	}
}

const strange = fc.oneof(
	fc.constantFrom<unknown>(null, true, 0, -1, 0.5, 1e308, 2 ** 31, '', 'zz', '0x', 'ab', [], {}, '\u0000', 'pbkdf2'),
	fc.jsonValue(),
);
const PLACES = [
	...['version', 'id', 'address', 'crypto', 'crypto.cipher', 'crypto.ciphertext', 'crypto.cipherparams', 'crypto.mac'],
	...['crypto.cipherparams.iv', 'crypto.kdf', 'crypto.kdfparams'],
	...['n', 'r', 'p', 'c', 'prf', 'dklen', 'salt'].map(name => `crypto.kdfparams.${name}`),
];

function withChange(place: string, value: unknown): object {
	const file = structuredClone(FILE) as Record<string, unknown>;
	const path = place.split('.');
	let at = file;
	for (const name of path.slice(0, -1)) {
		if (typeof at[name] !== 'object' || at[name] === null) return file;
		at = at[name] as Record<string, unknown>;
	}
	at[path.at(-1)!] = value;
	return file;
}

test('a key file with anything in one of its places', async () => {
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...PLACES), strange, async (place, value) => {
			await open(JSON.stringify(withChange(place, value)));
		}),
		{numRuns: 400},
	);
});

test('a key file cut short, or with bytes changed', async () => {
	const text = JSON.stringify(FILE);
	const damage = fc.tuple(fc.nat(text.length), fc.string({maxLength: 4}), fc.boolean());
	await fc.assert(
		fc.asyncProperty(damage, async ([at, put, isCut]) => {
			await open(text.slice(0, at) + put + (isCut ? '' : text.slice(at + put.length)));
		}),
		{numRuns: 300},
	);
});

test('a key file that is no object, or too deep', async () => {
	await fc.assert(
		fc.asyncProperty(fc.jsonValue(), async json => open(JSON.stringify(json))),
		{numRuns: 100},
	);
	await open(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
	await open(`{"crypto":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_001)}`);
});

test('one bit of the sealed key changed, and the right passphrase opens nothing', async () => {
	const file = await sealKey(new Uint8Array(32).fill(7), PASSPHRASE, {address: FILE.address, cost: 2});
	expect(openKey(file, await deriveOpener(file, PASSPHRASE))).toEqual(Buffer.alloc(32, 7));
	const {ciphertext} = file.crypto;
	await fc.assert(
		fc.asyncProperty(fc.nat(255), async bit => {
			const changed = Buffer.from(ciphertext, 'hex');
			changed[bit >> 3]! ^= 1 << (bit & 7);
			const crypto = {...file.crypto, ciphertext: changed.toString('hex')};
			await expect(deriveOpener({...file, crypto}, PASSPHRASE)).rejects.toThrow(WrongPassphrase);
		}),
	);
});
