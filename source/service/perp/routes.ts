import type {FastifyRequest} from 'fastify';
import type {PerpAction} from '../../contract/perp.ts';
import {InvalidRequest, quoteForMessage} from '../../contract/wire-error.ts';
import {readInput, serveEndpoint} from '../endpoint-route.ts';
import {Refused} from '../http-error.ts';
import {answering} from '../money-errors.ts';
import type {RouteModule} from '../service-context.ts';
import {positionsChannel} from './positions-channel.ts';

const PAYLOADS = {
	perpCancelOrder: 'cancel-order',
	perpCreateOrder: 'create-order',
	perpClosePosition: 'close-position',
	perpEditOrder: 'edit-order',
	perpUpdateMargin: 'update-margin',
	perpWithdraw: 'withdraw',
	perpDeposit: 'deposit',
	perpCreateAccount: 'create-account',
} as const satisfies Readonly<Record<string, PerpAction>>;

type Listing = 'perpUnfilled' | 'perpOpen';

/** Perpetuals over HTTP (spec 4.7 to 4.9, contract gaps 5). */
export const perpRoutes: RouteModule = {
	channels: ({money}) => [positionsChannel(money)],
	register(app, {money}) {
		for (const [id, action] of Object.entries(PAYLOADS) as [keyof typeof PAYLOADS, PerpAction][]) {
			serveEndpoint(app, id, request =>
				answering(async () => ({success: true, data: await (await money.perp()).payload(action, request.body)})),
			);
		}
		serveEndpoint(app, 'perpExecute', request => answering(async () => (await money.perp()).execute(request.body)));
		serveEndpoint(app, 'perpCheckProcess', request =>
			answering(async () => {
				const {processId} = readInput('perpCheckProcess', request).query;
				const process = (await money.perp()).process(processId);
				if (process === undefined) throw new Refused(404, 'There is no such process');
				const {status, errorMessage} = process;
				return {processId, status, ...(errorMessage === null ? {} : {errorMessage})};
			}),
		);
		const list = (id: Listing, request: FastifyRequest) =>
			answering(async () => {
				const {query} = readInput(id, request);
				const perp = await money.perp();
				const {isAddress, getAddress} = await import('viem');
				if (!isAddress(query.wallet, {strict: false})) {
					throw new InvalidRequest('wallet', 'must be an EVM address', `got ${quoteForMessage(query.wallet)}`);
				}
				const chainIds = query.chainIds ?? (query.chainId === undefined ? undefined : [query.chainId]);
				const question = {...query, wallet: getAddress(query.wallet), chainIds};
				return {data: await (id === 'perpOpen' ? perp.open(question) : perp.unfilled(question))};
			});
		serveEndpoint(app, 'perpUnfilled', request => list('perpUnfilled', request));
		serveEndpoint(app, 'perpOpen', request => list('perpOpen', request));
		// The older path, as the documents of cancelling name it (contract gaps 5.1).
		app.get('/api/2/wallet/perp/orders', request => list('perpUnfilled', request));
	},
};
