import {randomInt} from 'node:crypto';
import {createServer} from 'node:net';

/**
 * An address that belongs to no machine: a multicast group. A program may listen on it, but TCP connects to no such
 * address, so a search for the port finds none: no page by a websocket or by DNS rebinding, no other user.
 */
const NOWHERE = '239.255.80.84';

/** Where a practice chain's node listens. */
export interface Door {
	/** `closed`: only through a socket file in a directory of one's own. `open`: on a port of this machine. */
	readonly kind: 'closed' | 'open';
	/** For the node's own HTTP, which it always has. */
	readonly host: string;
}

let found: Promise<Door> | undefined;

/**
 * Where nodes can listen here. anvil obeys anybody who reaches its HTTP port, and it has no key, no check of Origin or Host,
 * and no way to leave the port away; so it gets an address that nobody can reach, and is spoken to by its IPC. Where the
 * system refuses that, it gets an address on loopback that has to be guessed.
 */
export function findDoor(platform: NodeJS.Platform = process.platform): Promise<Door> {
	found ??= canListen(NOWHERE).then(isPossible =>
		isPossible && platform !== 'win32' ? {kind: 'closed', host: NOWHERE} : {kind: 'open', host: someLoopback(platform)},
	);
	return found;
}

/** An address of this machine alone. Elsewhere than on Linux and Windows there is only one. */
export function someLoopback(platform: NodeJS.Platform): string {
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
