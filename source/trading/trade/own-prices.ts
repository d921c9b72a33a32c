import type {SeenPrices} from '../../contract/trade-target.ts';

/** The price of a token on a node, US dollars; `unread` with the reason, a text of its own. */
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

/** The price by sources other than the service, or from before the request. */
export interface OwnPrices {
	readonly seen?: SeenPrices;
	/** The price of the row when the key was pressed, or the command began. */
	readonly atKeyUSD?: number;
	/** Average cost of a whole token of the position, US dollars. */
	readonly costUSD?: number;
	readonly chain: ChainPrice;
}
