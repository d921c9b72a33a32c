import {mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase, StoreFailed} from '../../../source/service/store/database.ts';

const directory = () => mkdtempSync(join(tmpdir(), 'pulsetop-'));

/** A store with rows enough for several pages. */
function filled(dataDir: string): string {
	const database = openDatabase(dataDir);
	database.run('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT) STRICT');
	for (let id = 0; id < 200; id++) database.run('INSERT INTO t VALUES (?, ?)', [id, 'x'.repeat(200)]);
	database.close();
	return join(dataDir, 'service.db');
}

test.each([
	['no database at all', (path: string) => writeFileSync(path, 'text of another program '.repeat(1000))],
	[
		'one with pages overwritten',
		(path: string) => {
			const bytes = readFileSync(path);
			writeFileSync(path, bytes.fill(0x5a, 4096, bytes.length - 4096));
		},
	],
	['one cut in the middle', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, 10_000))],
])('a store that is %s is kept aside, said once, and a new one works', (_, damage) => {
	const dataDir = directory();
	const path = filled(dataDir);
	damage(path);
	const damaged = readFileSync(path);
	const said: string[] = [];
	const database = openDatabase(dataDir, line => said.push(line));
	database.run('CREATE TABLE u (id INTEGER) STRICT');
	expect(database.run('INSERT INTO u VALUES (1)')).toBe(1);
	database.close();
	expect(said).toEqual([
		expect.stringMatching(/^the store service\.db is damaged \(.+\): it is kept as service\.db\.damaged-\d+ /),
	]);
	const kept = readdirSync(dataDir).find(name => /^service\.db\.damaged-\d+$/.test(name))!;
	expect(readFileSync(join(dataDir, kept))).toEqual(damaged);

	const again = openDatabase(dataDir, line => said.push(line));
	expect(again.get('SELECT count(*) AS n FROM u')).toEqual({n: 1});
	again.close();
	expect(said).toHaveLength(1);
});

test('an intact store keeps its records', () => {
	const dataDir = directory();
	filled(dataDir);
	const database = openDatabase(dataDir, line => expect.fail(line));
	expect(database.get('SELECT count(*) AS n FROM t')).toEqual({n: 200});
	database.close();
});

test('a store that cannot be used for another reason is not moved', () => {
	const dataDir = join(directory(), 'file');
	writeFileSync(dataDir, 'not a directory');
	expect(() => openDatabase(dataDir, line => expect.fail(line))).toThrow(StoreFailed);
	expect(readFileSync(dataDir, 'utf8')).toBe('not a directory');
});
