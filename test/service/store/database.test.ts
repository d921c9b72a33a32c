import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {startService} from '../../../source/service/server.ts';
import {type Database, StoreFailed} from '../../../source/service/store/database.ts';
import {openSqlite, readStored} from '../../../source/service/store/sqlite.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

const directory = () => mkdtempSync(join(tmpdir(), 'pulsetop-'));

/** Rows enough for several pages. */
function fill(database: Database): Promise<void> {
	return database.transaction(async () => {
		await database.run('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT) STRICT');
		for (let id = 0; id < 200; id++) await database.run('INSERT INTO t VALUES (?, ?)', [id, 'x'.repeat(200)]);
	});
}

/** A store that was closed. */
async function filled(dataDir: string): Promise<string> {
	const database = openSqlite(dataDir);
	await fill(database);
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

/** What is left of a store after its process was killed: its newest changes are in SQLite's log alone. */
async function killed(dataDir: string): Promise<string> {
	const elsewhere = directory();
	await filled(elsewhere);
	const database = openSqlite(elsewhere);
	await database.run('UPDATE t SET text = ?', ['y'.repeat(200)]);
	cpSync(elsewhere, dataDir, {recursive: true});
	await database.close();
	return join(dataDir, 'service.db');
}

/** A first run that was killed: all tables are in SQLite's log alone. */
async function killedEarly(dataDir: string): Promise<string> {
	const elsewhere = directory();
	const database = openSqlite(elsewhere);
	await fill(database);
	cpSync(elsewhere, dataDir, {recursive: true});
	await database.close();
	return join(dataDir, 'service.db');
}

const cut = (to: (size: number) => number) => (path: string) => truncateSync(path, to(statSync(path).size));
const withLog = (lose: (path: string) => void) => (path: string) => {
	for (const beside of ['-wal', '-shm']) rmSync(path + beside, {force: true});
	lose(path);
};
const LOSSES: readonly (readonly [string, (path: string) => void])[] = [
	['of 0 bytes', cut(() => 0)],
	['cut in half, at a page border', cut(size => Math.floor(size / 8192) * 4096)],
	['cut inside of a page', cut(size => Math.floor(size / 8192) * 4096 + 1000)],
	['its first page', cut(() => 4096)],
	['only its header', cut(() => 100)],
	['a single byte', cut(() => 1)],
	['deleted', path => rmSync(path)],
	['NULs', path => writeFileSync(path, Buffer.alloc(statSync(path).size))],
	['NULs after the first page', path => writeFileSync(path, readFileSync(path).fill(0, 4096))],
];
const EACH_LOSS = LOSSES.flatMap(([name, lose]) => [
	[`${name}, closed before`, filled, lose] as const,
	[`${name}, killed before`, killed, lose] as const,
	[`${name}, killed in its first run`, killedEarly, lose] as const,
	[`${name}, killed before, without SQLite's log`, killed, withLog(lose)] as const,
	[`${name}, killed in its first run, without SQLite's log`, killedEarly, withLog(lose)] as const,
]);

test.each(EACH_LOSS)('a store that is %s has its content, or says the loss once', async (_, make, lose) => {
	const dataDir = directory();
	const path = await make(dataDir);
	const before = readdirSync(dataDir).filter(name => name !== 'service.db-shm');
	lose(path);
	const said: string[] = [];
	const database = openSqlite(dataDir, line => said.push(line));
	if (said.length === 0) {
		expect(await database.get('SELECT count(*) AS n, min(length(text)) AS l FROM t')).toEqual({n: 200, l: 200});
		expect(make).not.toBe(filled);
	} else {
		expect(said).toEqual([
			expect.stringMatching(
				/^the store service\.db is damaged \(.+\): (it is kept as service\.db\.damaged-\d+(-wal)?|nothing of it is left) and a new one started\. The service no longer knows/,
			),
		]);
		expect(before).toContain('service.db');
		await database.run('CREATE TABLE u (id INTEGER) STRICT');
	}
	await database.close();
	await openSqlite(dataDir, line => expect.fail(line)).close();
});

test("SQLite's log of a deleted store is kept, and no reader deletes it", async () => {
	for (const lose of [cut(() => 0), (path: string) => rmSync(path)]) {
		const dataDir = directory();
		const path = await killed(dataDir);
		const log = readFileSync(`${path}-wal`);
		lose(path);
		expect(() => readStored(dataDir, 't', 'SELECT * FROM t')).toThrow(StoreFailed);
		await openSqlite(dataDir).close();
		const kept = readdirSync(dataDir).find(name => /^service\.db\.damaged-\d+-wal$/.test(name))!;
		expect(readFileSync(join(dataDir, kept))).toEqual(log);
	}
});

test('a store of an earlier version, without a mark beside it, is marked at its next start', async () => {
	const dataDir = directory();
	const path = await filled(dataDir);
	rmSync(`${path}-made`);
	await openSqlite(dataDir, line => expect.fail(line)).close();
	rmSync(path);
	const said: string[] = [];
	await openSqlite(dataDir, line => said.push(line)).close();
	expect(said).toEqual([expect.stringContaining('the file is missing')]);
});

test('a service names a deleted store at its start', async () => {
	const dataDir = directory();
	rmSync(await filled(dataDir));
	const said: string[] = [];
	const options = {market: new TinyMarket(), dataDir, examinesStore: true, onFault: (line: string) => said.push(line)};
	await (await startService(options)).close();
	expect(said.filter(line => line.includes('service.db'))).toEqual([expect.stringContaining('the file is missing')]);
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
