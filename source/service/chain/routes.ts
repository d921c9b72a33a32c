import {evmChainNumber} from '../../chains/chains.ts';
import {type DevChain, devRpcParamsSchema} from '../../contract/practice.ts';
import {parseRequest} from '../../contract/schema.ts';
import {serveEndpoint, serveRaw} from '../endpoint-route.ts';
import {Refused} from '../http-error.ts';
import type {RouteModule} from '../service-context.ts';
import type {Chain, ChainSet} from './chain-set.ts';

/**
 * Routes that a wallet needs for the chains, outside the API of the spec: addresses of contracts, a filtered RPC, and test
 * tokens on practice chains. Another client can practise with nothing else (docs/service.md).
 */
export const chainRoutes: RouteModule = {
	register(app, {money}) {
		serveEndpoint(app, 'devChains', async () => {
			const chains = await money.chains();
			return {data: await Promise.all(chains.infos.map(({id}) => describe(chains, id)))};
		});
		// A mistake in the body is answered as JSON-RPC.
		serveRaw(app, 'devRpc', async request => {
			const {chainId} = parseRequest(devRpcParamsSchema(), request.params);
			const chain = await (await money.chains()).ready(evmChainNumber(chainId)!);
			const {proxyRpc} = await import('./rpc-proxy.ts');
			return proxyRpc(chain.rpc, request.body);
		});
		serveEndpoint(app, 'devFaucet', async ({body: {chainId, address, token}}) => {
			const [{getAddress}, {give, NoFaucet}] = await Promise.all([import('viem'), import('./faucet.ts')]);
			const chain = await (await money.chains()).ready(evmChainNumber(chainId)!);
			try {
				const given = await give(chain, getAddress(address), token === 'native' ? token : getAddress(token));
				return {data: {amountRaw: given.amountRaw.toString(), txHash: given.txHash ?? null}};
			} catch (error) {
				if (error instanceof NoFaucet) throw new Refused(400, `${error.message}: ${error.why}`);
				throw error;
			}
		});
	},
};

async function describe(chains: ChainSet, id: number): Promise<DevChain> {
	const {kind, isNew, addresses} = chains.outline(id);
	const {carriedTokens, missingStock} = await import('./stock.ts');
	// A real node is free to ask, and only its chain says what the service's accounts lack.
	const real: Chain | undefined = kind === 'external' ? await chains.ready(id).catch(() => undefined) : undefined;
	const missing = await (real && missingStock(real).catch(() => undefined));
	const contracts = addresses ?? real?.addresses;
	const {key, name, nativeSymbol} = chains.infos.find(info => info.id === id)!;
	return {
		chainId: key,
		name,
		nativeSymbol,
		kind,
		...chains.state(id),
		isNew,
		...(contracts && {contracts: {...contracts}, tokens: [...carriedTokens(contracts)]}),
		...(missing && {missing}),
	};
}
