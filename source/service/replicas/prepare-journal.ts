import type {PulsetopError} from '../../errors.ts';
import type {EventLog} from '../log/event-log.ts';
import type {JournalPosition} from '../log/journal-file.ts';
import {LogTooShort} from '../log/postgres-log.ts';
import {removeDatabase, SnapshotDamaged, type Snapshots} from './snapshots.ts';

export interface PrepareJournalOptions {
	/** The journal's file. */
	readonly path: string;
	readonly log: EventLog;
	readonly snapshots: Snapshots;
	/** Position of a journal in the log. */
	readonly positionOf: (path: string) => JournalPosition | undefined;
	/** Called with a line for each snapshot that is damaged. */
	readonly fault: (line: string) => void;
}

/**
 * Makes sure that the log continues the journal, before the journal is opened. A journal that the log does not continue is
 * replaced by the newest undamaged snapshot, or removed while the log is complete.
 * @throws LogTooShort when the log begins after every snapshot; SnapshotDamaged when all are that the log continues; StoreFailed
 */
export async function prepareJournal(options: PrepareJournalOptions): Promise<void> {
	const {path, log, snapshots, positionOf, fault} = options;
	const {seq, firstSeq} = await log.head();
	const continues = (at: number): boolean => at <= seq && at + 1 >= firstSeq;
	const own = positionOf(path);
	if (own?.epoch === log.epoch && continues(own.seq) && (await hasEntry(log, own, firstSeq))) return;
	const say = ({message, why}: PulsetopError): void => fault(`${message}: ${why}. An older one or the log is used`);
	try {
		if (await snapshots.load(path, {accepts: continues, skipped: say})) return;
	} catch (error) {
		if (!(error instanceof SnapshotDamaged && firstSeq === 1)) throw error;
		say(error);
	}
	if (firstSeq > 1) throw new LogTooShort(`it begins with entry ${firstSeq}, and no snapshot reaches that`);
	await removeDatabase(path);
}

/** False when the log has another entry at the journal's position: the database was restored from a backup and has grown since. */
async function hasEntry(log: EventLog, {seq, atMs}: JournalPosition, firstSeq: number): Promise<boolean> {
	if (seq < firstSeq) return true;
	const [entry] = await log.read(seq - 1, 1);
	return entry?.atMs === atMs;
}
