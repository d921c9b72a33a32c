import {expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

test('the help opens over the columns and closes again', async () => {
	await withPty({args: [CLI], columns: 120, rows: 40}, async pty => {
		await pty.waitFor(/\bNEW\b/);
		pty.type('?');
		await pty.waitFor(/IN THE COLUMNS/);
		pty.type('\x1B');
		await pty.waitFor(screen => !screen.text().includes('IN THE COLUMNS'));
		pty.type('q');
		expect(await pty.exit).toMatchObject({code: 0});
	});
});
