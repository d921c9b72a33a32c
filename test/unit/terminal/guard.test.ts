import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest';
import {openPty, type Pty, type PtyOptions} from '../../helpers/pty.ts';

const program = new URL('guarded-program.ts', import.meta.url).pathname;
/** On a busy machine a program takes its time to start. */
let directory: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), 'pulsetop-guard-'));
});
afterAll(async () => rm(directory, {recursive: true}));

const opened: Pty[] = [];
afterEach(() => {
	for (const pty of opened.splice(0)) pty.kill();
});

async function open(options: PtyOptions): Promise<Pty> {
	const pty = await openPty({columns: 60, rows: 10, ...options});
	opened.push(pty);
	return pty;
}

async function start(...args: readonly string[]): Promise<Pty> {
	const pty = await open({args: [program, ...args]});
	await pty.waitFor('ready');
	expect(pty.screen.isAlternate()).toBe(true);
	return pty;
}

/** Each mode that was switched on is off again, and nothing that belongs to the person was erased. */
function expectRestored(pty: Pty): void {
	const bytes = pty.bytes().toString();
	expect(bytes).not.toContain('\x1B[3J');
	const after = bytes.slice(bytes.lastIndexOf('\x1B[?1049h'));
	for (const mode of ['1049', '2004', '1000', '1006', '1004']) expect(after).toContain(`\x1B[?${mode}l`);
	expect(after).toContain('\x1B[?7h');
	expect(after).toContain('\x1B[?25h');
	expect(pty.screen.isAlternate()).toBe(false);
	expect(pty.screen.modes()).toEqual({bracketedPaste: false, mouse: 'none', focusEvents: false, cursorHidden: false});
}

test('a signal of the window without another size brings the modes and the whole picture: another terminal shows the program', async () => {
	const pty = await start();
	const before = pty.bytes().length;
	process.kill(pty.pid, 'SIGWINCH');
	await expect.poll(() => pty.bytes().subarray(before).toString()).toContain('ready wait');
	expect(pty.bytes().subarray(before).toString()).toContain('\x1B[?1049h');
	expect(pty.screenText()).toContain('ready wait');
	pty.type('q');
	expect((await pty.exit).code).toBe(0);
	expectRestored(pty);
});

describe('the terminal is given back', () => {
	test.each([
		['q', 0],
		['x', 3],
	])('when the program ends (%s)', async (key, code) => {
		const pty = await start();
		pty.type(key);
		expect((await pty.exit).code).toBe(code);
		expectRestored(pty);
	});

	test.each([
		['t', 'crashed: thrown'],
		['r', 'crashed: rejected'],
		// As Ink does, when it draws a last time and what broke it is still there.
		['e', 'crashed: thrown'],
	])('when an error is not caught (%s), and the error is printed after that', async (key, message) => {
		const pty = await start();
		pty.type(key);
		expect((await pty.exit).code).toBe(70);
		expectRestored(pty);
		expect(pty.screenText()).toContain(message);
	});

	test.each([
		['SIGTERM', 143],
		['SIGINT', 130],
		['SIGHUP', 129],
		['SIGQUIT', 131],
	])('on %s, and the program may finish its work', async (signal, code) => {
		const file = join(directory, signal);
		const pty = await start('wait', file);
		process.kill(pty.pid, signal);
		expect((await pty.exit).code).toBe(code);
		expectRestored(pty);
		expect(await readFile(file, 'utf8')).toBe(signal);
	});

	test('on a signal, though the program does not come to its end', async () => {
		const pty = await start('hang');
		process.kill(pty.pid, 'SIGTERM');
		expect((await pty.exit).code).toBe(143);
		expectRestored(pty);
	});
});

test('a program whose terminal is closed ends, and may finish its work', async () => {
	const file = join(directory, 'gone');
	const child = spawn(process.execPath, [program, 'wait', file], {cols: 60, rows: 10});
	let said = '';
	child.onData(data => {
		said += data;
	});
	await expect.poll(() => said).toContain('ready');
	// As when the window is closed or the connection cut: the other end of the terminal is no more.
	(child as unknown as {destroy(): void}).destroy();
	await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/SIGHUP|hangup/);
	await expect.poll(() => isAlive(child.pid)).toBe(false);
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

test('a suspended program leaves the terminal to the shell and paints again on fg, at the size of then', async () => {
	const pty = await open({command: 'bash', args: ['--norc', '-i'], env: {PS1: 'shell> '}});
	await pty.waitFor('shell>');
	pty.type(`${process.execPath} ${program}\r`);
	await pty.waitFor(/^ready/m);
	expect(pty.screen.isAlternate()).toBe(true);
	pty.type('z');
	await pty.waitFor(/Stopped[\s\S]*shell>\s*$/);
	expect(pty.screen.isAlternate()).toBe(false);
	// Only the group in the foreground is told of a resize: that is the shell now.
	pty.resize(70, 12);
	pty.type('fg\r');
	await pty.waitFor(/^ready at 70x12/m);
	expect(pty.screen.isAlternate()).toBe(true);
	pty.type('q');
	await pty.waitFor(/fg\n[\s\S]*shell>\s*$/);
	// The shell has its own wish for bracketed paste; the rest is as it was.
	expect(pty.screen.isAlternate()).toBe(false);
	expect(pty.screen.modes()).toMatchObject({mouse: 'none', focusEvents: false, cursorHidden: false});
	pty.type('exit\r');
	await pty.exit;
});
