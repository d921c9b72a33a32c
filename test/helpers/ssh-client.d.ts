/** The client of ssh2, with the inner parts that a hostile client bends. */
declare module 'ssh2/lib/client.js' {
	import type {EventEmitter} from 'node:events';
	import type {Socket} from 'node:net';
	import type {Duplex} from 'node:stream';

	export interface ClientChannel extends Duplex {
		readonly stderr: NodeJS.ReadableStream;
		setWindow(rows: number, cols: number, height: number, width: number): void;
		close(): void;
		on(event: 'exit', listener: (code: number) => void): this;
		on(event: 'close', listener: () => void): this;
		on(event: 'data', listener: (data: Buffer) => void): this;
	}
	interface Protocol {
		session(channel: number, window: number, packetSize: number): void;
		authPK(
			username: string,
			key: unknown,
			algorithm: string,
			sign?: (blob: Buffer, done: (signature: Buffer) => void) => void,
		): void;
		rekey(): void;
		channelData(channel: number, data: Buffer): void;
		_kex?: unknown;
		_kexinit?: unknown;
		_cipher: {encrypt(packet: Buffer): void; allocPacket(size: number): Buffer};
	}
	class Client extends EventEmitter {
		_protocol: Protocol;
		_sock: Socket;
		connect(options: Readonly<Record<string, unknown>>): this;
		shell(pty: object | false, options: object, done: (error: Error | undefined, channel: ClientChannel) => void): this;
		exec(command: string, options: object, done: (error: Error | undefined, channel: ClientChannel) => void): this;
		subsys(name: string, done: (error: Error | undefined) => void): this;
		sftp(done: (error: Error | undefined) => void): this;
		forwardIn(host: string, port: number, done: (error: Error | undefined) => void): this;
		forwardOut(
			from: string,
			fromPort: number,
			to: string,
			port: number,
			done: (error: Error | undefined) => void,
		): this;
		end(): this;
		destroy(): this;
	}
	// biome-ignore lint/style/noDefaultExport: the form of the package
	export default Client;
}
