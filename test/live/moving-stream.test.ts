import type {AddressInfo} from 'node:net';
import {connect, createServer, type Server, type Socket} from 'node:net';
import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {createClient} from '../../source/client/create-client.ts';
import {openFeedThread} from '../../source/client/remote/open-feed-thread.ts';
import {readAlertRule} from '../../source/monitor/alerts/alert-rules.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import {openSession, type Session} from '../../source/monitor/session.ts';
import type {MonitorState} from '../../source/monitor/state.ts';
import {startService} from '../../source/service/server.ts';
import type {RunningService} from '../../source/service/service-options.ts';
import {createStore, type Store} from '../../source/store.ts';
import {until} from '../helpers/until.ts';
import {TinyLog} from '../service/helpers/tiny-log.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';

/* The monitor's state on a real service that says positions, reached at two addresses, one of which is cut. */

/** An address of the service: a door that can be shut, which cuts every connection through it. */
class Door {
	readonly #sockets = new Set<Socket>();
	#server: Server | undefined;
	#port = 0;

	async open(to: string): Promise<void> {
		const {port} = new URL(to);
		this.#server = createServer(socket => {
			const beyond = connect(Number(port), '127.0.0.1');
			for (const [one, other] of [
				[socket, beyond],
				[beyond, socket],
			] as const) {
				this.#sockets.add(one);
				one.on('error', () => {});
				one.on('close', () => other.destroy());
				one.pipe(other);
			}
		});
		await new Promise<void>(resolve => this.#server!.listen(this.#port, '127.0.0.1', resolve));
		this.#port = (this.#server.address() as AddressInfo).port;
	}

	async shut(): Promise<void> {
		const closed = new Promise(resolve => this.#server!.close(resolve));
		for (const socket of this.#sockets) socket.resetAndDestroy();
		this.#sockets.clear();
		await closed;
	}

	get host(): string {
		return `127.0.0.1:${this.#port}`;
	}
}

let log: TinyLog;
let market: TinyMarket;
let service: RunningService;
let doors: [Door, Door];
let client: Client;
let session: Session;
let store: Store<MonitorState>;
let tokens = 0;
/** Whose stream is never cut. */
let reader: Client;
let seen: Set<string | undefined>;

beforeEach(async () => {
	log = new TinyLog();
	market = new TinyMarket({log});
	tokens = 0;
	for (let n = 0; n < 3; n++) launch(60_000);
	service = await startService({market, apiKeys: ['k'], flushMs: 10});
	doors = [new Door(), new Door()];
	for (const door of doors) await door.open(service.url);
	const rule = readAlertRule('@new mcap>50k');
	if (!rule.ok) throw new Error(rule.problem);
	store = createStore(
		initialState({
			size: {columns: 100, rows: 24},
			nowMs: Date.now(),
			service: {label: 'a service', embedded: false},
			theme: 'dark',
			columns: {new: {limit: 2}},
			rules: [rule.rule],
		}),
	);
	client = createClient({baseUrl: doors.map(({host}) => `http://${host}`), apiKey: 'k'}, openFeedThread());
	session = openSession(store, client);
	reader = createClient({baseUrl: service.url, apiKey: 'k'});
	seen = new Set();
	reader.openFeed({
		request: {assetMode: true, views: {new: {model: 'new', limit: 2}}},
		onEvent: event => {
			if (event.type === 'change') for (const {symbol} of event.upserts) seen.add(symbol);
		},
	});
	await until(() => symbols().length === 2 && store.get().link?.phase === 'live');
});
afterEach(async () => {
	session.close();
	await Promise.all([client.close(), reader.close()]);
	await service.close();
	for (const door of doors) await door.shut().catch(() => {});
});

/** A token that is newer than all others. */
function launch(market_cap: number): void {
	const n = tokens++;
	const address = `0x${n.toString(16).padStart(40, '0')}`;
	const of = {bonded: false, source: 'pumpfun', latest_price: 2};
	market.add({...of, address, symbol: `T${n}`, created_at: market.time + n, market_cap});
	log.head++;
}

/** Of the rows that are in the view, in any order: the order of the screen settles later. */
const symbols = (): string[] =>
	[...store.get().columns.new.rows.values()]
		.flatMap(({entry, departed}) => (departed ? [] : (entry.symbol ?? [])))
		.toSorted();
const rung = (): string[] =>
	store
		.get()
		.alerts.recent.map(({symbol}) => symbol)
		.toReversed();
const used = (): number => doors.findIndex(({host}) => host === store.get().link?.address);
const lastLoss = () => store.get().lastLoss;

/** Launches, and waits until a reader that was not cut off has seen it. */
async function launchInRound(market_cap: number): Promise<void> {
	launch(market_cap);
	await until(() => seen.has(`T${tokens - 1}`));
}

test('what came and went while the address was lost rings once, and neither the rows before nor a second move rings', async () => {
	const [from, to] = used() === 0 ? doors : doors.toReversed();
	await Promise.all([from!.shut(), to!.shut()]);
	await launchInRound(70_000);
	await launchInRound(10);
	await launchInRound(80_000);
	await launchInRound(90_000);
	await to!.open(service.url);
	await until(() => lastLoss() !== undefined);
	expect(symbols()).toEqual(['T5', 'T6']);
	expect(lastLoss()).toMatchObject({movedTo: to!.host, isRecovered: true});
	expect(lastLoss()?.missed.map(({view, entry}) => `${entry.symbol} ${view}`)).toEqual(['T3 new', 'T4 new']);
	expect(store.get().notice?.text).toContain(`Moved to ${to!.host} · 2 launches came and went meanwhile.`);
	expect(rung().toSorted()).toEqual(['T3', 'T5', 'T6']);

	const before = lastLoss();
	await from!.open(service.url);
	await to!.shut();
	await until(() => lastLoss() !== before);
	expect(store.get().notice?.text).toBe(`Moved to ${from!.host} · nothing was missed.`);
	expect(rung()).toHaveLength(3);
	launch(99_000);
	await until(() => rung().includes('T7'));
	expect(rung()).toHaveLength(4);
});

test('a market that stands still ages the rows over a live stream, until it goes on', async () => {
	log.stale = 7000;
	const ageMs = () => Date.now() - store.get().columns.new.dataAtMs!;
	await until(() => store.get().columns.new.staleSinceMs !== undefined);
	expect(store.get().link?.phase).toBe('live');
	expect(ageMs()).toBeGreaterThan(6500);
	log.stale = undefined;
	launch(5);
	await until(() => store.get().columns.new.staleSinceMs === undefined && ageMs() < 3000);
});
