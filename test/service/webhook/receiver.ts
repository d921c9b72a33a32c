import {createHmac} from 'node:crypto';
import {once} from 'node:events';
import {createServer, type IncomingHttpHeaders, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {afterEach, expect} from 'vitest';
import {waitFor} from '../chain/practice.ts';

/** One request as it came. */
export interface Received {
	readonly headers: IncomingHttpHeaders;
	readonly text: string;
	// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are what is being tested
	readonly json: any;
	readonly path: string;
	readonly atMs: number;
}

/** How a receiver responds; 200 at once by default. */
export type Behaviour = (received: Received, response: ServerResponse, nth: number) => void;

/** A real HTTP server that keeps its requests. */
export interface Receiver {
	readonly url: string;
	readonly port: number;
	readonly received: Received[];
	/** Most requests that were open at a time. */
	readonly maxOpen: () => number;
	behave(behaviour: Behaviour): void;
	/** The first `count` requests, as soon as they have come. */
	first(count: number): Promise<Received[]>;
	close(): Promise<void>;
}

const receivers: Receiver[] = [];
afterEach(async () => {
	for (const receiver of receivers.splice(0)) await receiver.close();
});

export const answers =
	(status: number, headers: Record<string, string> = {}): Behaviour =>
	(_, response) => {
		response.writeHead(status, headers).end();
	};

/** Starts a receiver on loopback; it ends with the test. */
export async function openReceiver(behaviour: Behaviour = answers(200), port = 0): Promise<Receiver> {
	const received: Received[] = [];
	let open = 0;
	let maxOpen = 0;
	const server = createServer((request, response) => {
		maxOpen = Math.max(maxOpen, ++open);
		response.on('close', () => open--);
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const text = Buffer.concat(chunks).toString('utf8');
			const one = {headers: request.headers, text, json: JSON.parse(text), path: request.url!, atMs: Date.now()};
			received.push(one);
			behaviour(one, response, received.length);
		});
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const receiver: Receiver = {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		port: (server.address() as AddressInfo).port,
		received,
		maxOpen: () => maxOpen,
		behave: next => {
			behaviour = next;
		},
		async first(count) {
			await waitFor(() => received.length >= count);
			return received.slice(0, count);
		},
		async close() {
			server.closeAllConnections();
			if (server.listening) await new Promise(resolve => server.close(resolve));
		},
	};
	receivers.push(receiver);
	return receiver;
}

/** Checks a delivery's signature by hand, as a receiver would. */
export function expectSigned({headers, text}: Received, secret: string, nowMs = Date.now()): void {
	const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-webhook-signature']))!;
	expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${text}`).digest('hex'));
	expect(Math.abs(Number(t) * 1000 - nowMs)).toBeLessThan(60_000);
}
