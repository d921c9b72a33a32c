import {createCipheriv, pbkdf2Sync, randomBytes, scryptSync} from 'node:crypto';
import {keccak256} from 'viem';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {describe, expect, test} from 'vitest';
import {plainText, whyNoPrivateKey} from '../../../source/trading/key-text.ts';
import {openKeystore} from '../../../source/trading/keystore.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/* Key files as other programs wrote them over the years, each made here as its program does. */

const PASSPHRASE = 'correct horse battery';
const COST = {cost: 1024};
const bytes = (text: string) => new TextEncoder().encode(text);
const KEY = generatePrivateKey();
const ADDRESS = privateKeyToAddress(KEY);

interface Making {
	readonly secret?: Buffer;
	readonly kdf?: 'scrypt' | 'pbkdf2';
	readonly dklen?: number;
}

/** The members of a key file of version 3, all in lower case. */
function sealed({secret = Buffer.from(KEY.slice(2), 'hex'), kdf = 'scrypt', dklen = 32}: Making = {}) {
	const [salt, iv] = [randomBytes(32), randomBytes(16)];
	const derived =
		kdf === 'scrypt'
			? scryptSync(PASSPHRASE, salt, dklen, {N: 1024, r: 8, p: 1})
			: pbkdf2Sync(PASSPHRASE, salt, 1000, dklen, 'sha256');
	const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv);
	const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
	const mac = keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext])).slice(2);
	const kdfparams = kdf === 'scrypt' ? {n: 1024, r: 8, p: 1} : {c: 1000, prf: 'hmac-sha256'};
	return {
		address: ADDRESS.slice(2).toLowerCase(),
		crypto: {
			cipher: 'aes-128-ctr',
			cipherparams: {iv: iv.toString('hex')},
			ciphertext: ciphertext.toString('hex'),
			kdf,
			kdfparams: {dklen, salt: salt.toString('hex'), ...kdfparams},
			mac,
		},
		id: '6d0e7d0c-9a49-4b9c-9ed7-3a3b9d6f4a01',
		version: 3,
	};
}

const upperCrypto = () => {
	const {crypto, ...rest} = sealed();
	return {...rest, Crypto: crypto};
};

/** All names and texts in upper case. */
function shouted(value: unknown): unknown {
	if (typeof value === 'string') return value.toUpperCase();
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toUpperCase(), shouted(member)]));
}

const FILES: readonly (readonly [string, () => unknown])[] = [
	['geth and cast', () => sealed()],
	['web3.py (PBKDF2)', () => sealed({kdf: 'pbkdf2'})],
	[
		'ethers, with a mnemonic beside',
		() => ({...upperCrypto(), 'x-ethers': {client: 'ethers/6.13', mnemonicCiphertext: '00'}}),
	],
	['MyEtherWallet', upperCrypto],
	[
		'web3dart, with a zero byte before the key',
		() => sealed({secret: Buffer.concat([Buffer.alloc(1), Buffer.from(KEY.slice(2), 'hex')])}),
	],
	['a program that derives more than it needs', () => sealed({dklen: 64, kdf: 'pbkdf2'})],
	['a program that writes 0x', () => ({...sealed(), address: ADDRESS})],
	['a program that writes the version as text', () => ({...sealed(), version: '3'})],
	['a program that writes all in upper case', () => shouted(sealed())],
	['a program that gives no address', () => ({...sealed(), address: undefined})],
];

test.each(FILES)('the key file of %s is imported and opened again', async (_, make) => {
	const keystore = openKeystore(temporaryDirectory(), 'real', COST);
	const row = await keystore.importFile('mine', JSON.stringify(make()), bytes(PASSPHRASE));
	expect(row.address).toBe(ADDRESS.toLowerCase());
	const opened = await keystore.open('mine', bytes(PASSPHRASE));
	expect(opened.withSecret(secret => `0x${secret.toString('hex')}`)).toBe(KEY);
	opened.wipe();
	expect(keystore.list()).toMatchObject([{name: 'mine', address: ADDRESS.toLowerCase()}]);
});

test('a key that begins with zeros, sealed without them, is the key', async () => {
	const short = Buffer.concat([Buffer.alloc(2), randomBytes(30)]);
	const key = `0x${short.toString('hex')}` as const;
	const file = {...sealed({secret: short.subarray(2)}), address: privateKeyToAddress(key).slice(2)};
	const keystore = openKeystore(temporaryDirectory(), 'real', COST);
	await keystore.importFile('mine', JSON.stringify(file), bytes(PASSPHRASE));
	const opened = await keystore.open('mine', bytes(PASSPHRASE));
	expect(opened.withSecret(secret => `0x${secret.toString('hex')}`)).toBe(key);
	opened.wipe();
});

test('more than a key in the ciphertext is refused', async () => {
	const file = sealed({secret: Buffer.concat([Buffer.from([1]), Buffer.from(KEY.slice(2), 'hex')])});
	const keystore = openKeystore(temporaryDirectory(), 'real', COST);
	await expect(keystore.importFile('mine', JSON.stringify(file), bytes(PASSPHRASE))).rejects.toMatchObject({
		code: 'bad-key-file',
	});
});

const utf16 = (text: string, isLittle: boolean) => {
	const little = Buffer.from(text, 'utf16le');
	return isLittle ? little : little.swap16();
};
const DRESSED: readonly (readonly [string, (text: string) => Buffer])[] = [
	['as it is', text => Buffer.from(text)],
	['a byte order mark', text => Buffer.from(`\ufeff${text}`)],
	['CRLF and blanks', text => Buffer.from(`  ${text}\r\n\r\n`)],
	['UTF-16 with a mark, little', text => utf16(`\ufeff${text}\r\n`, true)],
	['UTF-16 with a mark, big', text => utf16(`\ufeff${text}\r\n`, false)],
	['UTF-16 without a mark, little', text => utf16(text, true)],
	['UTF-16 without a mark, big', text => utf16(text, false)],
	['straight quotes', text => Buffer.from(`"${text}"\n`)],
	['single quotes', text => Buffer.from(`'${text}'\n`)],
	['curly quotes', text => Buffer.from(`“${text}”\n`)],
	['quotes in UTF-16', text => utf16(`\ufeff“${text}”`, true)],
	['quotes in quotes', text => Buffer.from(`'"${text}"'`)],
];

describe.each(DRESSED)('a key with %s', (_, dress) => {
	test.each([
		['in lower case', KEY],
		['without 0x', KEY.slice(2)],
		['in upper case', KEY.slice(2).toUpperCase()],
		['in upper case with 0X', KEY.toUpperCase()],
	])('is read %s', async (_case, text) => {
		const keystore = openKeystore(temporaryDirectory(), 'real', COST);
		expect((await keystore.importKey('mine', dress(text), bytes(PASSPHRASE))).address).toBe(ADDRESS.toLowerCase());
	});

	test('stays as given, and is a plain text', () => {
		const given = dress(KEY);
		const copy = Buffer.from(given);
		expect(plainText(given).toString()).toBe(KEY);
		expect(given.equals(copy)).toBe(true);
	});
});

test.each([
	['a recovery phrase', 'test test test test test test test test test test test junk', /recovery phrase/],
	['an address', ADDRESS, /address/],
	['a public key', `0x04${'ab'.repeat(64)}`, /public key/],
	['a key with a digit too few', KEY.slice(0, -1), /63 hex digits/],
	['a key with a digit too many', `${KEY}0`, /65 hex digits/],
	['a key pair of Solana', JSON.stringify(Array.from(randomBytes(64))), /Solana/],
	['an extended key', `xprv${'9s21ZrQH143K'.repeat(9)}`, /extended key/],
	['a PEM file', '-----BEGIN EC PRIVATE KEY-----', /PEM/],
	['something else', 'hello', /32 bytes of hex/],
])('%s is named as what it is, and nothing of it is told', async (_, text, why) => {
	const keystore = openKeystore(temporaryDirectory(), 'real', COST);
	const error = await keystore.importKey('mine', Buffer.from(text), bytes(PASSPHRASE)).catch((e: unknown) => e);
	expect(error).toMatchObject({code: 'bad-private-key', why: expect.stringMatching(why)});
	expect(`${JSON.stringify(error)} ${JSON.stringify(whyNoPrivateKey(Buffer.from(text)))}`).not.toContain(
		text.slice(2, 14),
	);
});

test.each([
	['of the first version', {...sealed(), version: 1}, /version 1/],
	['of the presale', {encseed: '00', ethaddr: ADDRESS, email: 'a@example.com', btcaddr: '1'}, /presale/],
	["of a browser's vault", {data: 'x', iv: 'y', salt: 'z'}, /vault/],
	['of a hardware wallet', {xpub: 'xpub6C', path: "m/44'/60'/0'", label: 'Ledger'}, /hardware wallets/],
	['of something else', {hello: 1}, /version/],
])('a file %s is named as what it is', async (_, file, why) => {
	const keystore = openKeystore(temporaryDirectory(), 'real', COST);
	await expect(keystore.importFile('mine', JSON.stringify(file), bytes(PASSPHRASE))).rejects.toMatchObject({
		code: 'bad-key-file',
		why: expect.stringMatching(why),
	});
});
