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

/** Where a sponsored bridge begins, and where dexA lives, whose cancels cost gas. */
const FUNDED = {token: 'evm:8453', native: 'evm:42161'} as const;

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
	const token = usdc[FUNDED.token];
	const fundToken = async () => {
		if (token === undefined || (await trading.chains.balance(FUNDED.token, token, address)) > 0n) return;
		await fundPracticeWallet({...service, chainId: FUNDED.token, address, token});
	};
	const fundCoins = async () => {
		if (!chains.some(({chainId}) => chainId === FUNDED.native)) return;
		if ((await trading.chains.coins(FUNDED.native, address)) > 0n) return;
		await fundPracticeWallet({...service, chainId: FUNDED.native, address});
	};
	// At once: each starts its chain.
	await Promise.all([fundToken(), fundCoins()]);
	return {signer, address, usdc, isNew};
}
