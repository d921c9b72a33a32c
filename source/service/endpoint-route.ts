import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import {
	ENDPOINTS,
	type EndpointId,
	endpointOf,
	type ParsedInputOf,
	type ServedOutputOf,
} from '../contract/endpoints.ts';
import {parseRequest} from '../contract/schema.ts';
import {InvalidRequest} from '../contract/wire-error.ts';
import {servePreflight} from './cors.ts';

/**
 * Answers a call with the body of a success.
 * @param input the request as the schemas of the endpoint read it
 */
export type EndpointHandler<Id extends EndpointId> = (
	input: ParsedInputOf<Id>,
	request: FastifyRequest,
	reply: FastifyReply,
) => ServedOutputOf<Id> | Promise<ServedOutputOf<Id>>;

export interface EndpointOptions {
	/** False where the handler looks for the key itself, in the body for example. Default true. */
	readonly auth?: boolean;
	/** True where pages in a browser may ask: see `cors.ts`. Default false. */
	readonly pages?: boolean;
	/** True where the answer is made of the market. Default false. */
	readonly market?: boolean;
	/** Another path than that of the row. */
	readonly path?: string;
	/** The refusal of a request that the schemas do not read. Default: InvalidRequest naming the field. */
	readonly malformed?: (error: InvalidRequest) => Error;
}

/**
 * Registers the route of a row of the contract's table: method, path, status and form of errors come from there, and the
 * request is read by its schemas before the handler gets it.
 */
export function serveEndpoint<Id extends EndpointId>(
	app: FastifyInstance,
	id: Id,
	handler: EndpointHandler<Id>,
	options: EndpointOptions = {},
): void {
	serveRaw(app, id, (request, reply) => handler(readInput(id, request, options), request, reply), options);
}

/**
 * Registers the route of a row of the contract's table whose handler reads the request and writes the response itself:
 * one that sends prepared bytes, or that is not JSON of the table's schemas.
 */
export function serveRaw(
	app: FastifyInstance,
	id: EndpointId,
	handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
	{auth = true, pages = false, market = false, path = routeOf(id)}: EndpointOptions = {},
): void {
	const {method, status, errorForm} = endpointOf(id);
	app.route({
		method,
		url: path,
		config: {errorForm, auth, pages, market},
		handler: async (request, reply) => {
			reply.code(status);
			return handler(request, reply);
		},
	});
	if (pages) servePreflight(app, path);
}

/** The rows of the contract's table that an app has routes for. */
export function servedEndpoints(app: FastifyInstance): EndpointId[] {
	const ids = Object.keys(ENDPOINTS) as EndpointId[];
	return ids.filter(id => app.hasRoute({method: endpointOf(id).method, url: routeOf(id)}));
}

/** `/status/{intentId}` => `/status/:intentId`. */
function routeOf(id: EndpointId): string {
	return endpointOf(id).path.replace(/\{(\w+)\}/g, ':$1');
}

/** @throws InvalidRequest naming the field, or what `malformed` makes */
function readInput<Id extends EndpointId>(
	id: Id,
	request: FastifyRequest,
	{malformed}: EndpointOptions,
): ParsedInputOf<Id> {
	const {params, query, body} = endpointOf(id);
	try {
		return {
			...(params && {params: parseRequest(params(), request.params)}),
			...(query && {query: parseRequest(query(), request.query)}),
			...(body && {body: parseRequest(body(), request.body === undefined ? {} : request.body)}),
		} as ParsedInputOf<Id>;
	} catch (error) {
		throw (error instanceof InvalidRequest && malformed?.(error)) || error;
	}
}
