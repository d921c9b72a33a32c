import {join} from 'node:path';
import type {FollowOptions} from '../follow/follow-options.ts';
import {readJournalPosition} from '../log/journal-file.ts';
import {REPLICA_FILE} from '../log/log-market.ts';
import type {StoreAddress} from '../store/store-address.ts';
import {type Leaders, startLeaders} from './leader.ts';
import {keepLog, type LogKeeper, type LogKeeperOptions} from './log-keeper.ts';
import {type OpenedReplica, type OpenReplicaOptions, openReplica, type ReplicaSources} from './open-replica.ts';
import {prepareJournal} from './prepare-journal.ts';
import {takeReplicaDirectory} from './replica-directory.ts';
import {openReplicaMarket, type ReplicaMarket, type SimulatedSources} from './replica-market.ts';
import type {ReplicaNumbers} from './replica-numbers.ts';
import {openSnapshots, removeCopies} from './snapshots.ts';
import {openWantedHolders, type WantedHolders} from './wanted-holders.ts';

/** Settings of a replica that only tests change. */
export interface ReplicaTuning {
	readonly schema?: string;
	readonly leaseMs?: NonNullable<OpenReplicaOptions['leaseMs']>;
	/** See ReplicaSources. */
	readonly historyTokens?: number;
	/** See LogKeeperOptions. */
	readonly keeper?: Pick<LogKeeperOptions, 'snapshotMs' | 'everyMs'>;
}

export interface ReplicaServiceOptions extends ReplicaTuning {
	readonly store: StoreAddress;
	readonly sources: {readonly follow: FollowOptions} | SimulatedSources;
	readonly dataDir: string | undefined;
	readonly fault: (during: string, error: unknown) => void;
	readonly log: (line: string) => void;
}

/** A replica and its market, in place of the market of a single service. */
export interface ReplicaService {
	readonly replica: OpenedReplica;
	readonly market: ReplicaMarket;
	/** Starts reading the log and competing for leases. */
	start(): void;
	/** Releases the leases of streams and log, so that another replica takes over at once; the log is still read. */
	handOver(): Promise<void>;
	numbers(): Promise<ReplicaNumbers>;
	close(): Promise<void>;
}

/**
 * Opens a replica with its market, which starts from its own journal or from the newest snapshot.
 * @throws StoreFailed; SourcesDiffer; LogTooShort, SnapshotDamaged; JournalFailed
 */
export async function openReplicaService(options: ReplicaServiceOptions): Promise<ReplicaService> {
	const {store, schema, leaseMs, sources, dataDir, fault, log, keeper} = options;
	const directory = takeReplicaDirectory(dataDir);
	let replica: OpenedReplica | undefined;
	try {
		await removeCopies(directory.path);
		replica = await openReplica({
			store,
			sources: namesOf(sources),
			fault,
			...(schema !== undefined && {schema}),
			...(leaseMs && {leaseMs}),
		});
		const snapshots = openSnapshots(replica.logDatabase, {
			epoch: replica.log.epoch,
			directory: directory.path,
			positionOf: readJournalPosition,
		});
		const path = join(directory.path, REPLICA_FILE);
		await prepareJournal({path, log: replica.log, snapshots, positionOf: readJournalPosition, fault: log});
		const {startMs} = replica;
		const market = await openReplicaMarket({
			log: replica.log,
			startMs,
			sources,
			directory: directory.path,
			fault: log,
		});
		const opened = replica;
		const keep = (): LogKeeper =>
			keepLog({
				database: opened.logDatabase,
				leases: opened.leases,
				log: opened.log,
				snapshots,
				journal: {isReady: () => market.log.isReady(), backup: to => market.journal.backup(to)},
				ready: signal => market.untilWarm(signal),
				...keeper,
			});
		return new RunningReplica(opened, market, {keep, closeDirectory: () => directory.close()});
	} catch (error) {
		await replica?.close();
		directory.close();
		throw error;
	}
}

interface RunningParts {
	readonly keep: () => LogKeeper;
	readonly closeDirectory: () => void;
}

class RunningReplica implements ReplicaService {
	readonly replica: OpenedReplica;
	readonly market: ReplicaMarket;
	readonly #parts: RunningParts;
	#isHandedOver = false;
	#leaders: Leaders | undefined;
	#wanted: WantedHolders | undefined;
	#keeper: LogKeeper | undefined;
	#closing: Promise<void> | undefined;

	constructor(replica: OpenedReplica, market: ReplicaMarket, parts: RunningParts) {
		this.replica = replica;
		this.market = market;
		this.#parts = parts;
	}

	start(): void {
		this.market.start({
			leads: chainId => this.#leaders?.leads(chainId) ?? false,
			holdersWanted: (chainId, token) => this.#wanted?.want(chainId, token),
			describe: (token, profile) => this.#leaders?.describe(token, profile),
		});
		if (this.#isHandedOver) return;
		this.#keeper = this.#parts.keep();
		const {leases, log} = this.replica;
		this.#leaders = startLeaders({leases, log, market: this.market, streams: this.market.streams});
		this.#wanted = openWantedHolders({database: this.replica.logDatabase, leaders: this.#leaders});
	}

	async handOver(): Promise<void> {
		this.#isHandedOver = true;
		this.#wanted?.close();
		await Promise.all([this.#leaders?.close(), this.#keeper?.close()]);
	}

	async numbers(): Promise<ReplicaNumbers> {
		const {log, leases} = this.replica;
		const head = await log.head().catch(() => undefined);
		const {market} = this;
		return {
			id: leases.owner,
			epoch: log.epoch,
			appliedSeq: market.log.seq(),
			appliedAtMs: market.nowMs(),
			headSeq: head?.seq,
			headAtMs: head?.atMs,
			lagMs: head && Math.max(0, head.atMs - market.nowMs()),
			staleMs: market.log.staleMs(),
			isReady: market.log.isReady(),
			leading: this.#leaders?.leading() ?? [],
			written: log.tally,
			snapshot: this.#keeper?.newest,
		};
	}

	close(): Promise<void> {
		this.#closing ??= this.handOver()
			.then(() => this.market.close())
			.then(() => this.replica.close())
			.finally(() => this.#parts.closeDirectory());
		return this.#closing;
	}
}

/** The part of the sources that must be the same for all replicas; addresses of nodes may differ. */
function namesOf(sources: ReplicaServiceOptions['sources']): ReplicaSources {
	if (!('follow' in sources)) {
		const {seed, rate, historyTokens} = sources;
		return {kind: 'simulated', seed, rate, ...(historyTokens !== undefined && {historyTokens})};
	}
	const chains = sources.follow.chains.map(
		({chainId, meteoraDbc}) => `${chainId}${meteoraDbc ? ' with the launchpad of Meteora' : ''}`,
	);
	return {kind: 'followed', chains};
}
