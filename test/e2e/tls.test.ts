import {readFileSync} from 'node:fs';
import {type AddressInfo, connect} from 'node:net';
import {createServer} from 'node:tls';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {startService} from '../../source/service/server.ts';
import type {RunningService} from '../../source/service/service-options.ts';
import {CLI} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';

/* A service behind TLS, as hosted ones are. The certificate is for tests alone, and signed by itself. */

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url).pathname;
const CERTIFICATE = fixture('localhost-certificate.pem');

let service: RunningService;
let baseUrl: string;
const front = createServer(
	{cert: readFileSync(CERTIFICATE), key: readFileSync(fixture('localhost-key.pem'))},
	outside => {
		const inside = connect(Number(new URL(service.url).port), '127.0.0.1');
		outside.pipe(inside).pipe(outside);
		for (const socket of [outside, inside]) socket.on('error', () => [outside, inside].map(one => one.destroy()));
	},
);

beforeAll(async () => {
	service = await startService({seed: 7});
	await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve));
	baseUrl = `https://localhost:${(front.address() as AddressInfo).port}`;
});
afterAll(async () => {
	front.close();
	await service.close();
});

const story = (env: Record<string, string>) => ({
	columns: 120,
	rows: 30,
	args: [CLI, '--base-url', baseUrl],
	env: {...env, PULSETOP_API_KEY: service.apiKeys[0]!},
});

test('a service behind TLS is followed over the stream', async () => {
	await withPty(story({NODE_EXTRA_CA_CERTS: CERTIFICATE}), async pty => {
		await pty.waitFor(/NEW [1-9]/);
		await pty.waitFor('● live');
	});
});

test('a service with an untrusted certificate is refused with a text', async () => {
	await withPty(story({}), async pty => {
		await pty.waitFor('its certificate is signed by itself');
		expect(pty.screenText()).not.toMatch(/NEW [1-9]/);
	});
});
