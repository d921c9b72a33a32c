import {afterEach, beforeEach, expect, test} from 'vitest';
import {OUTPUT_SCHEMAS} from '../../source/commands/output-schemas.ts';
import {listPracticeChains} from '../../source/trading/practice-funds.ts';
import {type Any, acceptFlags, type MoneyHome, openMoneyHome} from '../helpers/money-cli.ts';
import {startServe} from '../helpers/program.ts';

const TRANSFER = ['--from', 'base:usdc', '--amount', '20', '--to', 'arbitrum:usdc'];

let home: MoneyHome;
beforeEach(() => {
	home = openMoneyHome();
});
afterEach(() => home.remove());

test('with nothing set up, a transfer is practised from quote to end, and what it left is there in the next run', async () => {
	const quote = await home.json(['bridge', 'quote', ...TRANSFER]);
	expect(quote).toMatchObject({mode: 'practice', wallet: {name: 'practice'}});
	const plan = await home.json(['bridge', 'execute', ...TRANSFER, '--dry-run', ...acceptFlags(quote.toAccept)]);
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

test('a practice order is placed and cancelled; practice never asks for a passphrase', async () => {
	const {orders} = await home.json(['perp', 'practice-order']);
	expect(orders.map(({orderType}: Any) => orderType)).toEqual(['order', 'tp', 'sl']);
	const [{key}] = orders;
	const {stdout: csv} = await home.run(['perp', 'orders', '--format', 'csv']);
	expect(csv.split('\r\n').slice(0, 2)).toEqual([
		expect.stringMatching(/^key,number,dex,chain_id,/),
		expect.stringContaining(`${key},`),
	]);
	const {planHash} = await home.json(['perp', 'cancel', key, '--dry-run']);
	const asked = await home.json(['perp', 'cancel', key, '--yes', '--plan', planHash], {code: 3});
	const [, address] = /(0x[0-9a-fA-F]{40})/.exec(asked.error.why)!;
	const accept = acceptFlags([{role: 'perp exchange', address: address!}]);
	const done = await home.json(['perp', 'cancel', key, '--yes', '--plan', planHash, ...accept]);
	expect(OUTPUT_SCHEMAS['perp-cancel'].safeParse(done).error?.issues ?? []).toEqual([]);
	expect(done).toMatchObject({mode: 'practice', phase: 'done'});
	expect((await home.json(['perp', 'orders'])).orders).toEqual([]);
});

test('while another program runs the chains of the same directory, it says so and ends with 69', async () => {
	const serve = await startServe(['--no-auth', '--data-dir', home.dataDir]);
	try {
		await listPracticeChains({baseUrl: serve.url});
		const refused = await home.json(['bridge', 'quote', ...TRANSFER], {code: 69});
		expect(refused.error).toMatchObject({code: 'practice-failed', what: 'The practice chains cannot be used'});
		expect(refused.error.why).toContain('another service runs it from the same data directory');
	} finally {
		await serve.stop();
	}
});
