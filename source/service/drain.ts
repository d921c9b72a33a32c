import {setTimeout as pause} from 'node:timers/promises';
import type {FastifyInstance} from 'fastify';
import type {Readiness} from './readiness.ts';
import type {StreamServer} from './stream/stream-server.ts';

/** Requests that take longer are cut off. */
const MOST_MS = 10_000;

/** Lets clients move to other replicas before a service stops. */
export interface Drain {
	/**
	 * Says that this process is not ready, moves its sockets, and goes on to answer requests until balancers have noticed
	 * and those that run have ended.
	 * @param ms how long balancers take
	 */
	run(ms: number): Promise<void>;
}

/** @param app before its routes: its requests are counted from now on */
export function createDrain(app: FastifyInstance, readiness: Readiness): (stream: StreamServer) => Drain {
	let running = 0;
	let isDraining = false;
	app.addHook('onRequest', async (_, reply) => {
		running++;
		reply.raw.once('close', () => running--);
	});
	app.addHook('onSend', async (_, reply) => {
		// The next request of this connection is for another replica.
		if (isDraining) reply.header('connection', 'close');
	});
	return stream => ({
		async run(ms) {
			isDraining = true;
			readiness.drain();
			await Promise.all([pause(ms), stream.drain()]);
			const untilMs = performance.now() + MOST_MS;
			while (running > 0 && performance.now() < untilMs) await pause(20);
		},
	});
}
