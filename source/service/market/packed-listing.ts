import type {Profile} from './events.ts';
import {packProfile, unpackProfile} from './packed-profile.ts';
import {type Listing, NO_ROWS, type Token, type Venue} from './token.ts';

/** What many tokens share is packed as a number. */
export interface Shared {
	readonly chains: readonly string[];
	readonly venues: readonly Venue[];
}

const KINDS = ['token', 'quote', 'lp'] as const;
/** Stands for an address that is the pool's. */
const SAME = 0;
/** Ends the head; JSON holds none. */
const SEAM = '\n';
const SEAM_BYTES = Buffer.from(SEAM);

type Head = [
	chain: number,
	address: string,
	kind: number,
	symbol: string | null,
	name: string | null,
	decimals: number,
	deployer: number,
	launchBlock: number,
	launchVenue: number,
	curveAddress: string | null | typeof SAME,
	holdersReported: 0 | 1,
	pool: string | null,
	venue: number,
	preBondingFactory?: string | null,
	oldPrices?: number[] | null,
];

/**
 * A dead token with one pool as one string, which is a byte a character: a Buffer would take a hundred bytes more. Up to
 * the line feed it is the head, JSON in UTF-8: what figures and searches need, quick to read. The rest is the profile.
 *
 * What only a living token has (who bought at the launch) is lost.
 */
export function packListing({token, pool, venue}: Listing, {chains, venues}: Shared): string {
	const head: Head = [
		chains.indexOf(token.chainId),
		token.address,
		KINDS.indexOf(token.kind),
		token.symbol,
		token.name,
		token.decimals,
		token.deployer,
		token.launchBlock,
		token.launchVenue === null ? -1 : venues.indexOf(token.launchVenue),
		token.curveAddress !== null && token.curveAddress === pool ? SAME : token.curveAddress,
		token.holdersReported ? 1 : 0,
		pool,
		venue === null ? -1 : venues.indexOf(venue),
		token.preBondingFactory,
		token.oldPrices,
	];
	// Most have neither of the last two.
	while (head.at(-1) === null) head.pop();
	const headBytes = Buffer.from(JSON.stringify(head));
	return Buffer.concat([headBytes, SEAM_BYTES, packProfile(token.profile, headBytes)]).toString('latin1');
}

/** What was packed. A new object each time, for reading only: its profile is unpacked when first asked for. */
export function unpackListing(row: number, text: string, {chains, venues}: Shared): Listing {
	const seam = text.indexOf(SEAM);
	const headBytes = Buffer.from(text.slice(0, seam), 'latin1');
	const [
		chain,
		address,
		kind,
		symbol,
		name,
		decimals,
		deployer,
		launchBlock,
		launchVenue,
		curveAddress,
		holdersReported,
		pool,
		venue,
		preBondingFactory = null,
		oldPrices = null,
	] = JSON.parse(headBytes.toString()) as Head;
	let profile: Profile | undefined;
	const token: Token = {
		chainId: chains[chain]!,
		address,
		kind: KINDS[kind]!,
		symbol,
		name,
		decimals,
		deployer,
		launchBlock,
		launchVenue: venues[launchVenue] ?? null,
		curveAddress: curveAddress === SAME ? pool : curveAddress,
		holdersReported: holdersReported === 1,
		preBondingFactory,
		get profile() {
			profile ??= unpackProfile(Buffer.from(text.slice(seam + 1), 'latin1'), headBytes);
			return profile;
		},
		row,
		otherRows: NO_ROWS,
		launchBuyers: null,
		oldPrices,
		isCompact: true,
	};
	return {token, pool, venue: venues[venue] ?? null};
}

/**
 * A test of packed listings for a text in lower case, without unpacking them: false only for those whose address, symbol
 * and name surely hold it nowhere, in whatever case.
 */
export function mayHold(text: string): (packed: string) => boolean {
	const wanted = JSON.stringify(text).slice(1, -1);
	// Lower case of what is not ASCII (and some of it has ASCII for lower case) is not to be had from its bytes.
	const isPlain = !BEYOND_ASCII.test(text);
	return packed => {
		const head = packed.slice(0, packed.indexOf(SEAM));
		return BEYOND_ASCII.test(head) || (isPlain && head.toLowerCase().includes(wanted));
	};
}

const BEYOND_ASCII = /[^\0-\x7f]/;
