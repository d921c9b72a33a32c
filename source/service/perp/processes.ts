import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Address, Hash, Hex} from 'viem';
import type {PerpAction} from '../../contract/perp.ts';
import type {ChainSet} from '../chain/chain-set.ts';
import {failureOf} from '../chain/failure-reason.ts';
import {isKnown, receiptOf} from '../chain/receipt.ts';
import {SendRejected} from '../chain/sender.ts';
import type {Database} from '../store/database.ts';
import {aloneLeases, LEASE_COLUMNS, type RowLease, sharedLeases} from '../store/row-leases.ts';
import {storeClock} from '../store/store-clock.ts';
import {type Expression, openTable, type RowOf} from '../store/table.ts';

const COLUMNS = {
	processId: 'text',
	action: 'text',
	wallet: 'text',
	chainId: 'integer',
	/** The run of the practice chain: a later one of the same number does not know the process. */
	instance: 'text',
	/** The transaction: hash, nonce and signer; null before it is signed. */
	txHash: ['text'],
	nonce: ['integer'],
	sentBy: ['text'],
	/** A transaction that its user signed, so that another replica can send it in the place of one that is gone. */
	raw: ['text'],
	/** The amount to book after success, in raw units. */
	amountRaw: ['bigint'],
	status: 'text',
	errorMessage: ['text'],
	createdAtMs: 'integer',
	...LEASE_COLUMNS,
} as const;

const TABLE = 'perp_processes';

/** An execution on a chain: one transaction and its effect on the books. */
export type PerpProcess = Omit<
	RowOf<typeof COLUMNS>,
	'status' | 'action' | 'wallet' | 'txHash' | 'sentBy' | keyof typeof LEASE_COLUMNS
> & {
	readonly sentBy: Address | null;
	readonly status: 'pending' | 'settled' | 'failed';
	readonly action: PerpAction;
	readonly wallet: Address;
	readonly txHash: Hash | null;
};

export interface ProcessOptions {
	readonly database: Database;
	readonly chains: ChainSet;
	/** Another clock than the store's, for a process that has its store alone. */
	readonly now?: (() => number) | undefined;
	/** Whether other processes of this machine or others work on the same executions. */
	readonly isShared?: boolean | undefined;
	readonly leaseMs?: number | undefined;
	readonly log?: ((line: string) => void) | undefined;
	/** Books the end of a process. Stored in one transaction with the end, so it happens once. */
	readonly onEnd: (process: PerpProcess) => Promise<void>;
}

/** The transaction of a process. */
export interface SentTransaction {
	readonly hash: Hash;
	readonly nonce: number;
	readonly sentBy: Address;
	/** Of a transaction that its user signed; the service's own are in the lanes of its accounts. */
	readonly raw?: Hex | undefined;
}

/** Executions that outlive their request. */
export interface Processes {
	/** Stores a process before anything is sent. */
	begin(process: Pick<PerpProcess, 'action' | 'wallet' | 'chainId' | 'instance' | 'amountRaw'>): Promise<string>;
	/** Stores the transaction of a process before it is sent. @throws SendRejected when it has ended meanwhile */
	sending(processId: string, transaction: SentTransaction): Promise<void>;
	get(processId: string): Promise<PerpProcess | undefined>;
	/** Ends a process of which nothing was sent. */
	notSent(processId: string, reason: string): Promise<void>;
	/** The process that this one has begun, at its end or after a time. It is followed to its end either way. */
	awaitEnd(processId: string, waitMs: number): Promise<PerpProcess>;
	/** Resumes the processes that no one follows: those of an earlier run, and from now on those of replicas that are gone. */
	recover(): Promise<void>;
	close(): Promise<void>;
}

const POLL_MS = 25;
const TROUBLE_MS = 1000;
/** For how long after the request of its user a transaction is sent by another replica. */
const SEND_WITHIN_MS = 60_000;
/** After this many failures in a row another replica may try: it may reach the chain. */
const TROUBLES_MOST = 10;

/** How many processes of replicas that are gone are taken at once. */
const TAKE_OVER_MOST = 100;

/** Opens the table of processes; `recover` resumes those of an earlier run. @throws StoreFailed */
export async function createProcesses(options: ProcessOptions): Promise<Processes> {
	const {database, chains, now, isShared = false, leaseMs, log = () => {}, onEnd} = options;
	const table = openTable(database, TABLE, COLUMNS);
	const clock = storeClock(database, now);
	const rows = {table: TABLE, key: 'processId'};
	const leases = isShared ? sharedLeases(database, {...rows, clock, leaseMs, log}) : aloneLeases(database, rows);
	/** The leases of processes that this one has begun and does not follow yet. */
	const begun = new Map<string, RowLease>();
	const followed = new Map<string, Promise<void>>();
	const stopping = new AbortController();
	const {signal} = stopping;
	const pause = (ms: number) => sleep(ms, undefined, {ref: false, signal}).catch(() => {});
	const get = async (processId: string) =>
		(await table.find({sql: 'processId = ?', parameters: [processId]}))[0] as PerpProcess | undefined;

	const end = (
		processId: string,
		status: 'settled' | 'failed',
		errorMessage: string | null = null,
		held: Expression = {sql: 'TRUE'},
	) =>
		database.transaction(async () => {
			const condition = {
				sql: `processId = ? AND status = 'pending' AND ${held.sql}`,
				parameters: [processId, ...(held.parameters ?? [])],
			};
			if ((await table.update({status, errorMessage}, condition)) === 1) await onEnd((await get(processId))!);
		});

	/** Reads the chain once; true when the process has ended. */
	const readChain = async (process: PerpProcess, {condition}: RowLease): Promise<boolean> => {
		const {processId, chainId, instance, txHash, nonce, sentBy} = process;
		const chain = await chains.ready(chainId);
		if (chain.instance !== instance) await end(processId, 'failed', 'the practice chain was reset');
		// Who began it is gone, since its lease was free, and nothing can be sent any more.
		else if (txHash === null) await end(processId, 'failed', 'the service stopped before anything was sent', condition);
		else {
			// Read before the receipt: a transaction without a receipt whose nonce is used can never get one.
			const used = await chain.client.getTransactionCount({address: sentBy!});
			const receipt = await receiptOf(chain, txHash);
			if (receipt?.status === 'success') await end(processId, 'settled');
			else if (receipt !== undefined) await end(processId, 'failed', (await failureOf(chain.rpc, txHash)).text);
			else if (used > nonce!) await end(processId, 'failed', 'another transaction took its place');
			else return false;
		}
		return true;
	};

	/**
	 * Sends the same bytes as the replica that began it, which may be gone since before it sent them. Not later: their user may not
	 * want it any more.
	 */
	const sendInstead = async ({processId, chainId, txHash, instance}: PerpProcess): Promise<void> => {
		const {sql, parameters = []} = clock();
		const row = await database.get(
			`SELECT raw FROM ${TABLE} WHERE processId = ? AND raw IS NOT NULL AND createdAtMs > ${sql} - ${SEND_WITHIN_MS}`,
			[processId, ...parameters],
		);
		if (row === undefined || txHash === null) return;
		const chain = await chains.ready(chainId);
		if (chain.instance !== instance || (await isKnown(chain, txHash))) return;
		await chain.rpc.call('eth_sendRawTransaction', [row['raw']]).catch(error => {
			log(`perp process ${processId}: its transaction was not sent again: ${(error as Error).message}`);
		});
	};

	const follow = async (lease: RowLease, isTakenOver: boolean): Promise<void> => {
		const {key: processId} = lease;
		let isSent = !isTakenOver;
		let troubles = 0;
		while (!signal.aborted && !lease.signal.aborted) {
			try {
				const process = await get(processId);
				if (process?.status !== 'pending' || (await readChain(process, lease))) return lease.done();
				if (!isSent) await sendInstead(process);
				isSent = true;
				troubles = 0;
				await sleep(POLL_MS, undefined, {ref: false});
			} catch (error) {
				log(`perp process ${processId} waits: ${error instanceof Error ? error.message : String(error)}`);
				if (++troubles >= TROUBLES_MOST && isShared) return lease.release();
				await pause(TROUBLE_MS);
			}
		}
	};

	const start = (lease: RowLease, isTakenOver = false): void => {
		if (signal.aborted) return;
		followed.set(
			lease.key,
			follow(lease, isTakenOver).finally(() => followed.delete(lease.key)),
		);
	};

	const takeOver = async (): Promise<void> => {
		const own = chains.infos.filter(({id}) => chains.outline(id).kind === 'external');
		const ids = own.map(({id}) => id).join(', ') || 'NULL';
		const sql = `status = 'pending'${isShared ? ` AND chainId IN (${ids})` : ''}`;
		const most = isShared ? TAKE_OVER_MOST : Number.MAX_SAFE_INTEGER;
		for (const lease of await leases.takeFree({sql}, most)) start(lease, true);
	};
	let trouble: string | undefined;
	const takeOverAgain = async (): Promise<void> => {
		while (!signal.aborted) {
			await pause(leases.lookMs);
			try {
				await takeOver();
				trouble = undefined;
			} catch (error) {
				const why = error instanceof Error ? error.message : String(error);
				if (why !== trouble) log(`perp processes of other replicas were not looked at: ${why}`);
				trouble = why;
			}
		}
	};

	return {
		async begin(process) {
			const processId = randomUUID();
			const offered = leases.offer(processId);
			const unsent = {txHash: null, nonce: null, sentBy: null, raw: null, errorMessage: null};
			await table.insert({
				...process,
				...unsent,
				...offered.values,
				processId,
				status: 'pending',
				createdAtMs: clock(),
			});
			const lease = offered.begin();
			begun.set(processId, lease);
			// A transaction that was repeated has begun it under another id.
			lease.signal.addEventListener('abort', () => begun.delete(processId), {once: true});
			return processId;
		},
		async sending(processId, {hash, nonce, sentBy, raw = null}) {
			// Forgotten: its lease is lost.
			const {sql, parameters = []} = begun.get(processId)?.condition ?? {sql: 'FALSE'};
			const own = {
				sql: `processId = ? AND status = 'pending' AND ${sql}`,
				parameters: [processId, ...parameters],
			};
			if ((await table.update({txHash: hash, nonce, sentBy, raw}, own)) === 1) return;
			throw new SendRejected('another replica has ended it, since this one did not answer for some time');
		},
		get,
		async notSent(processId, reason) {
			begun.get(processId)?.done();
			begun.delete(processId);
			await end(processId, 'failed', reason);
		},
		async awaitEnd(processId, waitMs) {
			const lease = begun.get(processId);
			begun.delete(processId);
			if (lease !== undefined) start(lease);
			await Promise.race([followed.get(processId), sleep(waitMs, undefined, {ref: false})]);
			return (await get(processId))!;
		},
		async recover() {
			await takeOver();
			if (isShared) void takeOverAgain();
		},
		async close() {
			stopping.abort();
			await Promise.race([Promise.all(followed.values()), sleep(TROUBLE_MS, undefined, {ref: false})]);
			await leases.close();
		},
	};
}
