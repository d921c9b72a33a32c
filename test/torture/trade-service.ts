// The service with its own market in a process of its own, which is killed. Arguments: the data directory, and a port when it
// is to be that of an earlier run. Sends its address as a message.
import {startService} from '../../source/service/server.ts';
import {TRADED_SEED} from './traded-launches.ts';

const service = await startService({
	seed: TRADED_SEED,
	history: 'on-demand',
	apiKeys: ['test-key'],
	chains: {chainIds: [8453, 42161]},
	dataDir: process.argv[2]!,
	port: Number(process.argv[3] ?? 0),
	limits: {requestsPerSecond: 5000, requestBurst: 5000},
	onFault: text => console.error(text),
});
process.send?.({url: service.url});
process.on('message', () => {});
