import {randomInt} from 'node:crypto';
import {createServer} from 'node:net';

/**
 * An address of no machine: a multicast group. A program may listen on it, but TCP cannot connect to it, so neither a
 * page (by a websocket or by DNS rebinding) nor another user can find the port.
 */
const NOWHERE = '239.255.80.84';

/** Where a practice chain's node listens. */
export interface ListenAddress {
	/** `closed`: only through a socket file in a private directory. `open`: on a port of this machine. */
	readonly kind: 'closed' | 'open';
	/** The host of the node's own HTTP, which cannot be switched off. */
	readonly host: string;
}

let found: Promise<ListenAddress> | undefined;

/**
 * Finds where nodes can listen on this system. anvil obeys every caller of its HTTP port: it has no key, no check of
 * Origin or Host, and no way to switch the port off. So its port gets an address that cannot be reached, and calls go
 * through its IPC. Where the system refuses that, the port gets a random address on loopback.
 */
export function findListenAddress(platform: NodeJS.Platform = process.platform): Promise<ListenAddress> {
	found ??= canListen(NOWHERE).then(isPossible =>
		isPossible && platform !== 'win32'
			? {kind: 'closed', host: NOWHERE}
			: {kind: 'open', host: randomLoopback(platform)},
	);
	return found;
}

/** A random loopback address. Systems other than Linux and Windows have only one. */
export function randomLoopback(platform: NodeJS.Platform): string {
	if (platform !== 'linux' && platform !== 'win32') return '127.0.0.1';
	return `127.${randomInt(1, 255)}.${randomInt(0, 256)}.${randomInt(1, 255)}`;
}

function canListen(host: string): Promise<boolean> {
	return new Promise(resolve => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(0, host, () => server.close(() => resolve(true)));
		server.unref();
	});
}
