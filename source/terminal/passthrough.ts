import type {Capabilities} from './capabilities.ts';

/** GNU screen gives up on longer strings. */
const SCREEN_LIMIT = 768;

/** Wraps a sequence meant for the terminal so that the multiplexer in between passes it on. */
export function passThrough(sequence: string, multiplexer: Capabilities['multiplexer']): string {
	if (multiplexer === 'tmux') return `\x1BPtmux;${sequence.replaceAll('\x1B', '\x1B\x1B')}\x1B\\`;
	if (multiplexer !== 'screen') return sequence;
	let wrapped = '';
	for (let at = 0; at < sequence.length; at += SCREEN_LIMIT) {
		wrapped += `\x1BP${sequence.slice(at, at + SCREEN_LIMIT)}\x1B\\`;
	}
	return wrapped;
}
