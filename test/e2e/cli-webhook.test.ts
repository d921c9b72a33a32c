import {readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {COMMAND_LINE} from '../../source/commands/command-table.ts';
import {WEBHOOK_EVENTS} from '../../source/contract/webhook.ts';
import {type Any, type MoneyHome, openMoneyHome} from '../helpers/money-cli.ts';
import {expectShape} from '../helpers/output-shape.ts';
import {type RunningServe, runShell, startServe} from '../helpers/program.ts';
import {expectSigned, openReceiver} from '../service/webhook/receiver.ts';

const KEY = 'pt_a_key_that_nobody_may_see_wxyz';
const CANARY = 'query-that-nobody-may-see';

let service: RunningServe;
beforeAll(async () => {
	service = await startServe(['--seed', '7', '--api-key', KEY, '--allow-private-webhooks']);
});
afterAll(() => service.stop());

let home: MoneyHome;
beforeEach(() => {
	home = openMoneyHome(`[service]\nbase-url = "${service.url}"\napi-key = "${KEY}"`);
});
afterEach(() => home.remove());

const listed = async (): Promise<Any[]> => (await home.json(['webhook', 'list'])).webhooks;

test('a webhook is created, listed, changed, inspected and deleted; its secret signs deliveries and is in one file only', async () => {
	const receiver = await openReceiver();
	const target = `${receiver.url}?token=${CANARY}`;
	const file = join(home.dataDir, '..', '..', 'hook.secret');
	const made = await home.json([
		...['webhook', 'create', 'whales', '--url', target, '--filter', 'amountUSD>=1'],
		...['--event', 'swap', '--chain', 'solana', '--chain', 'base', '--secret-file', file],
	]);
	expectShape('webhook', made);
	const {id} = made.webhook;
	expect(made.webhook).toMatchObject({
		name: 'whales',
		url: `${receiver.url}?****`,
		key: '****wxyz',
		events: ['swap'],
		chainIds: ['solana:solana', 'evm:8453'],
		filter: 'amountUSD>=1',
		filters: {gte: ['amountUSD', 1]},
	});
	const secret = readFileSync(file, 'utf8').trim();
	expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	const [first] = await receiver.first(1);
	expectSigned(first!, secret);
	expect(first!.json.amountUSD).toBeGreaterThanOrEqual(1);

	const all = await home.json(['webhook', 'list']);
	expectShape('webhook-list', all);
	expect(all.webhooks).toEqual([made.webhook]);
	const {stdout: table} = await home.run(['webhook', 'list']);
	expect(table).toMatch(/NAME +DELIVERS TO.*\nwhales .*\?\*\*\*\* .*amountUSD>=1 +\*\*\*\*wxyz/);
	const {stdout: csv} = await home.run(['webhook', 'list', '--format', 'csv']);
	expect(csv.split('\r\n')[1]).toContain('swap,solana:solana evm:8453,amountUSD>=1,****wxyz');

	const merged = await home.json(['webhook', 'update', id, '--merge', '--filter', 'poolType:pumpfun']);
	expectShape('webhook', merged);
	expect(merged.webhook.filter).toBe('amountUSD>=1 poolType:pumpfun');
	expect((await home.json(['webhook', 'update', id, '--no-filter'])).webhook.filters).toBeNull();

	const told = await home.json(['webhook', 'deliveries', id]);
	expectShape('webhook-deliveries', told);
	expect(told.deliveries).toMatchObject({id, deadLettersCount: 0, lastAttempt: {success: true, status: 200}});
	expect((await home.run(['webhook', 'deliveries', id])).stdout).toMatch(/delivered +\d+\nfailed +0 attempts/);

	const gone = await home.json(['webhook', 'delete', id]);
	expectShape('webhook-delete', gone);
	expect(await listed()).toEqual([]);
	const again = await home.json(['webhook', 'delete', id], {code: 1});
	expect(again.error.why).toContain('No such webhook');

	const config = Buffer.from(KEY);
	const seen = home.everything();
	expect(seen.filter(bytes => bytes.includes(secret))).toHaveLength(1);
	expect(seen.filter(bytes => bytes.includes(CANARY))).toEqual([]);
	// The configuration has the key, and nothing else.
	expect(seen.filter(bytes => bytes.includes(config))).toHaveLength(1);
});

test('where the service refuses a webhook no empty file is left for its secret, so the same line can be tried again', async () => {
	const file = join(home.dataDir, '..', '..', 'there');
	const create = ['webhook', 'create', 'w', '--url', 'https://u:p@example.com', '--secret-file', file];
	expect((await home.json(create, {code: 1})).error.why).toContain('must not carry a name or a password');
	expect(() => statSync(file)).toThrow('ENOENT');
	expect(await listed()).toEqual([]);
});

test('webhooks need a service that stays and an API key', async () => {
	const bare = openMoneyHome();
	try {
		expect((await bare.json(['webhook', 'list'], {code: 2})).error.what).toBe('Webhooks need a service that stays');
		const refused = await bare.json(['webhook', 'list', '--base-url', service.url], {code: 2});
		expect(refused.error.code).toBe('key-missing');
	} finally {
		bare.remove();
	}
});

/** Runs `webhook listen`, and ends it when the story is over. */
async function listening(args: readonly string[], story: () => Promise<void>, fds: readonly string[] = []) {
	let pid = 0;
	const running = home.run(['webhook', 'listen', ...args, '--json'], {
		fds,
		onStart: started => {
			pid = started;
		},
	});
	await story();
	process.kill(pid, 'SIGINT');
	const outcome = await running;
	return {
		...outcome,
		lines: outcome.stdout
			.split('\n')
			.filter(Boolean)
			.map(line => JSON.parse(line) as Any),
	};
}

test('listen creates a webhook for itself, prints signed deliveries, and Ctrl+C deletes the webhook', async () => {
	const {code, lines} = await listening(['--event', 'swap', '--filter', 'amountUSD>=5'], async () => {
		await expect.poll(listed).toHaveLength(1);
		const [{url, name, id}] = await listed();
		expect(name).toBe('pulsetop webhook listen');
		const stranger = await fetch(url, {method: 'POST', body: '{"type":"swap"}'});
		expect(stranger.status).toBe(401);
		await expect
			.poll(async () => (await home.json(['webhook', 'deliveries', id])).deliveries.delivered)
			.toBeGreaterThan(0);
	});
	expect(code).toBe(0);
	for (const line of lines) expectShape('webhook-delivery', line);
	expect(lines).toContainEqual({type: 'refused', atMs: expect.any(Number), why: 'missing'});
	const deliveries = lines.filter(({type}) => type === 'delivery');
	expect(deliveries.length).toBeGreaterThan(0);
	for (const {event, body} of deliveries) expect([event, body.amountUSD >= 5]).toEqual(['swap', true]);
	expect(await listed()).toEqual([]);
});

test('a closed stdout leaves no webhook behind', async () => {
	const env = {PULSETOP_BASE_URL: service.url, PULSETOP_API_KEY: KEY};
	const {code, stdout} = await runShell('pulsetop webhook listen --json | head -1', {env});
	expect([code, JSON.parse(stdout).type]).toEqual([0, 'delivery']);
	expect(await listed()).toEqual([]);
});

test('listen receives for an existing webhook, with its secret on a file descriptor, and does not delete it', async () => {
	const {port, close} = await openReceiver();
	await close();
	const made = await home.json([
		...['webhook', 'create', 'mine', '--url', `http://127.0.0.1:${port}/`, '--show-secret'],
	]);
	expectShape('webhook', made);
	const {id} = made.webhook;
	const {lines} = await listening(['--port', String(port), '--secret-fd', '3'], async () => {
		const success = async () => (await home.json(['webhook', 'deliveries', id])).deliveries.lastAttempt?.success;
		await expect.poll(success).toBe(true);
	}, [`${made.secret}\n`]);
	expect(lines[0]).toMatchObject({type: 'delivery', webhook: id, event: 'swap'});
	expect((await listed()).map(webhook => webhook.id)).toEqual([id]);
	await home.json(['webhook', 'delete', id]);
});

test('without configuration listen starts its own service, and ends after --count deliveries', async () => {
	const bare = openMoneyHome();
	try {
		const {code, stdout, stderr} = await bare.run(['webhook', 'listen', '--count', '3']);
		expect([code, stdout.trimEnd().split('\n')]).toEqual([
			0,
			[1, 2, 3].map(() => expect.stringMatching(/ swap +Solana +(buy|sell)/)),
		]);
		expect(stderr).toMatch(/^Receiving on http:\/\/127\.0\.0\.1:\d+\/ for the webhook/);
	} finally {
		bare.remove();
	}
});

test('the events that the command line offers are those of the contract', () => {
	const flags = COMMAND_LINE.commands.find(({name}) => name === 'webhook')!.subcommands!.flatMap(({flags}) => flags);
	for (const {choices} of flags.filter(({name}) => name === 'event')) expect(choices).toEqual(WEBHOOK_EVENTS);
});
