import type {Pacer} from '../../terminal/pacer.ts';
import type {TerminalInput} from '../../terminal/terminal.ts';
import {type KeyEvent, KeyReader} from './keys.ts';

/** Events of a person or of the terminal's window; the terminal's answers to the program's own queries are not among them. */
export type PersonEvent = Exclude<KeyEvent, {kind: 'read' | 'pasteMarks'}>;

/** A paste without marks has at least as many keys in one read; a slow link gives a few typed keys at once. */
const MIN_PASTED = 4;

/** Whether a person may have typed the keys of one read, on a terminal that puts no marks around a paste. */
export function areTyped(events: readonly KeyEvent[]): boolean {
	return events.filter(({kind}) => kind === 'key').length < MIN_PASTED;
}

/**
 * The one reader of the keyboard.
 * @param pacer receives the terminal's answers to its queries
 * @param onEvent its second argument says whether a person typed the event; a paste without marks comes as many keys in one read
 * @returns stops listening and leaves raw mode
 */
export function listenToKeys(
	input: TerminalInput,
	pacer: Pick<Pacer, 'respond'> | undefined,
	onEvent: (event: PersonEvent, isTyped: boolean) => void,
): () => void {
	const reader = new KeyReader();
	let marksPastes = false;
	let waiting: NodeJS.Timeout | undefined;

	const take = (events: readonly KeyEvent[]): void => {
		const isTyped = marksPastes || areTyped(events);
		for (const event of events) {
			if (event.kind === 'read') pacer?.respond();
			else if (event.kind === 'pasteMarks') marksPastes = event.areSent;
			else onEvent(event, isTyped);
		}
		clearTimeout(waiting);
		const {waitMs} = reader;
		if (waitMs !== undefined) waiting = setTimeout(() => take(reader.flush()), waitMs);
	};
	const onData = (chunk: string): void => take(reader.feed(chunk));

	input.setEncoding('utf8');
	if (input.isTTY) input.setRawMode?.(true);
	input.on('data', onData);
	input.resume();
	return () => {
		clearTimeout(waiting);
		input.off('data', onData);
		if (input.isTTY) input.setRawMode?.(false);
		input.pause();
	};
}
