import {expect, onTestFinished, test} from 'vitest';
import {
	type OpenedReplica,
	openReplica,
	type ReplicaSources,
	SourcesDiffer,
} from '../../../source/service/replicas/open-replica.ts';
import {StoreFailed} from '../../../source/service/store/database.ts';
import {replicaDatabases} from './replica-databases.ts';

const databases = replicaDatabases();
const SIMULATED: ReplicaSources = {kind: 'simulated', seed: 1, rate: 1};

async function open(sources: ReplicaSources): Promise<OpenedReplica> {
	const {server, schema} = databases;
	const replica = await openReplica({store: server.address, schema, sources, fault: () => {}});
	onTestFinished(() => replica.close());
	return replica;
}

test('replicas that start at once agree on one service', async () => {
	const replicas = await Promise.all(Array.from({length: 4}, () => open(SIMULATED)));
	const [first] = replicas;
	expect(first!.log.epoch).toMatch(/^[\da-z]{8,32}$/);
	for (const {log, startMs} of replicas) expect([log.epoch, startMs]).toEqual([first!.log.epoch, first!.startMs]);
	expect(new Set(replicas.map(({id}) => id)).size).toBe(4);
	await first!.close();
	// One that comes later, too, and none of the others has left.
	expect((await open(SIMULATED)).log.epoch).toBe(first!.log.epoch);
});

test('a replica with another market is refused, with the differences', async () => {
	await open(SIMULATED);
	const refused = async (sources: ReplicaSources) => {
		const error = await open(sources).catch(e => e);
		expect(error).toBeInstanceOf(SourcesDiffer);
		return error.why;
	};
	expect(await refused({...SIMULATED, seed: 2})).toBe('seed: 2 here, 1 in the service');
	expect(await refused({...SIMULATED, rate: 0.5, historyTokens: 9})).toBe(
		'rate: 0.5 here, 1 in the service; tokens of the history: 9 here, none in the service',
	);
	expect(await refused({kind: 'followed', chains: ['evm:8453']})).toContain(
		'market: followed here, simulated in the service',
	);
});

test('the order in which chains are named makes no difference', async () => {
	const one = await open({kind: 'followed', chains: ['evm:8453', 'solana:solana']});
	expect((await open({kind: 'followed', chains: ['solana:solana', 'evm:8453']})).log.epoch).toBe(one.log.epoch);
});

test('a replica that closes releases its leases at once', async () => {
	const [one, two] = [await open(SIMULATED), await open(SIMULATED)];
	expect(await one.leases.tryTake('some')).toBeDefined();
	expect(await two.leases.tryTake('some')).toBeUndefined();
	await one.close();
	expect(await two.leases.tryTake('some')).toBeDefined();
	await expect(one.log.head()).rejects.toBeInstanceOf(StoreFailed);
});
