import {setTimeout as sleep} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

/** What terminals send without a key of this program, whole or in two reads. */
const UNASKED = [
	['\u001b[<35;10;5M'],
	['\u001b[<64;1', ';1m'],
	['\u001bP1+r544e=78', '7465726d\u001b\\'],
	['\u001bP>|XTerm(390)\u001b\\'],
	['\u001b[?1;2c'],
	['\u001b_Gi=31;OK\u001b\\'],
	['\u001b[M !!'],
	['\u001b[M', '#Aq'],
	['\u001b]10;rgb:ffff/', 'ffff/ffff\u0007'],
	['\u001b[113;1:3u'],
	['\u001b[24;80R'],
];

test('what a terminal sends by itself does nothing, and the keys after it count', async () => {
	await withPty({args: [CLI], columns: 120, rows: 40}, async pty => {
		await pty.waitFor(/NEW \d/);
		for (const parts of UNASKED) {
			for (const part of parts) {
				pty.type(part);
				await sleep(120);
			}
		}
		pty.type('?');
		await pty.waitFor('│ Help ');
		expect(pty.screenText()).not.toContain('does nothing here');
		pty.type('\u001b');
		await pty.waitFor(screen => !screen.text().includes('│ Help '));
		pty.type('q');
		expect((await pty.exit).code).toBe(0);
	});
});

test.each([
	['\u0003', ''],
	['\u001b[99;5u', '\u001b[200~half a paste'],
	['\u001b[27;5;99~', '\u001b]11;rgb:'],
	['\u001b[1089::99;5u', '\u001b[<0;1'],
	['\u0003', '\u001b[200~half a paste'],
])('Ctrl+C as %j leaves after %j', async (bytes, before) => {
	await withPty({args: [CLI], columns: 80, rows: 24}, async pty => {
		await pty.waitFor(/NEW \d/);
		pty.type(before);
		pty.type(bytes);
		await pty.exit;
	});
});
