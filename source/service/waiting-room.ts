import {once} from 'node:events';
import {createServer, type ServerResponse} from 'node:http';
import {errorBody} from './http-error.ts';

/** A server that answers while the service waits for its database. */
export interface WaitingRoom {
	/** Ends the connections, so that the service can listen. */
	close(): Promise<void>;
}

/** Probes are short; a request that is not read ends. */
const REQUEST_MS = 5000;

/**
 * Answers on the address of a service before the service does: the process works, and is not ready. Without it a balancer restarts
 * processes that only wait for a database.
 * @throws the system's error when the address is taken or not allowed
 */
export async function openWaitingRoom({
	host,
	port,
}: {
	readonly host: string;
	readonly port: number;
}): Promise<WaitingRoom> {
	const server = createServer({requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS}, ({url = ''}, response) => {
		const path = url.split('?', 1)[0]!.replace(/\/+$/, '');
		if (path === '/health/live') return answer(response, 200, {live: true});
		if (path === '/health/ready') return answer(response, 503, {ready: false, reason: 'database-away'});
		answer(response, 503, errorBody('standard', 503, 'The service waits for its database'));
	});
	await once(server.listen({host, port}), 'listening');
	return {
		close: async () => {
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

function answer(response: ServerResponse, status: number, body: unknown): void {
	const text = JSON.stringify(body);
	response
		.writeHead(status, {
			'content-type': 'application/json; charset=utf-8',
			'content-length': Buffer.byteLength(text),
			'cache-control': 'no-store',
			...(status === 503 && {'retry-after': '1'}),
			connection: 'close',
		})
		.end(text);
}
