import {generateKeyPairSync} from 'node:crypto';
import {once} from 'node:events';
import {connect, type Socket} from 'node:net';
import {afterEach, describe, expect, onTestFinished, test} from 'vitest';
import {NO_CHOICES} from '../../source/monitor/choices.ts';
import {makeKey} from '../../source/ssh/host-key.ts';
import {connectGuest, openSshViewer, openSshWorld, type SshWorld, type SshWorldOptions} from '../helpers/ssh-world.ts';

let world: SshWorld | undefined;
afterEach(async () => {
	await world?.close();
	world = undefined;
});

async function open(options?: SshWorldOptions): Promise<SshWorld> {
	world = await openSshWorld(options);
	world.launch('PEPE', 5000);
	world.launch('WIF', 9000);
	return world;
}

async function enter(options?: Parameters<typeof openSshViewer>[1]) {
	const viewer = await openSshViewer(world!.port, options);
	onTestFinished(() => viewer.close());
	return viewer;
}

test('a guest sees the live market at once, and what is launched later', async () => {
	const {launch} = await open();
	const viewer = await enter();
	expect(await viewer.waitFor(/PEPE/)).toMatch(/read-only guest/);
	launch('LATER', 700);
	await viewer.waitFor(/LATER/);
	expect(viewer.screen.isAlternate()).toBe(true);
});

test('each viewer has a cursor, a filter and a size of their own, and all are counted', async () => {
	await open();
	const one = await enter({columns: 160});
	const other = await enter({columns: 90, rows: 24});
	await one.waitFor(/2 viewers/);
	await other.waitFor(/WIF/);
	one.type('fmcap>8k\r');
	await one.waitFor(/mcap>8k/);
	expect(await one.waitFor(/^(?!.*PEPE)/s)).toMatch(/WIF/);
	expect(other.screen.text()).toMatch(/PEPE/);
	other.type('?');
	await other.waitFor(/WHAT THE SCREEN SHOWS|KEYS/);
	expect(one.screen.text()).not.toMatch(/WHAT THE SCREEN SHOWS/);
	other.close();
	await one.waitFor(/^(?!.*2 viewers)/s);
});

test('q gives the terminal back, says how long it was, and the exit code is 0', async () => {
	await open();
	const viewer = await enter();
	await viewer.waitFor(/PEPE/);
	viewer.type('q');
	expect(await viewer.exit).toBe(0);
	await viewer.waitFor(/pulsetop: \d+ s/);
	expect(viewer.screen.isAlternate()).toBe(false);
	expect(viewer.screen.modes()).toEqual({
		bracketedPaste: false,
		mouse: 'none',
		focusEvents: false,
		cursorHidden: false,
	});
	expect(await world!.endedBy('quit')).toMatchObject({identity: {kind: 'guest'}, term: 'xterm-256color'});
});

test('money and the shell are not there, and the keys say so', async () => {
	await open();
	const viewer = await enter();
	await viewer.waitFor(/PEPE/);
	viewer.type('j+');
	await viewer.waitFor(/Not over this connection; to trade: npm install -g pulsetop/);
	viewer.type('\u001a');
	await viewer.waitFor(/There is no shell here/);
	expect(world!.server.viewers).toBe(1);
});

test('a window that is dragged follows while it is dragged', async () => {
	await open();
	const viewer = await enter({columns: 80, rows: 24});
	await viewer.waitFor(/PEPE/);
	let isOver = false;
	let columns = 80;
	viewer.screen.resize(200, 24);
	const dragging = setInterval(() => {
		if (!isOver) viewer.channel.setWindow(24, 81 + (columns++ % 100), 0, 0);
	}, 20);
	onTestFinished(() => clearInterval(dragging));
	// The clock stands at the right end, farther right than it was, while sizes still come.
	await expect.poll(() => viewer.screen.row(0).length).toBeGreaterThan(80);
	isOver = true;
});

test('a window of another size is drawn whole', async () => {
	await open();
	const viewer = await enter({columns: 80, rows: 24});
	await viewer.waitFor(/PEPE/);
	viewer.screen.resize(140, 40);
	viewer.channel.setWindow(40, 140, 0, 0);
	await expect.poll(() => viewer.screen.row(39)).toMatch(/help/);
	expect(viewer.screen.row(1)).toMatch(/BONDED/);
});

test('another terminal of the same size, as dtach brings one to the client, gets its modes and the whole picture', async () => {
	await open();
	const viewer = await enter({columns: 80, rows: 24});
	await viewer.waitFor(/PEPE/);
	await viewer.screen.write('\u001bc');
	expect(viewer.screen.isAlternate()).toBe(false);
	viewer.channel.setWindow(24, 80, 0, 0);
	await expect.poll(() => viewer.screen.row(23)).toMatch(/help/);
	expect(viewer.screen.row(1)).toMatch(/NEW/);
	expect(viewer.screen.isAlternate()).toBe(true);
});

describe('a place', () => {
	test('is free up to the limit, and the next one reads why not and when again', async () => {
		await open({limits: {maxViewers: 2}});
		const [first] = [await enter(), await enter()];
		const third = await enter();
		expect(await third.exit).toBe(75);
		await third.waitFor(/All 2 places are taken: try again in a minute\./);
		first.close();
		await expect.poll(() => world!.server.viewers).toBe(1);
		const fourth = await enter();
		await fourth.waitFor(/PEPE/);
	});

	test('is not there when the memory of the process is used up', async () => {
		await open({limits: {maxMemory: 1e6}});
		await (await enter()).waitFor(/PEPE/);
		const viewer = await enter();
		expect(await viewer.exit).toBe(75);
		await viewer.waitFor(/This server is full: try again in a minute/);
	});

	test('is limited for each address', async () => {
		await open({limits: {perAddress: 1}});
		await enter();
		const second = await enter();
		expect(await second.exit).toBe(75);
		await second.waitFor(/1 from your address look already/);
	});
});

// Only Linux has all of 127.0.0.0/8: each client has an address of its own.
test.skipIf(process.platform !== 'linux')(
	'who came and went leaves nothing behind: no place, no view, no listener of the process',
	async () => {
		await open();
		const stay = await enter();
		await stay.waitFor(/PEPE/);
		const events = ['exit', 'beforeExit', 'SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException'] as const;
		const listeners = () => events.map(event => process.listenerCount(event));
		const before = listeners();
		for (let at = 0; at < 6; at++) {
			const viewer = await openSshViewer(world!.port, {localAddress: `127.0.2.${at + 1}`});
			await viewer.waitFor(/PEPE/);
			if (at % 2 === 0) viewer.type('q');
			else viewer.client.destroy();
			await viewer.exit;
		}
		await expect.poll(() => world!.server.viewers).toBe(1);
		expect(listeners()).toEqual(before);
	},
);

describe('behind a balancer', () => {
	/** A connection that begins with the word of a balancer. */
	async function through(header: string): Promise<Socket> {
		const socket = connect(world!.port, '127.0.0.1');
		await once(socket, 'connect');
		socket.write(header);
		return socket;
	}

	test('a viewer has the address that the balancer says, and places are counted by it', async () => {
		await open({limits: {perAddress: 1}, proxies: ['127.0.0.0/8']});
		const first = await enter({sock: await through('PROXY TCP4 192.0.2.1 10.0.0.1 4000 22\r\n')});
		await first.waitFor(/PEPE/);
		const same = await enter({sock: await through('PROXY TCP4 192.0.2.1 10.0.0.1 4001 22\r\n')});
		expect(await same.exit).toBe(75);
		const other = await enter({sock: await through('PROXY TCP4 192.0.2.2 10.0.0.1 4000 22\r\n')});
		await other.waitFor(/PEPE/);
		other.type('q');
		expect(await world!.endedBy('quit')).toMatchObject({address: '192.0.2.2'});
	});

	test('a balancer that says nothing is turned away, and what another address says is no header', async () => {
		await open({proxies: ['127.0.0.1']});
		await expect(connectGuest(world!.port)).rejects.toThrow('closed');
		await world!.close();
		await open({proxies: ['10.0.0.0/8']});
		await expect(
			connectGuest(world!.port, {sock: await through('PROXY TCP4 192.0.2.1 10.0.0.1 4000 22\r\n')}),
		).rejects.toThrow('closed');
	});
});

describe('without a screen', () => {
	test.each([
		{name: 'no terminal', pty: false as const},
		{name: 'TERM=dumb', pty: {term: 'dumb', cols: 80, rows: 24}},
		{name: 'a terminal of 39 columns', pty: {term: 'xterm', cols: 39, rows: 24}},
		{name: 'a name of a terminal with escapes', pty: {term: 'x\u001b[2J', cols: 80, rows: 24}},
	])('$name: two lines say what works, exit code 1', async ({pty}) => {
		await open();
		const client = await connectGuest(world!.port);
		onTestFinished(() => void client.end());
		const {promise, resolve} = Promise.withResolvers<{code: number; text: string}>();
		client.shell(pty, {}, (_, channel) => {
			let text = '';
			channel.on('data', data => (text += data));
			channel.stderr.on('data', data => (text += data));
			let code = -1;
			channel.on('exit', given => (code = given));
			channel.on('close', () => resolve({code, text}));
		});
		const {code, text} = await promise;
		expect(code).toBe(1);
		expect(text).toMatch(/needs a terminal of 40x10 cells: ssh -t HOST[\s\S]*ssh HOST feed --json/);
		expect(world!.server.viewers).toBe(0);
	});

	test('a command is carried out, with its exit code, and a viewer is not counted', async () => {
		await open();
		const client = await connectGuest(world!.port);
		onTestFinished(() => void client.end());
		const {promise, resolve} = Promise.withResolvers<{code: number; text: string}>();
		client.exec('feed --json', {}, (_, channel) => {
			let text = '';
			channel.on('data', data => (text += data));
			let code = -1;
			channel.on('exit', given => (code = given));
			channel.on('close', () => resolve({code, text}));
		});
		expect(await promise).toEqual({code: 3, text: 'did feed --json\n'});
	});
});

test('files, subsystems and forwarding are refused', async () => {
	await open();
	const client = await connectGuest(world!.port);
	onTestFinished(() => void client.end());
	const refused = (ask: (done: (error?: Error) => void) => void) =>
		new Promise<boolean>(resolve => ask(error => resolve(error !== undefined)));
	expect(await refused(done => client.sftp(done))).toBe(true);
	expect(await refused(done => client.subsys('netconf', done))).toBe(true);
	expect(await refused(done => client.forwardIn('127.0.0.1', 0, done))).toBe(true);
	expect(await refused(done => client.forwardOut('127.0.0.1', 1, '127.0.0.1', world!.port, done))).toBe(true);
});

describe('a key', () => {
	const privateKey = makeKey();

	test('is known by its fingerprint, and what was chosen is there at the next visit', async () => {
		let saved: ReadonlyMap<string, unknown> = new Map();
		const names: string[] = [];
		await open({
			choicesOf: identity => {
				if (identity.kind === 'guest') return undefined;
				names.push(identity.fingerprint);
				return {
					choices: {...NO_CHOICES, pins: saved as never},
					save: state => {
						saved = state.pins;
					},
					saved: async () => {},
				};
			},
		});
		const first = await enter({username: 'anybody', privateKey});
		await first.waitFor(/PEPE/);
		first.type('jP');
		await first.waitFor(/Pinned/);
		first.type('q');
		await first.exit;
		expect(saved.size).toBe(1);
		const second = await enter({username: 'root', privateKey});
		second.type('MP');
		await second.waitFor(/PEPE|WIF/);
		expect(new Set(names).size).toBe(1);
		expect(names[0]).toMatch(/^SHA256:/);
	});

	test('finds its filter and its column again after a lost connection, once, and not after q', async () => {
		await open();
		const lost = await enter({username: 'x', privateKey});
		await lost.waitFor(/PEPE/);
		lost.type('fmcap>8k\r');
		await lost.waitFor(/mcap>8k/);
		lost.type('\t');
		await lost.waitFor(/▌BONDING/);
		lost.client.destroy();
		await expect.poll(() => world!.server.viewers).toBe(0);
		const guest = await enter();
		await guest.waitFor(/PEPE/);
		const back = await enter({username: 'x', privateKey});
		await back.waitFor(/mcap>8k/);
		expect(await back.waitFor(/▌BONDING/)).not.toMatch(/PEPE/);
		back.type('q');
		await back.exit;
		const later = await enter({username: 'x', privateKey});
		await later.waitFor(/PEPE/);
	});

	test('finds the token that was open again after a lost connection', async () => {
		await open();
		const lost = await enter({username: 'x', privateKey});
		await lost.waitFor(/PEPE/);
		lost.type('j\r');
		await lost.waitFor(/Esc close/);
		lost.client.destroy();
		await expect.poll(() => world!.server.viewers).toBe(0);
		const back = await enter({username: 'x', privateKey});
		await back.waitFor(/Esc close/);
		back.type('\u001b');
		await back.waitFor(/PEPE/);
		back.type('q');
		await back.exit;
		const later = await enter({username: 'x', privateKey});
		expect(await later.waitFor(/PEPE/)).not.toMatch(/Esc close/);
	});

	test('that is not listed is turned away where not everybody may come, and so is a guest', async () => {
		await open({admission: {isOpen: false, nameOf: () => undefined}});
		await expect(connectGuest(world!.port, {privateKey})).rejects.toThrow('closed');
		await expect(connectGuest(world!.port)).rejects.toThrow('closed');
		await expect(connectGuest(world!.port, {password: 'guest'})).rejects.toThrow('closed');
		expect(world!.server.viewers).toBe(0);
	});

	test('that is listed comes in under its name', async () => {
		await open({admission: {isOpen: false, nameOf: () => 'anna'}});
		const viewer = await enter({username: 'root', privateKey});
		await viewer.waitFor(/read-only anna/);
	});
});

test('RSA keys come in by SHA-2', async () => {
	await open();
	const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048});
	const viewer = await enter({username: 'x', privateKey: privateKey.export({type: 'pkcs1', format: 'pem'})});
	await viewer.waitFor(/PEPE/);
	viewer.type('q');
	expect((await world!.endedBy('quit')).identity).toMatchObject({kind: 'key'});
});

test('an error in one screen ends that viewer alone, in words, and is noted', async () => {
	await open({
		choicesOf: identity =>
			identity.kind === 'guest'
				? undefined
				: {
						choices: NO_CHOICES,
						save: () => {
							throw new Error('broken on purpose');
						},
						saved: async () => {},
					},
	});
	const other = await enter();
	const viewer = await enter({username: 'x', privateKey: makeKey()});
	await viewer.waitFor(/PEPE/);
	viewer.type('jP');
	expect(await viewer.exit).toBe(70);
	await viewer.waitFor(/something went wrong here, connect again/);
	expect(world!.faults).toMatchObject([{message: 'broken on purpose'}]);
	world!.launch('AFTER', 1);
	await other.waitFor(/AFTER/);
});

test('a visit ends without a key for a while, in words', async () => {
	await open();
	const viewer = await enter();
	await viewer.waitFor(/PEPE/);
	world!.limits.idleMs = 1;
	expect(await viewer.exit).toBe(0);
	await viewer.waitFor(/no key was pressed for a while/);
	await world!.endedBy('idle');
});

test('the end of the server is said on every screen, restores it, and asks to come again', async () => {
	await open();
	const viewers = [await enter(), await enter()];
	for (const viewer of viewers) await viewer.waitFor(/PEPE/);
	const drained = world!.server.drain(3000, 'pulsetop: restarting, connect again: ssh -p 2222 host');
	await viewers[0]!.waitFor(/This server restarts in 3 s: connect again\./);
	await drained;
	for (const viewer of viewers) {
		expect(await viewer.exit).toBe(75);
		await viewer.waitFor(/restarting, connect again: ssh -p 2222 host/);
		expect(viewer.screen.isAlternate()).toBe(false);
	}
	await expect(connectGuest(world!.port)).rejects.toThrow('closed');
});
