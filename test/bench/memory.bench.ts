import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {tableText} from '../../source/commands/output/table.ts';
import {parsePulseBody} from '../../source/contract/pulse-request.ts';
import {createMarket} from '../../source/service/market/create-market.ts';
import {EntryCache} from '../../source/service/pulse/entry-cache.ts';
import {PulseEngine} from '../../source/service/pulse/pulse-engine.ts';
import {LiveViews} from '../../source/service/stream/live-views.ts';

/*
 * The service alone through an hour in compressed time, at the default pace and at 20 times that: market, queries, live views
 * and entries as for one screen, in one thread. Each pace has a process of its own, both at the same time. What lives is
 * measured after a collection. Goal: flat.
 */

const gc = globalThis.gc as (options: {type: 'major'; flavor: 'last-resort'}) => void;
const START_MS = Date.UTC(2026, 0, 15, 12);
/** The step of the clock. */
const ROUND_MS = 500;
const PACES = [1, 20];
const MINUTES = 60;
const EVERY_MINUTES = 10;
const MB = 1 << 20;

interface Look {
	readonly rate: number;
	readonly minute: number;
	readonly events: number;
	readonly tokens: number;
	readonly wallets: number;
	readonly cpuS: number;
	readonly rss: number;
	readonly heap: number;
	readonly buffers: number;
}

function soak(rate: number): Look[] {
	let clockMs = START_MS;
	const market = createMarket({rate, nowMs: () => clockMs});
	const pulse = new PulseEngine(market);
	const entries = new EntryCache(market);
	const views = new LiveViews(pulse, market.table);
	const live = parsePulseBody({assetMode: true}).views.map(view => views.acquire(view, 'asset'));
	market.fill();
	const {engine} = market;
	const told = engine.applied;
	const cpu = process.cpuUsage();
	const looks: Look[] = [];
	const look = (minute: number): void => {
		// As the service's thread does it from time to time, see keepHeapTidy.
		gc({type: 'major', flavor: 'last-resort'});
		const {rss, heapUsed, arrayBuffers} = process.memoryUsage();
		const {user, system} = process.cpuUsage(cpu);
		looks.push({
			rate,
			minute,
			events: engine.applied - told,
			tokens: market.table.length,
			wallets: engine.wallets.count,
			cpuS: (user + system) / 1e6,
			rss: rss / MB,
			heap: heapUsed / MB,
			buffers: arrayBuffers / MB,
		});
	};
	look(0);
	for (let minute = EVERY_MINUTES; minute <= MINUTES; minute += EVERY_MINUTES) {
		const untilMs = START_MS + minute * 60_000;
		while (clockMs < untilMs) {
			clockMs += ROUND_MS;
			market.advance(clockMs);
			views.step(market.takeChanged(), clockMs);
			for (const view of live) for (const row of view.change.updated) entries.json(row, 'asset');
		}
		look(minute);
	}
	return looks;
}

const [rate] = process.argv.slice(2);
if (rate === undefined) await Promise.all(PACES.map(soakApart));
else print(soak(Number(rate)));

/** With the heap's limits as in the program's own service thread. */
async function soakApart(pace: number): Promise<void> {
	const limits = ['--expose-gc', '--max-semi-space-size=2', '--heap-growing-percent=50'];
	const child = spawn(process.execPath, [...limits, import.meta.filename, String(pace)], {stdio: 'inherit'});
	const [code] = await once(child, 'exit');
	if (code !== 0) process.exitCode = 1;
}

function print(looks: readonly Look[]): void {
	process.stdout.write(
		`${tableText<Look>(
			[
				{title: 'PACE', align: 'right', cell: look => `${look.rate}x`},
				{title: 'MINUTE', align: 'right', cell: ({minute}) => String(minute)},
				{title: 'EVENTS', align: 'right', cell: ({events}) => events.toLocaleString('en')},
				{title: 'TOKENS', align: 'right', cell: ({tokens}) => String(tokens)},
				{title: 'WALLETS', align: 'right', cell: ({wallets}) => String(wallets)},
				{title: 'CPU s', align: 'right', cell: ({cpuS}) => cpuS.toFixed(0)},
				{title: 'RSS MB', align: 'right', cell: ({rss}) => rss.toFixed(0)},
				{title: 'HEAP MB', align: 'right', cell: ({heap}) => heap.toFixed(1)},
				{title: 'COLUMNS AND BUFFERS MB', align: 'right', cell: ({buffers}) => buffers.toFixed(1)},
			],
			looks,
		)}`,
	);
}
