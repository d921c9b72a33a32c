import {afterAll, beforeAll, beforeEach, onTestFinished} from 'vitest';
import type {Database} from '../../../source/service/store/database.ts';
import type {Leases} from '../../../source/service/store/lease.ts';
import {type LeasesOptions, openLeases} from '../../../source/service/store/leases.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {type PostgresServer, postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

/** Databases of replicas, for the tests of one file. */
export interface ReplicaDatabases {
	readonly server: PostgresServer;
	/** Of the test that runs: empty at its start. */
	readonly schema: string;
	/** The database as one more replica opens it; closed with the test. */
	open(): Promise<Database>;
	/** Leases of one more replica, with a database of its own; closed with the test. */
	leases(options?: LeasesOptions): Promise<Leases & {readonly database: Database}>;
}

/** Starts a database server for the tests of a file, each of which gets a schema of its own. Skips them where there is no PostgreSQL. */
export function replicaDatabases(): ReplicaDatabases {
	let server: PostgresServer | undefined;
	let tests = 0;
	beforeAll(async () => {
		if (postgresBinaries !== undefined) server = await startPostgres();
	});
	afterAll(() => server?.close());
	beforeEach(context => {
		if (server === undefined) context.skip('PostgreSQL is not installed here');
		tests++;
	});
	const open = async (): Promise<Database> => {
		const database = await openPostgres(server!.address, {schema: `test${tests}`});
		onTestFinished(() => database.close());
		return database;
	};
	return {
		get server() {
			return server!;
		},
		get schema() {
			return `test${tests}`;
		},
		open,
		async leases(options) {
			const database = await open();
			const leases = openLeases(database, options);
			onTestFinished(() => leases.close());
			return Object.assign(leases, {database});
		},
	};
}
