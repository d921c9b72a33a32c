import {setTimeout as pause} from 'node:timers/promises';
import {StoreAway, StoreFailed} from './database.ts';
import type {Connection} from './postgres-connection.ts';

/** How long work waits for a connection while all are in use. */
const WAIT_MS = 3000;
/** Between two tries to reach a database that is away: with chance in it, so that replicas do not come together. */
const RETRY_MS = {least: 200, most: 500};

/** The connections of one process. */
export interface Pool {
	/**
	 * Does work with a connection that is nobody else's meanwhile. While the database is away the work fails at once: the
	 * pool tries to reach it again by itself.
	 * @throws StoreFailed; what the work throws
	 */
	use<T>(work: (connection: Connection) => Promise<T>): Promise<T>;
	close(): Promise<void>;
}

interface Waiter {
	give(connection: Connection): void;
	fail(error: unknown): void;
}

/** @param most how many connections are open at once */
export function createPool(open: () => Promise<Connection>, most: number): Pool {
	const all = new Set<Connection>();
	const idle: Connection[] = [];
	const waiters: Waiter[] = [];
	const closing = new AbortController();
	let opening = 0;
	let away: StoreFailed | undefined;

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
	/** The database does not answer: nothing waits for it, and what is idle would not be answered either. */
	const goAway = (why: StoreFailed): void => {
		const isKnown = away !== undefined;
		away = why;
		for (const connection of idle.splice(0)) {
			all.delete(connection);
			void connection.close();
		}
		for (const waiter of waiters.splice(0)) waiter.fail(why);
		if (!isKnown) void comeBack();
	};
	const comeBack = async (): Promise<void> => {
		while (!closing.signal.aborted) {
			const ms = RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least);
			await pause(ms, undefined, {signal: closing.signal}).catch(() => {});
			if (closing.signal.aborted) return;
			try {
				const connection = await add();
				away = undefined;
				return release(connection);
			} catch (error) {
				if (error instanceof StoreFailed) away = error;
			}
		}
	};
	const take = async (): Promise<Connection> => {
		for (;;) {
			if (closing.signal.aborted) throw new StoreFailed('the store is closed');
			if (away) throw away;
			const found = idle.pop();
			if (found === undefined) break;
			if (found.isOpen) return found;
			all.delete(found);
		}
		if (all.size + opening >= most) return wait();
		try {
			return await add();
		} catch (error) {
			// With other connections open the database is there, and only has no place for one more.
			if (error instanceof StoreAway && all.size === 0 && !closing.signal.aborted) goAway(error);
			throw error;
		}
	};
	const wait = (): Promise<Connection> =>
		new Promise((resolve, reject) => {
			const timer = setTimeout(() => {
				waiters.splice(waiters.indexOf(waiter), 1);
				reject(new StoreFailed(`no connection to the database was free within ${WAIT_MS} ms`));
			}, WAIT_MS);
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
		if (connection.isOpen && !away && !closing.signal.aborted) {
			const waiter = waiters.shift();
			if (waiter) waiter.give(connection);
			else idle.push(connection);
			return;
		}
		all.delete(connection);
		void connection.close();
		if (connection.wasSilent) goAway(new StoreAway('the database does not answer'));
		// Who waits gets a new connection for the one that ended.
		const waiter = waiters.shift();
		if (waiter) take().then(waiter.give, waiter.fail);
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
