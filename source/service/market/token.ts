import type {LargeHolder, PoolFacts, Profile} from './events.ts';

/** Everything about a pool but its address. Shared by all pools of the same kind. */
export type Venue = Omit<PoolFacts, 'address'>;

/** The facts about a token, without figures. One object a token; its pools' rows share it. */
export interface Token {
	readonly chainId: string;
	/** As the API writes it (EVM with checksum). */
	readonly address: string;
	readonly kind: 'token' | 'quote' | 'lp';
	readonly symbol: string | null;
	readonly name: string | null;
	readonly decimals: number;
	/** Wallet number, 0 when unknown. */
	readonly deployer: number;
	readonly launchBlock: number;
	/** Where the token was launched; unchanged when the token moves. */
	readonly launchVenue: Venue | null;
	readonly curveAddress: string | null;
	/** False from the first gap on. */
	holdersReported: boolean;
	/** The largest holders that the chain itself named last, and when; null where it was not asked. */
	largest: {readonly timeMs: number; readonly holders: readonly LargeHolder[]} | null;
	/** Balances are moved by transfers alone, not by trades. */
	readonly movedByTransfers: boolean;
	preBondingFactory: string | null;
	/** How often it moved to a new main pool. */
	migrations: number;
	profile: Profile;
	/** The token's main row, and the rows of its other pools. */
	row: number;
	otherRows: readonly number[];
	/** Buyers of the launch block by funder, while they can still prove to be a bundle; then null. */
	launchBuyers: readonly {readonly wallet: number; readonly funder: number}[] | null;
	/** Points older than the buckets, two numbers each: second and price. */
	oldPrices: number[] | null;
	/** Dead: its wallets without a balance are forgotten. */
	isCompact: boolean;
}

/** One row: a token in one of its pools. */
export interface Listing {
	readonly token: Token;
	/** The pool's address as the API writes it. */
	readonly pool: string | null;
	readonly venue: Venue | null;
}

/** Shared by all tokens with one pool: thousands of empty lists would be a megabyte. */
export const NO_ROWS: readonly number[] = [];

/** True for the address that new coins come from. */
export function isMintAddress(address: string): boolean {
	return address === ZERO;
}

/** True for an address without a known key. */
export function isBurnAddress(address: string): boolean {
	return BURN.has(address) || BURN.has(address.toLowerCase());
}

const ZERO = '0x0000000000000000000000000000000000000000';
const BURN = new Set([
	ZERO,
	'0x000000000000000000000000000000000000dead',
	'1nc1nerator11111111111111111111111111111111',
]);
