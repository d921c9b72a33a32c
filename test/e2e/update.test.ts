import {cpSync, readdirSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {acceptContracts, fill, goOn} from '../helpers/money-window.ts';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

/** How often open money windows look again at ends whose blocks are not final. */
const RECHECK_MS = 15_000;

/** An install of its own, beside what the tests run. */
function ownInstall() {
	const install = temporaryDirectory();
	cpSync(dirname(CLI), join(install, 'dist'), {recursive: true});
	symlinkSync(join(dirname(CLI), '../node_modules'), join(install, 'node_modules'));
	cpSync(join(dirname(CLI), '../package.json'), join(install, 'package.json'));
	return {
		cli: join(install, 'dist/cli.js'),
		/** As npm does it: the directory is gone, and another one takes its place. */
		replace() {
			for (const name of readdirSync(join(install, 'dist'))) rmSync(join(install, 'dist', name), {recursive: true});
		},
	};
}

test('a program that is updated while it runs says so, at each key whose code is gone too, and ends as always', async () => {
	const install = ownInstall();
	await withPty({args: [install.cli], columns: 120, rows: 40}, async pty => {
		await pty.waitFor(/\bNEW\b/);
		await pty.waitFor('live');
		install.replace();
		await pty.waitFor('pulsetop was updated while it ran: quit and start it again.');
		pty.type('Mp');
		await pty.waitFor(/quit and start it again, the code for this is gone/);
		expect(pty.screenText()).not.toContain('Something went wrong');
		pty.type('\u001b');
		pty.type('q');
		expect(await pty.exit).toMatchObject({code: 0});
	});
});

test('a transfer whose wallet is open ends as always, though the program is updated before the signature', async () => {
	const install = ownInstall();
	await withPty({columns: 120, rows: 50, args: [install.cli, '--seed', '7']}, async pty => {
		await pty.waitFor('● live');
		await pty.waitFor(/NEW [1-9]/);
		pty.type('b');
		const openedAt = performance.now();
		await pty.waitFor(/you send\s+< USDC on Base/);
		pty.type('\t25\r');
		await pty.waitFor(/\d+ checks/);
		await acceptContracts(pty);
		await goOn(pty, '\r', /Type the amount, 25/);
		await fill(pty, '25', /▌amount +25 /);
		install.replace();
		// By then the ends of earlier transfers have been looked at again, a code that is loaded at its first use.
		await setTimeout(Math.max(0, RECHECK_MS + 1000 - (performance.now() - openedAt)));
		pty.type('\t\r');
		await pty.waitFor(/✓ Filled/);
	});
});
