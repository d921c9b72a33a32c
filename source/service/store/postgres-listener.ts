import {setTimeout as pause} from 'node:timers/promises';
import type {Connection} from './postgres-connection.ts';

/** Between two tries to listen again. */
const RETRY_MS = 500;
/** How often a connection that only listens is tried: a network that is cut does not say so. */
const TRY_MS = 5000;

/** Listens to notifications of a database, on a connection of its own. */
export interface Listener {
	listen(channel: string, listener: () => void): () => void;
	close(): Promise<void>;
}

/**
 * @param open opens a connection that calls back with the channel of each notification
 * @param prefix of the channels of this store: a database may have several
 */
export function createListener(
	open: (onNotify: (channel: string) => void) => Promise<Connection>,
	prefix: string,
): Listener {
	const listeners = new Map<string, Set<() => void>>();
	const closing = new AbortController();
	let connection: Connection | undefined;
	let running: Promise<void> | undefined;
	const call = (channel: string): void => {
		for (const listener of listeners.get(channel) ?? []) listener();
	};
	const subscribe = (to: Connection, channel: string) => to.query(`LISTEN "${prefix}${channel}"`);
	const run = async (): Promise<void> => {
		while (!closing.signal.aborted) {
			try {
				const opened = await open(channel => call(channel.slice(prefix.length)));
				connection = opened;
				for (const channel of listeners.keys()) await subscribe(opened, channel);
				// Something may have been sent before.
				for (const channel of listeners.keys()) call(channel);
				while (!closing.signal.aborted) {
					await pause(TRY_MS, undefined, {signal: closing.signal});
					await opened.query('SELECT 1');
				}
			} catch {
				// Who listens asks by itself meanwhile.
			}
			await connection?.close();
			connection = undefined;
			await pause(RETRY_MS, undefined, {signal: closing.signal}).catch(() => {});
		}
	};
	return {
		listen(channel, listener) {
			let found = listeners.get(channel);
			if (found === undefined) {
				found = new Set();
				listeners.set(channel, found);
				// A failure ends the connection, and the next one listens to all.
				if (connection) subscribe(connection, channel).catch(() => {});
			}
			found.add(listener);
			running ??= run();
			return () => void found.delete(listener);
		},
		async close() {
			closing.abort();
			await connection?.close();
			await running;
		},
	};
}
