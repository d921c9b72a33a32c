import {describe, expect, test} from 'vitest';
import {detectCapabilities, type TerminalSurroundings} from '../../../source/terminal/capabilities.ts';

type Env = TerminalSurroundings['env'];
const XTERM: Env = {TERM: 'xterm-256color', LANG: 'en_US.UTF-8'};

function detect(env: Env, rest: Partial<TerminalSurroundings> = {}) {
	return detectCapabilities({env, isTTY: true, platform: 'linux', ...rest});
}

describe('colours', () => {
	test.each<[string, Env, string]>([
		['a terminal that says 256', XTERM, '256'],
		['COLORTERM says truecolor', {...XTERM, COLORTERM: 'truecolor'}, 'truecolor'],
		['a terminal known for truecolor, over SSH, where COLORTERM is lost', {TERM: 'xterm-kitty'}, 'truecolor'],
		['a plain xterm', {TERM: 'xterm'}, '16'],
		['the Linux console', {TERM: 'linux'}, '16'],
		[
			'GNU screen, though the terminal around it has truecolor',
			{TERM: 'screen-256color', STY: '1.pts', COLORTERM: 'truecolor'},
			'256',
		],
		[
			'tmux, which brings colours down by itself',
			{TERM: 'tmux-256color', TMUX: '/tmp/x', COLORTERM: 'truecolor'},
			'truecolor',
		],
		['a dumb terminal', {TERM: 'dumb', COLORTERM: 'truecolor'}, 'none'],
		['NO_COLOR', {...XTERM, NO_COLOR: '1'}, 'none'],
		['an empty NO_COLOR means nothing', {...XTERM, NO_COLOR: ''}, '256'],
		['FORCE_COLOR names the depth, over NO_COLOR', {...XTERM, NO_COLOR: '1', FORCE_COLOR: '3'}, 'truecolor'],
		['FORCE_COLOR=0', {...XTERM, FORCE_COLOR: '0'}, 'none'],
		['FORCE_COLOR=1', {...XTERM, FORCE_COLOR: '1'}, '16'],
		['FORCE_COLOR without a number', {TERM: 'dumb', FORCE_COLOR: 'true'}, '16'],
	])('%s', (_title, env, depth) => {
		expect(detect(env).depth).toBe(depth);
	});

	test('the configured depth comes before what the environment says, but draws no colours where there is no terminal', () => {
		expect(detect({...XTERM, FORCE_COLOR: '1'}, {color: 'truecolor'}).depth).toBe('truecolor');
		expect(detect({...XTERM, NO_COLOR: '1'}, {color: '16'}).depth).toBe('16');
		expect(detect(XTERM, {color: '256', isTTY: false}).depth).toBe('none');
	});

	test('none where there is no terminal, or where they were declined', () => {
		expect(detect(XTERM, {isTTY: false}).depth).toBe('none');
		expect(detect({...XTERM, FORCE_COLOR: '3'}, {color: 'never'}).depth).toBe('none');
	});
});

describe('glyphs', () => {
	test.each<[string, Env, boolean]>([
		['a UTF-8 locale', {TERM: 'xterm', LANG: 'de_DE.UTF-8'}, true],
		['LC_ALL is stronger than LANG', {TERM: 'xterm', LANG: 'de_DE.UTF-8', LC_ALL: 'C'}, false],
		['another encoding', {TERM: 'xterm', LANG: 'de_DE.ISO-8859-1'}, false],
		['no locale at all, as in a container', {TERM: 'xterm'}, true],
		['C in UTF-8', {TERM: 'xterm', LANG: 'C.utf8'}, true],
		['the Linux console, whose font has no braille', {TERM: 'linux', LANG: 'C.UTF-8'}, false],
	])('%s', (_title, env, unicode) => {
		expect(detect(env).unicode).toBe(unicode);
	});

	test('ASCII on request', () => {
		expect(detect(XTERM, {ascii: true}).unicode).toBe(false);
	});
});

describe('surroundings', () => {
	test.each<[string, Env, string, string | undefined]>([
		['a terminal', XTERM, 'osc52', undefined],
		['tmux', {...XTERM, TMUX: '/tmp/x'}, 'tmux', 'tmux'],
		['screen', {...XTERM, STY: '1.pts'}, 'screen', 'screen'],
		['screen at the other end of SSH', {TERM: 'screen.xterm-256color'}, 'screen', 'screen'],
		['screen inside tmux', {TERM: 'screen.tmux-256color', STY: '1.pts', TMUX: '/tmp/x'}, 'screen', 'screen'],
		['tmux under a name that screen has too', {TERM: 'screen-256color', TMUX: '/tmp/x'}, 'tmux', 'tmux'],
		['the Linux console, which has no clipboard', {TERM: 'linux'}, 'none', undefined],
	])('%s', (_title, env, clipboard, multiplexer) => {
		expect(detect(env)).toMatchObject({clipboard, multiplexer});
	});

	test('SSH is known by what sshd sets', () => {
		expect(detect({...XTERM, SSH_CONNECTION: '1.2.3.4 5 6.7.8.9 22'}).overSsh).toBe(true);
		expect(detect(XTERM).overSsh).toBe(false);
	});
});

test.each([
	[{TERM: 'xterm-kitty'}, true],
	[{TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app'}, true],
	[{TERM: 'xterm-256color', VTE_VERSION: '7600'}, true],
	[{TERM: 'xterm-256color', VTE_VERSION: '4400'}, false],
	[{TERM: 'xterm-256color'}, false],
	[{TERM: 'xterm-kitty', TMUX: '/tmp/tmux-1/default,1,0'}, false],
])('links are drawn only in terminals that are known to support them: %j', (env, hyperlinks) => {
	expect(detectCapabilities({env, isTTY: true, platform: 'linux'}).hyperlinks).toBe(hyperlinks);
	expect(detectCapabilities({env, isTTY: false, platform: 'linux'}).hyperlinks).toBe(false);
});
