import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {BridgeService} from './bridge/bridge.ts';
import type {ChainSet, ChainSetOptions} from './chain/chain-set.ts';
import type {Market} from './market/market.ts';
import type {PerpService} from './perp/perp.ts';
import type {Database} from './store/database.ts';

/** How the money flows are set up. */
export interface MoneyOptions {
	/** Folder of chains, intents and used signatures; undefined: they end with the process. */
	readonly dataDir?: string | undefined;
	/** Which chains; default: the practice chains. */
	readonly chains?: Omit<ChainSetOptions, 'directory' | 'log'> | undefined;
	/** How long the bridge's /wait holds a request, in milliseconds; default 30 s. */
	readonly waitMs?: number | undefined;
	readonly log?: ((line: string) => void) | undefined;
	/** The market whose launches are traded on practice chains. */
	readonly market?: Market | undefined;
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
	/** Resumes transfers and executions that an earlier run left unfinished. */
	resume(): Promise<void>;
	close(): Promise<void>;
}

/** Makes the money flows without loading any part. */
export function createMoneyServices(options: MoneyOptions): MoneyServices {
	const {dataDir, chains: chainOptions, log = () => {}, market, waitMs} = options;
	const chains = lazy(async () => {
		const {createChainSet} = await import('./chain/chain-set.ts');
		const directory = dataDir === undefined ? undefined : join(dataDir, 'chains');
		return createChainSet({...chainOptions, directory, log});
	});
	const database = lazy(async () => {
		const {openSqlite} = await import('./store/sqlite.ts');
		return openSqlite(dataDir, log);
	});
	const bridge = lazy(async () => {
		const [{createBridge}, set, store] = await Promise.all([
			import('./bridge/bridge.ts'),
			chains.get(),
			database.get(),
		]);
		return createBridge({chains: set, database: store, log, waitMs, market});
	});
	const perp = lazy(async () => {
		const [{createPerp}, set, store] = await Promise.all([import('./perp/perp.ts'), chains.get(), database.get()]);
		return createPerp({chains: set, database: store, log});
	});
	const isStored = (): boolean => dataDir !== undefined && existsSync(join(dataDir, 'service.db'));
	return {
		async examine() {
			if (isStored()) await database.get();
		},
		chains: chains.get,
		database: database.get,
		bridge: bridge.get,
		perp: perp.get,
		async resume() {
			if (!isStored()) return;
			const [{createIntentBook}, store] = await Promise.all([import('./bridge/intents.ts'), database.get()]);
			const book = await createIntentBook(store, Date.now);
			if ((await book.open()).length > 0) await bridge.get();
			const has = async (table: string, condition: string): Promise<boolean> =>
				(await store.columnsOf(table)).size > 0 &&
				(await store.get(`SELECT 1 FROM ${table} WHERE ${condition}`)) !== undefined;
			// What the market does with held tokens is stored as long as the bridge is open.
			if (await has('practice_tokens', 'TRUE')) await bridge.get();
			if (await has('perp_processes', "status = 'pending'")) await perp.get();
		},
		async close() {
			await Promise.all([bridge.started().then(b => b?.close()), perp.started().then(p => p?.close())]);
			await (await chains.started())?.close();
			await (await database.started())?.close();
		},
	};
}

/** Makes a value once, when it is first used; a failure is tried again at the next use. */
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
