import {
	chmodSync,
	chownSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {
	createPracticeAnnouncer,
	isPracticeService,
	PracticeUnproven,
} from '../../../source/commands/serve/practice-service.ts';
import {moneyModeOf} from '../../../source/commands/service/money-mode.ts';
import {loadConfig} from '../../../source/config/config.ts';
import {startService} from '../../../source/service/server.ts';
import type {RunningService} from '../../../source/service/service-options.ts';
import {type Listening, listenOnLoopback} from '../../helpers/loopback.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {TinyMarket} from '../helpers/tiny-market.ts';

let dataDir: string;
let service: RunningService;
let announcer: ReturnType<typeof createPracticeAnnouncer>;
const others: Listening[] = [];

beforeEach(async () => {
	dataDir = temporaryDirectory();
	announcer = createPracticeAnnouncer(dataDir);
	const market = Object.assign(new TinyMarket(), {invented: 'simulated' as const});
	service = await startService({market, auth: false, provePractice: announcer.prove});
	announcer.announce(service.url);
});
afterEach(async () => {
	announcer.close();
	for (const other of others.splice(0)) await other.close();
	await service.close();
});

const isPractice = (baseUrl = service.url) => isPracticeService({dataDir, baseUrl});
const folder = () => join(dataDir, 'serve');
const file = () => join(folder(), readdirSync(folder())[0]!);

/** Another program on this machine: gives this body to whatever it is asked, and keeps what it was asked. */
async function startOther(bodyOf: (path: string) => Promise<string> | string): Promise<{url: string; asked: string[]}> {
	const asked: string[] = [];
	const server = createServer((request, response) => {
		asked.push(request.url!);
		void Promise.resolve(bodyOf(request.url!)).then(body => response.end(body));
	});
	const listening = await listenOnLoopback(server);
	others.push(listening);
	return {url: listening.url, asked};
}

/** The file of the service as if it listened at another address. */
function announceAt(url: string): void {
	const {host} = new URL(url);
	const content = {...JSON.parse(readFileSync(file(), 'utf8')), address: host};
	writeFileSync(join(folder(), `${host.replace(':', '_')}.json`), JSON.stringify(content), {mode: 0o600});
}

test('a service over the same data directory proves itself, while it runs and no longer', async () => {
	expect(await isPractice()).toBe(true);
	expect(statSync(file()).mode & 0o777).toBe(0o600);
	expect(statSync(folder()).mode & 0o777).toBe(0o700);
	announcer.close();
	expect(readdirSync(folder())).toEqual([]);
	expect(await isPractice()).toBe(false);
});

test('a service that says it is simulated and proves nothing is real money, and is not even asked', async () => {
	const remote = await startOther(() => JSON.stringify({status: 'ok', market: 'simulated', practice: {proof: 'yes'}}));
	expect(await isPractice(remote.url)).toBe(false);
	expect(remote.asked).toEqual([]);
	// The service itself, seen from another data directory.
	expect(await isPracticeService({dataDir: temporaryDirectory(), baseUrl: service.url})).toBe(false);
});

test('a proxy in front of the service proves nothing: its address is another', async () => {
	const proxy = await startOther(async path => (await fetch(service.url + path)).text());
	expect(await isPractice(proxy.url)).toBe(false);
	// Nor with the file of the service under its own address: the proof is for the address that the service has.
	announceAt(proxy.url);
	await expect(isPractice(proxy.url)).rejects.toThrow(PracticeUnproven);
});

test('another program at the address of the service is neither practice nor real money', async () => {
	const {port} = new URL(service.url);
	const copied = await (await fetch(`${service.url}/health?nonce=${'ab'.repeat(32)}`)).text();
	expect(JSON.parse(copied).practice.proof).toMatch(/^[0-9a-f]{64}$/);
	await service.close();
	for (const body of [copied, '{}', 'no JSON', JSON.stringify({market: 'simulated', practice: {proof: null}})]) {
		const server = createServer((_, response) => response.end(body));
		await new Promise<void>(resolve => server.listen(Number(port), '127.0.0.1', resolve));
		await expect(isPractice(), body).rejects.toThrow(PracticeUnproven);
		await new Promise(resolve => server.close(resolve));
	}
	// Nobody there: the file is there and its program runs.
	await expect(isPractice()).rejects.toThrow(PracticeUnproven);
});

test('the file of a program that is gone is ignored, and removed by the next', async () => {
	const left = JSON.parse(readFileSync(file(), 'utf8'));
	// No process has the largest number that Linux gives.
	writeFileSync(file(), JSON.stringify({...left, pid: 2 ** 22 + 1}));
	expect(await isPractice()).toBe(false);
	createPracticeAnnouncer(dataDir).announce('http://127.0.0.1:1');
	expect(readdirSync(folder())).toEqual(['127.0.0.1_1.json']);
});

test('the file of a service that runs stays beside that of another', async () => {
	const [own] = readdirSync(folder());
	createPracticeAnnouncer(dataDir).announce('http://127.0.0.1:1');
	expect(readdirSync(folder()).toSorted()).toEqual(['127.0.0.1_1.json', own].toSorted());
	expect(await isPractice()).toBe(true);
});

test('a file that others could have read or written is ignored', async () => {
	chmodSync(file(), 0o644);
	expect(await isPractice()).toBe(false);
	chmodSync(file(), 0o600);
	chmodSync(folder(), 0o777);
	expect(await isPractice()).toBe(false);
	chmodSync(folder(), 0o700);
	expect(await isPractice()).toBe(true);
	const path = file();
	renameSync(path, join(dataDir, 'moved'));
	symlinkSync(join(dataDir, 'moved'), path);
	expect(await isPractice()).toBe(false);
});

test.runIf(process.getuid?.() === 0)('a file of another user is ignored', async () => {
	chownSync(file(), 4242, 4242);
	expect(await isPractice()).toBe(false);
});

test('only the address itself counts: no name, no path, no other scheme', async () => {
	const {port} = new URL(service.url);
	for (const url of [
		`http://localhost:${port}`,
		`https://127.0.0.1:${port}`,
		`http://127.0.0.1:${port}/other`,
		`http://user@127.0.0.1:${port}`,
		`http://127.0.0.2:${port}`,
		'http://service.example:4010',
	])
		expect(await isPractice(url), url).toBe(false);
});

test('several addresses are practice if each proves it, and neither practice nor real where only some do', async () => {
	const modeOf = async (...urls: string[]) =>
		moneyModeOf(await loadConfig({flags: {'base-url': urls, 'data-dir': dataDir}, env: {HOME: '/nowhere'}}));
	expect(await modeOf(service.url)).toBe('practice');
	expect(await modeOf(service.url, service.url)).toBe('practice');
	expect(await modeOf('https://a.example.com', 'https://b.example.com')).toBe('real');
	await expect(modeOf('https://a.example.com', service.url)).rejects.toThrow(PracticeUnproven);
});
