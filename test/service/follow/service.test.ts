import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import type {Client} from '../../../source/client/client.ts';
import {createClient} from '../../../source/client/create-client.ts';
import type {Feed} from '../../../source/client/feed/feed-events.ts';
import type {Entry} from '../../../source/contract/entry.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {spawnService} from '../../../source/service/spawn-service.ts';
import {openWorld, type World} from '../../helpers/follow-world.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';

/* The service as the monitor starts it, in a thread, over a chain of its own: from a transaction to a row of a client. */

let world: World;
let service: RunningService;
let client: Client;
let feed: Feed;
const rows = new Map<string, Entry>();
const faults: string[] = [];

beforeAll(async () => {
	world = await openWorld({chain: 'bnb', live: true});
	service = await spawnService({
		follow: {chains: [{chainId: 'evm:56', name: 'bnb', urls: [world.url], confirmations: 0}]},
		onFault: text => faults.push(text),
	});
	client = createClient({baseUrl: service.url, streamUrl: service.streamUrl, apiKey: service.apiKeys[0]});
	feed = client.openFeed({
		request: {assetMode: true, views: {new: {model: 'new', limit: 50}}},
		onEvent(event) {
			if (event.type === 'snapshot') rows.clear();
			if (event.type === 'snapshot') for (const entry of event.entries) rows.set(entry.address.toLowerCase(), entry);
			if (event.type === 'change') for (const entry of event.upserts) rows.set(entry.address.toLowerCase(), entry);
		},
	});
});
afterAll(async () => {
	feed?.close();
	await client?.close();
	await service?.close();
	await world?.close();
});

const until = (check: () => unknown) => vi.waitFor(check, {timeout: PATIENCE_MS, interval: 50});

test('a launch made by a transaction is a row of a client, and climbs with what is bought', async () => {
	await until(async () => expect((await client.facts()).follow?.[0]?.state).toBe('live'));
	const token = await world.launch({venue: 'four-meme', symbol: 'REAL', by: 'maker'});
	const row = (): Entry | undefined => rows.get(token.address.toLowerCase());
	await until(() => expect([...rows.values()].map(({symbol}) => symbol)).toEqual(['REAL']));
	expect(row()?.symbol).toBe('REAL');
	await world.buy(token, 'buyer', 1);
	await until(() => expect(row()?.buys_1h).toBe(1));
	expect(row()?.chain_id).toBe('evm:56');
	expect(row()?.bonding_percentage).toBeGreaterThan(0);
	const [chain] = (await client.facts()).follow!;
	expect(chain).toMatchObject({name: 'bnb', nodes: 1, gapCount: 0, tokens: 1});
	expect(chain!.head).toBe((await world.head()).number);
	expect(faults).toEqual([]);
});

test('what moves money is refused with the reason', async () => {
	await expect(client.call('devChains', {})).rejects.toMatchObject({
		status: 404,
		why: expect.stringContaining('follows real chains'),
	});
});
