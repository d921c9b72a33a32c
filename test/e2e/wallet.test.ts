import {copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {generatePrivateKey, privateKeyToAddress} from 'viem/accounts';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openKeystore} from '../../source/trading/keystore.ts';
import {expectNowhere} from '../helpers/canary.ts';
import {type MoneyHome, openMoneyHome} from '../helpers/money-cli.ts';
import {expectShape} from '../helpers/output-shape.ts';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

const PASSPHRASE = 'correct horse ümlaut';
let home: MoneyHome;
beforeEach(() => {
	home = openMoneyHome();
});
afterEach(() => home.remove());

/** The private key of a real wallet, as hex. */
async function keyOf(name: string): Promise<string> {
	const opened = await openKeystore(join(home.dataDir, 'trading'), 'real').open(
		name,
		new TextEncoder().encode(PASSPHRASE),
	);
	return opened.withSecret(secret => `0x${secret.toString('hex')}`);
}

const keyFile = (mode: string, name: string) => join(home.dataDir, 'trading', mode, 'keys', `${name}.json`);

test('a real wallet is created at the terminal: the passphrase is typed twice and never shown', async () => {
	await home.inTerminal(['wallet', 'create', 'main', '--real'], async pty => {
		await pty.waitFor('New passphrase for main: ');
		pty.type(`${PASSPHRASE}\r`);
		await pty.waitFor('Repeat passphrase: ');
		pty.type(`${PASSPHRASE}X\x7f\r`);
		await pty.waitFor(/main {2}0x[0-9a-f]{40} {2}\(real\)/);
		expect((await pty.exit).code).toBe(0);
		expect(pty.bytes().includes('horse')).toBe(false);
	});
	expect(statSync(keyFile('real', 'main')).mode & 0o777).toBe(0o600);
	const listed = await home.json(['wallet', 'list']);
	expectShape('wallet-list', listed);
	const {mode, wallets} = listed;
	expect(mode).toBe('practice');
	expect(wallets).toEqual([
		{name: 'main', mode: 'real', address: expect.stringMatching(/^0x/), isExposed: false, actsHere: false},
	]);
	await home.run(['wallet', 'log', '--real']);
	expectNowhere(home.everything(), {key: await keyOf('main'), passphrase: PASSPHRASE}, wallets[0].address);
});

test('the rule for passphrases comes first; different or short ones are prompted for again, three times', async () => {
	await home.inTerminal(['wallet', 'create', 'main', '--real'], async pty => {
		await pty.waitFor(/needs at least 8 characters[\s\S]*New passphrase for main: /);
		pty.type('one passphrase\ranother passphrase\r');
		await pty.waitFor(/The two are not the same\. Try again\.\s+New passphrase for main: /);
		pty.type('short\r');
		await pty.waitFor(/That is too short\. Try again\.\s+New passphrase for main: /);
		pty.type('one passphrase\ranother passphrase\r');
		await pty.waitFor('The two passphrases are not the same');
		expect((await pty.exit).code).toBe(1);
	});
	expect((await home.json(['wallet', 'list'])).wallets).toEqual([]);
});

test('Ctrl+C at the passphrase restores the terminal, and creates nothing', async () => {
	const line = `'${process.execPath}' '${CLI}' wallet create main --real; echo "code $?"; stty -a | tr ';' '\\n' | grep -o '[-]\\?echo\\b'; echo done`;
	await withPty({command: 'bash', args: ['-c', line]}, async pty => {
		await pty.waitFor('New passphrase for main: ');
		pty.type('half a pass\x03');
		await pty.waitFor('done');
		expect(pty.screenText()).toContain('code 1');
		expect(pty.screenText()).toMatch(/^echo$/m);
		expect(pty.bytes().includes('half')).toBe(false);
	});
});

test('a signal at the passphrase restores the terminal', async () => {
	const line = `'${process.execPath}' '${CLI}' wallet create main --real & echo $! > "$HOME/pid"; fg 2>/dev/null; wait; stty -a | tr ';' '\\n' | grep -o '[-]\\?echo\\b'; echo done`;
	await withPty({command: 'bash', args: ['-mc', line]}, async pty => {
		await pty.waitFor('New passphrase for main: ');
		process.kill(Number(readFileSync(join(pty.home, 'pid'), 'utf8')), 'SIGTERM');
		await pty.waitFor('done');
		expect(pty.screenText()).toMatch(/^echo$/m);
	});
});

test('without a terminal a passphrase comes through a file descriptor, and a key file opens with no other', async () => {
	const made = await home.json(['wallet', 'create', 'main', '--real', '--passphrase-fd', '3'], {
		fds: [`${PASSPHRASE}\n`],
	});
	expectShape('wallet', made);
	expect(made).toMatchObject({schema: 'pulsetop.wallet/1', wallet: {name: 'main', mode: 'real'}});
	const file = keyFile('real', 'main');
	const wrong = await home.run(['wallet', 'import', 'copy', file, '--real', '--passphrase-fd', '3'], {
		fds: ['another one\n'],
	});
	expect(wrong).toMatchObject({code: 1, stdout: ''});
	expect(wrong.stderr).toContain('The passphrase does not open this key');
	const right = await home.json(['wallet', 'import', 'copy', file, '--real', '--passphrase-fd', '3'], {
		fds: [PASSPHRASE],
	});
	expect(right.wallet.address).toBe(made.wallet.address);
	expect(
		await home.json(['wallet', 'create', 'main', '--real', '--passphrase-fd', '3'], {fds: [PASSPHRASE], code: 2}),
	).toMatchObject({
		error: {code: 'wallet-name'},
	});
});

test('without a terminal and without a descriptor there is no prompt and no wallet', async () => {
	const outcome = await home.run(['wallet', 'create', 'main', '--real']);
	expect(outcome).toMatchObject({code: 2, stdout: ''});
	expect(outcome.stderr).toContain('--passphrase-fd N');
});

test('a key is imported from a descriptor, from a file and from the keyboard, each as the same account', async () => {
	const key = generatePrivateKey();
	const address = privateKeyToAddress(key).toLowerCase();
	const secrets = {fds: [key, PASSPHRASE]};
	const first = await home.json(['wallet', 'import', 'a', '--real', '--key-fd', '3', '--passphrase-fd', '4'], secrets);
	expect(first.wallet.address).toBe(address);
	const path = join(home.dataDir, '..', 'key.txt');
	writeFileSync(path, `${key.slice(2)}\n`);
	const second = await home.run(['wallet', 'import', 'b', path, '--real', '--passphrase-fd', '3'], {fds: [PASSPHRASE]});
	expect(second).toMatchObject({code: 0, stdout: `b  ${address}  (real)\n`});
	expect(second.stderr).toContain('delete it');
	await home.inTerminal(['wallet', 'import', 'c', '--real'], async pty => {
		await pty.waitFor('Private key, as hex: ');
		pty.type(`${key}\r`);
		await pty.waitFor('New passphrase for c: ');
		pty.type(`${PASSPHRASE}\r`);
		await pty.waitFor('Repeat passphrase: ');
		pty.type(`${PASSPHRASE}\r`);
		await pty.waitFor(`c  ${address}  (real)`);
		expect(pty.bytes().includes(key.slice(2, 12))).toBe(false);
	});
	await home.run(['wallet', 'import', 'd', path, '--real', '--passphrase-fd', '3', '--json'], {fds: ['short']});
	await home.run(['wallet', 'import', 'a', '--real', '--key-fd', '3', '--passphrase-fd', '4'], secrets);
	// The file that it was read from is the person's own.
	rmSync(path);
	expectNowhere(home.everything(), {key, passphrase: PASSPHRASE}, address);
});

test('a private key in the command line is refused, and not repeated', async () => {
	const key = generatePrivateKey();
	const outcome = await home.run(['wallet', 'import', 'main', key, '--real']);
	expect(outcome).toMatchObject({code: 2, stdout: ''});
	expect(outcome.stderr).toContain('A private key never stands in a command line');
	expect(outcome.stderr).not.toContain(key.slice(2, 12));
});

test('key and passphrase come from two descriptors', async () => {
	const outcome = await home.run(['wallet', 'import', 'main', '--real', '--key-fd', '3', '--passphrase-fd', '3'], {
		fds: [generatePrivateKey()],
	});
	expect(outcome).toMatchObject({code: 2, stdout: ''});
	expect(outcome.stderr).toContain('Key and passphrase come from one descriptor');
});

test('practice takes no key from elsewhere', async () => {
	const outcome = await home.run(['wallet', 'import', 'main', '--key-fd', '3', '--passphrase-fd', '4'], {
		fds: [generatePrivateKey(), PASSPHRASE],
	});
	expect(outcome).toMatchObject({code: 3, stdout: ''});
	expect(outcome.stderr).toContain('Practice mode takes no keys from elsewhere');
});

test('real money takes neither a practice key nor a publicly known one', async () => {
	await home.json(['wallet', 'create', 'play', '--practice']);
	const practice = await home.json(
		['wallet', 'import', 'main', keyFile('practice', 'play'), '--real', '--passphrase-fd', '3'],
		{
			fds: ['practice'],
			code: 3,
		},
	);
	expect(practice).toMatchObject({error: {code: 'practice-wall', what: 'A practice key was given for real money'}});
	const known = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
	const world = await home.json(['wallet', 'import', 'main', '--real', '--key-fd', '3', '--passphrase-fd', '4'], {
		fds: [known, PASSPHRASE],
		code: 3,
	});
	expect(world.error.why).toContain('everybody knows the key');
	expect((await home.json(['wallet', 'list', '--real'])).wallets).toEqual([]);
});

test('the list shows practice and real wallets, and says which are refused here', async () => {
	await home.wallet('main', generatePrivateKey(), PASSPHRASE);
	await home.json(['wallet', 'create', 'play']);
	const here = await home.run(['wallet', 'list']);
	expect(here.stdout).toMatch(/^play +practice +0x\S+ +ready$/m);
	expect(here.stdout).toMatch(/^main +real +0x\S+ +refused here: real keys never sign for practice/m);
	const there = await home.run(['wallet', 'list', '--base-url', 'http://127.0.0.1:9']);
	expect(there.stdout).toMatch(/^play +practice +0x\S+ +refused here: practice keys never sign for real money$/m);
	expect(there.stdout).toMatch(/^main +real +0x\S+ +ready$/m);
});

test('a real key file that is put among the practice ones does not sign', async () => {
	await home.wallet('main', generatePrivateKey(), 'practice');
	mkdirSync(join(home.dataDir, 'trading', 'practice', 'keys'), {recursive: true});
	copyFileSync(keyFile('real', 'main'), keyFile('practice', 'main'));
	const refused = await home.json(
		['bridge', 'quote', '--wallet', 'main', '--from', 'base:usdc', '--amount', '1', '--to', 'arbitrum'],
		{
			code: 3,
		},
	);
	expect(refused.error).toMatchObject({code: 'practice-wall', what: 'A real key was given in practice mode'});
});

test('a limit is lowered at once and raised only with the passphrase', async () => {
	await home.wallet('main', generatePrivateKey(), PASSPHRASE);
	const token = 'base:0x833589fcd6edb6e08f4c7c32d4f71b54bda02913';
	const limits = (...more: string[]) => ['wallet', 'limits', '--real', ...more];
	const usual = await home.json(limits());
	expect(usual).toEqual({
		schema: 'pulsetop.wallet-limits/1',
		mode: 'real',
		limits: [
			{chainId: 'usd', token: 'buys', perTransaction: '200', perDay: '1000', spentToday: '0'},
			{chainId: 'usd', token: 'sells', perTransaction: '5000', perDay: '5000', spentToday: '0'},
		],
		usual: {token: {perTransaction: '1000', perDay: '5000'}, native: {perTransaction: '0.01', perDay: '0.05'}},
	});
	const lowered = await home.json(limits(token, '--per-transaction', '10.5'));
	expect(lowered.limits).toEqual([
		{chainId: 'evm:8453', token: token.slice(5), perTransaction: '10.5', perDay: '5000', spentToday: '0'},
	]);
	const raise = limits(token, '--per-transaction', '20', '--passphrase-fd', '3');
	expect((await home.json(raise, {fds: ['not the passphrase'], code: 1})).error.code).toBe('wrong-passphrase');
	expect((await home.json(limits())).limits[0].perTransaction).toBe('10.5');
	expect((await home.json(raise, {fds: [PASSPHRASE]})).limits[0].perTransaction).toBe('20');
	expect((await home.run(limits('--format', 'csv'))).stdout).toBe(
		`chain_id,token,per_transaction,per_day,spent_today\r\nevm:8453,${token.slice(5)},20,5000,0\r\nusd,buys,200,1000,0\r\nusd,sells,5000,5000,0\r\n`,
	);
	const trades = await home.json(limits('usd:buys', '--per-transaction', '50'));
	expect(trades.limits).toEqual([
		{chainId: 'usd', token: 'buys', perTransaction: '50', perDay: '1000', spentToday: '0'},
	]);
	expect((await home.run(['wallet', 'pins', '--real', '--format', 'csv'])).stdout).toBe(
		'chain_id,role,address,accepted_at_ms\r\n',
	);
	const {records} = await home.json(['wallet', 'log', '--real']);
	expect(records.map(({kind}: {kind: string}) => kind)).toEqual(Array.from({length: 3}, () => 'limit.changed'));
});

test('a log that was changed by hand is refused', async () => {
	await home.json(['wallet', 'limits', 'base:native', '--per-day', '0.01', '--practice']);
	const path = join(home.dataDir, 'trading', 'practice', 'journal.jsonl');
	writeFileSync(
		path,
		readFileSync(path, 'utf8').replace('"0.01","perDay"', '"0.02","perDay"').replace('"perDay":"0.01"', '"perDay":"9"'),
	);
	expect(await home.json(['wallet', 'log', '--practice'], {code: 3})).toMatchObject({error: {code: 'journal-broken'}});
});

test('only practice wallets get practice funds', async () => {
	const refused = await home.json(['wallet', 'fund', '--base-url', 'http://127.0.0.1:9'], {code: 3});
	expect(refused.error).toMatchObject({code: 'practice-wall', what: 'Only practice wallets are funded here'});
	await home.json(['wallet', 'create', 'second']);
	const funded = await home.json(['wallet', 'fund', 'second', '--chain', 'base']);
	expectShape('wallet-fund', funded);
	const {wallet, balances} = funded;
	expect(wallet.name).toBe('second');
	expect(balances).toMatchObject([
		{chainId: 'evm:8453', symbol: 'USDC', balance: '1000'},
		{chainId: 'evm:8453', token: 'native', symbol: 'ETH', balance: '1'},
	]);
	const readOnly = await home.json(['wallet', 'fund', '--read-only'], {code: 3});
	expect(readOnly.error.code).toBe('read-only');
});
