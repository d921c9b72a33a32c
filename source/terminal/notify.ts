import {clean} from '../text.ts';
import type {Capabilities} from './capabilities.ts';
import {passThrough} from './passthrough.ts';

const MAX_CELLS = 200;

export interface NotifyOptions {
	readonly capabilities: Pick<Capabilities, 'isTTY' | 'ignoresUnknown' | 'multiplexer'>;
	/** Where sequences go: `screen.send`. */
	readonly send: (sequence: string) => void;
}

/** Rings the terminal's bell. */
export function ring({capabilities, send}: NotifyOptions): void {
	if (capabilities.isTTY) send('\x07');
}

/** Has the terminal show a message of the desktop, where it can (OSC 9), and rings the bell for those that can't. */
export function notify(message: string, options: NotifyOptions): void {
	ring(options);
	const {capabilities, send} = options;
	if (!capabilities.ignoresUnknown) return;
	// A number and a semicolon would be another command (`9;4` is a progress bar).
	const text = clean(message, {maxCells: MAX_CELLS}).replace(/^(?=\d)/, '\u00A0');
	send(passThrough(`\x1B]9;${text}\x07`, capabilities.multiplexer));
}
