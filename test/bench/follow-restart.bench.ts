import {mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createFollowedMarket} from '../../source/service/follow/followed-market.ts';
import {Journal} from '../../source/service/follow/journal.ts';
import type {MarketEvent} from '../../source/service/market/events.ts';
import {address, batch, blockMs, CHAIN, launch, trade, transfer} from '../service/follow/made-events.ts';
import {randomBy} from '../torture/processes.ts';

/*
 * A restart with 24 hours of a busy chain in the journal: how long until the first rows are there, and until all are. Each trade
 * comes with a transfer. `PULSETOP_TRADES=300000` tries a tenth of it.
 */

const BLOCKS = 43_000;
const TRADES = Number(process.env['PULSETOP_TRADES'] ?? 3_000_000);
const LAUNCHES = Math.round(TRADES / 75);
const WALLETS = 200_000;
const MOST_FIRST_MS = 5000;

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
	const journal = new Journal({dataDir, mostBytes: 2 ** 34});
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

const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-bench-'));
try {
	const day = writeDay(dataDir);
	const file = statSync(join(dataDir, 'follow.db')).size;
	row('launches, trades, all events', `${LAUNCHES}, ${TRADES}, ${day.events}`);
	row('stored, a block in a transaction', `${Math.round(day.events / day.seconds)} events/s`);
	row('the file', `${Math.round(file / 2 ** 20)} MB`, `${Math.round(file / day.events)} bytes an event`);

	const before = process.memoryUsage.rss();
	const startMs = performance.now();
	const options = {chains: [{chainId: CHAIN, name: 'base', urls: ['http://127.0.0.1:1']}]};
	const market = createFollowedMarket({options, sources: [], dataDir, nowMs: () => blockMs(BLOCKS)});
	const firstMs = performance.now() - startMs;
	const first = market.engine.catalog.used;
	row('restart: first rows', `${Math.round(firstMs)} ms`, `${first} rows, at most ${MOST_FIRST_MS} ms`);
	const fillMs = performance.now();
	market.fill();
	row(
		'restart: all rows, in slices of 8 ms while the market runs',
		`${((performance.now() - fillMs) / 1000).toFixed(1)} s`,
	);
	row(
		'rows, memory on top',
		`${market.engine.catalog.used}`,
		`${Math.round((process.memoryUsage.rss() - before) / 2 ** 20)} MB`,
	);
	await market.close();
	if (!(firstMs < MOST_FIRST_MS && first > 0)) process.exitCode = 1;
} finally {
	rmSync(dataDir, {recursive: true, force: true});
}
