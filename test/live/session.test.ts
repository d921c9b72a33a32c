import {afterEach, beforeEach, expect, test} from 'vitest';
import type {Client} from '../../source/client/client.ts';
import {createClient} from '../../source/client/create-client.ts';
import {readAlertRule} from '../../source/monitor/alerts/alert-rules.ts';
import {ruleAdded, ruleToggled} from '../../source/monitor/alerts/alert-transitions.ts';
import {initialState} from '../../source/monitor/initial-state.ts';
import {createDetailLookups} from '../../source/monitor/requests/detail-lookups.ts';
import {openSession, type Session} from '../../source/monitor/session.ts';
import {columnChanged, detailOpened, viewsShown} from '../../source/monitor/transitions/screen.ts';
import {PHASES} from '../../source/monitor/views.ts';
import {startService} from '../../source/service/server.ts';
import type {RunningService} from '../../source/service/service-options.ts';
import {createStore} from '../../source/store.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';

/* The monitor's state on a real service, without a screen. */

const ADDRESSES = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000a2'];
let market: TinyMarket;
let service: RunningService;
let client: Client;
let session: Session;
const open = () =>
	createStore(
		initialState({
			size: {columns: 100, rows: 24},
			nowMs: Date.now(),
			service: {label: 'a service', embedded: false},
			theme: 'dark',
		}),
	);
let store: ReturnType<typeof open>;

beforeEach(async () => {
	market = new TinyMarket();
	for (const [n, address] of ADDRESSES.entries()) {
		market.add({
			...{address, symbol: `T${n}`, market_cap: 1000 + n, created_at: market.time - n, deployer: ADDRESSES[1]!},
			...{latest_price: 2, volume_1h: 10 - n, bonded: false, source: 'pumpfun'},
		});
	}
	service = await startService({market, apiKeys: ['k'], flushMs: 20});
	client = createClient({baseUrl: service.url, apiKey: 'k'});
	store = open();
	session = openSession(store, client);
});
afterEach(async () => {
	session.close();
	await client.close();
	await service.close();
});

const column = () => store.get().columns.new;

test('rows arrive, change, and are requested again when the sort of the column changes', async () => {
	await expect.poll(() => column().rows.size).toBe(2);
	market.change(0, {market_cap: 7777});
	await expect.poll(() => Array.from(column().rows.values(), row => row.entry.market_cap)).toContain(7777);
	store.apply(state => columnChanged(state, 'new', c => ({...c, sortBy: 'market_cap', sortOrder: 'asc', limit: 20})));
	market.change(1, {market_cap: 9999});
	await expect.poll(() => column().order).toEqual(ADDRESSES.map(address => `evm:8453|${address}`));
	session.pause();
	session.resume();
	session.retry();
	await expect.poll(() => store.get().link?.phase).toBe('live');
});

test('the pane looks up the whole entry, the labels and the price line of the token that it rests on', async () => {
	await expect.poll(() => column().rows.size).toBe(2);
	const [row] = column().rows.values();
	const {entry} = row!;
	store.apply(state => detailOpened(state, entry));
	const lookups = createDetailLookups(store, () => client);
	lookups.open(entry, '24h');
	const kinds = () => {
		const detail = store.get().detail;
		return [detail?.lookup, detail?.labels.kind, detail?.sparkline.kind];
	};
	await expect.poll(kinds).toEqual(['found', 'ready', 'ready']);
	lookups.setTimeFrame('1h');
	expect(store.get().detail?.sparkline.kind).toBe('loading');
	await expect.poll(kinds).toEqual(['found', 'ready', 'ready']);
	await service.close();
	lookups.setTimeFrame('24h');
	await expect.poll(() => store.get().detail?.sparkline.kind).toBe('failed');
	lookups.close();
});

test('holders and their labels stay in the pane while live entries come without holders', async () => {
	const holder = '0x00000000000000000000000000000000000000f1';
	market.holders.set(0, [{address: holder, balance: 5, balanceUSD: 10, tags: []}]);
	await expect.poll(() => column().rows.size).toBe(2);
	const {entry} = column().rows.get(`evm:8453|${ADDRESSES[0]}`)!;
	expect(entry.holders ?? []).toEqual([]);
	store.apply(state => detailOpened(state, entry));
	const lookups = createDetailLookups(store, () => client);
	lookups.open(entry, '24h');
	const pane = () => store.get().detail!;
	const labelled = () => {
		const {labels} = pane();
		return labels.kind === 'ready' ? [...labels.value.keys()] : [];
	};
	await expect.poll(() => labelled().toSorted()).toEqual([ADDRESSES[1], holder].toSorted());
	const lost: number[] = [];
	const stop = store.subscribe(() => {
		const {entry: shown, labels} = pane();
		const of = labels.kind === 'ready' ? labels.value : labels.kind === 'idle' ? undefined : labels.last;
		if (shown.holders?.[0]?.address !== holder || !of?.has(holder)) lost.push(shown.market_cap ?? 0);
	});
	for (const marketCap of [5001, 5002, 5003]) {
		market.change(0, {market_cap: marketCap});
		await expect.poll(() => pane().entry.market_cap).toBe(marketCap);
		await expect.poll(() => column().rows.get(`evm:8453|${ADDRESSES[0]}`)?.entry.market_cap).toBe(marketCap);
	}
	stop();
	lookups.close();
	expect(lost).toEqual([]);
});

test('a refused API key is reported in every column', async () => {
	const stranger = createClient({baseUrl: service.url, apiKey: 'wrong'});
	const other = open();
	const refused = openSession(other, stranger);
	const kinds = () => PHASES.map(view => other.get().columns[view].status.kind);
	await expect.poll(kinds).toEqual(['failed', 'failed', 'failed']);
	refused.close();
	await stranger.close();
});

test('TRENDING is read from the service while it is shown or a rule is for it, and nothing of it is kept after', async () => {
	await expect.poll(() => column().rows.size).toBe(2);
	const trending = () => store.get().columns.trending;
	expect(trending().status.kind).toBe('loading');
	store.apply(state => viewsShown(state, ['new', 'trending']));
	await expect.poll(() => trending().rows.size).toBe(2);
	await expect.poll(() => trending().total).toBe(2);
	// Trending tokens stand in NEW, too.
	expect(column().rows.size).toBe(2);
	market.change(1, {trending_score_24h: 50});
	market.change(0, {trending_score_24h: 7});
	await expect.poll(() => trending().order[0]).toBe(`evm:8453|${ADDRESSES[1]}`);
	store.apply(state => viewsShown(state, PHASES));
	expect(trending()).toMatchObject({rows: new Map(), order: [], status: {kind: 'loading'}});
	expect(trending()).not.toHaveProperty('total');
	market.change(1, {trending_score_24h: 51, market_cap: 4242});
	await expect.poll(() => column().rows.get(`evm:8453|${ADDRESSES[1]}`)?.entry.market_cap).toBe(4242);
	expect(trending().rows.size).toBe(0);
	const read = readAlertRule('@trending mcap>1');
	if (!read.ok) return expect.fail(read.problem);
	store.apply(state => ruleAdded(state, read.rule, Date.now()));
	await expect.poll(() => trending().rows.size).toBe(2);
	// The token comes to NEW, too, but rings for the column of its rule.
	market.add({
		...{address: '0x00000000000000000000000000000000000000a3', symbol: 'T3', market_cap: 7, created_at: market.time},
		...{trending_score_24h: 3, volume_1h: 1, bonded: false, source: 'pumpfun', deployer: ADDRESSES[1]!},
	});
	await expect
		.poll(() => store.get().alerts.recent.map(({symbol, view}) => `${symbol} ${view}`))
		.toEqual(['T3 trending']);
	store.apply(state => ruleToggled(state, '@trending mcap>1', Date.now()));
	expect(trending().rows.size).toBe(0);
});
