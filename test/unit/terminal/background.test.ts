import {expect, test} from 'vitest';
import {backgroundQuery, readBackground} from '../../../source/terminal/background.ts';

test.each([
	['\x1B]11;rgb:ffff/ffff/ffff', 'light'],
	['\x1B]11;rgb:fdfd/f6f6/e3e3', 'light'],
	['\x1B]11;rgb:0000/2b2b/3636', 'dark'],
	['\x1B]11;rgb:00/00/00', 'dark'],
	['\x1B]11;rgba:f/f/f/8', 'light'],
])('%j is a background that is %s', (response, shade) => {
	expect(readBackground(response)).toBe(shade);
});

test.each([
	'\x1B]10;rgb:ffff/ffff/ffff',
	'\x1B]11;white',
	'\x1B]11;rgb:ffff/ffff',
	'\x1B]11;rgb:fffff/0/0',
	'\x1B]11;',
])('%j says nothing of the background', response => {
	expect(readBackground(response)).toBeUndefined();
});

test('in tmux the outer terminal is queried, too', () => {
	expect(backgroundQuery({multiplexer: undefined})).toBe('\x1B]11;?\x1B\\');
	expect(backgroundQuery({multiplexer: 'tmux'})).toBe('\x1B]11;?\x1B\\\x1BPtmux;\x1B\x1B]11;?\x1B\x1B\\\x1B\\');
});
