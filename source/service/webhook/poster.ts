import {Agent} from 'undici';
import {getOrInsert} from '../../get-or-insert.ts';
import {AddressRefused, isPublicAddress, literalAddress, publicLookup} from '../../net-guard.ts';

/** Result of one attempt. */
export interface Outcome {
	readonly isDone: boolean;
	/** HTTP status of the answer, when there was one. */
	readonly status: number | null;
	/** Why it failed, without the target's content or address. */
	readonly reason: string | null;
	/** A retry would change nothing: the target itself is refused. */
	readonly isFinal: boolean;
}

/** Sends deliveries. */
export interface Poster {
	/**
	 * Sends one delivery of a webhook. Never rejects. Each webhook has its own connections: a target that hangs delays
	 * only its own webhook, even when another one leads to the same host.
	 */
	post(hook: string, url: string, headers: Readonly<Record<string, string>>, body: string): Promise<Outcome>;
	/** Ends the connections of a removed webhook. */
	drop(hook: string): void;
	/** Ends deliveries in progress. */
	close(): Promise<void>;
}

export interface PosterOptions {
	/** Whether targets on this machine and around it are allowed. */
	readonly allowPrivate: boolean;
	/** Limit of one attempt, from the connection to the head of the answer, in milliseconds. */
	readonly timeoutMs?: number;
	/** Connections of one webhook; with fewer than its attempts at a time, a signature would age while it waits. */
	readonly connections?: number;
}

/** Bytes of an answer's body that are read, so that the connection can be used again; the content is ignored. */
const ANSWER_BYTES = 16_384;
const ANSWER_MS = 1000;

/**
 * Posts over kept connections. Each connection checks the address it connects to, so a name that is moved later (DNS
 * rebinding) leads nowhere; redirects count as failures like any other answer that is not 2xx.
 */
export function createPoster({allowPrivate, timeoutMs = 10_000, connections = 8}: PosterOptions): Poster {
	const agents = new Map<string, Agent>();
	let isClosed = false;
	const openAgent = (): Agent =>
		new Agent({
			connections,
			pipelining: 1,
			headersTimeout: timeoutMs,
			bodyTimeout: timeoutMs,
			connect: {timeout: timeoutMs, ...(allowPrivate ? {} : {lookup: publicLookup})},
		});
	return {
		async post(hook, text, headers, body) {
			const url = new URL(text);
			// An address needs no lookup.
			const literal = literalAddress(url);
			if (!allowPrivate && literal !== undefined && !isPublicAddress(literal)) return failure(new AddressRefused());
			try {
				if (isClosed) return {isDone: false, status: null, reason: STOPPING, isFinal: false};
				const response = await getOrInsert(agents, hook, openAgent).request({
					origin: url.origin,
					path: `${url.pathname}${url.search}`,
					method: 'POST',
					headers: {'content-type': 'application/json', 'user-agent': 'pulsetop-webhook', ...headers},
					body,
					signal: AbortSignal.timeout(timeoutMs),
				});
				const {statusCode: status} = response;
				await emptied(response.body);
				const isDone = status >= 200 && status < 300;
				return {isDone, status, reason: isDone ? null : `the answer was ${status}`, isFinal: false};
			} catch (error) {
				return failure(error);
			}
		},
		drop(hook) {
			void agents.get(hook)?.destroy();
			agents.delete(hook);
		},
		async close() {
			isClosed = true;
			await Promise.all([...agents.values()].map(agent => agent.destroy()));
		},
	};
}

type AnswerBody = Awaited<ReturnType<Agent['request']>>['body'];

async function emptied(body: AnswerBody): Promise<void> {
	const late = setTimeout(() => body.destroy(), ANSWER_MS);
	await body.dump({limit: ANSWER_BYTES}).catch(() => {});
	clearTimeout(late);
}

const STOPPING = 'the service is stopping';

const WORDS: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'the connection was refused',
	ECONNRESET: 'the connection was cut',
	EPIPE: 'the connection was cut',
	UND_ERR_SOCKET: 'the connection was cut',
	ENOTFOUND: 'the name was not found',
	EAI_AGAIN: 'the name could not be looked up',
	EHOSTUNREACH: 'the target cannot be reached',
	ENETUNREACH: 'the target cannot be reached',
	ETIMEDOUT: 'no connection within the time',
	UND_ERR_CONNECT_TIMEOUT: 'no connection within the time',
	UND_ERR_HEADERS_TIMEOUT: 'no answer within the time',
	UND_ERR_DESTROYED: STOPPING,
	UND_ERR_CLOSED: STOPPING,
};

function failure(error: unknown): Outcome {
	const failed = {isDone: false, status: null, isFinal: false};
	if (error instanceof AddressRefused) return {...failed, reason: error.why, isFinal: true};
	const {name, code = ''} = error as NodeJS.ErrnoException;
	if (name === 'TimeoutError') return {...failed, reason: 'no answer within the time'};
	return {...failed, reason: WORDS[code] ?? (code === '' ? 'it could not be sent' : `it could not be sent (${code})`)};
}
