import {createServer} from 'node:http';
import {expect, onTestFinished, test} from 'vitest';
import {addressFindings} from '../../../source/commands/doctor/addresses.ts';
import {loadConfig} from '../../../source/config/config.ts';
import {listenOnLoopback} from '../../helpers/loopback.ts';

/** An address that answers every request so. */
async function start(
	status: number,
	headers: Record<string, string> = {},
	body = '{"new":{"data":[]}}',
	health?: string,
): Promise<string> {
	const server = createServer((request, response) =>
		response.writeHead(status, headers).end(request.url === '/health' ? (health ?? '{}') : body),
	);
	const {url, close} = await listenOnLoopback(server);
	onTestFinished(close);
	return url;
}

async function findings(...urls: string[]): Promise<string[]> {
	const config = await loadConfig({flags: {'base-url': urls}, env: {HOME: '/nowhere'}});
	return (await addressFindings(config)).map(({state, text}) => `${state} ${text.replace(/\d+ ms/, 'N ms')}`);
}

const at = (position: string) => ({'pulsetop-at': position});

test('replicas of one service, one of which is not ready and one is gone', async () => {
	const [first, second] = [await start(200, at('e1.7')), await start(200, at('e1.9'))];
	const starting = await start(503, {}, '{"statusCode":503,"message":"the market is being read"}');
	expect(await findings(first, starting, 'http://127.0.0.1:1', second)).toEqual([
		'good address 1 of 4 answers in N ms',
		'note address 2 of 4 is reached and not ready: the market is being read',
		'bad address 3 of 4 does not serve. The service cannot be reached: nothing listens at its address',
		'good address 4 of 4 answers in N ms',
		'good the addresses that answer are replicas of one service',
	]);
});

test('addresses of different services are named', async () => {
	const urls = [
		await start(200, at('e1.7')),
		await start(200, at('e2.7')),
		await start(200),
		await start(200, at('e1.8')),
	];
	expect((await findings(...urls)).at(-1)).toBe(
		'bad address 2, 3 is not of the same service as address 1: rows and money would differ by chance',
	);
});

test('services that say no position cannot be compared; a service with one address has no findings', async () => {
	const url = await start(200);
	expect((await findings(url, await start(200))).at(-1)).toBe(
		'note the addresses say no position in a market log: whether they are one service is not known',
	);
	expect(await findings(url)).toEqual([]);
});

test.each([
	['behind', ': it is behind the market log'],
	['draining', ': it stops'],
	['log-unreadable', ': it cannot read the market log, and its own log says why'],
	['database-away', ': it does not reach its database'],
	['a word of another version', ''],
])('a replica that answers and should get no requests (%s) is named', async (notReady, text) => {
	const health = JSON.stringify({status: 'ok', ready: false, notReady});
	const [ready, waiting] = [await start(200, at('e1.7')), await start(200, at('e1.6'), undefined, health)];
	expect(await findings(ready, waiting)).toEqual([
		'good address 1 of 2 answers in N ms',
		`note address 2 of 2 is reached and not ready${text}`,
	]);
});
