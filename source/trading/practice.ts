import {createHash, randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {DEVELOPMENT_ACCOUNTS} from '../development-accounts.ts';
import {PulsetopError} from '../errors.ts';
import type {KeyFile} from './keystore-v3.ts';
import {readIfPresent, withFileLock, writePrivateFile} from './private-files.ts';

/** `practice`: throw-away keys on the chains of the embedded service. `real`: keys of real money, on any other service. */
export type WalletMode = 'practice' | 'real';

/*
 * Keeps practice and real keys apart. Practice chains have the chain ids of the real ones, so a signature for a practice
 * chain is valid on the real chain. A practice key is derived from a seed that its key file contains: a real key cannot
 * pass for a practice key. Every practice address is recorded: a practice key is refused in real mode, whichever key file
 * it is in.
 */

/** A key was about to act in the other mode. */
export class PracticeWall extends PulsetopError {
	readonly code = 'practice-wall';

	constructor(what: string, why: string) {
		super(what, {why, next: 'fix-input', advice: 'Use another wallet: practice and real money never mix.'});
	}
}

/** The passphrase of practice key files, which protect nothing. A new copy for each caller: callers wipe it after use. */
export function practicePassphrase(): Buffer {
	return Buffer.from('practice');
}

/** scrypt's N for practice key files, which need not resist guessing. */
export const PRACTICE_SCRYPT_COST = 4096;

/** A new practice key, and the seed from which it is derived. */
export function makePracticeKey(): {secret: Buffer; seed: string} {
	const seed = randomBytes(32);
	return {secret: practiceKeyOf(seed), seed: seed.toString('hex')};
}

function practiceKeyOf(seed: Uint8Array): Buffer {
	return createHash('sha256').update('pulsetop practice wallet\n').update(seed).digest();
}

/** Whether a key is derived from the seed of its key file. */
export function isProvenPractice(file: KeyFile, secret: Uint8Array): boolean {
	if (file.practiceSeed === undefined) return false;
	return practiceKeyOf(Buffer.from(file.practiceSeed, 'hex')).equals(secret);
}

/** All practice addresses ever made under a data directory. */
export interface PracticeRegister {
	has(address: string): boolean;
	/** Durable when it returns. */
	add(address: string): void;
}

/** @param tradingDir where the folders of both modes lie */
export function openPracticeRegister(tradingDir: string): PracticeRegister {
	const path = join(tradingDir, 'practice-addresses.txt');
	const read = () => new Set((readIfPresent(path) ?? '').split('\n').filter(line => line !== ''));
	return {
		has: address => read().has(address.toLowerCase()),
		add(address) {
			withFileLock(path, 'list of practice addresses', () => {
				const all = read().add(address.toLowerCase());
				writePrivateFile(path, `${[...all].join('\n')}\n`);
			});
		},
	};
}

/**
 * Refuses a key in the wrong mode.
 * @param isProven see isProvenPractice
 * @throws PracticeWall
 */
export function assertRightWorld(
	mode: WalletMode,
	key: {readonly address: string; readonly isProven: boolean},
	register: PracticeRegister,
): void {
	const isPublic = DEVELOPMENT_ACCOUNTS.has(key.address.toLowerCase());
	if (mode === 'practice') {
		if (key.isProven && !isPublic) return;
		throw new PracticeWall(
			'A real key was given in practice mode',
			`${key.address} was not made for practice, and what it signs here is valid on the real chain too`,
		);
	}
	if (isPublic) {
		throw new PracticeWall('A practice key was given for real money', `everybody knows the key of ${key.address}`);
	}
	if (key.isProven || register.has(key.address)) {
		throw new PracticeWall('A practice key was given for real money', `${key.address} was made for practice`);
	}
}
