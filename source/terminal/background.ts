import type {Capabilities} from './capabilities.ts';
import {passThrough} from './passthrough.ts';

/** Queries the background colour (OSC 11). */
const QUERY = '\x1B]11;?\x1B\\';
const RESPONSE = /^\x1B\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]{1,4})?$/i;

/**
 * The query for a terminal's background. The response arrives among the keys at any time, or never. A multiplexer responds
 * for itself, so the query is also passed through to the terminal around it.
 */
export function backgroundQuery({multiplexer}: Pick<Capabilities, 'multiplexer'>): string {
	return multiplexer === undefined ? QUERY : QUERY + passThrough(QUERY, multiplexer);
}

/**
 * Reads a terminal's response.
 * @param response an OSC sequence without its end mark, as in `ESC ]11;rgb:ffff/ffff/ffff`
 * @returns undefined for any other sequence
 */
export function readBackground(response: string): 'dark' | 'light' | undefined {
	const [, ...parts] = RESPONSE.exec(response) ?? [];
	if (parts.length === 0) return undefined;
	const [red = 0, green = 0, blue = 0] = parts.map(part => Number.parseInt(part, 16) / (16 ** part.length - 1));
	// Nearer to white than to black, as the eye weighs it.
	return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}

/** The background that `COLORFGBG` names (`15;0`), dark without one: a guess until the terminal reports its own. */
export function guessBackground(colors: string | undefined): 'dark' | 'light' {
	const background = Number(colors?.split(';').at(-1));
	return background === 7 || background === 15 ? 'light' : 'dark';
}
