import type {VenueCount} from '../node-check.ts';
import {DecodeFailed} from './event-data.ts';
import type {Log} from './log.ts';
import type {Address, Hex, Venue} from './venue.ts';
import {VenueReader} from './venue-reader.ts';
import {venuesOf} from './venues.ts';

/** Addresses and topics for a first question about the logs of a chain. */
export interface FollowedContracts {
	/** Addresses and topics that following asks for before it follows any token. */
	readonly addresses: readonly Address[];
	readonly topics: readonly Hex[];
	/** Questions for what the contracts wrote whatever it is; contracts that hold every pool of an exchange are asked for what is known only. */
	readonly parts: readonly {readonly addresses: readonly Address[]; readonly topics: readonly Hex[]}[];
}

/** The contracts that are always followed on a chain. */
export function followedContracts(chain: number): FollowedContracts {
	const reader = new VenueReader(venuesOf(chain), chain);
	const managers = new Set(reader.managers().addresses);
	const addresses = [...reader.contracts.keys()];
	const busyTopics = [...managers].flatMap(address =>
		reader.contracts.get(address)!.flatMap(venue => keysOf(venue.events)),
	);
	const parts = [
		{addresses: addresses.filter(address => !managers.has(address)), topics: []},
		{addresses: [...managers], topics: [...new Set(busyTopics)]},
	];
	return {
		addresses,
		topics: [...new Set(venuesOf(chain).flatMap(venue => keysOf(venue.events)))],
		parts: parts.filter(part => part.addresses.length > 0),
	};
}

/** Counts logs of those contracts by venue, every venue of the chain among them. */
export function countByVenue(logs: readonly Log[], chain: number): VenueCount[] {
	return venuesOf(chain).map(venue => {
		const own = new Set<string>(venue.contracts[chain]);
		const counts = {known: 0, skipped: 0, unknown: 0};
		const blocks = new Set<number>();
		for (const log of logs) {
			if (!own.has(log.address)) continue;
			const kind = kindOf(log, venue, chain);
			if (kind === undefined) continue;
			counts[kind]++;
			if (kind === 'unknown') blocks.add(log.blockNumber);
		}
		return {venue: venue.id, name: venue.name, ...counts, blocksWithUnknown: blocks.size};
	});
}

/** Undefined: the event belongs to another venue of the same contract. */
function kindOf(log: Log, venue: Venue, chain: number): 'known' | 'skipped' | 'unknown' | undefined {
	const topic = log.topics[0];
	if (topic === undefined) return 'unknown';
	const decode = venue.events[topic];
	if (decode) return reads(() => decode(log)) ? 'known' : 'unknown';
	if (venue.skipped.includes(topic) || venue.managedEvents?.[topic] || venue.poolEvents?.[topic]) return 'skipped';
	const others = venuesOf(chain).filter(other => other !== venue && other.contracts[chain]?.includes(log.address));
	return others.some(other => other.events[topic] ?? other.managedEvents?.[topic]) ? undefined : 'unknown';
}

function reads(decode: () => unknown): boolean {
	try {
		decode();
		return true;
	} catch (error) {
		if (error instanceof DecodeFailed) return false;
		throw error;
	}
}

function keysOf(events: Readonly<Record<Hex, unknown>>): Hex[] {
	return Object.keys(events) as Hex[];
}
