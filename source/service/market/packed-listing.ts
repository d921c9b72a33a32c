import type {Profile} from './events.ts';
import {type Listing, NO_ROWS, type Token, type Venue} from './token.ts';

/** What many tokens share is packed as a number. */
export interface Shared {
	readonly chains: readonly string[];
	readonly venues: readonly Venue[];
}

/** In the order of their numbers, which are the names in a packed profile. */
const PROFILE = [
	'description',
	'logo',
	'uri',
	'twitter',
	'website',
	'telegram',
	'otherSocials',
	'twitterRenames',
	'tokenType',
	'screener',
	'live',
	'security',
	'securityScore',
	'isSpam',
	'launchFlags',
] as const satisfies readonly (keyof Profile)[];
const KINDS = ['token', 'quote', 'lp'] as const;
/** Stands for an address that is the pool's. */
const SAME = 0;

type Packed = [
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
	preBondingFactory: string | null,
	oldPrices: number[] | null,
	pool: string | null,
	venue: number,
	profile: Record<number, unknown>,
];

/**
 * A dead token with one pool as one string: a third of what its objects and texts take. It is JSON in UTF-8, a byte a
 * character, because a single emoji would make every character of a string take two.
 * What only a living token has (who bought at the launch) is lost; so is the difference between a missing fact and a null.
 */
export function packListing({token, pool, venue}: Listing, {chains, venues}: Shared): string {
	const profile: Record<number, unknown> = {};
	for (const [number, name] of PROFILE.entries()) {
		const fact = token.profile[name];
		if (fact != null) profile[number] = fact;
	}
	const packed: Packed = [
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
		token.preBondingFactory,
		token.oldPrices,
		pool,
		venue === null ? -1 : venues.indexOf(venue),
		profile,
	];
	return Buffer.from(JSON.stringify(packed)).toString('latin1');
}

/** What was packed. A new object each time. */
export function unpackListing(row: number, text: string, {chains, venues}: Shared): Listing {
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
		preBondingFactory,
		oldPrices,
		pool,
		venue,
		facts,
	] = JSON.parse(Buffer.from(text, 'latin1').toString()) as Packed;
	const profile: Record<string, unknown> = {};
	for (const number in facts) profile[PROFILE[number as unknown as number]!] = facts[number];
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
		profile: profile as Profile,
		row,
		otherRows: NO_ROWS,
		launchBuyers: null,
		oldPrices,
		isCompact: true,
	};
	return {token, pool, venue: venues[venue] ?? null};
}

/**
 * A test of packed listings for a text in lower case, without unpacking them: false only for those that surely hold it
 * nowhere, in whatever case.
 */
export function mayHold(text: string): (packed: string) => boolean {
	const wanted = JSON.stringify(text).slice(1, -1);
	// Lower case of what is not ASCII (and some of it has ASCII for lower case) is not to be had from its bytes.
	const isPlain = !BEYOND_ASCII.test(text);
	return packed => BEYOND_ASCII.test(packed) || (isPlain && packed.toLowerCase().includes(wanted));
}

const BEYOND_ASCII = /[^\0-\x7f]/;
