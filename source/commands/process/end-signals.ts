import {isatty} from 'node:tty';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for the signals that end a long-running command: SIGINT, SIGTERM and the hangup of its terminal. Without a
 * terminal a hangup means nothing: under nohup the signal was ignored, which Node takes back at its start.
 * @returns removes the listeners, so that the next signal has its default effect
 */
export function onEndSignal(stop: () => void): () => void {
	const listeners = SIGNALS.map(signal => [signal, signal === 'SIGHUP' && !hasTerminal() ? ignore : stop] as const);
	for (const [signal, listener] of listeners) process.on(signal, listener);
	return () => {
		for (const [signal, listener] of listeners) if (listener === stop) process.off(signal, listener);
	};
}

function ignore(): void {}

function hasTerminal(): boolean {
	return [0, 1, 2].some(descriptor => isatty(descriptor));
}
