import type {Socket} from 'node:net';
import {type ProxySetting, proxyFor} from './proxy.ts';

/* How node:http, `ws` and undici are made to connect through a proxy. */

/** Opens the connections of node:http, `ws` or undici: calls back with a connected socket, or the error. */
export type Connector = (options: unknown, callback: (error: Error | null, socket: Socket) => void) => undefined;

/** Makes connections for requests to `url` through a proxy, in place of the `createConnection` of a library. */
export function connectorThrough(proxy: ProxySetting, url: URL): Connector {
	return (_options, callback) => {
		import('./proxy-connection.ts')
			.then(({connectThrough}) => connectThrough(proxy, url))
			.then(
				socket => callback(null, socket),
				// After an error no library reads the socket.
				(error: Error) => callback(error, undefined as never),
			);
	};
}

/** The options of a websocket that is opened through the proxy of its address; none where it has no proxy. */
export function webSocketProxy(url: URL): {readonly createConnection?: never} {
	const proxy = proxyFor(url);
	// The type in `ws` has the overloads of net.createConnection; node:http, which gets the function, takes a Connector.
	return proxy === undefined ? {} : {createConnection: connectorThrough(proxy, url) as never};
}
