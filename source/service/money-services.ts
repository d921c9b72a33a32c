import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {reasonOf} from '../errors.ts';
import type {BridgeService} from './bridge/bridge.ts';
import type {ChainSet, ChainSetOptions} from './chain/chain-set.ts';
import type {Market} from './market/market.ts';
import type {PerpService} from './perp/perp.ts';
import type {Replica} from './replicas/replica.ts';
import type {Database} from './store/database.ts';
import {isStored} from './store/sqlite-file.ts';

/** How the money flows are set up. */
export interface MoneyOptions {
	/** Folder of chains, intents and used signatures; undefined: they end with the process. */
	readonly dataDir?: string | undefined;
	/** The chains; default: the practice chains. */
	readonly chains?: Omit<ChainSetOptions, 'directory' | 'log' | 'replica'> | undefined;
	/** How long the bridge's /wait holds a request, in milliseconds; default 30 s. */
	readonly waitMs?: number | undefined;
	readonly log?: ((line: string) => void) | undefined;
	/** The market whose launches are traded on practice chains. */
	readonly market?: Market | undefined;
	/** Database and leases that replicas share; default: a single process with an embedded store. */
	readonly replica?: Pick<Replica, 'database' | 'leases'> | undefined;
}

/**
 * The parts of the money flows. Each is loaded when it is first used: the libraries of the chains take longer to load
 * than the service may take to show its first rows.
 */
export interface MoneyServices {
	chains(): Promise<ChainSet>;
	/** @throws StoreFailed */
	database(): Promise<Database>;
	bridge(): Promise<BridgeService>;
	perp(): Promise<PerpService>;
	/**
	 * Opens the store where it exists, so that damage is reported at the start and not while money is moving. @throws
	 * StoreFailed
	 */
	examine(): Promise<void>;
	/** Resumes unfinished transfers and executions of an earlier run, and from now on those of dead replicas. */
	resume(): Promise<void>;
	/** Stops the work. Other replicas take over at once. */
	close(): Promise<void>;
}

/** Delay before a replica retries a failed start of its money flows, in milliseconds. */
const REOPEN_MS = 5000;

/** Makes the money flows without loading any part. */
export function createMoneyServices(options: MoneyOptions): MoneyServices {
	const {dataDir, chains: chainOptions, log = () => {}, market, waitMs, replica} = options;
	const isShared = replica !== undefined;
	const closing = new AbortController();
	const chains = lazy(async () => {
		const {createChainSet} = await import('./chain/chain-set.ts');
		const directory = dataDir === undefined ? undefined : join(dataDir, 'chains');
		return createChainSet({...chainOptions, directory, log, replica});
	});
	const database = lazy(async () => {
		if (replica) return replica.database;
		const {openSqlite} = await import('./store/sqlite.ts');
		return openSqlite(dataDir, log);
	});
	const bridge = lazy(async () => {
		const [{createBridge}, set, store] = await Promise.all([
			import('./bridge/bridge.ts'),
			chains.get(),
			database.get(),
		]);
		return createBridge({chains: set, database: store, log, waitMs, market, isShared});
	});
	const perp = lazy(async () => {
		const [{createPerp}, set, store] = await Promise.all([import('./perp/perp.ts'), chains.get(), database.get()]);
		return createPerp({chains: set, database: store, log, isShared});
	});
	const hasStore = (): boolean => !isShared && dataDir !== undefined && isStored(join(dataDir, 'service.db'));
	/** Opens all money flows, retrying until the database is reachable: a replica resumes the work of dead ones from its start. */
	const openAll = async (): Promise<void> => {
		while (!closing.signal.aborted) {
			try {
				await Promise.all([bridge.get(), perp.get()]);
				return;
			} catch (error) {
				log(`transfers of other replicas are not looked at yet: ${reasonOf(error)}`);
				await sleep(REOPEN_MS, undefined, {ref: false, signal: closing.signal}).catch(() => {});
			}
		}
	};
	return {
		async examine() {
			if (hasStore()) await database.get();
		},
		chains: chains.get,
		database: database.get,
		bridge: bridge.get,
		perp: perp.get,
		async resume() {
			// Without a real chain a replica has no work to resume.
			if (isShared) return chainOptions?.external?.size ? openAll() : undefined;
			if (!hasStore()) return;
			const [{createIntentBook}, store] = await Promise.all([import('./bridge/intents.ts'), database.get()]);
			const book = await createIntentBook(store);
			if ((await book.open()).length > 0) await bridge.get();
			const has = async (table: string, condition: string): Promise<boolean> =>
				(await store.columnsOf(table)).size > 0 &&
				(await store.get(`SELECT 1 FROM ${table} WHERE ${condition}`)) !== undefined;
			// The market's trades in held tokens are stored as long as the bridge is open.
			if (await has('practice_tokens', 'TRUE')) await bridge.get();
			if (await has('perp_processes', "status = 'pending'")) await perp.get();
		},
		async close() {
			closing.abort();
			await Promise.all([bridge.started().then(b => b?.close()), perp.started().then(p => p?.close())]);
			await (await chains.started())?.close();
			// The replica closes its own database.
			if (!isShared) await (await database.started())?.close();
		},
	};
}

/** Makes a value once, when it is first used; after a failure the next use retries. */
function lazy<T>(make: () => Promise<T>): {get(): Promise<T>; started(): Promise<T | undefined>} {
	let made: Promise<T> | undefined;
	return {
		get() {
			made ??= make().catch(error => {
				made = undefined;
				throw error;
			});
			return made;
		},
		started: async () => made?.catch(() => undefined),
	};
}
