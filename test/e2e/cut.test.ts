import {type ChildProcess, spawn} from 'node:child_process';
import {expect, test} from 'vitest';
import {freePort} from '../helpers/loopback.ts';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

/** `pulsetop serve`, ready. */
async function serve(port: number): Promise<ChildProcess> {
	const child = spawn(process.execPath, [CLI, 'serve', '--port', String(port), '--api-key', 'k', '--seed', '3'], {
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	let said = '';
	for await (const chunk of child.stdout!) {
		said += String(chunk);
		if (said.includes('listening on')) break;
	}
	return child;
}

test('a dead service is shown, with its last rows dimmed; when the service is back the feed goes on', {}, async () => {
	const port = await freePort();
	let service = await serve(port);
	try {
		await withPty(
			{columns: 120, rows: 30, args: [CLI, '--base-url', `http://127.0.0.1:${port}`, '--api-key', 'k']},
			async pty => {
				await pty.waitFor('● live');
				await pty.waitFor(/NEW [1-9]/);
				const row = () => pty.row(4).slice(2, 12).trim();
				expect(pty.row(0)).not.toContain('PRACTICE');
				service.kill('SIGKILL');
				await pty.waitFor(/reconnecting|offline/);
				// Old figures stay readable, and the title says their age.
				expect(row()).not.toBe('');
				await pty.waitFor(/NEW .* [6-9]s/);
				expect(pty.cellAt(3, 4).dim).toBe(true);
				pty.type('b');
				await pty.waitFor('The service does not answer now');
				service = await serve(port);
				pty.type('R');
				await pty.waitFor('● live');
				// Fresh data has no age.
				await pty.waitFor(() => !/ \d+s( |$)/.test(pty.row(1)));
				expect(pty.cellAt(3, 4).dim).toBe(false);
			},
		);
	} finally {
		service.kill('SIGKILL');
	}
});
