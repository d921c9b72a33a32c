import {createServer, type IncomingHttpHeaders, request, type Server} from 'node:http';
import {type AddressInfo, connect} from 'node:net';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {WebSocket, WebSocketServer} from 'ws';
import {FAULTS, type Fault} from '../../chaos/fault.ts';
import {type FaultProxy, startFaultProxy} from '../../chaos/fault-proxy.ts';
import {PRESETS} from '../../chaos/presets.ts';
import {PATIENCE_MS} from '../../helpers/patience.ts';

/** Answers every request with its own body, and sends a hundred numbers on every socket. */
let server: Server;
let proxy: FaultProxy;

beforeEach(async () => {
	server = createServer((asked, response) => asked.pipe(response.writeHead(200, {'content-type': 'text/plain'})));
	const sockets = new WebSocketServer({server});
	sockets.on('connection', socket => {
		for (let i = 0; i < 100; i++) socket.send(String(i));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	proxy = await openProxy();
});

afterEach(async () => {
	await proxy.close();
	server.closeAllConnections();
	await new Promise(resolve => server.close(resolve));
});

function openProxy(seed = 1): Promise<FaultProxy> {
	return startFaultProxy({target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seed});
}

/** What a socket brings, in order, until it has been quiet for a moment or has ended. */
function received(through: FaultProxy): Promise<string[]> {
	const socket = new WebSocket(through.streamUrl);
	const texts: string[] = [];
	return new Promise(resolve => {
		let timer: NodeJS.Timeout | undefined;
		const later = () => {
			clearTimeout(timer);
			const quiet = setTimeout(() => {
				// After a stall the timer is due before the frames that came meanwhile are read.
				setImmediate(() => {
					if (timer !== quiet) return;
					socket.terminate();
					resolve(texts);
				});
			}, 200);
			timer = quiet;
		};
		socket.on('open', later);
		socket.on('message', data => {
			texts.push(String(data));
			later();
		});
		socket.on('error', later);
		socket.on('close', later);
	});
}

interface Answer {
	readonly status: number;
	readonly headers: IncomingHttpHeaders;
	readonly body: Buffer;
}

/** Sends text that comes back, on its own connection. */
function post(body: string): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const asking = request(proxy.url, {method: 'POST', agent: false}, response => {
			const chunks: Buffer[] = [];
			response.on('data', chunk => chunks.push(chunk)).on('error', reject);
			response.on('end', () =>
				resolve({status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks)}),
			);
		});
		asking.on('error', reject).end(body);
	});
}

const echo = async (body: string) => (await post(body)).body.toString();
const numbers = Array.from({length: 100}, (_, i) => String(i));

test('without faults everything passes, large and small, and the proxy changes nothing', async () => {
	const large = 'pulse '.repeat(500_000);
	expect(await echo(large)).toBe(large);
	expect(await received(proxy)).toEqual(numbers);
});

test('the same seed injects the same faults into the same frames, another seed others', async () => {
	const faults: readonly Fault[] = [
		{kind: 'duplicate', part: 0.1},
		{kind: 'reorder', part: 0.2},
	];
	const runs = [];
	for (const seed of [7, 7, 8]) {
		const own = await openProxy(seed);
		own.set(faults);
		runs.push(await received(own));
		await own.close();
	}
	expect(runs[0]).not.toEqual(numbers);
	expect(runs[1]).toEqual(runs[0]);
	expect(runs[2]).not.toEqual(runs[0]);
});

test('frames that are held back come late, and none is lost when the fault ends', async () => {
	proxy.set([{kind: 'reorder', part: 0.3}]);
	const receiving = received(proxy);
	await expect.poll(() => proxy.strikes.get('reorder')).toBeGreaterThan(10);
	proxy.set([]);
	const texts = await receiving;
	expect(texts).not.toEqual(numbers);
	expect(texts.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers);
});

test('a refused request gets the status with its wait, never reaches the service, and the connection goes on', async () => {
	let asked = 0;
	server.on('request', () => asked++);
	proxy.set([{kind: 'too-many-requests', part: 1, retryAfterS: 3}]);
	const ask = () => fetch(proxy.url, {method: 'POST', body: 'hello'});
	const refused = await ask();
	expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3']);
	expect(await refused.json()).toMatchObject({statusCode: 429});
	proxy.set([{kind: 'unavailable', part: 1}]);
	expect((await ask()).status).toBe(503);
	expect(asked).toBe(0);
	proxy.set([]);
	expect(await (await ask()).text()).toBe('hello');
});

test('an upgrade is refused as well', async () => {
	proxy.set([{kind: 'unavailable', part: 1}]);
	const socket = new WebSocket(proxy.streamUrl);
	const status = new Promise(resolve =>
		socket.on('unexpected-response', (_, response) => resolve(response.statusCode)),
	);
	socket.on('error', () => {});
	expect(await status).toBe(503);
	socket.terminate();
});

test('a clock jump moves the date of answers and nothing else', async () => {
	proxy.set([{kind: 'clock-jump', byMs: -7_200_000}]);
	const response = await post('hello');
	const offMs = Date.parse(response.headers.date!) - Date.now();
	expect(Math.abs(offMs + 7_200_000)).toBeLessThan(PATIENCE_MS);
	expect(response.body.toString()).toBe('hello');
});

test('a torn answer is noticed as torn, and garbage keeps its length', async () => {
	const words = 'x'.repeat(1000);
	proxy.set([{kind: 'truncate', part: 1}]);
	await expect(post(words)).rejects.toThrow();
	server.removeAllListeners('request');
	server.on('request', (_, response) => response.end(words));
	proxy.set([{kind: 'garbage', part: 1}]);
	const {body} = await post('');
	expect(body).toHaveLength(words.length);
	expect(body.toString()).not.toContain('xxx');
});

test('latency comes on top, both ways; a drip brings so much a second', async () => {
	const timed = async (faults: readonly Fault[], body: string) => {
		proxy.set(faults);
		const startedMs = performance.now();
		await post(body);
		return performance.now() - startedMs;
	};
	expect(await timed([{kind: 'latency', ms: 150}], 'x')).toBeGreaterThanOrEqual(300);
	expect(await timed([{kind: 'drip', bytesPerSecond: 10_000}], 'x'.repeat(3000))).toBeGreaterThanOrEqual(250);
});

test('a stall holds everything back and then brings it; a half-open connection never says anything again', async () => {
	proxy.set([{kind: 'stall'}]);
	const stalled = echo('late');
	const first = await Promise.race([stalled, new Promise(resolve => setTimeout(resolve, 150, 'nothing'))]);
	expect(first).toBe('nothing');
	proxy.set([]);
	expect(await stalled).toBe('late');
	const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
	let heard = '';
	socket.on('data', data => {
		heard += String(data);
	});
	await new Promise(resolve => socket.once('connect', resolve));
	proxy.set([{kind: 'half-open'}]);
	await expect.poll(() => proxy.strikes.get('half-open')).toBeGreaterThan(0);
	proxy.set([]);
	socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
	expect(await echo('others go on')).toBe('others go on');
	expect([heard, socket.readyState]).toEqual(['', 'open']);
	socket.destroy();
});

test('a schedule goes from phase to phase and begins again, until faults are set by hand', async () => {
	const scheduled = await startFaultProxy({
		target: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		schedule: [
			{forMs: 60, faults: [{kind: 'unavailable', part: 1}]},
			{forMs: 60, faults: [{kind: 'too-many-requests', part: 1, retryAfterS: 1}]},
		],
	});
	try {
		const seen: number[] = [];
		const ask = async () => {
			const {status} = await fetch(scheduled.url);
			if (status !== seen.at(-1)) seen.push(status);
			return seen.length;
		};
		await expect.poll(ask, {interval: 5}).toBeGreaterThanOrEqual(6);
		// The first phase may be over before the first answer.
		const from = seen.indexOf(503);
		expect(seen.slice(from, from + 5)).toEqual([503, 429, 503, 429, 503]);
		scheduled.set([]);
		expect((await fetch(scheduled.url)).status).toBe(200);
	} finally {
		await scheduled.close();
	}
});

test('every preset goes through phases that mean something', () => {
	for (const [name, {schedule}] of Object.entries(PRESETS)) {
		for (const {forMs, faults} of schedule) {
			expect(forMs, name).toBeGreaterThanOrEqual(1_000);
			for (const fault of faults as readonly Fault[]) {
				expect(Object.keys(FAULTS), name).toContain(fault.kind);
				if ('part' in fault) expect(fault.part > 0 && fault.part <= 1, `${name} ${fault.kind}`).toBe(true);
			}
			// A kind counts once: the first would hide the others.
			expect(new Set(faults.map(({kind}) => kind)).size, name).toBe(faults.length);
		}
	}
});

test('a cut ends connections within its time, a close ends all', async () => {
	const opened = async () => {
		const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
		socket.on('error', () => {});
		await new Promise(resolve => socket.once('connect', resolve));
		return {socket, closed: new Promise(resolve => socket.once('close', resolve))};
	};
	const [before, other] = [await opened(), await opened()];
	proxy.set([{kind: 'cut', withinMs: 50}]);
	await before.closed;
	await other.closed;
	proxy.set([]);
	const last = await opened();
	await proxy.close();
	await last.closed;
});
