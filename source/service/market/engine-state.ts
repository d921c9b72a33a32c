import type {Buckets} from './buckets.ts';
import type {Reputation} from './reputation.ts';
import type {Rows} from './rows.ts';
import type {Listing} from './token.ts';
import type {Wallets} from './wallets.ts';

/** The part of the engine that figures are computed from. */
export interface EngineState {
	/** ROW bits, by row. */
	readonly bits: Uint8Array;
	readonly rows: Rows;
	readonly buckets: Buckets;
	readonly wallets: Wallets;
	readonly reputation: Reputation;
	/** The token and the pool of a live row. @throws RangeError for a free one */
	listing(row: number): Listing;
	/** The main row of a row's token. */
	mainRow(row: number): number;
	/** Window figures of a row as of now: WINDOW_LANES for each of WINDOWS_8. Valid until the next call. */
	windows(row: number): Float64Array;
	/** True for a row whose token has left its bonding curve, or never had one. */
	isBonded(row: number): boolean;
}
