import {type ChainReader, createChainReader} from './chain-reader.ts';
import type {WalletMode} from './practice.ts';
import {practiceRpcUrl} from './practice-funds.ts';

export interface ChainsOptions {
	readonly mode: WalletMode;
	/** The service, where it also serves its practice chains. */
	readonly practice?: {readonly baseUrl: string; readonly apiKey?: string};
	/** Nodes by chain id, for real chains. */
	readonly rpcUrls?: Readonly<Record<string, string>>;
}

/** The chains of a mode: in practice those of the service, else those of the nodes that the person chose. */
export function openChains({mode, practice, rpcUrls = {}}: ChainsOptions): ChainReader {
	return createChainReader({
		urlOf: chainId => (mode === 'practice' ? practice && practiceRpcUrl(practice, chainId) : rpcUrls[chainId]),
		...(mode === 'practice' && practice?.apiKey !== undefined ? {headers: {authorization: practice.apiKey}} : {}),
	});
}
