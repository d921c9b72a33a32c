import {afterEach, expect, test} from 'vitest';
import {createClient} from '../../../source/client/create-client.ts';
import {endpointOf} from '../../../source/contract/endpoints.ts';
import {healthSchema} from '../../../source/contract/health.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {coverageOf} from '../../helpers/coverage.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

/* A service over a market that is read from nodes of real chains. */

let service: RunningService | undefined;
afterEach(async () => service?.close());

async function start(coverage = () => [coverageOf('base')]): Promise<RunningService> {
	const market = Object.assign(new TinyMarket(), {coverage});
	service = await startService({market, apiKeys: ['k']});
	return service;
}

test('/health has how much of each chain is seen, with the lag of this moment', async () => {
	const blockTime = new Date(Date.now() - 60_000).toISOString();
	const {url} = await start(() => [coverageOf('base', {blockTime, lagMs: 5}), coverageOf('bnb')]);
	const health = healthSchema().parse(await (await fetch(`${url}/health`)).json());
	expect(health.market).toBeUndefined();
	expect(health.history).toBe('complete');
	expect(health.follow?.map(({name}) => name)).toEqual(['base', 'bnb']);
	expect(health.follow![0]!.lagMs).toBeGreaterThanOrEqual(60_000);
	expect(health.follow![1]!.lagMs).toBe(1200);
});

test('the past of a chain counts as history that is still loaded', async () => {
	const {url} = await start(() => [coverageOf('base', {state: 'backfilling'})]);
	const client = createClient({baseUrl: url, apiKey: 'k'});
	const {history, follow} = await client.facts();
	await client.close();
	expect(history).toBe('loading');
	expect(follow).toEqual([coverageOf('base', {state: 'backfilling'})]);
});

test('a service without chains reports none', async () => {
	service = await startService({market: new TinyMarket(), apiKeys: ['k']});
	expect(await (await fetch(`${service.url}/health`)).json()).not.toHaveProperty('follow');
});

/** Parts that need more than the feed, each by one of its calls. */
const REFUSED = ['bridgeQuote', 'devChains', 'devFaucet', 'perpOpen', 'marketsBatch', 'vaultStatus'] as const;

test('what is not read from nodes is refused, with the reason', async () => {
	const {url} = await start();
	for (const id of REFUSED) {
		const {method, path} = endpointOf(id);
		const headers = {'x-api-key': 'k', authorization: 'Bearer k', 'content-type': 'application/json'};
		const response = await fetch(url + path, {method, headers, ...(method === 'POST' && {body: '{}'})});
		expect(response.status, id).toBe(404);
		expect(JSON.stringify(await response.json()), id).toContain('follows real chains');
	}
});
