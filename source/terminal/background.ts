import type {Capabilities} from './capabilities.ts';
import {passThrough} from './passthrough.ts';

/** Asks a terminal for its background (OSC 11), and then for its attributes (DA1), to which every terminal answers. */
const ASK_BACKGROUND = '\x1B]11;?\x1B\\';
const ASK_ATTRIBUTES = '\x1B[c';
const BACKGROUND =
	/\x1B\]11;rgba?:([0-9a-f]{1,4})\/([0-9a-f]{1,4})\/([0-9a-f]{1,4})(?:\/[0-9a-f]{1,4})?(?:\x07|\x1B\\)/i;
const ATTRIBUTES = /\x1B\[\?[\d;]*c/;
/** How long an answer is waited for, ms, counted from the question. */
const PATIENCE_MS = 100;

export interface BackgroundOptions {
	readonly stdin: NodeJS.ReadStream;
	readonly stdout: NodeJS.WriteStream;
	readonly capabilities: Pick<Capabilities, 'ignoresUnknown' | 'multiplexer'>;
	readonly patienceMs?: number;
}

/**
 * Asks the terminal whether its background is dark or light. The screen can be loaded meanwhile: the answer is there before
 * it is. A terminal that does not know the question answers the second one at once, so that only one that answers nothing
 * is waited for. What was typed meanwhile goes back to standard input; raw mode stays, for the keys are read next.
 * @returns undefined where it does not say, or where standard input is no terminal
 */
export async function askBackground({
	stdin,
	stdout,
	capabilities: {ignoresUnknown, multiplexer},
	patienceMs = PATIENCE_MS,
}: BackgroundOptions): Promise<'dark' | 'light' | undefined> {
	if (!stdin.isTTY || !stdout.isTTY || !ignoresUnknown) return undefined;
	stdin.setEncoding('utf8');
	stdin.setRawMode(true);
	let heard = '';
	await new Promise<void>(resolve => {
		const end = (): void => {
			clearTimeout(timer);
			stdin.off('data', listen);
			stdin.pause();
			resolve();
		};
		const isAnswered = (): boolean =>
			// A multiplexer answers for itself at once; the terminal around it may still say.
			multiplexer === undefined ? ATTRIBUTES.test(heard) : BACKGROUND.test(heard) && ATTRIBUTES.test(heard);
		const listen = (chunk: Buffer | string): void => {
			heard += chunk;
			if (isAnswered()) end();
		};
		// While code is loaded nothing is read: what has come meanwhile is read before the wait counts as over.
		const timer = setTimeout(() => setTimeout(end), patienceMs);
		stdin.on('data', listen);
		const around = multiplexer === undefined ? '' : passThrough(ASK_BACKGROUND, multiplexer);
		stdout.write(ASK_BACKGROUND + around + ASK_ATTRIBUTES);
	});
	const rest = heard.replace(BACKGROUND, '').replace(BACKGROUND, '').replace(ATTRIBUTES, '');
	if (rest !== '') stdin.unshift(rest);
	const [, ...parts] = BACKGROUND.exec(heard) ?? [];
	return parts.length === 0
		? undefined
		: shadeOf(parts.map(part => Number.parseInt(part, 16) / (16 ** part.length - 1)));
}

/** Whether a colour is nearer to white than to black, as the eye weighs it. @param rgb from 0 to 1 */
function shadeOf([red = 0, green = 0, blue = 0]: readonly number[]): 'dark' | 'light' {
	return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? 'light' : 'dark';
}
