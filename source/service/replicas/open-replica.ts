import {PulsetopError} from '../../errors.ts';
import {openPostgresLog, type PostgresLog} from '../log/postgres-log.ts';
import type {Database} from '../store/database.ts';
import {openLeases} from '../store/leases.ts';
import {openPostgres} from '../store/postgres.ts';
import {STORE_CONNECTIONS, type StoreAddress} from '../store/store-address.ts';
import type {Replica} from './replica.ts';

/** Connections for leases and the market log. */
const LOG_CONNECTIONS = 3;

/** Source of the events: the same for all replicas of a service, since any of them may lead. */
export type ReplicaSources =
	| {
			readonly kind: 'simulated';
			readonly seed: number;
			readonly rate: number;
			/** See SimulationOptions. */
			readonly historyTokens?: number;
	  }
	| {readonly kind: 'followed'; readonly chains: readonly string[]};

/** This replica was started with another market than the other replicas of the service. */
export class SourcesDiffer extends PulsetopError {
	readonly code = 'sources-differ';

	constructor(differences: readonly string[]) {
		super('The replicas of a service must have the same market', {
			why: differences.join('; '),
			next: 'fix-input',
			advice: 'Start this replica as the others were started, or give it a database of its own.',
		});
	}
}

export interface OpenReplicaOptions {
	readonly store: StoreAddress;
	/** Schema of its tables. */
	readonly schema?: string;
	readonly sources: ReplicaSources;
	/** See LeasesOptions. */
	readonly leaseMs?: {readonly ttlMs: number; readonly renewMs: number; readonly retryMs: number};
	readonly fault: (during: string, error: unknown) => void;
}

/** A replica and its market log. */
export interface OpenedReplica extends Replica {
	readonly log: PostgresLog;
	/** The same database through a separate pool, which queries of the store do not keep busy. */
	readonly logDatabase: Database;
	/** Time of the service's first start, by the database's clock: the market of each replica begins then. */
	readonly startMs: number;
}

/**
 * Opens the database that the replicas of a service share, and compares the market of this replica with theirs.
 * @throws StoreUnavailable when the database cannot be reached; StoreFailed; SourcesDiffer
 */
export async function openReplica({
	store,
	schema,
	sources,
	leaseMs,
	fault,
}: OpenReplicaOptions): Promise<OpenedReplica> {
	const options = schema === undefined ? {} : {schema};
	const {connections = STORE_CONNECTIONS} = store;
	const database = await openPostgres(store, {...options, connections: connections - LOG_CONNECTIONS - 1});
	// A separate pool, which alone listens: leases are renewed while the connections of the store are busy.
	const shared = await openPostgres(store, {...options, connections: LOG_CONNECTIONS}).catch(async error => {
		await database.close();
		throw error;
	});
	const closeAll = async (): Promise<void> => {
		await Promise.all([database.close(), shared.close()]);
	};
	try {
		const log = await openPostgresLog(shared);
		const startMs = await agreeOn(shared, sources);
		const leases = openLeases(shared, {...leaseMs, fault});
		let closing: Promise<void> | undefined;
		return {
			id: leases.owner,
			database,
			leases,
			log,
			logDatabase: shared,
			startMs,
			close() {
				closing ??= leases.close().then(closeAll);
				return closing;
			},
		};
	} catch (error) {
		await closeAll();
		throw error;
	}
}

/** Writes down what the market is of when nothing is written yet, and compares. Returns when the service was first started. */
async function agreeOn(database: Database, sources: ReplicaSources): Promise<number> {
	const own = factsOf(sources);
	await database.run('UPDATE market_head SET sources = ? WHERE sources IS NULL', [JSON.stringify(own)]);
	const row = await database.get('SELECT sources, made_ms FROM market_head');
	const agreed = JSON.parse(String(row?.['sources'])) as Readonly<Record<string, string>>;
	const names = [...new Set([...Object.keys(agreed), ...Object.keys(own)])];
	const differences = names
		.filter(name => agreed[name] !== own[name])
		.map(name => `${name}: ${own[name] ?? 'none'} here, ${agreed[name] ?? 'none'} in the service`);
	if (differences.length > 0) throw new SourcesDiffer(differences);
	return Number(row?.['made_ms']);
}

/** Facts that must be equal, by their names in the message. */
function factsOf(sources: ReplicaSources): Readonly<Record<string, string>> {
	if (sources.kind === 'followed') return {market: 'followed', chains: [...sources.chains].sort().join(', ')};
	const {seed, rate, historyTokens} = sources;
	return {
		market: 'simulated',
		seed: String(seed),
		rate: String(rate),
		...(historyTokens !== undefined && {'tokens of the history': String(historyTokens)}),
	};
}
