import {spawnSync} from 'node:child_process';
import {readFile} from 'node:fs/promises';
import {generatePrivateKey} from 'viem/accounts';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {fundPracticeWallet} from '../../source/trading/practice-funds.ts';
import {type Any, type MoneyHome, openDoor, openMoneyHome} from '../helpers/money-cli.ts';
import {startServe} from '../helpers/program.ts';

const TRANSFER = ['--from', 'base:usdc', '--amount', '20', '--to', 'arbitrum:usdc'];

let home: MoneyHome;
beforeEach(() => {
	home = openMoneyHome();
});
afterEach(() => home.remove());

test('without configuration a transfer is practised from quote to end, and its journal is there in the next run', async () => {
	const quote = await home.json(['bridge', 'quote', ...TRANSFER]);
	expect(quote).toMatchObject({mode: 'practice', wallet: {name: 'practice'}});
	// The practice contracts ship with the program: nothing is to be accepted.
	expect(quote).toMatchObject({isReady: true, toAccept: []});
	const plan = await home.json(['bridge', 'execute', ...TRANSFER, '--dry-run']);
	const {intent, wallet} = await home.json(['bridge', 'execute', '--yes', '--plan', plan.planHash]);
	expect(wallet).toEqual(quote.wallet);
	expect(intent.phase).toMatch(/^(filled|settled)$/);
	// Another process, another service: the chains and the transfer are the same.
	const again = await home.json(['bridge', 'quote', ...TRANSFER]);
	expect(again.checks.find(({name}: Any) => name === 'balance').detail).toContain('980 USDC');
	expect(again.lines.find(({label}: Any) => label === 'account').text).toContain('delegated to');
	const {intents} = await home.json(['bridge', 'status', intent.intentId]);
	expect(intents).toMatchObject([{isEnd: true, transfer: {amount: '20'}}]);
	// What programs read, one transfer a line.
	const {stdout: csv} = await home.run(['bridge', 'list', '--format', 'csv']);
	const [names, row, end] = csv.split('\r\n');
	expect(names).toMatch(/^intent_id,phase,is_end,.*,amount,symbol,/);
	expect(row).toMatch(new RegExp(`^${intent.intentId},(filled|settled),true,\\d+,20,USDC,evm:8453,`));
	expect(end).toBe('');
	const {stdout: lines} = await home.run(['bridge', 'list', '--format', 'jsonl']);
	expect(
		lines
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line)),
	).toMatchObject([{intentId: intent.intentId}]);
	const {stdout: wallets} = await home.run(['wallet', 'list', '--format', 'csv']);
	expect(wallets).toMatch(/^name,mode,address,acts_here,state\r\npractice,practice,0x[0-9a-fA-F]{40},true,ready\r\n$/);
	const {stdout: log} = await home.run(['wallet', 'log', '--format', 'jsonl']);
	expect(
		log
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line).kind),
	).toContain('bridge.intended');
});

/** The recipe needs jq, which is no part of a checkout. */
const hasJq = spawnSync('jq', ['--version']).status === 0;
test.runIf(hasJq)('the recipe for programs works on a new machine, contracts included', async () => {
	const page = await readFile(new URL('../../source/docs/money.md', import.meta.url), 'utf8');
	const recipe = /^```sh\n([^`]*> plan\.json[^`]*)^```/m.exec(page)![1]!;
	expect(recipe.split('\n').filter(line => line !== '' && !line.startsWith('#'))).toHaveLength(3);
	const outcome = await home.shell(`echo 'a practice wallet has none' > passphrase\n${recipe}`);
	expect(outcome.stdout).toContain('The tokens arrived.');
	expect(outcome.code).toBe(0);
});

test('while another program runs the chains of the same directory, it says so and ends with 69', async () => {
	const serve = await startServe(['--no-auth', '--data-dir', home.dataDir]);
	try {
		const address = `0x${'12'.repeat(20)}`;
		for (const chainId of ['evm:8453', 'evm:42161']) await fundPracticeWallet({baseUrl: serve.url, chainId, address});
		const refused = await home.json(['bridge', 'quote', ...TRANSFER], {code: 69});
		expect(refused.error.why).toContain('another service runs it from the same data directory');
	} finally {
		await serve.stop();
	}
});

test('a second program practises with a serve over the same data directory, and with nothing that only leads to it', async () => {
	const serve = await startServe(['--seed', '7', '--rate', '0.1', '--data-dir', home.dataDir]);
	const door = await openDoor(serve.url);
	try {
		// The line of the key follows the line of the address.
		await expect.poll(() => serve.stdout()).toMatch(/^api key: \S+$/m);
		const [, key = ''] = /^api key: (\S+)$/m.exec(serve.stdout())!;
		const at = (url: string) => ['--base-url', url, '--api-key', key];
		const quote = await home.json(['bridge', 'quote', ...TRANSFER, ...at(serve.url)]);
		expect(quote).toMatchObject({mode: 'practice', wallet: {name: 'practice'}, isReady: true});
		await home.inTerminal(at(serve.url), async pty => {
			await pty.waitFor(/ PRACTICE +SIMULATED /);
			pty.type('q');
			await pty.exit;
		});
		// A real key signs for no practice, and a practice key for no other service.
		const real = ['wallet', 'import', 'main', '--key-fd', '3', '--passphrase-fd', '4', '--real'];
		await home.json(real, {fds: [generatePrivateKey(), 'a passphrase of the tests']});
		const asReal = ['bridge', 'quote', ...TRANSFER, '--wallet', 'main', ...at(serve.url)];
		expect((await home.json(asReal, {code: 2})).error).toMatchObject({code: 'wallet-name'});
		expect(await home.json(['wallet', 'list', ...at(door.url)])).toMatchObject({mode: 'real'});
		const asPractice = ['bridge', 'quote', ...TRANSFER, '--wallet', 'practice', ...at(door.url)];
		expect((await home.json(asPractice, {code: 2})).error).toMatchObject({code: 'wallet-name'});
	} finally {
		await door.close();
		await serve.stop();
	}
	expect(await home.json(['wallet', 'list', '--base-url', serve.url])).toMatchObject({mode: 'real'});
});
