import type {PrivateKeyAccount} from 'viem/accounts';
import {StoreFailed} from '../store/database.ts';
import {TransactionConflict} from '../store/postgres-errors.ts';
import {currentFees} from './gas.ts';
import {type JsonRpc, RpcRefused} from './json-rpc.ts';
import type {LaneStore} from './lane-store.ts';
import {
	fateOf,
	nonceOf,
	type Outgoing,
	type Persist,
	type Prepared,
	type Sender,
	SendRejected,
	SendUncertain,
	signTransaction,
	wordsOf,
} from './sender.ts';

/** What a lane needs of its chain. */
export interface LaneOptions {
	readonly rpc: JsonRpc;
	readonly chainId: number;
	readonly account: PrivateKeyAccount;
	readonly store: LaneStore;
}

/**
 * Sends transactions of an account that other processes use, too. The nonce and the signed transaction are in the database
 * before anything is sent, together with what the caller writes in `persist`. From then on any replica may send the same bytes
 * (rebroadcast.ts), so that a process that dies leaves no gap; none ever sends other bytes with this nonce, except when the
 * first sending was refused for certain.
 *
 * What remains after a refusal: a node behind the same address may have the refused transaction all the same. Then it and the
 * transaction that got its nonce later are rivals for one place: one of the two lands and never both, and the other one's hash
 * stays without a receipt.
 */
export function createLaneSender({rpc, chainId, account, store}: LaneOptions): Sender {
	let queue: Promise<unknown> = Promise.resolve();

	/** Everything that needs the node comes before the transaction of the database, which others wait for. */
	const take = async (outgoing: Outgoing, persist?: Persist): Promise<Prepared> => {
		let facts: readonly [Awaited<ReturnType<typeof currentFees>>, number];
		try {
			facts = await Promise.all([currentFees(rpc), nonceOf(rpc, account.address)]);
		} catch (error) {
			throw new SendRejected(wordsOf(error), error);
		}
		const [fees, pending] = facts;
		let made: Prepared | undefined;
		try {
			return await store.take(
				account.address,
				pending,
				async nonce => {
					made = undefined;
					try {
						return await signTransaction(account, outgoing, {...fees, chainId, nonce});
					} catch (error) {
						throw new SendRejected(wordsOf(error), error);
					}
				},
				async prepared => {
					await persist?.(prepared);
					made = prepared;
				},
			);
		} catch (error) {
			// Everything was written, and the commit had no answer: it may have been made, and be sent by a replica.
			if (made !== undefined && error instanceof StoreFailed && !(error instanceof TransactionConflict)) {
				throw new SendUncertain(made.hash, error.why, error);
			}
			throw error;
		}
	};

	const sendNow = async (outgoing: Outgoing, persist?: Persist): Promise<Prepared['hash']> => {
		const {hash, raw} = await take(outgoing, persist);
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
			// Where the database cannot say that it is refused, the others go on sending it.
			if (!(await store.refuse(hash).catch(() => false))) throw new SendUncertain(hash, wordsOf(error), error);
			throw new SendRejected(wordsOf(error), error);
		}
		return hash;
	};

	return {
		address: account.address,
		isOutgoing: store.isSending,
		send(outgoing, persist, options = {}) {
			if (options.sync)
				return Promise.reject(new Error('calls in the request of a transaction are for practice chains'));
			// In order, so that the transactions of this process reach the node in the order of their nonces.
			const sending = queue.then(() => sendNow(outgoing, persist));
			queue = sending.catch(() => {});
			return sending;
		},
	};
}

/**
 * The node has another transaction with this nonce, or this one already: an address with several nodes behind it repeats a
 * sending on its own. Which of the two shows in a block.
 */
export function isPassed(error: unknown): boolean {
	return error instanceof RpcRefused && /nonce too low/i.test(error.message);
}

/** The node wants those before it first, which other replicas are about to send. */
export function isEarly(error: unknown): boolean {
	return error instanceof RpcRefused && /nonce too high|nonce gap|gapped.nonce/i.test(error.message);
}
