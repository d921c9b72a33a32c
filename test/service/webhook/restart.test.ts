import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import type {RunningService, ServiceOptions} from '../../../source/service/service-options.ts';
import {waitFor} from '../chain/practice.ts';
import {ask} from '../helpers/http-client.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';
import {answers, expectSigned, openReceiver, type Received} from './receiver.ts';

const children: ChildProcess[] = [];
const directories: string[] = [];
afterEach(async () => {
	for (const child of children.splice(0)) await kill(child);
	for (const directory of directories.splice(0)) await rm(directory, {recursive: true});
});

async function kill(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	child.kill('SIGKILL');
	await once(child, 'exit');
}

async function run(directory: string): Promise<{child: ChildProcess; url: string}> {
	const file = new URL('./service-child.ts', import.meta.url).pathname;
	const child = spawn(process.execPath, [file, directory], {stdio: ['ignore', 'pipe', 'inherit']});
	children.push(child);
	const [line] = (await once(child.stdout!, 'data')) as [Buffer];
	return {child, url: line.toString().trim()};
}

const idOf = ({headers}: Received): string => String(headers['x-webhook-delivery']);

test('a webhook to a private target, allowed once, gets nothing from a service that does not allow it', async () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-webhooks-'));
	directories.push(dataDir);
	const receiver = await openReceiver();
	const open = async (options: Partial<ServiceOptions>) => {
		const market = new TinyMarket();
		const token = '0x00000000000000000000000000000000000000aa';
		market.add({address: token, symbol: 'AAA', decimals: 9, quote: '0x00000000000000000000000000000000000000bb'});
		const service = await startService({market, apiKeys: ['secret'], dataDir, ...options});
		return {market, service, token};
	};
	const before = await open({allowPrivateWebhooks: true});
	const body = {name: 'n', chainIds: ['evm:8453'], events: ['transfer'], apiKey: 'secret', url: receiver.url};
	const {id} = (await ask(before.service, 'POST', '/api/1/webhook', {body})).json;
	await before.service.close();

	const {market, service, token} = await open({});
	try {
		await waitFor(() => market.listeners === 1);
		const at = {timeMs: market.time, chainId: 'evm:8453', token, block: 1};
		market.emit({type: 'transfer', ...at, from: token, to: token, amountToken: 1});
		const deliveries = async () =>
			(await ask(service, 'GET', `/api/1/webhook/${id}/deliveries?apiKey=secret`)).json.data;
		await waitFor(async () => (await deliveries()).deadLettersCount === 1);
		expect((await deliveries()).deadLetters[0]).toMatchObject({
			attempts: 1,
			reason: expect.stringContaining('private'),
		});
		expect(receiver.received).toEqual([]);
	} finally {
		await service.close();
	}
});

test('a service that makes its own key for each run shows the webhooks of the runs before, so that they can be ended', async () => {
	const dataDir = mkdtempSync(join(tmpdir(), 'pulsetop-webhooks-'));
	directories.push(dataDir);
	const open = (apiKeys: readonly string[]) => startService({market: new TinyMarket(), dataDir, apiKeys});
	const list = async (service: RunningService) =>
		(await ask(service, 'GET', `/api/1/webhook?apiKey=${service.apiKeys[0]}`)).json.data;
	const first = await open([]);
	const body = {name: 'n', chainIds: ['evm:8453'], events: ['swap'], url: 'https://93.184.216.34/'};
	const {id} = (await ask(first, 'POST', '/api/1/webhook', {body: {...body, apiKey: first.apiKeys[0]}})).json;
	await first.close();

	const second = await open([]);
	expect(second.apiKeys).not.toEqual(first.apiKeys);
	expect(await list(second)).toMatchObject([{id, apiKey: second.apiKeys[0]}]);
	await second.close();

	// Configured keys separate owners: a webhook made without keys belongs to none of them.
	const shared = await open(['one', 'two']);
	expect(await list(shared)).toEqual([]);
	await shared.close();

	const third = await open([]);
	const gone = await ask(third, 'DELETE', `/api/1/webhook/${id}?apiKey=${third.apiKeys[0]}`);
	expect([gone.status, await list(third)]).toEqual([200, []]);
	await third.close();
});

test('a service that is killed delivers after its restart what had not arrived, and the webhook goes on', async () => {
	const directory = mkdtempSync(join(tmpdir(), 'pulsetop-webhooks-'));
	directories.push(directory);
	// Takes everything and never answers: nothing has arrived as far as the service knows.
	const receiver = await openReceiver(() => {});
	const first = await run(directory);
	const created = await fetch(`${first.url}/api/1/webhook`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify({
			name: 'n',
			chainIds: ['solana:solana'],
			events: ['swap'],
			apiKey: 'secret',
			url: receiver.url,
			filters: {gte: ['amountUSD', 200]},
		}),
	});
	const {id, webhookSecret} = (await created.json()) as {id: string; webhookSecret: string};
	const before = await receiver.first(5);
	await kill(first.child);

	receiver.behave(answers(200));
	receiver.received.length = 0;
	const {url} = await run(directory);
	const missing = new Set(before.map(idOf));
	await waitFor(() => {
		for (const one of receiver.received) missing.delete(idOf(one));
		return missing.size === 0 && receiver.received.length > before.length + 3;
	});
	const again = receiver.received.find(one => idOf(one) === idOf(before[0]!))!;
	expect(again.text).toBe(before[0]!.text);
	expectSigned(again, webhookSecret);
	const response = await fetch(`${url}/api/1/webhook/${id}/deliveries?apiKey=secret`);
	expect(await response.json()).toMatchObject({data: {id, deadLettersCount: 0, dropped: 0}});
});
