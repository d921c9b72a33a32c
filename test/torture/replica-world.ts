import {type PostgresServer, startPostgres} from '../helpers/postgres.ts';
import {giveTokens, type RealNodes, startRealNodes} from '../helpers/real-nodes.ts';
import {REPLICA_KEYS, type ReplicaSet, startReplicaSet} from '../helpers/replica-set.ts';
import type {User} from '../service/bridge/bridge-client.ts';
import {newUser, USDC, waitFor} from '../service/chain/practice.ts';
import {randomBy} from './processes.ts';
import {Calls} from './replica-calls.ts';
import {Executes} from './replica-executes.ts';
import {HealthProbes} from './replica-health.ts';
import {PerpRequests} from './replica-perp.ts';
import {ReplicaSubscriber} from './replica-subscriber.ts';

export interface ReplicaWorldOptions {
	readonly replicas: number;
	readonly seed: number;
	readonly subscribers: number;
	/** Accounts with tokens, each with one transfer at a time. */
	readonly users: number;
	/** How many replicas each transfer is sent to at nearly the same time; default 2. */
	readonly copies?: 1 | 2;
	/** Further arguments of `pulsetop serve`. */
	readonly args?: readonly string[];
}

/** Two chains, processes of the service on both, subscribers, and users who send transfers. */
export interface ServedWorld {
	readonly nodes: RealNodes;
	readonly set: ReplicaSet;
	/** Numbers of the replicas that run: the users ask these. */
	readonly alive: Set<number>;
	readonly random: () => number;
	/** All requests of the users. */
	readonly calls: Calls;
	readonly executes: Executes;
	readonly perp: PerpRequests;
	readonly health: HealthProbes;
	readonly readers: readonly ReplicaSubscriber[];
	close(): Promise<void>;
}

/** The same with the database of its replicas. */
export interface ReplicaWorld extends ServedWorld {
	readonly database: PostgresServer;
}

const VIEW = {name: 'new', model: 'new', limit: 20};

/**
 * Starts all of it. Every user has sent a first transfer and every subscriber has its view when this resolves.
 * @param settings of the database
 */
export async function startReplicaWorld(
	options: ReplicaWorldOptions,
	settings: Readonly<Record<string, string>> = {},
): Promise<ReplicaWorld> {
	const database = await startPostgres(settings);
	try {
		const world = await startServedWorld(options, database.url);
		return {
			...world,
			database,
			async close() {
				await world.close();
				await database.close();
			},
		};
	} catch (error) {
		await database.close();
		throw error;
	}
}

/**
 * As startReplicaWorld, on a database that is there.
 * @param storeUrl without it each process has a store of its own: for one
 */
export async function startServedWorld(options: ReplicaWorldOptions, storeUrl?: string): Promise<ServedWorld> {
	const {replicas, seed, subscribers, users: userCount, copies, args = []} = options;
	const random = randomBy(seed);
	const closing: (() => unknown)[] = [];
	const close = async (): Promise<void> => {
		for (const one of closing.splice(0).reverse()) await one();
	};
	try {
		const nodes = await startRealNodes();
		closing.push(() => nodes.close());
		const users: User[] = Array.from({length: userCount}, newUser);
		for (const {address} of users) await giveTokens(nodes.base, address, 1000n * USDC);
		const set = await startReplicaSet({replicas, storeUrl, nodes, args: ['--seed', String(seed), ...args]});
		closing.push(() => set.close());
		const alive = new Set(set.urls.map((_, n) => n));
		const urls = () => [...alive].map(n => set.urls[n]!);
		const calls = new Calls(REPLICA_KEYS[0]);
		const executes = new Executes({nodes, users, urls, calls, random, copies});
		const perp = new PerpRequests({calls, urls, random});
		await executes.warmUp();
		const readers = Array.from(
			{length: subscribers},
			(_, n) => new ReplicaSubscriber(set.urls, n, REPLICA_KEYS[n % REPLICA_KEYS.length]!, VIEW),
		);
		closing.push(() => readers.map(reader => reader.close()));
		await waitFor(() => readers.every(({isServed}) => isServed));
		const health = new HealthProbes();
		return {nodes, set, alive, random, calls, executes, perp, health, readers, close};
	} catch (error) {
		await close();
		throw error;
	}
}
