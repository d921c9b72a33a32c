import {mkdirSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {makeDirectory} from '../../source/make-directory.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

test('a directory is made with those above it, for its owner alone', () => {
	const path = join(temporaryDirectory(), 'a', 'b', 'c');
	makeDirectory(path);
	expect([path, join(path, '..'), join(path, '../..')].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
});

test('a directory that exists stays as it is, also behind a link', () => {
	const root = temporaryDirectory();
	const path = join(root, 'open');
	mkdirSync(path);
	const mode = modeOf(path);
	symlinkSync(path, join(root, 'link'));
	for (const known of [path, join(root, 'link'), '/', '.']) makeDirectory(known);
	makeDirectory(join(root, 'link', 'below'));
	expect(modeOf(path)).toBe(mode);
	expect(modeOf(join(path, 'below'))).toBe(0o700);
});

test('a file, a broken link and what lies in one are refused', () => {
	const root = temporaryDirectory();
	writeFileSync(join(root, 'file'), '');
	symlinkSync(join(root, 'nowhere'), join(root, 'broken'));
	expect(() => makeDirectory(join(root, 'file'))).toThrow(/^EEXIST/);
	expect(() => makeDirectory(join(root, 'file', 'below'))).toThrow(/^ENOTDIR/);
	expect(() => makeDirectory(join(root, 'broken'))).toThrow(/^EEXIST/);
	expect(() => makeDirectory(join(root, 'broken', 'below'))).toThrow(/^EEXIST/);
});

// Node's recursive mkdir tries for ever here, and a signal does not end the program.
test.runIf(process.platform === 'linux')('below a directory that takes no other the attempt ends', () => {
	expect(() => makeDirectory('/proc/pulsetop/data')).toThrow(/^ENOENT/);
});
