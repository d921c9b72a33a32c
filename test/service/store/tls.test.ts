import {readFileSync} from 'node:fs';
import {createServer, type Socket} from 'node:net';
import {inspect} from 'node:util';
import {afterAll, beforeAll, beforeEach, expect, onTestFinished, test} from 'vitest';
import {explain} from '../../../source/errors.ts';
import {StoreUnavailable} from '../../../source/service/store/database.ts';
import {openPostgres} from '../../../source/service/store/postgres.ts';
import {StoreRefused} from '../../../source/service/store/postgres-errors.ts';
import type {StoreAddress} from '../../../source/service/store/store-address.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';
import {type PostgresServer, postgresBinaries, SERVER_CERTIFICATE, startPostgres} from '../../helpers/postgres.ts';

let server: PostgresServer | undefined;
const ca = readFileSync(SERVER_CERTIFICATE, 'utf8');

beforeAll(async () => {
	if (postgresBinaries !== undefined) server = await startPostgres({ssl: 'on'});
});
afterAll(() => server?.close());
beforeEach(context => {
	if (server === undefined) context.skip('PostgreSQL is not installed here');
});

/** The address of the server with another host, which is this machine as well. */
const at = (host: string, more: Partial<StoreAddress>): StoreAddress => {
	const url = new URL(server!.address.url);
	return {...server!.address, url: url.href.replace(url.hostname, host), ...more};
};

/** Whether the connection on which it is asked is encrypted. */
async function isEncrypted(address: StoreAddress): Promise<boolean> {
	const database = await openPostgres(address);
	onTestFinished(() => database.close());
	const row = await database.get(
		"SELECT CASE WHEN ssl THEN 'yes' ELSE 'no' END AS ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
	);
	return row?.['ssl'] === 'yes';
}

/** What the person is told who started a service with this address. */
async function refused(address: StoreAddress): Promise<readonly [string, string]> {
	const error = await openPostgres(address).catch(e => e);
	expect(error).toBeInstanceOf(StoreRefused);
	expect(error).not.toBeInstanceOf(StoreUnavailable);
	expect(inspect(error, {depth: 9, showHidden: true})).not.toMatch(/secret|127\.|localhost/);
	const {why, advice, next} = explain(error);
	expect(next).toBe('fix-input');
	return [why, advice];
}

/** What answers to the first message of a connection as it is said, in place of a database. */
async function inPlaceOfDatabase(answer: (socket: Socket) => void): Promise<StoreAddress> {
	const listening = createServer(socket => {
		socket.on('error', () => {});
		socket.once('data', () => answer(socket));
	});
	const {port, close} = await listenOnLoopback(listening);
	onTestFinished(() => void close());
	return {url: `postgres://pulsetop@localhost:${port}/postgres`, password: 'secret', tls: 'verify', ca};
}

test('a server whose certificate is that of the file and of the host is believed, by name and by number', async () => {
	expect(await isEncrypted(at('localhost', {tls: 'verify', ca}))).toBe(true);
	expect(await isEncrypted(at('127.0.0.1', {tls: 'verify', ca}))).toBe(true);
	expect(await isEncrypted(at('localhost', {tls: 'encrypt'}))).toBe(true);
	expect(await isEncrypted(at('localhost', {tls: 'off'}))).toBe(false);
});

test('a certificate of an authority that is not believed is refused', async () => {
	expect(await refused(at('localhost', {tls: 'verify'}))).toEqual([
		'the certificate of the database is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
		'Name the file with the certificate of its authority in --store: sslrootcert=FILE.',
	]);
});

test('a certificate for another host is refused', async () => {
	// Another way to write 127.0.0.1, which the certificate does not have.
	expect(await refused(at('127.1', {tls: 'verify', ca}))).toEqual([
		'the certificate of the database is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
		'Write the host in --store as the certificate has it.',
	]);
});

test('a server without TLS is refused, also when it adds an answer of its own', async () => {
	for (const answer of ['N', 'SR\0\0\0\x08\0\0\0\0']) {
		const address = await inPlaceOfDatabase(socket => socket.write(answer));
		expect(await refused({...address, tls: 'encrypt'})).toEqual([
			'the database does not offer TLS',
			'Switch it on at the database (ssl = on), or write sslmode=disable if nobody else uses the network between.',
		]);
	}
});

test('what speaks no TLS after it agreed to is refused', async () => {
	const address = await inPlaceOfDatabase(socket => {
		socket.write('S');
		socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
	});
	const [why, advice] = await refused(address);
	expect(why).toMatch(/^no TLS could be agreed on with the database \(\w+\)$/);
	expect(advice).toMatch(/^Check the host and port in --store/);
});

test('a connection that is cut while TLS is agreed on counts as a database that is away', async () => {
	const address = await inPlaceOfDatabase(socket => socket.end('S'));
	expect(await openPostgres(address).catch(e => e)).toBeInstanceOf(StoreUnavailable);
});
