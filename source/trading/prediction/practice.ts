import {PREDICTION} from '../../contract/prediction.ts';
import type {ChainReader} from '../chain-reader.ts';
import {fundPracticeWallet, listPracticeChains, type PracticeService} from '../practice-funds.ts';
import type {PredictionPlace} from './checks.ts';

const CHAIN_ID = `evm:${PREDICTION.chainId}`;

/**
 * The contracts of the embedded chain, with a wallet that has coins for gas and test money there; undefined where the
 * chain does not run. Real accounts are made of code that is not known here, so only practice ones can be worked with.
 * @throws PracticeFailed, ChainUnread
 */
export async function openPracticePrediction(
	service: PracticeService,
	chains: ChainReader,
	owner: string,
): Promise<PredictionPlace | undefined> {
	const chain = (await listPracticeChains(service)).find(({chainId}) => chainId === CHAIN_ID);
	const {vaultFactory: factory, usdc: stablecoin} = chain?.contracts ?? {};
	if (factory === undefined || stablecoin === undefined) return undefined;
	if ((await chains.coins(CHAIN_ID, owner)) === 0n)
		await fundPracticeWallet({...service, chainId: CHAIN_ID, address: owner});
	if ((await chains.balance(CHAIN_ID, stablecoin, owner)) === 0n)
		await fundPracticeWallet({...service, chainId: CHAIN_ID, address: owner, token: stablecoin});
	const {symbol, decimals} = await chains.tokenInfo(CHAIN_ID, stablecoin);
	return {chainId: CHAIN_ID, factory, stablecoin, symbol, decimals};
}
