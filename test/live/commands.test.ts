import {spawnSync} from 'node:child_process';
import {chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {SIMULATED_MARKETS} from '../../source/contract/simulated-markets.ts';
import {startService} from '../../source/service/server.ts';
import {openTradingFiles} from '../../source/trading/open-trading.ts';
import {runHere} from '../helpers/commands-here.ts';
import {listenOnLoopback} from '../helpers/loopback.ts';
import {expectShape} from '../helpers/output-shape.ts';

/* Commands in this process, against a service of this process: every form that they print. */

let service: Awaited<ReturnType<typeof startService>>;
let home: string;
beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), 'pulsetop-here-'));
	service = await startService({seed: 7, rate: 0.1, auth: false, history: 'first'});
});
afterAll(async () => {
	await service?.close();
	rmSync(home, {recursive: true, force: true});
});

const here = (...argv: readonly string[]) => runHere(home, ...argv, '--base-url', service.url, '--api-key', 'k');
// biome-ignore lint/suspicious/noExplicitAny: documents of the program
const documentOf = ({stdout}: {readonly stdout: string}): any => JSON.parse(stdout);
const lines = (text: string) => text.trimEnd().split(/\r?\n/);

async function firstToken(chain?: string): Promise<{address: string; chain_id: string; symbol: string}> {
	const {views} = documentOf(await here('feed', '--view', 'bonding', '--json', ...(chain ? ['--chains', chain] : [])));
	return views.bonding.tokens[0];
}

describe('feed', () => {
	test('as JSON, lines, values and table', async () => {
		const json = documentOf(await here('feed', '--json', '--limit', '3'));
		expectShape('feed', json);
		expect(Object.keys(json.views)).toEqual(['new', 'bonding', 'bonded']);
		for (const {total, tokens} of Object.values<{total: number; tokens: unknown[]}>(json.views)) {
			expect(tokens).toHaveLength(3);
			expect(total).toBeGreaterThan(3);
		}
		const jsonl = lines((await here('feed', '--format', 'jsonl', '--limit', '2')).stdout).map(line => JSON.parse(line));
		expect(jsonl.map(({view}) => view)).toEqual(['new', 'new', 'bonding', 'bonding', 'bonded', 'bonded']);
		const csv = lines((await here('feed', '--format', 'csv', '--limit', '1', '--view', 'bonded')).stdout);
		expect(csv[0]).toMatch(/^view,chain_id,address,/);
		expect(csv).toHaveLength(2);
		const table = lines((await here('feed', '--limit', '2', '--view', 'bonded', '--ascii')).stdout);
		expect(table).toHaveLength(3);
		// Every bonded token has an age and a time since it bonded, of less than its age.
		for (const row of table.slice(1)) expect(row).toMatch(/^bonded .* \d+[smhd] +\d+[smhd] /);
	});

	test('with a filter, a sort and chains gives those tokens, in that order', async () => {
		const {views} = documentOf(
			await here(
				'feed',
				'--json',
				'--view',
				'bonded',
				'--filter',
				'mcap>10k',
				'--sort',
				'holders asc',
				'--chains',
				'sol',
			),
		);
		const {tokens} = views.bonded;
		expect(tokens.length).toBeGreaterThan(3);
		const holders = tokens.map(({holders_count}: {holders_count: number}) => holders_count);
		expect(holders).toEqual(holders.toSorted((a: number, b: number) => a - b));
		for (const {market_cap, chain_id} of tokens) {
			expect(market_cap).toBeGreaterThan(10_000);
			expect(chain_id).toBe('solana:solana');
		}
	});
});

describe('token', () => {
	test('has every field that is known, and the windows beside each other', async () => {
		const {address, symbol} = await firstToken('sol');
		const {stdout, code} = await here('token', address, '--ascii');
		expect(code).toBe(0);
		expect(stdout).toContain(symbol);
		expect(stdout).toMatch(/IN THE LAST +1m +5m +15m +1h +4h +6h +12h +24h/);
		expect(stdout).toMatch(/price_change +[-+]?\d/);
		const shown = documentOf(await here('token', address, '--json'));
		expectShape('token', shown);
	});

	test('of an EVM address needs its chain, and an unknown one is not found', async () => {
		const {address, chain_id} = await firstToken('bnb');
		expect(await here('token', address)).toMatchObject({code: 2, stderr: expect.stringContaining('needs its chain')});
		expect(await here('token', address, '--chain', chain_id)).toMatchObject({code: 0});
		expect(await here('token', address, '--chain', 'bsae')).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('The nearest is "base"'),
		});
		expect(await here('token', address, '--chain', 'nowhere')).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('It must be a chain id as evm:8453, or one of '),
		});
		expect((await here('token', address, '--chain', 'evm:99')).code).toBe(1);
	});
});

describe('sparkline', () => {
	test('of an address is drawn with its prices, at most a hundred cells wide', async () => {
		const {address} = await firstToken('sol');
		const {stdout, code} = await here('sparkline', address, '--time-frame', '1h');
		expect(code).toBe(0);
		const drawn = lines(stdout);
		expect(drawn).toHaveLength(9);
		expect(drawn.at(-1)).toMatch(/^min \$\S+ {2}max \$\S+ {2}last \$\S+$/);
		for (const line of drawn.slice(0, 8)) expect([...line].length).toBeLessThanOrEqual(100);
		const json = documentOf(await here('sparkline', address, '--json'));
		expectShape('sparkline', json);
		expect(json).toMatchObject({asset: address, blockchain: 'solana:solana'});
		const csv = lines((await here('sparkline', address, '--format', 'csv')).stdout);
		expect(csv.slice(0, 2)).toEqual(['index,value', expect.stringMatching(/^0,/)]);
		expect(csv).toHaveLength(json.points.length + 1);
	});

	test('of nothing, of two and of an unknown asset', async () => {
		expect(await here('sparkline')).toMatchObject({code: 2, stderr: expect.stringContaining('One asset is needed')});
		expect((await here('sparkline', 'a', 'b')).code).toBe(2);
		expect(await here('sparkline', 'zzz')).toMatchObject({code: 1, stderr: expect.stringContaining('no price line')});
		const {address} = await firstToken('bnb');
		expect(await here('sparkline', address)).toMatchObject({
			code: 2,
			stderr: expect.stringContaining('needs its chain'),
		});
		expect((await here('sparkline', address, '--chain', 'bnb')).code).toBe(0);
		expect((await here('sparkline', address, '--chain', 'base')).code).toBe(1);
	});
});

test('labels name wallets in the given order, each once, and what is unknown', async () => {
	const {views} = documentOf(await here('feed', '--json', '--view', 'new', '--limit', '20'));
	const [deployer, other] = [
		...new Set<string>(views.new.tokens.flatMap(({deployer}: {deployer?: string}) => deployer ?? [])),
	];
	const json = documentOf(await here('labels', deployer!, `${other},${deployer}`, 'nobody', '--json'));
	expectShape('labels', json);
	expect(json.wallets.map(({address}: {address: string}) => address)).toEqual([deployer, other, 'nobody']);
	const table = lines((await here('labels', deployer!, 'nobody', '--ascii')).stdout);
	expect(table[0]).toMatch(/^WALLET +LABELS +ENTITY +FUNDED +AMOUNT +FROM$/);
	expect(table[2]).toMatch(/^nobody +none +- +- +- +-$/);
	expect(table[1]).toMatch(/\d{4}-\d\d-\d\d/);
	expect(await here('labels', ' , ')).toMatchObject({code: 2, stderr: expect.stringContaining('No address is given')});
	expect(documentOf(await here('labels', deployer!, '--token', other!, '--json'))).toMatchObject({token: other});
	expect(json).not.toHaveProperty('token');
	// Copied from a page that hides the direction of reading in it.
	expect(await here('labels', deployer!, `a\u202Ebc`)).toEqual({
		code: 2,
		stdout: '',
		stderr: expect.stringMatching(
			/^pulsetop: The address 2 of 2 has characters that are not shown\n +Without them it is a\uFFFDbc\.\n/,
		),
	});
	const many = Array.from({length: 1001}, (_, at) => `w${at}`);
	expect(await here('labels', ...many)).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('1001 were given, 1000 is the most'),
	});
});

test('markets are shown with figures that are known, and those that are not by their mark', async () => {
	const [first] = SIMULATED_MARKETS;
	const shown = await here('market', 'show', first!, 'a:9', '--ascii');
	expect(shown).toMatchObject({code: 1, stderr: 'The response has no readable record of a:9.\n'});
	expect(shown.stdout).toMatch(
		/\nvolume +- in 24h, - total\nliquidity +-\ntrades +- in 24h, - total\nrules +Yes when /,
	);
	expect(shown.stdout).toMatch(/OUTCOME +PRICE +CHG 24h/);
	const json = documentOf(await here('market', 'show', ...SIMULATED_MARKETS, '--json'));
	expectShape('market-show', json);
	expect(json).toMatchObject({missing: []});
	expect(await here('market', 'show', 'nothing')).toMatchObject({
		code: 2,
		stderr: expect.stringContaining('"nothing" is not the id of a market'),
	});
});

describe('a response with records that can not be read', () => {
	const WALLETS = ['0xaa', '0xbb', '0xcc'];
	const webhook = {
		chainIds: [],
		events: [],
		webhookUrl: 'https://a.example',
		apiKey: 'k',
		createdAt: '',
		filters: null,
	};
	const market = {marketId: '1', question: 'Q', status: 'active', outcomes: [], stats: {}};
	const bodies: Record<string, object> = {
		'/api/2/pulse': {new: {data: [{symbol: 'NOWHERE', market_cap: 5}]}},
		'/api/1/wallet/labels': {
			data: [
				{walletAddress: '0xaa', labels: []},
				{walletAddress: '0xbb', labels: null},
			],
		},
		'/api/1/webhook': {
			success: true,
			count: 2,
			data: [
				{...webhook, id: 'w', name: 'w'},
				{...webhook, id: null},
			],
		},
		'/api/2/pm/markets/batch': {
			payload: [
				{...market, id: 'a:1', platform: 'a'},
				{...market, id: 'a:2'},
			],
		},
	};
	let foreign: Awaited<ReturnType<typeof listenOnLoopback>>;
	beforeAll(async () => {
		const server = createServer((request, response) => {
			const body = bodies[request.url!.split('?')[0]!];
			response.writeHead(body ? 200 : 404, {'content-type': 'application/json'}).end(JSON.stringify(body ?? {}));
		});
		foreign = await listenOnLoopback(server);
	});
	afterAll(() => foreign?.close());
	const there = (...argv: readonly string[]) => runHere(home, ...argv, '--base-url', foreign.url, '--api-key', 'k');

	test('a wallet without a list of labels is not one without labels', async () => {
		const json = documentOf(await there('labels', ...WALLETS, '--json'));
		expectShape('labels', json);
		expect(json.wallets.map(({labels}: {labels?: string[]}) => labels)).toEqual([[], undefined, undefined]);
		const table = lines((await there('labels', ...WALLETS, '--ascii')).stdout);
		expect(table.slice(1).map(line => line.split(/ +/)[1])).toEqual(['none', '-', '-']);
	});

	test('a token without an address is said to be there', async () => {
		const text = "pulsetop: rows of the service can't be read and are left out: they have no address or no chain\n";
		const feed = (...flags: readonly string[]) => there('feed', '--view', 'new', ...flags);
		expect(await feed()).toEqual({code: 0, stdout: 'No token that can be read matches.\n', stderr: text});
		const json = documentOf(await feed('--json'));
		expectShape('feed', json);
		expect(json).toMatchObject({views: {new: {tokens: []}}, hasUnread: true});
		expect(documentOf(await here('feed', '--view', 'new', '--json'))).not.toHaveProperty('hasUnread');
		expect((await there('doctor')).stdout).toMatch(/rows of the service can't be read and are left out/);
	});

	test('a filter that the service ignores is applied here, which is said', async () => {
		const row = (n: number, symbol: string) => ({address: `0x${n}`, chainId: 'evm:56', symbol, name: symbol});
		bodies['/api/2/pulse'] = {new: {data: [row(1, 'DOG'), row(2, 'CAT'), row(3, 'BAT'), row(4, 'RAT')]}};
		const left = await there('feed', '--view', 'new', '--filter', 'kw:dog', '--json');
		expectShape('feed', documentOf(left));
		expect(documentOf(left)).toMatchObject({views: {new: {total: null, isLocal: true, tokens: [{symbol: 'DOG'}]}}});
		expect(left.stderr).toMatch(/^pulsetop: the service does not filter new: the filter was applied here/);
	});

	test('a sort that the service ignores is applied here, which is said', async () => {
		const row = (n: number) => ({address: `0x${n}`, chainId: 'evm:56', symbol: `T${n}`, market_cap: n});
		bodies['/api/2/pulse'] = {new: {data: Array.from({length: 12}, (_, i) => row(i + 1))}};
		const sorted = (...flags: readonly string[]) =>
			there('feed', '--view', 'new', '--sort', 'mcap', '--json', ...flags);
		const first = await sorted('--limit', '12');
		expectShape('feed', documentOf(first));
		expect(documentOf(first)).toMatchObject({views: {new: {isUnsorted: true, tokens: {0: {symbol: 'T12'}}}}});
		expect(first.stderr).toMatch(/^pulsetop: the service does not sort new: the sort was applied here/);
		const all = await sorted('--limit', '50');
		expect(all.stderr).toBe('');
		expect(documentOf(all).views.new).not.toHaveProperty('isUnsorted');
		const byVolume = await there('feed', '--view', 'new', '--sort', 'vol1h');
		expect(byVolume.stderr).toMatch(/^pulsetop: no row of new has the figure of the sort: their order says nothing$/m);
	});

	test('webhooks are counted that are not listed', async () => {
		const text = "pulsetop: 1 webhook of this key can't be read and is not listed.\n";
		const json = await there('webhook', 'list', '--json');
		expectShape('webhook-list', documentOf(json));
		expect(documentOf(json)).toMatchObject({webhooks: [{id: 'w'}], unread: 1});
		expect(json.stderr).toBe(text);
		expect(await there('webhook', 'list')).toMatchObject({code: 0, stderr: text});
		expect(documentOf(await here('webhook', 'list', '--json'))).not.toHaveProperty('unread');
	});

	test('a market without a readable record is not called unknown', async () => {
		const shown = await there('market', 'show', 'a:1', 'a:2');
		expect(shown).toMatchObject({code: 1, stderr: 'The response has no readable record of a:2.\n'});
	});
});

describe('watching', () => {
	test.each([
		[['--rule', 'mcap>1t', '--for', '1s'], 0],
		[['--rule', '@bonded mcap>1t', '--for', '1s', '--once'], 1],
	] as const)('with %j ends after its time with %i', async (flags, code) => {
		expect(await here('watch', ...flags, '--json')).toMatchObject({code, stdout: ''});
	});

	test.each([
		[['--for', '1s'], 'no rule to watch'],
		[['--rule', 'mcp>1k'], 'mcap'],
		[['--rule', 'mcap>1k', '--for', 'soon'], '--for'],
	] as const)('with %j is refused', async (flags, words) => {
		expect(await here('watch', ...flags)).toMatchObject({code: 2, stdout: '', stderr: expect.stringContaining(words)});
	});
});

describe('webhooks', () => {
	const record = (name: string) => ['create', name, '--url', 'https://example.com/hook', '--show-secret'];

	test('are made, listed, changed and deleted, by table and JSON', async () => {
		const made = documentOf(await here('webhook', ...record('one'), '--event', 'block', '--chain', 'base', '--json'));
		expectShape('webhook', made);
		expect(made.webhook).toMatchObject({name: 'one', events: ['block'], chainIds: ['evm:8453']});
		const two = await here('webhook', ...record('two'), '--filter', 'amountUSD>=1k');
		expect(two.code).toBe(0);
		const listed = documentOf(await here('webhook', 'list', '--json'));
		expectShape('webhook-list', listed);
		expect(listed.webhooks).toHaveLength(2);
		expect((await here('webhook', 'list')).stdout).toMatch(/one.*\n.*two/);
		const {id} = made.webhook;
		const changed = await here('webhook', 'update', id, '--filter', 'blockHeight>=5', '--json');
		expect(documentOf(changed).webhook.filters).toEqual({gte: ['blockHeight', 5]});
		for (const flags of [[], ['--filter', 'blockHeight>=5', '--no-filter'], ['--no-filter', '--merge']])
			expect((await here('webhook', 'update', id, ...flags)).stderr).toContain('One filter is needed');
		const merged = await here('webhook', 'update', id, '--filter', 'blockHeight<9', '--merge', '--json');
		expect(documentOf(merged).webhook.filters).toEqual({and: [{gte: ['blockHeight', 5]}, {lt: ['blockHeight', 9]}]});
		expect(documentOf(await here('webhook', 'update', id, '--no-filter', '--json')).webhook.filters).toBeFalsy();
		expect((await here('webhook', 'delete')).stderr).toContain('No webhook is given');
		expect((await here('webhook', 'delete', id, '--read-only')).code).toBe(3);
		expect(await here('webhook', 'delete', id, id)).toMatchObject({code: 0, stdout: `deleted ${id}\n`});
		expect(documentOf(await here('webhook', 'list', '--json')).webhooks).toHaveLength(1);
		expect((await here('webhook', 'delete', id)).code).not.toBe(0);
	});

	test('a secret goes into a new file of its owner, and into none that is there', async () => {
		const file = join(home, 'secret');
		const create = ['webhook', 'create', 'three', '--url', 'https://example.com/x', '--secret-file', file] as const;
		const made = await here(...create);
		expect(made.code).toBe(0);
		const secret = readFileSync(file, 'utf8').trim();
		expect(secret.length).toBeGreaterThan(10);
		expect(made.stdout).not.toContain(secret);
		expect(statSync(file).mode & 0o777).toBe(0o600);
		const before = documentOf(await here('webhook', 'list', '--json')).webhooks.length;
		expect((await here(...create)).stderr).toContain('The file for the secret cannot be created');
		expect(readFileSync(file, 'utf8').trim()).toBe(secret);
		expect(documentOf(await here('webhook', 'list', '--json')).webhooks).toHaveLength(before);
	});
});

describe('money that never moved', () => {
	test.each([
		[['bridge', 'list'], 'bridge-list', /^No transfer was made in real mode\.\n$/],
		[['bridge', 'status'], 'bridge-status', /^No transfer is open\.\n$/],
		[['positions'], 'positions', /^No token is held in real mode\.\n$/],
		[['positions', '--history'], 'trades', /^No trade was made in real mode\.\n$/],
		[['wallet', 'log'], 'wallet-log', /^Nothing was done in real mode yet\.\n$/],
		[['wallet', 'pins'], 'wallet-pins', /^No contract was accepted in real mode yet\.\n$/],
		[['wallet', 'list'], 'wallet-list', /^There is no wallet yet\. pulsetop wallet create NAME makes one\.\n$/],
	] as const)('%j', async (argv, schema, text) => {
		expect((await here(...argv)).stdout).toMatch(text);
		const json = await here(...argv, '--json');
		expect(json.code).toBe(0);
		expectShape(schema, documentOf(json));
	});

	test('one intent can be named, and no contract be forgotten that was not accepted', async () => {
		expect((await here('bridge', 'status', 'a', 'b')).stderr).toContain('Only one intent can be named');
		expect((await here('wallet', 'pins', '--forget', 'batch-executor=123456')).stderr).toContain('--chain is missing');
		const none = await here('wallet', 'pins', '--forget', 'batch-executor=123456', '--chain', 'base');
		expect(none.stderr).toContain('No batch executor of evm:8453 was accepted');
	});
});

test('an accepted contract is forgotten by the end of its address, and the others of its chain stay', async () => {
	const {pins, journal} = openTradingFiles({dataDir: join(home, 'data', 'pulsetop'), mode: 'real'});
	const accept = (role: 'bridge' | 'batch executor', digit: string) => {
		const address = `0x${digit.repeat(40)}`;
		const fingerprint = `0x${digit.repeat(64)}`;
		pins.accept('evm:8453', role, {address, kind: 'plain', hash: fingerprint, fingerprint, size: 9}, digit.repeat(6));
	};
	accept('batch executor', 'a');
	accept('bridge', 'b');
	const forget = (given: string, chain = 'base') =>
		here('wallet', 'pins', '--forget', given, '--chain', chain, '--real');
	expect((await forget('bridge=aaaaaa')).code).not.toBe(0);
	expect((await forget('bridge=bbbbbb', 'bnb')).stderr).toContain('No bridge of evm:56 was accepted');
	const {stdout, code} = await forget('bridge=BBBBBB');
	expect(code).toBe(0);
	expect(stdout).toMatch(/^base +batch executor +0xa{40}/m);
	expect(stdout).not.toContain('0xbbbb');
	expect(journal.records().map(({kind, id, data}) => [kind, id, (data as {role: string}).role])).toContainEqual([
		'pin.revoked',
		'evm:8453',
		'bridge',
	]);
	expect((await forget('bridge=bbbbbb')).stderr).toContain('No bridge of evm:8453 was accepted');
	expect((await forget('batch-executor=aaaaaa')).code).toBe(0);
});

describe('wallets of practice', () => {
	test('are made, listed with what they may do, limited and logged', async () => {
		const practice = (...argv: readonly string[]) => here(...argv, '--practice');
		const made = await practice('wallet', 'create', 'p1');
		expect(made).toMatchObject({code: 0, stdout: expect.stringMatching(/^p1 {2}0x[0-9a-f]{40} {2}\(practice\)\n$/)});
		expect((await practice('wallet', 'create')).stderr).toContain('One name is needed');
		expect((await practice('wallet', 'create', 'a', 'b')).stderr).toContain('One name is needed');
		const listed = documentOf(await here('wallet', 'list', '--json'));
		expectShape('wallet-list', listed);
		expect(listed).toMatchObject({mode: 'real', wallets: [{name: 'p1', mode: 'practice', actsHere: false}]});
		expect((await here('wallet', 'list')).stdout).toContain('refused here: practice keys never sign for real money');
		const file = join(home, 'data', 'pulsetop', 'trading', 'practice', 'keys', 'p1.json');
		chmodSync(file, 0o644);
		expect((await here('wallet', 'list')).stdout).toContain('refused: others may read its file (chmod 600)');
		chmodSync(file, 0o600);
		const token = `evm:8453:0x${'ab'.repeat(20)}`;
		const limit = ['wallet', 'limits', token, '--per-transaction', '5', '--per-day', '7.5', '--json'] as const;
		const limited = documentOf(await practice(...limit));
		expectShape('wallet-limits', limited);
		expect(limited.limits).toMatchObject([{perTransaction: '5', perDay: '7.5', spentToday: '0'}]);
		const kept = documentOf(await practice('wallet', 'limits', token, '--per-day', '8', '--json'));
		expect(kept.limits).toMatchObject([{perTransaction: '5', perDay: '8'}]);
		expect((await practice('wallet', 'limits', '--per-day', '8')).stderr).toContain('One token is needed');
		expect((await practice('wallet', 'limits', token, 'x')).stderr).toContain('One token is needed');
		expect((await practice('wallet', 'limits')).stdout).toMatch(/^base +0x(ab){20}/m);
		const log = documentOf(await practice('wallet', 'log', '--json'));
		expect(log.total).toBe(log.records.length);
		const last = documentOf(await practice('wallet', 'log', '--limit', '1', '--json'));
		expect(last.records).toEqual(log.records.slice(-1));
		expect((await practice('wallet', 'log', '--limit', '0')).code).toBe(2);
	});

	test('a key is never an argument, and practice imports none', async () => {
		const key = 'ab'.repeat(32);
		for (const argv of [[key], ['p', `0x${key}`]]) {
			const refused = await here('wallet', 'import', ...argv, '--real');
			expect(refused).toMatchObject({code: 2, stderr: expect.stringContaining('never stands in a command line')});
			expect(refused.stderr).not.toContain(key);
		}
		expect((await here('wallet', 'import', '--real')).stderr).toContain('A wallet needs one name');
		expect((await here('wallet', 'import', 'a', 'b', 'c', '--real')).stderr).toContain('A wallet needs one name');
		expect((await here('wallet', 'import', 'a', '--real')).stderr).toContain('There is no key to import');
		expect((await here('wallet', 'import', 'a', join(home, 'none'), '--real')).stderr).toContain('could not be read');
		expect((await here('wallet', 'import', 'a', join(home, 'none'), '--practice')).code).not.toBe(0);
		const large = join(home, 'large');
		writeFileSync(large, 'x'.repeat(64 * 1024 + 1));
		expect((await here('wallet', 'import', 'a', large, '--real')).stderr).toContain('The file is too large');
		const both = await here('wallet', 'import', 'a', '--key-fd', '3', '--passphrase-fd', '3', '--real');
		expect(both.stderr).toContain('Key and passphrase come from one descriptor');
	});
});

describe('configuration', () => {
	const file = () => join(home, 'config', 'pulsetop', 'config.toml');
	const write = (text: string) => {
		mkdirSync(join(home, 'config', 'pulsetop'), {recursive: true});
		writeFileSync(file(), text, {mode: 0o600});
	};
	const config = (...argv: readonly string[]) => runHere(home, 'config', ...argv);

	test('without a file is all defaults, and its path is said', async () => {
		rmSync(file(), {force: true});
		expect((await config('path')).stdout).toBe(`${file()}\n`);
		expect(documentOf(await config('path', '--json'))).toEqual({path: file(), exists: false});
		expect(await config('validate')).toMatchObject({code: 0, stdout: `${file()}: not there, all defaults\n`});
		const named = await config('validate', '--config', join(home, 'none.toml'));
		expect(named.code).toBe(2);
		expect((await config('validate', join(home, 'none.toml'))).code).toBe(2);
	});

	test('is shown with origins, and a key only as set', async () => {
		write('[service]\napi-key = "hunter2hunter2"\n[ui]\ntheme = "light"\n');
		const shown = await config('show');
		expect(shown.stdout).toMatch(/service\.api-key +"?\(set\)"?\n/);
		expect(shown.stdout).not.toMatch(/FROM|hunter2/);
		const origins = await config('show', '--origin');
		expect(origins.stdout).toMatch(/ui\.theme +"light" +\S+\n/);
		expect(origins.stdout).toMatch(/ui\.ascii +\S+ +default\n/);
		const json = documentOf(await config('show', '--json'));
		expectShape('config-show', json);
		expect(JSON.stringify(json)).not.toContain('hunter2');
		expect(json.file).toEqual({path: file(), exists: true});
		expect(await config('validate')).toMatchObject({code: 0, stdout: `${file()}: no problems\n`});
	});

	test('every problem of a file is printed with its line', async () => {
		write('[ui]\ntheme = "neon"\n[columns.new]\nfilter = "mcp>5"\n');
		const {code, stdout} = await config('validate');
		expect(code).toBe(2);
		expect(stdout).toMatch(/ui\.theme[\s\S]*Line 2[\s\S]*columns\.new\.filter[\s\S]*Line 4[\s\S]*perhaps mcap/);
		const json = documentOf(await config('validate', '--json'));
		expectShape('config-validate', json);
		expect(json.problems).toHaveLength(2);
		write('');
	});

	test('the template of everyday is a part of the whole one, and both are valid', async () => {
		const [few, all] = [await config('template'), await config('template', '--all')];
		expect(lines(all.stdout).length).toBeGreaterThan(lines(few.stdout).length);
		for (const {stdout} of [few, all]) {
			const path = join(home, 'template.toml');
			writeFileSync(path, stdout);
			expect(await config('validate', path)).toMatchObject({code: 0});
			// Each setting that is taken from its comment is valid, too.
			writeFileSync(path, stdout.replace(/^# (?=[a-z-]+ = )/gm, ''));
			expect((await config('validate', path)).stdout).not.toContain('is not a setting');
		}
		expect(documentOf(await config('template', '--json')).template).toBe(few.stdout);
	});
});

describe('scripts for shells', () => {
	test.each(['bash', 'zsh', 'fish'])('%s has every command and flag', async shell => {
		const {stdout, code} = await runHere(home, 'completion', shell);
		expect(code).toBe(0);
		for (const word of ['serve-ssh', 'config', 'validate', 'backfill', 'ca-file']) expect(stdout).toContain(word);
	});

	test('bash offers commands, commands below them, flags, choices, and skips values', async () => {
		const {stdout} = await runHere(home, 'completion', 'bash');
		const offered = (...words: readonly string[]) => {
			const line = `COMP_WORDS=(pulsetop ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _pulsetop; printf '%s\\n' "\${COMPREPLY[@]}"`;
			return spawnSync('bash', ['-c', `${stdout}\n${line}`], {encoding: 'utf8'})
				.stdout.split('\n')
				.filter(Boolean);
		};
		expect(offered('wa')).toEqual(['watch', 'wallet']);
		expect(offered('config', 'v')).toEqual(['validate']);
		expect(offered('feed', '--fo')).toEqual(['--format', '--follow']);
		expect(offered('feed', '--format', 'c')).toEqual(['csv']);
		expect(offered('--config', 'x', 'feed', '--vi')).toEqual(['--view']);
		expect(offered('--config', 'wallet', 'wa')).toEqual(['watch', 'wallet']);
		expect(offered('feed', '--api')).toEqual(['--api-key']);
	});

	test('another shell, none and two are usage errors', async () => {
		for (const shells of [[], ['csh'], ['bash', 'zsh']])
			expect(await runHere(home, 'completion', ...shells)).toMatchObject({
				code: 2,
				stderr: expect.stringContaining('There are: bash, zsh, fish.'),
			});
	});
});
