/** The parts of ssh2 1.17.0 that transport.ts, post-quantum.ts, public-key.ts and host-key.ts use. The package has no types of its own. */
declare module 'ssh2/lib/server.js' {
	import type {EventEmitter} from 'node:events';
	import type {Socket} from 'node:net';
	import type {Duplex} from 'node:stream';

	export interface AuthenticationContext {
		readonly method: 'none' | 'password' | 'publickey' | 'hostbased' | 'keyboard-interactive';
		readonly username: string;
		/** With `publickey`: the key that is offered. */
		readonly key?: {readonly algo: string; readonly data: Buffer};
		/** The signed data and its signature; absent while the key is only offered. */
		readonly blob?: Buffer;
		readonly signature?: Buffer;
		/** `sha256` or `sha512` for RSA; undefined for SHA-1 and for other kinds of keys. */
		readonly hashAlgo?: 'sha256' | 'sha512' | undefined;
		accept(): void;
		reject(methodsLeft?: readonly string[]): void;
	}

	export interface PseudoTerminal {
		readonly term?: string;
		readonly cols: number;
		readonly rows: number;
	}

	export interface Channel extends Duplex {
		readonly incoming: {readonly window: number};
		readonly outgoing: {readonly packetSize: number; readonly window: number; readonly state: string};
		readonly stderr: NodeJS.WritableStream;
		exit(code: number): void;
		close(): void;
	}

	export interface Session extends EventEmitter {
		on(
			event: 'pty' | 'window-change',
			listener: (accept: (() => void) | undefined, reject: unknown, info: PseudoTerminal) => void,
		): this;
		on(
			event: 'env',
			listener: (
				accept: (() => void) | undefined,
				reject: (() => void) | undefined,
				info: {key: string; val: string},
			) => void,
		): this;
		on(event: 'shell', listener: (accept: () => Channel | undefined) => void): this;
		on(
			event: 'exec',
			listener: (accept: () => Channel | undefined, reject: unknown, info: {command: string}) => void,
		): this;
		on(event: 'close', listener: () => void): this;
	}

	export interface Connection extends EventEmitter {
		readonly _sock: Socket;
		on(event: 'authentication', listener: (context: AuthenticationContext) => void): this;
		on(event: 'session', listener: (accept: () => Session, reject: () => void) => void): this;
		on(event: 'ready' | 'rekey' | 'close', listener: () => void): this;
		on(event: 'error', listener: (error: Error) => void): this;
		end(): void;
	}

	interface ServerOptions {
		readonly hostKeys: readonly (string | Buffer)[];
		readonly ident: string;
		readonly algorithms: {
			readonly kex: readonly string[];
			readonly cipher: readonly string[];
			readonly hmac: readonly string[];
			readonly compress: readonly string[];
		};
		readonly keepaliveInterval: number;
		readonly keepaliveCountMax: number;
	}

	class Server extends EventEmitter {
		constructor(options: ServerOptions);
		/** Takes a socket of a server of the caller's. */
		injectSocket(socket: Socket): void;
		on(
			event: 'connection',
			listener: (
				connection: Connection,
				info: {readonly header: {readonly versions: {readonly software: string}}},
			) => void,
		): this;
	}
	// biome-ignore lint/style/noDefaultExport: the form of the package
	export default Server;
}

declare module 'ssh2/lib/protocol/keyParser.js' {
	export interface ParsedKey {
		readonly type: string;
		readonly comment: string;
		getPublicPEM(): string;
		getPublicSSH(): Buffer;
		isPrivateKey(): boolean;
		verify(data: Buffer, signature: Buffer, algorithm?: string): boolean | Error;
	}
	const keyParser: {parseKey(data: string | Buffer): ParsedKey | Error};
	// biome-ignore lint/style/noDefaultExport: the form of the package
	export default keyParser;
}

declare module 'ssh2/lib/keygen.js' {
	/** A new key pair in OpenSSH's formats. */
	const keygen: {generateKeyPairSync(type: 'ed25519', options?: {comment?: string}): {private: string; public: string}};
	// biome-ignore lint/style/noDefaultExport: the form of the package
	export default keygen;
}

declare module 'ssh2/lib/protocol/kex.js' {
	/** A key exchange, of which the server's side is used. An error that is returned ends the connection. */
	export type Curve25519Exchange = new (
		// biome-ignore lint/suspicious/noExplicitAny: the form of a class that is extended
		...values: any[]
	) => {
		convertPublicKey(key: Buffer): Buffer;
		getPublicKey(): Buffer;
		computeSecret(otherPublicKey: Buffer): Buffer | Error;
	};
	/** Key exchanges beside those of the library, by name. Undefined outside of the bundle (tools/bundle-patches.ts). */
	const kex: {readonly EXCHANGES?: Record<string, (Curve: Curve25519Exchange) => Curve25519Exchange>};
	// biome-ignore lint/style/noDefaultExport: the form of the package
	export default kex;
}

declare module 'ssh2/lib/protocol/constants.js' {
	const constants: {readonly SUPPORTED_KEX: string[]};
	// biome-ignore lint/style/noDefaultExport: the form of the package
	export default constants;
}
