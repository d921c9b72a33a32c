import {connect as connectTcp, isIP, type Socket} from 'node:net';
import {connect as connectTls} from 'node:tls';
import {StoreUnavailable} from './database.ts';
import {NO_TLS, StoreRefused, storeFailure} from './postgres-errors.ts';
import type {StoreAddress, StorePlace} from './store-address.ts';

/** SSLRequest: the first message of a connection. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = 'S'.charCodeAt(0);
/** TCP keepalive: a firewall drops silent connections. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Connects to a database, with TLS where the address wants it.
 * @throws StoreUnavailable when it does not answer in time; StoreRefused without TLS, or when its certificate is not trusted
 */
export async function openSocket(place: StorePlace, {tls, ca}: StoreAddress, maxMs: number): Promise<Socket> {
	const {host, port, path} = place;
	const plain = path === undefined ? connectTcp({host, port, noDelay: true}) : connectTcp({path});
	let socket = plain;
	const timer = setTimeout(
		() => plain.destroy(new StoreUnavailable(`the database did not answer within ${maxMs} ms`)),
		maxMs,
	);
	try {
		await event(plain, 'connect');
		plain.setKeepAlive(true, KEEP_ALIVE_MS);
		if (tls !== 'off') {
			await requestTls(plain);
			socket = connectTls({
				socket: plain,
				host,
				...(!isIP(host) && {servername: host}),
				rejectUnauthorized: tls === 'verify',
				...(ca !== undefined && {ca}),
			});
			await event(socket, 'secureConnect');
		}
		return socket;
	} catch (error) {
		plain.destroy();
		throw storeFailure(error);
	} finally {
		clearTimeout(timer);
	}
}

async function requestTls(socket: Socket): Promise<void> {
	socket.write(SSL_REQUEST);
	const answer = await event<Buffer>(socket, 'data');
	// Bytes after the answer would be accepted as decrypted ones (CVE-2021-23222).
	if (answer.length !== 1 || answer[0] !== YES) throw new StoreRefused(NO_TLS);
	// The next reader of the socket is the TLS layer.
	socket.pause();
}

/** Waits for an event of a socket. @throws its error; StoreUnavailable when it closes first */
function event<T>(socket: Socket, name: string): Promise<T> {
	return new Promise((resolve, reject) => {
		const end = (act: () => void) => {
			socket.off(name, came).off('error', failed).off('close', closed);
			act();
		};
		const came = (value: T) => end(() => resolve(value));
		const failed = (error: Error) => end(() => reject(error));
		const closed = () => end(() => reject(new StoreUnavailable('the connection to the database was lost')));
		socket.on(name, came).on('error', failed).on('close', closed);
	});
}
