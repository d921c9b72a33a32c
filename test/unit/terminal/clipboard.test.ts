import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {detectCapabilities} from '../../../source/terminal/capabilities.ts';
import {copyToClipboard} from '../../../source/terminal/clipboard.ts';
import {notify, ring} from '../../../source/terminal/notify.ts';
import {HOSTILE_STRINGS} from '../../fixtures/hostile-strings.ts';

function capabilities(env: Record<string, string>, isTTY = true) {
	return detectCapabilities({env: {TERM: 'xterm-256color', ...env}, isTTY, platform: 'linux'});
}

/** Copies, and returns the result and what was sent. */
async function copy(text: string, env: Record<string, string>, isTmuxGood = true) {
	const sent: string[] = [];
	const ran: string[] = [];
	const result = await copyToClipboard(text, {
		capabilities: capabilities(env),
		send: sequence => sent.push(sequence),
		run: async (command, args, input) => {
			ran.push(`${command} ${args.join(' ')} < ${input}`);
			return isTmuxGood;
		},
	});
	return {result, sent: sent.join(''), ran};
}

describe('a copy', () => {
	const address = '0x1234567890abcdef1234567890abcdef12345678';
	const encoded = Buffer.from(address).toString('base64');

	test('goes to the terminal itself, over SSH too', async () => {
		const {result, sent} = await copy(address, {SSH_TTY: '/dev/pts/1'});
		expect(result).toEqual({sent: true, route: 'osc52'});
		expect(sent).toBe(`\x1B]52;c;${encoded}\x07`);
	});

	test('goes through tmux where that is between', async () => {
		const {result, sent, ran} = await copy(address, {TMUX: '/tmp/x'});
		expect(result).toEqual({sent: true, route: 'tmux'});
		expect(ran).toEqual([`tmux load-buffer -w - < ${address}`]);
		expect(sent).toBe('');
	});

	test('is passed through tmux if its command fails', async () => {
		const {result, sent} = await copy(address, {TMUX: '/tmp/x'}, false);
		expect(result).toEqual({sent: true, route: 'passthrough'});
		expect(sent).toBe(`\x1BPtmux;\x1B\x1B]52;c;${encoded}\x07\x1B\\`);
	});

	test('is passed through screen in pieces that it takes', async () => {
		const {result, sent} = await copy('a'.repeat(3000), {STY: '1.pts'});
		expect(result).toEqual({sent: true, route: 'passthrough'});
		const pieces = sent.split('\x1B\\').slice(0, -1);
		expect(pieces.length).toBeGreaterThan(1);
		for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(770);
		const whole = pieces.map(piece => piece.slice(2)).join('');
		expect(Buffer.from(whole.slice(7, -1), 'base64').toString()).toBe('a'.repeat(3000));
	});

	test('that no terminal would take is not sent', async () => {
		expect(await copy('a'.repeat(60_000), {})).toMatchObject({result: {sent: false, why: 'too-long'}, sent: ''});
	});

	test('is not sent where no clipboard is', async () => {
		expect(await copy(address, {TERM: 'linux'})).toMatchObject({result: {sent: false, why: 'unsupported'}, sent: ''});
	});

	test('without tmux on the machine falls back to passing through', async () => {
		vi.stubEnv('PATH', '/nowhere');
		onTestFinished(() => void vi.unstubAllEnvs());
		const sent: string[] = [];
		const result = await copyToClipboard('x', {
			capabilities: capabilities({TMUX: '/nowhere,1,0'}),
			send: sequence => sent.push(sequence),
		});
		expect(result).toEqual({sent: true, route: 'passthrough'});
	});
});

describe('a notification', () => {
	function told(message: string, env: Record<string, string> = {}): string {
		const sent: string[] = [];
		notify(message, {capabilities: capabilities(env), send: sequence => sent.push(sequence)});
		return sent.join('');
	}

	test('rings, and shows its message where the terminal can', () => {
		expect(told('PEPE is above 1M')).toBe('\x07\x1B]9;PEPE is above 1M\x07');
		expect(told('PEPE', {TMUX: '/tmp/x'})).toBe('\x07\x1BPtmux;\x1B\x1B]9;PEPE\x07\x1B\\');
	});

	test('only rings where unknown sequences would be printed', () => {
		expect(told('PEPE', {TERM: 'linux'})).toBe('\x07');
	});

	test('that begins with a number is no other command', () => {
		expect(told('4;1;50')).not.toContain(']9;4;');
	});

	test('lets nothing in its message act', () => {
		for (const text of Object.values(HOSTILE_STRINGS)) expect(told(text)).toMatch(/^\x07\x1B\]9;\P{Cc}*\x07$/u);
	});

	test('is silent where there is no terminal', () => {
		const sent: string[] = [];
		ring({capabilities: capabilities({}, false), send: sequence => sent.push(sequence)});
		expect(sent).toEqual([]);
	});
});
