import {describe, expect, test} from 'vitest';
import {type KeyEvent, KeyReader} from '../../../../source/ui/keymap/keys.ts';
import {areTyped} from '../../../../source/ui/keymap/listen-to-keys.ts';
import {fc} from '../../../helpers/properties.ts';

function names(...chunks: string[]): string[] {
	const reader = new KeyReader();
	const events = chunks.flatMap(chunk => reader.feed(chunk));
	return [...events, ...reader.flush()].map(event => (event.kind === 'key' ? event.name : event.kind));
}

test('letters that arrive in one chunk are as many keys', () => {
	expect(names('jjj')).toEqual(['j', 'j', 'j']);
});

test('y and Enter typed fast are two keys', () => {
	expect(names('y\r')).toEqual(['y', 'enter']);
});

test('CR LF is one Enter', () => {
	expect(names('\r\n')).toEqual(['enter']);
});

test('a lone Esc counts as the key once nothing follows', () => {
	const reader = new KeyReader();
	expect(reader.feed('\u001b')).toEqual([]);
	expect(reader.waitMs).toBeGreaterThan(0);
	expect(reader.flush()).toEqual([{kind: 'key', name: 'esc'}]);
});

test('Esc followed by a letter is Esc and then the letter, never Alt', () => {
	expect(names('\u001bq')).toEqual(['esc', 'q']);
});

test('arrows, paging and function keys have names, in both cursor modes', () => {
	expect(names('\u001b[A\u001bOB\u001b[5~\u001b[6~\u001b[H\u001b[4~\u001b[Z\u001bOP')).toEqual([
		'up',
		'down',
		'pgup',
		'pgdn',
		'home',
		'end',
		'shift+tab',
		'f1',
	]);
});

test('modifiers of arrows are recognised', () => {
	expect(names('\u001b[1;5C\u001b[1;2D')).toEqual(['ctrl+right', 'shift+left']);
});

test('control letters', () => {
	expect(names('\u0003\u001a\u0015\u007f\t')).toEqual(['ctrl+c', 'ctrl+z', 'ctrl+u', 'backspace', 'tab']);
});

test('a paste is one event with its line breaks, however it is cut', () => {
	const text = 'q\r\nrm -rf \u001b[31m';
	const bytes = `\u001b[200~${text}\u001b[201~j`;
	fc.assert(
		fc.property(fc.array(fc.nat(bytes.length), {maxLength: 6}), cuts => {
			const reader = new KeyReader();
			const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
			const events: KeyEvent[] = [];
			for (let at = 1; at < places.length; at++) events.push(...reader.feed(bytes.slice(places[at - 1], places[at])));
			expect(events).toEqual([
				{kind: 'paste', text},
				{kind: 'key', name: 'j', text: 'j'},
			]);
		}),
	);
});

test('keys are the same however the bytes are cut', () => {
	const bytes = 'j\u001b[A\u001b[1;5CG\u001b[6~\r\u001b[<0;10;5M3k';
	const whole = names(bytes);
	expect(whole).toEqual(['j', 'up', 'ctrl+right', 'G', 'pgdn', 'enter', 'mouse', '3', 'k']);
	for (let cut = 1; cut < bytes.length; cut++) expect(names(bytes.slice(0, cut), bytes.slice(cut))).toEqual(whole);
});

test('a click reports its cell, from 0', () => {
	expect(new KeyReader().feed('\u001b[<0;10;5M')).toEqual([{kind: 'mouse', action: 'press', x: 9, y: 4}]);
	expect(new KeyReader().feed('\u001b[<64;1;1M')).toEqual([{kind: 'mouse', action: 'wheelUp', x: 0, y: 0}]);
});

test('focus reports are not keys', () => {
	expect(names('\u001b[I\u001b[O')).toEqual(['focus', 'focus']);
});

test('an unknown sequence types nothing and runs nothing', () => {
	expect(names('\u001b[99;99z\u001b[?1;2c')).toEqual([]);
});

test('with any bytes the reader neither throws nor withholds more than one cut sequence', () => {
	fc.assert(
		fc.property(fc.array(fc.string({unit: 'binary'})), chunks => {
			const reader = new KeyReader();
			for (const chunk of chunks)
				for (const event of reader.feed(chunk))
					expect(event.kind).toMatch(/^(key|paste|mouse|focus|background|read|pasteMarks)$/);
			reader.flush();
		}),
	);
});

test('text of a key is what it types: emoji and CJK are one key each', () => {
	const events = new KeyReader().feed('👩‍💻漢 ');
	expect(events).toEqual([
		{kind: 'key', name: '👩‍💻', text: '👩‍💻'},
		{kind: 'key', name: '漢', text: '漢'},
		{kind: 'key', name: 'space', text: ' '},
	]);
});

test('an answer of the terminal is no key, in one read or cut anywhere; Esc and then a bracket are both', () => {
	const response = '\u001b]11;rgb:ffff/ffff/ffff\u001b\\';
	for (let cut = 1; cut < response.length; cut++) {
		const reader = new KeyReader();
		const events = [...reader.feed(response.slice(0, cut)), ...reader.feed(`${response.slice(cut)}j`)];
		expect(events).toEqual([
			{kind: 'background', shade: 'light'},
			{kind: 'key', name: 'j', text: 'j'},
		]);
	}
	expect(new KeyReader().feed('\u001b]11;rgb:0/0/0\u0007q')).toEqual([
		{kind: 'background', shade: 'dark'},
		{kind: 'key', name: 'q', text: 'q'},
	]);
	expect(new KeyReader().feed('\u001b]52;c;cGFzdGU=\u0007q')).toEqual([{kind: 'key', name: 'q', text: 'q'}]);
	const typed = new KeyReader();
	expect([...typed.feed('\u001b]'), ...typed.flush()].map(event => event.kind === 'key' && event.name)).toEqual([
		'esc',
		']',
	]);
	expect(new KeyReader().feed('\u001b]x').map(event => event.kind === 'key' && event.name)).toEqual(['esc', ']', 'x']);
});

/** Reads parts of what a terminal sends, with a pause after each part. */
function slowly(parts: readonly string[], pauseMs: number): string[] {
	const reader = new KeyReader();
	const events: KeyEvent[] = [];
	for (const part of parts) {
		events.push(...reader.feed(part));
		for (let left = pauseMs; reader.waitMs !== undefined && reader.waitMs <= left; ) {
			left -= reader.waitMs;
			events.push(...reader.flush());
		}
	}
	return events.map(event => (event.kind === 'key' ? event.name : event.kind));
}

/** What terminals send, by the manual of each, and the key that a person pressed or the answer it is; null: nothing here. */
const SENT: Readonly<Record<string, readonly (readonly [bytes: string, event: string | null])[]>> = {
	xterm: [
		['\u001b[A', 'up'],
		['\u001bOA', 'up'],
		['\u001b[1;5D', 'ctrl+left'],
		['\u001b[5;2~', 'shift+pgup'],
		['\u001bOP', 'f1'],
		['\u001b[1;2P', 'shift+f1'],
		['\u001b[24~', 'f12'],
		['\u001bOM', 'enter'],
		['\u001bOq', '1'],
		['\u001bOk', '+'],
		['\u001bOj', '*'],
		['\u001bO ', 'space'],
		['\u001bOI', 'tab'],
		['\u001b[E', 'begin'],
		['\u001b[27;5;99~', 'ctrl+c'],
		['\u001b[27;6;67~', 'ctrl+c'],
		['\u001b[27;2;13~', 'shift+enter'],
		['\u001b[<0;10;5M', 'mouse'],
		['\u001b[<0;10;5m', null],
		['\u001b[<35;10;5M', null],
		['\u001b[M !!', null],
		['\u001b[M#Aq', null],
		['\u001b[32;10;5M', null],
		['\u001bP1+r544e=787465726d2d6b69747479\u001b\\', null],
		['\u001bP0+r\u001b\\', null],
		['\u001bP>|XTerm(390)\u001b\\', null],
		['\u001bP1$r0m\u001b\\', null],
		['\u001bP!|00000000\u001b\\', null],
		['\u001b[?64;1;2;6;9;15;16;17;18;21;22;28c', null],
		['\u001b[>41;390;0c', null],
		['\u001b[24;80R', null],
		['\u001b[?2026;2$y', null],
		['\u001b[4;2$y', null],
		['\u001b[?2004;1$y', 'pasteMarks'],
		['\u001b[0n', 'read'],
		['\u001b]11;rgb:0000/0000/0000\u0007', 'background'],
		['\u001b]10;rgb:ffff/ffff/ffff\u001b\\', null],
		['\u001b]52;c;cSBq\u0007', null],
		['\u001b]lsome title\u001b\\', null],
		['\u009bA', 'up'],
		['\u008fP', 'f1'],
		['\u009d11;rgb:0/0/0\u009c', 'background'],
	],
	'the Linux console': [
		['\u001b[[A', 'f1'],
		['\u001b[[E', 'f5'],
		['\u001b[17~', 'f6'],
		['\u001b[1~', 'home'],
		['\u001b[G', null],
		['\u001b[P', 'f1'],
	],
	urxvt: [
		['\u001bOa', 'ctrl+up'],
		['\u001bOd', 'ctrl+left'],
		['\u001b[a', 'shift+up'],
		['\u001b[d', 'shift+left'],
		['\u001b[5^', 'ctrl+pgup'],
		['\u001b[7$', 'shift+home'],
		['\u001b[7@', 'ctrl+shift+home'],
		['\u001b[23$', 'shift+f11'],
		['\u001b\u001b[A', null],
		['\u001b\u001bOa', null],
		['\u001b[35;10;5M', null],
	],
	'screen and tmux': [
		['\u001b[1~', 'home'],
		['\u001b[4~', 'end'],
		['\u001b[I', 'focus'],
		['\u001bP>|tmux 3.5a\u001b\\', null],
		['\u001b[?1;2;4c', null],
		['\u001b[>84;0;0c', null],
	],
	kitty: [
		['\u001b[99;5u', 'ctrl+c'],
		['\u001b[99;69u', 'ctrl+c'],
		['\u001b[99;133u', 'ctrl+c'],
		['\u001b[99;5:1u', 'ctrl+c'],
		['\u001b[99:67;6u', 'ctrl+c'],
		['\u001b[1089::99;5u', 'ctrl+c'],
		['\u001b[99;5:3u', null],
		['\u001b[106u', 'j'],
		['\u001b[106:74;2u', 'J'],
		['\u001b[106;1:3u', null],
		['\u001b[27u', 'esc'],
		['\u001b[13u', 'enter'],
		['\u001b[57414u', 'enter'],
		['\u001b[57399u', null],
		['\u001b[1;1:3A', null],
		['\u001b[1;1:2A', 'up'],
		['\u001b[57441;2u', null],
		['\u001b[?0u', null],
		['\u001b_Gi=31;OK\u001b\\', null],
		['\u001bP>|kitty(0.43.1)\u001b\\', null],
	],
	iTerm2: [
		['\u001b]1337;ReportCellSize=20.0;10.0;2.0\u001b\\', null],
		['\u001bP>|iTerm2 3.6.1\u001b\\', null],
		['\u001b[1;4A', 'alt+shift+up'],
		['\u001b[1;10A', 'super+shift+up'],
	],
	'Windows Terminal': [
		['\u001b[67;46;3;1;8;1_', 'ctrl+c'],
		['\u001b[67;46;3;0;8;1_', null],
		['\u001b[74;36;106;1;0;1_', 'j'],
		['\u001b[38;72;0;1;256;1_', null],
		['\u001b[13;28;13;1;0;1_', 'enter'],
		['\u001b[?61;4;6;7;14;21;22;23;24;28;32;42;52c', null],
	],
	PuTTY: [
		['\u001b[11~', 'f1'],
		['\u001bOl', ','],
		['\u001b[?6c', null],
		['\u001b\u001b[D', null],
	],
};

describe.each(Object.entries(SENT))('what %s sends', (_, sequences) => {
	test.each(sequences.map(([bytes, event]) => ({bytes, event})))(
		'$bytes is $event or nothing, wherever it is cut',
		({bytes, event}) => {
			const whole = event === null ? [] : [event];
			// An answer to the pacer may come before what was typed before it.
			const ordered = (events: readonly string[]) => (event === 'read' ? events.toSorted() : events);
			expect(slowly([bytes], 0)).toEqual(whole);
			expect(ordered(slowly([`j${bytes}k`], 0))).toEqual(ordered(['j', ...whole, 'k']));
			expect(slowly([`${bytes}${bytes}`], 0)).toEqual([...whole, ...whole]);
			for (let cut = 1; cut < bytes.length; cut++) {
				const parts = [bytes.slice(0, cut), bytes.slice(cut)];
				expect(slowly(parts, 20)).toEqual(whole);
				expect(slowly(['j', ...parts, 'k'], 20)).toEqual(['j', ...whole, 'k']);
				// After a longer pause an ESC alone has been the Esc key.
				const isEsc = parts[0] === '\u001b' || parts[0] === '\u001b\u001b';
				const late = slowly(parts, 120);
				if (!isEsc) expect(late).toEqual(whole);
				else
					expect(
						late.filter(name => name !== 'esc' && name !== event && !/^(up|down|left|right|ctrl\+up)$/.test(name)),
					).toEqual([]);
			}
			// The terminal answers the pacer in between.
			for (let cut = 2; cut < bytes.length; cut++) {
				const names = slowly([bytes.slice(0, cut), '\u001b[0n', bytes.slice(cut)], 20);
				expect(names.filter(name => name !== 'read' || event === 'read').slice(event === 'read' ? 1 : 0)).toEqual(
					whole,
				);
			}
			// Byte by byte, as a slow link gives it.
			expect(slowly(Array.from(bytes), 20)).toEqual(whole);
		},
	);

	test('does nothing once its rest has not come for a second', () => {
		for (const [bytes] of sequences) {
			for (let cut = 2; cut < bytes.length; cut++) {
				const names = slowly([bytes.slice(0, cut), 'j'], 5000);
				expect(names.at(-1)).toBe('j');
				expect(names.slice(0, -1).filter(name => !/^(esc|[\]P_])$/.test(name))).toEqual([]);
			}
		}
	});
});

describe('Ctrl+C', () => {
	const CTRL_C = [
		'\u0003',
		'\u001b[99;5u',
		'\u001b[99;69u',
		'\u001b[1089::99;5u',
		'\u001b[27;5;99~',
		'\u001b[67;46;3;1;8;1_',
	];
	const BEFORE = [
		'',
		'j',
		'\u001b',
		'\u001b\u001b',
		'\u001b[',
		'\u001b[<0;1',
		'\u001bO',
		'\u001b[M',
		'\u001b[M!',
		'\u001b]11;rgb:',
		'\u001bP1+r54',
		'\u001b_Gi',
		'\u001b[200',
		'\u001b[200~rm -rf',
		'\u001b[200~',
	];

	test.each(CTRL_C)('as %j is the key, whatever came before it, in one read or after a pause', bytes => {
		for (const before of BEFORE) {
			expect(slowly([before + bytes], 200).at(-1), JSON.stringify(before)).toBe('ctrl+c');
			expect(slowly([before, bytes], 200).at(-1), JSON.stringify(before)).toBe('ctrl+c');
		}
	});

	test('inside of a paste that ends is text', () => {
		expect(slowly(['\u001b[200~a\u0003b\u001b[201~'], 0)).toEqual(['paste']);
		expect(slowly(['\u001b[200~a\u0003', 'b\u001b[201~'], 20)).toEqual(['paste']);
	});
});

test('Esc pressed just before an answer of the terminal is Esc, and the answer is heard', () => {
	for (const parts of [['\u001b\u001b[0n'], ['\u001b', '\u001b[0n'], ['\u001b', '\u001b[', '0n']]) {
		expect(slowly([...parts, 'j'], 20).filter(name => name !== 'read')).toEqual(['esc', 'j']);
		expect(slowly(parts, 20)).toContain('read');
	}
	expect(slowly(['\u001b\u001b[<0;1;1M'], 20)).toEqual(['esc', 'mouse']);
});

test('a paste whose end does not come is dropped, and keys count again', () => {
	expect(slowly(['\u001b[200~half', 'j'], 60_000)).toEqual(['j']);
});

test('a bracket or an O soon after Esc is a key when nothing follows it', () => {
	expect(slowly(['\u001b', '['], 150)).toEqual(['esc', '[']);
	expect(slowly(['\u001b', 'O'], 150)).toEqual(['esc', 'O']);
	expect(slowly(['\u001b', 'j'], 150)).toEqual(['esc', 'j']);
	expect(slowly(['\u001b', '['], 1000)).toEqual(['esc', '[']);
});

test('a few keys in one read may be typed ones of a slow link, more are a paste', () => {
	const typed = (bytes: string) => areTyped(new KeyReader().feed(bytes));
	expect([typed('b'), typed('jb'), typed('+2\r'), typed('\u001b[0nj\u001b[0nb\u001b[0n')]).toEqual([
		true,
		true,
		true,
		true,
	]);
	expect([typed('+2\r25\r'), typed('hello b')]).toEqual([false, false]);
});
