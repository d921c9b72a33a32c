import {mkdtempSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {StoreFailed} from '../../../source/service/store/database.ts';
import {openSqlite} from '../../../source/service/store/sqlite.ts';

const directory = () => mkdtempSync(join(tmpdir(), 'pulsetop-'));

/** A store with rows enough for several pages. */
async function filled(dataDir: string): Promise<string> {
	const database = openSqlite(dataDir);
	await database.run('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT) STRICT');
	for (let id = 0; id < 200; id++) await database.run('INSERT INTO t VALUES (?, ?)', [id, 'x'.repeat(200)]);
	await database.close();
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
])('a store that is %s is kept aside, said once, and a new one works', async (_, damage) => {
	const dataDir = directory();
	const path = await filled(dataDir);
	damage(path);
	const damaged = readFileSync(path);
	const said: string[] = [];
	const database = openSqlite(dataDir, line => said.push(line));
	await database.run('CREATE TABLE u (id INTEGER) STRICT');
	expect(await database.run('INSERT INTO u VALUES (1)')).toBe(1);
	await database.close();
	expect(said).toEqual([
		expect.stringMatching(/^the store service\.db is damaged \(.+\): it is kept as service\.db\.damaged-\d+ /),
	]);
	const kept = readdirSync(dataDir).find(name => /^service\.db\.damaged-\d+$/.test(name))!;
	expect(readFileSync(join(dataDir, kept))).toEqual(damaged);

	const again = openSqlite(dataDir, line => said.push(line));
	expect(await again.get('SELECT count(*) AS n FROM u')).toEqual({n: 1});
	await again.close();
	expect(said).toHaveLength(1);
});

test('an intact store keeps its records', async () => {
	const dataDir = directory();
	await filled(dataDir);
	const database = openSqlite(dataDir, line => expect.fail(line));
	expect(await database.get('SELECT count(*) AS n FROM t')).toEqual({n: 200});
	await database.close();
});

test('a store that cannot be used for another reason is not moved', () => {
	const dataDir = join(directory(), 'file');
	writeFileSync(dataDir, 'not a directory');
	expect(() => openSqlite(dataDir, line => expect.fail(line))).toThrow(StoreFailed);
	expect(readFileSync(dataDir, 'utf8')).toBe('not a directory');
});
