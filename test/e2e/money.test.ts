import {mkdtemp, readdir, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {openKeystore} from '../../source/trading/keystore.ts';
import {filesUnder} from '../helpers/files-under.ts';
import {acceptContracts, fill, goOn, press} from '../helpers/money-window.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

/** Opens the monitor on its own service and waits for its data. */
async function story(notify: (pty: Pty) => Promise<void>): Promise<void> {
	await withPty({columns: 120, rows: 50, args: [CLI, '--seed', '7']}, async pty => {
		await pty.waitFor('● live');
		await pty.waitFor(/NEW [1-9]/);
		await notify(pty);
	});
}

test('a bridge transfer from the keyboard: quote, review, contracts accepted, amount typed, filled', {}, async () => {
	await story(async pty => {
		pty.type('b');
		await pty.waitFor('PRACTICE MONEY');
		await pty.waitFor(/you send\s+< USDC on Base/);
		pty.type('\t25\r');
		await pty.waitFor(/\d+ checks/);
		await pty.waitFor(/you send\s+25 USDC on Base/);
		await pty.waitFor(/you receive\s+about [\d.]+ USDC \(minimum [\d.]+\) on/);
		await acceptContracts(pty);

		await goOn(pty, '\r', /Type the amount, 25/);
		// Enter alone is Cancel, and the other answer can't be chosen before the amount stands there.
		await press(pty, '\t\r');
		await pty.waitFor('checks passed');
		await goOn(pty, '\r', /Type the amount, 25/);
		await press(pty, '24\t\r');
		await pty.waitFor('checks passed');
		await goOn(pty, '\r', /Type the amount, 25/);
		await fill(pty, '25', /▌amount +25 /);
		pty.type('\t\r');
		await pty.waitFor(/✓ Filled/);
		await pty.waitFor(/deposit\s+0x[0-9a-f]{40}/);
		await pty.waitFor(/fill\s+0x[0-9a-f]{40}/);
		pty.type('\u001b');
		await pty.waitFor(/NEW [1-9]/);
		// Nothing that the program wrote or drew holds a private key: 32 bytes of hex that no hash on screen explains.
		const journal = await readFile(join(pty.home, 'data/pulsetop/trading/practice/journal.jsonl'), 'utf8');
		expect(journal).toContain('bridge.intended');
	});
});

test('after kill -9 in the middle of a transfer the next run follows it and sends nothing again', {}, async () => {
	const dataDir = await mkdtemp(join(tmpdir(), 'pulsetop-money-'));
	const args = [CLI, '--seed', '7', '--data-dir', dataDir];
	const journal = () => readFile(join(dataDir, 'trading/practice/journal.jsonl'), 'utf8');
	const written: Buffer[] = [];
	try {
		await withPty({columns: 120, rows: 50, args}, async pty => {
			await pty.waitFor('● live');
			pty.type('b');
			await pty.waitFor(/you send\s+< USDC/);
			pty.type('\t25\r');
			await acceptContracts(pty);
			await goOn(pty, '\r', /Type the amount, 25/);
			await fill(pty, '25', /▌amount +25 /);
			pty.type('\t\r');
			await expect.poll(journal, {interval: 5}).toContain('bridge.intended');
			pty.kill('SIGKILL');
			await pty.exit;
			written.push(pty.bytes());
		});
		const intent = /"kind":"bridge.intended","id":"([^"]+)"/.exec(await journal())![1]!;
		await withPty({columns: 120, rows: 50, args}, async pty => {
			await pty.waitFor(/earlier run is being followed|bridge: /);
			pty.type('b');
			await pty.waitFor(/Broadcast|Not clear yet|Deposited|Filling|Filled|Refunded|Failed|you send/);
			const text = pty.screenText();
			if (!text.includes('you send')) expect(text).toContain(intent);
			await pause(3000);
			pty.type('\u0003');
			await pty.exit;
			written.push(pty.bytes());
		});
		expect((await journal()).match(/bridge\.intended/g)).toHaveLength(1);
		await expectNoKey(dataDir, written);
	} finally {
		await rm(dataDir, {recursive: true, force: true});
	}
});

test('keys typed before a money window was drawn confirm nothing', async () => {
	await story(async pty => {
		pty.type('b');
		await pty.waitFor(/you send\s+< USDC/);
		pty.type('\t25\r');
		await pty.waitFor(/\d+ checks/);
		await acceptContracts(pty);
		// All in one burst: the first Enter opens the confirmation, the amount and Tab come before it was seen and count for
		// nothing, and the last Enter chooses the marked answer: Cancel.
		await press(pty, '\r25\t\r');
		await goOn(pty, '\r', /Type the amount, 25/);
		await pty.waitFor(/\[ Cancel \]/);
		expect(pty.screenText()).not.toMatch(/amount {5}25/);
		const journal = await readFile(join(pty.home, 'data/pulsetop/trading/practice/journal.jsonl'), 'utf8');
		expect(journal).not.toContain('bridge.intended');
	});
});

test('a number typed into the form is its amount, and a pasted one confirms nothing', async () => {
	await story(async pty => {
		pty.type('b');
		await pty.waitFor(/you send\s+< USDC/);
		// A number is the amount, wherever the cursor stands in the form.
		pty.type('25');
		await pty.waitFor(/amount +25/);
		pty.type('\r');
		await acceptContracts(pty);
		await goOn(pty, '\r', /Type the amount, 25/);
		await press(pty, '\u001b[200~25\u001b[201~');
		pty.type('\t\r');
		await pty.waitFor('checks passed');
	});
});

test('a perpetuals order from the keyboard: none at first, one placed with test money, reviewed, cancelled', {}, async () => {
	await story(async pty => {
		pty.type('Mo');
		await pty.waitFor('no open order');
		await pty.waitFor(/wallet\s+0x[0-9a-fA-F]{40}/);
		await press(pty, '\r');
		await pty.waitFor(/dexA\s+\S+\s+BUY\s+limit/);
		await pty.waitFor(/take-profit[\s\S]*stop-loss/);
		await pty.waitFor('api/2/perp/payloads/cancel-order-TIME');
		await press(pty, '\r');
		await pty.waitFor(/\d+ checks/);
		await pty.waitFor(/cancels\s+limit order to BUY/);
		await pty.waitFor(/fee\s+at most [\d.]+ ETH/);
		await acceptContracts(pty);
		await goOn(pty, '\r', /\[ Keep the order \]/);
		await goOn(pty, '\r', /checks passed/);
		await goOn(pty, '\r', /\[ Keep the order \]/);
		await goOn(pty, '\t', /\[ Sign and cancel it \]/);
		pty.type('\r');
		await pty.waitFor(/✓ Cancelled/);
		// Both signatures stand there.
		await pty.waitFor('api/2/perp/payloads/cancel-order-');
		await pty.waitFor('api/2/perp/execute-v2-');
		pty.type('\r');
		await pty.waitFor(screen => /take-profit/.test(screen.text()) && !/BUY\s+limit/.test(screen.text()));
		pty.type('\u001b');
		await pty.waitFor(/NEW [1-9]/);
	});
});

test('read-only mode has no money keys at all', async () => {
	await withPty({columns: 120, rows: 30, args: [CLI, '--read-only']}, async pty => {
		await pty.waitFor(/NEW [1-9]/);
		pty.type('b');
		pty.type('?');
		await pty.waitFor('WHAT THE SCREEN SHOWS');
		expect(pty.screenText()).not.toContain('PRACTICE MONEY');
		expect(await readdir(join(pty.home, 'data/pulsetop')).catch(() => [])).not.toContain('trading');
	});
});

/** The wallet's private key stands nowhere in plain: not in what was drawn, and in no file of the data directory. */
async function expectNoKey(dataDir: string, written: readonly Buffer[]): Promise<void> {
	const opened = await openKeystore(join(dataDir, 'trading'), 'practice').open('practice');
	const secret = opened.withSecret(key => Buffer.from(key));
	const forms = [
		secret,
		Buffer.from(secret.toString('hex')),
		Buffer.from(secret.toString('hex').toUpperCase()),
		Buffer.from(secret.toString('base64')),
	];
	const files = filesUnder(dataDir);
	expect([...files.keys()].map(path => basename(path))).toContain('journal.jsonl');
	for (const [name, bytes] of [...files, ...written.map(bytes => ['the screen', bytes] as const)]) {
		expect(
			forms.some(form => bytes.includes(form)),
			name,
		).toBe(false);
	}
}
