import {setTimeout as sleep} from 'node:timers/promises';
import {PACING_MS, TRADE_TO_CELL_MS} from '../../source/pacing.ts';
import {startService} from '../../source/service/server.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';
import {launchToken, TinyMarket} from '../service/helpers/tiny-market.ts';

/*
 * How long a trade takes to its cell: from the moment it happens in the market until the terminal shows the new market cap.
 * The market applies trades once a tick, as the simulated one does, at 200 trades a second; the monitor is the installed one.
 */

const TRADES = 80;
const TOKENS = 36;
const TRADES_A_TICK = (200 * PACING_MS.market) / 1000;
/** The token whose market cap is watched. */
const PROBE = 5;

/** Trades the watched token at a moment in step with no timer, and returns how long its cell took, ms. */
async function tradeToCell(pty: Pty, trades: (() => void)[], market: TinyMarket, thousands: number): Promise<number> {
	await sleep(Math.random() * TRADE_TO_CELL_MS);
	const tradedAt = performance.now();
	trades.push(() => market.change(PROBE, {market_cap: thousands * 1000, latest_trade_date: market.time}));
	await pty.waitFor(new RegExp(`\\b${thousands}(\\.0)?K`), 10_000);
	return performance.now() - tradedAt;
}

const market = new TinyMarket();
market.time = Date.now();
for (let i = 0; i < TOKENS; i++) launchToken(market, TOKENS);
const trades: (() => void)[] = [];
let traded = 0;
const ticker = setInterval(() => {
	market.time = Date.now();
	for (const trade of trades.splice(0)) trade();
	for (let i = 0; i < TRADES_A_TICK; i++) {
		const at = traded++ % TOKENS;
		if (at !== PROBE) market.change(at, {volume_1h: traded, latest_trade_date: market.time});
	}
}, PACING_MS.market);
const service = await startService({market, auth: false});
const args = ['--base-url', service.url, '--api-key', 'bench'];
const latencies = await withPty({args: [CLI, ...args], columns: 200, rows: 60}, async pty => {
	await pty.waitFor(/live/, 20_000);
	await pty.waitFor(`T${PROBE}`, 20_000);
	await sleep(2_000);
	const taken: number[] = [];
	for (let i = 0; i < TRADES; i++) taken.push(await tradeToCell(pty, trades, market, 200 + i));
	return taken.toSorted((a, b) => a - b);
});
clearInterval(ticker);
await service.close();

const percentile = (share: number): string =>
	`${latencies[Math.min(Math.floor(latencies.length * share), latencies.length - 1)]!.toFixed(0)} ms`;
const stages = Object.entries(PACING_MS).map(([stage, ms]) => `${stage} ${ms}`);
console.log(`Delays of pacing.ts: ${stages.join(' + ')} = ${TRADE_TO_CELL_MS} ms at most, half of it on average.`);
console.log(`trade to cell, ${TRADES} trades: p50 ${percentile(0.5)}, p95 ${percentile(0.95)}, max ${percentile(1)}`);
