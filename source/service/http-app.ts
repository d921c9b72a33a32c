import {randomUUID} from 'node:crypto';
import type {IncomingMessage} from 'node:http';
import fastify, {type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify';
import type {ErrorForm} from '../contract/error-body.ts';
import {POSITION_HEADER} from '../contract/pulse-response.ts';
import {InvalidRequest} from '../contract/wire-error.ts';
import {isLocalRequest, presentedKey} from './auth.ts';
import {CORS_HEADERS} from './cors.ts';
import {errorBody, type RefusalDetails, Refused} from './http-error.ts';
import {checkDepth, RateLimiter} from './limits.ts';
import {limitConnections} from './listen.ts';
import {formatPosition} from './log/position.ts';
import type {MarketLog} from './market/market.ts';
import {temporaryCause} from './money-errors.ts';
import type {Readiness} from './readiness.ts';
import type {ServiceContext} from './service-context.ts';
import {createStoreFaults} from './store-faults.ts';

/** The HTTP side without routes: keys, rate limits, sizes, and the form of every failure. */
export function createApp(context: ServiceContext): FastifyInstance {
	const {limits} = context;
	const app = fastify({
		bodyLimit: limits.bodyBytes,
		requestTimeout: limits.requestMs,
		connectionTimeout: limits.idleMs,
		keepAliveTimeout: 72_000,
		forceCloseConnections: true,
		routerOptions: {ignoreTrailingSlash: true, maxParamLength: 200},
		http: {headersTimeout: limits.requestMs, connectionsCheckingInterval: Math.min(limits.requestMs, 5000)},
		clientErrorHandler: refuseBadHttp,
		genReqId: requestIdOf,
		// The contract's own schemas read requests, so fastify's compilers are not loaded.
		schemaController: {compilersFactory: {buildValidator: noSchemas, buildSerializer: noSchemas}},
	});
	limitConnections(app.server, limits.openConnections);
	app.decorateRequest('caller', '');
	const parseJson = app.getDefaultJsonParser('error', 'error');
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', {parseAs: 'string'}, (request, body, done) => {
		if (body === '') done(null, undefined);
		else parseJson(request, body as string, done);
	});
	admit(app, context);
	app.addHook('onSend', finishResponse);
	if (context.market.log) answerAsReplica(app, context.market.log, context.readiness);
	app.addHook('preValidation', async request => {
		if (request.body !== undefined) checkDepth(request.body, limits.bodyDepth);
	});
	const reports = {fault: context.fault, storeFault: createStoreFaults(context.fault)};
	app.setErrorHandler((error, request, reply) => answerError(reports, error, request, reply));
	answerUnknown(app);
	return app;
}

/** A shorter body is not worth its compression, bytes. */
const MIN_COMPRESSED = 1024;

/** Compresses a response for a caller that asks for compression. A response to an address with a key stays out of every cache. */
async function finishResponse(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
	if (queryOf(request.url).has('apiKey')) reply.header('cache-control', 'no-store');
	if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
	if (reply.hasHeader('content-encoding') || !/json|^text\/|svg/.test(String(reply.getHeader('content-type'))))
		return payload;
	reply.header('vary', 'accept-encoding');
	if (Buffer.byteLength(payload) < MIN_COMPRESSED || !acceptsGzip(request.headers['accept-encoding'])) return payload;
	const {gzip} = process.getBuiltinModule('node:zlib');
	const {promisify} = process.getBuiltinModule('node:util');
	reply.removeHeader('content-length').header('content-encoding', 'gzip');
	return promisify(gzip)(payload);
}

/** Whether an Accept-Encoding allows gzip (RFC 9110, 12.5.3). */
function acceptsGzip(accepted: string | string[] | undefined): boolean {
	const weights = new Map(
		String(accepted ?? '')
			.toLowerCase()
			.split(',')
			.map(part => {
				const [name = '', ...parameters] = part.split(';').map(text => text.trim());
				const weight = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
				return [name, weight === undefined ? 1 : Number(weight)] as const;
			}),
	);
	return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0;
}

const REQUEST_ID = 'x-request-id';

/** The id that a caller gave a request, where it has a form that logs can hold, else a new one. */
function requestIdOf({headers}: Pick<IncomingMessage, 'headers'>): string {
	const given = headers[REQUEST_ID];
	return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

function noSchemas(): never {
	throw new Error('a route must not bring schemas of its own');
}

/** Keys and rate limits, before the body is read. */
function admit(app: FastifyInstance, context: ServiceContext): void {
	const {keyring, limits} = context;
	const rates = new RateLimiter({perSecond: limits.requestsPerSecond, burst: limits.requestBurst});
	app.addHook('onRequest', async (request, reply) => {
		reply.header(REQUEST_ID, request.id);
		if (request.routeOptions.config.pages) reply.headers(CORS_HEADERS);
		if (!isHost(request.headers.host)) throw new Refused(400, 'The Host header is not the name of a host');
		const key = presentedKey(request.headers, queryOf(request.url));
		const identity = context.auth ? keyring.identify(key) : undefined;
		request.caller = identity ?? `address:${request.ip}`;
		const {granted, remaining, waitMs} = rates.take(request.caller, performance.now());
		reply.header('x-ratelimit-limit', limits.requestBurst);
		reply.header('x-ratelimit-remaining', remaining);
		reply.header('x-ratelimit-reset', Math.ceil((Date.now() + waitMs) / 1000));
		if (!granted) {
			const headers = {'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000)))};
			throw new Refused(429, 'Too many requests', {next: 'retry-later', headers});
		}
		const encoding = request.headers['content-encoding'];
		if (encoding !== undefined && encoding !== 'identity') {
			const refused = {headers: {'accept-encoding': 'identity'}};
			throw new Refused(415, 'A compressed body is not read: send it without Content-Encoding', refused);
		}
		if (request.is404) return;
		if (!context.auth && !isLocalRequest(request.headers)) {
			throw new Refused(403, 'Without keys this service answers programs on its own machine only');
		}
		if (context.auth && identity === undefined && request.routeOptions.config.auth !== false) {
			throw new Refused(401, key === undefined ? 'An API key is required' : 'The API key is not valid');
		}
	});
}

/**
 * On a replica every answer says how far its market had read the log when it was made. Handlers of the market answer from
 * one moment, and right after this hook; they do not while only a part of the market is there.
 */
function answerAsReplica(app: FastifyInstance, {epoch, seq}: MarketLog, readiness: Readiness): void {
	app.addHook('preHandler', async (request, reply) => {
		if (request.routeOptions.config.market && readiness.isJoining())
			throw new Refused(503, 'This replica is still reading the market', {next: 'retry-later'});
		reply.header(POSITION_HEADER, formatPosition({epoch, seq: seq()}));
	});
}

/** A name or an address, with or without a port: the host is written into answers. HTTP/1.0 sends no Host header. */
function isHost(host: string | undefined): boolean {
	return host === undefined || /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i.test(host);
}

function queryOf(url: string): URLSearchParams {
	const at = url.indexOf('?');
	return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

/** The service itself asks for a missing chain or store again, about twice a second. */
const SOON = {'retry-after': '1'};

/** Reports of failures to the owner of the service. */
interface Reports {
	/** A bug. */
	fault(during: string, error: unknown): void;
	/** A possible failure of the store that is no outage. */
	storeFault(during: string, error: unknown): void;
}

function answerError({fault, storeFault}: Reports, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
	const form: ErrorForm = request.routeOptions.config.errorForm ?? 'standard';
	const {statusCode, message, headers, details} = failureOf(error);
	const during = `${request.method} ${request.routeOptions.url} (request ${request.id})`;
	if (statusCode === 500) fault(during, error);
	if (statusCode === 503) storeFault(during, error);
	const intentId = (request.body as {intentId?: unknown} | null | undefined)?.intentId;
	reply
		.code(statusCode)
		.headers(statusCode === 503 ? {...SOON, ...headers} : headers)
		.send(
			errorBody(form, statusCode, message, {intentId: typeof intentId === 'string' ? intentId : undefined, details}),
		);
}

interface Failure {
	readonly statusCode: number;
	readonly message: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly details?: RefusalDetails;
}

/** The failure as its caller reads it: the reason when a chain or a store is away, nothing about a bug. */
function failureOf(error: unknown): Failure {
	const headers = {};
	const cause = temporaryCause(error);
	if (cause !== undefined) return {statusCode: 503, message: `${cause.message}: ${cause.why}`, headers};
	if (error instanceof Refused) return error;
	if (error instanceof InvalidRequest) {
		return {statusCode: 400, message: `${error.message} (${error.why})`, headers};
	}
	const {code, statusCode} = error as Partial<FastifyError>;
	switch (code) {
		case 'FST_ERR_CTP_INVALID_JSON_BODY':
		case 'FST_ERR_CTP_EMPTY_JSON_BODY':
			return {statusCode: 400, message: 'Body is not valid JSON', headers};
		case 'FST_ERR_CTP_BODY_TOO_LARGE':
			// The connection stays open: a client that is still sending would be cut before it reads the answer.
			return {statusCode: 413, message: 'The body is too large', headers};
		case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
			return {statusCode: 415, message: 'The content type must be application/json', headers};
	}
	if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
		return {statusCode, message: (error as Error).message, headers};
	}
	return {statusCode: 500, message: 'The service failed to answer', headers};
}

/** 404 in the standard form; 405 where the path exists for other methods. */
function answerUnknown(app: FastifyInstance): void {
	const known: {method: string; parts: readonly string[]}[] = [];
	app.addHook('onRoute', ({url, method}) => {
		for (const one of [method].flat()) known.push({method: one, parts: url.split('/')});
	});
	app.setNotFoundHandler((request, reply) => {
		const path = request.url.split('?', 1)[0]!;
		const parts = path.split('/');
		const allowed = known.filter(route => samePath(route.parts, parts)).map(route => route.method);
		const statusCode = allowed.length > 0 ? 405 : 404;
		if (statusCode === 405) reply.header('allow', [...new Set(allowed)].join(', '));
		const message = `Cannot ${request.method} ${path.slice(0, 200)}`;
		reply.code(statusCode).send(errorBody('standard', statusCode, message));
	});
}

function samePath(pattern: readonly string[], parts: readonly string[]): boolean {
	return pattern.length === parts.length && pattern.every((part, i) => part.startsWith(':') || part === parts[i]);
}

/** Input that is not HTTP, or comes too slowly, gets a short answer and the connection ends. */
function refuseBadHttp(this: FastifyInstance, error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
	if (error.code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}
	const statusCode = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
	const message = {400: 'Bad Request', 408: 'Request Timeout', 431: 'Request Header Fields Too Large'}[statusCode];
	const body = JSON.stringify(errorBody('standard', statusCode, message!));
	socket.end(
		`HTTP/1.1 ${statusCode} ${message}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
			`Connection: close\r\n\r\n${body}`,
	);
}
