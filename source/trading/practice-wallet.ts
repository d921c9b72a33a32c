import type {Trading} from './open-trading.ts';
import {fundPracticeWallet, listPracticeChains, type PracticeService} from './practice-funds.ts';
import type {Signer} from './signer.ts';

/** The name of the wallet that is made on first use. */
export const PRACTICE_WALLET = 'practice';

/** A practice wallet, unlocked, with the token that it can send. */
export interface PracticeWallet {
	readonly signer: Signer;
	readonly address: string;
	/** Address of the test stablecoin by chain. */
	readonly usdc: Readonly<Record<string, string>>;
	/** It was made just now. */
	readonly isNew: boolean;
}

/**
 * Tokens on two chains, so that a token of either can be bought with those of the other; coins where dexA lives, whose cancels
 * cost gas.
 */
const FUNDED = {tokens: ['evm:8453', 'evm:42161'], native: 'evm:42161'} as const;

/**
 * The practice wallet of the embedded service: made and funded on first use, funded again when it is empty.
 * @throws PracticeFailed, ChainUnread
 */
export async function openPracticeWallet(trading: Trading, service: PracticeService): Promise<PracticeWallet> {
	const isNew = !trading.keystore.list().some(row => row.name === PRACTICE_WALLET);
	if (isNew) await trading.keystore.create(PRACTICE_WALLET);
	const signer = trading.choose(PRACTICE_WALLET);
	const [address, chains] = await Promise.all([signer.unlock(), listPracticeChains(service)]);
	const usdc = Object.fromEntries(
		chains.flatMap(({chainId, contracts}) => (contracts['usdc'] === undefined ? [] : [[chainId, contracts['usdc']]])),
	);
	const fundToken = async (chainId: string) => {
		const token = usdc[chainId];
		if (token === undefined || (await trading.chains.balance(chainId, token, address)) > 0n) return;
		await fundPracticeWallet({...service, chainId, address, token});
	};
	const fundCoins = async () => {
		if (!chains.some(({chainId}) => chainId === FUNDED.native)) return;
		if ((await trading.chains.coins(FUNDED.native, address)) > 0n) return;
		await fundPracticeWallet({...service, chainId: FUNDED.native, address});
	};
	// At once: each starts its chain.
	await Promise.all([...FUNDED.tokens.map(fundToken), fundCoins()]);
	return {signer, address, usdc, isNew};
}

/**
 * Gives a practice wallet test dollars on another chain than its first one, when it has none there.
 * @returns whether it was given any
 * @throws PracticeFailed, ChainUnread
 */
export async function givePracticeDollars(
	{chains}: Pick<Trading, 'chains'>,
	service: PracticeService,
	{chainId, token, address}: {readonly chainId: string; readonly token: string; readonly address: string},
): Promise<boolean> {
	const known = (await listPracticeChains(service)).find(chain => chain.chainId === chainId);
	const isDollar = known?.contracts['usdc']?.toLowerCase() === token.toLowerCase();
	if (!isDollar || (await chains.balance(chainId, token, address)) > 0n) return false;
	await fundPracticeWallet({...service, chainId, address, token});
	return true;
}
