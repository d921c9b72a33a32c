import type {Address, Venue} from './venue.ts';
import {AERODROME, SLIPSTREAM} from './venues/aerodrome.ts';
import {LETS_CASH, O1, POOLS_TRADE} from './venues/born-in-pools.ts';
import {CLANKER} from './venues/clanker.ts';
import {DOPPLER} from './venues/doppler.ts';
import {FLAP} from './venues/flap.ts';
import {FOUR_MEME} from './venues/four-meme.ts';
import {PONS_V2} from './venues/pons.ts';
import {FLAP_V2, PANCAKESWAP_V2, QUICKSWAP_V2, UNISWAP_V2} from './venues/uniswap-v2.ts';
import {PANCAKESWAP_V3, UNISWAP_V3} from './venues/uniswap-v3.ts';
import {UNISWAP_V4} from './venues/uniswap-v4.ts';
import {VIRTUALS, VIRTUALS_V5} from './venues/virtuals.ts';
import {ZORA} from './venues/zora.ts';

/** Every venue that is known. */
export const VENUES: readonly Venue[] = [
	UNISWAP_V2,
	PANCAKESWAP_V2,
	QUICKSWAP_V2,
	FLAP_V2,
	UNISWAP_V3,
	PANCAKESWAP_V3,
	AERODROME,
	SLIPSTREAM,
	UNISWAP_V4,
	FOUR_MEME,
	FLAP,
	CLANKER,
	ZORA,
	VIRTUALS,
	PONS_V2,
	DOPPLER,
	O1,
	POOLS_TRADE,
	LETS_CASH,
	VIRTUALS_V5,
];

/** The venues with contracts on a chain. */
export function venuesOf(chain: number): readonly Venue[] {
	return VENUES.filter(({contracts}) => contracts[chain] !== undefined);
}

/** The venues by their contracts' addresses, in lower case. */
export function venueContracts(chain: number): ReadonlyMap<Address, Venue> {
	return new Map(venuesOf(chain).flatMap(venue => (venue.contracts[chain] ?? []).map(address => [address, venue])));
}

/** The venue of an id; undefined for an unknown one. */
export function findVenue(id: string): Venue | undefined {
	return VENUES.find(venue => venue.id === id);
}
