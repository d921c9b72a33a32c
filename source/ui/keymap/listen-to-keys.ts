import {type KeyEvent, KeyReader} from './keys.ts';

/** How long a cut sequence may wait for its rest before its ESC counts as the key. */
const ESC_MS = 50;

/**
 * The one reader of the keyboard.
 * @param onEvent its second argument says whether the event came alone: a paste without marks comes as many keys in one read
 * @returns stops listening and leaves raw mode
 */
export function listenToKeys(
	stdin: NodeJS.ReadStream,
	onEvent: (event: KeyEvent, isAlone: boolean) => void,
): () => void {
	const reader = new KeyReader();
	let waiting: NodeJS.Timeout | undefined;

	const flush = (): void => {
		for (const event of reader.flush()) onEvent(event, true);
	};
	const onData = (chunk: string): void => {
		clearTimeout(waiting);
		const events = reader.feed(chunk);
		for (const event of events) onEvent(event, events.length === 1);
		if (reader.isPending) waiting = setTimeout(flush, ESC_MS);
	};

	stdin.setEncoding('utf8');
	if (stdin.isTTY) stdin.setRawMode(true);
	stdin.on('data', onData);
	stdin.resume();
	return () => {
		clearTimeout(waiting);
		stdin.off('data', onData);
		if (stdin.isTTY) stdin.setRawMode(false);
		stdin.pause();
	};
}
