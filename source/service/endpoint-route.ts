import type {FastifyInstance, FastifyReply, FastifyRequest} from 'fastify';
import type * as z from 'zod';
import {ENDPOINTS, type EndpointId, endpointOf} from '../contract/endpoints.ts';
import {parseRequest} from '../contract/schema.ts';
import {answerPreflight} from './open-to-pages.ts';

/** Answers a call: what it returns is the body, unless it has sent one itself. */
export type EndpointHandler = (request: FastifyRequest, reply: FastifyReply) => unknown;

/**
 * Registers the route of a row of the contract's table: method, path, status and form of errors come from there.
 * @param auth false where the handler looks for the key itself, in the body for one
 * @param pages true where pages in a browser may ask: see `open-to-pages.ts`
 */
export function serveEndpoint(
	app: FastifyInstance,
	id: EndpointId,
	handler: EndpointHandler,
	{auth = true, pages = false}: {readonly auth?: boolean; readonly pages?: boolean} = {},
): void {
	const {method, status, errorForm} = endpointOf(id);
	app.route({
		method,
		url: routeOf(id),
		config: {errorForm, auth, pages},
		handler: async (request, reply) => {
			reply.code(status);
			return handler(request, reply);
		},
	});
	if (pages) answerPreflight(app, routeOf(id));
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

type Row<Id extends EndpointId> = (typeof ENDPOINTS)[Id];
type Part<Name extends 'params' | 'query' | 'body', R> = R extends {
	readonly [N in Name]: () => infer S extends z.ZodType;
}
	? {readonly [N in Name]: z.output<S>}
	: unknown;

/** A request as the endpoint's schemas read it. */
export type ParsedInput<Id extends EndpointId> = Part<'params', Row<Id>> &
	Part<'query', Row<Id>> &
	Part<'body', Row<Id>>;

/**
 * Reads a request by the schemas of its endpoint.
 * @throws InvalidRequest naming the field
 */
export function readInput<Id extends EndpointId>(id: Id, request: FastifyRequest): ParsedInput<Id> {
	const {params, query, body} = endpointOf(id);
	return {
		...(params ? {params: parseRequest(params(), request.params)} : {}),
		...(query ? {query: parseRequest(query(), request.query)} : {}),
		...(body ? {body: parseRequest(body(), request.body === undefined ? {} : request.body)} : {}),
	} as ParsedInput<Id>;
}
