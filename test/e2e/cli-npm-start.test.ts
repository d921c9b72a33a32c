import {expect, test} from 'vitest';
import {withPty} from '../helpers/pty.ts';

const ROOT = new URL('../..', import.meta.url).pathname;

test('npm start opens the monitor on its own service, q ends it with 0, and nothing of it stays on the screen', async () => {
	const env = {npm_config_update_notifier: 'false'};
	await withPty({command: 'npm', args: ['start'], cwd: ROOT, columns: 120, rows: 30, env}, async pty => {
		await pty.waitFor(screen => screen.isAlternate() && /NEW [1-9]/.test(screen.text()));
		pty.type('q');
		expect(await pty.exit).toEqual({code: 0, signal: undefined});
		expect(pty.screen.isAlternate()).toBe(false);
		expect(pty.screenText()).not.toContain('SYMBOL');
	});
});

test('npm start passes its arguments on and its exit code back', async () => {
	const env = {npm_config_update_notifier: 'false'};
	await withPty(
		{command: 'npm', args: ['start', '--silent', '--', 'sreve'], cwd: ROOT, columns: 120, rows: 30, env},
		async pty => {
			expect((await pty.exit).code).toBe(2);
			expect(pty.screenText()).toMatch(/^pulsetop: "sreve" is not a command\n {2}The nearest is "serve"\.\n/);
		},
	);
});
