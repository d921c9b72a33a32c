import postgres from 'postgres';
import {StoreFailed, StoreUnavailable} from './database.ts';

/** A conflict with another transaction: a retry succeeds. */
export class TransactionConflict extends StoreFailed {}

/** The database does not let this service in, as it is configured. */
export class StoreRefused extends StoreFailed {
	override readonly code = 'store-refused';

	constructor({why, advice}: Refusal, {cause}: {readonly cause?: unknown} = {}) {
		super(why, {next: 'fix-input', advice, cause});
	}
}

const CONFLICTS: ReadonlySet<string> = new Set([
	'40001', // serialization_failure
	'40P01', // deadlock_detected
]);

/** The server's routine that fails for a prepared statement whose table was changed by a migration. */
const STALE_PLAN = 'RevalidateCachedQuery';

/** SQLSTATEs in which the database or this connection is unavailable, and their meaning. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
	// PgBouncer says so of all its own reasons.
	'08P01': 'the database, or the pooler before it, ended the connection',
	'25006': 'the database only reads: it is a standby',
	'25P03': 'the database ended a transaction that did nothing',
	'53300': 'the database has no connection left',
	'57P01': 'the database shuts down',
	'57P02': 'the database crashed',
	'57P03': 'the database is starting or shutting down',
	'57P05': 'the database ended the connection',
	ECONNREFUSED: 'nothing listens at the address of the database',
	ECONNRESET: 'the connection to the database was lost',
	EPIPE: 'the connection to the database was lost',
	EHOSTUNREACH: 'the host of the database cannot be reached',
	ENETUNREACH: 'the host of the database cannot be reached',
	ETIMEDOUT: 'the host of the database does not answer',
	EAI_AGAIN: 'the name of the host of the database could not be looked up',
	ENOTFOUND: 'the name of the host of the database is not known',
	ENOENT: 'there is no socket of the database in its folder',
};

const SLOW: Readonly<Record<string, string>> = {
	'55P03': 'a lock of the database was not free in time',
	'57014': 'a statement took too long',
};

/** A problem that the person who starts the service can solve: the reason, and what to do. */
interface Refusal {
	readonly why: string;
	readonly advice: string;
}

/** The sessions of the database are not those of the connections. */
export const POOLED: Refusal = {
	why: 'the pooler before the database gives each transaction another session',
	advice: 'Set pool_mode = session in PgBouncer for this database, or name the database itself in --store.',
};

const REFUSED: Readonly<Record<string, Refusal>> = {
	// A prepared statement is unknown, or there already: it was prepared in another session.
	'26000': POOLED,
	'42P05': POOLED,
	'28000': {
		why: 'the database does not let this user in from this machine',
		advice:
			'Add the user and this machine to pg_hba.conf of the database; one that wants TLS needs sslmode=verify-full.',
	},
	'28P01': {
		why: 'the database refused the user or the password',
		advice: 'Check the user in --store, and the password in --store-password-file or PULSETOP_STORE_PASSWORD.',
	},
	'3D000': {
		why: 'there is no such database',
		advice: 'Make it (createdb), or correct its name in --store.',
	},
	'42501': {
		why: 'the user of the database may not do this',
		advice: 'Make the user the owner of the database, or let it make a schema: GRANT CREATE ON DATABASE ... TO ...',
	},
	ERR_TLS_CERT_ALTNAME_INVALID: {
		why: 'the certificate of the database is for another host',
		advice: 'Write the host in --store as the certificate has it.',
	},
	CERT_HAS_EXPIRED: {
		why: 'the certificate of the database has expired',
		advice: 'Give the database a new certificate.',
	},
};

const UNTRUSTED_CERTIFICATE: Refusal = {
	why: 'the certificate of the database is not trusted',
	advice: 'Name the file with the certificate of its authority in --store: sslrootcert=FILE.',
};

/** The database answered that it has no TLS. */
export const NO_TLS: Refusal = {
	why: 'the database does not offer TLS',
	advice: 'Switch it on at the database (ssl = on), or write sslmode=disable if nobody else uses the network between.',
};

const TLS_FAILED: Refusal = {
	why: 'no TLS could be agreed on with the database',
	advice:
		'Check the host and port in --store, and ssl_min_protocol_version and ssl_max_protocol_version of the database.',
};

/** Codes of a failed certificate check. */
const UNTRUSTED = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;
/** Codes of a failed TLS handshake. */
const NOT_TLS = /^(?:ERR_TLS|ERR_SSL|EPROTO)/;

/**
 * Translates an error of the database or its client, without addresses and values of rows.
 * @param text the statement, without the values of its parameters
 */
export function storeFailure(error: unknown, text?: string): StoreFailed {
	if (error instanceof StoreFailed) return error;
	const {code = '', routine} = error as {code?: string; routine?: string};
	// No cause: errors of the client and of sockets name addresses, those of the database values of rows.
	const cause = text === undefined ? undefined : new Error(`${code}: ${text.trim().slice(0, 200)}`);
	if (CONFLICTS.has(code) || routine === STALE_PLAN)
		return new TransactionConflict(`other transactions came between (${code})`, {cause});
	const away = UNAVAILABLE[code] ?? (code.startsWith('08') ? 'the connection to the database was lost' : undefined);
	if (away !== undefined) return new StoreUnavailable(`${away} (${code})`, {cause});
	const slow = SLOW[code];
	if (slow !== undefined) return new StoreFailed(`${slow} (${code})`, {cause});
	const refused =
		REFUSED[code] ?? (UNTRUSTED.test(code) ? UNTRUSTED_CERTIFICATE : NOT_TLS.test(code) ? TLS_FAILED : undefined);
	if (refused !== undefined) return new StoreRefused({...refused, why: `${refused.why} (${code})`}, {cause});
	if (error instanceof postgres.PostgresError) return new StoreFailed(`${withoutValue(error)} (${code})`, {cause});
	return new StoreUnavailable(code === '' ? 'the database did not answer' : `the database did not answer (${code})`, {
		cause,
	});
}

/** The database's words. Those of a data exception quote the value; those of other errors only names of tables, columns and rules. */
function withoutValue({message, code}: postgres.PostgresError): string {
	return code.startsWith('22') ? message.replace(/:? ".*"/s, '') : message;
}
