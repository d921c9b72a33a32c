import type {Capabilities} from './capabilities.ts';
import type {TerminalStream} from './output.ts';

/** The part of the keyboard's stream that a screen needs: that of `process.stdin`, or of an SSH channel. */
export interface TerminalInput {
	readonly isTTY?: boolean | undefined;
	setEncoding(encoding: 'utf8'): unknown;
	/** A channel has no raw mode: the typed text comes as it is. */
	setRawMode?(isRaw: boolean): unknown;
	on(event: 'data', listener: (chunk: string) => void): unknown;
	off(event: 'data', listener: (chunk: string) => void): unknown;
	resume(): unknown;
	pause(): unknown;
}

/** The terminal of one person: its keyboard, the output of frames, and its capabilities. */
export interface Terminal {
	readonly input: TerminalInput;
	readonly output: TerminalStream;
	readonly capabilities: Capabilities;
}

/** The terminal that this process was started on: the one reader of the process's streams. */
export function localTerminal(capabilities: Capabilities): Terminal & {readonly input: NodeJS.ReadStream} {
	return {input: process.stdin, output: process.stdout, capabilities};
}
