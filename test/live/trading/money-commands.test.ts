import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {createPracticeAnnouncer} from '../../../source/commands/serve/practice-service.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {type Left, runHere, withSecret} from '../../helpers/commands-here.ts';
import {filesUnder} from '../../helpers/files-under.ts';
import {expectShape} from '../../helpers/output-shape.ts';

/* Commands that move money, in this process, against a practice service of this process: every form that they print. */

let service: RunningService;
let home: string;
let announcer: ReturnType<typeof createPracticeAnnouncer>;
beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), 'pulsetop-money-here-'));
	announcer = createPracticeAnnouncer(join(home, 'data', 'pulsetop'));
	service = await startService({
		seed: 7,
		rate: 0.1,
		auth: false,
		history: 'first',
		provePractice: announcer.prove,
		limits: {requestsPerSecond: 1000, requestBurst: 1000},
	});
	announcer.announce(service.url);
});
afterAll(async () => {
	announcer?.close();
	await service?.close();
	rmSync(home, {recursive: true, force: true});
});

const here = (...argv: readonly string[]) => runHere(home, ...argv, '--base-url', service.url);
// biome-ignore lint/suspicious/noExplicitAny: documents of the program
type Any = any;
/** The document of a command that ends with a code. */
async function json(code: number, ...argv: readonly string[]): Promise<Any> {
	const left = await here(...argv, '--json');
	expect(left).toMatchObject({code, ...(code === 0 && {stdout: expect.stringMatching(/^\{/)})});
	return left.stdout === '' ? left : JSON.parse(left.stdout);
}
const rows = ({stdout}: Left) => stdout.trimEnd().split(/\r?\n/);
const records = async () => (await json(0, 'wallet', 'log')).records as Any[];

describe('a transfer', () => {
	const TRANSFER = ['--from', 'base:usdc', '--amount', '20', '--to', 'arbitrum:usdc'];

	test('is quoted, planned, executed, and read again in every form', async () => {
		const empty = await here('bridge', 'list');
		expect(empty).toEqual({code: 0, stdout: 'No transfer was made in practice mode.\n', stderr: ''});
		expect((await here('bridge', 'status')).stdout).toBe('No transfer is open.\n');
		const quote = await here('bridge', 'quote', ...TRANSFER);
		expect(quote.code).toBe(0);
		expect(quote.stdout).toMatch(/^you send +20 USDC on Base$/m);
		const plan = await json(0, 'bridge', 'execute', ...TRANSFER, '--dry-run');
		expectShape('bridge-plan', plan);
		expect((await records()).map(({kind}) => kind)).not.toContain('wallet.signed');
		const execute = ['bridge', 'execute', '--yes', '--plan', plan.planHash];
		for (const [flag, value] of [
			['--from', 'base:dai'],
			['--from', 'polygon:usdc'],
			['--to', 'polygon:usdc'],
			['--to', 'arbitrum'],
			['--amount', '20.1'],
			['--recipient', `0x${'12'.repeat(20)}`],
		] as const)
			expect((await json(2, ...execute, flag, value)).stderr).toContain(`${flag} is not that of the plan`);
		const sent = await here(...execute, ...TRANSFER, '--recipient', plan.wallet.address);
		expect(sent.code).toBe(0);
		expect(sent.stdout).toContain('The tokens arrived.');
		const again = await json(3, ...execute);
		expect(again.stderr).toContain('its intent was sent already');

		const {intentId} = plan.body;
		const status = await json(0, 'bridge', 'status', intentId, '--wait');
		expectShape('bridge-status', status);
		expect(status.intents).toMatchObject([{intentId, isEnd: true, transfer: {amount: '20'}}]);
		expect((await here('bridge', 'status', intentId)).stdout).toContain('The tokens arrived.');
		expect(await here('bridge', 'status', 'one', 'two')).toMatchObject({code: 2, stdout: ''});
		const table = rows(await here('bridge', 'list'));
		expect(table).toHaveLength(2);
		expect(table[1]).toMatch(/20 USDC/);
		const csv = rows(await here('bridge', 'list', '--format', 'csv'));
		expect(csv[1]).toMatch(new RegExp(`^${intentId},(filled|settled),true,\\d+,20,USDC,evm:8453,`));
		const jsonl = rows(await here('bridge', 'list', '--format', 'jsonl')).map(line => JSON.parse(line));
		expect(jsonl).toMatchObject([{intentId}]);
	});

	test.each([
		[['--from', 'base:usdc', '--amount', '20'], 2, /--to/],
		[['--amount', '20', '--to', 'arbitrum:usdc'], 2, /--from/],
		[['--from', 'base:usdc', '--to', 'arbitrum:usdc'], 2, /--amount/],
		[['--from', 'base:usdc', '--amount', '20', '--to', 'base:usdc'], 1, /cross-chain/],
		[['--from', 'nowhere:usdc', '--amount', '20', '--to', 'base:usdc'], 2, /--from can't be used/],
		[['--from', 'base:usdc', '--amount', '2000000', '--to', 'arbitrum:usdc'], 1, /10000 USD/],
		[['--from', 'base:usdc', '--amount', '5000', '--to', 'arbitrum:usdc'], 0, /^balance +✗ FAILED/m],
		[
			[
				'--from',
				'base:usdc',
				'--amount',
				'5',
				'--to',
				'arbitrum:usdc',
				'--recipient',
				'0xFeebfd8253153cc1815607c08bae24314bde7cB3',
			],
			2,
			/^pulsetop: This recipient cannot be used\n +its checksum is wrong/,
		],
		[
			['--from', 'base:usdc', '--amount', '5', '--to', 'arbitrum:0xFeebfd8253153cc1815607c08bae24314bde7cB3'],
			2,
			/^pulsetop: The value of --to can't be used\n +The checksum/,
		],
	])('with %j ends with %s', async (flags, code, words) => {
		const left = await here('bridge', 'quote', ...flags);
		expect({...left, words: `${left.stdout}${left.stderr}`}).toMatchObject({code, words: expect.stringMatching(words)});
	});
});

test('a transfer for a contract says where its code is', async () => {
	const {data: chains} = (await (await fetch(`${service.url}/dev/chains`)).json()) as {data: Any[]};
	const {bridge} = chains.find(({chainId}) => chainId === 'evm:42161').contracts;
	const to = async (recipient: string) => {
		const flags = ['--from', 'base:usdc', '--amount', '20', '--to', 'arbitrum:usdc', '--recipient', recipient];
		return (await json(0, 'bridge', 'quote', ...flags)).lines.find(({label}: Any) => label === 'to').text;
	};
	expect(await to(bridge)).toBe(`${bridge} (NOT your account; a contract on Arbitrum)`);
	const plain = `0x${'12'.repeat(20)}`;
	expect(await to(plain)).toBe(`${plain} (NOT your account)`);
});

describe('a trade', () => {
	const bonded = async () =>
		(await json(0, 'feed', '--view', 'bonded', '--chains', 'polygon', '--limit', '100')).views.bonded.tokens as Any[];
	const isPlain = ({security = {}}: Any) =>
		security.isHoneypot === false && security.buyTax === '0' && Number(security.sellTax) <= 3;

	test('is planned, made, counted among the positions, and sold in parts', async () => {
		expect((await here('positions')).stdout).toMatch(/^Nothing|^No /);
		const token = (await bonded()).find(row => isPlain(row) && row.liquidity > 20_000 && /^[\w$ ]+$/.test(row.symbol));
		const place = `polygon:${token.address}`;
		const buy = ['buy', place, '--amount', '25', '--from', 'arbitrum:usdc', '--dry-run'];
		const asked = await here(...buy);
		expect(asked.code).toBe(3);
		expect(asked.stdout).toContain('own-price=none');
		const left = await here(...buy, '--accept', 'own-price=none', '--json');
		expect(left.code).toBe(0);
		const plan = JSON.parse(left.stdout);
		expectShape('trade-plan', plan);
		const execute = ['buy', '--yes', '--plan', plan.planHash, '--accept', 'own-price=none'];
		for (const [flag, value] of [
			['--amount', '26'],
			['--from', 'base:usdc'],
			['--slippage', '20'],
		] as const)
			expect((await json(2, ...execute, flag, value)).stderr).toContain(`${flag} is not that of the plan`);
		expect((await json(2, 'buy', `polygon:0x${'12'.repeat(20)}`, ...execute.slice(1))).stderr).toContain(
			'The token is not that of the plan',
		);
		const bought = await json(0, ...execute, '--amount', '25', '--from', 'arbitrum:usdc');
		expectShape('trade', bought);

		const held = await json(0, 'positions');
		expectShape('positions', held);
		expect(held.positions).toMatchObject([{token: token.address.toLowerCase(), isHeld: true, costUSD: '25'}]);
		const table = await here('positions');
		expect(table.stdout).toMatch(/^value \$2\d, open/m);
		expect(rows(await here('positions', '--format', 'csv'))).toHaveLength(2);

		const sell = ['sell', place, '--to', 'base:usdc', '--dry-run'];
		expect((await json(2, ...sell)).stderr).toMatch(/amount|percent|all/i);
		const sale = await json(0, ...sell, '--percent', '50');
		const sold = await here('sell', '--yes', '--plan', sale.planHash);
		expect(sold.code).toBe(0);
		expect(sold.stdout).toMatch(/^sold +[\d.]+ .+ on Polygon for 12\.\d+ USD/m);
		const rest = await json(0, ...sell, '--all');
		expect((await json(0, 'sell', '--yes', '--plan', rest.planHash)).settled.amount).toBe(
			(await json(0, 'positions', '--history')).trades[0].amount,
		);
		expect((await json(1, ...sell, '--all')).stderr).toContain('nothing');
		const history = await here('positions', '--history');
		expect(rows(history).filter(line => / (buy|sell) /.test(` ${line} `))).toHaveLength(3);
		const csv = rows(await here('positions', '--history', '--format', 'csv'));
		expect(csv).toHaveLength(4);
		expect((await json(0, 'positions')).positions).toMatchObject([
			{isHeld: false, amount: '0', proceedsUSD: expect.stringMatching(/^2/)},
		]);
		expect((await here('positions')).stdout).toMatch(
			/^No token is held in practice mode\.\nrealised -\$0\.\d+, fees \$0\.\d+$/m,
		);
	});
});

describe('an order', () => {
	test('is placed for practice, listed in every form and cancelled by its plan', async () => {
		expect((await here('perp', 'orders')).stdout).toContain('has no open order');
		const {orders} = await json(0, 'perp', 'practice-order');
		expect(orders.map(({orderType}: Any) => orderType)).toEqual(['order', 'tp', 'sl']);
		expect(rows(await here('perp', 'orders', '--format', 'csv'))).toHaveLength(4);
		const table = rows(await here('perp', 'orders'));
		// An exit does the opposite of its order, here as in the review.
		expect(table.slice(1).map(line => line.split(/ {2,}/).slice(4, 6).join(' '))).toEqual([
			'limit BUY',
			'take-profit SELL',
			'stop-loss SELL',
		]);
		const dry = await here('perp', 'cancel', '0', '--dry-run');
		expect(dry.code).toBe(0);
		expect(dry.stdout).toContain('limit order');
		const plan = await json(0, 'perp', 'cancel', orders[0].key, '--dry-run');
		expectShape('perp-plan', plan);
		expect((await json(2, 'perp', 'cancel', orders[1].key, '--yes', '--plan', plan.planHash)).stderr).toContain(
			'ORDER is not that of the plan',
		);
		expect((await json(1, 'perp', 'cancel', '9', '--dry-run')).stderr).not.toBe('');
		expect((await json(2, 'perp', 'cancel', '--dry-run')).stderr).not.toBe('');
		const done = await here('perp', 'cancel', '--yes', '--plan', plan.planHash);
		expect(done.code).toBe(0);
		expect(done.stdout).toMatch(/cancelled/i);
		expect((await json(0, 'perp', 'orders')).orders).toEqual([]);
	});
});

describe('a prediction account', () => {
	test('is made, filled, emptied and shown', async () => {
		const none = await here('market', 'status');
		expect(none.code).toBe(0);
		expect(none.stdout).toMatch(/not (yet )?(deployed|created)|does not exist/i);
		expect((await json(3, 'market', 'withdraw', '--amount', '1', '--dry-run')).stderr).not.toBe('');
		const deploy = await here('market', 'deploy', '--dry-run');
		expect([deploy.code, deploy.stdout]).toEqual([0, expect.stringContaining('account')]);
		const plan = await json(0, 'market', 'deploy', '--dry-run');
		expectShape('market-plan', plan);
		const made = await json(0, 'market', 'deploy', '--yes', '--plan', plan.planHash);
		expectShape('market-act', made);
		const deposit = await json(0, 'market', 'deposit', '--amount', '30', '--dry-run');
		const put = ['market', 'deposit', '--yes', '--plan', deposit.planHash];
		for (const amount of ['31', '30.00000000000000000001'])
			expect((await json(2, ...put, '--amount', amount)).stderr).toContain('--amount is not that of the plan');
		expect((await json(2, ...put, '--amount', 'all')).stderr).toContain('amount');
		expect((await json(2, 'market', 'withdraw', '--yes', '--plan', deposit.planHash)).stderr).toContain('of the plan');
		const done = await here(...put, '--amount', '30.0');
		expect(done.code).toBe(0);
		expect(done.stdout).toContain('The transaction is mined and succeeded.');
		const status = await here('market', 'status');
		expect(status.stdout).toMatch(/^USDC\.e +30$/m);
		expect((await json(0, 'market', 'status', made.account.toUpperCase().replace('X', 'x'))).wallet).toBeDefined();
		expect((await here('market', 'deposit', '--amount', '0.001', '--dry-run')).code).toBe(2);
		expect((await here('market', 'deposit', '--dry-run')).code).toBe(2);
	});
});

describe('a wallet', () => {
	const PASSPHRASE = 'a passphrase of the tests';

	test('of practice is there by itself, with its log and limits', async () => {
		const list = await json(0, 'wallet', 'list');
		expect(list).toMatchObject({mode: 'practice', wallets: [{name: 'practice'}]});
		expect(rows(await here('wallet', 'list', '--format', 'csv'))).toHaveLength(2);
		expect((await here('wallet', 'list')).stdout).toContain('practice');
		expect(rows(await here('wallet', 'log', '--limit', '1'))).toHaveLength(2);
		expect(rows(await here('wallet', 'log', '--format', 'csv'))).toHaveLength((await records()).length + 1);
		const limits = await here('wallet', 'limits', '--practice');
		expect(limits.code).toBe(0);
		const lowered = await json(0, 'wallet', 'limits', 'base:native', '--per-day', '0.5', '--per-transaction', '0.2');
		expect(lowered.limits).toMatchObject([{chainId: 'evm:8453', perTransaction: '0.2', perDay: '0.5'}]);
		expect((await here('wallet', 'limits')).stdout).toMatch(/^base +native +0\.2 +0\.5 +0$/m);
		expect((await here('wallet', 'limits', 'base:usdc', '--per-day', '5')).stderr).toContain('CHAIN:0x');
		const mistyped = 'base:0xFeebfd8253153cc1815607c08bae24314bde7cB3';
		expect((await here('wallet', 'limits', mistyped, '--per-day', '5')).stderr).toContain('The checksum');
		const pins = await here('wallet', 'pins', '--practice');
		expect(pins.code).toBe(0);
	});

	test('for real money is created, imported, exported and locked by its passphrase', async () => {
		const create = (fd: string) => here('wallet', 'create', 'main', '--real', '--passphrase-fd', fd);
		expect((await withSecret(home, 'short', create)).code).not.toBe(0);
		expect((await withSecret(home, PASSPHRASE, create)).code).toBe(0);
		expect((await withSecret(home, PASSPHRASE, create)).stderr).toContain('main');
		const key = generatePrivateKey();
		const file = join(home, 'key.txt');
		writeFileSync(file, `${key}\n`, {mode: 0o600});
		const imported = await withSecret(home, PASSPHRASE, fd =>
			here('wallet', 'import', 'second', file, '--real', '--passphrase-fd', fd, '--json'),
		);
		expect(imported.stderr).toContain('still contains the unencrypted key');
		expect(JSON.parse(imported.stdout)).toMatchObject({
			wallet: {name: 'second', address: privateKeyToAddress(key).toLowerCase()},
		});
		writeFileSync(file, '0x12\n');
		const bad = await withSecret(home, PASSPHRASE, fd =>
			here('wallet', 'import', 'third', file, '--real', '--passphrase-fd', fd),
		);
		expect([bad.code, bad.stdout]).toEqual([1, '']);
		const names = (await here('wallet', 'list', '--real', '--format', 'jsonl')).stdout;
		expect(names).toContain('"main"');
		expect(statSync(file).mode & 0o777).toBe(0o600);
		for (const bytes of filesUnder(join(home, 'data')).values()) expect(bytes.includes(key.slice(2))).toBe(false);
	});
});
