import {setTimeout as pause} from 'node:timers/promises';
import type {Stored} from './database.ts';
import type {Connection} from './postgres-connection.ts';

/** Delay before a reconnect. */
const RETRY_MS = 500;
/** Interval of the keepalive query: a cut network closes no socket. */
const KEEPALIVE_MS = 5000;

/** Subscriptions to notifications of a database, on one dedicated connection that is opened again when it is lost. */
export interface Listener {
	listen(channel: string, listener: (text: string) => void): () => void;
	/** Runs a statement on each connection that is opened, for something that lasts as long as the connection. */
	hold(statement: string, parameters: readonly Stored[]): void;
	close(): Promise<void>;
}

/**
 * @param open opens a connection that calls back with channel and text of each notification
 * @param prefix of the channels of this store: a database may have several
 */
export function createListener(
	open: (onNotify: (channel: string, text: string) => void) => Promise<Connection>,
	prefix: string,
): Listener {
	const listeners = new Map<string, Set<(text: string) => void>>();
	const held: {readonly statement: string; readonly parameters: readonly Stored[]}[] = [];
	const closing = new AbortController();
	let connection: Connection | undefined;
	let running: Promise<void> | undefined;
	const call = (channel: string, text: string): void => {
		for (const listener of listeners.get(channel) ?? []) listener(text);
	};
	const subscribe = (to: Connection, channel: string) => to.query(`LISTEN "${prefix}${channel}"`);
	const run = async (): Promise<void> => {
		while (!closing.signal.aborted) {
			try {
				const opened = await open((channel, text) => call(channel.slice(prefix.length), text));
				connection = opened;
				for (const {statement, parameters} of held) await opened.query(statement, parameters);
				for (const channel of listeners.keys()) await subscribe(opened, channel);
				// Notifications may have been lost while disconnected.
				for (const channel of listeners.keys()) call(channel, '');
				while (!closing.signal.aborted) {
					await pause(KEEPALIVE_MS, undefined, {signal: closing.signal});
					await opened.query('SELECT 1');
				}
			} catch {
				// Listeners poll meanwhile.
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
				// As with a new connection. A failure closes this one, and the next subscribes to all channels.
				if (connection)
					subscribe(connection, channel).then(
						() => call(channel, ''),
						() => {},
					);
			}
			found.add(listener);
			running ??= run();
			return () => void found.delete(listener);
		},
		hold(statement, parameters) {
			held.push({statement, parameters});
			connection?.query(statement, parameters).catch(() => {});
			running ??= run();
		},
		async close() {
			closing.abort();
			await connection?.close();
			await running;
		},
	};
}
