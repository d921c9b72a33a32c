import {randomBytes, timingSafeEqual} from 'node:crypto';
import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	type Stats,
} from 'node:fs';
import {join} from 'node:path';
import {exchange} from '../../client/http/exchange.ts';
import {PRACTICE_CLAIM, practiceProof} from '../../contract/practice-proof.ts';
import {PulsetopError} from '../../errors.ts';
import {isLoopback} from '../../loopback.ts';
import {writePrivateFile} from '../../trading/private-files.ts';

/*
 * How a second program knows that `pulsetop serve` has practice chains. A service's own claim decides nothing: any service
 * could make the claim. `serve` therefore writes a random secret into a file that only its user can read, under the data
 * directory, for the address on which it listens. A client with that directory and that address sends a fresh nonce and
 * checks the answer with the secret. A remote service, one of another user, a proxy at another address and a copied answer
 * have no secret for that address and that nonce.
 *
 * Practice keys are worth nothing (trading/practice.ts), so a wrong yes would cost nothing; keys of real money sign in no
 * practice mode. What must not happen is a wrong no: real keys for a service that was meant for practice. So a service whose
 * file is there and whose program runs, and which does not prove itself, gets neither.
 */

/** A service of this machine should have proved that it is practice, and did not. */
export class PracticeUnproven extends PulsetopError {
	readonly code = 'practice-unproven';

	constructor(address: string, why: string) {
		super('Whether this service is practice is not certain', {
			why: `pulsetop serve runs at ${address}, and ${why}`,
			next: 'retry-later',
			advice: 'Nothing is signed for it meanwhile. Try again, or start pulsetop serve again.',
		});
	}
}

/** The file of a running `serve`. */
interface Announcement {
	/** Where it listens: `127.0.0.1:4010`. */
	readonly address: string;
	readonly pid: number;
	/** 32 bytes in hex. */
	readonly secret: string;
}

/** The side of `serve`: answers nonces from `announce` to `close`. */
export interface PracticeAnnouncer {
	/** Writes the file. @param url where clients reach the service */
	announce(url: string): void;
	/** The proof for a nonce; undefined while nothing is announced. */
	prove(nonce: string): {readonly address: string; readonly proof: string} | undefined;
	/** Removes the file; nothing is proved any more. */
	close(): void;
}

/** Makes the secret of a service that has only a simulated market and practice chains. */
export function createPracticeAnnouncer(dataDir: string): PracticeAnnouncer {
	const secret = randomBytes(32).toString('hex');
	let announced: string | undefined;
	return {
		announce(url) {
			const address = loopbackAddressOf(url);
			if (address === undefined) return;
			removeStale(dataDir);
			const content: Announcement = {address, pid: process.pid, secret};
			writePrivateFile(pathOf(dataDir, address), `${JSON.stringify(content)}\n`);
			announced = address;
		},
		prove(nonce) {
			if (announced === undefined) return undefined;
			return {address: announced, proof: practiceProof(secret, {address: announced, nonce})};
		},
		close() {
			if (announced === undefined) return;
			const path = pathOf(dataDir, announced);
			announced = undefined;
			// Another service may have taken the address, and the file, since.
			if (readAnnouncement(path)?.secret === secret) rmSync(path, {force: true});
		},
	};
}

/** Answers to a nonce must come within this, ms: they come from this machine. */
const TIMEOUT_MS = 2000;
const ATTEMPTS = 2;
const MAX_BYTES = 64 * 1024;

/**
 * Whether the service at an address is a `pulsetop serve` of this user over the same data directory, with practice chains
 * only. Sends nothing without a file of such a service.
 * @throws PracticeUnproven when the file is there, its program runs, and the service at the address does not know the secret
 */
export async function isPracticeService({dataDir, baseUrl}: {dataDir: string; baseUrl: string}): Promise<boolean> {
	const address = loopbackAddressOf(baseUrl);
	if (address === undefined) return false;
	const announced = readAnnouncement(pathOf(dataDir, address));
	if (announced?.address !== address || !isRunning(announced.pid)) return false;
	const nonce = randomBytes(32).toString('hex');
	const expected = practiceProof(announced.secret, {address, nonce});
	const answer = await askFor(nonce, baseUrl, address);
	if (answer.market === PRACTICE_CLAIM.market && isSame(answer.proof, expected)) return true;
	throw new PracticeUnproven(address, 'what answers there does not know its secret');
}

/** The proof as the service gives it: text from outside. @throws PracticeUnproven without an answer */
async function askFor(
	nonce: string,
	baseUrl: string,
	address: string,
	attempt = 1,
): Promise<{readonly market?: unknown; readonly proof?: unknown}> {
	const request = {method: 'GET', path: '/health', retry: 'never'} as const;
	const options = {agent: undefined, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES, signals: []};
	try {
		const {text} = await exchange(request, new URL(`/health?nonce=${nonce}`, baseUrl), options);
		const {market, practice} = JSON.parse(text);
		return {market, proof: practice?.proof};
	} catch (error) {
		if (attempt < ATTEMPTS) return askFor(nonce, baseUrl, address, attempt + 1);
		throw new PracticeUnproven(address, error instanceof PulsetopError ? error.why : 'its answer cannot be read');
	}
}

function isSame(given: unknown, expected: string): boolean {
	if (typeof given !== 'string' || given.length !== expected.length) return false;
	return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

/**
 * `http://127.0.0.1:4010` => `127.0.0.1:4010`. Only addresses: a name such as localhost may lead to another user's
 * program, and a URL with a path to a service behind a proxy.
 */
function loopbackAddressOf(url: string): string | undefined {
	const parsed = URL.parse(url);
	if (parsed?.protocol !== 'http:' || !isLoopback(parsed.hostname) || parsed.hostname === 'localhost') return undefined;
	const isBare = parsed.pathname === '/' && parsed.search === '' && parsed.username === '' && parsed.password === '';
	return isBare && parsed.port !== '' ? parsed.host : undefined;
}

const FOLDER = 'serve';

function pathOf(dataDir: string, address: string): string {
	return join(dataDir, FOLDER, `${address.replaceAll(/[^0-9a-z.]/gi, '_')}.json`);
}

/** Removes the files of services that are gone. */
function removeStale(dataDir: string): void {
	const folder = join(dataDir, FOLDER);
	for (const name of namesIn(folder)) {
		const announced = readAnnouncement(join(folder, name));
		if (announced && !isRunning(announced.pid)) rmSync(join(folder, name), {force: true});
	}
}

function namesIn(folder: string): readonly string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

/** The file of a service; undefined for no file, for a damaged one, and for one that other users could have written or read. */
function readAnnouncement(path: string): Announcement | undefined {
	try {
		if (!isOwn(lstatSync(join(path, '..')), {mayBeRead: true})) return undefined;
		const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
		try {
			const stats = fstatSync(file);
			if (!stats.isFile() || stats.size > MAX_BYTES || !isOwn(stats, {mayBeRead: false})) return undefined;
			return announcementOf(JSON.parse(readFileSync(file, 'utf8')));
		} finally {
			closeSync(file);
		}
	} catch {
		return undefined;
	}
}

/** Whether the file is this user's, and no other user can write the file, nor read a file with a secret. Windows has no such modes. */
function isOwn({uid, mode}: Stats, {mayBeRead}: {mayBeRead: boolean}): boolean {
	if (process.platform === 'win32') return true;
	return uid === process.getuid!() && (mode & (mayBeRead ? 0o022 : 0o077)) === 0;
}

function announcementOf({address, pid, secret}: Record<string, unknown>): Announcement | undefined {
	if (typeof address !== 'string' || !Number.isSafeInteger(pid) || Number(pid) <= 0) return undefined;
	if (typeof secret !== 'string' || !/^[0-9a-f]{64}$/.test(secret)) return undefined;
	return {address, pid: Number(pid), secret};
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		// One that may not be signalled is of another user: the number was given again.
		return false;
	}
}
