import {AsyncLocalStorage} from 'node:async_hooks';
import {encodeFunctionData, type Hex, maxUint256, parseAbiItem} from 'viem';
import {generatePrivateKey, privateKeyToAccount} from 'viem/accounts';
import {type BridgeOptions, type BridgeService, createBridge} from '../../../source/service/bridge/bridge.ts';
import {startAnvil} from '../../../source/service/chain/anvil.ts';
import {findAnvil} from '../../../source/service/chain/anvil-binary.ts';
import {Token} from '../../../source/service/chain/artifacts.generated.ts';
import {
	type Chain,
	type ChainSet,
	createChainSet,
	type ExternalChain,
} from '../../../source/service/chain/chain-set.ts';
import {createJsonRpc} from '../../../source/service/chain/json-rpc.ts';
import type {Role} from '../../../source/service/chain/practice-keys.ts';
import {startWatchdog} from '../../../source/service/chain/watchdog.ts';
import {openLeases} from '../../../source/service/replicas/leases.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {type PostgresServer, startPostgres} from '../../helpers/postgres.ts';
import {mined, mint, USDC} from '../chain/practice.ts';
import {type RecordingNode, startRecordingNode} from '../chain/recording-node.ts';
import {type Fault, faultyChains} from './faults.ts';

/** A connection to the database that a test stops, as a process would be stopped. */
export interface StoppableDatabase extends Database {
	/** Nothing is read or written until `go`. */
	pause(): void;
	go(): void;
	/** Nothing is read or written any more. */
	die(): void;
}

/** What several replicas share: a database, and two chains that are real as far as the service knows. */
export interface SharedWorld {
	readonly server: PostgresServer;
	readonly external: ReadonlyMap<number, ExternalChain>;
	readonly base: Chain;
	readonly arbitrum: Chain;
	/** Opens the database of this world once more, as another process would. */
	connect(): Promise<StoppableDatabase>;
	/** Closes what `connect` has opened: the server's connections are limited. */
	disconnect(): Promise<void>;
	close(): Promise<void>;
}

const ETHER_1000 = '0x3635c9adc5dea00000';

export async function openSharedWorld(): Promise<SharedWorld> {
	const watchdog = startWatchdog();
	const [server, ...anvils] = await Promise.all([
		// Every test opens the connections of two or three replicas, which stay open to the end.
		startPostgres({max_connections: '400'}),
		...[8453, 42161].map(chainId => startAnvil({chainId, binary: findAnvil().path!, watchdog})),
	]);
	const roles: Role[] = ['sponsor', 'solver', 'faucet', 'keeper', 'deployer'];
	const key = Object.fromEntries(roles.map(role => [role, generatePrivateKey()])) as Record<Role, Hex>;
	for (const {rpcUrl} of anvils) {
		const rpc = createJsonRpc(() => rpcUrl);
		for (const role of roles) await rpc.call('anvil_setBalance', [privateKeyToAccount(key[role]).address, ETHER_1000]);
		await rpc.close();
	}
	const external = new Map(anvils.map(({chainId, rpcUrl}) => [chainId, {rpcUrl, key, deploys: true}]));
	const chains = createChainSet({chainIds: [], external});
	const [base, arbitrum] = await Promise.all([chains.ready(8453), chains.ready(42161)]);
	const solver = arbitrum.sender('solver');
	await mint(arbitrum, solver.address, 1_000_000n * USDC);
	const data = encodeFunctionData({
		abi: Token.abi,
		functionName: 'approve',
		args: [arbitrum.addresses.bridge, maxUint256],
	});
	await mined(arbitrum, await solver.send({to: arbitrum.addresses.usdc, data, gas: 150_000n}));
	const databases: Database[] = [];
	const disconnect = async (): Promise<void> => {
		for (const database of databases.splice(0)) await database.close();
	};
	const first = await openPostgres(server.address);
	await first.close();
	return {
		server,
		external,
		base,
		arbitrum,
		async connect() {
			const database = stoppable(await openPostgres(server.address));
			databases.push(database);
			return database;
		},
		disconnect,
		async close() {
			await disconnect();
			await chains.close();
			await Promise.all(anvils.map(anvil => anvil.close()));
			watchdog.close();
			await server.close();
		},
	};
}

function stoppable(database: Database): StoppableDatabase {
	let gate: Promise<void> = Promise.resolve();
	let open: () => void = () => {};
	let isDead = false;
	// A transaction that has begun goes on: the database ends it else.
	const inside = new AsyncLocalStorage<true>();
	const passed = async <T>(act: () => Promise<T>): Promise<T> => {
		if (inside.getStore() !== true) await gate;
		if (isDead) throw new StoreFailed('the process of this test is gone');
		return act();
	};
	return {
		...database,
		run: (...args) => passed(() => database.run(...args)),
		get: (...args) => passed(() => database.get(...args)),
		all: (...args) => passed(() => database.all(...args)),
		transaction: (act, ...rest) => passed(() => database.transaction(() => inside.run(true, act), ...rest)),
		pause() {
			gate = new Promise(resolve => (open = resolve));
		},
		go: () => open(),
		die() {
			isDead = true;
			open();
		},
	};
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
export async function movesOf({base, arbitrum}: SharedWorld, intentHash: Hex) {
	const count = async (chain: Chain, event: (typeof EVENTS)[keyof typeof EVENTS]) => {
		const range = {address: chain.addresses.bridge, args: {intentId: intentHash}, fromBlock: 0n} as const;
		return (await chain.client.getLogs({...range, event} as never)).length;
	};
	return {deposits: await count(base, EVENTS.deposits), fills: await count(arbitrum, EVENTS.fills)};
}
