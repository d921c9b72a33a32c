import {createHash, randomBytes} from 'node:crypto';
import {join} from 'node:path';
import {PulsetopError} from '../errors.ts';
import type {KeyFile} from './keystore-v3.ts';
import {readIfPresent, withFileLock, writePrivateFile} from './private-files.ts';

/** In which world keys act: throw-away ones on the embedded service's chains, real ones elsewhere. */
export type WalletMode = 'practice' | 'real';

/*
 * The wall between the two. The chain ids are the same in both worlds, so what is signed for a practice chain is valid on
 * the real one. A practice key therefore PROVES that it is one: it follows from a seed that lies beside it, so a real key
 * cannot be passed off as a practice key. And every practice address is remembered, so a practice key is refused as a real
 * one wherever its file is carried.
 */

/** A key of one world was about to act in the other. */
export class PracticeWall extends PulsetopError {
	readonly code = 'practice-wall';

	constructor(what: string, why: string) {
		super(what, {why, next: 'fix-input', advice: 'Use another wallet: practice and real money never mix.'});
	}
}

/** What opens practice key files: they hold nothing worth hiding. A fresh copy, for it is wiped after use. */
export function practicePassphrase(): Buffer {
	return Buffer.from('practice');
}

/** Practice files need not resist guessing. */
export const PRACTICE_SCRYPT_COST = 4096;

/** A new practice key and the seed that proves what it is. */
export function makePracticeKey(): {secret: Buffer; seed: string} {
	const seed = randomBytes(32);
	return {secret: practiceKeyOf(seed), seed: seed.toString('hex')};
}

function practiceKeyOf(seed: Uint8Array): Buffer {
	return createHash('sha256').update('pulsetop practice wallet\n').update(seed).digest();
}

/** Whether a key follows from the seed of its file. */
export function isProvenPractice(file: KeyFile, secret: Uint8Array): boolean {
	if (file.practiceSeed === undefined) return false;
	return practiceKeyOf(Buffer.from(file.practiceSeed, 'hex')).equals(secret);
}

/** Accounts whose keys the whole world knows, because development nodes print them: lower case. */
const WELL_KNOWN: ReadonlySet<string> = new Set([
	'0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
	'0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
	'0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
	'0x90f79bf6eb2c4f870365e785982e1f101e93b906',
	'0x15d34aaf54267db7d7c367839aaf71a00a2c6a65',
	'0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc',
	'0x976ea74026e726554db657fa54763abd0c3a0aa9',
	'0x14dc79964da2c08b23698b3d3cc7ca32193d9955',
	'0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f',
	'0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
]);

/** The practice addresses that were ever made under a data directory. */
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
 * Refuses a key in the wrong world.
 * @param isProven see isProvenPractice
 * @throws PracticeWall
 */
export function assertRightWorld(
	mode: WalletMode,
	key: {readonly address: string; readonly isProven: boolean},
	register: PracticeRegister,
): void {
	const isPublic = WELL_KNOWN.has(key.address.toLowerCase());
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
