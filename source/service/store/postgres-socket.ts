import {connect as connectTcp, isIP, type Socket} from 'node:net';
import {connect as connectTls} from 'node:tls';
import {StoreAway, StoreFailed} from './database.ts';
import {storeFailure} from './postgres-errors.ts';
import type {StoreAddress, StorePlace} from './store-address.ts';

/** Asks for TLS: the first message of a connection, which has no type. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
const YES = 'S'.charCodeAt(0);
/** A firewall between forgets connections that say nothing. */
const KEEP_ALIVE_MS = 30_000;

/**
 * Connects to a database, with TLS where the address wants it.
 * @throws StoreAway when it does not answer in time; StoreFailed when it has no TLS or its certificate is not believed
 */
export async function openSocket(place: StorePlace, {tls, ca}: StoreAddress, mostMs: number): Promise<Socket> {
	const {host, port, path} = place;
	const plain = path === undefined ? connectTcp({host, port, noDelay: true}) : connectTcp({path});
	let socket = plain;
	const timer = setTimeout(
		() => plain.destroy(new StoreAway(`the database did not answer within ${mostMs} ms`)),
		mostMs,
	);
	try {
		await event(plain, 'connect');
		plain.setKeepAlive(true, KEEP_ALIVE_MS);
		if (tls !== 'off') {
			await agreeOnTls(plain);
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

async function agreeOnTls(socket: Socket): Promise<void> {
	socket.write(SSL_REQUEST);
	const answer = await event<Buffer>(socket, 'data');
	// More bytes than the answer would be read as if they had come encrypted.
	if (answer.length !== 1 || answer[0] !== YES) throw new StoreFailed('the database does not offer TLS');
	// The next reader of the socket is the one that decrypts.
	socket.pause();
}

/** Waits for an event of a socket. @throws its error; StoreAway when it closes first */
function event<T>(socket: Socket, name: string): Promise<T> {
	return new Promise((resolve, reject) => {
		const end = (act: () => void) => {
			socket.off(name, came).off('error', failed).off('close', closed);
			act();
		};
		const came = (value: T) => end(() => resolve(value));
		const failed = (error: Error) => end(() => reject(error));
		const closed = () => end(() => reject(new StoreAway('the connection to the database was lost')));
		socket.on(name, came).on('error', failed).on('close', closed);
	});
}
