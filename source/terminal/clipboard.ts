import {spawn} from 'node:child_process';
import type {Capabilities} from './capabilities.ts';
import {passThrough} from './passthrough.ts';

/** Base64 characters that every terminal with OSC 52 takes. */
const MAX_ENCODED = 74_994;
const TMUX_LIMIT_MS = 1000;

/**
 * How a copy was sent. `sent` does not mean that the terminal allowed it: OSC 52 has no response.
 * - osc52: to the terminal itself, however far away it is
 * - tmux: through `tmux load-buffer -w`, into tmux's buffer and on to the terminal
 * - passthrough: OSC 52 wrapped for tmux or screen
 */
export type CopyResult =
	| {readonly sent: true; readonly route: 'osc52' | 'tmux' | 'passthrough'}
	| {readonly sent: false; readonly why: 'too-long' | 'unsupported'};

export interface CopyOptions {
	readonly capabilities: Capabilities;
	/** Where sequences go: `screen.send`. */
	readonly send: (sequence: string) => void;
	/** Hands a text to a program's standard input; resolves with whether it went well. */
	readonly run?: (command: string, args: readonly string[], input: string) => Promise<boolean>;
}

/** Puts a text on the clipboard of the person at the terminal, over SSH and multiplexers too. Never throws. */
export async function copyToClipboard(
	text: string,
	{capabilities, send, run = feed}: CopyOptions,
): Promise<CopyResult> {
	if (capabilities.clipboard === 'none') return {sent: false, why: 'unsupported'};
	const encoded = Buffer.from(text).toString('base64');
	if (encoded.length > MAX_ENCODED) return {sent: false, why: 'too-long'};
	// tmux ignores OSC 52 of the programs inside it, but has a command for it.
	if (capabilities.clipboard === 'tmux' && (await run('tmux', ['load-buffer', '-w', '-'], text))) {
		return {sent: true, route: 'tmux'};
	}
	send(passThrough(`\x1B]52;c;${encoded}\x07`, capabilities.multiplexer));
	return {sent: true, route: capabilities.clipboard === 'osc52' ? 'osc52' : 'passthrough'};
}

/** Says how a copy went, as the end of a notice. */
export function copyWords(result: CopyResult): string {
	if (!result.sent)
		return result.why === 'too-long'
			? 'too long for the clipboard.'
			: 'this terminal has no clipboard to reach; select it with the mouse.';
	return {
		osc52: 'sent to your terminal; not confirmed.',
		tmux: 'copied into tmux, and sent on to your terminal.',
		passthrough: 'sent through the multiplexer to your terminal; not confirmed.',
	}[result.route];
}

async function feed(command: string, args: readonly string[], input: string): Promise<boolean> {
	return new Promise(resolve => {
		const child = spawn(command, args, {stdio: ['pipe', 'ignore', 'ignore'], timeout: TMUX_LIMIT_MS});
		child.on('error', () => resolve(false));
		child.on('close', code => resolve(code === 0));
		// A program that ends before it has read says so by its exit code.
		child.stdin.on('error', () => {});
		child.stdin.end(input);
	});
}
