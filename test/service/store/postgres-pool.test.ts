import {afterEach, expect, test, vi} from 'vitest';
import {StoreFailed, StoreUnavailable} from '../../../source/service/store/database.ts';
import type {Connection} from '../../../source/service/store/postgres-connection.ts';
import {createPool} from '../../../source/service/store/postgres-pool.ts';
import {STORE_LIMITS} from '../../../source/service/store/store-address.ts';

/* The connections are made by the test: none of a real database opens as late as one of these. */

interface Opening {
	arrive(): TestConnection;
	fail(error: unknown): void;
}

class TestConnection implements Connection {
	isOpen = true;
	readonly wasSilent = false;
	query = async () => ({rows: [], count: 0});
	close = async (): Promise<void> => {
		this.isOpen = false;
	};
}

function openPool(most: number) {
	const openings: Opening[] = [];
	const open = () =>
		new Promise<Connection>((resolve, reject) => {
			openings.push({
				arrive() {
					const connection = new TestConnection();
					resolve(connection);
					return connection;
				},
				fail: reject,
			});
		});
	return {pool: createPool(open, most, STORE_LIMITS.waitMs), openings};
}

/** Work that lasts until the test ends it. */
function longWork() {
	const {promise, resolve: end} = Promise.withResolvers<void>();
	return {work: () => promise, end};
}

afterEach(() => vi.useRealTimers());

test('a connection that opens after those that waited for it have given up serves the next ones', async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	const {pool, openings} = openPool(1);
	const long = longWork();
	const first = pool.use(long.work);
	const lost = openings[0]!.arrive();
	const late = pool.use(async () => 'late').catch((error: unknown) => error);
	await vi.advanceTimersByTimeAsync(1000);
	const patient = pool.use(async () => 'patient').catch((error: unknown) => error);
	lost.isOpen = false;
	long.end();
	await first;
	// The first one gives up, and not in the place of the second.
	await vi.advanceTimersByTimeAsync(2000);
	expect(await late).toBeInstanceOf(StoreFailed);
	openings[1]!.arrive();
	expect(await patient).toBe('patient');
	expect(await pool.use(async () => 'next')).toBe('next');
	expect(openings).toHaveLength(2);
	await pool.close();
});

test('all that wait hear at once that no connection can be opened any more', async () => {
	const {pool, openings} = openPool(1);
	const long = longWork();
	const first = pool.use(long.work);
	const lost = openings[0]!.arrive();
	const waiting = [1, 2, 3].map(n => pool.use(async () => n).catch((error: unknown) => error));
	lost.isOpen = false;
	long.end();
	await first;
	const why = new StoreUnavailable('nothing listens');
	openings[1]!.fail(why);
	expect(await Promise.all(waiting)).toEqual([why, why, why]);
	await pool.close();
});
