import {createBrotliDecompress, createGunzip} from 'node:zlib';
import type {Dispatcher} from 'undici';
import {connectionCode, connectionWords} from '../connection-words.ts';
import {isLoopback} from '../loopback.ts';
import {ProxyFailed} from '../proxy.ts';
import {createProxiedAgent} from './proxied-agent.ts';
import {type Refusal, readRefusal, refusalIn} from './refusals.ts';
import {
	callsLeft,
	parseAnswer,
	retryAfterMs,
	type Transport,
	TransportFailed,
	type TransportOptions,
} from './transport.ts';

/** Longest body that is read of an answer without success. */
const MAX_REFUSAL_BYTES = 64 * 1024;
const CONNECT_MS = 8000;

/** JSON-RPC over http or https, with connections kept open. */
export function createHttpTransport({url, deadlineMs, maxBytes, received, counted}: TransportOptions): Transport {
	const connectTimeout = Math.min(CONNECT_MS, deadlineMs);
	const agent = createProxiedAgent({connections: 4, connectTimeout, maxResponseSize: -1});
	const headers: Record<string, string> = {
		'content-type': 'application/json',
		accept: 'application/json',
		...(isLoopback(url.hostname) ? {} : {'accept-encoding': 'gzip, br'}),
		...(url.username === '' && url.password === '' ? {} : {authorization: basic(url)}),
	};

	const post = async (body: string): Promise<unknown> => {
		const signal = AbortSignal.timeout(deadlineMs);
		try {
			const answer = await agent.request(url, {method: 'POST', headers, body, signal});
			const text = await readText(answer, {maxBytes, received});
			const counts = callsLeft(answer.headers, Date.now());
			if (counts) counted?.(counts.left, counts.forMs);
			return readAnswer(answer, text);
		} catch (error) {
			throw signal.aborted ? new TransportFailed('timeout', `no answer within ${deadlineMs / 1000} s`) : failure(error);
		}
	};

	return {
		async send(body) {
			const text = JSON.stringify(body);
			try {
				return await post(text);
			} catch (error) {
				// A kept connection that the node has closed meanwhile. Reads may be asked twice.
				if (error instanceof TransportFailed && error.message === KEPT_CONNECTION_ENDED) return post(text);
				throw error;
			}
		},
		close: () => agent.destroy(),
	};
}

const KEPT_CONNECTION_ENDED = 'the connection ended before the answer';

function failure(error: unknown): TransportFailed {
	if (error instanceof TransportFailed) return error;
	if (error instanceof ProxyFailed) return new TransportFailed('unreachable', error.why);
	const code = connectionCode(error);
	if (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE') {
		return new TransportFailed('unreachable', KEPT_CONNECTION_ENDED);
	}
	if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
		return new TransportFailed('closed', 'it was closed here');
	return new TransportFailed('unreachable', connectionWords(error));
}

function readAnswer({statusCode, headers}: Dispatcher.ResponseData, text: string): unknown {
	if (statusCode === 200) return parseAnswer(text);
	const answer = readRefused(statusCode, text);
	const retry = retryAfterMs(headers['retry-after'], Date.now());
	if (statusCode === 429) {
		const meaning: Refusal = readRefusal(refusalIn(answer) ?? {code: statusCode, message: ''}, '');
		const {waitMs, perSecond} = meaning.kind === 'wait' ? meaning : {};
		const why = 'it answered HTTP 429, too many requests';
		throw new TransportFailed('rate-limited', why, retry ?? waitMs, perSecond);
	}
	if (answer !== undefined) return answer;
	if (statusCode === 413) throw new TransportFailed('too-long', 'it answered HTTP 413, the request is too long for it');
	const kind = statusCode >= 500 ? 'unreachable' : 'rejected';
	throw new TransportFailed(kind, `it answered HTTP ${statusCode}`, retry);
}

/** Many nodes put a JSON-RPC error, or a sentence that says what they ask for, into an answer with another status. */
function readRefused(statusCode: number, text: string): unknown {
	if (/"jsonrpc"|"error"/.test(text)) {
		try {
			return JSON.parse(text);
		} catch {}
	}
	if (/^\s*</.test(text)) return undefined;
	const error = {code: statusCode, message: text};
	const {kind} = readRefusal({...error, code: 0}, 'eth_getLogs');
	return ['wait', 'range', 'logs', 'batch', 'too-old'].includes(kind) ? {error} : undefined;
}

async function readText(
	{statusCode, headers, body}: Dispatcher.ResponseData,
	{maxBytes, received}: Pick<TransportOptions, 'maxBytes' | 'received'>,
): Promise<string> {
	const most = statusCode === 200 ? maxBytes : MAX_REFUSAL_BYTES;
	let wireBytes = 0;
	body.on('data', (chunk: Buffer) => {
		wireBytes += chunk.length;
	});
	const plain = decompressed(body, headers['content-encoding']);
	const chunks: Buffer[] = [];
	let bytes = 0;
	try {
		for await (const chunk of plain as AsyncIterable<Buffer>) {
			bytes += chunk.length;
			if (bytes > most && statusCode === 200)
				throw new TransportFailed('too-long', `its answer is longer than ${most / 1024 / 1024} MB`);
			if (bytes > most) break;
			chunks.push(chunk);
		}
	} finally {
		received(wireBytes);
		body.on('error', () => {}).destroy();
	}
	return Buffer.concat(chunks).toString('utf8');
}

function decompressed(body: Dispatcher.ResponseData['body'], encoding: unknown): NodeJS.ReadableStream {
	if (encoding === undefined || encoding === 'identity') return body;
	const decompress = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : undefined;
	if (decompress === undefined)
		throw new TransportFailed('garbled', 'its answer is compressed in a way that was not asked for');
	body.on('error', error => decompress.destroy(error));
	return body.pipe(decompress);
}

function basic({username, password}: URL): string {
	const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
	return `Basic ${Buffer.from(pair).toString('base64')}`;
}
