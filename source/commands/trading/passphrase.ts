import {read} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {isatty} from 'node:tty';
import {promisify} from 'node:util';
import {PulsetopError} from '../../errors.ts';
import {MIN_PASSPHRASE_BYTES} from '../../trading/keystore.ts';
import type {Flags} from '../line/flags.ts';
import {UsageError} from '../line/usage-error.ts';
import {askLine, isPersonThere} from './passphrase-prompt.ts';

/** The two entries of a new passphrase differ. */
class PassphrasesDiffer extends PulsetopError {
	readonly code = 'passphrases-differ';

	constructor() {
		super('The two passphrases are not the same', {
			why: 'the wallet was not created',
			next: 'fix-input',
			advice: 'Start again and type the same passphrase twice.',
		});
	}
}

/** A file descriptor has more bytes than any key or passphrase. */
class SecretTooLong extends PulsetopError {
	readonly code = 'secret-too-long';

	constructor(flag: string, maxBytes: number) {
		super('The secret is too long', {why: `--${flag} takes at most ${maxBytes} bytes`, next: 'fix-input'});
	}
}

const MAX_PASSPHRASE_BYTES = 1024;

/**
 * Reads the passphrase of a wallet: the first line of `--passphrase-fd N`, or typed at the terminal without echo.
 * @param wallet its name, for the prompt
 * @param isNew whether the wallet is new: then the passphrase is typed twice, in up to three attempts
 * @returns UTF-8 bytes; the caller wipes them
 * @throws UsageError without the flag and without a terminal; PassphrasesDiffer, Interrupted
 */
export async function readPassphrase(flags: Flags, wallet: string, {isNew = false} = {}): Promise<Buffer> {
	const given = await secretFromFd(flags, 'passphrase-fd', {until: 'line', maxBytes: MAX_PASSPHRASE_BYTES});
	if (given !== undefined) return passphraseOf(given);
	if (!isPersonThere()) {
		throw new UsageError(
			'There is no terminal to ask for the passphrase',
			'Give --passphrase-fd N and the passphrase on that file descriptor.',
		);
	}
	return isNew ? newPassphrase(wallet) : askPassphrase(wallet);
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The bytes that a person meant: an editor may have put a byte order mark before them. Blanks stay: a typed passphrase keeps
 * them too.
 * @throws UsageError for UTF-16 and other bytes with a NUL in them, which nobody could type
 */
function passphraseOf(line: Buffer): Buffer {
	const isUtf16 = line[0] === 0xff && line[1] === 0xfe;
	if (isUtf16 || line.includes(0)) {
		line.fill(0);
		throw new UsageError(
			'The passphrase of --passphrase-fd is not UTF-8',
			'It has a NUL in it, as UTF-16 and binary files have: write the file as UTF-8.',
		);
	}
	return line.subarray(0, 3).equals(BYTE_ORDER_MARK) ? line.subarray(3) : line;
}

/** Asks for the passphrase of a wallet at the terminal, without echo. @throws Interrupted */
export function askPassphrase(wallet: string): Promise<Buffer> {
	return askLine(`Passphrase of ${wallet}: `, {isHidden: true});
}

const MAX_ATTEMPTS = 3;

/** Prompts for a new passphrase twice, in up to three attempts. @throws PassphrasesDiffer, Interrupted */
async function newPassphrase(wallet: string): Promise<Buffer> {
	process.stderr.write(
		`A passphrase needs at least ${MIN_PASSPHRASE_BYTES} characters. It cannot be recovered: without it the key is lost.\n`,
	);
	for (let attempt = 1; ; attempt++) {
		const first = await askLine(`New passphrase for ${wallet}: `, {isHidden: true});
		const isLong = first.length >= MIN_PASSPHRASE_BYTES;
		// After the last attempt the keystore refuses a short passphrase.
		if (!isLong && attempt === MAX_ATTEMPTS) return first;
		if (isLong) {
			const second = await askLine('Repeat passphrase: ', {isHidden: true});
			const isSame = first.equals(second);
			second.fill(0);
			if (isSame) return first;
		}
		first.fill(0);
		if (attempt === MAX_ATTEMPTS) throw new PassphrasesDiffer();
		process.stderr.write(isLong ? 'The two are not the same. Try again.\n' : 'That is too short. Try again.\n');
	}
}

/**
 * Reads a secret from the file descriptor of a flag; undefined without the flag.
 * @param until where to stop: the first line end (not included) or the end of the file
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
			isatty(fd) ? 'It is the terminal: leave the flag out to be prompted without echo.' : 'It is for output.',
		);
	}
	const buffer = Buffer.alloc(maxBytes + 1);
	let length = 0;
	try {
		while (length <= maxBytes) {
			const count = await readSome(fd, buffer, length, flag);
			length += count;
			const end = until === 'line' ? buffer.subarray(0, length).indexOf(0x0a) : -1;
			if (end >= 0) return copyOfLine(buffer.subarray(0, end));
			if (count === 0) return until === 'line' ? copyOfLine(buffer.subarray(0, length)) : copyOf(buffer, length);
		}
		throw new SecretTooLong(flag, maxBytes);
	} finally {
		buffer.fill(0);
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
			// A non-blocking pipe is still empty.
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
