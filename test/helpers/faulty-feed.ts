import {isDeepStrictEqual} from 'node:util';
import type {Client} from '../../source/client/client.ts';
import {createClient} from '../../source/client/create-client.ts';
import type {Entry} from '../../source/contract/entry.ts';
import type {Fault} from '../chaos/fault.ts';
import {type Figures, openFaultyService, VIEWS, type ViewName} from './faulty-service.ts';
import {PATIENCE_MS} from './patience.ts';

/** A client that reads the three views of a service through a proxy with faults. */
export interface FaultyFeed {
	readonly client: Client;
	/**
	 * Turns the faults on for a while, and returns the milliseconds from their end until the feed is live and has emitted
	 * what the service says. @throws Error when that takes longer than it may
	 */
	recovery(faults: readonly Fault[], times: {readonly sufferMs: number; readonly withinMs: number}): Promise<number>;
	close(): Promise<void>;
}

const LOOK_MS = 10;
/** A date header tells whole seconds. */
const CLOCK_OFF_MS = 1_100;

/** Waits of client and service, where they differ from the defaults. */
export interface Waits {
	/** Of the client, until a silent stream counts as dead. */
	readonly silenceMs?: number;
	/** Of the client, between two requests for totals, which bring the service's clock as well. */
	readonly totalsEveryMs?: number;
	/** Of the service, between two full views of a subscription. */
	readonly syncMs?: number;
}

export async function openFaultyFeed({silenceMs, totalsEveryMs, syncMs}: Waits = {}): Promise<FaultyFeed> {
	const service = await openFaultyService(syncMs === undefined ? {} : {syncMs});
	const {proxy, apiKey} = service;
	const client = createClient({baseUrl: proxy.url, apiKey, ...(silenceMs === undefined ? {} : {silenceMs})});
	const told = new Map<string, Map<string, Entry>>(VIEWS.map(name => [name, new Map()]));
	const feed = client.openFeed({
		request: {
			assetMode: true,
			views: Object.fromEntries(VIEWS.map(name => [name, {model: name, limit: 100}])),
		},
		...(totalsEveryMs === undefined ? {} : {totalsEveryMs}),
		onEvent(event) {
			if (event.type === 'snapshot') told.set(event.view, new Map(event.entries.map(entry => [entry.key, entry])));
			if (event.type !== 'change') return;
			const view = told.get(event.view)!;
			for (const entry of event.upserts) view.set(entry.key, entry);
			for (const key of event.removed) view.delete(key);
		},
	});
	/** What was emitted of a view, as the service would list it; the order is up to the reader. */
	const believes = (name: ViewName) =>
		[...told.get(name)!.values()].map(entry => ({
			key: entry.key,
			symbol: entry.symbol,
			market_cap: entry.market_cap,
			volume_1h: entry.volume_1h,
			holders_count: entry.holders_count,
			bonding_percentage: entry.bonding_percentage,
			created_at: entry.created_at,
		}));

	async function untilRight(withinMs: number): Promise<void> {
		const truth = await service.truth();
		const deadlineMs = performance.now() + withinMs;
		const wrong = () => VIEWS.filter(name => !isDeepStrictEqual(byKey(believes(name)), byKey(truth[name])));
		const isClockRight = () => Math.abs(client.clock.skewMs) < CLOCK_OFF_MS;
		while (feed.link.phase !== 'live' || !isClockRight() || wrong().length > 0) {
			if (performance.now() > deadlineMs) {
				const {phase, error} = feed.link;
				throw new Error(
					`not right after ${withinMs} ms: ${phase} (${error?.why}), skew ${client.clock.skewMs} ms, wrong: ${wrong()}`,
				);
			}
			await new Promise(resolve => setTimeout(resolve, LOOK_MS));
		}
	}

	await untilRight(PATIENCE_MS);
	return {
		client,
		async recovery(faults, {sufferMs, withinMs}) {
			await service.suffer(faults, sufferMs);
			const endedMs = performance.now();
			await untilRight(withinMs);
			return performance.now() - endedMs;
		},
		async close() {
			await client.close();
			await service.close();
		},
	};
}

function byKey<T extends Pick<Figures, 'key'>>(rows: readonly T[]): T[] {
	return rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}
