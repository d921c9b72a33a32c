import {copyFileSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {
	type Any,
	acceptFlags,
	type Door,
	type MoneyHome,
	type MoneyService,
	openDoor,
	openMoneyHome,
	startMoneyService,
} from '../helpers/money-cli.ts';
import {expectShape} from '../helpers/output-shape.ts';

/* Limits and journal against what can happen to their files and to the clock, over real processes and practice chains. */

const PASSPHRASE = 'a passphrase of the tests';
const PASS = ['--passphrase-fd', '3'];
const fds = [PASSPHRASE];
const HOUR_MS = 3_600_000;

let service: MoneyService;
beforeAll(async () => {
	service = await startMoneyService();
});
afterAll(() => service?.stop());

let door: Door;
let home: MoneyHome;
beforeEach(async () => {
	door = await openDoor(service.url);
	home = openMoneyHome(service.config(door.url));
	const key = generatePrivateKey();
	await Promise.all([
		home.wallet('main', key, PASSPHRASE),
		service.fund('evm:8453', privateKeyToAddress(key)),
		service.fund('evm:42161', privateKeyToAddress(key)),
	]);
});
afterEach(async () => {
	await door.close();
	home.remove();
});

const file = (name: string) => join(home.dataDir, 'trading', 'real', name);
const usdc = () => `base:${service.contracts('evm:8453')['usdc']}`;
const sent = () => door.asked.filter(line => line === 'POST /api/2/bridge/execute').length;

/** The dry run of a transfer, with every contract accepted. */
async function planned(amount: string, code = 0): Promise<Any> {
	const transfer = ['--from', 'base:usdc', '--amount', amount, '--to', 'arbitrum:usdc'];
	const {toAccept} = await home.json(['bridge', 'quote', ...transfer]);
	return home.json(['bridge', 'execute', ...transfer, '--dry-run', ...acceptFlags(toAccept)], {code});
}

const execute = ({planHash}: Any, options: {code?: number; clockMs?: number} = {}) =>
	home.json(['bridge', 'execute', '--yes', '--plan', planHash, ...PASS], {fds, ...options});

const limitsCheck = ({checks}: Any) => checks.find(({name}: Any) => name === 'caps');

test('a file of limits that is deleted, edited or an older copy gives no higher limit, forgets nothing spent, and is set again', async () => {
	await home.json(['wallet', 'limits', usdc(), '--per-day', '20']);
	await execute(await planned('12.5'));
	copyFileSync(file('caps.json'), join(home.dataDir, 'older'));
	await home.json(['wallet', 'limits', usdc(), '--per-day', '30', ...PASS], {fds});
	const damages = {
		deleted: () => rmSync(file('caps.json')),
		'an older copy': () => copyFileSync(join(home.dataDir, 'older'), file('caps.json')),
		edited: () =>
			writeFileSync(file('caps.json'), readFileSync(file('caps.json'), 'utf8').replaceAll('"30"', '"9999"')),
	};
	for (const damage of Object.values(damages)) {
		damage();
		const refused = await planned('12.5', 3);
		expect(limitsCheck(refused)).toMatchObject({
			ok: false,
			detail: expect.stringMatching(
				/^12\.5 USDC of 20 USDC for 24 hours are spent, .*; the file of limits is missing or was changed/,
			),
		});
		expect((await execute(refused, {code: 3})).error).toMatchObject({code: 'check-failed'});
		const shown = await home.json(['wallet', 'limits', usdc()]);
		expectShape('wallet-limits', shown);
		expect(shown.limits).toMatchObject([{perDay: '20', spentToday: '12.5', isLowest: true}]);
		expect((await home.run(['wallet', 'limits'])).stdout).toContain('until you set it again');
		await home.json(['wallet', 'limits', usdc(), '--per-day', '30'], {code: 2});
		await home.json(['wallet', 'limits', usdc(), '--per-day', '30', ...PASS], {fds});
		expect((await planned('12.5')).isReady).toBe(true);
	}
	expect(sent()).toBe(1);
	// The coins that pay for gas are limited in the same way.
	await home.json(['wallet', 'limits', 'arbitrum:native', '--per-transaction', '0.0000000001']);
	rmSync(file('caps.json'));
	expect((await home.json(['wallet', 'limits', 'arbitrum:native'])).limits).toMatchObject([
		{perTransaction: '0.0000000001', isLowest: true},
	]);
});

test('a clock that is set forward or back signs nothing and makes no day pass', async () => {
	await home.json(['wallet', 'limits', usdc(), '--per-day', '20']);
	await execute(await planned('12.5'));
	const over = await planned('12.5', 3);
	for (const clockMs of [25 * HOUR_MS, -25 * HOUR_MS, 8760 * HOUR_MS]) {
		const {error} = await execute(over, {code: 3, clockMs});
		expect(error.what).toMatch(/^The check “(clock|your limits|quote is fresh|deadline)/);
	}
	expect(limitsCheck(await planned('12.5', 3))).toMatchObject({ok: false});
	expect(sent()).toBe(1);
});

test('what was spent counts at every time that a clock may show, until 24 hours are over, and again when it is set back', async () => {
	await home.json(['wallet', 'limits', usdc(), '--per-day', '20']);
	await execute(await planned('12.5'));
	const spentAt = async (hours: number) =>
		(await home.json(['wallet', 'limits', usdc()], {clockMs: hours * HOUR_MS})).limits[0].spentToday;
	for (const hours of [0, 23, -25, -8760]) expect(await spentAt(hours)).toBe('12.5');
	expect(await spentAt(25)).toBe('0');
	expect(await spentAt(0)).toBe('12.5');
});

test('a journal without its last lines stops all money with words, until it is confirmed with the passphrase', async () => {
	await execute(await planned('5'));
	copyFileSync(file('journal.jsonl'), join(home.dataDir, 'older'));
	const lines = () => readFileSync(file('journal.jsonl'), 'utf8').split('\n').slice(0, -1);
	const cut = (by: number) =>
		writeFileSync(
			file('journal.jsonl'),
			lines()
				.slice(0, -by)
				.map(line => `${line}\n`)
				.join(''),
		);
	const damages = {
		'one line cut': () => cut(1),
		'many lines cut': () => cut(5),
		'an older copy': () => copyFileSync(join(home.dataDir, 'older'), file('journal.jsonl')),
		deleted: () => rmSync(file('journal.jsonl')),
	};
	for (const damage of Object.values(damages)) {
		const plan = await planned('5');
		damage();
		const before = sent();
		const commands = [
			['bridge', 'execute', '--yes', '--plan', plan.planHash, ...PASS],
			['bridge', 'execute', '--from', 'base:usdc', '--amount', '5', '--to', 'arbitrum:usdc', '--dry-run'],
			['perp', 'orders'],
			['wallet', 'log'],
		];
		for (const command of commands) {
			const {error} = await home.json(command, {fds, code: 3});
			expect(error).toMatchObject({
				code: 'journal-cut',
				advice: expect.stringContaining('pulsetop wallet log --confirm'),
			});
		}
		expect((await home.json(['doctor'], {code: 1})).findings).toContainEqual(
			expect.objectContaining({
				subject: 'money',
				state: 'bad',
				words: expect.stringMatching(/^Lines of the journal .* are missing/),
			}),
		);
		expect((await home.json(['wallet', 'log', '--confirm'], {code: 2})).error.code).toBe('usage');
		expect((await home.json(['wallet', 'log', '--confirm', ...PASS], {fds: ['wrong'], code: 1})).error.code).toBe(
			'wrong-passphrase',
		);
		const log = await home.json(['wallet', 'log', '--confirm', ...PASS], {fds});
		expectShape('wallet-log', log);
		expect(log.records.at(-1)).toMatchObject({kind: 'log.confirmed'});
		expect(sent()).toBe(before);
	}
	await execute(await planned('5'));
});
