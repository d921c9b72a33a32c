import {setTimeout as pause} from 'node:timers/promises';
import {StoreFailed, StoreUnavailable} from './database.ts';
import type {Connection} from './postgres-connection.ts';

/** Delay before a reconnect, with jitter, so that replicas do not all reconnect at once. */
const RETRY_MS = {min: 200, max: 500};

/** The connections of one process. */
export interface Pool {
	/**
	 * Runs work with exclusive use of a connection. While the database is unreachable it fails at once, and the pool reconnects in
	 * the background.
	 * @throws StoreFailed; what `work` throws
	 */
	use<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
	close(): Promise<void>;
}

interface Waiter {
	give(connection: Connection): void;
	fail(error: unknown): void;
}

/**
 * @param most maximum number of open connections
 * @param waitMs how long work waits for a connection while all are in use
 */
export function createPool(open: () => Promise<Connection>, most: number, waitMs: number): Pool {
	const all = new Set<Connection>();
	const idle: Connection[] = [];
	const waiters: Waiter[] = [];
	const closing = new AbortController();
	let opening = 0;
	let unavailable: StoreFailed | undefined;

	const add = async (): Promise<Connection> => {
		opening++;
		try {
			const connection = await open();
			if (closing.signal.aborted) {
				await connection.close();
				throw new StoreFailed('the store is closed');
			}
			all.add(connection);
			return connection;
		} finally {
			opening--;
		}
	};
	/** The database does not answer: waiters fail, and idle connections are closed. */
	const markUnavailable = (why: StoreFailed): void => {
		const isKnown = unavailable !== undefined;
		unavailable = why;
		for (const connection of idle.splice(0)) {
			all.delete(connection);
			void connection.close();
		}
		for (const waiter of waiters.splice(0)) waiter.fail(why);
		if (!isKnown) void reconnect();
	};
	const reconnect = async (): Promise<void> => {
		while (!closing.signal.aborted) {
			const ms = RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min);
			await pause(ms, undefined, {signal: closing.signal}).catch(() => {});
			if (closing.signal.aborted) return;
			try {
				const connection = await add();
				unavailable = undefined;
				return release(connection);
			} catch (error) {
				if (error instanceof StoreFailed) unavailable = error;
			}
		}
	};
	/** While other connections are open, only the limit of connections is reached. */
	const isUnreachable = (error: unknown): error is StoreUnavailable =>
		error instanceof StoreUnavailable && all.size === 0 && !closing.signal.aborted;
	const take = async (): Promise<Connection> => {
		for (;;) {
			if (closing.signal.aborted) throw new StoreFailed('the store is closed');
			if (unavailable) throw unavailable;
			const found = idle.pop();
			if (found === undefined) break;
			if (found.isOpen) return found;
			all.delete(found);
		}
		if (all.size + opening >= most) return wait();
		try {
			return await add();
		} catch (error) {
			if (isUnreachable(error)) markUnavailable(error);
			throw error;
		}
	};
	const wait = (): Promise<Connection> =>
		new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				waiters.splice(waiters.indexOf(waiter), 1);
				reject(new StoreFailed(`no connection to the database was free within ${waitMs} ms`));
			}, waitMs);
			const waiter: Waiter = {
				give(connection) {
					clearTimeout(timer);
					resolve(connection);
				},
				fail(error) {
					clearTimeout(timer);
					reject(error);
				},
			};
			waiters.push(waiter);
		});
	const release = (connection: Connection): void => {
		if (connection.isOpen && !unavailable && !closing.signal.aborted) {
			const waiter = waiters.shift();
			if (waiter) waiter.give(connection);
			else idle.push(connection);
			return;
		}
		all.delete(connection);
		void connection.close();
		if (connection.wasSilent) markUnavailable(new StoreUnavailable('the database does not answer'));
		if (waiters.length > 0) void replace();
	};
	/** Opens a connection in place of a closed one, for the first waiter that is left when it is open. */
	const replace = async (): Promise<void> => {
		try {
			release(await add());
		} catch (error) {
			if (isUnreachable(error)) markUnavailable(error);
			else waiters.shift()?.fail(error);
		}
	};

	return {
		async use(work) {
			const connection = await take();
			try {
				return await work(connection);
			} finally {
				release(connection);
			}
		},
		async close() {
			closing.abort();
			for (const waiter of waiters.splice(0)) waiter.fail(new StoreFailed('the store is closed'));
			await Promise.all([...all].map(connection => connection.close()));
			all.clear();
		},
	};
}
