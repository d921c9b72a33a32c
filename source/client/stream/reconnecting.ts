import type {Addresses, ServiceAddress} from '../addresses.ts';
import {backoffMs, STREAM_BACKOFF} from '../http/backoff.ts';
import type {SocketEnd} from './socket.ts';

/** Where a connection that is kept up goes next, and when. */
export interface Reconnecting {
	/** The address to connect to. */
	readonly address: ServiceAddress;
	/** The connection to `address` is open. */
	opened(): void;
	/** The connection ended, or could not be opened. @returns ms until the connection to `address`, which may be another now */
	ended(end: SocketEnd): number;
	/** The next connection is the first of its kind: no failure counts. */
	reset(): void;
}

/** After a connection of at least this length, the back-off starts again with the shortest wait. */
const STABLE_MS = 5_000;
/** Clients that lost an address together come to the next one spread over this time. */
const MOVE_JITTER_MS = 300;

/**
 * Moves on to the next address at once, and waits, longer each time, only when a whole round over all of them has failed.
 * It stays where it works. With one address each failure is a whole round.
 * @param random 0 to 1
 */
export function createReconnecting(addresses: Addresses, random: () => number = Math.random): Reconnecting {
	let address = addresses.current;
	let openedMs: number | undefined;
	/** Addresses tried since the last whole round, and whole rounds in a row that failed. */
	let tried = 0;
	let failures = 0;

	return {
		get address() {
			return address;
		},
		opened() {
			openedMs = performance.now();
			addresses.worked(address);
		},
		ended({failure, error, retryAfterMs, isMove}) {
			const wasStable = openedMs !== undefined && performance.now() - openedMs >= STABLE_MS;
			openedMs = undefined;
			if (wasStable) {
				tried = 0;
				failures = 0;
			}
			tried++;
			addresses.failed(address, error.why);
			address = addresses.next(address);
			if (tried < addresses.all.length) return random() * MOVE_JITTER_MS;
			tried = 0;
			// A replica that stops has not failed; a service whose every replica stops is waited for all the same.
			const isCounted = !isMove || addresses.all.length === 1 || failures === 0;
			if (isCounted) failures++;
			return backoffMs(failures, STREAM_BACKOFF, {failure, retryAfterMs, random: random()});
		},
		reset() {
			openedMs = undefined;
			tried = 0;
			failures = 0;
		},
	};
}
