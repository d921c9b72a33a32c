import {randomUUID} from 'node:crypto';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Address, Hash} from 'viem';
import type {PerpAction} from '../../contract/perp.ts';
import type {ChainSet} from '../chain/chain-set.ts';
import {failureOf} from '../chain/failure-reason.ts';
import {receiptOf} from '../chain/receipt.ts';
import type {Database} from '../store/database.ts';
import {openTable, type RowOf} from '../store/table.ts';

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
	/** The amount to book after success, in raw units. */
	amountRaw: ['bigint'],
	status: 'text',
	errorMessage: ['text'],
	createdAtMs: 'integer',
} as const;

/** An execution on a chain: one transaction and its effect on the books. */
export type PerpProcess = Omit<RowOf<typeof COLUMNS>, 'status' | 'action' | 'wallet' | 'txHash' | 'sentBy'> & {
	readonly sentBy: Address | null;
	readonly status: 'pending' | 'settled' | 'failed';
	readonly action: PerpAction;
	readonly wallet: Address;
	readonly txHash: Hash | null;
};

export interface ProcessOptions {
	readonly database: Database;
	readonly chains: ChainSet;
	readonly now: () => number;
	readonly log: (line: string) => void;
	/** Books the end of a process. Stored in one transaction with the end, so it happens once. */
	readonly onEnd: (process: PerpProcess) => Promise<void>;
}

/** Executions that outlive their request. */
export interface Processes {
	/** Stores a process before anything is sent. */
	begin(process: Pick<PerpProcess, 'action' | 'wallet' | 'chainId' | 'instance' | 'amountRaw'>): Promise<string>;
	/** Stores the transaction of a process before it is sent. */
	sending(processId: string, transaction: {hash: Hash; nonce: number; sentBy: Address}): Promise<void>;
	get(processId: string): Promise<PerpProcess | undefined>;
	/** Ends a process of which nothing was sent. */
	notSent(processId: string, reason: string): Promise<void>;
	/** Watches a process to its end. */
	watch(processId: string): void;
	/** The process at its end, or after a time. */
	awaitEnd(processId: string, waitMs: number): Promise<PerpProcess>;
	/** Resumes the processes of an earlier run. */
	recover(): Promise<void>;
	close(): Promise<void>;
}

const POLL_MS = 25;
const TROUBLE_MS = 1000;

/** Opens the table of processes; `recover` resumes those of an earlier run. @throws StoreFailed */
export async function createProcesses({database, chains, now, log, onEnd}: ProcessOptions): Promise<Processes> {
	const table = await openTable(database, 'perp_processes', 'processId', COLUMNS);
	const watched = new Map<string, Promise<void>>();
	const stopping = new AbortController();
	const find = async (sql: string, parameters: readonly string[] = []) =>
		(await table.find({sql, parameters})) as PerpProcess[];
	const get = async (processId: string) => (await find('processId = ?', [processId]))[0];

	const end = (processId: string, status: 'settled' | 'failed', errorMessage: string | null = null) =>
		database.transaction(async () => {
			const condition = {sql: "processId = ? AND status = 'pending'", parameters: [processId]};
			if ((await table.update({status, errorMessage}, condition)) === 1) await onEnd((await get(processId))!);
		});

	/** Reads the chain once; true when the process has ended. */
	const readChain = async ({processId, chainId, instance, txHash, nonce, sentBy}: PerpProcess): Promise<boolean> => {
		const chain = await chains.ready(chainId);
		if (chain.instance !== instance) await end(processId, 'failed', 'the practice chain was reset');
		else if (txHash === null) await end(processId, 'failed', 'the service stopped before anything was sent');
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

	const follow = async (processId: string) => {
		while (!stopping.signal.aborted) {
			try {
				const process = await get(processId);
				if (process?.status !== 'pending' || (await readChain(process))) return;
				await sleep(POLL_MS, undefined, {ref: false});
			} catch (error) {
				log(`perp process ${processId} waits: ${error instanceof Error ? error.message : String(error)}`);
				await sleep(TROUBLE_MS, undefined, {ref: false, signal: stopping.signal}).catch(() => {});
			}
		}
	};

	const watch = (processId: string) => {
		if (watched.has(processId) || stopping.signal.aborted) return;
		watched.set(
			processId,
			follow(processId).finally(() => watched.delete(processId)),
		);
	};

	return {
		async begin(process) {
			const processId = randomUUID();
			const unsent = {txHash: null, nonce: null, sentBy: null};
			await table.insert({...process, ...unsent, processId, status: 'pending', errorMessage: null, createdAtMs: now()});
			return processId;
		},
		async sending(processId, {hash, nonce, sentBy}) {
			await table.update({txHash: hash, nonce, sentBy}, {sql: 'processId = ?', parameters: [processId]});
		},
		get,
		notSent: (processId, reason) => end(processId, 'failed', reason),
		watch,
		async awaitEnd(processId, waitMs) {
			watch(processId);
			await Promise.race([watched.get(processId), sleep(waitMs, undefined, {ref: false})]);
			return (await get(processId))!;
		},
		async recover() {
			for (const {processId} of await find("status = 'pending'")) watch(processId);
		},
		async close() {
			stopping.abort();
			await Promise.race([Promise.all(watched.values()), sleep(TROUBLE_MS, undefined, {ref: false})]);
		},
	};
}
