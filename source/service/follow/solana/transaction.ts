import {type ProgramEvent, type ReadLogs, readLogs} from './invoke-stack.ts';
import type {LogsOfTransaction} from './log-stream.ts';
import type {SolanaEvent} from './venue.ts';
import {MIGRATIONS} from './venues/launch-lab.ts';
import {METEORA_DBC} from './venues/meteora-dbc.ts';
import {decodeEvent, VENUE_OF_PROGRAM} from './venues/venues.ts';

const METEORA_CALL = `Program ${METEORA_DBC.program} invoke `;
const PROGRAMS: ReadonlySet<string> = new Set(VENUE_OF_PROGRAM.keys());

/** The effects of a transaction in the followed venues. */
export interface Transaction {
	readonly slot: number;
	readonly signature: string;
	readonly events: readonly SolanaEvent[];
	/** Its logs were cut or contradict each other: the transaction itself has to be read. */
	readonly isIncomplete: boolean;
	/** A token moved to a pool that only the transaction itself names. */
	readonly movesToPool: boolean;
	/** Meteora's launchpad took part, whose events stand in the transaction itself. */
	readonly callsMeteora: boolean;
	/** Events that no decoder knows, or that have bytes which are newer than the decoder. */
	readonly unknown: number;
}

/** Reads the logs of a transaction. */
export function transactionOf({slot, signature, lines}: LogsOfTransaction): Transaction {
	const read = readLogs(lines, PROGRAMS);
	return {
		slot,
		signature,
		...decodeAll(read.events),
		isIncomplete: read.isCut || read.isBroken,
		movesToPool: namesMigration(read),
		callsMeteora: lines.some(line => line.startsWith(METEORA_CALL)),
	};
}

/** The events that programs wrote, decoded, and how many are unknown. */
export function decodeAll(written: readonly ProgramEvent[]): Pick<Transaction, 'events' | 'unknown'> {
	const events: SolanaEvent[] = [];
	let unknown = 0;
	for (const {program, data} of written) {
		const decoded = decodeOne(program, Buffer.from(data, 'base64'));
		if (decoded) events.push(decoded.event);
		if (decoded === null || (decoded && decoded.extra > 0)) unknown++;
	}
	return {events, unknown};
}

function decodeOne(program: string, bytes: Uint8Array): ReturnType<typeof decodeEvent> {
	const venue = VENUE_OF_PROGRAM.get(program);
	if (venue === undefined) return undefined;
	try {
		return decodeEvent(venue, bytes);
	} catch {
		// Bytes that are no such event: as unknown as an event without a decoder.
		return null;
	}
}

function namesMigration({instructions}: ReadLogs): boolean {
	return instructions.some(({name}) => MIGRATIONS.has(name));
}
