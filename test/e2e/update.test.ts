import {cpSync, readdirSync, rmSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

test('a program that is updated while it runs says so, at each key whose code is gone too, and ends as always', async () => {
	// An install of its own, beside what the tests run.
	const install = temporaryDirectory();
	cpSync(dirname(CLI), join(install, 'dist'), {recursive: true});
	symlinkSync(join(dirname(CLI), '../node_modules'), join(install, 'node_modules'));
	cpSync(join(dirname(CLI), '../package.json'), join(install, 'package.json'));
	await withPty({args: [join(install, 'dist/cli.js')], columns: 120, rows: 40}, async pty => {
		await pty.waitFor(/\bNEW\b/);
		await pty.waitFor('live');
		// As npm does it: the directory is gone, and another one takes its place.
		for (const name of readdirSync(join(install, 'dist'))) rmSync(join(install, 'dist', name), {recursive: true});
		await pty.waitFor('pulsetop was updated while it ran: quit and start it again.');
		pty.type('M');
		await pty.waitFor(/quit and start it again, the code for this is gone/);
		expect(pty.screenText()).not.toContain('Something went wrong');
		pty.type('\u001b');
		pty.type('q');
		expect(await pty.exit).toMatchObject({code: 0});
	});
});
