import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import type {Database} from '../../../source/service/store/database.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {DeliveryQueue, QUEUE_MAX} from '../../../source/service/webhook/delivery-queue.ts';
import {MarketEnqueuer} from '../../../source/service/webhook/market-enqueuer.ts';
import {createWebhookStore} from '../../../source/service/webhook/webhook-store.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

const TOKEN = '0x00000000000000000000000000000000000000aa';
const CHAIN = 'evm:8453';

let market: TinyMarket;
let isBroken: boolean;
let errors: unknown[];
let enqueuer: MarketEnqueuer;
let store: Awaited<ReturnType<typeof createWebhookStore>>;
let database: Database;

beforeEach(async () => {
	vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']});
	market = new TinyMarket();
	market.add({address: TOKEN, symbol: 'AAA', decimals: 9, quote: '0x00000000000000000000000000000000000000bb'});
	isBroken = false;
	errors = [];
	const real = openSqlite(undefined);
	database = {
		...real,
		transaction: (act, options) => (isBroken ? Promise.reject(new Error('disk full')) : real.transaction(act, options)),
	};
	store = await createWebhookStore(database);
	await store.insert({
		...{id: 'w1', owner: 'o', name: 'n', chainIds: [CHAIN], events: ['transfer'], url: 'https://example.com/'},
		...{secret: 's', createdAtMs: 1, filters: null, since: null},
	});
	const queue = new DeliveryQueue(database, {owner: 'a'});
	enqueuer = new MarketEnqueuer({
		market,
		queue,
		webhooks: () => store.webhooks(),
		onEnqueued: () => {},
		onError: error => errors.push(error),
	});
	await enqueuer.start();
});
afterEach(async () => {
	await enqueuer.stop();
	vi.useRealTimers();
});

let transfers = 0;
function transfer(): void {
	const block = ++transfers;
	market.emit({
		type: 'transfer',
		timeMs: market.time,
		chainId: CHAIN,
		token: TOKEN,
		block,
		from: TOKEN,
		to: TOKEN,
		amountToken: 1,
	});
}
const turn = () => new Promise(resolve => setImmediate(resolve));
const queued = async () => (await database.all('SELECT id FROM webhook_deliveries')).length;
const dropped = async () => (await store.tally('w1')).dropped;

test('while the store fails nothing is lost: what came is enqueued when it works again', async () => {
	isBroken = true;
	for (let n = 0; n < 3; n++) {
		transfer();
		await turn();
	}
	await vi.advanceTimersByTimeAsync(3000);
	expect([await queued(), errors.length]).toEqual([0, 1]);
	isBroken = false;
	await vi.advanceTimersByTimeAsync(1000);
	expect([await queued(), await dropped()]).toEqual([3, 0]);
});

test('while the store fails for long a bounded number waits, and the rest is counted as dropped', async () => {
	isBroken = true;
	for (let n = 0; n < QUEUE_MAX + 5; n++) transfer();
	await turn();
	isBroken = false;
	await vi.advanceTimersByTimeAsync(1000);
	expect([await queued(), await dropped()]).toEqual([QUEUE_MAX, 5]);
	transfer();
	await turn();
	await turn();
	expect([await queued(), await dropped()]).toEqual([QUEUE_MAX, 6]);
});

test('what came right before the stop is enqueued', async () => {
	transfer();
	await enqueuer.stop();
	expect(await queued()).toBe(1);
});
