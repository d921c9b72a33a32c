import {expect, test} from 'vitest';
import {CLI} from '../helpers/program.ts';
import type {Pty} from '../helpers/pty.ts';
import {withPty} from '../helpers/pty.ts';

const LIGHT = '\x1B]11;rgb:ffff/ffff/ffff\x1B\\';

/** The colour of the program's name in the header. */
function nameColor(pty: Pty): unknown {
	return pty.cellAt(pty.row(0).indexOf('pulsetop'), 0).color;
}

test('the screen waits for no answer about the background, and takes the colours that fit when it comes', async () => {
	const args = [CLI, '--seed', '7'];
	const dark = await withPty({args: [...args, '--theme', 'dark']}, async pty => {
		await pty.waitFor('pulsetop');
		return nameColor(pty);
	});
	await withPty({args}, async pty => {
		await pty.waitFor('pulsetop');
		expect(nameColor(pty)).toEqual(dark);
		pty.type(LIGHT);
		await pty.waitFor(() => nameColor(pty) !== dark);
		expect(pty.screenText()).not.toContain('does nothing here');
	});
});

test('a configured theme stays, with any response of the terminal', async () => {
	await withPty({args: [CLI, '--seed', '7', '--theme', 'dark']}, async pty => {
		await pty.waitFor('pulsetop');
		const dark = nameColor(pty);
		pty.type(`${LIGHT}?`);
		await pty.waitFor(screen => !screen.text().includes('pulsetop') || /help/i.test(screen.text()));
		expect(nameColor(pty)).toEqual(dark);
	});
});
