import {startLeaders} from '../../../source/service/replicas/leader.ts';
import {openReplica} from '../../../source/service/replicas/open-replica.ts';
import {CountedChain, ReadMarket} from './read-market.ts';

/* A replica that competes for the leadership of one chain. Reports each time that it leads; SIGTERM ends it as a service ends. */

const [store, schema, leaseMs] = process.argv.slice(2).map(text => JSON.parse(text));
const replica = await openReplica({
	store,
	schema,
	leaseMs,
	sources: {kind: 'followed', chains: ['evm:1']},
	fault: () => {},
});
const name = `p${process.pid}`;
const leaders = startLeaders({
	leases: replica.leases,
	log: replica.log,
	market: new ReadMarket(replica.log),
	tickMs: 50,
	streams: [
		{
			name: 'evm:1',
			async open() {
				process.send!(name);
				return new CountedChain(name);
			},
		},
	],
});
process.once('SIGTERM', async () => {
	await leaders.close();
	await replica.close();
	process.exit();
});
