import {AsyncLocalStorage} from 'node:async_hooks';
import {EventEmitter} from 'node:events';
import {logFailuresOnce} from '../log-failures-once.ts';
import type {Database} from '../store/database.ts';
import {listOf} from '../store/table.ts';

/** An intent as far as its changes are counted. */
interface Counted {
	readonly changes: number | null;
}

/** Listeners of changes of intents. */
export interface IntentChanges<Intent extends Counted> {
	/** To be called after a change of this process. */
	changed(intentId: string): void;
	/** Notifies of changes by any process. */
	onChange(intentId: string, listener: (intent: Intent) => void): () => void;
	close(): void;
}

export interface IntentChangesOptions<Intent extends Counted> {
	readonly database: Database;
	readonly table: string;
	readonly get: (intentId: string) => Promise<Intent | undefined>;
	/** Whether other processes change intents too. */
	readonly isShared: boolean;
	readonly log: (line: string) => void;
}

/** Polling interval for changes of other processes, while there are listeners. */
const POLL_MS = 250;

/**
 * Reads the intents that have listeners: at once after a change of this process, and again and again where other processes
 * share the store.
 */
export function createIntentChanges<Intent extends Counted>({
	database,
	table,
	get,
	isShared,
	log,
}: IntentChangesOptions<Intent>): IntentChanges<Intent> {
	const listeners = new EventEmitter<Record<string, [Intent]>>().setMaxListeners(0);
	/** The number of changes of an intent that its listeners know of. */
	const known = new Map<string, number>();
	let timer: NodeJS.Timeout | undefined;
	let isPolling = false;
	// A change may be made within a transaction, which the reads after it are no part of.
	const outsideTransaction = AsyncLocalStorage.snapshot();

	const emitChange = async (intentId: string): Promise<void> => {
		const intent = await get(intentId);
		const count = intent?.changes ?? 0;
		// Two reads may end in the other order: the older state is not emitted.
		if (intent === undefined || count <= (known.get(intentId) ?? count)) return;
		known.set(intentId, count);
		listeners.emit(intentId, intent);
	};
	const attempt = logFailuresOnce(why => log(`changes of transfers were not read: ${why}`));
	const poll = async (): Promise<void> => {
		if (isPolling) return;
		isPolling = true;
		await attempt(async () => {
			const ids = [...known.keys()];
			if (ids.length === 0) return;
			const {sql, parameters} = listOf(ids);
			const rows = await database.all(
				`SELECT intentId AS id, changes AS n FROM ${table} WHERE changes > 0 AND intentId IN (${sql})`,
				parameters,
			);
			const changed = rows.filter(({id, n}) => Number(n) > (known.get(String(id)) ?? Number(n)));
			await Promise.all(changed.map(({id}) => emitChange(String(id))));
		});
		isPolling = false;
	};

	return {
		changed(intentId) {
			// Not awaited: the change may be part of a transaction, which another reader cannot see before its end.
			if (known.has(intentId)) void outsideTransaction(() => attempt(() => emitChange(intentId)));
		},
		onChange(intentId, listener) {
			if (!known.has(intentId)) known.set(intentId, 0);
			listeners.on(intentId, listener);
			if (isShared) timer ??= outsideTransaction(() => setInterval(() => void poll(), POLL_MS).unref());
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
