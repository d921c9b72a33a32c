import Client, {type ClientChannel} from 'ssh2/lib/client.js';
import {createClient} from '../../source/client/create-client.ts';
import {shareClient} from '../../source/client/shared/shared-client.ts';
import {startService} from '../../source/service/server.ts';
import {makeKey} from '../../source/ssh/host-key.ts';
import type {Admission, Identity} from '../../source/ssh/login.ts';
import {type TrustedProxies, trustedProxies} from '../../source/ssh/proxy-protocol.ts';
import {createSshServer, type SshServer, type ViewerLimits} from '../../source/ssh/ssh-server.ts';
import type {Ended, Patience} from '../../source/ssh/transport.ts';
import type {ChoicesStore} from '../../source/ssh/viewer.ts';
import {steadyNow} from '../../source/steady-clock.ts';
import {TinyMarket} from '../service/helpers/tiny-market.ts';
import {PATIENCE_MS} from './patience.ts';
import {openScreen, type Screen} from './screen.ts';

/** A monitor over SSH with a market that is filled by hand. */
export interface SshWorld {
	readonly port: number;
	/** Can be changed while people look: a login under load takes longer than a test of the limit may. */
	readonly limits: Mutable<ViewerLimits>;
	readonly patience: Mutable<Patience>;
	readonly server: SshServer;
	readonly market: TinyMarket;
	/** Connections that are over, the oldest first. */
	readonly ended: readonly Ended[];
	readonly faults: readonly unknown[];
	launch(symbol: string, marketCap: number): void;
	/** Waits until a connection ended for this reason. */
	endedBy(end: Ended['end']): Promise<Ended>;
	close(): Promise<void>;
}

type Mutable<T> = {-readonly [Name in keyof T]: T[Name]};

export interface SshWorldOptions {
	readonly admission?: Admission;
	readonly limits?: Partial<ViewerLimits>;
	readonly choicesOf?: (identity: Identity) => ChoicesStore | undefined;
	/** Networks of balancers. */
	readonly proxies?: readonly string[];
}

/** Starts a service and the SSH server on free ports of this machine. */
export async function openSshWorld({
	admission = {isOpen: true, nameOf: () => undefined},
	limits: ownLimits = {},
	choicesOf = () => undefined,
	proxies,
}: SshWorldOptions = {}): Promise<SshWorld> {
	const market = new TinyMarket();
	const service = await startService({market, flushMs: 20});
	const client = createClient({baseUrl: service.url, streamUrl: service.streamUrl, apiKey: service.apiKeys[0]});
	const limits: Mutable<ViewerLimits> = {
		...{maxViewers: 100, perAddress: 50, maxMemory: 1e12, idleMs: undefined, longestMs: 86_400_000},
		...ownLimits,
	};
	const patience = {loginMs: PATIENCE_MS, channelMs: PATIENCE_MS, shellMs: PATIENCE_MS, stuckMs: PATIENCE_MS};
	const ended: Ended[] = [];
	const faults: unknown[] = [];
	const watchers = new Set<() => void>();
	const server = createSshServer({
		hostKey: makeKey(),
		admission,
		client: shareClient(client),
		settings: {mouse: false, ambiguousWidth: 'narrow'},
		limits,
		patience,
		start: from => ({
			...from,
			nowMs: steadyNow(),
			service: {label: 'tiny market', embedded: false},
			readOnly: true,
		}),
		choicesOf,
		...(proxies && {proxies: trustedProxies(proxies) as TrustedProxies}),
		runWords: async ({command, stdout}) => {
			stdout.write(`did ${command}\n`);
			return 3;
		},
		onEnd: end => {
			ended.push(end);
			for (const watcher of watchers) watcher();
		},
		onFault: fault => faults.push(fault),
		onFatal: fault => faults.push(fault),
	});
	const port = await server.listen('127.0.0.1', 0);
	let launched = 0;
	return {
		port,
		limits,
		patience,
		server,
		market,
		ended,
		faults,
		launch(symbol, marketCap) {
			market.add({
				address: `0x${String(++launched).padStart(40, '0')}`,
				chain_id: 'evm:8453',
				symbol,
				name: symbol,
				source: 'pumpfun',
				bonded: false,
				// The later one is the newer one.
				created_at: market.time - 100_000 + launched,
				market_cap: marketCap,
				volume_1h: 5,
			});
		},
		async endedBy(end) {
			const {promise, resolve, reject} = Promise.withResolvers<Ended>();
			const seen = ended.length;
			const look = (): void => {
				const found = ended.find(one => one.end === end);
				if (found) resolve(found);
			};
			watchers.add(look);
			look();
			const timer = setTimeout(() => {
				const others = ended.slice(seen).map(one => one.end);
				reject(new Error(`no connection ended by ${end}; since then: ${others.join(', ') || 'none'}`));
			}, PATIENCE_MS);
			return promise.finally(() => {
				clearTimeout(timer);
				watchers.delete(look);
			});
		},
		async close() {
			await server.close();
			await service.close();
		},
	};
}

/** Connects as a guest. @param change bends the client before it connects */
export async function connectGuest(port: number, options: Readonly<Record<string, unknown>> = {}): Promise<Client> {
	const client = new Client();
	client.on('error', () => {});
	const ready = new Promise<void>((resolve, reject) => {
		client.on('ready', resolve);
		client.on('close', () => reject(new Error('the connection was closed')));
	});
	client.connect({host: '127.0.0.1', port, username: 'guest', ...options});
	await ready;
	return client;
}

/** A viewer in a terminal in memory. */
export interface SshViewer {
	readonly client: Client;
	readonly channel: ClientChannel;
	readonly screen: Screen;
	type(keys: string): void;
	/** Waits until the screen shows it. */
	waitFor(what: RegExp): Promise<string>;
	/** The exit code, when the channel is closed. */
	readonly exit: Promise<number | undefined>;
	close(): void;
}

/** Opens the monitor as a person does. */
export async function openSshViewer(
	port: number,
	{
		columns = 120,
		rows = 30,
		term = 'xterm-256color',
		...options
	}: Readonly<Record<string, unknown>> & {
		columns?: number;
		rows?: number;
		term?: string;
	} = {},
): Promise<SshViewer> {
	const client = await connectGuest(port, options);
	const screen = openScreen({columns, rows});
	const {promise: exit, resolve: ended} = Promise.withResolvers<number | undefined>();
	let drawn = Promise.resolve();
	const channel = await new Promise<ClientChannel>((resolve, reject) => {
		client.shell({term, cols: columns, rows}, {}, (error, made) => {
			if (error) return reject(error);
			let code: number | undefined;
			made.on('exit', given => {
				code = given;
			});
			made.on('close', () => ended(code));
			client.on('close', () => ended(code));
			made.on('data', data => {
				drawn = drawn.then(() => screen.write(data));
			});
			resolve(made);
		});
	});
	// A terminal answers queries.
	screen.onAnswer(answer => void channel.write(answer));
	return {
		client,
		channel,
		screen,
		type: keys => void channel.write(keys),
		async waitFor(what) {
			const deadline = performance.now() + PATIENCE_MS;
			for (;;) {
				await drawn;
				const text = screen.text();
				if (what.test(text)) return text;
				if (performance.now() > deadline) throw new Error(`${what} is not on the screen:\n${text}`);
				await new Promise(next => setTimeout(next, 10));
			}
		},
		exit,
		close: () => void client.end(),
	};
}
