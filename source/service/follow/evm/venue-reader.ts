import type {LogFilter} from './block-stream.ts';
import {DecodeFailed} from './event-data.ts';
import type {Log} from './log.ts';
import type {Address, Decode, Hex, Venue, VenueEvent} from './venue.ts';

/** ERC-20 `Transfer(address indexed from, address indexed to, uint256 value)`. */
export const TRANSFER: Hex = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Addresses with the topics that they write. */
export type FilterParts = NonNullable<LogFilter['parts']>;

/** `OwnershipTransferred(address indexed previousOwner, address indexed newOwner)` of tokens with an owner. */
const NEW_OWNER: Hex = '0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0';

/** Topics of tokens' logs that are read. */
export const TOKEN_TOPICS: readonly Hex[] = [TRANSFER, NEW_OWNER];

/** A log with what it says. */
export type ReadLog = VenueLog | TransferLog | OwnerLog;

export interface VenueLog {
	readonly kind: 'venue';
	readonly log: Log;
	readonly venue: Venue;
	readonly event: VenueEvent;
}

export interface TransferLog {
	readonly kind: 'transfer';
	readonly log: Log;
	readonly from: Address;
	readonly to: Address;
	readonly amount: bigint;
}

export interface OwnerLog {
	readonly kind: 'owner';
	readonly log: Log;
	readonly owner: Address;
}

/** Reads the logs of one chain by the contracts and pools that wrote them. */
export class VenueReader {
	/** Contracts that are always followed. */
	readonly contracts: ReadonlyMap<Address, readonly Venue[]>;
	/** First topics of everything that can be read. */
	readonly topics: readonly Hex[];
	/** Logs of contracts and pools that no decoder could read, and the blocks that hold them. */
	unread = 0;
	unreadBlocks = 0;
	#lastUnreadBlock = -1;
	readonly #venues: ReadonlyMap<string, Venue>;
	readonly #keepers: ReadonlySet<Address>;

	constructor(venues: readonly Venue[], chain: number) {
		const contracts = new Map<Address, Venue[]>();
		for (const venue of venues) {
			for (const address of venue.contracts[chain] ?? [])
				contracts.set(address, [...(contracts.get(address) ?? []), venue]);
		}
		this.contracts = contracts;
		this.#venues = new Map(venues.map(venue => [venue.id, venue]));
		this.#keepers = new Set(venues.flatMap(({keepers}) => keepers?.[chain] ?? []));
		const topics = venues.flatMap(venue => [...Object.keys(venue.events), ...Object.keys(venue.poolEvents ?? {})]);
		this.topics = [...new Set([...(topics as Hex[]), ...TOKEN_TOPICS])];
	}

	/** The topics that contracts write, beside those of pools in managers. */
	contractParts(): FilterParts {
		return [...this.contracts].map(([address, venues]) => ({
			addresses: [address],
			topics: venues.flatMap(({events}) => Object.keys(events) as Hex[]),
		}));
	}

	/** The topics that pools of a venue write. */
	poolTopics(venueId: string): readonly Hex[] {
		return Object.keys(this.#venues.get(venueId)?.poolEvents ?? {}) as Hex[];
	}

	/** Whether a contract belongs to a venue: it holds tokens for others. */
	isOfVenue(address: Address): boolean {
		return this.contracts.has(address) || this.#keepers.has(address);
	}

	venue(id: string): Venue | undefined {
		return this.#venues.get(id);
	}

	/** Contracts that hold pools of their own (Uniswap V4), with the topics of the events of those pools. */
	managers(): {readonly addresses: readonly Address[]; readonly topics: readonly Hex[]} {
		const managers = [...this.contracts].filter(([, venues]) => venues.some(venue => venue.managedEvents));
		const topics = managers.flatMap(([, venues]) => venues.flatMap(venue => Object.keys(venue.managedEvents ?? {})));
		return {addresses: managers.map(([address]) => address), topics: [...new Set(topics as Hex[])]};
	}

	/** The event in a log of a venue's own contract; undefined when it says nothing, or cannot be read. */
	contractEvent(log: Log): VenueLog | undefined {
		for (const venue of this.contracts.get(log.address) ?? []) {
			const topic = log.topics[0];
			const decode = topic && (venue.events[topic] ?? venue.managedEvents?.[topic]);
			const event = decode && this.#decode(decode, log);
			if (event) return {kind: 'venue', log, venue, event};
		}
		return undefined;
	}

	/** The event in a log of a pool. */
	poolEvent(log: Log, venueId: string): VenueLog | undefined {
		const venue = this.#venues.get(venueId);
		const topic = log.topics[0];
		const decode = topic && venue?.poolEvents?.[topic];
		const event = decode && this.#decode(decode, log);
		return venue && event ? {kind: 'venue', log, venue, event} : undefined;
	}

	/** Logs of any topic of contracts that are no managers: what is in none of their tables counts as unread. */
	everything(): LogFilter {
		const managers = new Set(this.managers().addresses);
		return {addresses: [...this.contracts.keys()].filter(address => !managers.has(address)), topics: []};
	}

	/** Counts the logs whose topics no table has. */
	noteUnknown(logs: readonly Log[]): void {
		for (const log of logs) {
			const [topic] = log.topics;
			const venues = this.contracts.get(log.address) ?? [];
			if (topic && !venues.some(({events, skipped}) => topic in events || skipped.includes(topic)))
				this.#noteUnread(log);
		}
	}

	#decode(decode: Decode, log: Log): VenueEvent | undefined {
		try {
			return decode(log);
		} catch (error) {
			if (!(error instanceof DecodeFailed)) throw error;
			this.#noteUnread(log);
			return undefined;
		}
	}

	#noteUnread({blockNumber}: Log): void {
		this.unread++;
		if (blockNumber !== this.#lastUnreadBlock) this.unreadBlocks++;
		this.#lastUnreadBlock = blockNumber;
	}
}

/** The event in a log of any token. */
export function readTokenLog(log: Log): TransferLog | OwnerLog | undefined {
	const [topic, , owner] = log.topics;
	if (topic !== NEW_OWNER) return readTransfer(log);
	return owner && log.topics.length === 3 ? {kind: 'owner', log, owner: addressOf(owner)} : undefined;
}

/** A transfer of a token that follows ERC-20; undefined for other logs of the same topic, such as those of ERC-721. */
export function readTransfer(log: Log): TransferLog | undefined {
	const [topic, from, to] = log.topics;
	if (topic !== TRANSFER || !from || !to || log.topics.length !== 3 || log.data.length !== 66) return undefined;
	return {kind: 'transfer', log, from: addressOf(from), to: addressOf(to), amount: BigInt(log.data)};
}

function addressOf(topic: Hex): Address {
	return `0x${topic.slice(26)}`;
}
