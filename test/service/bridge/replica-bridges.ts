import {AsyncLocalStorage} from 'node:async_hooks';
import {type Hex, parseAbiItem} from 'viem';
import {type BridgeOptions, type BridgeService, createBridge} from '../../../source/service/bridge/bridge.ts';
import {type Chain, type ChainSet, createChainSet} from '../../../source/service/chain/chain-set.ts';
import type {Role} from '../../../source/service/chain/practice-keys.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {openLeases} from '../../../source/service/store/leases.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {type PostgresServer, startPostgres} from '../../helpers/postgres.ts';
import {type RecordingNode, startRecordingNode} from '../chain/recording-node.ts';
import {type Fault, faultyChains} from './faults.ts';
import {openRealChains, type RealChains} from './real-chains.ts';

/** A connection to the database that a test stops, as a process would be stopped. */
export interface StoppableDatabase extends Database {
	/** Nothing is read or written until `go`. */
	pause(): void;
	go(): void;
	/** Nothing is read or written any more. */
	die(): void;
	/**
	 * Replaced by a test: whether the commit of a transaction that stores what is to be sent to a chain is lost on its way, so that
	 * nothing is stored and its caller does not know it.
	 */
	losesCommit: () => boolean;
}

/** What several replicas share: a database, and two chains that are real as far as the service knows. */
export interface SharedWorld extends RealChains {
	readonly server: PostgresServer;
	/** Opens the database of this world once more, as another process would. */
	connect(): Promise<StoppableDatabase>;
	/** Closes what `connect` has opened: the server's connections are limited. */
	disconnect(): Promise<void>;
}

export async function openSharedWorld(): Promise<SharedWorld> {
	const [server, chains] = await Promise.all([
		// Every test opens the connections of two or three replicas, which stay open to the end.
		startPostgres({max_connections: '400'}),
		openRealChains(),
	]);
	const databases: Database[] = [];
	const disconnect = async (): Promise<void> => {
		for (const database of databases.splice(0)) await database.close();
	};
	const first = await openPostgres(server.address);
	await first.close();
	return {
		...chains,
		server,
		async connect() {
			const database = stoppable(await openPostgres(server.address));
			databases.push(database);
			return database;
		},
		disconnect,
		async close() {
			await disconnect();
			await chains.close();
			await server.close();
		},
	};
}

function stoppable(database: Database): StoppableDatabase {
	let gate: Promise<void> = Promise.resolve();
	let open: () => void = () => {};
	let isDead = false;
	// A transaction that has begun goes on: the database ends it else.
	const inside = new AsyncLocalStorage<{isSending: boolean}>();
	const passed = async <T>(act: () => Promise<T>): Promise<T> => {
		if (inside.getStore() === undefined) await gate;
		if (isDead) throw new StoreFailed('the process of this test is gone');
		return act();
	};
	const stoppable: StoppableDatabase = {
		...database,
		run(text, parameters) {
			const transaction = inside.getStore();
			if (transaction && text.includes('INSERT INTO outgoing')) transaction.isSending = true;
			return passed(() => database.run(text, parameters));
		},
		get: (...args) => passed(() => database.get(...args)),
		all: (...args) => passed(() => database.all(...args)),
		transaction: (act, ...rest) =>
			passed(() =>
				database.transaction(
					async () => {
						const own = {isSending: false};
						const result = await inside.run(own, act);
						if (own.isSending && stoppable.losesCommit())
							throw new StoreFailed('the commit of this test got no answer');
						return result;
					},
					...rest,
				),
			),
		losesCommit: () => false,
		pause() {
			gate = new Promise(resolve => (open = resolve));
		},
		go: () => open(),
		die() {
			isDead = true;
			open();
		},
	};
	return stoppable;
}

/** One of several bridges on one database. */
export interface ReplicaBridge extends BridgeService {
	readonly database: StoppableDatabase;
	/** How sending fails here from now on. */
	fail(role: Role, fault: Fault | undefined): void;
	/** Awaited before each transaction of a role is signed. */
	before: ((role: Role) => Promise<void>) | undefined;
	/** The way of this replica to the node of a chain. */
	readonly nodes: ReadonlyMap<number, RecordingNode>;
}

/** A bridge as a replica has it, with a connection of its own. */
export async function openReplica(world: SharedWorld, options: Partial<BridgeOptions> = {}): Promise<ReplicaBridge> {
	const database = await world.connect();
	const nodes = new Map<number, RecordingNode>();
	for (const [chainId, {rpcUrl}] of world.external) nodes.set(chainId, await startRecordingNode(rpcUrl));
	const external = new Map([...world.external].map(([id, chain]) => [id, {...chain, rpcUrl: nodes.get(id)!.url}]));
	const leases = openLeases(database);
	const own = createChainSet({chainIds: [], external, replica: {database, leases}});
	const faults = new Map<Role, Fault>();
	const faulty = faultyChains(own, (_, role) => faults.get(role));
	const chains: ChainSet = {
		...faulty,
		async ready(chainId) {
			const chain = await faulty.ready(chainId);
			return {
				...chain,
				sender(role) {
					const sender = chain.sender(role);
					return {
						...sender,
						async send(...args) {
							await replica.before?.(role);
							return sender.send(...args);
						},
					};
				},
			};
		},
	};
	const bridge = await createBridge({
		chains,
		database,
		isShared: true,
		retryMs: [20, 20],
		failureDelayMs: 50,
		solverMs: 5000,
		...options,
	});
	const replica: ReplicaBridge = {
		...bridge,
		database,
		nodes,
		before: undefined,
		async close() {
			await bridge.close();
			await own.close();
			await leases.close();
			for (const node of nodes.values()) await node.close();
		},
		fail(role, fault) {
			if (fault === undefined) faults.delete(role);
			else faults.set(role, fault);
		},
	};
	return replica;
}

const EVENTS = {
	deposits: parseAbiItem(
		'event Deposit(bytes32 indexed intentId, address indexed depositor, bytes32 indexed depositId, address token, uint256 amount, uint256 destinationChainId, address recipient)',
	),
	fills: parseAbiItem(
		'event Filled(bytes32 indexed intentId, address indexed recipient, address token, uint256 amount)',
	),
};

/** How many deposits and fills of an intent are on the chains. */
export async function movesOf({base, arbitrum}: Pick<RealChains, 'base' | 'arbitrum'>, intentHash: Hex) {
	const count = async (chain: Chain, event: (typeof EVENTS)[keyof typeof EVENTS]) => {
		const range = {address: chain.addresses.bridge, args: {intentId: intentHash}, fromBlock: 0n} as const;
		return (await chain.client.getLogs({...range, event} as never)).length;
	};
	return {deposits: await count(base, EVENTS.deposits), fills: await count(arbitrum, EVENTS.fills)};
}
