import {randomBytes} from 'node:crypto';
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import type {Address} from 'viem';
import {PulsetopError} from '../errors.ts';
import {plainText, whyNoPrivateKey} from './key-text.ts';
import {BadKeyFile, deriveOpener, type KeyFile, parseKeyFile, SCRYPT_COST, sealKey, withKey} from './keystore-v3.ts';
import {
	assertRightWorld,
	isProvenPractice,
	makePracticeKey,
	openPracticeRegister,
	PRACTICE_SCRYPT_COST,
	type PracticeRegister,
	PracticeWall,
	practicePassphrase,
	type WalletMode,
} from './practice.ts';
import {isExposed, readIfPresent, withFileLock, writePrivateFile} from './private-files.ts';
import {addressOfKey, isPrivateKey} from './secp256k1.ts';

/** There is no wallet of this name, or one already. */
export class WalletName extends PulsetopError {
	readonly code = 'wallet-name';

	constructor(what: string, why: string) {
		super(what, {why, next: 'fix-input'});
	}
}

/** A key file that others on this machine can read. */
export class KeyFileExposed extends PulsetopError {
	readonly code = 'key-file-exposed';

	constructor(name: string) {
		super('Others on this machine may read the key file', {
			why: `the file of ${name} must be yours alone`,
			next: 'fix-input',
			advice: 'Close it with chmod 600; others may have copied it.',
		});
	}
}

/** Text that is not a private key. The message never holds it. */
class BadPrivateKey extends PulsetopError {
	readonly code = 'bad-private-key';

	constructor(text: Uint8Array) {
		super('This is not a private key', {...whyNoPrivateKey(text), next: 'fix-input'});
	}
}

/** A passphrase too short to keep anything. */
class WeakPassphrase extends PulsetopError {
	readonly code = 'weak-passphrase';

	constructor() {
		super('The passphrase is too short', {
			why: `it must have at least ${MIN_PASSPHRASE_BYTES} bytes`,
			next: 'fix-input',
		});
	}
}

/** The fewest bytes of UTF-8 that a new passphrase has. */
export const MIN_PASSPHRASE_BYTES = 8;

/** A wallet in a listing: no secrets. */
export interface WalletRow {
	readonly name: string;
	/** Undefined when the file does not say, or cannot be read. */
	readonly address?: Address;
	readonly mode: WalletMode;
	/** Others may read the file. */
	readonly isExposed: boolean;
	/** Why the file cannot be used. */
	readonly problem?: string;
}

/** An opened key file: the key stays encrypted, and its derived key is in memory until `wipe`. */
export interface OpenedKey {
	readonly name: string;
	readonly address: Address;
	/** Passes the private key to `use` for one call, then wipes it. */
	withSecret<T>(use: (secret: Buffer) => T): T;
	wipe(): void;
}

export interface Keystore {
	readonly mode: WalletMode;
	list(): readonly WalletRow[];
	/** A new key. Practice wallets need no passphrase. @throws WalletName, WeakPassphrase */
	create(name: string, passphrase?: Uint8Array): Promise<WalletRow>;
	/** @param secretHex the private key as bytes of hex text, wiped by the caller; never in practice mode */
	importKey(name: string, secretHex: Uint8Array, passphrase: Uint8Array): Promise<WalletRow>;
	/** A key file of another program; it stays under the passphrase that it has. */
	importFile(name: string, fileText: string, passphrase: Uint8Array): Promise<WalletRow>;
	/** @throws WrongPassphrase, WalletName, KeyFileExposed, BadKeyFile, PracticeWall */
	open(name: string, passphrase?: Uint8Array): Promise<OpenedKey>;
}

/**
 * The wallets of one mode.
 * @param tradingDir the folders of both modes lie in it; files are 0600 in 0700
 * @param cost scrypt's N for new files; tests take a small one
 */
export function openKeystore(
	tradingDir: string,
	mode: WalletMode,
	{cost = SCRYPT_COST}: {cost?: number} = {},
): Keystore {
	return new DirectoryKeystore(tradingDir, mode, cost);
}

class DirectoryKeystore implements Keystore {
	readonly mode: WalletMode;
	readonly #directory: string;
	readonly #register: PracticeRegister;
	readonly #cost: number;

	constructor(tradingDir: string, mode: WalletMode, cost: number) {
		this.mode = mode;
		this.#directory = join(tradingDir, mode, 'keys');
		this.#register = openPracticeRegister(tradingDir);
		this.#cost = mode === 'practice' ? Math.min(cost, PRACTICE_SCRYPT_COST) : cost;
	}

	list(): readonly WalletRow[] {
		if (!existsSync(this.#directory)) return [];
		// A folder may have such a name, too.
		const files = readdirSync(this.#directory, {withFileTypes: true})
			.filter(file => file.name.endsWith('.json') && !file.isDirectory())
			.map(({name}) => name);
		return files.toSorted().map(file => this.#row(file.slice(0, -'.json'.length)));
	}

	async create(name: string, passphrase?: Uint8Array): Promise<WalletRow> {
		if (this.mode === 'practice') {
			const {secret, seed} = makePracticeKey();
			return this.#store(name, secret, practicePassphrase(), seed);
		}
		let secret = randomBytes(32);
		while (!isPrivateKey(secret)) secret = randomBytes(32);
		return this.#store(name, secret, strong(passphrase));
	}

	async importKey(name: string, secretHex: Uint8Array, passphrase: Uint8Array): Promise<WalletRow> {
		this.#assertMayImport();
		const text = plainText(secretHex);
		const secret = bytesOfHex(text);
		try {
			if (!secret || !isPrivateKey(secret)) {
				secret?.fill(0);
				throw new BadPrivateKey(text);
			}
		} finally {
			text.fill(0);
		}
		return this.#store(name, secret, strong(passphrase));
	}

	async importFile(name: string, fileText: string, passphrase: Uint8Array): Promise<WalletRow> {
		this.#assertMayImport();
		const file = parseKeyFile(fileText);
		const opened = await openFile(name, file, passphrase);
		try {
			assertRightWorld(this.mode, opened, this.#register);
		} finally {
			opened.key.wipe();
		}
		return this.#write(name, {...file, address: opened.address.slice(2).toLowerCase()});
	}

	async open(name: string, passphrase?: Uint8Array): Promise<OpenedKey> {
		const path = this.#pathOf(name);
		const text = readIfPresent(path);
		if (text === undefined)
			throw new WalletName('There is no such wallet', `no wallet in ${this.mode} mode is called ${name}`);
		if (isExposed(path)) throw new KeyFileExposed(name);
		const file = parseKeyFile(text);
		const phrase = this.mode === 'practice' ? practicePassphrase() : (passphrase ?? new Uint8Array());
		const opened = await openFile(name, file, phrase);
		try {
			assertRightWorld(this.mode, opened, this.#register);
		} catch (error) {
			opened.key.wipe();
			throw error;
		}
		return opened.key;
	}

	#assertMayImport(): void {
		if (this.mode === 'real') return;
		throw new PracticeWall('Practice mode takes no keys from elsewhere', 'it makes throw-away keys of its own');
	}

	/** Seals and stores a key, and wipes it and the passphrase's copy. */
	async #store(name: string, secret: Buffer, passphrase: Uint8Array, seed?: string): Promise<WalletRow> {
		try {
			const address = await addressOfKey(secret);
			// Remembered before the file is there: a crash in between leaves an address too many, never one too few.
			if (seed !== undefined) this.#register.add(address);
			assertRightWorld(this.mode, {address, isProven: seed !== undefined}, this.#register);
			const file = await sealKey(secret, passphrase, {address, cost: this.#cost});
			return this.#write(name, seed === undefined ? file : {...file, practiceSeed: seed});
		} finally {
			secret.fill(0);
		}
	}

	#write(name: string, file: KeyFile): WalletRow {
		const path = this.#pathOf(name);
		withFileLock(path, 'key file', () => {
			if (existsSync(path)) throw new WalletName('There is a wallet of this name already', `${name} is taken`);
			writePrivateFile(path, `${JSON.stringify(file)}\n`);
		});
		return this.#row(name);
	}

	#row(name: string): WalletRow {
		const path = this.#pathOf(name);
		const row = {name, mode: this.mode, isExposed: isExposed(path)};
		try {
			const {address} = parseKeyFile(readIfPresent(path) ?? '');
			return address === undefined ? row : {...row, address: `0x${address}`};
		} catch (error) {
			if (!(error instanceof BadKeyFile)) throw error;
			return {...row, problem: error.why};
		}
	}

	#pathOf(name: string): string {
		if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(name)) {
			throw new WalletName(
				'This cannot be the name of a wallet',
				'letters, digits, dots, - and _ are allowed, 63 at most',
			);
		}
		return join(this.#directory, `${name}.json`);
	}
}

function strong(passphrase: Uint8Array | undefined): Uint8Array {
	if (passphrase === undefined || passphrase.length < MIN_PASSPHRASE_BYTES) throw new WeakPassphrase();
	return passphrase;
}

/** The 32 bytes that ASCII hex spells, with or without 0x; never as text, which could not be wiped. */
function bytesOfHex(hex: Uint8Array): Buffer | undefined {
	const digits = hex[0] === 0x30 && (hex[1] === 0x78 || hex[1] === 0x58) ? hex.subarray(2) : hex;
	if (digits.length !== 64) return undefined;
	const bytes = Buffer.alloc(32);
	for (let i = 0; i < 32; i++) {
		const [high, low] = [nibble(digits[i * 2]!), nibble(digits[i * 2 + 1]!)];
		if (high === undefined || low === undefined) {
			bytes.fill(0);
			return undefined;
		}
		bytes[i] = (high << 4) | low;
	}
	return bytes;
}

function nibble(code: number): number | undefined {
	if (code >= 0x30 && code <= 0x39) return code - 0x30;
	const letter = code | 0x20;
	return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined;
}

async function openFile(
	name: string,
	file: KeyFile,
	passphrase: Uint8Array,
): Promise<{key: OpenedKey; address: Address; isProven: boolean}> {
	const opener = await deriveOpener(file, passphrase);
	const secret = withKey(file, opener, key => Buffer.from(key));
	try {
		if (!isPrivateKey(secret)) throw new BadKeyFile('what it holds is no private key');
		const address = await addressOfKey(secret);
		if (file.address !== undefined && file.address !== address.slice(2).toLowerCase()) {
			throw new BadKeyFile('the address that it names is not the one of its key');
		}
		let isWiped = false;
		const key: OpenedKey = {
			name,
			address,
			withSecret(use) {
				// A wiped opener would open the file to a wrong key, and sign with it.
				if (isWiped) throw new Error('the key was used after it was wiped');
				return withKey(file, opener, use);
			},
			wipe() {
				isWiped = true;
				opener.fill(0);
			},
		};
		return {key, address, isProven: isProvenPractice(file, secret)};
	} catch (error) {
		opener.fill(0);
		throw error;
	} finally {
		secret.fill(0);
	}
}
