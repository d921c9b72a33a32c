import type {DecodedEvent, SolanaVenue} from '../venue.ts';
import {LAUNCH_LAB} from './launch-lab.ts';
import {PUMP} from './pump.ts';
import {PUMP_SWAP} from './pump-swap.ts';

/** Programs that are followed, one subscription each. */
export const SOLANA_VENUES: readonly SolanaVenue[] = [PUMP, PUMP_SWAP, LAUNCH_LAB];

export const VENUE_OF_PROGRAM: ReadonlyMap<string, SolanaVenue> = new Map(
	SOLANA_VENUES.map(venue => [venue.program, venue]),
);

/** The event in bytes of a program. Undefined: a known event without a meaning for a market. Null: no decoder knows it. */
export function decodeEvent(venue: SolanaVenue, bytes: Uint8Array): DecodedEvent | undefined | null {
	if (bytes.length < 8) return null;
	const key = Buffer.from(bytes.buffer, bytes.byteOffset, 8).toString('hex');
	const read = Object.hasOwn(venue.events, key) ? venue.events[key] : undefined;
	if (read) return read(bytes);
	return venue.skipped.has(key) ? undefined : null;
}
