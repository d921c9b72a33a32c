import {createServer, type Server as NetServer, type Socket} from 'node:net';
import Server, {type Channel, type Connection, type PseudoTerminal, type Session} from 'ssh2/lib/server.js';
import {clean} from '../text.ts';
import {networkOf} from './addresses.ts';
import {ChannelInput, ChannelOutput, sizeOf} from './channel-terminal.ts';
import {Bucket, Gate, type Rate} from './limits.ts';
import {type Admission, type Identity, takeLogin} from './login.ts';
import {postQuantumExchanges} from './post-quantum.ts';
import {type TrustedProxies, takeProxyHeader} from './proxy-protocol.ts';
import {Scope} from './scope.ts';

/*
 * The one file that knows ssh2, which trusts its clients in many places. Each guard below stands for a way in which one guest
 * could stop, fill or slow down the server: packets of size 0, input beyond the window, output that waits for a key exchange,
 * logins without end. The limits are those of the socket, which the library gets from this file.
 */

/** How long a client may take, ms. */
export interface Patience {
	/** For a login, then for a channel, then for a shell or a command. */
	readonly loginMs: number;
	readonly channelMs: number;
	readonly shellMs: number;
	/** A client that takes nothing for so long is gone. */
	readonly stuckMs: number;
}
const PATIENCE: Patience = {loginMs: 20_000, channelMs: 10_000, shellMs: 10_000, stuckMs: 60_000};
/** Bytes of a login. */
const MAX_LOGIN_BYTES = 65_536;
/** The input of a person, pastes and the overhead of the protocol included. */
const INPUT: Rate = {perSecond: 16_384, burst: 131_072};
const TYPED: Rate = {perSecond: 8192, burst: 65_536};
/** A client that renews its keys more often is not one of a person. */
const REKEYS: Rate = {perSecond: 0.2, burst: 10};
/** Channels of a connection, at a time and in all. */
const MAX_OPEN = 2;
const MAX_CHANNELS = 20;
/** A smaller packet makes the library write without end (ssh2#1504); no client asks for one. */
const MIN_PACKET = 1024;
/** Checks within `stuckMs` of whether a client takes anything. */
const LOOKS = 12;
/** Time between the last word and the end of the connection, ms. */
const LINGER_MS = 2000;
/**
 * Ciphers with AES in hardware; strict key exchange (Terrapin) is the library's own. The order is the client's: OpenSSH before 10 takes
 * the dearer counter mode, which others, as Dropbear and Paramiko, know alone. Dropbear waits for ever when the first key exchange here
 * is the first of its own.
 */
const ALGORITHMS = {
	kex: ['curve25519-sha256@libssh.org', ...postQuantumExchanges(), 'curve25519-sha256', 'ecdh-sha2-nistp256'],
	cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-gcm', 'aes256-gcm', 'aes128-ctr', 'aes256-ctr'],
	hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
	compress: ['none'],
};
const KEEPALIVE_MS = 30_000;
const MAX_UNANSWERED = 3;

/** Variables that describe a terminal; the rest of a client's environment is not read. */
const VARIABLES = new Set([
	'LANG',
	'LC_ALL',
	'LC_CTYPE',
	'COLORTERM',
	'TERM_PROGRAM',
	'VTE_VERSION',
	'NO_COLOR',
	'COLORFGBG',
]);
const MAX_TERM = 64;
const MAX_VALUE = 256;

/** Why a connection ended. */
export type End =
	| 'quit'
	| 'closed'
	| 'error'
	| 'login-time'
	| 'login-bytes'
	| 'no-channel'
	| 'no-shell'
	| 'flood'
	| 'packet-size'
	| 'window'
	| 'rekeys'
	| 'stuck'
	| 'refused'
	| 'idle'
	| 'longest'
	| 'drained'
	| 'crashed';

/** A connection that is over, for the log. */
export interface Ended {
	readonly address: string;
	/** Undefined for a client that never got in. */
	readonly identity: Identity | undefined;
	/** How the client names itself, at most 64 characters. */
	readonly client: string;
	readonly term: string;
	readonly seconds: number;
	/** Bytes to the client. */
	readonly bytes: number;
	readonly end: End;
}

/** Someone who is in. */
interface Visitor {
	readonly address: string;
	/** The address, or the network of an IPv6 one: what counts as one place. */
	readonly network: string;
	readonly identity: Identity;
	/** Resolves when the connection or its channel is closed. */
	readonly closed: Promise<void>;
	/** Says a last word and ends the connection with an exit code. */
	leave(end: End, code: number, text: string): void;
}

/** A person at a terminal. */
export interface Shell extends Visitor {
	readonly term: string;
	readonly env: Readonly<Record<string, string>>;
	/** The scope in which its input and output run. */
	readonly scope: Scope;
	/** Undefined where the client asked for no terminal. */
	readonly output: ChannelOutput | undefined;
	readonly input: ChannelInput;
}

/** A command in place of a screen: `ssh host WORDS`. */
export interface Exec extends Visitor {
	readonly command: string;
	/** `writableLength` is how much of it the client has not taken, bytes. */
	readonly stdout: Pick<ChannelOutput, 'write' | 'writableLength'>;
	readonly stderr: NodeJS.WritableStream;
}

export interface TransportOptions {
	/** The private host key, PEM or OpenSSH. */
	readonly hostKey: string;
	readonly admission: Admission;
	readonly onShell: (shell: Shell) => void;
	readonly onExec: (exec: Exec) => void;
	readonly onEnd: (ended: Ended) => void;
	/** Balancers that say who comes (PROXY protocol). */
	readonly proxies?: TrustedProxies | undefined;
	readonly patience?: Patience;
	/** A newcomer was refused before a byte was sent. @param limit the limit that refused it */
	readonly onRefused?: (limit: string) => void;
}

/** The SSH server. */
export interface Transport {
	/** @returns the port @throws NodeJS.ErrnoException when the address can't be listened on */
	listen(host: string, port: number): Promise<number>;
	/** Takes no newcomers from now on. */
	refuse(): void;
	/** Ends every connection. */
	close(): Promise<void>;
}

/** Creates the SSH server. @throws Error for a host key that can't be read */
export function createTransport({
	hostKey,
	admission,
	onShell,
	onExec,
	onEnd,
	onRefused,
	proxies,
	patience = PATIENCE,
}: TransportOptions): Transport {
	const gate = new Gate();
	const sockets = new Set<Socket>();
	const pending = new WeakMap<Socket, (connection: Connection, client: string) => void>();
	const ssh = new Server({
		hostKeys: [hostKey],
		ident: 'pulsetop',
		algorithms: ALGORITHMS,
		keepaliveInterval: KEEPALIVE_MS,
		keepaliveCountMax: MAX_UNANSWERED,
	});
	ssh.on('connection', (connection, {header}) => {
		// First of all: an error without a listener would end the program, and one comes more than once.
		connection.on('error', () => {});
		pending.get(connection._sock)?.(connection, clean(header.versions.software, {maxCells: 64}));
	});
	let isRefusing = false;
	const net: NetServer = createServer({noDelay: true}, socket => {
		socket.on('error', () => {});
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		const {remoteAddress: peer} = socket;
		if (peer === undefined || !proxies?.has(peer)) return admit(socket, peer);
		void takeProxyHeader(socket, patience.loginMs).then(address => admit(socket, address));
	});

	/** Lets a newcomer begin a login. */
	function admit(socket: Socket, address: string | undefined): void {
		const why = isRefusing ? 'draining' : address === undefined ? 'no-address' : gate.enter(address);
		if (why === undefined && !socket.destroyed) {
			pending.set(socket, welcome(socket, address!));
			ssh.injectSocket(socket);
			return;
		}
		if (why === undefined) gate.left();
		else onRefused?.(why);
		socket.destroy();
	}

	/** Follows a connection from its first byte. */
	function welcome(socket: Socket, address: string): (connection: Connection, client: string) => void {
		const startedMs = performance.now();
		let identity: Identity | undefined;
		let client = '';
		let term = '';
		let end: End = 'closed';
		let isLoggingIn = true;
		const endWith = (why: End): void => {
			if (end === 'closed') end = why;
			socket.destroy();
		};
		let clock = setTimeout(endWith, patience.loginMs, 'login-time');
		const wait = (ms: number, why: End): void => {
			clearTimeout(clock);
			clock = setTimeout(endWith, ms, why);
		};
		const loggedIn = (): void => {
			if (isLoggingIn) gate.left();
			isLoggingIn = false;
		};
		socket.on('close', () => {
			clearTimeout(clock);
			loggedIn();
			const seconds = (performance.now() - startedMs) / 1000;
			onEnd({address, identity, client, term, seconds, bytes: socket.bytesWritten, end});
		});

		return (connection, name) => {
			client = name;
			const input = new Bucket(INPUT);
			const rekeys = new Bucket(REKEYS);
			socket.on('data', chunk => {
				if (identity === undefined && socket.bytesRead > MAX_LOGIN_BYTES) endWith('login-bytes');
				else if (identity !== undefined && !input.take(chunk.length)) endWith('flood');
			});
			connection.on('error', () => {
				if (end === 'closed') end = 'error';
			});
			connection.on('rekey', () => {
				if (!rekeys.take()) endWith('rekeys');
			});
			takeLogin(connection, admission, address, person => {
				identity = person;
				loggedIn();
				wait(patience.channelMs, 'no-channel');
			});
			let open = 0;
			let all = 0;
			connection.on('session', (accept, reject) => {
				if (identity === undefined || open >= MAX_OPEN || ++all > MAX_CHANNELS) return reject();
				open++;
				wait(patience.shellMs, 'no-shell');
				const session = accept();
				session.on('close', () => {
					open--;
				});
				takeSession(session, identity);
			});
		};

		function takeSession(session: Session, person: Identity): void {
			const env: Record<string, string> = {};
			let terminal: PseudoTerminal | undefined;
			let output: ChannelOutput | undefined;
			const scope = new Scope();
			session.on('pty', (accept, _, info) => {
				terminal = info;
				term = termOf(info.term);
				accept?.();
			});
			session.on('env', (accept, reject, {key, val}) => {
				const isUsable = VARIABLES.has(key) && val.length <= MAX_VALUE && /^[\x20-\x7e]*$/.test(val);
				if (!isUsable) return reject?.();
				env[key] = val;
				accept?.();
			});
			session.on('window-change', (accept, _, info) => {
				scope.run(() => output?.resize(sizeOf(info)));
				accept?.();
			});
			session.on('shell', accept => {
				const channel = accept();
				if (!channel || !isUsable(channel)) return;
				if (terminal) {
					output = new ChannelOutput(channel, socket, sizeOf(terminal));
					watch(output);
				}
				const typed = new Bucket(TYPED);
				let isFlooded = false;
				const keys = new ChannelInput();
				channel.on('data', (bytes: Buffer) => {
					if (channel.incoming.window < 0) endWith('window');
					else if (isFlooded) return;
					else if (typed.take(bytes.length)) scope.run(() => keys.take(bytes));
					else {
						// The screen has a last word; who goes on sending meets the limit of the connection.
						isFlooded = true;
						scope.run(() => keys.emit('flood'));
					}
				});
				scope.run(() =>
					onShell({...visitorOf(channel, person, output !== undefined), scope, term, env, output, input: keys}),
				);
			});
			session.on('exec', (accept, _, {command}) => {
				const channel = accept();
				if (!channel || !isUsable(channel)) return;
				// Nothing is read from a command's input, and an unread channel would keep it.
				channel.resume();
				const stdout = new ChannelOutput(channel, socket, sizeOf({cols: 0, rows: 0}));
				watch(stdout);
				onExec({...visitorOf(channel, person, false), command, stdout, stderr: channel.stderr});
			});

			/** Whether something may be written to a channel. */
			function isUsable(channel: Channel): boolean {
				clearTimeout(clock);
				channel.on('error', () => {});
				if (channel.outgoing.packetSize >= MIN_PACKET) return true;
				endWith('packet-size');
				return false;
			}
		}

		/** Ends a client that takes nothing any more. */
		function watch(output: ChannelOutput): void {
			const timer = setInterval(() => {
				if (output.stuckMs > patience.stuckMs) endWith('stuck');
			}, patience.stuckMs / LOOKS).unref();
			output.on('close', () => clearInterval(timer));
		}

		function visitorOf(channel: Channel, person: Identity, isScreen: boolean): Visitor {
			const {promise: closed, resolve} = Promise.withResolvers<void>();
			channel.on('close', resolve);
			socket.on('close', resolve);
			return {
				address,
				network: networkOf(address),
				identity: person,
				closed,
				leave(why, code, text) {
					if (end === 'closed') end = why;
					if (channel.writable && channel.outgoing.state === 'open') {
						(isScreen ? channel : channel.stderr).write(text);
						channel.exit(code);
						channel.end();
					}
					setTimeout(() => socket.destroy(), LINGER_MS);
				},
			};
		}
	}

	return {
		listen: (host, port) =>
			new Promise((resolve, reject) => {
				net.once('error', reject);
				net.listen({host, port}, () => {
					net.off('error', reject);
					// A socket that can't be accepted (no file descriptors) must not end the program.
					net.on('error', () => {});
					resolve((net.address() as {port: number}).port);
				});
			}),
		refuse: () => {
			isRefusing = true;
		},
		close: () => {
			isRefusing = true;
			for (const socket of sockets) socket.destroy();
			return new Promise(resolve => net.close(() => resolve()));
		},
	};
}

/** The name of a terminal; `dumb` for one that no terminal has. */
function termOf(term: string | undefined): string {
	return term !== undefined && term.length <= MAX_TERM && /^[\w.+-]+$/.test(term) ? term : 'dumb';
}
