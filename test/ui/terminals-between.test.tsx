import {PassThrough} from 'node:stream';
import {expect, test} from 'vitest';
import {detectCapabilities} from '../../source/terminal/capabilities.ts';
import {LiveRows} from '../../source/terminal/live-rows.tsx';
import {renderLive} from '../../source/terminal/render-live.tsx';
import {createScreen} from '../../source/ui/open-screen.tsx';
import {Emulator} from '../unit/terminal/emulator.ts';

/** The bytes of a screen with a family in a row, for the terminal of an environment. */
function bytesIn(env: Readonly<Record<string, string>>): string {
	const output = new Emulator(20, 3);
	const capabilities = detectCapabilities({env: {LANG: 'C.UTF-8', ...env}, isTTY: true, platform: 'linux'});
	const input = Object.assign(new PassThrough(), {isTTY: true}) as unknown as NodeJS.ReadStream;
	const screen = createScreen({input, output, capabilities}, {mouse: true, ambiguousWidth: 'narrow'});
	screen.enter();
	const rows = <LiveRows id="rows" width={20} count={1} rows={() => [[{text: '👨‍👩‍👧 FAMILY'}]]} />;
	const {unmount} = renderLive(rows, {screen, stdin: input});
	screen.flush();
	unmount();
	screen.restore();
	return output.bytes;
}

const MOUSE = '\u001b[?1000h';
const XTERM = bytesIn({TERM: 'xterm-256color'});
const TMUX = bytesIn({TERM: 'screen-256color', TMUX: '/tmp/tmux'});
const SCREEN = bytesIn({TERM: 'screen', STY: '1.pts'});

test('GNU screen keeps the mouse: while a program takes the mouse, screen holds Esc back', () => {
	expect(XTERM).toContain(MOUSE);
	expect(TMUX).toContain(MOUSE);
	expect(SCREEN).not.toContain(MOUSE);
});

test.each([
	['tmux', {TMUX: '/tmp/tmux'}],
	['GNU screen', {STY: '1.pts'}],
	['SSH, behind which there may be mosh', {SSH_TTY: '/dev/pts/1'}],
	['the terminal of vim', {VIM_TERMINAL: '900'}],
	['the terminal of neovim', {NVIM: '/tmp/nvim'}],
	['the terminal of Emacs', {INSIDE_EMACS: '30.1,vterm'}],
])(
	'in %s an emoji of several characters is the first of them: programs in between count cells of their own',
	(_, env) => {
		expect(XTERM).toContain('👨‍👩‍👧');
		const bytes = bytesIn({TERM: 'xterm-256color', ...env});
		expect(bytes).toContain('👨');
		expect(bytes).not.toContain('👩');
	},
);
