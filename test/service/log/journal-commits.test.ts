import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {entryKey} from '../../../source/contract/entry.ts';
import {Journal} from '../../../source/service/log/journal.ts';
import {JournalFailed, type KeptState} from '../../../source/service/log/journal-file.ts';
import {REPLICA_FILE} from '../../../source/service/log/log-market.ts';
import type {WalletKinds} from '../../../source/service/market/settled-kinds.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';
import {address, batch, CHAIN, launch, trade} from '../follow/made-events.ts';
import {copyAsKilled, positionIn, withConnection} from './replica-file.ts';

/* A replica's journal commits behind its market: what is in the file is a state as of one entry, whatever fails. */

const A = address(1);
const B = address(2);

/** A journal as a replica has it, whose place the test sets. */
async function openReplicaJournal(dataDir: string, seq = 0) {
	const at = {epoch: 'test', seq, atMs: 1000 * seq};
	let unkept: WalletKinds[] = [];
	const kept: KeptState = {
		position: () => at,
		unkept: () => ({isAll: false, wallets: unkept}),
		keep: () => {
			unkept = [];
		},
	};
	const {opened: journal, connection} = await withConnection(
		() => new Journal({dataDir, replica: {name: REPLICA_FILE, kept}}),
	);
	onTestFinished(() => {
		try {
			journal.close();
		} catch {
			// The test has closed it, or made it fail.
		}
	});
	return {
		journal,
		connection,
		at,
		/** Makes a change as the entry after the last one. */
		entry: <T>(act: () => T, wallets: WalletKinds[] = []): T => {
			const before = at.seq;
			at.seq++;
			at.atMs = 1000 * at.seq;
			unkept.push(...wallets);
			try {
				return act();
			} catch (error) {
				at.seq = before;
				throw error;
			}
		},
	};
}

function contentOf(journal: Journal) {
	return {
		tokens: [...journal.tokens()].map(({key, lastMs, bytes}) => {
			const events: unknown[] = [];
			journal.read(key, event => events.push(event));
			return {key, lastMs, bytes, events};
		}),
		bytes: journal.bytes,
		gaps: journal.gaps(CHAIN),
		resume: journal.resume(CHAIN),
	};
}

test('changes are read at once, and committed with the position and the kinds of wallets a moment later', async () => {
	const dataDir = temporaryDirectory();
	const {journal, entry} = await openReplicaJournal(dataDir);
	entry(() => journal.append(batch(10, 10, [launch(A, 10)])), [['0xa', 1]]);
	entry(() => journal.append(batch(11, 11, [trade(A, 11)], [{key: 'price', block: 11, value: '1'}])), [['0xb', 2]]);
	const content = contentOf(journal);
	expect(content.tokens[0]!.events).toEqual([launch(A, 10), trade(A, 11)]);
	expect(content.resume).toMatchObject({toBlock: 11, facts: [{key: 'price', value: '1'}]});
	expect(positionIn(copyAsKilled(dataDir))).toBeUndefined();

	await expect.poll(() => positionIn(copyAsKilled(dataDir))).toBe(2);
	const next = (await openReplicaJournal(copyAsKilled(dataDir))).journal;
	expect(contentOf(next)).toEqual(content);
	expect(next.position()?.kinds).toEqual([
		['0xa', 1],
		['0xb', 2],
	]);
});

test('a change that fails takes no other with it, neither in the file nor in memory', async () => {
	const dataDir = temporaryDirectory();
	const {journal, entry, at} = await openReplicaJournal(dataDir);
	entry(() => journal.append(batch(10, 10, [launch(A, 10), trade(A, 10)])));
	const content = contentOf(journal);
	const torn = batch(11, 11, [trade(A, 11), launch(B, 11)], [{key: 'odd', block: 11, value: {} as never}]);
	const together = (): unknown =>
		journal.together(() => {
			journal.forget(CHAIN, [A]);
			return journal.append(torn);
		});
	expect(() => entry(() => journal.append(torn))).toThrow(JournalFailed);
	expect(contentOf(journal)).toEqual(content);
	expect(() => entry(together)).toThrow(JournalFailed);
	expect(contentOf(journal)).toEqual(content);

	entry(() => journal.append(batch(11, 11, [trade(A, 11)])));
	const expected = contentOf(journal);
	journal.close();
	const next = (await openReplicaJournal(dataDir)).journal;
	expect(contentOf(next)).toEqual(expected);
	expect(next.position()).toMatchObject({epoch: 'test', seq: at.seq, atMs: 2000});
});

test('on a full disk nothing is lost or doubled: what was not committed is written when there is room', async () => {
	const dataDir = temporaryDirectory();
	const {journal, entry, connection, at} = await openReplicaJournal(dataDir);
	entry(() => journal.append(batch(1, 1, [launch(A, 1), launch(B, 1)])));
	journal.keepPosition();
	const pages = Number(connection.prepare('PRAGMA page_count').get()?.['page_count']);
	connection.exec(`PRAGMA max_page_count = ${pages + 4}`);
	const blockOf = (block: number) =>
		batch(block, block, [trade(A, block), trade(B, block)], [{key: `block:${block}`, block, value: 'x'.repeat(500)}]);
	const fails = (act: () => unknown): boolean => {
		try {
			entry(act);
			return false;
		} catch (error) {
			expect(error).toBeInstanceOf(JournalFailed);
			expect((error as JournalFailed).cause).toMatchObject({errcode: 13});
			return true;
		}
	};
	let block = 2;
	while (!fails(() => journal.append(blockOf(block)))) block++;
	expect(block).toBeGreaterThan(3);
	// SQLite has rolled back all of the transaction; nothing of it is gone for the journal.
	expect(connection.isTransaction).toBe(false);
	expect(journal.resume(CHAIN)?.toBlock).toBe(block - 1);
	expect(positionIn(copyAsKilled(dataDir))).toBe(1);

	// Full in the file's last committed state too: nothing can be read or changed, and nothing is wrong.
	connection.exec('ROLLBACK');
	connection.exec(`PRAGMA max_page_count = ${pages}`);
	expect(() => journal.resume(CHAIN)).toThrow(JournalFailed);
	expect(fails(() => journal.append(blockOf(block)))).toBe(true);
	expect(() => journal.keepPosition()).toThrow(JournalFailed);
	expect(
		fails(() =>
			journal.together(() => {
				journal.forget(CHAIN, [B]);
				return journal.append(blockOf(block));
			}),
		),
	).toBe(true);
	expect(positionIn(copyAsKilled(dataDir))).toBe(1);

	connection.exec('PRAGMA max_page_count = 100000');
	journal.keepPosition();
	expect(positionIn(copyAsKilled(dataDir))).toBe(block - 1);
	entry(() => journal.append(blockOf(block)));
	const content = contentOf(journal);
	journal.close();
	const next = (await openReplicaJournal(dataDir)).journal;
	expect(contentOf(next)).toEqual(content);
	expect(next.position()?.seq).toBe(at.seq);
	expect(at.seq).toBe(block);
	const plain = new Journal();
	onTestFinished(() => plain.close());
	plain.append(batch(1, 1, [launch(A, 1), launch(B, 1)]));
	for (let n = 2; n <= block; n++) plain.append(blockOf(n));
	expect(contentOf(next)).toEqual(contentOf(plain));
});

test('while commits fail each change is refused with the reason, and all are committed when they work again', async () => {
	const dataDir = temporaryDirectory();
	const {journal, entry, connection} = await openReplicaJournal(dataDir);
	entry(() => journal.append(batch(1, 1, [launch(A, 1)])));
	journal.keepPosition();
	// What is checked at the commit alone, and makes it fail.
	connection.exec(`
		CREATE TABLE parents (id INTEGER PRIMARY KEY);
		CREATE TABLE children (id INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
		CREATE TRIGGER failing AFTER INSERT ON place BEGIN INSERT INTO children VALUES (1); END;
		PRAGMA foreign_keys = ON;
	`);
	entry(() => journal.append(batch(2, 2, [trade(A, 2)])));
	const isRolledBack = (): boolean => !connection.isTransaction;
	await expect.poll(isRolledBack).toBe(true);
	const refused = expect.objectContaining({code: 'follow-journal-failed', why: 'FOREIGN KEY constraint failed'});
	expect(() => entry(() => journal.append(batch(3, 3, [trade(A, 3)])))).toThrow(refused);
	expect(journal.resume(CHAIN)?.toBlock).toBe(2);
	expect(() => entry(() => journal.append(batch(3, 3, [trade(A, 3)])))).toThrow(refused);
	expect(positionIn(copyAsKilled(dataDir))).toBe(1);

	connection.exec('DROP TRIGGER failing');
	await expect.poll(() => positionIn(copyAsKilled(dataDir))).toBe(2);
	entry(() => journal.append(batch(3, 3, [trade(A, 3)])));
	const content = contentOf(journal);
	await expect.poll(() => positionIn(copyAsKilled(dataDir))).toBe(3);
	expect(contentOf((await openReplicaJournal(copyAsKilled(dataDir))).journal)).toEqual(content);
});

test('a backup has what was changed before it, and is made while more is changed', async () => {
	const dataDir = temporaryDirectory();
	const {journal, entry} = await openReplicaJournal(dataDir);
	entry(() => journal.append(batch(1, 1, [launch(A, 1)])));
	for (let block = 2; block < 1500; block++) {
		const facts = [{key: `block:${block}`, block, value: 'x'.repeat(500)}];
		entry(() => journal.append(batch(block, block, [trade(A, block)], facts)));
	}
	const copied = temporaryDirectory();
	let isDone = false;
	const copying = journal.backup(join(copied, REPLICA_FILE)).finally(() => {
		isDone = true;
	});
	let block = 1500;
	for (; !isDone; block++) {
		entry(() => journal.append(batch(block, block, [trade(A, block)])));
		await new Promise(resolve => setTimeout(resolve, 1));
	}
	await copying;
	const {journal: copy} = await openReplicaJournal(copied);
	const seq = copy.position()!.seq;
	expect(seq).toBeGreaterThanOrEqual(1499);
	expect(copy.resume(CHAIN)?.toBlock).toBe(seq);
	let events = 0;
	copy.read(entryKey(CHAIN, A), () => events++);
	expect(events).toBe(seq);
	// Afterwards changes are committed together again.
	entry(() => journal.append(batch(block, block, [trade(A, block)])));
	journal.close();
	expect(positionIn(dataDir)).toBe(block);
});
