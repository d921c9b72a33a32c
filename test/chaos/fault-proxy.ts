import {type AddressInfo, createServer, type Socket} from 'node:net';
import {createChance} from './chance.ts';
import type {Fault, FaultKind} from './fault.ts';
import {createRelay, type Relay} from './relay.ts';

/** A span of time with the faults in it. */
export interface Phase {
	/** How long, give or take a quarter; chance decides, by the seed. */
	readonly forMs: number;
	readonly faults: readonly Fault[];
}

export interface FaultProxyOptions {
	/** The service behind it, `http://HOST:PORT`. */
	readonly target: string;
	/** Default 127.0.0.1. */
	readonly host?: string;
	/** Default 0: any free port. */
	readonly port?: number;
	/** The same seed and the same traffic give the same faults. Default 1. */
	readonly seed?: number;
	/** The faults by phase, from the first phase to the last and again from the first; none by default. */
	readonly schedule?: readonly Phase[];
}

/** A proxy between a program and its service, HTTP and websocket, on which things go wrong. */
export interface FaultProxy {
	/** `http://HOST:PORT` */
	readonly url: string;
	/** `ws://HOST:PORT/` */
	readonly streamUrl: string;
	/** Ends the schedule: these and no others are in force from now on. */
	set(faults: readonly Fault[]): void;
	/** How often each kind of fault did something. */
	readonly strikes: ReadonlyMap<FaultKind, number>;
	/** Ends every connection and stops; may be called twice. */
	close(): Promise<void>;
}

/**
 * Starts a proxy with faults.
 * @throws the system's error when the address is taken or not allowed
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
	const {host = '127.0.0.1', port = 0, seed = 1, schedule = []} = options;
	const target = reachable(new URL(options.target));
	const relays = new Set<Relay>();
	const strikes = new Map<FaultKind, number>();
	const phaseChance = createChance(seed);
	let faults: readonly Fault[] = [];
	let connections = 0;
	let timer: NodeJS.Timeout | undefined;

	function become(next: readonly Fault[]): void {
		faults = next;
		for (const relay of relays) relay.refresh();
	}

	function begin(at: number): void {
		const phase = schedule[at % schedule.length];
		if (phase === undefined) return;
		become(phase.faults);
		timer = setTimeout(() => begin(at + 1), phase.forMs * (0.75 + phaseChance.next() / 2));
	}

	const server = createServer({allowHalfOpen: true, noDelay: true}, (client: Socket) => {
		const connection = ++connections;
		const relay = createRelay({
			client,
			target,
			faults: () => faults,
			chanceFor: what => createChance(seed, connection, what),
			onStrike: kind => strikes.set(kind, (strikes.get(kind) ?? 0) + 1),
			onClose: () => relays.delete(relay),
		});
		relays.add(relay);
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, resolve);
	});
	begin(0);
	const {address, family, port: opened} = server.address() as AddressInfo;
	const authority = `${family === 'IPv6' ? `[${address}]` : address}:${opened}`;
	let closing: Promise<void> | undefined;
	return {
		url: `http://${authority}`,
		streamUrl: `ws://${authority}/`,
		set(next) {
			clearTimeout(timer);
			become(next);
		},
		strikes,
		close() {
			clearTimeout(timer);
			closing ??= new Promise(resolve => {
				server.close(() => resolve());
				for (const relay of relays) relay.destroy();
			});
			return closing;
		},
	};
}

/** Where a service that listens on every address can be reached from this machine. */
function reachable({hostname, port}: URL): {host: string; port: number} {
	const host = hostname.replace(/^\[|\]$/g, '');
	const loopback: Record<string, string> = {'0.0.0.0': '127.0.0.1', '::': '::1'};
	return {host: loopback[host] ?? host, port: Number(port)};
}
