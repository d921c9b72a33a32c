import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {askBackground} from '../../../source/terminal/background.ts';

const ATTRIBUTES = '\x1B[?62;22c';

/** A terminal that answers what is written to it with the next of the texts, in one read or several. */
async function ask(answers: readonly string[], multiplexer?: 'tmux', patienceMs = 10_000) {
	const put: string[] = [];
	const stdin = Object.assign(new EventEmitter(), {
		isTTY: true,
		isRaw: false,
		setEncoding: () => stdin,
		setRawMode(isRaw: boolean) {
			stdin.isRaw = isRaw;
			return stdin;
		},
		pause: () => stdin,
		unshift: (text: string) => put.push(text),
	});
	let written = '';
	const stdout = {
		isTTY: true,
		write(text: string) {
			written += text;
			for (const answer of answers) setImmediate(() => stdin.emit('data', answer));
			return true;
		},
	};
	const shade = await askBackground({
		stdin: stdin as unknown as NodeJS.ReadStream,
		stdout: stdout as unknown as NodeJS.WriteStream,
		capabilities: {ignoresUnknown: true, multiplexer},
		patienceMs,
	});
	return {shade, put, written, isRaw: stdin.isRaw, heard: stdin.listenerCount('data')};
}

test.each([
	['\x1B]11;rgb:ffff/ffff/ffff\x07', 'light'],
	['\x1B]11;rgb:fdfd/f6f6/e3e3\x1B\\', 'light'],
	['\x1B]11;rgb:0000/2b2b/3636\x1B\\', 'dark'],
	['\x1B]11;rgb:00/00/00\x07', 'dark'],
	['\x1B]11;rgba:f/f/f/8\x07', 'light'],
])('%j is a background that is %s', async (answer, shade) => {
	expect(await ask([answer + ATTRIBUTES])).toMatchObject({shade, put: [], isRaw: true, heard: 0});
});

test('a terminal that knows only the second question is not waited for', async () => {
	expect(await ask([ATTRIBUTES])).toMatchObject({shade: undefined, put: []});
});

test('a terminal that answers nothing is waited for so long and no longer', async () => {
	expect(await ask([], undefined, 5)).toMatchObject({shade: undefined, put: [], heard: 0});
});

test('what is typed meanwhile is kept for the keys, and an answer may come in pieces', async () => {
	const {shade, put} = await ask(['j', '\x1B]11;rgb:ff', 'ff/ffff/ffff\x1B', '\\k', ATTRIBUTES]);
	expect(shade).toBe('light');
	expect(put).toEqual(['jk']);
});

test('in tmux the terminal around it is asked too, and may answer after tmux', async () => {
	const {shade, written} = await ask([ATTRIBUTES, '\x1B]11;rgb:ffff/ffff/ffff\x07'], 'tmux');
	expect(shade).toBe('light');
	expect(written).toContain('\x1BPtmux;\x1B\x1B]11;?\x1B\x1B\\\x1B\\');
});
