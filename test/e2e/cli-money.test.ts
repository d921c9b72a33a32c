import {readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {type Hex, hashTypedData, keccak256, toHex} from 'viem';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {hashAuthorization} from 'viem/utils';
import {afterAll, afterEach, beforeAll, beforeEach, expect, test} from 'vitest';
import {expectNowhere} from '../helpers/canary.ts';
import {filesUnder} from '../helpers/files-under.ts';
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

const EXECUTE = 'POST /api/2/bridge/execute';
const PASSPHRASE = 'a passphrase of the tests';
const TRANSFER = ['--from', 'base:usdc', '--amount', '12.5', '--to', 'arbitrum:usdc'];
const PASS = ['--passphrase-fd', '3'];
const fds = [PASSPHRASE];

let service: MoneyService;
beforeAll(async () => {
	service = await startMoneyService();
});
afterAll(() => service?.stop());

let door: Door;
let home: MoneyHome;
let key: Hex;
let address: Hex;
beforeEach(async () => {
	door = await openDoor(service.url);
	home = openMoneyHome(service.config(door.url));
	key = generatePrivateKey();
	address = privateKeyToAddress(key);
	await Promise.all([home.wallet('main', key, PASSPHRASE), service.fund('evm:8453', address)]);
});
afterEach(async () => {
	await door.close();
	home.remove();
});

const sent = () => door.asked.filter(line => line === EXECUTE).length;
const journal = async () => (await home.json(['wallet', 'log'])).records as Any[];

/** A dry run with every contract accepted: its plan can be executed. */
async function plan(transfer: readonly string[] = TRANSFER): Promise<Any> {
	const {toAccept} = await home.json(['bridge', 'quote', ...transfer]);
	return home.json(['bridge', 'execute', ...transfer, '--dry-run', ...acceptFlags(toAccept)]);
}

test('a quote shows what leaves and arrives and every check, as text and as JSON, and signs nothing', async () => {
	const {code, stdout} = await home.run(['bridge', 'quote', ...TRANSFER]);
	expect(code).toBe(0);
	expect(stdout).toMatch(/^you send +12\.5 USDC on Base$/m);
	expect(stdout).toMatch(/^you receive +about 12\.\d+ USDC \(minimum 12\.\d+\) on Arbitrum$/m);
	expect(stdout).toMatch(/^28 CHECKS +2 TO BE ACCEPTED/m);
	const document = await home.json(['bridge', 'quote', ...TRANSFER]);
	expectShape('bridge-quote', document);
	expect(document).toMatchObject({
		mode: 'real',
		wallet: {name: 'main'},
		isReady: false,
		request: {amountRaw: '12500000'},
	});
	expect(document.toAccept.map(({role}: Any) => role)).toEqual(['batch executor', 'bridge']);
	expect(await journal()).toEqual([]);
});

test('an amount with separators is asked about once at a terminal, and refused with every reading from a program', async () => {
	const transfer = (amount: string) => ['--from', 'base:usdc', '--amount', amount, '--to', 'arbitrum:usdc'];
	for (const [amount, advice] of [
		['1.000', 'Write 1000 or 1.'],
		['1,000', 'Write 1000 or 1.'],
		['1.234.567', 'Write 1234567.'],
		["1'000", 'Write 1000.'],
		['1.234,50', 'Write 1234.5.'],
	] as const) {
		const refused = await home.json(['bridge', 'quote', ...transfer(amount)], {code: 2});
		expect(refused.error).toMatchObject({code: 'amount-unclear', advice});
	}
	const limit = ['wallet', 'limits', 'base:native', '--per-day', '1,000'];
	expect((await home.json(limit, {code: 2})).error.code).toBe('amount-unclear');
	expect(door.asked.some(line => line.includes('/bridge/quote'))).toBe(false);
	await home.inTerminal(['bridge', 'execute', ...transfer('1.000')], async pty => {
		await pty.waitFor('Type 1000 or 1: ');
		expect(pty.screenText()).toContain('1.000 is 1000 with a separator of thousands, and 1 with decimals');
		pty.type('1\r');
		await pty.waitFor(/^you send +1 USDC on Base$/m);
		pty.type('\u0003');
		// A question answers Ctrl+C with a code; before it comes, the signal ends the program.
		expect(await pty.exit).not.toMatchObject({code: 0, signal: undefined});
		expect(pty.screenText().match(/Type 1000 or 1: /g)).toHaveLength(1);
	});
	await home.inTerminal(['bridge', 'execute', ...transfer('1.000')], async pty => {
		await pty.waitFor('Type 1000 or 1: ');
		pty.type('\r');
		expect((await pty.exit).code).toBe(2);
	});
	expect(sent()).toBe(0);
});

test('a dry run prints exactly what would be signed, and its plan is executed once', async () => {
	const unknown = await home.json(['bridge', 'execute', ...TRANSFER, '--dry-run'], {code: 3});
	expectShape('bridge-plan', unknown);
	expect(unknown.isReady).toBe(false);
	const planned = await home.json(['bridge', 'execute', ...TRANSFER, '--dry-run', ...acceptFlags(unknown.toAccept)]);
	expectShape('bridge-plan', planned);
	expect(planned).toMatchObject({isReady: true, toAccept: []});
	// viem says the same of what is to be signed.
	expect(hashTypedData(planned.typedData)).toBe(planned.digest);
	const {digest, ...authorization} = planned.authorization;
	expect(hashAuthorization(authorization)).toBe(digest);
	expect(BigInt(planned.body.batchNonce) >> 64n).toBe(
		BigInt(keccak256(toHex(planned.body.intentId))) & ((1n << 192n) - 1n),
	);
	expect((await journal()).some(({kind}) => kind === 'wallet.signed')).toBe(false);
	expect(sent()).toBe(0);

	const execute = ['bridge', 'execute', '--yes', '--plan', planned.planHash, ...PASS];
	const done = await home.json(execute, {fds});
	expectShape('bridge-execute', done);
	expect(done.intent).toMatchObject({intentId: planned.body.intentId, isEnd: true, attempts: 1});
	expect(done.intent.phase).toMatch(/^(filled|settled)$/);
	expect(sent()).toBe(1);
	const list = await home.json(['bridge', 'list']);
	expectShape('bridge-list', list);
	expect(list.intents[0].transfer).toMatchObject({amount: '12.5', symbol: 'USDC', recipient: address.toLowerCase()});
	expectShape('wallet-log', await home.json(['wallet', 'log']));
	expectShape('wallet-pins', await home.json(['wallet', 'pins']));
	const limits = await home.json(['wallet', 'limits']);
	expectShape('wallet-limits', limits);
	expect(limits.limits.find(({chainId}: Any) => chainId === 'evm:8453').spentToday).toBe('12.5');

	expect((await home.json(execute, {fds, code: 3})).error).toMatchObject({
		code: 'unknown-plan',
		why: 'its intent was sent already',
	});
	const never = ['bridge', 'execute', '--yes', '--plan', '0'.repeat(64), ...PASS];
	expect((await home.json(never, {fds, code: 3})).error.code).toBe('unknown-plan');
	expect(sent()).toBe(1);
});

test('at a terminal contracts are accepted by their end and the amount is typed, both after they were in sight', async () => {
	const contracts: (string | undefined)[] = [];
	await home.inTerminal(['bridge', 'execute', ...TRANSFER], async pty => {
		// Typed ahead: it answers no prompt.
		pty.type('12.5\r');
		for (const role of ['batch executor', 'bridge']) {
			const screen = await pty.waitFor(
				new RegExp(
					`The ${role} of Base is used here for the first time[^:]*:\\s+0x\\w{40}[\\s\\S]*fingerprint 0x\\w{64}[\\s\\S]*accept it: `,
				),
			);
			const [, found] = new RegExp(
				`The ${role} of Base is used here for the first time[\\s\\S]*?fingerprint (0x\\w{64})`,
			).exec(screen)!;
			contracts.push(found);
			pty.type(`${found!.slice(-6)}\r`);
		}
		await pty.waitFor('Type the amount, 12.5, to sign and send');
		pty.type('12.5\r');
		await pty.waitFor('Passphrase of main: ');
		pty.type('not this one\r');
		await pty.waitFor('The passphrase does not open this key.');
		pty.type(`${PASSPHRASE}\r`);
		await pty.waitFor('Filled. The tokens arrived. The destination chain shows it.');
		expect((await pty.exit).code).toBe(0);
	});
	expect(contracts).toHaveLength(2);
	expect(sent()).toBe(1);
});

test('another amount than the one shown cancels, and nothing is signed', async () => {
	await plan();
	await home.inTerminal(['bridge', 'execute', ...TRANSFER], async pty => {
		await pty.waitFor('Type the amount, 12.5, to sign and send');
		pty.type('12\r');
		await pty.waitFor('The transfer was not confirmed');
		expect((await pty.exit).code).toBe(3);
	});
	expect(sent()).toBe(0);
	expect((await journal()).some(({kind}) => kind === 'wallet.signed')).toBe(false);
});

test('a wrong passphrase signs nothing and ends with 1', async () => {
	const {planHash} = await plan();
	const refused = await home.json(['bridge', 'execute', '--yes', '--plan', planHash, ...PASS], {
		fds: ['wrong'],
		code: 1,
	});
	expect(refused.error.code).toBe('wrong-passphrase');
	expect(sent()).toBe(0);
	// The plan was not used up by it.
	await home.json(['bridge', 'execute', '--yes', '--plan', planHash, ...PASS], {fds});
});

test('a contract that is not the accepted one, a limit, and too small a balance each refuse with 3 and send nothing', async () => {
	const {planHash} = await plan();
	const execute = () => home.json(['bridge', 'execute', '--yes', '--plan', planHash, ...PASS], {fds, code: 3});
	const usdc = `base:${service.contracts('evm:8453')['usdc']}`;
	await home.json(['wallet', 'limits', usdc, '--per-transaction', '12']);
	expect((await execute()).error).toMatchObject({code: 'check-failed', what: 'The check “your limits” failed'});
	await home.json(['wallet', 'limits', usdc, '--per-transaction', '12.5', ...PASS], {fds});

	const pins = join(home.dataDir, 'trading', 'real', 'pins.json');
	const before = readFileSync(pins, 'utf8');
	const executor = service.contracts('evm:8453')['batchExecutor']!.toLowerCase();
	writeFileSync(pins, before.replace(executor, `0x${'11'.repeat(20)}`));
	expect((await execute()).error).toMatchObject({what: 'The check “known executor” failed'});
	writeFileSync(pins, before);

	const tooMuch = await home.json(
		['bridge', 'execute', '--from', 'base:usdc', '--amount', '1000.5', '--to', 'arbitrum:usdc', '--dry-run'],
		{
			code: 3,
		},
	);
	expect(tooMuch.checks.filter(({ok}: Any) => !ok).map(({name}: Any) => name)).toEqual(['balance', 'caps']);
	const readOnly = await home.json(['bridge', 'execute', '--yes', '--plan', planHash, '--read-only'], {code: 3});
	expect(readOnly.error.code).toBe('read-only');
	expect(sent()).toBe(0);
});

test('the end of another fingerprint accepts no contract; an accepted one can be forgotten by the end of its address', async () => {
	const wrong = await home.json(['bridge', 'execute', ...TRANSFER, '--dry-run', '--accept', 'bridge=000000'], {
		code: 3,
	});
	expect(wrong.error.code).toBe('pin-not-confirmed');
	expect((await home.json(['wallet', 'pins'])).pins).toEqual([]);
	await plan();
	const {pins} = await home.json(['wallet', 'pins']);
	expect(pins).toHaveLength(2);
	const {address: pinned} = pins.find(({role}: Any) => role === 'bridge');
	await home.json(['wallet', 'pins', '--chain', 'base', '--forget', 'bridge=000000'], {code: 3});
	const left = await home.json(['wallet', 'pins', '--chain', 'base', '--forget', `bridge=${pinned.slice(-6)}`]);
	expect(left.pins.map(({role}: Any) => role)).toEqual(['batch executor']);
});

test.each([
	[['bridge', 'execute', ...TRANSFER], 'There is no terminal to confirm the transfer'],
	[['bridge', 'execute', ...TRANSFER, '--yes'], '--yes needs --plan HASH'],
	[['bridge', 'execute', '--plan', 'a', '--from', 'base:usdc'], 'There is no terminal to confirm the transfer'],
	[['bridge', 'quote', '--from', 'base', '--amount', '1', '--to', 'arbitrum'], "The value of --from can't be used"],
	[['bridge', 'quote', '--from', 'bse:usdc', '--amount', '1', '--to', 'arbitrum'], "The value of --from can't be used"],
	[['bridge', 'quote', '--from', 'base:usdc', '--to', 'arbitrum'], '--amount is missing'],
	[['bridge', 'quote', '--from', 'base:doge', '--amount', '1', '--to', 'arbitrum'], 'The token of --from is not known'],
	[['bridge', 'quote', '--from', 'base:usdc', '--amount', '1,5', '--to', 'arbitrum'], 'This is not an amount'],
	[['bridge', 'quote', ...TRANSFER, '--wallet', 'other'], 'There is no such wallet'],
	[['bridge', 'execute', ...TRANSFER, '--dry-run', '--accept', 'bridge'], "The value of --accept can't be used"],
])('%j is a usage error', async (args, words) => {
	const outcome = await home.run(args);
	expect(outcome).toMatchObject({code: 2, stdout: ''});
	expect(outcome.stderr).toContain(words);
});

test('an unreachable service ends with 69', async () => {
	const outcome = await home.json(['bridge', 'status', 'some-intent', '--base-url', 'http://127.0.0.1:1'], {code: 69});
	expect(outcome.error.code).toBe('service-unreachable');
});

test('a service that reports nothing sent gets the same lane again; while the batch can still execute the exit code is 4', async () => {
	const {planHash} = await plan();
	door.onAnswer = path => (path.endsWith('/bridge/execute') ? 503 : 'pass');
	const execute = ['bridge', 'execute', '--yes', '--plan', planHash, '--no-wait', ...PASS];
	const done = await home.json(execute, {fds, code: 4});
	expectShape('bridge-execute', done);
	const {intent} = done;
	expect(intent).toMatchObject({phase: 'retryable', isEnd: false, attempts: 3, httpStatus: 503});
	expect(intent.liveUntilS).toBeGreaterThan(Date.now() / 1000);
	expect(intent.text).toMatch(/It can still be sent until \d\d:\d\d:\d\d\./);
	expect(sent()).toBe(3);
	const digests = (await journal()).filter(({kind}) => kind === 'bridge.intended').map(({id}) => id);
	expect(new Set(digests)).toEqual(new Set([intent.intentId]));
	const {limits} = await home.json(['wallet', 'limits']);
	expect(limits.find(({chainId}: Any) => chainId === 'evm:8453').spentToday).toBe('12.5');
	door.onAnswer = () => 'pass';
	const {intents} = await home.json(['bridge', 'status']);
	expect(intents).toMatchObject([{phase: 'unclear', isEnd: false}]);
	expect(sent()).toBe(3);
});

test('a service that refuses a batch and broadcasts it is not believed', async () => {
	const {planHash} = await plan();
	door.onReply = path => (path.endsWith('/bridge/execute') ? 400 : undefined);
	const execute = ['bridge', 'execute', '--yes', '--plan', planHash, ...PASS];
	const {intent} = await home.json(execute, {fds});
	expect(intent.phase).toMatch(/^(filled|settled)$/);
	expect(intent.leftTxHash).toMatch(/^0x[0-9a-f]{64}$/);
	expect(sent()).toBe(1);
});

test('one plan in twelve processes at once is one signature and one batch', async () => {
	const {planHash} = await plan();
	const execute = ['bridge', 'execute', '--yes', '--plan', planHash, '--json', ...PASS];
	const outcomes = await Promise.all(Array.from({length: 12}, () => home.run(execute, {fds})));
	expect(outcomes.map(({code}) => code).toSorted()).toEqual([0, ...Array.from({length: 11}, () => 3)]);
	const errors = outcomes
		.filter(({code}) => code === 3)
		.map(({stdout, stderr}) => JSON.parse(stdout || stderr).error.code);
	// A late one learns from the simulation on its node that the deposit was made.
	for (const code of errors) expect(['intent-claimed', 'unknown-plan', 'check-failed']).toContain(code);
	expect(sent()).toBe(1);
	const signed = (await journal()).filter(({kind, data}) => kind === 'wallet.signed' && data.what === 'batch');
	expect(signed).toHaveLength(1);
});

test('after a kill during execute a transfer is only read, never sent again', async () => {
	const {planHash, body} = await plan();
	let pid = 0;
	door.onAnswer = path => (path.endsWith('/bridge/execute') ? 'keep' : 'pass');
	door.onKept = () => process.kill(pid, 'SIGKILL');
	const execute = ['bridge', 'execute', '--yes', '--plan', planHash, ...PASS];
	const killed = await home.run(execute, {
		fds,
		onStart: id => {
			pid = id;
		},
	});
	expect(killed).toMatchObject({code: null, signal: 'SIGKILL'});
	door.onAnswer = () => 'pass';

	const again = await home.json(execute, {fds, code: 3});
	expect(again.error.why).toBe('its intent was sent already');
	const open = await home.json(['bridge', 'status', '--wait']);
	expectShape('bridge-status', open);
	expect(open.intents).toMatchObject([{intentId: body.intentId, attempts: 1, isEnd: true}]);
	expect(open.intents[0].phase).toMatch(/^(filled|settled)$/);
	expect((await home.run(['bridge', 'status'])).stdout).toBe('No transfer is open.\n');
	expect(sent()).toBe(1);
});

test('after a kill before the request left, the intent is unclear and only read', async () => {
	const {planHash} = await plan();
	let pid = 0;
	door.onAnswer = path => {
		if (!path.endsWith('/bridge/execute')) return 'pass';
		process.kill(pid, 'SIGKILL');
		return 502;
	};
	await home.run(['bridge', 'execute', '--yes', '--plan', planHash, ...PASS], {
		fds,
		onStart: id => {
			pid = id;
		},
	});
	door.onAnswer = () => 'pass';
	const {intents} = await home.json(['bridge', 'status']);
	expect(intents).toMatchObject([{phase: 'unclear', isEnd: false, next: 'poll-status'}]);
	const {intents: listed} = await home.json(['bridge', 'list']);
	expect(listed).toMatchObject([{phase: 'unclear'}]);
	expect(sent()).toBe(1);
});

test('with --no-wait execute ends when the service has accepted the batch, and status reads on', async () => {
	const {planHash} = await plan();
	const {intent} = await home.json(['bridge', 'execute', '--yes', '--plan', planHash, '--no-wait', ...PASS], {fds});
	expect(intent).toMatchObject({isEnd: false, depositTxHash: expect.stringMatching(/^0x/)});
	const {intents} = await home.json(['bridge', 'status', intent.intentId, '--wait']);
	expect(intents[0].phase).toMatch(/^(filled|settled)$/);
	const stranger = openMoneyHome(service.config());
	const seen = await stranger.json(['bridge', 'status', intent.intentId]);
	expectShape('bridge-status', seen);
	expect(seen.intents[0].phase).toMatch(/^(filled|settled)$/);
	stranger.remove();
});

test('Ctrl+C during the wait ends the command and restores the terminal, not the transfer', async () => {
	const {planHash, body} = await plan();
	door.onAnswer = path => (path.endsWith('/wait') ? 'keep' : 'pass');
	await home.inTerminal(['bridge', 'execute', '--plan', planHash], async pty => {
		await pty.waitFor('Type the amount');
		pty.type('12.5\r');
		await pty.waitFor('Passphrase of main: ');
		pty.type(`${PASSPHRASE}\r`);
		await pty.waitFor('Broadcast: intent');
		await expect.poll(() => door.asked.some(line => line.endsWith('/wait'))).toBe(true);
		pty.type('\x03');
		await pty.waitFor(`pulsetop bridge status ${body.intentId} reads it`);
		expect((await pty.exit).code).toBe(4);
	});
	door.onAnswer = () => 'pass';
	const {intents} = await home.json(['bridge', 'status', '--wait']);
	expect(intents).toMatchObject([{intentId: body.intentId, isEnd: true}]);
	expect(sent()).toBe(1);
});

test('no output and no file contains the key or the passphrase', async () => {
	// Here the program makes its key file itself, at its own cost.
	rmSync(join(home.dataDir, 'trading/real/keys/main.json'));
	await home.json(['wallet', 'import', 'main', '--key-fd', '3', '--passphrase-fd', '4'], {fds: [key, PASSPHRASE]});
	const {planHash} = await plan();
	await home.json(['bridge', 'execute', '--yes', '--plan', planHash, ...PASS], {fds});
	await home.run(['bridge', 'execute', '--yes', '--plan', planHash, ...PASS], {fds});
	await home.run(['wallet', 'log']);
	await home.inTerminal(['bridge', 'execute', ...TRANSFER], async pty => {
		await pty.waitFor('Type the amount');
		pty.type('12.5\r');
		await pty.waitFor('Passphrase of main: ');
		pty.type(`${PASSPHRASE}\r`);
		await pty.waitFor('Filled.');
		await pty.exit;
	});
	const places = [...home.everything(), ...filesUnder(service.dataDir).values()];
	expect(places.length).toBeGreaterThan(10);
	expectNowhere(places, {key, passphrase: PASSPHRASE}, planHash);
});
