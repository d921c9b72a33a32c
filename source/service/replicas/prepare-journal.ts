import type {EventLog} from './event-log.ts';
import type {Position} from './position.ts';
import {LogTooShort} from './postgres-log.ts';
import {removeDatabase, type Snapshots} from './snapshots.ts';

export interface PrepareJournalOptions {
	/** The journal's file. */
	readonly path: string;
	readonly log: EventLog;
	readonly snapshots: Snapshots;
	/** Where a journal stands in the log. */
	readonly positionOf: (path: string) => Position | undefined;
}

/**
 * Sees to it that a journal can go on in the log, before it is opened: one that does is left as it is. Otherwise the newest
 * snapshot takes its place, or, while the log has everything, nothing.
 * @throws LogTooShort when the log begins behind every snapshot; SnapshotDamaged, StoreFailed
 */
export async function prepareJournal({path, log, snapshots, positionOf}: PrepareJournalOptions): Promise<void> {
	const {seq, firstSeq} = await log.head();
	const goesOn = (at: number): boolean => at <= seq && at + 1 >= firstSeq;
	const own = positionOf(path);
	if (own?.epoch === log.epoch && goesOn(own.seq)) return;
	const newest = await snapshots.newest();
	if (newest && goesOn(newest.seq)) await snapshots.load(path);
	else if (firstSeq === 1) await removeDatabase(path);
	else throw new LogTooShort(`it begins with entry ${firstSeq}, and no snapshot reaches that`);
}
