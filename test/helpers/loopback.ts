import {once} from 'node:events';
import {Server as HttpServer} from 'node:http';
import {type AddressInfo, createServer, type Server} from 'node:net';

/** A server of a test. */
export interface Listening {
	readonly port: number;
	/** Address over HTTP, without a slash at its end. */
	readonly url: string;
	/** Ends the server and its connections over HTTP. */
	close(): Promise<void>;
}

/** Lets a server listen on a free port of this machine. */
export async function listenOnLoopback(server: Server): Promise<Listening> {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	return {
		port,
		url: `http://127.0.0.1:${port}`,
		close: () =>
			new Promise(resolve => {
				server.close(() => resolve());
				if (server instanceof HttpServer) server.closeAllConnections();
			}),
	};
}

/** A port of this machine that is free now, for a process of a test that listens on it. */
export async function freePort(): Promise<number> {
	const {port, close} = await listenOnLoopback(createServer());
	await close();
	return port;
}
