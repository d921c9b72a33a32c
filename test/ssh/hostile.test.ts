import {connect as connectSocket, type Socket} from 'node:net';
import type Client from 'ssh2/lib/client.js';
import type {ClientChannel} from 'ssh2/lib/client.js';
import {afterEach, beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {PATIENCE_MS} from '../helpers/patience.ts';
import {fc} from '../helpers/properties.ts';
import {connectGuest, openSshViewer, openSshWorld, type SshViewer, type SshWorld} from '../helpers/ssh-world.ts';

/* A guest does what no client does, beside a person who looks. After each: the guest is gone or held, the person's screen lives. */

let world: SshWorld;
let person: SshViewer;
beforeEach(async () => {
	world = await openSshWorld();
	world.launch('PEPE', 5000);
	person = await openSshViewer(world.port);
	await person.waitFor(/PEPE/);
});
afterEach(async () => {
	person.close();
	await world.close();
});

/** The person's keys are answered and launches arrive; no error of the guest was one of a screen. */
async function personLives(): Promise<void> {
	const symbol = `L${world.ended.length}${Math.round(performance.now())}`;
	world.launch(symbol, 900);
	await person.waitFor(new RegExp(symbol));
	person.type('?');
	await person.waitFor(/The keys|KEYS|Esc close/);
	person.type('\u001b');
	expect(world.faults).toEqual([]);
}

async function guest(options: Readonly<Record<string, unknown>> = {}): Promise<Client> {
	const client = await connectGuest(world.port, options);
	onTestFinished(() => void client.destroy());
	return client;
}

function shell(client: Client, pty: object = {term: 'xterm', cols: 80, rows: 24}): Promise<ClientChannel> {
	return new Promise((resolve, reject) => {
		client.shell(pty, {}, (error, channel) => (error ? reject(error) : resolve(channel)));
		client.on('close', () => reject(new Error('the connection was closed')));
	});
}

/** Opens channels of another size than the library asks for. */
function withChannels(client: Client, {window, packet}: {readonly window?: number; readonly packet?: number}): void {
	const {session} = client._protocol;
	client._protocol.session = (channel, usualWindow, usualPacket) =>
		session.call(client._protocol, channel, window ?? usualWindow, packet ?? usualPacket);
}

test.each([0, 1, 1023])('a channel with packets of %d bytes ends before anything is written to it', async packet => {
	const client = await guest();
	withChannels(client, {packet});
	await shell(client).catch(() => {});
	await world.endedBy('packet-size');
	await personLives();
});

test('a channel with packets of 1024 bytes is a viewer as any other', async () => {
	const client = await guest();
	withChannels(client, {packet: 1024});
	const channel = await shell(client);
	let text = '';
	channel.on('data', data => (text += data));
	await expect.poll(() => text).toMatch(/PEPE/);
});

test('a client that gives no window keeps little in memory, and is gone after a while', async () => {
	world.patience.stuckMs = 2000;
	const client = await guest();
	withChannels(client, {window: 0});
	await shell(client);
	await world.endedBy('stuck');
	await personLives();
});

test('a client with an endless window that reads nothing keeps little in memory, and is gone after a while', async () => {
	const client = await guest();
	withChannels(client, {window: 2 ** 32 - 1});
	await shell(client);
	client._sock.pause();
	for (let at = 0; at < 200; at++) {
		world.launch(`F${at}`, at);
		if (at % 20 === 0) await new Promise(resolve => setTimeout(resolve, 10));
	}
	await personLives();
	// What the kernel takes hides that nobody reads for a while; what the process keeps is bounded by the pacing.
	expect(world.server.viewers).toBeLessThanOrEqual(2);
});

test('a key exchange that is begun and never ended holds the output back, and ends the client', async () => {
	world.patience.stuckMs = 2000;
	const client = await guest();
	await shell(client);
	// The server answers with its half and queues all else.
	client._sock.removeAllListeners('data');
	client._protocol.rekey();
	await world.endedBy('stuck');
	await personLives();
});

test('key exchanges without end are ended', async () => {
	const client = await guest();
	await shell(client);
	const again = (): void => {
		if (!client._sock.destroyed) client._protocol.rekey();
	};
	client.on('handshake', () => setImmediate(again));
	again();
	await world.endedBy('rekeys');
	await personLives();
});

test('a flood of keys ends its sender, in words where the screen has time for them; a paste of 50 kB does not', async () => {
	const paster = await openSshViewer(world.port);
	await paster.waitFor(/PEPE/);
	paster.type(`\u001b[200~${'x'.repeat(50_000)}\u001b[201~`);
	await paster.waitFor(/Pasted text does nothing here/);
	paster.close();
	const large = await openSshViewer(world.port);
	await large.waitFor(/PEPE/);
	large.type(`\u001b[200~${'x'.repeat(80_000)}\u001b[201~`);
	expect(await large.exit).toBe(1);
	await large.waitFor(/more came than a person types, connect again/);
	expect(large.screen.isAlternate()).toBe(false);
	const client = await guest();
	const channel = await shell(client);
	channel.write(Buffer.alloc(400_000, 'j'));
	await world.endedBy('flood');
	await personLives();
});

test('a flood of messages that no channel counts ends the one who sends it', async () => {
	const client = await guest();
	await shell(client);
	for (let at = 0; at < 20; at++) client._protocol.channelData(99, Buffer.alloc(20_000));
	await world.endedBy('flood');
	await personLives();
});

test('of ten thousand channels two at a time are open, and twenty in all', async () => {
	const client = await guest();
	const results = await Promise.all(
		Array.from(
			{length: 200},
			() =>
				new Promise<boolean>(resolve => {
					client.exec('help', {}, error => resolve(error === undefined));
					client.on('close', () => resolve(false));
				}),
		),
	);
	expect(results.filter(Boolean).length).toBeLessThanOrEqual(20);
	await personLives();
});

test('ten thousand variables and a terminal of four billion columns are a viewer of a usual size', async () => {
	const client = await guest();
	const env = Object.fromEntries(Array.from({length: 300}, (_, at) => [`V${at}`, 'x'.repeat(20)]));
	const channel = await new Promise<ClientChannel>((resolve, reject) => {
		client.shell(
			{term: 'xterm', cols: 2 ** 32 - 1, rows: 2 ** 32 - 1},
			{env: {...env, LANG: 'C', NO_COLOR: '1'}},
			(error, made) => (error ? reject(error) : resolve(made)),
		);
	});
	let text = '';
	channel.on('data', data => (text += data));
	await expect.poll(() => text).toMatch(/PEPE/);
	for (let at = 0; at < 500; at++) channel.setWindow(at % 2 === 0 ? 0 : 2 ** 31, 20 + at, 0, 0);
	await personLives();
	expect(world.server.viewers).toBe(2);
});

test.each([
	{name: 'nothing', bytes: ''},
	{name: 'half a greeting', bytes: 'SSH-2.0-x'},
	{name: 'a greeting and nothing more', bytes: 'SSH-2.0-x\r\n'},
])('a login of $name ends after its time', async ({bytes}) => {
	world.patience.loginMs = 1500;
	const socket = connectSocket(world.port, '127.0.0.1');
	onTestFinished(() => void socket.destroy());
	socket.write(bytes);
	await world.endedBy('login-time');
	await personLives();
});

test('a login without a channel, and a channel without a shell, end after their time', async () => {
	world.patience.channelMs = 1000;
	await guest();
	await world.endedBy('no-channel');
	world.patience.channelMs = PATIENCE_MS;
	world.patience.shellMs = 1000;
	const client = await guest();
	await new Promise(resolve => {
		client.subsys('nothing', resolve);
	});
	await world.endedBy('no-shell');
	await personLives();
});

test('a client with escapes in its name is a clean line in the log', async () => {
	const client = await guest({ident: Buffer.from('evil\u001b[31m\u0007')});
	const channel = await shell(client);
	channel.write('q');
	const {client: name} = await world.endedBy('quit');
	expect(name).not.toMatch(/[\u0000-\u001f]/);
});

describe('any bytes', () => {
	/** Sends bytes and waits until the server has closed the connection or has taken them. */
	async function send(socket: Socket, pieces: readonly Uint8Array[]): Promise<void> {
		socket.on('error', () => {});
		for (const piece of pieces) {
			if (socket.destroyed) return;
			socket.write(piece);
			await new Promise(resolve => setImmediate(resolve));
		}
		socket.destroy();
	}
	const pieces = fc.array(fc.uint8Array({minLength: 1, maxLength: 300}), {minLength: 1, maxLength: 4});

	test.each([
		{phase: 'before a greeting', greeting: ''},
		{phase: 'after it', greeting: 'SSH-2.0-any\r\n'},
	])('$phase end that connection alone', async ({greeting}) => {
		await fc.assert(
			fc.asyncProperty(pieces, async all => {
				const socket = connectSocket(world.port, '127.0.0.1');
				await send(socket, [Buffer.from(greeting || 'x'), ...all]);
			}),
			{numRuns: 25},
		);
		await personLives();
	});

	test('as packets of a guest who is in, end that connection alone', async () => {
		await fc.assert(
			fc.asyncProperty(pieces, async all => {
				// The gate takes one a second from an address after five: a world of its own for each would take longer.
				const client = await connectGuest(world.port).catch(() => undefined);
				if (!client) return;
				const {_cipher: cipher} = client._protocol;
				for (const bytes of all) {
					if (client._sock.destroyed) break;
					const packet = cipher.allocPacket(bytes.length);
					packet.set(bytes, 5);
					cipher.encrypt(packet);
					await new Promise(resolve => setImmediate(resolve));
				}
				client.destroy();
			}),
			{numRuns: 25},
		);
		await personLives();
	});
});
