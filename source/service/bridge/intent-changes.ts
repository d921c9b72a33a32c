import {AsyncLocalStorage} from 'node:async_hooks';
import {EventEmitter} from 'node:events';
import type {Database} from '../store/database.ts';
import type {Intent} from './intents.ts';

/** Who waits for changes of intents. */
export interface IntentChanges {
	/** To be called after a change of this process. */
	changed(intentId: string): void;
	/** Calls back after a change by any process. */
	onChange(intentId: string, listener: (intent: Intent) => void): () => void;
	close(): void;
}

export interface IntentChangesOptions {
	readonly database: Database;
	readonly table: string;
	readonly get: (intentId: string) => Promise<Intent | undefined>;
	/** Whether other processes change intents. */
	readonly isShared: boolean;
	readonly log: (line: string) => void;
}

/** How often changes of other processes are looked for while there are listeners. */
const POLL_MS = 250;

/**
 * Reads the intents that have listeners: at once after a change of this process, and again and again where other processes
 * share the store.
 */
export function createIntentChanges({database, table, get, isShared, log}: IntentChangesOptions): IntentChanges {
	const listeners = new EventEmitter<Record<string, [Intent]>>().setMaxListeners(0);
	/** The number of changes that the listeners of an intent know of. */
	const known = new Map<string, number>();
	let timer: NodeJS.Timeout | undefined;
	let isPolling = false;
	let trouble: string | undefined;
	// A change may be made within a transaction: what follows from it is no part of that.
	const apart = AsyncLocalStorage.snapshot();

	const tell = async (intentId: string): Promise<void> => {
		const intent = await get(intentId);
		const count = intent?.changes ?? 0;
		// Of two answers that overtake each other, the older one is no news.
		if (intent === undefined || count <= (known.get(intentId) ?? count)) return;
		known.set(intentId, count);
		listeners.emit(intentId, intent);
	};
	const attempt = async (act: () => Promise<unknown>): Promise<void> => {
		try {
			await act();
			trouble = undefined;
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			if (why !== trouble) log(`changes of transfers were not read: ${why}`);
			trouble = why;
		}
	};
	const poll = async (): Promise<void> => {
		if (isPolling) return;
		isPolling = true;
		await attempt(async () => {
			const ids = [...known.keys()];
			const marks = ids.map(() => '?').join(', ');
			const sql = `SELECT intentId AS id, changes AS n FROM ${table} WHERE changes > 0 AND intentId IN (${marks})`;
			const rows = await database.all(sql, ids);
			const news = rows.filter(({id, n}) => Number(n) > (known.get(String(id)) ?? Number(n)));
			await Promise.all(news.map(({id}) => tell(String(id))));
		});
		isPolling = false;
	};

	return {
		changed(intentId) {
			// Not awaited: the change may be part of a transaction, which another reader cannot see before its end.
			if (known.has(intentId)) void apart(() => attempt(() => tell(intentId)));
		},
		onChange(intentId, listener) {
			if (!known.has(intentId)) known.set(intentId, 0);
			listeners.on(intentId, listener);
			if (isShared) timer ??= apart(() => setInterval(() => void poll(), POLL_MS).unref());
			return () => {
				listeners.off(intentId, listener);
				if (listeners.listenerCount(intentId) === 0) known.delete(intentId);
				if (known.size > 0) return;
				clearInterval(timer);
				timer = undefined;
			};
		},
		close() {
			clearInterval(timer);
			listeners.removeAllListeners();
			known.clear();
		},
	};
}
