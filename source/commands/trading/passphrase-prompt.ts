import {setTimeout as sleep} from 'node:timers/promises';
import {PulsetopError} from '../../errors.ts';

/** The person pressed Ctrl+C, or Ctrl+D, in place of an answer. */
class Interrupted extends PulsetopError {
	readonly code = 'interrupted';

	constructor() {
		super('It was broken off', {
			why: 'nothing was signed or sent',
			next: 'fix-input',
			advice: 'Start it again to go on.',
		});
	}
}

/** Whether there is a person who can read a question and answer it. Questions go to stderr: stdout stays for the result. */
export function isPersonThere(): boolean {
	return Boolean(process.stdin.isTTY && process.stderr.isTTY);
}

const MAX_BYTES = 1024;
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Asks the person at the terminal for one line. The terminal is given back whatever happens.
 * @param isHidden nothing of it is shown; otherwise only printable ASCII is taken
 * @returns the bytes without the line's end; the caller wipes what is secret
 * @throws Interrupted
 */
export async function askLine(question: string, {isHidden = false}: {isHidden?: boolean} = {}): Promise<Buffer> {
	const {stdin, stderr} = process;
	const line = new TypedLine({isHidden, show: text => stderr.write(text)});
	// Raw before the question is there, or what is typed at once would be shown by the terminal itself.
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
				// A new passphrase is asked for twice, and may be pasted twice; an answer that is shown is never typed ahead.
				if (isHidden && end.rest.length > 0) {
					// While it flows, what is put back would go to nobody.
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
 * Throws away what is typed for a while: an answer that was typed before its question was in sight is none.
 * @throws Interrupted
 */
export async function discardTyped(ms = 300): Promise<void> {
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

/** Puts the terminal into raw mode; gives what takes it out again. A signal that ends the program does so too. */
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

/** How a line ended; `rest` was typed after it. */
export type LineEnd = {readonly kind: 'line'; readonly rest: Uint8Array} | {readonly kind: 'interrupt'};

/** A line while it is typed: bytes in one buffer that can be wiped, never text. */
export class TypedLine {
	readonly #bytes = Buffer.alloc(MAX_BYTES);
	readonly #isHidden: boolean;
	readonly #show: (text: string) => void;
	#length = 0;
	/** Inside an escape sequence: what an arrow key sends is no part of a passphrase. */
	#escape: 'none' | 'begun' | 'inside' = 'none';

	constructor({isHidden, show}: {isHidden: boolean; show: (text: string) => void}) {
		this.#isHidden = isHidden;
		this.#show = show;
	}

	/** Takes in what was read, and wipes it. Undefined while the line goes on. */
	take(chunk: Buffer): LineEnd | undefined {
		try {
			for (const [at, byte] of chunk.entries()) {
				if (this.#skips(byte)) continue;
				if (byte === CTRL_C || (byte === CTRL_D && this.#length === 0)) return {kind: 'interrupt'};
				if (byte === RETURN || byte === LINE_FEED) return {kind: 'line', rest: Buffer.from(chunk.subarray(at + 1))};
				this.#edit(byte);
			}
			return undefined;
		} finally {
			chunk.fill(0);
		}
	}

	/** A copy of the line, for the caller to keep or wipe. */
	text(): Buffer {
		return Buffer.from(this.#bytes.subarray(0, this.#length));
	}

	wipe(): void {
		this.#bytes.fill(0);
		this.#length = 0;
	}

	#skips(byte: number): boolean {
		// Keys that control are never part of a sequence: Esc, then Enter, is Enter.
		if (byte === ESCAPE || byte < 0x20) {
			this.#escape = byte === ESCAPE ? 'begun' : 'none';
			return byte === ESCAPE;
		}
		const before = this.#escape;
		if (before === 'begun') this.#escape = byte === 0x5b || byte === 0x4f ? 'inside' : 'none';
		else if (before === 'inside' && byte >= 0x40 && byte <= 0x7e) this.#escape = 'none';
		return before !== 'none';
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

	/** Takes the last character away, which may have several bytes. */
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
