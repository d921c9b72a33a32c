// A program that resumes what a kill left, makes one trade through the real flow with its journal, and ends itself with -9
// at a point. Arguments: the data directory, the service's address, and its errand as JSON. Says `ready` before it trades.
import {createClient} from '../../source/client/create-client.ts';
import {openTrading} from '../../source/trading/open-trading.ts';
import {KEY, randomBy} from './processes.ts';
import {AWAY, launchAmount, resumeOpen, tradeOnce, type Wish} from './trade-once.ts';
import {KillPoint, type Point} from './wallet-points.ts';

/** What one process is to do. */
export interface Errand {
	/** Name of the wallet. */
	readonly wallet: string;
	readonly usdc: string;
	/** In the order in which they are tried. */
	readonly launches: readonly string[];
	readonly seed: number;
	/** Where it ends itself; undefined: it is killed from outside, or reads the end. */
	readonly point?: Point;
}

const [dataDir, baseUrl, errandText] = process.argv.slice(2) as [string, string, string];
const {wallet, usdc, launches, seed, point} = JSON.parse(errandText) as Errand;
const random = randomBy(seed);
const kill = new KillPoint(point, random);
const client = createClient({baseUrl, streamUrl: null, apiKey: KEY});
const trading = openTrading({
	dataDir,
	mode: 'practice',
	client: kill.watchedClient(client),
	practice: {baseUrl, apiKey: KEY},
	scryptCost: 1024,
});
kill.watch(trading.journal);
const address = await trading.choose(wallet).unlock();
// What the run before left is read beside the trade, and never sent again.
for (const flow of await resumeOpen(trading)) void flow.watch();

process.send?.('ready');
for (const launch of launches) {
	// A launch that nobody has bought has no code.
	const raw = await trading.chains.balance(AWAY, launch, address).catch(() => 0n);
	const part = random() < 0.5 ? raw : raw / 3n;
	const wish: Pick<Wish, 'side' | 'amount'> =
		raw > 0n && random() < 0.6
			? {side: 'sell', amount: launchAmount(part)}
			: {side: 'buy', amount: String(8 + Math.floor(random() * 20))};
	const flow = await tradeOnce(trading, client, {...wish, launch, usdc}, () => kill.reached('quoted'));
	if (flow === undefined) continue;
	await flow.watch();
	break;
}
process.exit();
