import {once} from 'node:events';
import {createServer, type Socket} from 'node:net';
import {expect, onTestFinished, test} from 'vitest';
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
