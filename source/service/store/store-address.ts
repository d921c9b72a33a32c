/** Address of the database of the replicas. */
export interface StoreAddress {
	/** `postgres://USER@HOST:PORT/DATABASE`, without a password; `?host=/FOLDER` names the folder of a unix socket. */
	readonly url: string;
	readonly password?: string | undefined;
	/** `verify` checks the name and the certificate of the server, `encrypt` only encrypts. */
	readonly tls: 'off' | 'encrypt' | 'verify';
	/** PEM of the certificate authorities that `verify` trusts; default: those of Node. */
	readonly ca?: string | undefined;
	/** Maximum number of connections of a replica, {@link MIN_CONNECTIONS} or more; default: {@link STORE_CONNECTIONS}. */
	readonly connections?: number | undefined;
	/** How long the database may take; default: {@link STORE_LIMITS}. */
	readonly limits?: StoreLimits;
}

/** How long a database may take, ms. */
export interface StoreLimits {
	/** Network, TLS and authentication together. */
	readonly connectMs: number;
	/** Default `statement_timeout`. */
	readonly statementMs: number;
	readonly lockMs: number;
	/** The transaction of a stopped process is rolled back after this, since its locks block the others. */
	readonly idleInTransactionMs: number;
	/** How long work waits for a connection while all are in use. */
	readonly waitMs: number;
}

export const STORE_LIMITS: StoreLimits = {
	connectMs: 3000,
	statementMs: 4000,
	lockMs: 3000,
	idleInTransactionMs: 5000,
	waitMs: 3000,
};

export const STORE_CONNECTIONS = 9;
/** One listens, three are for leases and the log, and two at least for everything else. */
export const MIN_CONNECTIONS = 6;

/** The parts of a store's address. */
export interface StorePlace {
	readonly user: string;
	readonly database: string;
	readonly host: string;
	readonly port: number;
	/** The unix socket in place of host and port. */
	readonly path?: string | undefined;
}

const PORT = 5432;

/** Reads the url of an address; undefined when it is not one of PostgreSQL with a user. */
export function placeOf(url: string): StorePlace | undefined {
	const parsed = URL.parse(url);
	if (parsed === null || !/^postgres(?:ql)?:$/.test(parsed.protocol) || parsed.username === '') return undefined;
	try {
		const user = decodeURIComponent(parsed.username);
		const database = decodeURIComponent(parsed.pathname.slice(1)) || user;
		const port = parsed.port === '' ? PORT : Number(parsed.port);
		const folder = parsed.searchParams.get('host');
		if (folder?.startsWith('/')) return {user, database, port, host: '', path: `${folder}/.s.PGSQL.${port}`};
		const host = decodeURIComponent(parsed.hostname).replace(/^\[(.*)\]$/, '$1');
		// A list of hosts is not supported: finding the primary among them is left to a proxy.
		if (host === '' || host.includes(',')) return undefined;
		return host.startsWith('/')
			? {user, database, port, host: '', path: `${host}/.s.PGSQL.${port}`}
			: {user, database, host, port};
	} catch {
		return undefined;
	}
}
