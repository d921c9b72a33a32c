import {chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {explain} from '../../../source/errors.ts';
import {openKeystore} from '../../../source/trading/keystore.ts';
import {deriveOpener, parseKeyFile, sealKey, withKey} from '../../../source/trading/keystore-v3.ts';
import {PracticeWall} from '../../../source/trading/practice.ts';
import {addressOfKey} from '../../../source/trading/secp256k1.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const {address, vectors} = JSON.parse(
	readFileSync(new URL('../../vectors/keystore.json', import.meta.url), 'utf8'),
) as {address: string; vectors: {source: string; password: string; secret: string; file: object}[]};

const bytes = (text: string) => new TextEncoder().encode(text);
const PASSPHRASE = 'correct horse battery';
const SMALL = {cost: 1024};

describe('a key file', () => {
	test.each(vectors)('of $source opens to its key', async ({password, secret, file}) => {
		const parsed = parseKeyFile(JSON.stringify(file));
		const opener = await deriveOpener(parsed, bytes(password));
		expect(withKey(parsed, opener, key => key.toString('hex'))).toBe(secret.slice(2));
		const key = Buffer.from(secret.slice(2), 'hex');
		expect(await addressOfKey(key)).toBe(address);
	});

	test('does not open with another passphrase, and reveals nothing of its content', async () => {
		const file = parseKeyFile(JSON.stringify(vectors.at(-1)!.file));
		const error = await deriveOpener(file, bytes('canary passphrase')).catch((e: unknown) => e);
		expect(explain(error)).toMatchObject({code: 'wrong-passphrase', next: 'unlock'});
		expect(JSON.stringify(explain(error))).not.toMatch(/canary|[0-9a-f]{16}/);
	});

	test('of this program has the form that other programs read: version 3, scrypt, aes-128-ctr', async () => {
		const secret = Buffer.from(vectors[0]!.secret.slice(2), 'hex');
		const file = await sealKey(secret, bytes(PASSPHRASE), {address});
		expect(file).toMatchObject({
			version: 3,
			address: address.slice(2).toLowerCase(),
			crypto: {cipher: 'aes-128-ctr', kdf: 'scrypt', kdfparams: {n: 262_144, r: 8, p: 1, dklen: 32}},
		});
	});

	test.each([
		['no JSON', '{'],
		['another version', '{"version":1}'],
		['no crypto', '{"version":3}'],
	])('with %s is refused with the field, never with its content', (_, text) => {
		expect(() => parseKeyFile(text)).toThrow(/key file/);
	});

	test('that asks for more memory than a key file may is refused', async () => {
		const greedy = structuredClone(vectors[0]!.file) as {crypto: {kdfparams: {n: number; r: number}}};
		Object.assign(greedy.crypto.kdfparams, {n: 2 ** 30, r: 8});
		await expect(deriveOpener(parseKeyFile(JSON.stringify(greedy)), bytes('x'))).rejects.toMatchObject({
			code: 'bad-key-file',
		});
	});
});

describe('the keystore', () => {
	test('keeps a new wallet in a file that only its owner can read, and opens it again', async () => {
		const dir = temporaryDirectory();
		const keystore = openKeystore(dir, 'real', SMALL);
		const made = await keystore.create('main', bytes(PASSPHRASE));
		const path = join(dir, 'real', 'keys', 'main.json');
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(statSync(join(dir, 'real', 'keys')).mode & 0o777).toBe(0o700);
		expect(readdirSync(join(dir, 'real', 'keys'))).toEqual(['main.json']);
		expect(keystore.list()).toEqual([made]);
		const key = await openKeystore(dir, 'real').open('main', bytes(PASSPHRASE));
		expect(key.address.toLowerCase()).toBe(made.address);
	});

	test('imports a private key and a key file, and never overwrites a wallet', async () => {
		const keystore = openKeystore(temporaryDirectory(), 'real', SMALL);
		const row = await keystore.importKey('hex', bytes(` ${vectors[0]!.secret}\n`), bytes(PASSPHRASE));
		expect(row.address).toBe(address.toLowerCase());
		const small = vectors.at(-1)!;
		await keystore.importFile('file', JSON.stringify(small.file), bytes(small.password));
		expect((await keystore.open('file', bytes(small.password))).address).toBe(address);
		await expect(keystore.create('hex', bytes(PASSPHRASE))).rejects.toMatchObject({code: 'wallet-name'});
	});

	test.each([
		['a short passphrase', () => bytes('short'), vectors[0]!.secret, 'weak-passphrase'],
		['text that is no key', () => bytes(PASSPHRASE), `0x${'zz'.repeat(32)}`, 'bad-private-key'],
		['zero', () => bytes(PASSPHRASE), '0'.repeat(64), 'bad-private-key'],
		['a number past the order', () => bytes(PASSPHRASE), 'f'.repeat(64), 'bad-private-key'],
	])('refuses %s, without repeating it', async (_, passphrase, secret, code) => {
		const keystore = openKeystore(temporaryDirectory(), 'real', SMALL);
		const error = await keystore.importKey('w', bytes(secret), passphrase()).catch((e: unknown) => e);
		expect(error).toMatchObject({code});
		expect(JSON.stringify(explain(error)).includes(secret.slice(-20))).toBe(false);
		expect(keystore.list()).toEqual([]);
	});

	test('does not use a key file that others can read', async () => {
		const dir = temporaryDirectory();
		const keystore = openKeystore(dir, 'real', SMALL);
		await keystore.create('main', bytes(PASSPHRASE));
		chmodSync(join(dir, 'real', 'keys', 'main.json'), 0o644);
		expect(keystore.list()).toMatchObject([{isExposed: true}]);
		await expect(keystore.open('main', bytes(PASSPHRASE))).rejects.toMatchObject({code: 'key-file-exposed'});
	});

	test('lists a damaged file with what is wrong, beside the others', async () => {
		const dir = temporaryDirectory();
		const keystore = openKeystore(dir, 'real', SMALL);
		await keystore.create('good', bytes(PASSPHRASE));
		writeFileSync(join(dir, 'real', 'keys', 'bad.json'), '{"version":3', {mode: 0o600});
		mkdirSync(join(dir, 'real', 'keys', 'folder.json'));
		expect(keystore.list()).toMatchObject([{name: 'bad', problem: 'it is not JSON'}, {name: 'good'}]);
	});

	test('takes no name that leads out of its folder', async () => {
		const keystore = openKeystore(temporaryDirectory(), 'real', SMALL);
		for (const name of ['../x', 'a/b', '', '.hidden', 'x'.repeat(80)]) {
			await expect(keystore.create(name, bytes(PASSPHRASE))).rejects.toMatchObject({code: 'wallet-name'});
		}
	});

	test('refuses a file whose address is not the one of its key', async () => {
		const keystore = openKeystore(temporaryDirectory(), 'real', SMALL);
		const small = vectors.at(-1)!;
		const forged = {...small.file, address: '11'.repeat(20)};
		await expect(keystore.importFile('w', JSON.stringify(forged), bytes(small.password))).rejects.toMatchObject({
			code: 'bad-key-file',
		});
	});
});

describe('the wall between practice and real', () => {
	test('practice mode creates throw-away wallets that open without a passphrase', async () => {
		const keystore = openKeystore(temporaryDirectory(), 'practice');
		const row = await keystore.create('practice');
		expect((await keystore.open('practice')).address.toLowerCase()).toBe(row.address);
	});

	test('practice mode takes no key from elsewhere', async () => {
		const keystore = openKeystore(temporaryDirectory(), 'practice');
		await expect(keystore.importKey('w', bytes(vectors[0]!.secret), bytes(PASSPHRASE))).rejects.toThrow(PracticeWall);
		await expect(keystore.importFile('w', JSON.stringify(vectors[3]!.file), bytes('x'))).rejects.toThrow(PracticeWall);
	});

	test('a real key file carried into the practice folder is refused, with or without a seed beside it', async () => {
		const dir = temporaryDirectory();
		const secret = Buffer.from(vectors[0]!.secret.slice(2), 'hex');
		const file = await sealKey(secret, bytes('practice'), {address, cost: 1024});
		mkdirSync(join(dir, 'practice', 'keys'), {recursive: true});
		const put = (name: string, content: object) =>
			writeFileSync(join(dir, 'practice', 'keys', `${name}.json`), JSON.stringify(content), {mode: 0o600});
		put('plain', file);
		put('disguised', {...file, practiceSeed: 'ab'.repeat(32)});
		const keystore = openKeystore(dir, 'practice');
		await expect(keystore.open('plain')).rejects.toThrow(PracticeWall);
		await expect(keystore.open('disguised')).rejects.toThrow(PracticeWall);
	});

	test('a practice key is refused as a real one: carried over, stripped of its seed, or imported as hex', async () => {
		const dir = temporaryDirectory();
		const practice = openKeystore(dir, 'practice');
		await practice.create('practice');
		const real = openKeystore(dir, 'real', SMALL);
		await real.create('other', bytes(PASSPHRASE));
		const from = join(dir, 'practice', 'keys', 'practice.json');
		copyFileSync(from, join(dir, 'real', 'keys', 'carried.json'));
		const {practiceSeed, ...stripped} = JSON.parse(readFileSync(from, 'utf8'));
		expect(practiceSeed).toMatch(/^[0-9a-f]{64}$/);
		writeFileSync(join(dir, 'real', 'keys', 'stripped.json'), JSON.stringify(stripped), {mode: 0o600});
		await expect(real.open('carried', bytes('practice'))).rejects.toThrow(PracticeWall);
		await expect(real.open('stripped', bytes('practice'))).rejects.toThrow(PracticeWall);
		const key = await practice.open('practice');
		const hex = key.withSecret(secret => bytes(secret.toString('hex')));
		await expect(real.importKey('hex', hex, bytes(PASSPHRASE))).rejects.toThrow(PracticeWall);
	});

	test('a key that development nodes print is refused for real money', async () => {
		const keystore = openKeystore(temporaryDirectory(), 'real', SMALL);
		const wellKnown = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
		await expect(keystore.importKey('w', bytes(wellKnown), bytes(PASSPHRASE))).rejects.toThrow(PracticeWall);
	});
});
