import {ROW} from '../../source/service/market/market.ts';
import {startService} from '../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../source/service/service-options.ts';
import type {Fault, FaultKind} from '../chaos/fault.ts';
import {type FaultProxy, startFaultProxy} from '../chaos/fault-proxy.ts';
import {launchToken, TinyMarket} from '../service/helpers/tiny-market.ts';

/** How each kind of fault is tried: its parameters, and what else it needs to have an effect. */
export const TRIED_FAULTS: Readonly<Record<FaultKind, readonly Fault[]>> = {
	latency: [{kind: 'latency', ms: 400}],
	jitter: [{kind: 'jitter', ms: 500}],
	drip: [{kind: 'drip', bytesPerSecond: 2000}],
	stall: [{kind: 'stall'}],
	cut: [{kind: 'cut', withinMs: 100}],
	'half-open': [{kind: 'half-open'}],
	truncate: [{kind: 'truncate', part: 0.5}],
	garbage: [{kind: 'garbage', part: 0.3}],
	duplicate: [{kind: 'duplicate', part: 0.5}],
	reorder: [{kind: 'reorder', part: 0.5}],
	// A stream that stays open sends no requests: refused requests only matter once it is opened again.
	'too-many-requests': [
		{kind: 'too-many-requests', part: 1, retryAfterS: 1},
		{kind: 'cut', withinMs: 100},
	],
	unavailable: [
		{kind: 'unavailable', part: 1},
		{kind: 'cut', withinMs: 100},
	],
	'clock-jump': [
		{kind: 'clock-jump', byMs: 3_600_000},
		{kind: 'cut', withinMs: 100},
	],
};

/** What of an entry is compared: who it is, and its figures. */
export interface Figures {
	/** `CHAIN|ADDRESS` */
	readonly key: string;
	readonly symbol: string;
	readonly market_cap: number;
	readonly volume_1h: number;
	readonly holders_count: number;
	readonly bonding_percentage: number;
	/** Unix milliseconds. */
	readonly created_at: number;
}

export const VIEWS = ['new', 'bonding', 'bonded'] as const;
export type ViewName = (typeof VIEWS)[number];

/** A service whose market moves by hand alone, and a proxy with faults before it. */
export interface FaultyService {
	readonly proxy: FaultProxy;
	readonly apiKey: string;
	/** The market moves once: figures change, a token comes, one goes, one changes columns. */
	move(): void;
	/** The market moves every 50 ms with these faults, for this long or until each has struck; then both stop. */
	suffer(faults: readonly Fault[], forMs: number): Promise<void>;
	/** The service's own response for the views, in its order, requested around the proxy. */
	truth(): Promise<Readonly<Record<ViewName, readonly Figures[]>>>;
	close(): Promise<void>;
}

const MOVE_MS = 50;
const TOKENS = 36;

/** Opens one with tokens in each of the three views. */
export async function openFaultyService(
	options: Partial<ServiceOptions> & {seed?: number} = {},
): Promise<FaultyService> {
	const {seed = 1, ...serviceOptions} = options;
	const market = new TinyMarket();
	market.time = Date.now();
	const service: RunningService = await startService({market, flushMs: 20, ...serviceOptions});
	const apiKey = service.apiKeys[0]!;
	const proxy = await startFaultProxy({target: service.url, seed});
	let moves = 0;

	for (let i = 0; i < TOKENS; i++) launchToken(market, TOKENS);

	function move(): void {
		moves++;
		const some = (step: number) => (moves * step) % market.rows.length;
		market.time += MOVE_MS;
		for (const step of [3, 7, 11]) {
			const at = some(step);
			if ((market.table.bits[at]! & ROW.live) === 0) continue;
			market.change(at, {
				market_cap: 10_000 + ((moves * 137 + at) % 900) * 100,
				volume_1h: moves,
				holders_count: 10 + moves,
			});
		}
		if (moves % 5 === 0) launchToken(market, TOKENS);
		if (moves % 7 === 0) market.free(some(13));
	}

	return {
		proxy,
		apiKey,
		move,
		async suffer(faults, forMs) {
			const struck = () => faults.map(({kind}) => proxy.strikes.get(kind) ?? 0);
			const before = struck();
			proxy.set(faults);
			const moving = setInterval(move, MOVE_MS);
			const startedMs = performance.now();
			const isFelt = () => struck().every((strikes, at) => strikes > before[at]!);
			while (performance.now() - startedMs < forMs || !isFelt()) {
				await new Promise(resolve => setTimeout(resolve, MOVE_MS));
			}
			clearInterval(moving);
			proxy.set([]);
		},
		async truth() {
			// As the screen requests them.
			const sorts = {new: 'created_at', bonding: 'market_cap', bonded: 'bonded_at'} as const;
			const views = VIEWS.map(name => ({name, model: name, limit: 100, sortBy: sorts[name], sortOrder: 'desc'}));
			const response = await fetch(`${service.url}/api/2/pulse`, {
				method: 'POST',
				headers: {'content-type': 'application/json', authorization: apiKey},
				body: JSON.stringify({assetMode: true, views}),
			});
			const body = (await response.json()) as Record<ViewName, {data: Record<string, unknown>[]}>;
			const read = (name: ViewName): Figures[] =>
				body[name].data.map(entry => ({
					key: `${entry['chainId']}|${entry['address']}`,
					symbol: String(entry['symbol']),
					market_cap: Number(entry['market_cap']),
					volume_1h: Number(entry['volume_1h']),
					holders_count: Number(entry['holders_count']),
					bonding_percentage: Number(entry['bondingPercentage']),
					created_at: Date.parse(String(entry['created_at'])),
				}));
			return {new: read('new'), bonding: read('bonding'), bonded: read('bonded')};
		},
		async close() {
			await proxy.close();
			await service.close();
		},
	};
}
