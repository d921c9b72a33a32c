import type {Hash} from 'viem';
import type {PrivateKeyAccount} from 'viem/accounts';
import {type JsonRpc, RpcRefused} from '../../rpc/json-rpc.ts';
import {StoreFailed, StoreUnavailable} from '../store/database.ts';
import {TransactionConflict} from '../store/postgres-errors.ts';
import {FEE_CALLS, feesIn, type GasFees} from './gas.ts';
import type {LaneStore} from './lane-store.ts';
import {
	fateOf,
	type Outgoing,
	type Persist,
	type Prepared,
	type Sender,
	SendRejected,
	SendUncertain,
	signTransaction,
	wordsOf,
} from './sender.ts';
import {createBatchQueue, createWorkQueue, type Job} from './work-queue.ts';

/** The chain of a lane. */
export interface LaneOptions {
	readonly rpc: JsonRpc;
	readonly chainId: number;
	readonly account: PrivateKeyAccount;
	readonly store: LaneStore;
}

/** The node's state for the next transaction. */
interface NodeState {
	readonly fees: GasFees;
	/** The pending transaction count of the account. */
	readonly pending: number;
	/** When it was requested, by the clock of `performance`. */
	readonly readMs: number;
}

/** A transaction that waits for its nonce. */
interface Waiting {
	readonly outgoing: Outgoing;
	readonly persist: Persist | undefined;
	/** As read when it was requested. */
	readonly state: NodeState;
}

/** Older states of the node are read again. */
const STATE_MS = 1000;
/** Maximum number of stored transactions that this process has not sent yet: a slow node gets no long backlog. */
const MAX_UNSENT = 16;

/**
 * Sends transactions of an account that other processes use too. The nonce and the signed transaction are committed before
 * anything is sent, together with what the caller writes in `persist`. From then on any replica may send the same bytes
 * (rebroadcast.ts), so that a crash leaves no gap. No replica sends other bytes with this nonce, unless the node certainly refused
 * the first sending.
 *
 * All replicas wait for the lock of the account's lane, so its holder does only what needs it: the node is read before, earlier
 * transactions are sent meanwhile, and all transactions that wait in this process get their nonces together.
 *
 * One case remains after a refusal: another node behind the same address may have the refused transaction after all. Then the chain
 * mines either that transaction or the later one with the same nonce, and the hash of the other gets no receipt.
 */
export function createLaneSender({rpc, chainId, account, store}: LaneOptions): Sender {
	const readNode = async (): Promise<NodeState> => {
		const readMs = performance.now();
		const count = {method: 'eth_getTransactionCount', params: [account.address, 'pending']};
		try {
			const results = await rpc.batch([...FEE_CALLS, count]);
			return {fees: feesIn(results), pending: Number(results.at(-1)), readMs};
		} catch (error) {
			throw new SendRejected(wordsOf(error), error);
		}
	};

	/** Stores the transactions of all jobs at once, or each alone when one of them fails. */
	const take = async (jobs: readonly Job<Waiting, Hash>[]): Promise<void> => {
		try {
			const newest = jobs.map(({item}) => item.state).reduce((a, b) => (a.readMs > b.readMs ? a : b));
			await takeWith(performance.now() - newest.readMs > STATE_MS ? await readNode() : newest, jobs);
		} catch (error) {
			for (const {reject} of jobs) reject(error);
		}
	};

	const takeWith = async (state: NodeState, jobs: readonly Job<Waiting, Hash>[]): Promise<void> => {
		const written: Prepared[] = [];
		const transactions = jobs.map(({item: {outgoing, persist}}) => ({
			async sign(nonce: number) {
				written.length = 0;
				try {
					return await signTransaction(account, outgoing, {...state.fees, chainId, nonce});
				} catch (error) {
					throw new SendRejected(wordsOf(error), error);
				}
			},
			async persist(prepared: Prepared) {
				await persist?.(prepared);
				written.push(prepared);
			},
		}));
		try {
			const prepared = await store.take(account.address, state.pending, transactions);
			for (const [n, {resolve}] of jobs.entries()) resolve(sends.run(() => sendNow(prepared[n]!)));
		} catch (error) {
			const isConflict = error instanceof TransactionConflict;
			if (written.length === jobs.length && error instanceof StoreFailed && !isConflict) {
				// The commit got no answer: the transactions may be stored, and sent by another replica.
				written.sort((a, b) => a.nonce - b.nonce);
				for (const [n, {reject}] of jobs.entries()) reject(new SendUncertain(written[n]!.hash, error.why, error));
			} else if (jobs.length === 1 || isConflict || error instanceof StoreUnavailable) {
				throw error;
			} else {
				for (const job of jobs) await take([job]);
			}
		}
	};

	const sendNow = async ({hash, raw}: Prepared): Promise<Hash> => {
		try {
			await rpc.call('eth_sendRawTransaction', [raw]);
		} catch (error) {
			const fate = fateOf(error);
			if (fate === 'taken') return hash;
			if (fate === 'uncertain' || isPassed(error)) throw new SendUncertain(hash, wordsOf(error), error);
			if (isEarly(error)) {
				await store.hurry(hash).catch(() => {});
				return hash;
			}
			// Without the refusal in the database the other replicas resend the transaction.
			if (!(await store.refuse(hash).catch(() => false))) throw new SendUncertain(hash, wordsOf(error), error);
			throw new SendRejected(wordsOf(error), error);
		}
		return hash;
	};

	// One after the other, so that the transactions of this process reach the node in the order of their nonces.
	const sends = createWorkQueue();
	const takes = createBatchQueue(take, async () => {
		await sends.shorterThan(MAX_UNSENT);
		return MAX_UNSENT - sends.length;
	});

	return {
		address: account.address,
		isOutgoing: store.isSending,
		async send(outgoing, persist, {sync, queueMs} = {}) {
			if (sync) throw new Error('calls in the request of a transaction are for practice chains');
			return takes.add({outgoing, persist, state: await readNode()}, queueMs);
		},
	};
}

/**
 * The node has another transaction with this nonce, or already has this one: a load balancer of nodes may repeat a sending. Which
 * of the two it is, a block decides.
 */
export function isPassed(error: unknown): boolean {
	return error instanceof RpcRefused && /nonce too low/i.test(error.message);
}

/** The node misses earlier nonces, which other replicas are about to send. */
export function isEarly(error: unknown): boolean {
	return error instanceof RpcRefused && /nonce too high|nonce gap|gapped.nonce/i.test(error.message);
}
