import type {PoolFacts, Profile} from './events.ts';

/** A pool's kind of place: everything about it but its address. Shared by all pools of the kind. */
export type Venue = Omit<PoolFacts, 'address'>;

/** What the engine knows of a token besides figures. One object a token; its pools' rows share it. */
export interface Token {
	readonly chainId: string;
	/** As the wire writes it (EVM with checksum). */
	readonly address: string;
	readonly kind: 'token' | 'quote' | 'lp';
	readonly symbol: string | null;
	readonly name: string | null;
	readonly decimals: number;
	/** Wallet number, 0 when unknown. */
	readonly deployer: number;
	readonly launchBlock: number;
	/** Where it was launched; that stays when the token moves. */
	readonly launchVenue: Venue | null;
	readonly curveAddress: string | null;
	readonly holdersReported: boolean;
	preBondingFactory: string | null;
	profile: Profile;
	/** The row that stands for the token, and the rows of its other pools. */
	row: number;
	otherRows: readonly number[];
	/** Buyers of the launch block by funder, while they can still turn out to be a bundle; then null. */
	launchBuyers: readonly {readonly wallet: number; readonly funder: number}[] | null;
	/** Points older than the buckets reach, two numbers each: second and price. */
	oldPrices: number[] | null;
	/** Dead: its empty-handed wallets are forgotten. */
	isCompact: boolean;
}

/** One row: a token in one of its pools. */
export interface Listing {
	readonly token: Token;
	/** The pool's address as the wire writes it. */
	readonly pool: string | null;
	readonly venue: Venue | null;
}

/** For all that have none: thousands of empty lists would be a megabyte. */
export const NO_ROWS: readonly number[] = [];

/** True for an address that nobody can spend from. */
export function isBurnAddress(address: string): boolean {
	return BURN.has(address) || BURN.has(address.toLowerCase());
}

const BURN = new Set([
	'0x0000000000000000000000000000000000000000',
	'0x000000000000000000000000000000000000dead',
	'1nc1nerator11111111111111111111111111111111',
]);
