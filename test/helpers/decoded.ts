import type {Log} from '../../source/service/follow/evm/log.ts';
import type {Venue, VenueEvent} from '../../source/service/follow/evm/venue.ts';

/** What a venue reads in a log, of its contracts or of its pools. @throws when the venue does not know the topic */
export function decoded(venue: Venue, log: Log): VenueEvent | undefined {
	const topic = log.topics[0]!;
	const decode = venue.events[topic] ?? venue.poolEvents?.[topic] ?? venue.managedEvents?.[topic];
	if (decode === undefined) throw new Error(`${venue.name} does not know ${topic}`);
	return decode(log);
}
