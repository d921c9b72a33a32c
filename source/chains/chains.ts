import {foldAddress} from '../address.ts';
import {ARBITRUM} from './arbitrum.ts';
import {BASE} from './base.ts';
import {BNB} from './bnb.ts';
import type {Chain} from './chain.ts';
import {ETHEREUM} from './ethereum.ts';
import {NAMED} from './named.ts';
import {OPTIMISM} from './optimism.ts';
import {POLYGON} from './polygon.ts';
import {ROBINHOOD} from './robinhood.ts';
import {SOLANA} from './solana.ts';
import {UNICHAIN} from './unichain.ts';

const ALL = [BASE, BNB, ARBITRUM, POLYGON, ETHEREUM, ROBINHOOD, UNICHAIN, SOLANA, OPTIMISM, ...NAMED] as const;

type Followed = Extract<(typeof ALL)[number], {readonly follow: unknown}>;

/** Names that `--follow` takes. */
export type FollowedChainName = Followed['follow']['name'];

/** Every chain that the program knows. */
export const CHAINS: readonly Chain[] = ALL;

const BY_ID: ReadonlyMap<string, Chain> = new Map(CHAINS.map(chain => [chain.id, chain]));

/** The chain of an id; undefined for an unknown one. */
export function findChain(chainId: string): Chain | undefined {
	return BY_ID.get(chainId);
}

/** The name of a chain, or its id where it has none here. */
export function chainName(chainId: string): string {
	return BY_ID.get(chainId)?.name ?? chainId;
}

/** Symbol of a chain's own coin. */
export function coinOf(chainId: string): string {
	return BY_ID.get(chainId)?.coin.symbol ?? 'native coin';
}

/** The token that wraps the native coin, EVM addresses in lower case; undefined when unknown. */
export function wrappedNativeOf(chainId: string): string | undefined {
	const address = BY_ID.get(chainId)?.quotes?.[0]?.address;
	return address && foldAddress(address);
}

/** How many decimals the dollars of a chain have: USDC, USDT, and USDG of Robinhood Chain; undefined where that is not known. */
export function dollarDecimalsOf(chainId: string): number | undefined {
	return BY_ID.get(chainId)?.quotes?.find(({price}) => price?.kind === 'dollar')?.decimals;
}

/** `evm:8453` => 8453; undefined for other namespaces and for numbers that are not written plainly. */
export function evmChainNumber(chainId: string): number | undefined {
	const digits = /^evm:([1-9]\d{0,15})$/.exec(chainId)?.[1];
	const number = Number(digits);
	return Number.isSafeInteger(number) ? number : undefined;
}
