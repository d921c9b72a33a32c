import {Refused} from '../http-error.ts';
import {answering} from '../money-errors.ts';
import type {RouteModule} from '../service-context.ts';
import type {ChainSet} from './chain-set.ts';
import {chainIdOf} from './chains.ts';

/**
 * What a developer's wallet needs of the chains, outside the API of the spec: where their contracts stand, a filtered
 * RPC, and test tokens on practice chains.
 */
export const chainRoutes: RouteModule = {
	register(app, {money}) {
		app.get('/dev/chains', () =>
			answering(async () => {
				const chains = await money.chains();
				chains.start();
				return {data: await Promise.all(chains.infos.map(({id}) => describe(chains, id)))};
			}),
		);
		app.post<{Params: {chainId: string}}>('/dev/rpc/:chainId', request =>
			answering(async () => {
				const chain = await (await money.chains()).ready(knownChain(request.params.chainId));
				const {proxyRpc} = await import('./rpc-proxy.ts');
				return proxyRpc(chain.rpc, request.body);
			}),
		);
		app.post('/dev/faucet', request =>
			answering(async () => {
				const {chainId, address, token = 'native'} = (request.body ?? {}) as Record<string, unknown>;
				const [{isAddress, getAddress}, {give, NoFaucet}] = await Promise.all([import('viem'), import('./faucet.ts')]);
				const isKnown = (text: unknown): text is string => typeof text === 'string' && isAddress(text, {strict: false});
				if (!isKnown(address)) throw new Refused(400, 'address must be an EVM address');
				if (token !== 'native' && !isKnown(token)) throw new Refused(400, 'token must be an EVM address or native');
				const chain = await (await money.chains()).ready(knownChain(chainId));
				try {
					const given = await give(chain, getAddress(address), token === 'native' ? token : getAddress(token));
					return {data: {amountRaw: given.amountRaw.toString(), txHash: given.txHash ?? null}};
				} catch (error) {
					if (error instanceof NoFaucet) throw new Refused(400, `${error.message}: ${error.why}`);
					throw error;
				}
			}),
		);
	},
};

function knownChain(key: unknown): number {
	const id = typeof key === 'string' ? chainIdOf(key) : undefined;
	if (id === undefined) throw new Refused(400, 'chainId must be an EVM chain, evm:8453 for one');
	return id;
}

async function describe(chains: ChainSet, id: number): Promise<Record<string, unknown>> {
	const chain = await chains.ready(id).catch(() => undefined);
	const {key, name, nativeSymbol} = chains.infos.find(info => info.id === id)!;
	const common = {chainId: key, name, nativeSymbol, ...chains.state(id)};
	return chain === undefined ? common : {...common, kind: chain.kind, contracts: chain.addresses};
}
