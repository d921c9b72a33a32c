// The service on a market 20 times as busy, whose clock runs faster than real time. Arguments: how many times faster.
// Sends its address as a message, and its figures whenever it gets one.
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {createMarket} from '../../source/service/market/create-market.ts';
import {startService} from '../../source/service/server.ts';
import {resourcesInUse} from './resources.ts';

const RATE = 20;
/** Changes go out as often as they would in an hour: every 200 ms of the market's time. */
const FLUSH_MS = 200;
const STEP_MS = 200;
const SLICE_MS = 15;

const speed = Number(process.argv[2]);
const startMs = Date.now();
const market = createMarket({rate: RATE, nowMs: () => startMs});
market.fill();
let events = 0;
market.onEvent(() => events++);
const service = await startService({market, apiKeys: ['soak'], flushMs: FLUSH_MS / speed, syncMs: 60_000 / speed});
const beginAt = performance.now();
const delay = monitorEventLoopDelay({resolution: 10});
delay.enable();

const timer = setInterval(() => {
	const toMs = startMs + (performance.now() - beginAt) * speed;
	// Requests meanwhile must not wait for a clock that this machine cannot follow.
	const until = performance.now() + SLICE_MS;
	while (market.nowMs() + STEP_MS <= toMs && performance.now() < until) market.advance(market.nowMs() + STEP_MS);
}, STEP_MS / speed);

process.on('message', () => {
	globalThis.gc?.();
	const {rss, heapUsed, external} = process.memoryUsage();
	process.send?.({
		rss,
		heap: heapUsed + external,
		resources: resourcesInUse(),
		events,
		rows: market.table.length,
		simulatedMs: market.nowMs() - startMs,
		delayP99Ms: delay.percentile(99) / 1e6,
	});
	delay.reset();
});
process.on('disconnect', () => {
	clearInterval(timer);
	void service.close().then(() => process.exit());
});
process.send?.({url: service.url, streamUrl: service.streamUrl});
