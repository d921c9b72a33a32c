import {describe, expect, test} from 'vitest';
import {createMarket} from '../../../source/service/market/create-market.ts';
import type {TradeEvent, TransferEvent} from '../../../source/service/market/events.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';
import {blockIdentity, deliveryId, EventIdentities} from '../../../source/service/webhook/delivery-id.ts';
import {createWebhooks} from '../../../source/service/webhook/webhooks.ts';
import {waitFor} from '../chain/practice.ts';

const CHAINS = ['solana:solana', 'evm:8453', 'evm:56', 'evm:1'];
const START_MS = 1_764_140_000_000;

interface Sent {
	readonly id: string;
	/** The event as a receiver knows it again, without its time. */
	readonly name: string;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of any event
function nameOf(body: any): string {
	switch (body.type) {
		case 'transfer':
			return ['transfer', body.data.tokenAddress, body.data.from, body.data.to].join();
		case 'launchpad':
			return ['launchpad', body.tokenAddress, body.action].join();
		case 'block':
			return ['block', body.chainId, body.blockHeight].join();
		default:
			return [body.type, body.transactionHash].join();
	}
}

test('a simulated market that begins again sends the same events under the same ids', async () => {
	const database = openSqlite(undefined);
	/** What a run of 20 seconds sends. */
	const run = async (startMs: number): Promise<Sent[]> => {
		const sent: Sent[] = [];
		const market = createMarket({seed: 5, nowMs: () => startMs});
		market.fill();
		const webhooks = await createWebhooks({
			market,
			database,
			allowPrivate: true,
			queue: 1e6,
			parallel: 256,
			onError: error => expect.fail(String(error)),
			poster: {
				async post(_hook, _url, headers, body) {
					sent.push({id: headers['X-Webhook-Delivery']!, name: nameOf(JSON.parse(body))});
					return {isDone: true, status: 200, reason: null, isFinal: false};
				},
				drop() {},
				async close() {},
			},
		});
		if ((await webhooks.list('key')).length === 0) {
			const events = ['swap', 'swap-enriched', 'transfer', 'launchpad', 'block'] as const;
			await webhooks.create('key', {name: 'n', chainIds: CHAINS, events, url: 'https://127.0.0.1/'});
		}
		const {id} = (await webhooks.list('key'))[0]!;
		const before = (await webhooks.deliveries('key', id, {limit: 1, offset: 0})).delivered;
		for (let ms = 100; ms <= 20_000; ms += 100) market.advance(startMs + ms);
		await waitFor(async () => {
			const {delivered, pending} = await webhooks.deliveries('key', id, {limit: 1, offset: 0});
			return delivered >= before + sent.length && sent.length > 0 && pending === 0;
		});
		await webhooks.close();
		return sent;
	};
	const first = await run(START_MS);
	const second = await run(START_MS + 12_345);
	for (const sent of [first, second]) expect(new Set(sent.map(({id}) => id)).size).toBe(sent.length);
	const ids = new Map(first.map(({id, name}) => [name, id]));
	const again = second.filter(({name}) => ids.has(name));
	expect(again.filter(({id, name}) => ids.get(name) !== id)).toEqual([]);
	for (const type of ['swap,', 'swap-enriched,', 'launchpad,'])
		expect(again.filter(({name}) => name.startsWith(type)).length, type).toBeGreaterThan(0);
	const known = new Set(first.map(({id}) => id));
	expect(second.filter(({id, name}) => known.has(id) && !ids.has(name))).toEqual([]);
});

test('transfers of a simulated market that begins again are the same', () => {
	const transfers = (startMs: number): string[] => {
		const identities = new EventIdentities(true);
		const names: string[] = [];
		const market = createMarket({seed: 5, nowMs: () => startMs});
		market.onEvent(event => {
			if (event.type === 'transfer') names.push(identities.next(event));
		});
		for (let s = 1; s <= 240; s++) market.advance(startMs + s * 1000);
		return names;
	};
	const first = transfers(START_MS);
	expect(first.length).toBeGreaterThan(0);
	expect(new Set(first).size).toBe(first.length);
	const again = transfers(START_MS + 12_345);
	expect(again.filter(name => first.includes(name)).length).toBeGreaterThan(first.length / 2);
});

describe('events of a followed chain', () => {
	const place = {timeMs: 1, chainId: 'evm:1', token: '0xaa', block: 5} as const;
	const trade: TradeEvent = {
		type: 'trade',
		...place,
		pool: null,
		wallet: '0x01',
		side: 'buy',
		amountToken: 3,
		amountQuote: 1,
		valueUSD: 1,
		feeUSD: null,
		quoteUSD: 1,
		tx: '0x11',
		platform: null,
	};
	const transfer: TransferEvent = {type: 'transfer', ...place, from: '0x01', to: '0x02', amountToken: 3};
	const named = (events: readonly (TradeEvent | TransferEvent)[]) => {
		const identities = new EventIdentities(false);
		return events.map(event => identities.next(event));
	};

	test('are different when anything but their block differs, and when they are equal within a transaction', () => {
		const events = [
			trade,
			transfer,
			{...trade, chainId: 'evm:10'},
			trade,
			{...trade, amountToken: 4},
			{...trade, side: 'sell'} as const,
			{...trade, pool: '0xb0'},
			{...trade, wallet: '0x03'},
			{...trade, tx: '0x12'},
			{...trade, chainId: 'evm:56'},
			{...trade, token: '0xab'},
			{...trade, tx: null},
			{...trade, tx: null, block: 6},
			transfer,
			{...transfer, block: 6},
			{...transfer, amountToken: 4},
			{...transfer, to: '0x04'},
			{...transfer, taxOf: '0x11'},
		];
		expect(new Set(named(events)).size).toBe(events.length);
	});

	test('are the same in another block, when their transaction names them', () => {
		const later = {...trade, block: 9, timeMs: 7, valueUSD: null};
		expect(named([later, later])).toEqual(named([trade, trade]));
	});

	test('have an id for each webhook and each form', () => {
		const [name] = named([trade]) as [string];
		const ids = [
			deliveryId('w1', name, 'swap'),
			deliveryId('w2', name, 'swap'),
			deliveryId('w1', name, 'swap-enriched'),
			deliveryId('w1', blockIdentity(trade), 'block'),
			deliveryId('w1', blockIdentity({...trade, block: 6}), 'block'),
		];
		expect(new Set(ids).size).toBe(ids.length);
		for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
	});
});
