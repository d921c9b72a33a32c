import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {fill, goOn} from '../helpers/money-window.ts';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

/** Opens the monitor on its own service and waits for its data. */
async function story(notify: (pty: Pty) => Promise<void>, size = {columns: 120, rows: 40}): Promise<void> {
	await withPty({...size, args: [CLI, '--seed', '7']}, async pty => {
		await pty.waitFor('● live');
		await pty.waitFor(/[1-9]/);
		await notify(pty);
	});
}

/** The text stands in the active field. */
function standing(text: string): RegExp {
	return new RegExp(`▌[^<>│║]*? +${text} `);
}

/** From a review on which all checks passed to the end of the transaction. */
async function confirm(pty: Pty, typed: string): Promise<void> {
	await pty.waitFor('checks passed');
	await goOn(pty, '\r', /Type the (amount|word)/);
	await fill(pty, typed, standing(typed));
	pty.type('\t\r');
	await pty.waitFor(/✓ Done/);
}

test('markets: prices, details, the watch list kept for the next run, and the feed goes on', {}, async () => {
	await story(async pty => {
		pty.type('Mp');
		await pty.waitFor(/PREDICTION {2}ALPHA/);
		// A busy machine may be too slow for the first request: a person would refresh.
		const again = setInterval(() => pty.screenText().includes('Wait a little, then try again') && pty.type('R'), 1000);
		await pty.waitFor(/\d¢/).finally(() => clearInterval(again));
		pty.type('w\r');
		await pty.waitFor(/★ watched/);
		await pty.waitFor('OUTCOME');
		pty.type('\u001b');
		await pty.waitFor('QUESTION');
		pty.type('\u001b');
		await pty.waitFor(/NEW [1-9]/);
		const choices = () => readFile(join(pty.home, 'data/pulsetop/choices.json'), 'utf8').catch(() => '');
		await expect.poll(choices).toMatch(/"markets": \[\s+\[\s+"platformA:/);
	});
});

test('the prediction account from the keyboard: deployed, filled, emptied', async () => {
	await story(async pty => {
		pty.type('Mp');
		await pty.waitFor(/PREDICTION {2}ALPHA/);
		pty.type('a');
		await pty.waitFor(/< create the account >/);
		pty.type('\r');
		await confirm(pty, 'deploy');

		pty.type('\r');
		await pty.waitFor(/< deposit stablecoin >/);
		pty.type('\t12.5\r');
		await confirm(pty, '12.5');
		await pty.waitFor(/account .*12\.5 USDC/);

		pty.type('\r');
		await pty.waitFor(/< withdraw stablecoin >/);
		pty.type('\t99\r');
		await pty.waitFor(/You have 12\.5 USDC/);
		pty.type('\u001b');
		await pty.waitFor(/action +withdraw stablecoin/);
		pty.type('\u0015');
		pty.type('0.5\r');
		await confirm(pty, '0.5');
		await pty.waitFor(/account .*12 USDC/);
		const journal = await readFile(join(pty.home, 'data/pulsetop/trading/practice/journal.jsonl'), 'utf8');
		expect(journal.match(/"vault\.intended"/g)).toHaveLength(3);
	});
});

test('webhooks: a private target is refused with the text of the service', async () => {
	await story(async pty => {
		pty.type('Mw');
		await pty.waitFor('has no webhook');
		pty.type('n');
		await pty.waitFor('new webhook');
		pty.type('mine\thttp://127.0.0.1:9/in\r');
		await pty.waitFor(/private/);
		pty.type('\u001b');
		await pty.waitFor('has no webhook');
		pty.type('\u001b');
		await pty.waitFor(/NEW [1-9]/);
	});
});

test('wallets: pasted addresses are looked up, on the smallest screen too', async () => {
	await story(
		async pty => {
			pty.type('Mi');
			await pty.waitFor('Paste any number of addresses');
			pty.type(`\u001b[200~one: 0x${'12'.repeat(20)}\nSo11111111111111111111111111111111111111112\u001b[201~`);
			await pty.waitFor('no labels');
			pty.type('\r');
			await pty.waitFor('First funding, step by step');
			pty.type('\u001b\u001b');
			await pty.waitFor(/NEW [1-9]/);
		},
		{columns: 60, rows: 16},
	);
});
