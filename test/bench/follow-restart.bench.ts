import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createFollowedMarket} from '../../source/service/follow/followed-market.ts';
import {Journal} from '../../source/service/log/journal.ts';
import type {MarketEvent} from '../../source/service/market/events.ts';
import {address, batch, blockMs, CHAIN, launch, trade, transfer} from '../service/follow/made-events.ts';
import {randomBy} from '../torture/processes.ts';

/*
 * A restart with 24 hours of a busy chain in the journal, without an image of its market and with one: how long until the first rows
 * are there, and until all are. Each trade comes with a transfer. `PULSETOP_TRADES=300000` tries a tenth of it.
 */

const BLOCKS = 43_000;
const TRADES = Number(process.env['PULSETOP_TRADES'] ?? 3_000_000);
const LAUNCHES = Math.round(TRADES / 75);
const WALLETS = 200_000;
const MAX_FIRST_MS = 5000;

function row(what: string, figure: string, goal = ''): void {
	console.log(`${what.padEnd(64)} ${figure.padStart(18)}  ${goal}`);
}

/** Most trades are of new tokens, some tokens are traded all day. */
function tokenOf(random: () => number, launched: number): string {
	const kind = random();
	const age = kind < 0.3 ? random() * 30 : kind < 0.8 ? random() * 2000 : launched * (1 - random() ** 3);
	return address(1 + Math.max(0, Math.floor(launched - 1 - age)));
}

function writeDay(dataDir: string): {readonly events: number; readonly seconds: number; readonly bytes: number} {
	const journal = new Journal({dataDir, maxBytes: 2 ** 34});
	const random = randomBy(1);
	let [launched, traded, count] = [0, 0, 0];
	const startMs = performance.now();
	for (let block = 1; block <= BLOCKS; block++) {
		const events: MarketEvent[] = [];
		while (launched < (LAUNCHES * block) / BLOCKS) events.push(launch(address(++launched), block));
		while (traded < (TRADES * block) / BLOCKS) {
			traded++;
			const token = tokenOf(random, launched);
			const wallet = address(2 ** 40 + Math.floor(random() * WALLETS));
			const amountToken = 1 + random() * 1000;
			const isBuy = random() < 0.6;
			const tx = `0x${(traded * 7919).toString(16).padStart(64, '1')}`;
			const reserves = {token: 1e6 + random(), quote: 10 + random()};
			const moved = isBuy ? {to: wallet, amountToken} : {from: wallet, to: null, amountToken: amountToken / 10};
			events.push(transfer(token, block, moved));
			events.push(
				trade(token, block, {
					wallet,
					side: isBuy ? 'buy' : 'sell',
					amountToken,
					valueUSD: random() * 500,
					reserves,
					tx,
				}),
			);
		}
		count += events.length;
		journal.append(batch(block, block, events, [{key: 'price', block, value: '3000'}]));
	}
	const seconds = (performance.now() - startMs) / 1000;
	const {bytes} = journal;
	journal.close();
	return {events: count, seconds, bytes};
}

/** Opens the market of a directory, loads all of it, and keeps its image. */
async function restart(dataDir: string, from: string): Promise<boolean> {
	const before = process.memoryUsage.rss();
	const startMs = performance.now();
	const options = {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]};
	const market = createFollowedMarket({options, sources: [], dataDir, nowMs: () => blockMs(BLOCKS), log: console.log});
	const firstMs = performance.now() - startMs;
	const first = market.engine.catalog.used;
	row(`restart from ${from}: first rows`, `${Math.round(firstMs)} ms`, `${first} rows, at most ${MAX_FIRST_MS} ms`);
	const fillMs = performance.now();
	market.fill();
	const seconds = (performance.now() - fillMs) / 1000;
	row(`restart from ${from}: all rows, in slices of 8 ms while the market runs`, `${seconds.toFixed(1)} s`);
	// As the threads of the program do soon after their start.
	globalThis.gc?.();
	const onTop = Math.round((process.memoryUsage.rss() - before) / 2 ** 20);
	const whole = Math.round(process.memoryUsage.rss() / 2 ** 20);
	row('rows, memory on top', `${market.engine.catalog.used}`, `${onTop} MB, ${whole} MB in all`);
	const closeMs = performance.now();
	await market.close();
	const size = statSync(join(dataDir, 'follow.image')).size;
	row('closed', `${Math.round(performance.now() - closeMs)} ms`, `${Math.round(size / 2 ** 20)} MB of image`);
	return firstMs < MAX_FIRST_MS && first > 0;
}

const again = process.argv[2];
if (again !== undefined) {
	process.exitCode = (await restart(again, 'the image')) ? 0 : 1;
} else {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-bench-'));
	try {
		const day = writeDay(dataDir);
		const file = statSync(join(dataDir, 'follow.db')).size;
		row('launches, trades, all events', `${LAUNCHES}, ${TRADES}, ${day.events}`);
		row('stored, a block in a transaction', `${Math.round(day.events / day.seconds)} events/s`);
		row('the file', `${Math.round(file / 2 ** 20)} MB`, `${Math.round(file / day.events)} bytes an event`);
		const isFast = await restart(dataDir, 'the journal');
		// In a process of its own: the memory of the first restart is not given back.
		const {status} = spawnSync(process.execPath, ['--expose-gc', process.argv[1]!, dataDir], {stdio: 'inherit'});
		if (!isFast || status !== 0) process.exitCode = 1;
	} finally {
		rmSync(dataDir, {recursive: true, force: true});
	}
}
