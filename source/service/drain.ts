import {setTimeout as pause} from 'node:timers/promises';
import type {FastifyInstance} from 'fastify';
import type {Readiness} from './readiness.ts';
import type {StreamServer} from './stream/stream-server.ts';

/** Timeout of running requests. */
const REQUESTS_MS = 10_000;

/** Graceful shutdown: clients move to other replicas before a service stops. */
export interface Drain {
	/**
	 * Makes the process not ready, closes its sockets with a code that moves clients, and keeps answering requests until balancers
	 * have noticed and running requests have ended.
	 * @param ms time that balancers need
	 */
	run(ms: number): Promise<void>;
}

/** @param app without routes yet: its requests are counted from now on */
export function createDrain(app: FastifyInstance, readiness: Readiness): (stream: StreamServer) => Drain {
	let running = 0;
	let isDraining = false;
	app.addHook('onRequest', async (_, reply) => {
		running++;
		reply.raw.once('close', () => running--);
	});
	app.addHook('onSend', async (_, reply) => {
		// The client's next request goes to another replica.
		if (isDraining) reply.header('connection', 'close');
	});
	return stream => ({
		async run(ms) {
			isDraining = true;
			readiness.drain();
			await Promise.all([pause(ms), stream.drain()]);
			const untilMs = performance.now() + REQUESTS_MS;
			while (running > 0 && performance.now() < untilMs) await pause(20);
		},
	});
}
