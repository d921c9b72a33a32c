import {createHash} from 'node:crypto';
import {setImmediate as nextTurn, setTimeout as sleep} from 'node:timers/promises';
import {explain} from '../../errors.ts';
import type {ServiceContext} from '../service-context.ts';
import type {Database} from '../store/database.ts';
import type {LiveViews} from './live-views.ts';
import {type DefinedView, readDefinition, signatureOf, writeDefinition} from './view-definition.ts';
import {KEPT_MS, USED_MS} from './view-history.ts';

/** Polling interval for the views of other replicas; new views of this replica are written at the same time. */
const TURN_MS = 1000;
/** The same until it has followed them for the first time: a replica is not ready before. */
const FIRST_TURN_MS = 100;
/** Maximum length of a shared definition: readers of a longer one get a full state from another replica. */
const MAX_DEFINITION = 32_768;
/** Maximum number of rows in one read. */
const MAX_ROWS = 2000;
/** Number of views in one statement. */
const BATCH = 20;

type RegistryContext = Pick<ServiceContext, 'market' | 'fault'>;

interface Row {
	readonly key: string;
	/** Whether other replicas can read it. */
	readonly isShared: boolean;
	/** When this replica last wrote it. */
	writtenMs: number;
}

/**
 * The views that subscribers of all replicas use, as rows of the database. A replica follows the views of the others in the
 * background, so that after its death any other can send what has entered a view since.
 */
export class ViewRegistry {
	readonly #context: RegistryContext;
	readonly #database: Database;
	readonly #views: LiveViews;
	readonly #ending = new AbortController();
	readonly #running: Promise<void>;
	/** By signature. */
	#rows = new Map<string, Row>();
	/** Keys of rows that cannot be read, so that each is reported once. */
	readonly #unreadable = new Set<string>();
	#sweptMs = Number.NEGATIVE_INFINITY;
	/** Whether the views of other replicas are followed, as far as they can be. */
	hasFollowed = false;

	constructor(context: RegistryContext, database: Database, views: LiveViews, {turnMs = TURN_MS} = {}) {
		this.#context = context;
		this.#database = database;
		this.#views = views;
		this.#running = this.#run(turnMs, this.#ending.signal);
	}

	/** Stops; resolves after the last use of the database. */
	async close(): Promise<void> {
		this.#ending.abort();
		await this.#running;
	}

	/** Retries failures in the next turn; the first of several in a row is reported. */
	async #run(turnMs: number, signal: AbortSignal): Promise<void> {
		let hasFailed = false;
		while (!signal.aborted) {
			try {
				await this.#turn();
				hasFailed = false;
			} catch (error) {
				if (!hasFailed) this.#report(`are not shared at the moment: ${reasonOf(error)}`);
				hasFailed = true;
			}
			const waitMs = this.hasFollowed ? turnMs : Math.min(turnMs, FIRST_TURN_MS);
			await sleep(waitMs, undefined, {signal, ref: false}).catch(() => {});
		}
	}

	async #turn(): Promise<void> {
		const nowMs = performance.now();
		await this.#write(this.#dueRows(nowMs), nowMs);
		if (nowMs - this.#sweptMs >= USED_MS) {
			const oldMs = `${this.#database.dialect.nowMs} - ${KEPT_MS}`;
			await this.#database.run(`DELETE FROM stream_views WHERE used_at_ms < ${oldMs}`);
			this.#sweptMs = nowMs;
		}
		// A market that lags has no time for it.
		if (!this.#context.market.log?.isReady()) return;
		await this.#followOthers();
		this.hasFollowed = true;
	}

	/** Used views whose row is missing or was written long ago. */
	#dueRows(nowMs: number): DefinedView[] {
		const rows = new Map<string, Row>();
		const due: DefinedView[] = [];
		for (const {signature, used} of this.#views.list()) {
			const row = this.#rows.get(signature) ?? {
				key: keyOf(signature),
				isShared: used === undefined || isReadable(used),
				writtenMs: Number.NEGATIVE_INFINITY,
			};
			rows.set(signature, row);
			if (used && row.isShared && nowMs - row.writtenMs >= USED_MS) due.push(used);
		}
		this.#rows = rows;
		return due;
	}

	async #write(due: readonly DefinedView[], nowMs: number): Promise<void> {
		const {nowMs: clock} = this.#database.dialect;
		// Replicas write rows in the same order, so that they cannot deadlock.
		const rows = due.map(defined => this.#rows.get(signatureOf(defined))!);
		const ordered = due
			.map((defined, n) => ({defined, row: rows[n]!}))
			.sort((a, b) => (a.row.key < b.row.key ? -1 : 1));
		for (let at = 0; at < ordered.length; at += BATCH) {
			const some = ordered.slice(at, at + BATCH);
			await this.#database.run(
				`INSERT INTO stream_views (signature, definition, used_at_ms) VALUES ${some.map(() => `(?, ?, ${clock})`).join(', ')}
				ON CONFLICT (signature) DO UPDATE SET used_at_ms = excluded.used_at_ms`,
				some.flatMap(({defined, row}) => [row.key, writeDefinition(defined)]),
			);
			for (const {row} of some) row.writtenMs = nowMs;
		}
	}

	async #followOthers(): Promise<void> {
		const {nowMs: clock} = this.#database.dialect;
		const found = await this.#database.all(
			`SELECT signature, ${clock} - used_at_ms AS unused_ms FROM stream_views
			WHERE used_at_ms > ${clock} - ${KEPT_MS} ORDER BY used_at_ms DESC LIMIT ${MAX_ROWS}`,
		);
		const readMs = performance.now();
		const known = new Map([...this.#rows].map(([signature, {key}]) => [key, signature]));
		const missing = new Map<string, number>();
		for (const row of found) {
			const key = String(row['signature']);
			const usedMs = readMs - Math.max(0, Number(row['unused_ms']));
			const signature = known.get(key);
			if (signature !== undefined) this.#views.keep(signature, usedMs);
			else if (!this.#unreadable.has(key)) missing.set(key, usedMs);
		}
		const keys = [...missing.keys()].slice(0, this.#views.roomFor(readMs));
		for (let at = 0; at < keys.length; at += BATCH) {
			const some = keys.slice(at, at + BATCH);
			const rows = await this.#database.all(
				`SELECT signature, definition FROM stream_views WHERE signature IN (${some.map(() => '?').join(', ')})`,
				some,
			);
			for (const row of rows) {
				const key = String(row['signature']);
				this.#follow(key, String(row['definition']), missing.get(key)!);
				// A new view searches the whole market.
				await nextTurn();
			}
		}
	}

	/** Follows a view of another replica. Its definition is validated as one of a client. */
	#follow(key: string, definition: string, usedMs: number): void {
		try {
			const defined = readDefinition(definition);
			if (keyOf(signatureOf(defined)) !== key) throw new Error('it is another view than its signature says');
			this.#views.follow(defined, usedMs);
		} catch (error) {
			if (this.#unreadable.size >= MAX_ROWS) this.#unreadable.clear();
			this.#unreadable.add(key);
			this.#report(`have one that cannot be read (${key.slice(0, 12)}): ${reasonOf(error)}`);
		}
	}

	#report(what: string): void {
		this.#context.fault('stream', `the views of all replicas ${what}`);
	}
}

function reasonOf(error: unknown): string {
	const {what, why} = explain(error);
	return `${what} (${why})`;
}

/** Signatures may be longer than a key of the database. */
function keyOf(signature: string): string {
	return createHash('sha256').update(signature).digest('base64url');
}

/** Whether other replicas can read a view: a filter may hold what JSON or a request cannot say. */
function isReadable(defined: DefinedView): boolean {
	const definition = writeDefinition(defined);
	if (definition.length > MAX_DEFINITION) return false;
	try {
		return signatureOf(readDefinition(definition)) === signatureOf(defined);
	} catch {
		return false;
	}
}
