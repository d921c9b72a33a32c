import type {SeenPrices} from '../traded-token.ts';

/** What a node says a token costs, US dollars; `unread` with the reason, to be read on its own. */
export type ChainPrice =
	| {
			readonly kind: 'read';
			readonly usd: number;
			/** Where: `Uniswap V2`. */
			readonly place: string;
			/** Money of its pool. */
			readonly depthUSD: number;
	  }
	| {readonly kind: 'unread'; readonly why: string};

/** What the program knows of a price without the service, or knew before the service was asked. */
export interface OwnPrices {
	readonly seen?: SeenPrices;
	/** The price of the row when the key was pressed, or the command began. */
	readonly atKeyUSD?: number;
	/** Average cost of a whole token of the position, US dollars. */
	readonly costUSD?: number;
	readonly chain: ChainPrice;
}
