import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

let folder = '';
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'pulsetop-lists-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

async function story(notify: (pty: Pty) => Promise<void>): Promise<void> {
	await withPty({columns: 120, rows: 30, args: [CLI, '--seed', '7', '--data-dir', folder]}, async pty => {
		await pty.waitFor(/● live/);
		await pty.waitFor(screen => /NEW [1-9]/.test(screen.text()));
		await notify(pty);
	});
}

test('a chain, a hidden developer and a watched token are chosen by keys, and are there the next time', async () => {
	await story(async pty => {
		pty.type('vc');
		await pty.waitFor(/\w {2}BASE /);
		const [, key] = /(\w) {2}BASE /.exec(pty.screenText()) ?? [];
		pty.type(key!);
		await pty.waitFor('only base');
		// The service itself narrows the columns: no token of another chain is left in any of them.
		await pty.waitFor(/SOL +Solana +none here now/);
		pty.type('\r');
		await pty.waitFor('All columns show only base.');
		await pty.waitFor(screen => /NEW [1-9]/.test(screen.text()));
		pty.type('j');
		await pty.waitFor(/frozen|\+\d+ new/);
		pty.type('X');
		await pty.waitFor(/hide the deployer of/);
		pty.type('d');
		await pty.waitFor(/deployer \S+…\S+ +deployer of/);
		pty.type('\u001b');
		await pty.waitFor(/\d hidden/);
		pty.type('P');
		await pty.waitFor('★');
		pty.type('MP');
		await pty.waitFor(/WATCH LIST +1 pinned/);
		await pty.waitFor(/BASE +\$\S+ +[+-]?\d\S*%/);
		pty.type('\u001bq');
		expect((await pty.exit).code).toBe(0);
	});
	await story(async pty => {
		await pty.waitFor('only base');
		pty.type('MP');
		await pty.waitFor(/BASE +\$\S+ +[+-]?\d\S*%/);
		pty.type('P');
		await pty.waitFor('Nothing is pinned');
		pty.type('\u001b');
		await pty.waitFor(/NEW [1-9]/);
		pty.type('X');
		await pty.waitFor(/deployer \S+…\S+ +deployer of/);
		pty.type('u');
		await pty.waitFor('is shown again');
	});
});
