import type {EvmChain} from '../../../chains/evm-chains.ts';
import type {QuoteCoin, Security} from '../../market/events.ts';
import type {FollowedTokens} from './followed-tokens.ts';
import type {TokenFacts} from './token-facts.ts';
import type {Address, Hex} from './venue.ts';
import type {ReadLog, TransferLog, VenueReader} from './venue-reader.ts';

/** The logs of one transaction, in their order. */
export interface Transaction {
	readonly block: number;
	readonly timeMs: number;
	readonly hash: Hex;
	readonly logs: readonly ReadLog[];
}

/** The inputs, besides its logs, that the meaning of a transaction depends on. */
export interface Surroundings {
	readonly chain: EvmChain;
	readonly reader: VenueReader;
	/** Changed by the transaction. */
	readonly state: FollowedTokens;
	/** Facts of tokens that are launched here, from calls. */
	facts(token: Address): TokenFacts | undefined;
	/** Flags from the trial of a pair that opens here, or of a token that is launched here. */
	trial(key: Hex): Security | undefined;
	/** Transfers of a token without a launchpad in the blocks before its pool opened and in that one; undefined when not known. */
	history(token: Address): readonly TransferLog[] | undefined;
	/** Coins, read by calls, that price a pool here and are no quote coins of the chain. */
	coin(address: Address): QuoteCoin | undefined;
	/** US dollars of a quote coin of the chain. */
	usd(coin: Address, timeMs: number): number | null;
}
