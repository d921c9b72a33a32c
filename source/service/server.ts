import type {AddressInfo} from 'node:net';
import {PulsetopError} from '../errors.ts';
import {createKeyring, isLoopback, makeApiKey} from './auth.ts';
import {createApp} from './http-app.ts';
import {DEFAULT_LIMITS, type Limits} from './limits.ts';
import type {Market} from './market/market.ts';
import {EntryCache} from './pulse/entry-cache.ts';
import {PulseEngine} from './pulse/pulse-engine.ts';
import {routeModules} from './route-modules.ts';
import type {ServiceContext} from './service-context.ts';
import {StreamServer} from './stream/stream-server.ts';

export interface ServiceOptions {
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Default 0: any free port. */
	readonly port?: number;
	/** Keys that are let in; none given: one is made. */
	readonly apiKeys?: readonly string[];
	/** Default true. False needs a loopback host. */
	readonly auth?: boolean;
	readonly dataDir?: string;
	readonly market: Market;
	readonly limits?: Partial<Limits>;
	/** Milliseconds between two rounds of stream changes; default 200. */
	readonly flushMs?: number;
	/** Milliseconds between two full states of a subscription; default a minute. */
	readonly syncMs?: number;
	/** Whether the socket offers compression; default false: on this machine it only costs time. */
	readonly deflate?: boolean;
}

export interface RunningService {
	/** `http://HOST:PORT` */
	readonly url: string;
	/** `ws://HOST:PORT/` */
	readonly streamUrl: string;
	/** Keys that are let in, given or made; empty without auth. */
	readonly apiKeys: readonly string[];
	/** Ends every connection and stops; may be called twice. */
	close(): Promise<void>;
}

/** The service could not begin to listen, or was asked for something that it must not do. */
export class ServiceNotStarted extends PulsetopError {
	readonly code = 'service-not-started';
}

/**
 * Starts the service: HTTP and websocket on one port.
 * @throws ServiceNotStarted when the address is taken or not allowed
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
	const {host = '127.0.0.1', port = 0, auth = true, market} = options;
	if (!auth && !isLoopback(host)) {
		throw new ServiceNotStarted('A service without keys must stay on this machine', {
			why: 'auth is off and the host is not a loopback address',
			next: 'fix-input',
		});
	}
	const apiKeys = !auth ? [] : options.apiKeys?.length ? options.apiKeys : [makeApiKey()];
	const context: ServiceContext = {
		market,
		entries: new EntryCache(market),
		pulse: new PulseEngine(market),
		keyring: createKeyring(apiKeys),
		limits: {...DEFAULT_LIMITS, ...options.limits},
		auth,
		dataDir: options.dataDir,
	};
	const app = createApp(context);
	for (const module of routeModules) module.register(app, context);
	const stream = new StreamServer(context, {
		flushMs: options.flushMs ?? 200,
		syncMs: options.syncMs ?? 60_000,
		deflate: options.deflate ?? false,
		channels: [],
	});
	stream.attach(app.server);
	try {
		await app.listen({host, port});
	} catch (error) {
		await stream.close();
		await app.close();
		throw notListening(error, port);
	}
	const address = app.server.address() as AddressInfo;
	const authority = `${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
	let closing: Promise<void> | undefined;
	return {
		url: `http://${authority}`,
		streamUrl: `ws://${authority}/`,
		apiKeys,
		close: () => (closing ??= stream.close().then(() => app.close())),
	};
}

function notListening(error: unknown, port: number): ServiceNotStarted {
	const reasons: Record<string, string> = {
		EADDRINUSE: `port ${port} is already in use`,
		EACCES: `listening on port ${port} is not permitted`,
		EADDRNOTAVAIL: 'the host is not an address of this machine',
		ENOTFOUND: 'the host is not an address of this machine',
	};
	const code = (error as NodeJS.ErrnoException).code ?? '';
	const why = reasons[code] ?? (error instanceof Error ? error.message : String(error));
	return new ServiceNotStarted('The service could not listen', {why, next: 'fix-input', cause: error});
}
