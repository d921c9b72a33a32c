import type {ParsedInputOf} from '../../contract/endpoints.ts';
import type {PerpAction} from '../../contract/perp.ts';
import {InvalidRequest, quoteForMessage} from '../../contract/wire-error.ts';
import {serveEndpoint} from '../endpoint-route.ts';
import {Refused} from '../http-error.ts';
import type {RouteModule} from '../service-context.ts';
import type {ListingQuery} from './listing.ts';
import {perpRefusal} from './perp-refusal.ts';
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

/** Perpetuals over HTTP (spec 4.7 to 4.9, contract gaps 5). */
export const perpRoutes: RouteModule = {
	channels: ({money}) => [positionsChannel(money)],
	register(app, {money}) {
		const malformed = ({path, message, why}: InvalidRequest) =>
			perpRefusal('malformed', {reason: `${message} (${why})`, ...(path !== '' && {field: path})});
		for (const [id, action] of Object.entries(PAYLOADS) as [keyof typeof PAYLOADS, PerpAction][]) {
			serveEndpoint(
				app,
				id,
				async ({body}) => ({success: true, data: await (await money.perp()).payload(action, body)}),
				{malformed},
			);
		}
		serveEndpoint(app, 'perpExecute', async ({body}) => (await money.perp()).execute(body), {malformed});
		serveEndpoint(app, 'perpCheckProcess', async ({query: {processId}}) => {
			const process = await (await money.perp()).process(processId);
			if (process === undefined) throw new Refused(404, 'There is no such process');
			const {status, errorMessage} = process;
			return {processId, status, ...(errorMessage === null ? {} : {errorMessage})};
		});
		serveEndpoint(app, 'perpOpen', async ({query}) => ({
			data: await (await money.perp()).open(await listingOf(query)),
		}));
		const unfilled = async ({query}: ParsedInputOf<'perpUnfilled'>) => ({
			data: await (await money.perp()).unfilled(await listingOf(query)),
		});
		serveEndpoint(app, 'perpUnfilled', unfilled);
		// The older path, as the documents of cancelling name it (contract gaps 5.1).
		serveEndpoint(app, 'perpUnfilled', unfilled, {path: '/api/2/wallet/perp/orders'});
	},
};

/** @throws InvalidRequest for a wallet that is not an EVM address */
async function listingOf(query: ParsedInputOf<'perpOpen' | 'perpUnfilled'>['query']): Promise<ListingQuery> {
	const {isAddress, getAddress} = await import('viem');
	if (!isAddress(query.wallet, {strict: false})) {
		throw new InvalidRequest('wallet', 'must be an EVM address', `got ${quoteForMessage(query.wallet)}`);
	}
	const chainIds = query.chainIds ?? (query.chainId === undefined ? undefined : [query.chainId]);
	return {...query, wallet: getAddress(query.wallet), chainIds};
}
