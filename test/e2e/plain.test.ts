import {expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

async function plain(notify: (pty: Pty) => Promise<void>): Promise<void> {
	await withPty({columns: 200, rows: 60, args: [CLI, '--seed', '7', '--plain-ui']}, async pty => {
		await pty.waitFor(/Column new: \d+/);
		await notify(pty);
	});
}

test('the plain mode is lines of text: no screen of its own, no cursor moves, no colours', async () => {
	await plain(async pty => {
		pty.type('list bonding 3\r');
		await pty.waitFor(/3\. .* market cap /);
		pty.type('quit\r');
		expect((await pty.exit).code).toBe(0);
		expect(
			pty
				.bytes()
				.toString('utf8')
				.replace(/\u0007/g, ''),
		).not.toMatch(/\u001b/);
	});
});

test('tokens are listed, opened and explained by number', async () => {
	await plain(async pty => {
		pty.type('list new 5\r');
		await pty.waitFor(/5\. .* old, market cap/);
		await pty.waitFor(/\d+ more: type more\./);
		pty.type('open 2\r');
		await pty.waitFor(/Address: \w{30,}\./);
		pty.type('why 2\r');
		await pty.waitFor(/Not in bonded: kept out\./);
		pty.type('more\r');
		await pty.waitFor(/\n6\. /);
	});
});

test('TRENDING is not announced unless it is shown, and --columns can choose it', async () => {
	await plain(async pty => {
		pty.type('status\r');
		await pty.waitFor(/Column bonded: \d+/);
		expect(pty.screenText()).not.toContain('Column trending');
	});
	const args = [CLI, '--seed', '7', '--plain-ui', '--columns', 'trending,new'];
	await withPty({columns: 200, rows: 60, args}, async pty => {
		await pty.waitFor(/Column trending: (\d+ of )?\d+ tokens, sorted by trending score/);
		pty.type('list 3\r');
		await pty.waitFor(/\n3\. .* old, market cap/);
	});
});

test('a dumb terminal gets plain mode, without a single escape code', async () => {
	await withPty({command: 'env', args: ['TERM=dumb', process.execPath, CLI, '--seed', '7']}, async pty => {
		await pty.waitFor(/Column new: \d+ tokens/);
		pty.type('quit\r');
		expect((await pty.exit).code).toBe(0);
		expect(pty.bytes().includes(0x1b)).toBe(false);
	});
});

test('sorting, filters with mistakes and unknown commands each get a response', async () => {
	await plain(async pty => {
		pty.type('sort holders asc\r');
		await pty.waitFor(/sorted by holders, smallest first/);
		pty.type('filter mcap>abc\r');
		await pty.waitFor(/That can't be done: .*is not a number/);
		pty.type('lsit\r');
		await pty.waitFor('There is no command lsit; the nearest is list. Type help.');
		pty.type('help\r');
		await pty.waitFor('alert [@new|@bonding|@bonded|@trending] FILTER: Ring when a token comes to match.');
	});
});

test('a pause is said once, and so is its end', async () => {
	await plain(async pty => {
		pty.type('pause\r');
		await pty.waitFor('The feed is paused.');
		pty.type('pause\r');
		await pty.waitFor('The feed goes on.');
		expect(pty.bytes().toString('utf8')).not.toContain('Paused');
	});
});

test('newcomers and alerts are announced, and can be silenced', async () => {
	await plain(async pty => {
		await pty.waitFor(/\d\d:\d\d:\d\d New in new: .* market cap/);
		pty.type('alert @new mcap>0\r');
		await pty.waitFor(/An alert rings when a token comes to match @new mcap>0/);
		await pty.waitFor(/Alert: .* matches @new mcap>0/);
		pty.type('say off\r');
		await pty.waitFor('Only responses are announced.');
	});
});
