import {setTimeout as sleep} from 'node:timers/promises';
import {PulsetopError} from '../../errors.ts';
import {readSequence} from '../../terminal/input/sequence.ts';
import {keyOfSequence} from '../../ui/keymap/sequence-keys.ts';

/** The user pressed Ctrl+C or Ctrl+D at a prompt. */
class Interrupted extends PulsetopError {
	readonly code = 'interrupted';

	constructor() {
		super('Cancelled', {
			why: 'nothing was signed or sent',
			next: 'fix-input',
			advice: 'Run the command again.',
		});
	}
}

/** Whether a person can read and answer prompts. Prompts go to stderr: stdout is for the result. */
export function isPersonThere(): boolean {
	return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

const MAX_BYTES = 1024;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Prompts for one line at the terminal. The terminal mode is always restored.
 * @param isHidden no echo; otherwise only printable ASCII is accepted
 * @returns the bytes without the line end; the caller wipes a secret
 * @throws Interrupted
 */
export async function askLine(question: string, {isHidden = false}: {isHidden?: boolean} = {}): Promise<Buffer> {
	const {stdin, stderr} = process;
	const line = new TypedLine({isHidden, show: text => stderr.write(text)});
	// Raw mode before the prompt, or the terminal would echo what is typed at once.
	const release = takeKeys();
	stderr.write(question);
	try {
		return await new Promise<Buffer>((resolve, reject) => {
			stdin.on('data', onData);
			stdin.once('end', () => reject(new Interrupted()));
			function onData(chunk: Buffer): void {
				const end = line.take(chunk);
				if (end === undefined) return;
				stdin.off('data', onData);
				if (end.kind === 'interrupt') {
					reject(new Interrupted());
					return;
				}
				// A new passphrase is prompted for twice, and may be pasted twice; visible input is never typed ahead.
				if (isHidden && end.rest.length > 0) {
					// While stdin flows, bytes that are put back would be lost.
					stdin.pause();
					stdin.unshift(Buffer.from(end.rest));
				}
				resolve(line.text());
			}
		});
	} finally {
		line.wipe();
		release();
		stderr.write('\n');
	}
}

/**
 * Asks for a text that confirms; what was typed before the question does not count.
 * @throws Interrupted
 */
export async function askText(question: string): Promise<string> {
	await discardTyped();
	return (await askLine(question)).toString('latin1');
}

/**
 * Discards typed text for a while, ms: input from before the prompt must not confirm anything.
 * @throws Interrupted
 */
async function discardTyped(ms = 300): Promise<void> {
	const release = takeKeys();
	const controller = new AbortController();
	const onData = (chunk: Buffer) => {
		if (chunk.includes(CTRL_C)) controller.abort();
	};
	process.stdin.on('data', onData);
	try {
		await sleep(ms, undefined, {signal: controller.signal}).catch(() => {
			throw new Interrupted();
		});
	} finally {
		process.stdin.off('data', onData);
		release();
	}
}

/** Puts the terminal into raw mode. A signal that ends the program restores it, too. @returns restores the mode */
function takeKeys(): () => void {
	const {stdin} = process;
	const restore = () => stdin.setRawMode(false);
	const onSignal = (signal: NodeJS.Signals) => {
		release();
		process.stderr.write('\n');
		process.kill(process.pid, signal);
	};
	function release(): void {
		for (const signal of ENDING_SIGNALS) process.off(signal, onSignal);
		process.off('exit', restore);
		restore();
		stdin.pause();
	}
	stdin.setRawMode(true);
	stdin.resume();
	process.once('exit', restore);
	for (const signal of ENDING_SIGNALS) process.once(signal, onSignal);
	return release;
}

const CTRL_C = 0x03;
const CTRL_D = 0x04;
const BACKSPACE = 0x08;
const LINE_FEED = 0x0a;
const RETURN = 0x0d;
const CTRL_U = 0x15;
const ESCAPE = 0x1b;
const DELETE = 0x7f;

/** How a line ended; `rest` is the text behind the line. */
export type LineEnd = {readonly kind: 'line'; readonly rest: Uint8Array} | {readonly kind: 'interrupt'};

/** The editor of a typed line: bytes in one buffer that can be wiped, never a string. */
export class TypedLine {
	readonly #bytes = Buffer.alloc(MAX_BYTES);
	readonly #isHidden: boolean;
	readonly #show: (text: string) => void;
	#length = 0;
	/** An unfinished escape sequence: an arrow key is not a part of a passphrase. */
	#sequence = '';

	constructor({isHidden, show}: {isHidden: boolean; show: (text: string) => void}) {
		this.#isHidden = isHidden;
		this.#show = show;
	}

	/** Adds a chunk to the line, and wipes the chunk. @returns undefined until the line ends */
	take(chunk: Buffer): LineEnd | undefined {
		try {
			for (const [at, byte] of chunk.entries()) {
				const end = this.#takeByte(byte);
				if (end !== undefined)
					return end === 'interrupt' ? {kind: end} : {kind: end, rest: Buffer.from(chunk.subarray(at + 1))};
			}
			return undefined;
		} finally {
			chunk.fill(0);
		}
	}

	#takeByte(byte: number): LineEnd['kind'] | undefined {
		if (this.#sequence !== '' || byte === ESCAPE) return this.#takeOfSequence(byte);
		if (byte === CTRL_C || (byte === CTRL_D && this.#length === 0)) return 'interrupt';
		if (byte === RETURN || byte === LINE_FEED) return 'line';
		this.#edit(byte);
		return undefined;
	}

	/** Skips escape sequences; one that is Ctrl+C interrupts as the control character does. */
	#takeOfSequence(byte: number): LineEnd['kind'] | undefined {
		this.#sequence += String.fromCharCode(byte);
		const read = readSequence(this.#sequence);
		if (read === undefined) return undefined;
		const rest = this.#sequence.slice(read.length);
		this.#sequence = '';
		if (keyOfSequence(read.sequence)?.name === 'ctrl+c') return 'interrupt';
		// A control key ends a sequence: Esc, then Enter, is Enter. Alt and a letter are no text.
		return rest !== '' && rest < ' ' ? this.#takeByte(rest.charCodeAt(0)) : undefined;
	}

	/** A copy of the line, for the caller to keep or wipe. */
	text(): Buffer {
		return Buffer.from(this.#bytes.subarray(0, this.#length));
	}

	wipe(): void {
		this.#bytes.fill(0);
		this.#sequence = '';
		this.#length = 0;
	}

	#edit(byte: number): void {
		if (byte === BACKSPACE || byte === DELETE) this.#removeLast();
		else if (byte === CTRL_U) while (this.#length > 0) this.#removeLast();
		else if (byte < 0x20 || this.#length === MAX_BYTES || (!this.#isHidden && byte > 0x7e)) return;
		else {
			this.#bytes[this.#length++] = byte;
			if (!this.#isHidden) this.#show(String.fromCharCode(byte));
		}
	}

	/** Removes the last character, which may have several bytes. */
	#removeLast(): void {
		if (this.#length === 0) return;
		let last: number;
		do {
			last = this.#bytes[--this.#length]!;
			this.#bytes[this.#length] = 0;
		} while ((last & 0xc0) === 0x80 && this.#length > 0);
		if (!this.#isHidden) this.#show('\b \b');
	}
}
