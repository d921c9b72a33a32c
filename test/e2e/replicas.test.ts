import {createServer} from 'node:net';
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest';
import {parsePosition} from '../../source/service/log/position.ts';
import {openPostgres} from '../../source/service/store/postgres.ts';
import {freePort, listenOnLoopback} from '../helpers/loopback.ts';
import {type PostgresServer, postgresBinaries, SERVER_CERTIFICATE, startPostgres} from '../helpers/postgres.ts';
import {CLI, runCli} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import {REPLICA_KEYS, type ReplicaSet, startReplicaSet} from '../helpers/replica-set.ts';
import {until} from '../helpers/until.ts';
import {StreamClient} from '../service/helpers/stream-client.ts';
import {readMarketLog} from '../torture/replica-log.ts';
import {ReplicaSubscriber} from '../torture/replica-subscriber.ts';

/* Two replicas of the built program on one PostgreSQL, over TLS, as an operator starts them and as a person uses them. */

const [KEY] = REPLICA_KEYS;
let server: PostgresServer | undefined;
let set: ReplicaSet;

/** The address of the database with its password, by the name that its certificate has. */
function storeUrl(settings: Readonly<Record<string, string>>): URL {
	const url = new URL(server!.url);
	url.hostname = 'localhost';
	url.search = String(new URLSearchParams(settings));
	return url;
}

beforeAll(async () => {
	if (postgresBinaries === undefined) return;
	server = await startPostgres({ssl: 'on'});
	const {href} = storeUrl({sslmode: 'verify-full', sslrootcert: SERVER_CERTIFICATE});
	set = await startReplicaSet({
		replicas: 2,
		storeUrl: href,
		args: ['--seed', '3', '--rate', '2', '--drain-seconds', '1'],
	});
});
afterAll(async () => {
	await set?.close();
	await server?.close();
});
beforeEach(context => {
	if (server === undefined) context.skip('PostgreSQL is not installed here');
});

const ask = (n: number, path: string, init: RequestInit = {}): Promise<Response> => fetch(set.urls[n]! + path, init);
const authorized = {authorization: KEY};

/** A figure of a replica's metrics; undefined: it is not among them. */
async function figure(n: number, name: string): Promise<number | undefined> {
	const page = await (await ask(n, '/metrics', {headers: authorized})).text();
	const line = page.split('\n').find(one => one.startsWith(`${name} `));
	return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

test('two replicas are ready, say how they stand, and one of them leads', async () => {
	for (const n of [0, 1]) {
		expect(await (await ask(n, '/health/live')).json()).toEqual({live: true});
		expect(await (await ask(n, '/health/ready')).json()).toEqual({ready: true});
		expect((await ask(n, '/metrics')).status).toBe(401);
		expect(await figure(n, 'pulsetop_ready')).toBe(1);
		// A loaded machine may answer a scrape late.
		await expect.poll(() => figure(n, 'pulsetop_database_up')).toBe(1);
	}
	const leads = await Promise.all([0, 1].map(n => figure(n, 'pulsetop_leads{stream="simulated"}')));
	expect(leads.filter(value => value === 1)).toHaveLength(1);
});

test('a database that is slow to count rows is up, and only the counts are missing', async () => {
	const database = await openPostgres(server!.address);
	try {
		await database.transaction(async () => {
			await database.run('LOCK TABLE webhook_dead_letters IN ACCESS EXCLUSIVE MODE');
			await expect.poll(() => figure(0, 'pulsetop_webhook_dead_letters')).toBeUndefined();
			expect(await figure(0, 'pulsetop_database_up')).toBe(1);
		});
	} finally {
		await database.close();
	}
	await expect.poll(() => figure(0, 'pulsetop_webhook_dead_letters')).toBe(0);
});

test('they give the same page at the same position', async () => {
	const page = async (n: number): Promise<[string, string]> => {
		const headers = {...authorized, 'content-type': 'application/json'};
		const answer = await ask(n, '/api/2/pulse', {method: 'POST', headers, body: '{"assetMode": true}'});
		return [answer.headers.get('pulsetop-at')!, await answer.text()];
	};
	const seen = [new Map<string, string>(), new Map<string, string>()] as const;
	let compared = 0;
	await expect
		.poll(async () => {
			for (const n of [0, 1]) {
				const [at, body] = await page(n);
				const other = seen[1 - n]!.get(at);
				if (other !== undefined) {
					expect(body === other, `the page at ${at}`).toBe(true);
					compared++;
				}
				seen[n]!.set(at, body);
			}
			return compared;
		})
		.toBeGreaterThan(2);
});

const viewOf = (limit: number) => ({name: 'new', model: 'new', limit});

/**
 * Waits until the other replica follows the views that subscribers of one have by now.
 * @param limit of a view that nobody has yet
 */
async function untilFollowed(from: number, limit: number): Promise<void> {
	const last = await StreamClient.open(set.urls[from]!.replace('http', 'ws'));
	const payload = {assetMode: true, views: [viewOf(limit)], subscriptionId: 'last'};
	last.send({type: 'pulse-v2', authorization: KEY, payload});
	const database = await openPostgres(server!.address);
	try {
		await expect
			.poll(async () => {
				const rows = await database.all('SELECT definition FROM stream_views');
				const isWritten = rows.some(({definition}) => String(definition).includes(`"limit":${limit}`));
				return isWritten && ((await figure(1 - from, 'pulsetop_views')) ?? 0) >= rows.length;
			})
			.toBe(true);
	} finally {
		await database.close();
		last.socket.terminate();
	}
}

/** More launches than one step of a busy machine takes in: what came and went within a step was in no frame. */
const VIEW_ROWS = 8;

test('readers that are cut off again and again miss nothing, and are told once of what they missed', async () => {
	const uncut = new ReplicaSubscriber(set.urls, 0, KEY, viewOf(VIEW_ROWS));
	const readers = [0, 1, 2].map(n => new ReplicaSubscriber(set.urls, n, KEY, viewOf(VIEW_ROWS)));
	const all = [uncut, ...readers];
	const seqOf = (position: string | undefined): number => parsePosition(position!)!.seq;
	/** Waits for launches after what a reader has. Old tokens that come into its view again are none: the log says what is. */
	const later = (launches: number, reader = uncut): Promise<void> => {
		const from = seqOf(reader.at);
		const found = async () => (await readMarketLog(server!, from)).launches.length;
		return expect.poll(found, {interval: 200}).toBeGreaterThanOrEqual(launches);
	};
	await until(() => all.every(({isServed}) => isServed));
	await Promise.all([untilFollowed(0, 11), untilFollowed(1, 12)]);
	// For how many launches each stays away, cut by cut.
	const cuts = [[VIEW_ROWS + 2], [0, 1], [1, 0]];
	await Promise.all(
		readers.map(async (reader, n) => {
			for (const away of cuts[n]!) {
				await later(1);
				const answers = reader.recovered + reader.notRecovered;
				reader.cut(later(away, reader));
				await until(() => reader.recovered + reader.notRecovered > answers);
			}
		}),
	);
	const log = await readMarketLog(server!, Math.min(...all.map(({from}) => seqOf(from))));
	expect(log.problems).toEqual([]);
	const {seq: last} = log.launches.at(-1)!;
	for (const reader of all) {
		await until(() => seqOf(reader.at) >= last);
		const due = log.launches.filter(({seq}) => seq > seqOf(reader.from));
		expect(due.length).toBeGreaterThan(1);
		expect(due.filter(({key}) => !reader.tokens.has(key))).toEqual([]);
		reader.close();
	}
	for (const [n, {recovered}] of readers.entries()) expect(recovered).toBeGreaterThanOrEqual(cuts[n]!.length);
	expect(all.map(({notRecovered, saidAgain}) => [notRecovered, saidAgain])).toEqual(all.map(() => [0, 0]));
	expect(readers[0]!.missed).toBeGreaterThan(0);
});

test('a replica that cannot use its database says what to do, ends with 2, and repeats no secret', async () => {
	const start = (url: URL | string, password = 'secret') =>
		runCli(['serve', '--port', '0', '--no-auth', '--store', String(url)], {env: {PULSETOP_STORE_PASSWORD: password}});
	const without = (url: URL): URL => {
		url.password = '';
		return url;
	};
	const trusted = {sslmode: 'verify-full', sslrootcert: SERVER_CERTIFICATE};
	const elsewhere = without(storeUrl(trusted));
	// Another way to write 127.0.0.1, which the certificate does not have.
	elsewhere.hostname = '127.1';
	const noSuch = without(storeUrl(trusted));
	noSuch.pathname = '/elsewhere';
	const plain = await listenOnLoopback(createServer(socket => socket.resume().end('N')));
	const refusals: [URL | string, string, string][] = [
		[
			without(storeUrl(trusted)),
			'hunter2',
			'the database refused the user or the password (28P01)\n  Check the user in',
		],
		[storeUrl(trusted), 'secret', '--store has a password in it, which every user of this machine could read'],
		[noSuch, 'secret', 'there is no such database (3D000)\n  Make it (createdb)'],
		[without(storeUrl({sslmode: 'verify-full'})), 'secret', 'sslrootcert=FILE'],
		[elsewhere.href, 'secret', 'is for another host (ERR_TLS_CERT_ALTNAME_INVALID)\n  Write the host in --store as'],
		[`postgres://pulsetop@localhost:${plain.port}/d?sslmode=require`, 'secret', 'does not offer TLS\n  Switch it on'],
	];
	const outcomes = await Promise.all(refusals.map(([url, password]) => start(url, password)));
	await plain.close();
	for (const [n, {code, stdout, stderr}] of outcomes.entries()) {
		expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(refusals[n]![2])]);
		expect(stderr).not.toMatch(/secret|hunter2|127\.|localhost/);
	}
});

test('a replica waits for a database that is away, says so, and can be stopped', async () => {
	const store = `postgres://pulsetop@localhost:${await freePort()}/d`;
	await withPty({args: [CLI, 'serve', '--port', '0', '--no-auth', '--store', store]}, async pty => {
		await pty.waitFor('waiting for the database: nothing listens at the address of the database (ECONNREFUSED)');
		pty.kill('SIGTERM');
		expect((await pty.exit).code).toBe(0);
	});
});
