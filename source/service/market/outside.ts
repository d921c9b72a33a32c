import {PulsetopError} from '../../errors.ts';
import type {HeldToken} from './held-token.ts';

/**
 * A token as a trade from outside the simulation sees it, now. Amounts are in whole units, as everywhere in the market;
 * its texts are hostile, as in the feed.
 */
export interface OutsideToken {
	/** See entryKey. */
	readonly key: string;
	readonly chainId: string;
	/** With its checksum, as the feed has it. */
	readonly address: string;
	/** Empty when the feed has none. */
	readonly name: string;
	readonly symbol: string;
	readonly decimals: number;
	readonly supply: number;
	readonly deployer: string;
	readonly phase: 'curve' | 'pool';
	/** The deployer took 97 % of the pool's reserves. */
	readonly isRugged: boolean;
	/** As the feed reports it; undefined is unknown, which is not false. */
	readonly isHoneypot: boolean | undefined;
	/** Parts from 0 to 1, as the feed reports them; undefined is unknown, which is not 0. */
	readonly buyTax: number | undefined;
	readonly sellTax: number | undefined;
	/** Part from 0 to 1: on top of what a buyer pays, off what a seller gets. */
	readonly fee: number;
	readonly reserveToken: number;
	readonly reserveQuote: number;
	/** Tokens that a curve can still sell; Infinity for a pool. */
	readonly left: number;
	/** US dollars for one quote coin. */
	readonly quoteUSD: number;
	/** The quote reserve in US dollars, in whole micro-dollars; in a hold exactly, so that a chain can have the same. */
	readonly reserveUSD: number;
	/** The market's clock, Unix ms. */
	readonly timeMs: number;
}

/** Why a token is not traded: not in the market, between its curve and its pool, emptied by its deployer, worth nothing. */
export interface Untradable {
	readonly why: 'unknown' | 'migrating' | 'rugged' | 'price-unknown';
}

/** A trade that happened on a chain, from its log. Amounts in whole units and US dollars. */
export interface OutsideTrade {
	readonly side: 'buy' | 'sell';
	readonly wallet: string;
	/** Tokens that left (buy) or entered (sell) the reserve. */
	readonly poolTokens: number;
	/** Tokens that the wallet got after the tax (buy) or gave before it (sell). */
	readonly traderTokens: number;
	/** Into (buy) or out of (sell) the reserve; the fee is not in it. */
	readonly usd: number;
	readonly feeUSD: number;
	/** Hash of the transaction. */
	readonly tx: string;
}

/** The reserves of a pool as a chain has them, in whole units and US dollars. */
export interface ChainPool {
	readonly reserveToken: number;
	readonly reserveUSD: number;
	/** Tokens that a curve can still sell; Infinity for a pool. */
	readonly left: number;
}

/** A token whose own trades wait, so that a chain can have the same reserves while a trade is mined. */
export interface Hold {
	readonly token: OutsideToken;
	/**
	 * Applies the amounts of one trade to the reserves, and emits its events. The hold goes on. A trade of an earlier hold
	 * may be settled in a later one, as long as nothing was copied to the chain in between.
	 * @throws HoldEnded after the hold; TradeImpossible for amounts that no trade with these reserves can have
	 */
	settle(trade: OutsideTrade): void;
	/**
	 * Sets the reserves to those of the chain, without an event: for a trade whose log is lost.
	 * @throws HoldEnded after the hold; TradeImpossible for reserves that no pool can have
	 */
	reconcile(pool: ChainPool): void;
	/** Lets the token's own trades go on; a second call does nothing. */
	release(): void;
}

/** Trades with the tokens of a simulated market by wallets that are no part of it. */
export interface OutsideMarket {
	/** The token as it is now. A token that is not loaded makes the market load its history. */
	find(key: string): OutsideToken | Untradable;
	/** Waits until earlier holds of the token have ended. A hold ends by itself after HOLD_MS. */
	hold(key: string): Promise<Hold | Untradable>;
	/** The facts that a later run needs to go on with a token; undefined for one that the market does not have. */
	heldFacts(key: string): HeldToken | undefined;
	/** The facts of all tokens that wallets from outside hold and that have changed since the last call. */
	takeChangedHeld(): readonly HeldToken[];
}

/** The longest hold: a chain mines a trade within milliseconds, and the feed shows a token that stands still. */
export const HOLD_MS = 1000;

export function isUntradable(found: OutsideToken | Hold | Untradable): found is Untradable {
	return 'why' in found;
}

/** A trade was to be settled after its hold. */
export class HoldEnded extends PulsetopError {
	readonly code = 'hold-ended';

	constructor(key: string) {
		super('The trade was not entered in the market', {
			why: `the hold of ${key} has ended; its token trades again`,
			next: 'retry-same',
			advice: 'Settle the same trade in a new hold.',
		});
	}
}

/** The amounts of a trade do not fit the reserves. */
export class TradeImpossible extends PulsetopError {
	readonly code = 'trade-impossible';

	constructor(key: string, why: string) {
		super('The trade was not entered in the market', {why: `${key}: ${why}`, next: 'report'});
	}
}
