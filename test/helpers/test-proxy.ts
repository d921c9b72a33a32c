import {createServer as createHttpServer, type IncomingMessage, request, type ServerResponse} from 'node:http';
import {createServer as createHttpsServer} from 'node:https';
import {connect, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';
import {listenOnLoopback} from './loopback.ts';

/** What a proxy of a test does with what is asked of it. */
export interface ProxyBehaviour {
	/** `user:password` that it wants. */
	readonly auth?: string;
	/** Refuses everything with this status. */
	readonly status?: number;
	/** Cuts the connection: when asked, or as soon as the target has got something of the client. */
	readonly cuts?: 'at once' | 'after sending';
	/** Takes what is asked and says nothing. */
	readonly isSilent?: boolean;
	/** Speaks TLS itself. */
	readonly tls?: {readonly cert: string; readonly key: string};
}

export interface TestProxy {
	readonly port: number;
	/** The method and target of each request to it. */
	readonly seen: readonly string[];
}

/** A real proxy until the test ends. It reaches every name at 127.0.0.1, so that names that nothing else knows lead to the test's servers. */
export async function startProxy({auth, status, cuts, isSilent = false, tls}: ProxyBehaviour = {}): Promise<TestProxy> {
	const seen: string[] = [];
	/** The status with which a request is refused. */
	const refusalOf = ({method, url, headers}: IncomingMessage): number | undefined => {
		seen.push(`${method} ${url}`);
		if (status !== undefined) return status;
		const wanted = auth === undefined ? undefined : `Basic ${Buffer.from(auth).toString('base64')}`;
		return headers['proxy-authorization'] === wanted ? undefined : 407;
	};
	const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
		const refusal = refusalOf(incoming);
		if (isSilent) return;
		if (cuts === 'at once') return void incoming.socket.destroy();
		if (refusal !== undefined) return void response.writeHead(refusal).end('the proxy refused');
		const {'proxy-authorization': _, ...headers} = incoming.headers;
		const {port, pathname, search} = new URL(incoming.url!);
		const outgoing = request(
			{host: '127.0.0.1', port, path: pathname + search, method: incoming.method, headers},
			answer => {
				if (cuts !== undefined) return void incoming.socket.destroy();
				response.writeHead(answer.statusCode!, answer.headers);
				answer.pipe(response);
			},
		);
		outgoing.on('error', () => incoming.socket.destroy());
		incoming.pipe(outgoing);
	};
	const server = tls === undefined ? createHttpServer(pass) : createHttpsServer(tls, pass);
	const open = new Set<Socket>();
	server.on('connect', (incoming: IncomingMessage, inside: Socket) => {
		open.add(inside);
		inside.on('error', () => {});
		const refusal = refusalOf(incoming);
		if (isSilent) return;
		if (cuts === 'at once') return void inside.destroy();
		if (refusal !== undefined) return void inside.end(`HTTP/1.1 ${refusal} Refused\r\ncontent-length: 0\r\n\r\n`);
		const target = connect(Number(incoming.url!.split(':').at(-1)), '127.0.0.1', () => {
			inside.write('HTTP/1.1 200 Connection established\r\n\r\n');
			target.pipe(inside).pipe(target);
		});
		open.add(target);
		target.on('error', () => inside.destroy());
	});
	const {port, close} = await listenOnLoopback(server);
	onTestFinished(() => {
		for (const socket of open) socket.destroy();
		return close();
	});
	return {port, seen};
}
