import {type KeyEvent, KeyReader} from './keys.ts';

/** How long a cut sequence may wait for its rest before its ESC counts as the key. */
const ESC_MS = 50;

/** The one reader of the keyboard. @returns stops listening and leaves raw mode */
export function listenToKeys(stdin: NodeJS.ReadStream, onEvent: (event: KeyEvent) => void): () => void {
	const reader = new KeyReader();
	let waiting: NodeJS.Timeout | undefined;

	const flush = (): void => {
		for (const event of reader.flush()) onEvent(event);
	};
	const onData = (chunk: string): void => {
		clearTimeout(waiting);
		for (const event of reader.feed(chunk)) onEvent(event);
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
