import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Address, Hash, Hex} from 'viem';
import type {PerpAction} from '../../contract/perp.ts';
import {reasonOf} from '../../errors.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {externalIds} from '../chain/external-ids.ts';
import {failureOf} from '../chain/failure-reason.ts';
import {isElsewhere} from '../chain/instance.ts';
import {isKnown, pollMs, receiptOf} from '../chain/receipt.ts';
import {SendRejected, SendUncertain} from '../chain/sender.ts';
import {type Database, StoreUnavailable} from '../store/database.ts';
import {LEASE_COLUMNS, localLeases, type RowLease, sharedLeases} from '../store/row-leases.ts';
import {storeClock} from '../store/store-clock.ts';
import {type Expression, openTable, type RowOf} from '../store/table.ts';
import {takeOver} from '../store/take-over.ts';

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
	/** A transaction that its user signed, so that another replica can send it instead of a dead one. */
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
	/** Replaces the store's clock, for a process with an embedded store. */
	readonly now?: (() => number) | undefined;
	/** Whether other processes of this machine or others work on the same executions. */
	readonly isShared?: boolean | undefined;
	readonly leaseMs?: number | undefined;
	readonly log?: ((line: string) => void) | undefined;
	/** Replaces a delay. */
	readonly pause?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
	/** Books the end of a process, in the transaction that stores the end. */
	readonly onEnd: (process: PerpProcess) => Promise<void>;
}

/** The transaction of a process. */
export interface SentTransaction {
	readonly hash: Hash;
	readonly nonce: number;
	readonly sentBy: Address;
	/** A transaction that its user signed; the service's own are in the lanes of its accounts. */
	readonly raw?: Hex | undefined;
}

/** Executions that outlive their request. */
export interface Processes {
	/** Stores a process before anything is sent. */
	begin(process: Pick<PerpProcess, 'action' | 'wallet' | 'chainId' | 'instance' | 'amountRaw'>): Promise<string>;
	/**
	 * Stores the transaction of a process before it is sent.
	 * @throws SendRejected when it has ended meanwhile; SendUncertain when it is not known whether the transaction is stored: then it
	 *   may be sent later, as that of a dead replica, by this one too (`awaitEnd`); StoreFailed when it certainly is not stored
	 */
	sending(processId: string, transaction: SentTransaction): Promise<void>;
	get(processId: string): Promise<PerpProcess | undefined>;
	/**
	 * Ends a process of which this replica has sent nothing.
	 * @returns false when another replica has its lease, which may have sent the transaction, or when it has ended
	 * @throws StoreFailed when the end is not stored: it is stored later, and another replica may send the transaction if this one
	 *   dies before
	 */
	notSent(processId: string, reason: string): Promise<boolean>;
	/**
	 * Returns a process that this service has begun, at its end or after a timeout. It is followed to its end either way.
	 * @throws StoreFailed when its state cannot be read
	 */
	awaitEnd(processId: string, waitMs: number): Promise<PerpProcess>;
	/** Resumes the processes without a lease: those of an earlier run, and from now on those of dead replicas. */
	recover(): Promise<void>;
	close(): Promise<void>;
}

/** The condition of a process whose lease is lost. */
const LOST: Expression = {sql: 'FALSE'};

/** How long after its nonce was used the receipt of a transaction may appear. */
const RECEIPT_MS = 30_000;
const FAILURE_DELAY_MS = 1000;
const CLOSE_MS = 1000;
/** Age of a process up to which another replica sends its user's transaction. */
const SEND_WITHIN_MS = 60_000;
/** Delay before another process is looked for that has the chain. */
const OTHER_CHAIN_MS = 60_000;
/** After this many failures in a row the process is released: another replica may reach the chain. */
const MAX_FAILURES = 10;

/** Opens the table of processes; `recover` resumes those of an earlier run. @throws StoreFailed */
export async function createProcesses(options: ProcessOptions): Promise<Processes> {
	const {database, chains, now, isShared = false, leaseMs, log = () => {}, onEnd} = options;
	const table = openTable(database, TABLE, COLUMNS);
	const clock = storeClock(database, now);
	const rows = {table: TABLE, key: 'processId'};
	const leases = isShared ? sharedLeases(database, {...rows, clock, leaseMs, log}) : localLeases(database, rows);
	/** Leases of processes that this service has begun and does not follow yet. */
	const begun = new Map<string, RowLease>();
	/** Of these the ones whose transaction may be stored. */
	const uncertain = new Set<string>();
	const followed = new Map<string, Promise<void>>();
	const stopping = new AbortController();
	const {signal} = stopping;
	const {pause = (ms, until) => sleep(ms, undefined, {ref: false, signal: until}).catch(() => {})} = options;
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
			const isEnded = (await table.update({status, errorMessage}, condition)) === 1;
			if (isEnded) await onEnd((await get(processId))!);
			return isEnded;
		});

	/**
	 * Checks the chain once; true when the process has ended.
	 * @param used when the nonce was first seen to be used
	 */
	const readChain = async (
		process: PerpProcess,
		chain: Chain,
		{condition}: RowLease,
		used: {sinceMs?: number},
	): Promise<boolean> => {
		const {processId, instance, txHash, nonce, sentBy} = process;
		if (chain.instance !== instance) await end(processId, 'failed', 'the practice chain was reset');
		// The replica that began it is dead, since its lease was free: nothing was sent, and nothing will be.
		else if (txHash === null) await end(processId, 'failed', 'the service stopped before anything was sent', condition);
		else {
			// Read before the receipt: a transaction without a receipt whose nonce is used was replaced.
			const count = await chain.client.getTransactionCount({address: sentBy!});
			const receipt = await receiptOf(chain, txHash);
			if (receipt?.status === 'success') await end(processId, 'settled');
			else if (receipt !== undefined) await end(processId, 'failed', (await failureOf(chain.rpc, txHash)).text);
			// A node counts the nonce a moment before it has the receipt, and knows the transaction all the while.
			else if (count > nonce! && !(await isKnown(chain, txHash))) {
				used.sinceMs ??= performance.now();
				// Nodes behind one address differ: the node with the receipts may lag.
				if (chain.kind === 'external' && performance.now() - used.sinceMs < RECEIPT_MS) return false;
				await end(processId, 'failed', 'another transaction took its place');
			} else return false;
		}
		return true;
	};

	/**
	 * Sends the transaction of a dead replica, which may have died before sending it. Only within SEND_WITHIN_MS: later its user may
	 * have changed plans.
	 */
	const sendInstead = async ({processId, txHash, instance}: PerpProcess, chain: Chain): Promise<void> => {
		const {sql, parameters = []} = clock();
		const row = await database.get(
			`SELECT raw FROM ${TABLE} WHERE processId = ? AND raw IS NOT NULL AND createdAtMs > ${sql} - ${SEND_WITHIN_MS}`,
			[processId, ...parameters],
		);
		if (row === undefined || txHash === null) return;
		if (chain.instance !== instance || (await isKnown(chain, txHash))) return;
		await chain.rpc.call('eth_sendRawTransaction', [row['raw']]).catch(error => {
			log(`perp process ${processId}: its transaction was not sent again: ${(error as Error).message}`);
		});
	};

	/** @param isUnsent whether its transaction may be stored without being sent */
	const follow = async (lease: RowLease, isUnsent: boolean): Promise<void> => {
		const {key: processId} = lease;
		const ending = AbortSignal.any([signal, lease.signal]);
		const used = {};
		let isSent = !isUnsent;
		let failures = 0;
		let waitedMs = 0;
		while (!ending.aborted) {
			try {
				const process = await get(processId);
				if (process?.status !== 'pending') return lease.done();
				if (await isElsewhere(chains, process.chainId, process.instance)) {
					log(`perp process ${processId} is left alone: it is of another chain than that of this service`);
					return await lease.release(OTHER_CHAIN_MS);
				}
				const chain = await chains.ready(process.chainId);
				if (await readChain(process, chain, lease, used)) return lease.done();
				if (!isSent) await sendInstead(process, chain);
				isSent = true;
				failures = 0;
				// One whose transaction no node has is pending for as long as its nonce is not used: perhaps for ever.
				const delayMs = pollMs(chain, waitedMs);
				await pause(delayMs, ending);
				waitedMs += delayMs;
			} catch (error) {
				log(`perp process ${processId} waits: ${reasonOf(error)}`);
				if (++failures >= MAX_FAILURES && isShared) return lease.release();
				await pause(FAILURE_DELAY_MS, signal);
			}
		}
	};

	/** Ends a process of which nothing was sent, as soon as the store works. */
	const endUnsent = async (lease: RowLease, reason: string): Promise<void> => {
		const {key: processId, condition} = lease;
		while (!signal.aborted && !lease.signal.aborted) {
			try {
				await end(processId, 'failed', reason, condition);
				return lease.done();
			} catch {
				await pause(FAILURE_DELAY_MS, signal);
			}
		}
	};

	const start = (lease: RowLease, work: (lease: RowLease) => Promise<void>): void => {
		if (signal.aborted) return;
		followed.set(
			lease.key,
			work(lease).finally(() => followed.delete(lease.key)),
		);
	};

	/** Takes the lease of a process that this service has begun; undefined when it is lost. */
	const takeBegun = (processId: string): RowLease | undefined => {
		const lease = begun.get(processId);
		begun.delete(processId);
		uncertain.delete(processId);
		return lease;
	};

	return {
		async begin(process) {
			const processId = randomUUID();
			const prepared = leases.prepare(processId);
			const unsent = {txHash: null, nonce: null, sentBy: null, raw: null, errorMessage: null};
			await table.insert({
				...process,
				...unsent,
				...prepared.values,
				processId,
				status: 'pending',
				createdAtMs: clock(),
			});
			const lease = prepared.begin();
			begun.set(processId, lease);
			// A retried database transaction begins the process under another id, and the lease of this one is lost.
			lease.signal.addEventListener('abort', () => takeBegun(processId), {once: true});
			return processId;
		},
		async sending(processId, {hash, nonce, sentBy, raw = null}) {
			const {sql, parameters = []} = begun.get(processId)?.condition ?? LOST;
			const own = {
				sql: `processId = ? AND status = 'pending' AND ${sql}`,
				parameters: [processId, ...parameters],
			};
			let isWritten = false;
			try {
				// In a transaction: a statement outside of one could take effect after its caller got a timeout, and another replica would
				// send what the caller takes for unsent.
				await database.transaction(
					async () => {
						isWritten = (await table.update({txHash: hash, nonce, sentBy, raw}, own)) === 1;
					},
					{isolation: 'read-committed'},
				);
			} catch (error) {
				// Whether it was committed is not known.
				if (!isWritten || !(error instanceof StoreUnavailable)) throw error;
				uncertain.add(processId);
				throw new SendUncertain(hash, 'the database did not answer when it was stored', error);
			}
			if (!isWritten)
				throw new SendRejected('another replica has ended it, since this one did not answer for some time');
		},
		get,
		async notSent(processId, reason) {
			const lease = takeBegun(processId);
			try {
				const isEnded = await end(processId, 'failed', reason, lease?.condition ?? LOST);
				lease?.done();
				return isEnded;
			} catch (error) {
				// Under the lease, so that no other replica sends it before this is stored.
				if (lease !== undefined) start(lease, own => endUnsent(own, reason));
				throw error;
			}
		},
		async awaitEnd(processId, waitMs) {
			const isUnsent = uncertain.has(processId);
			const lease = takeBegun(processId);
			if (lease !== undefined) start(lease, own => follow(own, isUnsent));
			await Promise.race([followed.get(processId), sleep(waitMs, undefined, {ref: false})]);
			return (await get(processId))!;
		},
		recover: () =>
			takeOver({
				leases,
				work: () => ({sql: `status = 'pending'${isShared ? ` AND chainId IN (${externalIds(chains)})` : ''}`}),
				start: lease => start(lease, own => follow(own, true)),
				log: why => log(`perp processes of other replicas were not looked at: ${why}`),
				signal,
			}),
		async close() {
			stopping.abort();
			await Promise.race([Promise.all(followed.values()), sleep(CLOSE_MS, undefined, {ref: false})]);
			await leases.close();
		},
	};
}
