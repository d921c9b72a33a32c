import {execFile, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {promisify} from 'node:util';
import {afterEach, expect, test, vi} from 'vitest';
import {isExposed, readIfPresent, withFileLock, writePrivateFile} from '../../../source/trading/private-files.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

afterEach(() => void vi.restoreAllMocks());

/** A process that is gone. */
const DEAD = () => spawnSync(process.execPath, ['-e', '']).pid;

function locked(text: string): {path: string; lock: string} {
	const path = join(temporaryDirectory(), 'journal.jsonl');
	writeFileSync(`${path}.lock`, text);
	return {path, lock: `${path}.lock`};
}

/** Makes a file look as if it were made this long after it was, s; by the clock of the file system. */
function made(file: string, afterS: number): void {
	const timeS = statSync(file).mtimeMs / 1000 + afterS;
	utimesSync(file, timeS, timeS);
}

test('the lock of a process that was killed is taken over at once, and given up again', () => {
	const {path, lock} = locked(String(DEAD()));
	const wait = vi.spyOn(Atomics, 'wait');
	expect(withFileLock(path, 'journal', () => existsSync(lock))).toBe(true);
	expect(wait).not.toHaveBeenCalled();
	expect(existsSync(lock)).toBe(false);
});

test('a lock that was cut before it was named is taken over once it is old', () => {
	const {path, lock} = locked('');
	made(lock, -60);
	expect(withFileLock(path, 'journal', () => 'done')).toBe('done');
});

test('the lock of a living process is waited for, and then it is said who holds it', () => {
	const {path, lock} = locked(String(process.ppid));
	expect(() => withFileLock(path, 'journal', () => expect.fail('it ran'))).toThrow(
		expect.objectContaining({code: 'file-busy', why: `process ${process.ppid} holds its lock`, next: 'retry-later'}),
	);
	expect(existsSync(lock)).toBe(true);
});

test('work that fails gives the lock up', () => {
	const path = join(temporaryDirectory(), 'file');
	const broken = () =>
		withFileLock(path, 'file', () => {
			throw new Error('broken');
		});
	expect(broken).toThrow('broken');
	expect(withFileLock(path, 'file', () => 1)).toBe(1);
});

test('a file is written whole or not at all, for its owner only, in a directory that is closed to others', () => {
	const directory = join(temporaryDirectory(), 'open');
	mkdirSync(directory, {mode: 0o755});
	const path = join(directory, 'file');
	writePrivateFile(path, 'one');
	writePrivateFile(path, 'two');
	expect([readIfPresent(path), isExposed(path), statSync(directory).mode & 0o777]).toEqual(['two', false, 0o700]);
	mkdirSync(join(directory, 'taken'));
	expect(() => writePrivateFile(join(directory, 'taken'), 'x')).toThrow();
	expect(readdirSync(directory).toSorted()).toEqual(['file', 'taken']);
});

test('a file that cannot be read is no missing file', () => {
	const directory = temporaryDirectory();
	expect(readIfPresent(join(directory, 'none'))).toBeUndefined();
	expect(() => readIfPresent(directory)).toThrow(/EISDIR/);
});

test('a removal that was cut off by a crash blocks no run once it is old', () => {
	const {path, lock} = locked(String(DEAD()));
	writeFileSync(`${lock}.removal`, '');
	made(`${lock}.removal`, -60);
	expect(withFileLock(path, 'journal', () => 'done')).toBe('done');
	expect(readdirSync(dirname(path))).toEqual([]);
});

test('a clock that was set ahead does not make a lock old that was made just now', () => {
	// A lock whose maker has not written its name yet, and stays young for as long as others wait.
	const {path, lock} = locked('');
	made(lock, 60);
	vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
	expect(() => withFileLock(path, 'journal', () => 'in')).toThrow(expect.objectContaining({code: 'file-busy'}));
	expect(existsSync(lock)).toBe(true);
});

test('of many processes that find a dead lock at once, each works alone', async () => {
	const {path} = locked(String(DEAD()));
	writeFileSync(path, '0');
	const room = new URL('../../../source/trading/private-files.ts', import.meta.url).href;
	const program = `
		const {withFileLock} = await import(${JSON.stringify(room)});
		const {readFileSync, writeFileSync} = await import('node:fs');
		const path = ${JSON.stringify(path)};
		for (let i = 0; i < 25; i++) {
			withFileLock(path, 'count', () => writeFileSync(path, String(Number(readFileSync(path, 'utf8')) + 1)));
		}`;
	const children = Array.from({length: 5}, () =>
		promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]),
	);
	await Promise.all(children);
	expect(readIfPresent(path)).toBe('125');
});
