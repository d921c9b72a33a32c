import type {JournalPosition} from '../follow/journal-file.ts';
import type {EventLog} from './event-log.ts';
import {LogTooShort} from './postgres-log.ts';
import {removeDatabase, type Snapshots} from './snapshots.ts';

export interface PrepareJournalOptions {
	/** The journal's file. */
	readonly path: string;
	readonly log: EventLog;
	readonly snapshots: Snapshots;
	/** Where a journal stands in the log. */
	readonly positionOf: (path: string) => JournalPosition | undefined;
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
	if (own?.epoch === log.epoch && goesOn(own.seq) && (await hasEntry(log, own, firstSeq))) return;
	const newest = await snapshots.newest();
	if (newest && goesOn(newest.seq)) await snapshots.load(path);
	else if (firstSeq === 1) await removeDatabase(path);
	else throw new LogTooShort(`it begins with entry ${firstSeq}, and no snapshot reaches that`);
}

/** False when the entry of a journal is another in the log: the database was restored from a backup, and written on. */
async function hasEntry(log: EventLog, {seq, atMs}: JournalPosition, firstSeq: number): Promise<boolean> {
	if (seq < firstSeq) return true;
	const [entry] = await log.read(seq - 1, 1);
	return entry?.atMs === atMs;
}
