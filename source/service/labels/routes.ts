import {serveEndpoint} from '../endpoint-route.ts';
import type {RouteModule} from '../service-context.ts';

/** POST /api/1/wallet/labels (spec 4.10): one record a wallet, in the requested order. */
export const labelsRoutes: RouteModule = {
	register(app, {market}) {
		serveEndpoint(
			app,
			'walletLabels',
			({body: {walletAddresses, tokenAddress}}) => ({
				data: market.walletLabels([walletAddresses].flat(), tokenAddress),
			}),
			{market: true},
		);
	},
};
