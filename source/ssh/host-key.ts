import {readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import keygen from 'ssh2/lib/keygen.js';
import keyParser from 'ssh2/lib/protocol/keyParser.js';
import {PulsetopError} from '../errors.ts';
import {makeDirectory} from '../make-directory.ts';
import {fingerprintOf} from './public-key.ts';

/** The key by which clients know the server again. */
export interface HostKey {
	/** The private key, as OpenSSH writes it. */
	readonly text: string;
	/** The fingerprint of the public key: `SHA256:…`. */
	readonly fingerprint: string;
}

/** A host key can't be used. */
class HostKeyUnusable extends PulsetopError {
	readonly code = 'host-key-unusable';

	constructor(path: string, why: string, cause?: unknown) {
		super(`The host key ${path} can't be used`, {
			why,
			next: 'fix-input',
			advice: 'Make one with: ssh-keygen -t ed25519 -N "" -f FILE',
			cause,
		});
	}
}

/** Reads a private host key. @param path where it came from, for errors @throws HostKeyUnusable */
export function readHostKey(text: string, path: string): HostKey {
	const key = keyParser.parseKey(text);
	if (key instanceof Error)
		throw new HostKeyUnusable(path, 'it is no private key of OpenSSH without a passphrase', key);
	if (!key.isPrivateKey()) throw new HostKeyUnusable(path, 'it is a public key');
	return {text, fingerprint: fingerprintOf(key.getPublicSSH())};
}

/** The library makes keys that it can't read itself, 8 of 3,000 (measured). */
const MAX_ATTEMPTS = 10;

/**
 * The host key of a data directory, made at the first start (mode 600): clients warn when it changes.
 * @throws HostKeyUnusable, or the error of the file system
 */
export function ownHostKey(dataDir: string): HostKey {
	const path = join(dataDir, 'ssh', 'host_ed25519');
	makeDirectory(dirname(path));
	try {
		writeFileSync(path, makeKey(), {flag: 'wx', mode: 0o600});
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
	}
	return readHostKey(readFileSync(path, 'utf8'), path);
}

/** Makes a private key of ed25519, as OpenSSH writes it. */
export function makeKey(): string {
	for (let attempt = 1; ; attempt++) {
		const {private: text} = keygen.generateKeyPairSync('ed25519', {comment: 'pulsetop'});
		const isReadable = !(keyParser.parseKey(text) instanceof Error);
		if (isReadable || attempt === MAX_ATTEMPTS) return text;
	}
}
