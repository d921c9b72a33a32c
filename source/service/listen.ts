import {once} from 'node:events';
import {type AddressInfo, createServer, type Server} from 'node:net';
import type {FastifyInstance} from 'fastify';

export interface ListenOptions {
	readonly host: string;
	/** 0: any free port. */
	readonly port: number;
	/** Listening sockets on the port; default 1. */
	readonly listeners?: number | undefined;
}

/** Elsewhere the system does not share connections among the sockets of a port. */
const SHARES_PORTS = process.platform === 'linux';

/**
 * Makes an app listen, on several sockets of one port if asked. Node accepts one connection per listening socket and turn of its
 * event loop, however many wait (since libuv 1.45). When a replica dies and its hundred clients come to another, whose turns take
 * 20 ms, the last client waits for two seconds. Each further socket takes one more a turn.
 * @throws the system's error when the address is taken or not allowed
 */
export async function listen(app: FastifyInstance, {host, port, listeners = 1}: ListenOptions): Promise<void> {
	if (listeners <= 1 || !SHARES_PORTS) {
		await app.listen({host, port});
		return;
	}
	const further: Server[] = [];
	app.addHook('preClose', async () => {
		for (const server of further) server.close();
	});
	// The types of fastify lack the option, which it hands on.
	const shared = {host, port: await findFree(host, port), reusePort: true};
	await app.listen(shared);
	const {address, port: taken} = app.server.address() as AddressInfo;
	while (further.length < listeners - 1) {
		// As the HTTP server makes its own sockets.
		const server = createServer({allowHalfOpen: true, noDelay: true}, socket => app.server.emit('connection', socket));
		further.push(server);
		await once(server.listen({host: address, port: taken, reusePort: true}), 'listening');
	}
}

/** Limits the open connections of a server: further ones are closed at once, from whichever socket they come. */
export function limitConnections(server: Server, most: number): void {
	let open = 0;
	server.on('connection', socket => {
		open++;
		socket.once('close', () => open--);
		if (open > most) socket.destroy();
	});
}

/**
 * Listens on an address for a moment, so that a taken one is reported: sockets that share a port would join another
 * process's instead.
 * @returns the port
 * @throws the system's error
 */
export async function findFree(host: string, port: number): Promise<number> {
	const server = createServer(socket => socket.destroy());
	await once(server.listen({host, port}), 'listening');
	const found = (server.address() as AddressInfo).port;
	await new Promise(resolve => server.close(resolve));
	return found;
}
