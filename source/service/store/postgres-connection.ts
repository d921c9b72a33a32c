import type {Duplex} from 'node:stream';
import postgres from 'postgres';
import {type Stored, type StoredRow, StoreUnavailable} from './database.ts';
import {storeFailure} from './postgres-errors.ts';
import {openSocket} from './postgres-socket.ts';
import {STORE_LIMITS, type StoreAddress, type StorePlace} from './store-address.ts';

/** Added to the timeouts of the database, which do not fire while the database itself is stopped. */
const SILENCE_AFTER_MS = 1000;
const CLOSE_MS = 500;
/** An acknowledged commit must survive a crash of the database. A stricter setting, which waits for standbys, stays. */
const DURABLE = `set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), false)`;
/** PostgreSQL's OID of BIGINT. */
const INT8 = 20;

/** Result of a statement: its rows, and the number of changed rows. */
export interface Answer {
	readonly rows: StoredRow[];
	readonly count: number;
}

/** One connection to the database. It never reconnects: its transaction ends with it. */
export interface Connection {
	/**
	 * @param maxMs timeout; a longer one than the default needs a longer `statement_timeout` too
	 * @throws StoreFailed
	 */
	query(text: string, parameters?: readonly Stored[], maxMs?: number): Promise<Answer>;
	readonly isOpen: boolean;
	/** Whether it was closed because the database did not answer. */
	readonly wasSilent: boolean;
	/** Closes it; pending queries fail. */
	close(): Promise<void>;
}

export interface ConnectionOptions {
	readonly address: StoreAddress;
	readonly place: StorePlace;
	/** Its `search_path`. */
	readonly schema: string;
	/** Called with the channel of each NOTIFY. */
	readonly onNotify?: (channel: string, text: string) => void;
	readonly onClose?: () => void;
}

/** @throws StoreUnavailable when the database does not answer; StoreFailed when it refuses the user */
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
	const {address, place, schema, onNotify = () => {}, onClose = () => {}} = options;
	const {connectMs, statementMs, lockMs, idleInTransactionMs} = address.limits ?? STORE_LIMITS;
	const startedMs = performance.now();
	const socket = await openSocket(place, address, connectMs);
	let isGiven = false;
	const settings = {
		host: place.host,
		port: place.port,
		user: place.user,
		database: place.database,
		...(address.password !== undefined && {password: address.password}),
		max: 1,
		// The client reconnects by itself, even within a transaction: it gets only one socket.
		socket: (): Duplex => {
			if (isGiven) throw new StoreUnavailable('the connection to the database was lost');
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
		// Integers of the store are below 2^53.
		types: {int8: {to: INT8, from: [INT8], serialize: String, parse: Number}},
		connection: {application_name: 'pulsetop'},
	};
	const sql = postgres(settings as postgres.Options<Record<string, postgres.PostgresType>>);
	const waiting = new Set<(error: unknown) => void>();
	let ended: StoreUnavailable | undefined;
	let wasSilent = false;
	const end = (why: StoreUnavailable): void => {
		if (ended) return;
		ended = why;
		socket.destroy();
		for (const reject of waiting) reject(why);
		waiting.clear();
		onClose();
	};
	socket.once('close', () => end(new StoreUnavailable('the connection to the database was lost')));
	// The client adds its own listener only in the next turn.
	socket.on('error', () => {});

	const query = (
		text: string,
		parameters: readonly Stored[] = [],
		maxMs = statementMs + SILENCE_AFTER_MS,
	): Promise<Answer> =>
		new Promise((resolve, reject) => {
			if (ended) return reject(ended);
			const timer = setTimeout(() => {
				wasSilent = true;
				end(new StoreUnavailable(`the database did not answer within ${maxMs} ms`));
			}, maxMs);
			const settle = (act: () => void): void => {
				clearTimeout(timer);
				waiting.delete(fail);
				act();
			};
			const fail = (error: unknown): void => settle(() => reject(error));
			waiting.add(fail);
			// Prepared statements are planned once a connection, and sent in one step.
			sql.unsafe(numbered(text), parameters.map(storable), {prepare: true}).then(
				result => settle(() => resolve({rows: [...result] as StoredRow[], count: result.count})),
				error => {
					const failure = storeFailure(error, text);
					fail(failure);
					if (failure instanceof StoreUnavailable) end(failure);
				},
			);
		});
	// Not as parameters of the connection, which PgBouncer refuses. The role or the database may have other defaults.
	const session = {
		search_path: schema,
		statement_timeout: statementMs,
		lock_timeout: lockMs,
		idle_in_transaction_session_timeout: idleInTransactionMs,
		bytea_output: 'hex',
		extra_float_digits: '3',
		default_transaction_read_only: 'off',
	};
	try {
		await query(
			`SELECT ${[...Object.keys(session).map(name => `set_config('${name}', ?, false)`), DURABLE].join(', ')}`,
			Object.values(session).map(String),
			Math.max(1, connectMs - (performance.now() - startedMs)),
		);
	} catch (error) {
		end(error instanceof StoreUnavailable ? error : new StoreUnavailable('the database refused the connection'));
		// Not with what was left of the time: a reason that differs at each try would be logged at each try.
		throw wasSilent ? new StoreUnavailable(`the database did not answer within ${connectMs} ms`) : error;
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
			end(new StoreUnavailable('the store is closed'));
		},
	};
}

/** PostgreSQL has no NUL in texts: it becomes what other characters become that no UTF-8 holds. */
function storable(value: Stored): Stored {
	return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

/** A statement with its parameters as PostgreSQL has them: `$1`, `$2`. No statement of the service has a `?` in a text. */
function numbered(text: string): string {
	let n = 0;
	return text.replaceAll('?', () => `$${++n}`);
}
