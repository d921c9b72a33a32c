import {once} from 'node:events';
import {createServer, type Socket} from 'node:net';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';
import {postgresBinaries, startPostgres} from '../../helpers/postgres.ts';

test('a connection begins with nothing that PgBouncer refuses', async () => {
	const {promise: begun, resolve} = Promise.withResolvers<Socket>();
	const server = await listenOnLoopback(createServer(resolve));
	onTestFinished(() => server.close());
	const opening = openPostgres({url: `postgres://me@127.0.0.1:${server.port}/d`, tls: 'off'}).catch(error => error);
	const socket = await begun;
	const [packet] = (await once(socket, 'data')) as [Buffer];
	socket.destroy();
	await opening;
	// The length, the version 3.0, then names and values.
	expect(packet.readInt32BE(4)).toBe(0x30000);
	const texts = packet.toString('latin1', 8).split('\0');
	const names = texts.filter((_, n) => n % 2 === 0 && texts[n] !== '');
	const known = ['application_name', 'client_encoding', 'database', 'user'];
	expect(names.filter(name => !known.includes(name))).toEqual([]);
	expect(names).toContain('user');
});

test.skipIf(postgresBinaries === undefined)(
	'a statement, a lock and a transaction that does nothing have their limits',
	async () => {
		const server = await startPostgres();
		onTestFinished(() => server.close());
		const database = await openPostgres(server.limitedAddress, {schema: 'of_a_test'});
		const names = ['search_path', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
		const read = names.map(name => `current_setting('${name}') AS ${name}`).join(', ');
		const settings = await database.get(`SELECT ${read}`);
		await database.close();
		expect(settings).toEqual({
			search_path: 'of_a_test',
			statement_timeout: '4s',
			lock_timeout: '3s',
			idle_in_transaction_session_timeout: '5s',
		});
	},
);

/** Defaults that an administrator may give a role: none of them may change what the store keeps. */
const ROLE_SETTINGS: readonly (readonly [string, string])[] = [
	['bytea_output', 'escape'],
	['synchronous_commit', 'off'],
	['default_transaction_read_only', 'on'],
	['statement_timeout', '500ms'],
	['lock_timeout', '500ms'],
	['idle_in_transaction_session_timeout', '500ms'],
	['search_path', 'elsewhere'],
	['DateStyle', 'German, DMY'],
	['TimeZone', 'Asia/Kathmandu'],
	['default_transaction_isolation', 'read uncommitted'],
	['standard_conforming_strings', 'off'],
	['extra_float_digits', '-15'],
	['IntervalStyle', 'sql_standard'],
];

describe.skipIf(postgresBinaries === undefined)("a role whose defaults are an administrator's", () => {
	let server: Awaited<ReturnType<typeof startPostgres>>;
	beforeAll(async () => {
		server = await startPostgres();
	});
	afterAll(() => server.close());

	test.each(ROLE_SETTINGS)('%s = %s', async (name, value) => {
		const schema = `of_${name.toLowerCase()}`;
		const {address} = server;
		const first = await openPostgres(address, {schema: 'first'});
		await first.run(`ALTER ROLE CURRENT_USER SET ${name} = ${name === 'DateStyle' ? value : `'${value}'`}`);
		const database = await openPostgres(address, {schema});
		try {
			await database.run('CREATE TABLE kept (id BIGINT, bytes BYTEA, text TEXT, number DOUBLE PRECISION)');
			const bytes = Buffer.from([0, 1, 0x5c, 0x27, 0xff, 0x78]);
			const row = {id: 9_007_199_254_740_991, bytes, text: "a\\b'c\\x41", number: 0.1 + 0.2};
			await database.transaction(async () => {
				await database.run('INSERT INTO kept VALUES (?, ?, ?, ?)', [row.id, row.bytes, row.text, row.number]);
				// Longer than the limits of the role.
				if (name.endsWith('timeout')) await database.get('SELECT pg_sleep(0.8)');
			});
			expect(await database.get('SELECT * FROM kept')).toEqual(row);
			expect(await database.get("SELECT current_setting('synchronous_commit') AS is")).toEqual({is: 'on'});
		} finally {
			await database.close();
			await first.run(`ALTER ROLE CURRENT_USER RESET ${name}`);
			await first.close();
		}
	});

	test('a stricter synchronous_commit than the store needs stays', async () => {
		const {address} = server;
		const first = await openPostgres(address, {schema: 'first'});
		await first.run("ALTER ROLE CURRENT_USER SET synchronous_commit = 'remote_apply'");
		const database = await openPostgres(address, {schema: 'strict'});
		expect(await database.get("SELECT current_setting('synchronous_commit') AS is")).toEqual({is: 'remote_apply'});
		await database.close();
		await first.run('ALTER ROLE CURRENT_USER RESET synchronous_commit');
		await first.close();
	});
});
