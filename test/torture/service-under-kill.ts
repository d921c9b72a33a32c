// The whole service in a process of its own, which is killed. Argument: the data directory. Sends its address as a message.
import {startService} from '../../source/service/server.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const QUOTE = '0x00000000000000000000000000000000000000bb';
// A delivery that failed holds its place for a second: what comes must stay below what eight places can take.
const EVENT_EVERY_MS = 80;

const market = new TinyMarket();
market.add({address: TOKEN, symbol: 'AAA', decimals: 9, quote: QUOTE});
const service = await startService({
	market,
	apiKeys: ['test-key'],
	chains: {chainIds: [8453, 42161]},
	dataDir: process.argv[2]!,
	allowPrivateWebhooks: true,
});
let sent = 0;
setInterval(() => {
	const transfer = {type: 'transfer', chainId: 'evm:8453', token: TOKEN, from: TOKEN, to: QUOTE} as const;
	market.emit({...transfer, timeMs: market.time, block: 1, amountToken: ++sent});
}, EVENT_EVERY_MS);
process.send?.({url: service.url});
process.on('message', () => {});
