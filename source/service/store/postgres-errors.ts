import postgres from 'postgres';
import {StoreAway, StoreFailed} from './database.ts';

/** Other transactions came between: the same work succeeds when it is repeated. */
export class TransactionConflict extends StoreFailed {}

const CONFLICTS: ReadonlySet<string> = new Set([
	'40001', // serialization_failure
	'40P01', // deadlock_detected
]);

/** States in which the database or this connection is not there, and what they mean. */
const AWAY: Readonly<Record<string, string>> = {
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

const REFUSED: Readonly<Record<string, string>> = {
	'28000': 'the database does not let this user in',
	'28P01': 'the database refused the user or the password',
	'3D000': 'there is no such database',
	'42501': 'the user of the database may not do this',
	'55P03': 'a lock of the database was not free in time',
	'57014': 'a statement took too long',
	ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate of the database is for another host',
	CERT_HAS_EXPIRED: 'the certificate of the database has expired',
};

/** Failures of the check of a certificate. */
const UNTRUSTED = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS|ERR_SSL)/;

/**
 * Why the database could not be used, without its address: in words of this program where they are known.
 * @param text the statement, whose values are not in it
 */
export function storeFailure(error: unknown, text?: string): StoreFailed {
	if (error instanceof StoreFailed) return error;
	const {code = ''} = error as {code?: string};
	// Errors of the client and of sockets name addresses, those of the database values of rows: none is kept as a cause.
	const cause = text === undefined ? undefined : new Error(`${code}: ${text.trim().slice(0, 200)}`);
	if (CONFLICTS.has(code)) return new TransactionConflict(`other transactions came between (${code})`, {cause});
	const away = AWAY[code] ?? (code.startsWith('08') ? 'the connection to the database was lost' : undefined);
	if (away !== undefined) return new StoreAway(`${away} (${code})`, {cause});
	const refused =
		REFUSED[code] ?? (UNTRUSTED.test(code) ? 'the certificate of the database is not believed' : undefined);
	if (refused !== undefined) return new StoreFailed(`${refused} (${code})`, {cause});
	if (error instanceof postgres.PostgresError) return new StoreFailed(`${error.message} (${code})`, {cause});
	return new StoreAway(code === '' ? 'the database did not answer' : `the database did not answer (${code})`, {cause});
}
