import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Hex} from 'viem';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {expectNowhere} from '../helpers/canary.ts';
import {filesUnder} from '../helpers/files-under.ts';
import {
	type Any,
	acceptFlags,
	answerUntil,
	type Door,
	fingerprintOf,
	type MoneyHome,
	type MoneyService,
	openDoor,
	openMoneyHome,
	startMoneyService,
} from '../helpers/money-cli.ts';
import {expectShape} from '../helpers/output-shape.ts';
import {Trader, waitingOrder} from '../live/trading/perp-trader.ts';

const CHAIN = 'evm:42161';
const EXECUTE = 'POST /api/2/perp/execute-v2';
const PASSPHRASE = 'a passphrase of the tests';
const PASS = ['--passphrase-fd', '3'];
const fds = [PASSPHRASE];

let service: MoneyService;
beforeAll(async () => {
	service = await startMoneyService();
});
afterAll(() => service?.stop());

let door: Door;
let home: MoneyHome;
let hand: Trader;
let key: Hex;
beforeEach(async () => {
	door = await openDoor(service.url);
	home = openMoneyHome(service.config(door.url));
	key = generatePrivateKey();
	hand = new Trader(service.client.call, key);
	await Promise.all([home.wallet('main', key, PASSPHRASE), service.fund(CHAIN, privateKeyToAddress(key))]);
	await approve();
});
afterEach(async () => {
	await door.close();
	home.remove();
});

const exchange = () => service.contracts(CHAIN)['perpExchange']! as Hex;
const sent = () => door.asked.filter(line => line === EXECUTE).length;

/** Allows the exchange to take the collateral of an order. */
async function approve(): Promise<void> {
	const raw = await hand.approval(service.contracts(CHAIN)['usdc']! as Hex, exchange(), 0);
	await rpc('eth_sendRawTransaction', [raw]);
	await expect.poll(() => rpc('eth_getTransactionCount', [hand.account.address, 'latest'])).toBe('0x1');
}

async function rpc(method: string, params: unknown[]): Promise<unknown> {
	const response = await fetch(`${service.url}/dev/rpc/${CHAIN}`, {
		method: 'POST',
		headers: {'content-type': 'application/json'},
		body: JSON.stringify({jsonrpc: '2.0', id: 1, method, params}),
	});
	return ((await response.json()) as {result: unknown}).result;
}

const place = (dex: 'dexA' | 'dexB', more = {}) => hand.act('create-order', 'perpCreateOrder', waitingOrder(dex, more));

/** Of the exchange's fingerprint: keccak256 of its code and its address. */
const exchangeEnd = async () => (await fingerprintOf(service.url, 'evm:42161', exchange())).slice(-6);
const ACCEPT = async () => acceptFlags([{role: 'perp exchange', fingerprint: await exchangeEnd()}]);

test('orders are listed with their take-profit and stop-loss, and one is cancelled by the plan of a dry run', async () => {
	await place('dexA', {tp: 5000, sl: 500});
	const listed = await home.json(['perp', 'orders']);
	expectShape('perp-orders', listed);
	expect(listed.orders.map(({orderType, price}: Any) => [orderType, price])).toEqual([
		['order', 1000],
		['tp', 5000],
		['sl', 500],
	]);
	const {stdout} = await home.run(['perp', 'orders']);
	expect(stdout).toMatch(/dexA Arbitrum +ETH-USD +limit +BUY +250 +1000 +5x/);

	const {key} = listed.orders[2];
	// Executing it on this machine would ask for the contract first, and end with 3.
	const planned = await home.json(['perp', 'cancel', key, '--dry-run'], {code: 3});
	expectShape('perp-plan', planned);
	expect(planned.checks.filter(({ok}: Any) => !ok)).toMatchObject([{name: 'exchange-pin'}]);
	expect(await home.json(['perp', 'cancel', key, '--dry-run', ...(await ACCEPT())])).toMatchObject({
		isReady: true,
		planHash: planned.planHash,
	});
	expect(planned).toMatchObject({
		isReady: false,
		body: {dex: 'dexA', chainId: CHAIN, orderType: 'sl', orderIndex: listed.orders[2].index},
		text: `api/2/perp/payloads/cancel-order-${planned.body.timestamp}`,
	});
	expect((await home.json(['wallet', 'log'])).records).toEqual([]);
	expect(door.asked.some(line => line.includes('/payloads/'))).toBe(false);

	const cancel = ['perp', 'cancel', key, '--yes', '--plan', planned.planHash, ...PASS];
	const unknown = await home.json(cancel, {fds, code: 3});
	expect(unknown.error.code).toBe('contract-unknown');
	expect(unknown.error.why.toLowerCase()).toContain(exchange().toLowerCase());
	const done = await home.json([...cancel, ...(await ACCEPT())], {fds});
	expectShape('perp-cancel', done);
	expect(done).toMatchObject({phase: 'done', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/)});
	expect(done.signed.map(({what}: Any) => what)).toEqual(['request for the payload', 'transaction', 'execute']);
	expect((await home.json(['perp', 'orders'])).orders.map(({orderType}: Any) => orderType)).toEqual(['order', 'tp']);
	expect(await home.json(['perp', 'cancel', listed.orders[0].key, '--dry-run'])).toMatchObject({isReady: true});
	expect(
		await home.json(['perp', 'cancel', listed.orders[0].key, '--dry-run'], {code: 3, clockMs: 60_000}),
	).toMatchObject({
		checks: expect.arrayContaining([expect.objectContaining({name: 'clock', ok: false})]),
	});
	expect((await home.json(cancel, {fds, code: 1})).error.code).toBe('order-unknown');
	expect(sent()).toBe(1);
});

test('an order of the other exchange is cancelled without a transaction', async () => {
	hand.nonce = 1;
	await hand.act('deposit', 'perpDeposit', {dex: 'dexB', chainId: 'dexB:304', originChainId: CHAIN, amountUsdc: '100'});
	await hand.act('create-account', 'perpCreateAccount', {dex: 'dexB', chainId: 'dexB:304'});
	await place('dexB', {chainIds: ['dexB:304']});
	const {orders} = await home.json(['perp', 'orders']);
	const {planHash} = await home.json(['perp', 'cancel', orders[0].index, '--dry-run']);
	const done = await home.json(['perp', 'cancel', orders[0].index, '--yes', '--plan', planHash, ...PASS], {fds});
	expectShape('perp-cancel', done);
	expect(done).toMatchObject({phase: 'done', order: {dex: 'dexB', marketId: 'ETH-USD'}});
	expect(done.signed.map(({what}: Any) => what)).toEqual(['request for the payload', 'execute']);
	expect((await home.json(['perp', 'orders'])).orders).toEqual([]);
});

test('at a terminal the decoded transaction is shown and the number of the order is typed', async () => {
	await place('dexA');
	const {orders} = await home.json(['perp', 'orders']);
	const {index} = orders[0];
	const story = async (typed: string, code: number, end: string) =>
		home.inTerminal(['perp', 'cancel', index], async pty => {
			await pty.waitFor('Passphrase of main: ');
			pty.type(`${PASSPHRASE}\r`);
			await pty.waitFor(screen => /accept it: $|cancels: $/.test(`${screen.text().trimEnd()} `));
			if (pty.screenText().includes('accept it: ')) {
				pty.type(`${await exchangeEnd()}\r`);
				await pty.waitFor('to sign and send; anything else cancels: ');
			}
			const review = pty.screenText();
			expect(review).toMatch(/^cancels +limit order to BUY, 250 USD at 1000$/m);
			expect(review.toLowerCase()).toContain(exchange().toLowerCase());
			expect(review).toMatch(/^fee +at most 0\.\d+ ETH$/m);
			pty.type(`${typed}\r`);
			await pty.waitFor(end);
			expect((await pty.exit).code).toBe(code);
		});
	await story('', 3, 'The cancel was not confirmed');
	expect(sent()).toBe(0);
	await story(index, 0, 'Cancelled. The order is cancelled: the chain shows it.');
	expect(sent()).toBe(1);
});

test('a wallet that locks itself during the review asks for the passphrase there, and signs only a fresh payload that is confirmed', async () => {
	await place('dexA');
	const {orders} = await home.json(['perp', 'orders']);
	const {index} = orders[0];
	home.remove();
	home = openMoneyHome(service.config(door.url, 'auto-lock = "3s"'));
	await home.wallet('main', key, PASSPHRASE);
	const journal = () => readFileSync(join(home.dataDir, 'trading', 'real', 'journal.jsonl'), 'utf8');
	const payloads = () => door.asked.filter(line => line.endsWith('/payloads/cancel-order')).length;
	await home.inTerminal(['perp', 'cancel', index], async pty => {
		const end = await exchangeEnd();
		const questions = [
			[/Passphrase of main:$/, `${PASSPHRASE}\r`],
			[/accept it:$/, `${end}\r`],
		] as const;
		await answerUntil(pty, 'to sign and send; anything else cancels: ', questions);
		await expect.poll(journal).toContain('"kind":"wallet.locked"');
		const before = payloads();
		pty.type(`${index}\r`);
		await pty.waitFor('The wallet is locked: nothing was typed or signed for 3 s. Nothing was sent.');
		expect(sent()).toBe(0);
		await answerUntil(pty, 'Cancelled. The order is cancelled', [
			...questions,
			[/anything else cancels:$/, `${index}\r`],
		]);
		expect(payloads()).toBeGreaterThan(before);
		expect((await pty.exit).code).toBe(0);
	});
	expect(sent()).toBe(1);
});

test('after a kill during execute the next listing says that the order no longer exists, and nothing is sent again', async () => {
	await place('dexA');
	const {orders} = await home.json(['perp', 'orders']);
	const {planHash} = await home.json(['perp', 'cancel', orders[0].key, '--dry-run', ...(await ACCEPT())]);
	let pid = 0;
	door.onAnswer = path => (path.endsWith('/execute-v2') ? 'keep' : 'pass');
	door.onKept = () => process.kill(pid, 'SIGKILL');
	const killed = await home.run(
		['perp', 'cancel', orders[0].key, '--yes', '--plan', planHash, ...(await ACCEPT()), ...PASS],
		{
			fds,
			onStart: id => {
				pid = id;
			},
		},
	);
	expect(killed.signal).toBe('SIGKILL');
	door.onAnswer = () => 'pass';
	const after = await home.json(['perp', 'orders']);
	expectShape('perp-orders', after);
	expect(after).toMatchObject({orders: [], cancels: [{key: orders[0].key, phase: 'done'}]});
	expect(await home.json(['perp', 'orders'])).toMatchObject({orders: [], cancels: []});
	expect(sent()).toBe(1);
});

test('a plan of another order, none at all, and read-only each sign nothing', async () => {
	await place('dexA', {tp: 5000});
	const {orders} = await home.json(['perp', 'orders']);
	const {planHash} = await home.json(['perp', 'cancel', orders[0].key, '--dry-run'], {code: 3});
	const other = ['perp', 'cancel', orders[1].key, '--yes', '--plan', planHash, ...PASS];
	expect((await home.json(other, {fds, code: 2})).error.what).toBe('ORDER is not that of the plan');
	const none = ['perp', 'cancel', '--yes', '--plan', '0'.repeat(64), ...PASS];
	expect((await home.json(none, {fds, code: 3})).error.code).toBe('plan-differs');
	const readOnly = ['perp', 'cancel', orders[0].key, '--yes', '--plan', planHash, '--read-only'];
	expect((await home.json(readOnly, {code: 3})).error.code).toBe('read-only');
	expect((await home.json(['perp', 'cancel', orders[0].key], {code: 2})).error.what).toContain(
		'no terminal to confirm',
	);
	expect((await home.json(['perp', 'cancel', orders[0].key, '--yes'], {code: 2})).error.code).toBe('usage');
	expect((await home.json(['perp', 'cancel', '999999', '--dry-run'], {code: 1})).error.code).toBe('order-unknown');
	expect((await home.json(['perp', 'practice-order'], {code: 3})).error.code).toBe('practice-wall');
	expect((await home.json(['wallet', 'log'])).records).toEqual([]);
});

test('neither key nor passphrase is in anything that a cancel printed or wrote, whether it succeeded or not', async () => {
	await place('dexA', {tp: 5000, sl: 500});
	const {orders} = await home.json(['perp', 'orders']);
	const [order, profit, loss] = orders.map((row: Any) => row.key);
	const cancel = async (row: string, secret: string, more: readonly string[] = []) => {
		const {planHash} = await home.json(['perp', 'cancel', row, '--dry-run', ...(await ACCEPT())]);
		return home.run(['perp', 'cancel', row, '--yes', '--plan', planHash, ...PASS, ...(await ACCEPT()), ...more], {
			fds: [secret],
		});
	};
	expect((await cancel(loss, 'not this one')).code).toBe(1);
	expect((await cancel(loss, PASSPHRASE)).code).toBe(0);
	door.onAnswer = path => (path.endsWith('/execute-v2') ? 403 : 'pass');
	await cancel(profit, PASSPHRASE, ['--json']);
	door.onAnswer = () => 'pass';
	await home.inTerminal(['perp', 'cancel', order], async pty => {
		await pty.waitFor('Passphrase of main: ');
		pty.type(`${PASSPHRASE}\r`);
		await pty.waitFor('to sign and send; anything else cancels: ');
		pty.type(`${orders[0].index}\r`);
		await pty.exit;
	});
	await home.run(['wallet', 'log']);
	const places = [...home.everything(), ...filesUnder(service.dataDir).values()];
	expectNowhere(places, {key, passphrase: PASSPHRASE}, hand.account.address.toLowerCase());
});

test('on the screen, too: the lock is said in the window, then a fresh payload is reviewed and the order cancelled once', async () => {
	await place('dexA');
	home.remove();
	home = openMoneyHome(service.config(door.url, 'auto-lock = "8s"'));
	await home.wallet('main', key, PASSPHRASE);
	const end = await exchangeEnd();
	const payloads = () => door.asked.filter(line => line.endsWith('/payloads/cancel-order')).length;
	await home.inTerminal([], async pty => {
		await pty.waitFor('● polling');
		pty.type('Mo');
		/** What is typed at each step; it is typed again where it came before the step was in sight. */
		const steps = [
			[/passphrase/, `\u0015${PASSPHRASE}\r`],
			[/Enter requests the payload/, '\r'],
			[/Enter shows it, to accept or not/, '\r'],
			[/Type its last/, `\u0015${end}\r`],
			[/Enter goes on to the confirmation/, '\r'],
			[/too old to sign\. Enter/, '\r'],
			[/\[ Keep the order \]/, '\t'],
			[/\[ Sign and cancel it \]/, '\r'],
		] as const;
		const isSeen = (text: string) => /REAL MONEY {2}[^…║]*║/.test(text);
		const goOn = async (until: RegExp) => {
			for (;;) {
				await pty.waitFor(
					screen =>
						until.test(screen.text()) || (isSeen(screen.text()) && steps.some(([step]) => step.test(screen.text()))),
				);
				if (until.test(pty.screenText())) return;
				const [step, keys] = steps.find(([shown]) => shown.test(pty.screenText())) ?? [/$^/, ''];
				pty.type(keys);
				await pty.waitFor(screen => !step.test(screen.text()), 2000).catch(() => {});
			}
		};
		await goOn(/Enter goes on to the confirmation/);
		await pty.waitFor('The wallet has locked itself: nothing was typed or signed for 8 s. Nothing was sent.');
		expect(sent()).toBe(0);
		const before = payloads();
		await goOn(/✓ Cancelled/);
		expect(payloads()).toBeGreaterThan(before);
		pty.type('\u0003');
		await pty.exit;
	});
	expect(sent()).toBe(1);
});
