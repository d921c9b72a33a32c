/** The followed chains, and how they are followed. Plain data: it crosses to the service's thread. */
export interface FollowOptions {
	readonly chains: readonly FollowedChain[];
	/** How much of the past is read first, in milliseconds; default 0. */
	readonly backfillMs?: number;
	/** Whether the documents are read that tokens name on the chain: descriptions and links. Default: no, and they are unknown. */
	readonly allowFetch?: boolean;
	/** Where documents of `ipfs://` are asked for; without it they are not read. */
	readonly ipfsGateway?: string;
}

/** One chain and its nodes. */
export interface FollowedChain {
	/** `evm:8453`. */
	readonly chainId: string;
	/** The name that the user gave: `base`. */
	readonly name: string;
	/** http, https, ws or wss; the first is preferred. Secret: may hold a key, reaches no log, no screen and no error. */
	readonly urls: readonly string[];
	/** Blocks behind the head that are shown; default by chain. */
	readonly confirmations?: number;
	/** Maximum number of followed tokens; default: see maxTokensOf. */
	readonly maxTokens?: number;
	/** US dollars for one native coin, where the user sets it: prices of the chain are not read then. Solana only. */
	readonly nativeUSD?: number;
	/** Whether tokens of Meteora's launchpad are followed. Solana only; default no: each of its transactions costs a call. */
	readonly meteoraDbc?: boolean;
}

const MAX_TOKENS = 1000;
/** A token of Solana costs no call of its own. */
const MAX_SOLANA_TOKENS = 20_000;

/** The maximum number of followed tokens of a chain. */
export function maxTokensOf({chainId, maxTokens}: FollowedChain): number {
	return maxTokens ?? (chainId.startsWith('solana:') ? MAX_SOLANA_TOKENS : MAX_TOKENS);
}
