import type {Duplex} from 'node:stream';
import postgres from 'postgres';
import {StoreAway, type Stored, type StoredRow} from './database.ts';
import {storeFailure} from './postgres-errors.ts';
import {openSocket} from './postgres-socket.ts';
import type {StoreAddress, StorePlace} from './store-address.ts';

/** How long the network, TLS and the password may take. */
const CONNECT_MS = 3000;
/** How long a statement may take. */
const STATEMENT_MS = 4000;
const LOCK_MS = 3000;
/** A process that stops in a transaction loses it, so that its locks do not stop the others. */
const IDLE_IN_TRANSACTION_MS = 5000;
/** The database itself ends what takes too long; one that is stopped does not. */
const SILENCE_AFTER_MS = 1000;
const CLOSE_MS = 500;
/** PostgreSQL's type of BIGINT. */
const INT8 = 20;

/** The rows, and how many were changed. */
export interface Answer {
	readonly rows: StoredRow[];
	readonly count: number;
}

/** One connection, which never becomes another: with it ends its transaction. */
export interface Connection {
	/**
	 * @param mostMs how long it may take; the database must have been asked for more than its usual time
	 * @throws StoreFailed
	 */
	query(text: string, parameters?: readonly Stored[], mostMs?: number): Promise<Answer>;
	readonly isOpen: boolean;
	/** Whether it ended because the database said nothing. */
	readonly wasSilent: boolean;
	/** Ends it; what has not been answered fails. */
	close(): Promise<void>;
}

export interface ConnectionOptions {
	readonly address: StoreAddress;
	readonly place: StorePlace;
	/** Where names of tables are looked up. */
	readonly schema: string;
	/** Called with the channel of each NOTIFY. */
	readonly onNotify?: (channel: string) => void;
	readonly onClose?: () => void;
}

/** @throws StoreAway when the database does not answer; StoreFailed when it refuses the user */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
	const {address, place, schema, onNotify = () => {}, onClose = () => {}} = options;
	const startedMs = performance.now();
	const socket = await openSocket(place, address, CONNECT_MS);
	let isGiven = false;
	const settings = {
		host: place.host,
		port: place.port,
		user: place.user,
		database: place.database,
		...(address.password !== undefined && {password: address.password}),
		max: 1,
		// The client would connect again by itself, and go on in the middle of a transaction: it gets one socket.
		socket: (): Duplex => {
			if (isGiven) throw new StoreAway('the connection to the database was lost');
			isGiven = true;
			return socket;
		},
		ssl: false,
		idle_timeout: 0,
		max_lifetime: null,
		connect_timeout: 0,
		fetch_types: false,
		onnotice: () => {},
		onnotify: onNotify,
		// Whole numbers are below 2^53 here.
		types: {int8: {to: INT8, from: [INT8], serialize: String, parse: Number}},
		connection: {
			application_name: 'pulsetop',
			search_path: schema,
			statement_timeout: STATEMENT_MS,
			lock_timeout: LOCK_MS,
			idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
		},
	};
	const sql = postgres(settings as postgres.Options<Record<string, postgres.PostgresType>>);
	const waiting = new Set<(error: unknown) => void>();
	let ended: StoreAway | undefined;
	let wasSilent = false;
	const end = (why: StoreAway): void => {
		if (ended) return;
		ended = why;
		socket.destroy();
		for (const reject of waiting) reject(why);
		waiting.clear();
		onClose();
	};
	socket.once('close', () => end(new StoreAway('the connection to the database was lost')));
	// The client listens from the next turn on.
	socket.on('error', () => {});

	const query = (
		text: string,
		parameters: readonly Stored[] = [],
		mostMs = STATEMENT_MS + SILENCE_AFTER_MS,
	): Promise<Answer> =>
		new Promise((resolve, reject) => {
			if (ended) return reject(ended);
			const timer = setTimeout(() => {
				wasSilent = true;
				end(new StoreAway(`the database did not answer within ${mostMs} ms`));
			}, mostMs);
			const settle = (act: () => void): void => {
				clearTimeout(timer);
				waiting.delete(fail);
				act();
			};
			const fail = (error: unknown): void => settle(() => reject(error));
			waiting.add(fail);
			// Prepared statements are planned once a connection, and sent in one step.
			sql.unsafe(numbered(text), [...parameters], {prepare: true}).then(
				result => settle(() => resolve({rows: [...result] as StoredRow[], count: result.count})),
				error => {
					const failure = storeFailure(error, text);
					fail(failure);
					if (failure instanceof StoreAway) end(failure);
				},
			);
		});
	try {
		await query('SELECT 1', [], Math.max(1, CONNECT_MS - (performance.now() - startedMs)));
	} catch (error) {
		end(error instanceof StoreAway ? error : new StoreAway('the database refused the connection'));
		throw error;
	}
	return {
		query,
		get isOpen() {
			return ended === undefined;
		},
		get wasSilent() {
			return wasSilent;
		},
		async close() {
			if (ended) return;
			await sql.end({timeout: CLOSE_MS / 1000});
			end(new StoreAway('the store is closed'));
		},
	};
}

/** A statement with its parameters as PostgreSQL has them: `$1`, `$2`. No statement of the service has a `?` in a text. */
function numbered(text: string): string {
	let n = 0;
	return text.replaceAll('?', () => `$${++n}`);
}
