import {expect, test} from 'vitest';
import {CLI, startServe} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

/** `pulsetop serve`, ready. @param more flags */
const serve = (...more: readonly string[]) => startServe(['--api-key', 'k', '--seed', '3', ...more]);

test('a dead service is shown, with its last rows dimmed; when the service is back the feed goes on', {}, async () => {
	let service = await serve();
	const {url} = service;
	try {
		await withPty({columns: 120, rows: 30, args: [CLI, '--base-url', url, '--api-key', 'k']}, async pty => {
			await pty.waitFor('● live');
			await pty.waitFor(/NEW [1-9]/);
			const row = () => pty.row(4).slice(2, 12).trim();
			expect(pty.row(0)).not.toContain('PRACTICE');
			await service.stop('SIGKILL');
			await pty.waitFor(/reconnecting|offline/);
			// Old figures stay readable, and the title says their age.
			expect(row()).not.toBe('');
			await pty.waitFor(/NEW .* [6-9]s/);
			expect(pty.cellAt(3, 4).dim).toBe(true);
			pty.type('b');
			await pty.waitFor('The service does not answer now');
			service = await serve('--port', new URL(url).port);
			pty.type('R');
			await pty.waitFor('● live');
			// Fresh data has no age.
			await pty.waitFor(() => !/ \d+s( |$)/.test(pty.row(1)));
			expect(pty.cellAt(3, 4).dim).toBe(false);
		});
	} finally {
		await service.stop('SIGKILL');
	}
});
