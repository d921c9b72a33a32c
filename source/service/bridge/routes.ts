import type {FastifyReply} from 'fastify';
import {BRIDGE} from '../../contract/bridge.ts';
import {serveEndpoint} from '../endpoint-route.ts';
import type {RouteModule} from '../service-context.ts';
import {bridgeStatusChannel} from './status-channel.ts';

/** The bridge over HTTP (spec 4.4 to 4.6, contract gaps 4). */
export const bridgeRoutes: RouteModule = {
	channels: ({money}) => [bridgeStatusChannel(money)],
	register(app, {money, credits}) {
		serveEndpoint(app, 'bridgeQuote', async ({query}) => ({data: await (await money.bridge()).quote(query)}), {
			market: true,
		});
		serveEndpoint(app, 'bridgeExecute', async ({body}, request) => {
			const execute = async () => (await money.bridge()).execute(body);
			return {data: await credits.spend(request.caller, BRIDGE.credits, execute)};
		});
		serveEndpoint(app, 'bridgeStatus', async ({params}) => ({
			data: await (await money.bridge()).status(params.intentId),
		}));
		serveEndpoint(app, 'bridgeStatusWait', async ({params}, _request, reply) => ({
			data: await (await money.bridge()).wait(params.intentId, {signal: closeSignal(reply)}),
		}));
		serveEndpoint(app, 'bridgeRoutes', async () => ({data: {routes: await (await money.bridge()).routes()}}));
		serveEndpoint(app, 'bridgeHistory', async ({query}) => {
			const [{history}, {book}] = await Promise.all([import('./history.ts'), money.bridge()]);
			return history(book, query);
		});
	},
};

/**
 * Aborts when the caller has hung up or the response is sent. The signal belongs to the response: the connection lives
 * on and would gather a listener with every call.
 */
function closeSignal({raw}: FastifyReply): AbortSignal {
	const closed = new AbortController();
	raw.once('close', () => closed.abort());
	return closed.signal;
}
