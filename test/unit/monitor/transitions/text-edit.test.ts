import {expect, test} from 'vitest';
import * as edit from '../../../../source/monitor/transitions/text-edit.ts';

test('typing goes in at the cursor', () => {
	expect(edit.textInserted({text: 'ac', cursor: 1}, 'b')).toEqual({text: 'abc', cursor: 2});
});

test('a pasted line break becomes a space, other controls vanish', () => {
	expect(edit.textInserted(edit.editOf(''), 'mcap>5k\r\nage<1m\u001b[31m\u0007').text).toBe('mcap>5k age<1m[31m');
});

test('a paste beyond the longest line is cut, what was there is kept', () => {
	const full = edit.textInserted(edit.editOf('keep '), 'x'.repeat(5000));
	expect(full.text.startsWith('keep x')).toBe(true);
	expect(full.text).toHaveLength(edit.MAX_EDIT_LENGTH);
});

test('backspace takes a whole emoji', () => {
	expect(edit.charDeleted(edit.editOf('a👩‍💻')).text).toBe('a');
});

test('word and line deletion', () => {
	expect(edit.wordDeleted(edit.editOf('mcap>5k age<1m ')).text).toBe('mcap>5k ');
	expect(edit.lineDeleted({text: 'abcd', cursor: 2})).toEqual({text: 'cd', cursor: 0});
	expect(edit.nextCharDeleted({text: 'abcd', cursor: 2})).toEqual({text: 'abd', cursor: 2});
});

test('the cursor stops at the ends', () => {
	const start = {text: 'ab', cursor: 0};
	expect(edit.cursorMovedBy(start, -1)).toBe(start);
	expect(edit.cursorMovedBy(edit.editOf('ab'), 1)).toEqual({text: 'ab', cursor: 2});
	expect(edit.cursorMovedTo(start, 'end').cursor).toBe(2);
});
