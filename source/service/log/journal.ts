import {foldAddress} from '../../address.ts';
import {entryKey} from '../../contract/entry.ts';
import type {ChainGap, ChainResume, EventBatch, SourceFact} from '../market/event-source.ts';
import type {LaunchEvent, MarketEvent, Profile, ProfileEvent} from '../market/events.ts';
import {decodeEvents, encodeEvents, type PlacedEvent, readEvents} from './event-bytes.ts';
import {JournalFailed, type JournalFile, type KeptState, openJournalFile} from './journal-file.ts';
import type {SqlRow, SqlValue} from './journal-transactions.ts';

/** A token of which the journal has events. */
export interface JournalToken {
	/** See entryKey. */
	readonly key: string;
	readonly chainId: string;
	/** As its launch has it. */
	readonly address: string;
	readonly kind: LaunchEvent['kind'] | 'fundings';
	readonly launchMs: number;
	/** Time of the newest trade, or of the launch. */
	readonly lastMs: number;
	/** Bytes of its events. */
	readonly bytes: number;
}

/** Options of a journal. */
export interface JournalOptions {
	/** Undefined: the journal ends with the process. */
	readonly dataDir?: string | undefined;
	/** About how many bytes of events are kept; the tokens that were traded last are kept. */
	readonly maxBytes?: number;
	/** Called with a text about a damaged file, and about what was dropped. */
	readonly log?: (line: string) => void;
	/** For a replica: its file, and its position in the market log. */
	readonly replica?: {readonly name: string; readonly kept: KeptState} | undefined;
}

interface TokenRecord extends JournalToken {
	readonly id: number;
	readonly launchBlock: number;
	lastMs: number;
	lastBlock: number;
	/** Number of the next list of events; never falls. */
	lists: number;
	bytes: number;
}

interface ChainRecord {
	/** The last block whose events are known. */
	lastBlock: number;
	gaps: ChainGap[];
}

/** Events of one token in one batch. */
interface TokenPart {
	readonly record: TokenRecord;
	readonly isNew: boolean;
	readonly events: PlacedEvent[];
}

const DAY_MS = 86_400_000;
const MAX_BYTES = 2 ** 30;
/** Longest list of events that is read and written as one. */
const LIST = 512;
/** Bytes that the database adds to a list. */
const LIST_BYTES = 24;
/** Where a chain can be taken back to: older cursors, and facts that were replaced before them, are dropped. */
const CURSORS = 4096;
/** When there are too many bytes, this part is freed at once. */
const FREED_PART = 1 / 16;
/** Lists that one call of `prune` drops, so that it delays nothing for long. */
const PRUNED_LISTS = 20_000;

/**
 * The last 24 hours of the followed chains, in one file: events by token, the sources' facts, and where
 * each chain was left. It serves reorganisations (a token is forgotten and rebuilt from its events) and restarts.
 *
 * Tokens are kept whole or not at all: figures of a token need every event since its launch. Those without a trade for
 * 24 hours are dropped, as the market drops them, and of the others those without a trade for longest where there is no room.
 */
export class Journal {
	readonly #file: JournalFile;
	readonly #log: (line: string) => void;
	readonly #maxBytes: number;
	readonly #tokens = new Map<string, TokenRecord>();
	readonly #chains = new Map<string, ChainRecord>();
	#nextToken = 1;
	#nextFact = 1;
	#bytes = 0;
	/** Within `together`: steps that undo the changes in memory, in the order of the changes. */
	#undo: (() => void)[] | undefined;

	/** @throws JournalInUse, JournalFailed */
	constructor({dataDir, maxBytes = MAX_BYTES, log = () => {}, replica}: JournalOptions = {}) {
		this.#log = log;
		this.#maxBytes = maxBytes;
		this.#file = openJournalFile({dataDir, log, ...replica});
		this.#file.guard(() => this.#load());
		// The source goes on behind its cursor: what was left behind it, by a kill in the middle of a reorganisation, comes again.
		// The market log goes on behind its entry instead, and takes back itself what is to be taken back.
		if (!replica) for (const [chainId, {lastBlock}] of this.#chains) this.takeBack(chainId, lastBlock + 1);
	}

	/** Makes several changes as one. @throws what the act throws: nothing was changed then; JournalFailed */
	together<T>(act: () => T): T {
		if (this.#undo) return act();
		const undo: (() => void)[] = [];
		this.#undo = undo;
		try {
			return this.#file.transaction(act);
		} catch (error) {
			this.#undo = undefined;
			// Not by reading the file again: while the disk is full it may lack the last changes.
			for (const step of undo.reverse()) step();
			throw error;
		} finally {
			this.#undo = undefined;
		}
	}

	/** Where it stands in the market log; undefined for one that has read nothing of it. @throws JournalFailed */
	position(): ReturnType<JournalFile['position']> {
		return this.#file.position();
	}

	/** Stores where it stands in the market log, and what is not committed yet. @throws JournalFailed */
	keepPosition(): void {
		this.#file.commit();
	}

	/** Copies its file while it is used, as it is between two entries of the market log. @throws JournalFailed */
	backup(path: string): Promise<void> {
		return this.#file.backup(path);
	}

	/** Bytes of all events. */
	get bytes(): number {
		return this.#bytes;
	}

	/** Every token. */
	tokens(): Iterable<JournalToken> {
		return this.#tokens.values();
	}

	token(key: string): JournalToken | undefined {
		return this.#tokens.get(key);
	}

	/** The state of a token in the journal, as a text that no later state repeats; undefined for an unknown token. */
	mark(key: string): string | undefined {
		const record = this.#tokens.get(key);
		// Its lists are never numbered again, and each event has bytes.
		return (
			record && [record.id, record.launchMs, record.launchBlock, record.lastBlock, record.lists, record.bytes].join()
		);
	}

	/** Where a chain was left; undefined when nothing of it is known. @throws JournalFailed */
	resume(chainId: string): ChainResume | undefined {
		const row = this.#all('SELECT cursor, block FROM cursors WHERE chain = ? ORDER BY block DESC LIMIT 1', chainId)[0];
		if (row === undefined) return undefined;
		return {cursor: row['cursor'] as string, toBlock: row['block'] as number, facts: this.facts(chainId)};
	}

	/** Newest value of each key, in the order of their blocks. @throws JournalFailed */
	facts(chainId: string): SourceFact[] {
		// SQLite takes the other columns from the row that has the maximum.
		const sql = 'SELECT key, max(block) AS block, value, n FROM facts WHERE chain = ? GROUP BY key ORDER BY block, n';
		return this.#all(sql, chainId).map(row => ({
			key: row['key'] as string,
			block: row['block'] as number,
			value: row['value'] as string,
		}));
	}

	/** Gaps of a chain, oldest first. */
	gaps(chainId: string): readonly ChainGap[] {
		return this.#chains.get(chainId)?.gaps ?? [];
	}

	/**
	 * Stores events, facts and the cursor as one.
	 * @returns the events that count: those of tokens whose launch is known
	 * @throws JournalFailed when nothing was stored
	 */
	append(batch: EventBatch): readonly MarketEvent[] {
		const {chainId, fromBlock, toBlock} = batch;
		const chain = this.#chain(chainId);
		if (!((fromBlock > chain.lastBlock || batch.isPart) && toBlock >= fromBlock)) {
			throw new JournalFailed(
				`blocks ${fromBlock} to ${toBlock} of ${chainId} do not follow block ${chain.lastBlock}, which is stored`,
			);
		}
		// Behind all that is known, also where some of it was known before.
		const lastBlock = Math.max(chain.lastBlock, toBlock);
		const {parts, counted} = this.#partsOf(batch);
		const lists = parts.map(part => listsOf(part));
		const changes = parts.map((part, n) => grown(part, lists[n]!));
		this.#file.transaction(() => {
			for (const {record, isNew} of parts) if (isNew) this.#insertToken(record);
			for (const {record, n, block, data} of lists.flat()) {
				this.#run('INSERT INTO events VALUES (?, ?, ?, ?)', record.id, n, block, data);
			}
			for (const [n, {record}] of parts.entries()) this.#updateToken({...record, ...changes[n]});
			for (const {key, block, value} of batch.facts) {
				this.#run('INSERT OR REPLACE INTO facts VALUES (?, ?, ?, ?, ?)', chainId, key, block, this.#nextFact++, value);
			}
			this.#run('INSERT OR REPLACE INTO cursors VALUES (?, ?, ?)', chainId, lastBlock, batch.cursor);
		});
		for (const [n, {record, isNew}] of parts.entries()) {
			if (isNew) this.#addRecord(record);
			this.#change(record, changes[n]!);
		}
		this.#changeChain(chain, {lastBlock});
		return counted;
	}

	/**
	 * Stores a fact about a token that came from outside its chain, behind the token's newest event: the fact is taken back with that
	 * event and has its time, so that no figure depends on when the fact was found.
	 * @returns the event; undefined when the token is no longer known
	 * @throws JournalFailed when it was not stored
	 */
	describe(chainId: string, token: string, profile: Profile): ProfileEvent | undefined {
		const record = this.#tokens.get(entryKey(chainId, token));
		if (record === undefined) return undefined;
		const event: ProfileEvent = {type: 'profile', chainId, token: record.address, timeMs: record.lastMs, profile};
		const part: TokenPart = {record, isNew: false, events: [{block: record.lastBlock, event}]};
		const lists = listsOf(part);
		const change = grown(part, lists);
		this.#file.transaction(() => {
			for (const {n, block, data} of lists)
				this.#run('INSERT INTO events VALUES (?, ?, ?, ?)', record.id, n, block, data);
			this.#updateToken({...record, ...change});
		});
		this.#change(record, change);
		return event;
	}

	/** The events of a chain from a block on, by token. @throws JournalFailed */
	since(chainId: string, fromBlock: number): MarketEvent[] {
		const events: MarketEvent[] = [];
		for (const {id, chainId: chain, address, lastBlock} of this.#tokens.values()) {
			if (chain !== chainId || lastBlock < fromBlock) continue;
			const sql = 'SELECT data FROM events WHERE token = ? AND block >= ? ORDER BY n';
			for (const row of this.#all(sql, id, fromBlock)) {
				const placed = this.#file.guard(() => decodeEvents(row['data'] as Uint8Array, {chainId, token: address}));
				events.push(...placed.filter(({block}) => block >= fromBlock).map(({event}) => event));
			}
		}
		return events;
	}

	/**
	 * Forgets events, facts, gaps and cursors of a chain from a block on.
	 * @returns keys of the tokens whose events changed; those that are gone have no record any more
	 * @throws JournalFailed when nothing was forgotten
	 */
	takeBack(chainId: string, fromBlock: number): string[] {
		const chain = this.#chain(chainId);
		const gaps = gapsBefore(chain.gaps, fromBlock);
		const records = [...this.#tokens.values()].filter(record => record.chainId === chainId);
		const touched = records.filter(record => record.lastBlock >= fromBlock);
		const changes: {record: TokenRecord; change: TokenChange | null}[] = [];
		this.#file.transaction(() => {
			for (const record of touched) changes.push({record, change: this.#cutToken(record, fromBlock)});
			for (const table of ['facts', 'cursors']) {
				this.#run(`DELETE FROM ${table} WHERE chain = ? AND block >= ?`, chainId, fromBlock);
			}
			if (gaps) {
				this.#run('DELETE FROM gaps WHERE chain = ?', chainId);
				for (const gap of gaps) this.#insertGap(gap);
			}
		});
		for (const {record, change} of changes) {
			if (change) this.#change(record, change);
			else this.#dropRecord(record);
		}
		this.#changeChain(chain, {lastBlock: Math.min(chain.lastBlock, fromBlock - 1)});
		if (!gaps) return touched.map(({key}) => key);
		const firstGone = Math.min(...chain.gaps.filter(gap => gap.toBlock >= fromBlock).map(gap => gap.fromBlock));
		this.#changeChain(chain, {gaps});
		return records.filter(r => r.lastBlock >= fromBlock || r.launchBlock < firstGone).map(({key}) => key);
	}

	/** Stores a time of which nothing is known. @throws JournalFailed */
	gap(gap: ChainGap): void {
		this.#file.transaction(() => this.#insertGap(gap));
		const chain = this.#chain(gap.chainId);
		const others = chain.gaps.filter(one => one.fromBlock !== gap.fromBlock || one.toBlock !== gap.toBlock);
		this.#changeChain(chain, {gaps: [...others, gap].sort((a, b) => a.fromBlock - b.fromBlock)});
	}

	/** Forgets tokens whole, and the facts whose keys begin with `token:` and their addresses. @throws JournalFailed */
	forget(chainId: string, tokens: readonly string[]): void {
		const records = tokens.map(address => this.#tokens.get(entryKey(chainId, address)));
		this.#file.transaction(() => {
			for (const address of tokens) this.#deleteFacts(chainId, address);
			for (const record of records) if (record) this.#deleteToken(record);
		});
		for (const record of records) if (record) this.#dropRecord(record);
	}

	/**
	 * Calls with the events of a token, in order, gaps of its chain among them.
	 * @param from number of the list to begin with
	 * @param lists how many lists of events are read at most
	 * @returns the number of the next list, undefined at the end
	 * @throws JournalFailed
	 */
	read(key: string, take: (event: MarketEvent) => void, from = 0, lists = Number.MAX_SAFE_INTEGER): number | undefined {
		const record = this.#tokens.get(key);
		if (record === undefined) return undefined;
		const owner = {chainId: record.chainId, token: record.address};
		const rows = this.#all(
			'SELECT n, block, data FROM events WHERE token = ? AND n >= ? LIMIT ?',
			record.id,
			from,
			lists,
		);
		const gapsOfToken = record.kind === 'fundings' ? [] : this.gaps(record.chainId);
		const gaps = new GapReader(record, gapsOfToken, this.#blockBefore(record, from));
		this.#file.guard(() => {
			for (const row of rows) {
				readEvents(row['data'] as Uint8Array, owner, (event, block) => {
					gaps.before(block, take);
					take(event);
				});
			}
		});
		const last = rows.at(-1)?.['n'] as number | undefined;
		if (rows.length >= lists && last !== undefined && last + 1 < record.lists) return last + 1;
		gaps.before(Number.POSITIVE_INFINITY, take);
		return undefined;
	}

	/** Forgets the fundings of wallets, by their folded addresses. @throws JournalFailed */
	forgetFundings(wallets: ReadonlyMap<string, unknown>): void {
		const isLeft = ({event}: PlacedEvent): boolean => event.type !== 'fund' || !wallets.has(foldAddress(event.wallet));
		const changes: {record: TokenRecord; change: TokenChange}[] = [];
		this.#file.transaction(() => {
			for (const record of this.#tokens.values()) {
				if (record.kind !== 'fundings') continue;
				const change = this.#filterEvents(record, isLeft);
				this.#updateToken({...record, ...change});
				changes.push({record, change});
			}
		});
		for (const {record, change} of changes) this.#change(record, change);
	}

	/**
	 * Drops what is older than 24 hours and what there is no room for; a part of it in each call.
	 * @returns the tokens that were dropped
	 * @throws JournalFailed
	 */
	prune(nowMs: number): JournalToken[] {
		const dropped = this.#outdated(nowMs);
		this.together(() => {
			for (const record of dropped) {
				this.#deleteFacts(record.chainId, record.address);
				this.#deleteToken(record);
			}
			for (const chainId of this.#chains.keys()) this.#pruneChain(chainId);
			for (const record of dropped) this.#dropRecord(record);
			this.#pruneGaps(nowMs);
		});
		return dropped;
	}

	/** Lets go of the file in any case. @throws JournalFailed when its last changes could not be committed */
	close(): void {
		this.#file.close();
	}

	#load(): void {
		for (const row of this.#all('SELECT * FROM tokens ORDER BY id')) {
			const chainId = row['chain'] as string;
			const address = row['address'] as string;
			const record: TokenRecord = {
				key: entryKey(chainId, address),
				chainId,
				address,
				id: row['id'] as number,
				kind: row['kind'] as TokenRecord['kind'],
				launchMs: row['launch_ms'] as number,
				launchBlock: row['launch_block'] as number,
				lastMs: row['last_ms'] as number,
				lastBlock: row['last_block'] as number,
				lists: row['lists'] as number,
				bytes: row['bytes'] as number,
			};
			this.#tokens.set(record.key, record);
			this.#bytes += record.bytes;
			this.#nextToken = record.id + 1;
			this.#chain(chainId);
		}
		for (const row of this.#all('SELECT * FROM gaps ORDER BY from_block')) {
			this.#chain(row['chain'] as string).gaps.push({
				chainId: row['chain'] as string,
				fromBlock: row['from_block'] as number,
				toBlock: row['to_block'] as number,
				fromMs: row['from_ms'] as number,
				toMs: row['to_ms'] as number,
				why: row['why'] as string,
			});
		}
		this.#nextFact = 1 + Number(this.#all('SELECT coalesce(max(n), 0) AS n FROM facts')[0]!['n']);
		for (const {chain, block} of this.#all('SELECT chain, max(block) AS block FROM cursors GROUP BY chain')) {
			this.#chain(chain as string).lastBlock = block as number;
		}
	}

	#chain(chainId: string): ChainRecord {
		let chain = this.#chains.get(chainId);
		if (chain === undefined) {
			chain = {lastBlock: -1, gaps: []};
			this.#chains.set(chainId, chain);
		}
		return chain;
	}

	/** The events of a batch by token, without those that have no effect on any market. */
	#partsOf({chainId, fromBlock, toBlock, events}: EventBatch): {parts: TokenPart[]; counted: MarketEvent[]} {
		const parts = new Map<string, TokenPart>();
		const counted: MarketEvent[] = [];
		let block = fromBlock;
		for (const event of events) {
			// An event without a block belongs to that of the event before it.
			if ('block' in event) ({block} = event);
			if (!(block >= fromBlock && block <= toBlock) || event.chainId !== chainId) {
				throw new RangeError(
					`a ${event.type} of block ${block} of ${event.chainId} among blocks ${fromBlock} to ${toBlock} of ${chainId}`,
				);
			}
			const key = entryKey(chainId, 'token' in event ? event.token : '');
			let part = parts.get(key);
			if (part === undefined) {
				const known = this.#tokens.get(key);
				const isFirst = event.type === 'launch' || event.type === 'fund';
				if (known === undefined && !isFirst) continue;
				part = {record: known ?? this.#newRecord(key, event, block), isNew: known === undefined, events: []};
				if (known && event.type === 'launch') continue;
				parts.set(key, part);
			} else if (event.type === 'launch') continue;
			part.events.push({block, event});
			counted.push(event);
		}
		return {parts: [...parts.values()], counted};
	}

	#newRecord(key: string, event: MarketEvent, block: number): TokenRecord {
		return {
			key,
			id: this.#nextToken++,
			chainId: event.chainId,
			address: 'token' in event ? event.token : '',
			kind: event.type === 'launch' ? event.kind : 'fundings',
			launchMs: event.timeMs,
			launchBlock: block,
			lastMs: event.timeMs,
			lastBlock: block,
			lists: 0,
			bytes: 0,
		};
	}

	#insertToken(token: TokenRecord): void {
		const {id, chainId, address, kind, launchMs, launchBlock, lastMs, lastBlock, lists, bytes} = token;
		this.#run(
			'INSERT INTO tokens VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
			...[id, chainId, address, kind, launchMs, launchBlock, lastMs, lastBlock, lists, bytes],
		);
	}

	#updateToken({id, lastMs, lastBlock, lists, bytes}: TokenRecord): void {
		const sql = 'UPDATE tokens SET last_ms = ?, last_block = ?, lists = ?, bytes = ? WHERE id = ?';
		this.#run(sql, lastMs, lastBlock, lists, bytes, id);
	}

	#insertGap({chainId, fromBlock, toBlock, fromMs, toMs, why}: ChainGap): void {
		const sql = 'INSERT OR REPLACE INTO gaps VALUES (?, ?, ?, ?, ?, ?)';
		this.#run(sql, chainId, fromBlock, toBlock, fromMs, toMs, why);
	}

	/** Deletes the events of a token from a block on; null: there was nothing before, and the token is deleted too. */
	#cutToken(record: TokenRecord, fromBlock: number): TokenChange | null {
		if (record.launchBlock >= fromBlock) {
			this.#deleteToken(record);
			return null;
		}
		const change = {lastMs: record.lastMs, lastBlock: fromBlock - 1, lists: record.lists, bytes: record.bytes};
		const sql = 'SELECT n, data FROM events WHERE token = ? AND block >= ? ORDER BY n';
		for (const row of this.#all(sql, record.id, fromBlock)) {
			const data = row['data'] as Uint8Array;
			const n = row['n'] as number;
			const owner = {chainId: record.chainId, token: record.address};
			const left = decodeEvents(data, owner).filter(({block}) => block < fromBlock);
			change.bytes -= data.length + LIST_BYTES;
			if (left.length === 0) {
				this.#run('DELETE FROM events WHERE token = ? AND n = ?', record.id, n);
				continue;
			}
			const shorter = encodeEvents(left, owner);
			change.bytes += shorter.length + LIST_BYTES;
			this.#run(
				'UPDATE events SET block = ?, data = ? WHERE token = ? AND n = ?',
				left.at(-1)!.block,
				shorter,
				record.id,
				n,
			);
		}
		this.#updateToken({...record, ...change});
		return change;
	}

	/** Deletes single events of a token in all of its lists. */
	#filterEvents(record: TokenRecord, isLeft: (event: PlacedEvent) => boolean): TokenChange {
		const {id, lastMs, lastBlock, lists, chainId, address} = record;
		const owner = {chainId, token: address};
		let {bytes} = record;
		for (const row of this.#all('SELECT n, data FROM events WHERE token = ?', id)) {
			const data = row['data'] as Uint8Array;
			const n = row['n'] as number;
			const events = decodeEvents(data, owner);
			const left = events.filter(isLeft);
			if (left.length === events.length) continue;
			bytes -= data.length + LIST_BYTES;
			if (left.length === 0) {
				this.#run('DELETE FROM events WHERE token = ? AND n = ?', id, n);
				continue;
			}
			const shorter = encodeEvents(left, owner);
			bytes += shorter.length + LIST_BYTES;
			this.#run(
				'UPDATE events SET block = ?, data = ? WHERE token = ? AND n = ?',
				...[left.at(-1)!.block, shorter, id, n],
			);
		}
		return {lastMs, lastBlock, lists, bytes};
	}

	#deleteToken({id}: TokenRecord): void {
		this.#run('DELETE FROM events WHERE token = ?', id);
		this.#run('DELETE FROM tokens WHERE id = ?', id);
	}

	#deleteFacts(chainId: string, address: string): void {
		for (const key of new Set([`token:${address}`, `token:${address.toLowerCase()}`])) {
			this.#run('DELETE FROM facts WHERE chain = ? AND key >= ? AND key < ?', chainId, key, `${key}\u{10FFFF}`);
		}
	}

	#addRecord(record: TokenRecord): void {
		this.#tokens.set(record.key, record);
		this.#bytes += record.bytes;
		this.#undo?.push(() => this.#dropRecord(record));
	}

	#change(record: TokenRecord, change: TokenChange): void {
		const {lastMs, lastBlock, lists, bytes} = record;
		this.#bytes += change.bytes - bytes;
		Object.assign(record, change);
		this.#undo?.push(() => this.#change(record, {lastMs, lastBlock, lists, bytes}));
	}

	#dropRecord(record: TokenRecord): void {
		this.#tokens.delete(record.key);
		this.#bytes -= record.bytes;
		this.#undo?.push(() => this.#addRecord(record));
	}

	#changeChain(chain: ChainRecord, change: Partial<ChainRecord>): void {
		const before = {...chain};
		Object.assign(chain, change);
		this.#undo?.push(() => this.#changeChain(chain, before));
	}

	/** The block of the last event before a list. */
	#blockBefore(record: TokenRecord, list: number): number {
		if (list === 0) return record.launchBlock;
		const sql = 'SELECT block FROM events WHERE token = ? AND n < ? ORDER BY n DESC LIMIT 1';
		return Number(this.#all(sql, record.id, list)[0]?.['block'] ?? record.launchBlock);
	}

	/** Tokens to drop now. */
	#outdated(nowMs: number): TokenRecord[] {
		const isFull = this.#bytes > this.#maxBytes;
		const fitting = isFull ? this.#maxBytes * (1 - FREED_PART) : Number.POSITIVE_INFINITY;
		const oldestFirst = [...this.#tokens.values()]
			.filter(({kind, lastMs}) => (kind === 'token' || kind === 'lp') && (isFull || lastMs < nowMs - DAY_MS))
			.sort((a, b) => a.lastMs - b.lastMs || a.id - b.id);
		const dropped: TokenRecord[] = [];
		let bytes = this.#bytes;
		let lists = 0;
		for (const record of oldestFirst) {
			const isOld = record.lastMs < nowMs - DAY_MS;
			if (!isOld && bytes <= fitting) break;
			lists += record.lists;
			if (dropped.length > 0 && lists > PRUNED_LISTS) break;
			bytes -= record.bytes;
			dropped.push(record);
		}
		const forced = dropped.filter(({lastMs}) => lastMs >= nowMs - DAY_MS).length;
		if (forced > 0)
			this.#log(
				`the journal of the followed chains is full: ${forced} tokens were dropped, those without a trade for longest`,
			);
		return dropped;
	}

	/** Drops cursors that no reorganisation reaches any more, and facts that were replaced before them. */
	#pruneChain(chainId: string): void {
		const sql = 'SELECT block FROM cursors WHERE chain = ? ORDER BY block DESC LIMIT 1 OFFSET ?';
		const oldest = this.#all(sql, chainId, CURSORS)[0]?.['block'];
		if (oldest === undefined) return;
		this.#run('DELETE FROM cursors WHERE chain = ? AND block < ?', chainId, oldest as number);
		this.#run(
			`DELETE FROM facts WHERE chain = ?1 AND block < ?2 AND EXISTS (
				SELECT 1 FROM facts AS newer
				WHERE newer.chain = ?1 AND newer.key = facts.key AND newer.block > facts.block AND newer.block <= ?2)`,
			chainId,
			oldest as number,
		);
	}

	/** Drops gaps that were over before any token of the chain began, and before the last 24 hours. */
	#pruneGaps(nowMs: number): void {
		for (const [chainId, chain] of this.#chains) {
			if (chain.gaps.length === 0) continue;
			let neededMs = nowMs - DAY_MS;
			for (const token of this.#tokens.values()) {
				if (token.chainId === chainId && token.kind === 'token') neededMs = Math.min(neededMs, token.launchMs);
			}
			if (chain.gaps.every(gap => gap.toMs >= neededMs)) continue;
			this.#run('DELETE FROM gaps WHERE chain = ? AND to_ms < ?', chainId, neededMs);
			this.#changeChain(chain, {gaps: chain.gaps.filter(gap => gap.toMs >= neededMs)});
		}
	}

	#run(sql: string, ...values: readonly SqlValue[]): void {
		this.#file.run(sql, ...values);
	}

	#all(sql: string, ...values: readonly SqlValue[]): SqlRow[] {
		return this.#file.all(sql, ...values);
	}
}

type TokenChange = Pick<TokenRecord, 'lastMs' | 'lastBlock' | 'lists' | 'bytes'>;

interface List {
	readonly record: TokenRecord;
	readonly n: number;
	readonly block: number;
	readonly data: Uint8Array;
}

/** The events of a token as lists to be stored. */
function listsOf({record, events}: TokenPart): List[] {
	const lists: List[] = [];
	const owner = {chainId: record.chainId, token: record.address};
	for (let from = 0; from < events.length; from += LIST) {
		const some = events.slice(from, from + LIST);
		lists.push({record, n: record.lists + lists.length, block: some.at(-1)!.block, data: encodeEvents(some, owner)});
	}
	return lists;
}

/** The record of a token with further events. */
function grown({record, events}: TokenPart, lists: readonly List[]): TokenChange {
	const tradeMs = events.reduce((ms, {event}) => (event.type === 'trade' ? Math.max(ms, event.timeMs) : ms), 0);
	return {
		lastMs: Math.max(record.lastMs, tradeMs),
		lastBlock: Math.max(record.lastBlock, events.at(-1)?.block ?? 0),
		lists: record.lists + lists.length,
		bytes: lists.reduce((bytes, {data}) => bytes + data.length + LIST_BYTES, record.bytes),
	};
}

/** The gaps that are left when blocks are taken back; undefined when all are. */
function gapsBefore(gaps: readonly ChainGap[], fromBlock: number): ChainGap[] | undefined {
	if (gaps.every(gap => gap.toBlock < fromBlock)) return undefined;
	return gaps.filter(gap => gap.fromBlock < fromBlock).map(gap => cutGap(gap, fromBlock - 1));
}

/** The part of a gap up to a block. */
function cutGap(gap: ChainGap, toBlock: number): ChainGap {
	if (gap.toBlock <= toBlock) return gap;
	const part = (toBlock - gap.fromBlock + 1) / (gap.toBlock - gap.fromBlock + 1);
	return {...gap, toBlock, toMs: Math.round(gap.fromMs + part * (gap.toMs - gap.fromMs))};
}

/** Puts the gaps of a chain where they belong among the events of a token. */
class GapReader {
	readonly #token: TokenRecord;
	readonly #gaps: readonly ChainGap[];
	#next = 0;

	/** @param block gaps up to this block were taken before */
	constructor(token: TokenRecord, gaps: readonly ChainGap[], block: number) {
		this.#token = token;
		this.#gaps = gaps;
		while (this.#next < gaps.length && gaps[this.#next]!.toBlock <= block) this.#next++;
	}

	/** A gap comes before what its own last block has: that is what was read of the chain's state after it. */
	before(block: number, take: (event: MarketEvent) => void): void {
		for (let gap = this.#gaps[this.#next]; gap && gap.toBlock <= block; gap = this.#gaps[++this.#next]) {
			take(gapEvent(gap, this.#token.address));
		}
	}
}

/** A gap as an event of one token. */
export function gapEvent({chainId, toBlock, fromMs, toMs}: ChainGap, token: string): MarketEvent {
	return {type: 'gap', chainId, token, block: toBlock, timeMs: toMs, fromMs};
}
