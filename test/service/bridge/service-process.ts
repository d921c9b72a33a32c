// A whole service in a process of its own, which a test may kill.
import {startService} from '../../../source/service/server.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

const service = await startService({
	market: new TinyMarket(),
	apiKeys: ['test-key'],
	chains: {chainIds: [8453, 42161]},
	dataDir: process.argv[2]!,
});
process.send?.({url: service.url});
process.on('message', () => {});
