import {existsSync, mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterEach, expect, test} from 'vitest';
import {makeSocketDirectory} from '../../../../source/service/chain/socket-directory.ts';

const made: string[] = [];
const before = process.env['TMPDIR'];
afterEach(() => {
	if (before === undefined) delete process.env['TMPDIR'];
	else process.env['TMPDIR'] = before;
	for (const path of made.splice(0)) rmSync(path, {recursive: true, force: true});
});

/** Short, wherever the temporary files of this run are. */
function home(): string {
	const path = mkdtempSync('/tmp/pulsetop-home-');
	made.push(path);
	return path;
}

function makeWith(temporary: string, dataDir?: string): string {
	process.env['TMPDIR'] = temporary;
	const path = makeSocketDirectory(dataDir);
	made.push(path);
	return path;
}

test('sockets are in the temporary directory, for this user alone', () => {
	const temporary = home();
	const path = makeWith(temporary, join(home(), 'chains'));
	expect(dirname(path)).toBe(temporary);
	expect(statSync(path).mode & 0o077).toBe(0);
});

test.each([
	['is missing', (path: string) => join(path, 'missing')],
	[
		'is a file',
		(path: string) => {
			writeFileSync(join(path, 'file'), '');
			return join(path, 'file');
		},
	],
	['has a path that is too long for sockets', (path: string) => join(path, 'x'.repeat(100))],
])('a temporary directory that %s is replaced by the data directory, which is made', (_, of) => {
	const dataDir = join(home(), 'chains');
	expect(dirname(makeWith(of(home()), dataDir))).toBe(dataDir);
	expect(existsSync(dataDir)).toBe(true);
});

test('without a data directory of a short path the last place is /tmp', () => {
	expect(dirname(makeWith('/missing/directory', join(home(), 'y'.repeat(80))))).toBe('/tmp');
});
