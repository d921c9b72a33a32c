import {expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {type Pty, withPty} from '../helpers/pty.ts';

/** Runs the monitor with a configuration. */
async function story(config: string, notify: (pty: Pty) => Promise<void>): Promise<void> {
	const command = `cd "$HOME"; printf '%s' "$TOML" > c.toml; exec '${process.execPath}' '${CLI}' --config c.toml --seed 7`;
	await withPty({columns: 120, rows: 40, command: 'bash', args: ['-c', command], env: {TOML: config}}, notify);
}

test('keys of the configuration work in a terminal, and the help shows them', async () => {
	const config = '[keys]\ncursor.down = ["n", "F6"]\nhelp.open = "B"\nprogram.quit = "ctrl+q"\nlist.column.next = []\n';
	await story(config, async pty => {
		await pty.waitFor(screen => /NEW [1-9]/.test(screen.text()) && screen.text().includes(' n/k move '));
		pty.type('j');
		pty.type('\u001b[17~');
		// A title without room says how many tokens are new instead.
		await pty.waitFor(/■ |\+\d+ new/);
		pty.type('B');
		await pty.waitFor(/│ n F6 +Next token; a count moves further/);
		pty.type('q');
		await pty.waitFor(screen => !screen.text().includes('Next token;'));
		pty.type('\u0011');
		expect((await pty.exit).code).toBe(0);
	});
});

test('keys that collide are refused before the screen opens, with the line', async () => {
	await story('[keys]\n\nfeed.pause = ["j"]\n', async pty => {
		expect((await pty.exit).code).toBe(2);
		expect(pty.screenText()).toContain(
			'pulsetop: "j" is the key of two actions, feed.pause and cursor.down\n  Line 3 of c.toml: Both are done in list, detail. Give one of them another key',
		);
		expect(pty.bytes().toString()).not.toContain('\u001b[?1049h');
	});
});
