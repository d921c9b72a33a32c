import type {Capabilities} from './capabilities.ts';
import {passThrough} from './passthrough.ts';

/** Asks a terminal for its background (OSC 11). */
const QUESTION = '\x1B]11;?\x1B\\';
const ANSWER = /^\x1B\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]{1,4})?$/i;

/**
 * What asks a terminal whether its background is dark or light. The answer comes among the keys, whenever it comes: nobody
 * waits for it. A multiplexer answers for itself, so the terminal around it is asked as well.
 */
export function backgroundQuestion({multiplexer}: Pick<Capabilities, 'multiplexer'>): string {
	return multiplexer === undefined ? QUESTION : QUESTION + passThrough(QUESTION, multiplexer);
}

/**
 * Reads a terminal's answer.
 * @param answer an OSC sequence without its end mark, as in `ESC ]11;rgb:ffff/ffff/ffff`
 * @returns undefined where it answers something else
 */
export function readBackground(answer: string): 'dark' | 'light' | undefined {
	const [, ...parts] = ANSWER.exec(answer) ?? [];
	if (parts.length === 0) return undefined;
	const [red = 0, green = 0, blue = 0] = parts.map(part => Number.parseInt(part, 16) / (16 ** part.length - 1));
	// Nearer to white than to black, as the eye weighs it.
	return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}
