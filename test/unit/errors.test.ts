import {expect, test} from 'vitest';
import {exitCodeOf} from '../../source/commands/process/exit-code.ts';
import {explain, PulsetopError} from '../../source/errors.ts';

const systemError = (facts: {code: string; syscall: string; path?: string}) =>
	Object.assign(new Error(`${facts.code}: as the system says it, ${facts.syscall}`), facts);

test('a disk that is full or closed is the person’s to mend, and no fault to report', () => {
	const full = explain(systemError({code: 'ENOSPC', syscall: 'write'}));
	expect(full).toMatchObject({code: 'file-failed', what: 'A file cannot be written', why: 'the disk is full'});
	expect(full.advice).toContain('Free some space');
	expect(exitCodeOf(full)).toBe(1);
	const closed = explain(systemError({code: 'EROFS', syscall: 'open', path: '/data/keys'}));
	expect(closed.why).toBe('the file system is read-only: /data/keys');
	expect(closed.advice).toContain('--data-dir');
});

test('a directory that cannot be made is named', () => {
	const error = systemError({code: 'ENOENT', syscall: 'mkdir', path: '/data/trading'});
	expect(explain(error)).toMatchObject({code: 'file-failed', why: 'the directory cannot be made: /data/trading'});
});

test('the same codes of other calls, and missing files, stay what they were', () => {
	for (const error of [
		systemError({code: 'EACCES', syscall: 'listen'}),
		systemError({code: 'ENOENT', syscall: 'open', path: '/x'}),
		new TypeError('x is not a function'),
	])
		expect(explain(error).code).toBe('internal');
});

test('what an error repeats cannot act on a terminal', () => {
	class Repeating extends PulsetopError {
		readonly code = 'repeating';
	}
	const hostile = 'a\u001b[2J\u0007b\u009d\u202e\nc';
	const facts = {why: hostile, next: 'fix-input', advice: hostile} as const;
	for (const {what, why, advice} of [new Repeating(hostile, facts), new Error(hostile)].map(explain))
		for (const text of [what, why, advice]) expect(text).toMatch(/^[^\p{Cc}\p{Cf}]*(\n[^\p{Cc}\p{Cf}]*)?$/u);
	expect(explain(new Repeating(hostile, facts)).why).toBe('a\u{FFFD}[2J\u{FFFD}b\u{FFFD}\u{FFFD}\nc');
});
