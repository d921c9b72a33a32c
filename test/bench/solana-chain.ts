import {parentPort, workerData} from 'node:worker_threads';
import {FakeSolana, type FakeToken} from '../helpers/fake-solana.ts';

/*
 * A node of a busy chain, by the clock: so many transactions a second of the three programs, a fifth of them failed, five
 * launches a second at 300, and tokens that graduate. Runs in a worker, so that what it costs is not counted as the monitor's.
 */

const SLOT_MS = 400;
const MAX_TOKENS = 500;
const {perSecond} = workerData as {perSecond: number};
const perSlot = Math.round((perSecond * SLOT_MS) / 1000);

const solana = new FakeSolana(Date.now());
const node = await solana.listen();
const tokens: FakeToken[] = [];
let slot = 0;

function mineSlot(): void {
	slot++;
	for (let count = 0; count < perSlot; count++) {
		if (count % 60 === 0) {
			tokens.push(solana.launch({symbol: `S${slot}X${count / 60}`}));
			if (tokens.length > MAX_TOKENS) tokens.shift();
			continue;
		}
		const token = tokens[(slot * 31 + count * 17) % tokens.length]!;
		const side = (slot + count) % 3 === 0 ? 'sell' : 'buy';
		const amount = BigInt(1 + (count % 20)) * 1_000_000_000_000n;
		solana.trade(token, side, amount, {isRouted: count % 2 === 0, isFailed: count % 5 === 4});
		if (token.left === 0n && token.pool === undefined) solana.migrate(token);
	}
	solana.mine();
}

setInterval(() => {
	while (solana.nowMs() + SLOT_MS <= Date.now()) mineSlot();
}, 20);
parentPort?.postMessage(node.url);
