import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type KeyEvent, KeyReader} from '../../../../source/ui/keymap/keys.ts';

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
	expect(reader.isPending).toBe(true);
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
	expect(names('\u001b[99;99u\u001b[?1;2c')).toEqual([]);
});

test('with any bytes the reader neither throws nor withholds more than one cut sequence', () => {
	fc.assert(
		fc.property(fc.array(fc.string({unit: 'binary'})), chunks => {
			const reader = new KeyReader();
			for (const chunk of chunks)
				for (const event of reader.feed(chunk)) expect(event.kind).toMatch(/key|paste|mouse|focus/);
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
