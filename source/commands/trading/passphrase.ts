import {read} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {isatty} from 'node:tty';
import {promisify} from 'node:util';
import {PulsetopError} from '../../errors.ts';
import {MIN_PASSPHRASE_BYTES} from '../../trading/keystore.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {askLine, isPersonThere} from './passphrase-prompt.ts';

/** A new passphrase was typed twice, and not the same. */
class PassphrasesDiffer extends PulsetopError {
	readonly code = 'passphrases-differ';

	constructor() {
		super('The two passphrases are not the same', {
			why: 'the wallet was not made',
			next: 'fix-input',
			advice: 'Start again and type the same passphrase twice.',
		});
	}
}

/** More came through a file descriptor than any key or passphrase has. */
class SecretTooLong extends PulsetopError {
	readonly code = 'secret-too-long';

	constructor(flag: string, maxBytes: number) {
		super('What came is too long', {why: `--${flag} takes at most ${maxBytes} bytes`, next: 'fix-input'});
	}
}

const MAX_PASSPHRASE_BYTES = 1024;

/**
 * The passphrase that opens a wallet: the first line of `--passphrase-fd N`, or typed at the terminal, unseen.
 * @param wallet its name, for the question
 * @param isNew the wallet is about to be made: it is asked for twice, up to three times
 * @returns UTF-8 bytes; the caller wipes them
 * @throws UsageError when there is neither; PassphrasesDiffer, Interrupted
 */
export async function readPassphrase(flags: Flags, wallet: string, {isNew = false} = {}): Promise<Buffer> {
	const given = await secretFromFd(flags, 'passphrase-fd', {until: 'line', maxBytes: MAX_PASSPHRASE_BYTES});
	if (given !== undefined) return given;
	if (!isPersonThere()) {
		throw new UsageError(
			'There is nobody to ask for the passphrase',
			'Without a terminal, give --passphrase-fd N and the passphrase on that file descriptor.',
		);
	}
	return isNew ? newPassphrase(wallet) : askLine(`Passphrase of ${wallet}: `, {isHidden: true});
}

const TRIES = 3;

/** Asks for a new passphrase twice, up to three times. @throws PassphrasesDiffer, Interrupted */
async function newPassphrase(wallet: string): Promise<Buffer> {
	process.stderr.write(
		`A passphrase needs at least ${MIN_PASSPHRASE_BYTES} characters. Nobody can recover it: without it the key is lost.\n`,
	);
	for (let tries = 1; ; tries++) {
		const first = await askLine(`New passphrase for ${wallet}: `, {isHidden: true});
		const isLong = first.length >= MIN_PASSPHRASE_BYTES;
		// What is too short is refused by who makes the wallet, if it is so to the last.
		if (!isLong && tries === TRIES) return first;
		if (isLong) {
			const second = await askLine('Repeat passphrase: ', {isHidden: true});
			const isSame = first.equals(second);
			second.fill(0);
			if (isSame) return first;
		}
		first.fill(0);
		if (tries === TRIES) throw new PassphrasesDiffer();
		process.stderr.write(isLong ? 'The two are not the same. Once more.\n' : 'That is too short. Once more.\n');
	}
}

/**
 * What stands on the file descriptor that a flag names; undefined without the flag.
 * @param until the end of the first line, which is left out, or the end of all
 * @returns bytes; the caller wipes them
 * @throws UsageError for a descriptor that is not open or a terminal, SecretTooLong
 */
export async function secretFromFd(
	flags: Flags,
	flag: 'passphrase-fd' | 'key-fd' | 'secret-fd',
	{until, maxBytes}: {until: 'line' | 'end'; maxBytes: number},
): Promise<Buffer | undefined> {
	const fd = flags.wholeNumber(flag, {from: 0, to: 1023});
	if (fd === undefined) return undefined;
	if (fd === 1 || fd === 2 || isatty(fd)) {
		throw new UsageError(
			`--${flag} ${fd} cannot be read from`,
			isatty(fd) ? 'It is the terminal: leave the flag out, and you are asked unseen.' : 'It is for output.',
		);
	}
	const held = Buffer.alloc(maxBytes + 1);
	let length = 0;
	try {
		while (length <= maxBytes) {
			const count = await readSome(fd, held, length, flag);
			length += count;
			const end = until === 'line' ? held.subarray(0, length).indexOf(0x0a) : -1;
			if (end >= 0) return copyOfLine(held.subarray(0, end));
			if (count === 0) return until === 'line' ? copyOfLine(held.subarray(0, length)) : copyOf(held, length);
		}
		throw new SecretTooLong(flag, maxBytes);
	} finally {
		held.fill(0);
	}
}

const readFd = promisify(read);

async function readSome(fd: number, into: Buffer, at: number, flag: string): Promise<number> {
	for (;;) {
		try {
			const {bytesRead} = await readFd(fd, into, at, into.length - at, null);
			return bytesRead;
		} catch (error) {
			const {code} = error as NodeJS.ErrnoException;
			if (code === 'EOF') return 0;
			if (code !== 'EAGAIN') throw new UsageError(`--${flag} ${fd} cannot be read from`, `It is not open for reading.`);
			// A pipe that does not block, and nothing in it yet.
			await sleep(10);
		}
	}
}

function copyOfLine(line: Uint8Array): Buffer {
	return copyOf(line, line.at(-1) === 0x0d ? line.length - 1 : line.length);
}

function copyOf(bytes: Uint8Array, length: number): Buffer {
	return Buffer.from(bytes.subarray(0, length));
}
