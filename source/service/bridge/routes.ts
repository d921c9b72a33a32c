import type {FastifyReply} from 'fastify';
import {BRIDGE, type ExecuteBody} from '../../contract/bridge.ts';
import {readInput, serveEndpoint} from '../endpoint-route.ts';
import {answering} from '../money-errors.ts';
import type {RouteModule} from '../service-context.ts';
import {bridgeStatusChannel} from './status-channel.ts';

/** The bridge over HTTP (spec 4.4 to 4.6, contract gaps 4). */
export const bridgeRoutes: RouteModule = {
	channels: ({money}) => [bridgeStatusChannel(money)],
	register(app, {money, credits}) {
		serveEndpoint(app, 'bridgeQuote', request =>
			answering(async () => {
				const {query} = readInput('bridgeQuote', request);
				return {data: await (await money.bridge()).quote(query)};
			}),
		);
		serveEndpoint(app, 'bridgeExecute', request =>
			answering(async () => {
				const body: ExecuteBody = readInput('bridgeExecute', request).body;
				const execute = async () => (await money.bridge()).execute(body);
				return {data: await credits.spend(request.caller, BRIDGE.credits, execute)};
			}),
		);
		serveEndpoint(app, 'bridgeStatus', request =>
			answering(async () => {
				const {params} = readInput('bridgeStatus', request);
				return {data: await (await money.bridge()).status(params.intentId)};
			}),
		);
		serveEndpoint(app, 'bridgeStatusWait', (request, reply) =>
			answering(async () => {
				const {params} = readInput('bridgeStatusWait', request);
				return {data: await (await money.bridge()).wait(params.intentId, {signal: goneSignal(reply)})};
			}),
		);
		serveEndpoint(app, 'bridgeRoutes', () =>
			answering(async () => ({data: {routes: await (await money.bridge()).routes()}})),
		);
		serveEndpoint(app, 'bridgeHistory', request =>
			answering(async () => {
				const {query} = readInput('bridgeHistory', request);
				const [{history}, {book}] = await Promise.all([import('./history.ts'), money.bridge()]);
				return history(book, query);
			}),
		);
	},
};

/**
 * Ends when the caller has hung up, or has its answer. Of the answer, not of the connection: that one lives on, and would
 * gather a listener with every call.
 */
function goneSignal({raw}: FastifyReply): AbortSignal {
	const gone = new AbortController();
	raw.once('close', () => gone.abort());
	return gone.signal;
}
