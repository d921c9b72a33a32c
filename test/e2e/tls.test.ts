import {readFileSync} from 'node:fs';
import {type AddressInfo, connect} from 'node:net';
import {createServer} from 'node:tls';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {startService} from '../../source/service/server.ts';
import type {RunningService} from '../../source/service/service-options.ts';
import {listenOnLoopback} from '../helpers/loopback.ts';
import {CLI, runCli} from '../helpers/program.ts';
import {withPty} from '../helpers/pty.ts';
import {startProxy} from '../helpers/test-proxy.ts';

/* A service behind TLS, as hosted ones are. The certificate is for tests alone, and signed by itself. */

const fixture = (name: string) => new URL(`../fixtures/${name}`, import.meta.url).pathname;
const CERTIFICATE = fixture('localhost-certificate.pem');

let service: RunningService;
let baseUrl: string;
const frontOf = (certificate: string, key: string) =>
	createServer({cert: readFileSync(certificate), key: readFileSync(fixture(key))}, outside => {
		const inside = connect(Number(new URL(service.url).port), '127.0.0.1');
		outside.pipe(inside).pipe(outside);
		for (const socket of [outside, inside]) socket.on('error', () => [outside, inside].map(one => one.destroy()));
	});
const front = frontOf(CERTIFICATE, 'localhost-key.pem');

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

test.each(['NODE_EXTRA_CA_CERTS', 'PULSETOP_CA_FILE', '--ca-file'])(
	'a service behind TLS is followed over the stream with its certificate in %s',
	async name => {
		const {args, ...rest} = story(name.startsWith('--') ? {} : {[name]: CERTIFICATE});
		await withPty({...rest, args: name.startsWith('--') ? [...args, name, CERTIFICATE] : args}, async pty => {
			await pty.waitFor(/NEW [1-9]/);
			await pty.waitFor('● live');
		});
	},
);

test('a service with the certificate of a company is followed through a proxy, with ca-file', async () => {
	const certificate = fixture('company-certificate.pem');
	const company = await listenOnLoopback(frontOf(certificate, 'company-key.pem'));
	onTestFinished(() => void company.close());
	const proxy = await startProxy({auth: 'me:s3cret'});
	const rest = story({HTTPS_PROXY: `http://me:s3cret@127.0.0.1:${proxy.port}`});
	const address = `https://service.company.test:${company.port}`;
	const options = {...rest, args: [CLI, '--base-url', address, '--ca-file', certificate]};
	await withPty(options, async pty => {
		await pty.waitFor(/NEW [1-9]/);
		await pty.waitFor('● live');
	});
	expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT service.company.test:${company.port}`]));
	await withPty({...options, args: [...options.args, 'doctor']}, async pty => {
		await pty.waitFor(`the service is reached through the proxy 127.0.0.1:${proxy.port} (HTTPS_PROXY)`);
		expect(pty.screenText()).toContain('company-certificate.pem are trusted');
		expect(pty.screenText()).not.toContain('s3cret');
	});
});

test('a proxy that refuses is named on the screen, with what it wants', async () => {
	const proxy = await startProxy({auth: 'me:s3cret'});
	const options = story({HTTPS_PROXY: `http://me:wr0ng@127.0.0.1:${proxy.port}`});
	await withPty({...options, args: [CLI, '--base-url', 'https://service.company.test']}, async pty => {
		await pty.waitFor('(HTTPS_PROXY) refused the user name');
		expect(pty.screenText()).not.toMatch(/wr0ng|s3cret/);
	});
});

test.each(['check', 'coverage'])('a node behind TLS is asked by `follow %s` with ca-file', async command => {
	const output = async (...flags: readonly string[]) => {
		const {stdout, stderr} = await runCli(['follow', command, baseUrl, '--chain', 'base', ...flags]);
		return stdout + stderr;
	};
	expect(await output()).toContain('its certificate is signed by itself');
	expect(await output('--ca-file', CERTIFICATE)).not.toContain('certificate');
});

test('a ca-file that is none ends the program with a text', async () => {
	await withPty({...story({PULSETOP_CA_FILE: fixture('localhost-key.pem')})}, async pty => {
		await pty.waitFor('it holds no certificate in PEM form');
		expect(await pty.exit).toMatchObject({code: 2});
	});
});

test('a service with an untrusted certificate is refused with a text', async () => {
	await withPty(story({}), async pty => {
		await pty.waitFor('its certificate is signed by itself');
		expect(pty.screenText()).not.toMatch(/NEW [1-9]/);
	});
});
