import {setTimeout as sleep} from 'node:timers/promises';
import {type Address, type Hash, type Hex, keccak256, type SignedAuthorizationList} from 'viem';
import type {PrivateKeyAccount} from 'viem/accounts';
import {PulsetopError} from '../../errors.ts';
import {type JsonRpc, type RpcCall, RpcRefused, RpcUnanswered} from '../../rpc/json-rpc.ts';
import {currentFees, type GasFees} from './gas.ts';

/** A transaction to send. */
export interface Outgoing {
	readonly to: Address;
	readonly data?: Hex;
	readonly value?: bigint;
	/** The gas limit, in units. */
	readonly gas: bigint;
	/** EIP-7702 tuples. An empty list counts as none: a type-4 transaction without tuples is invalid and is dropped. */
	readonly authorizationList?: SignedAuthorizationList;
}

/** A signed transaction before it is sent. */
export interface Prepared {
	readonly hash: Hash;
	readonly raw: Hex;
	readonly nonce: number;
}

/** The node has certainly not accepted the transaction: nothing was sent. */
export class SendRejected extends PulsetopError {
	readonly code = 'send-rejected';

	constructor(reason: string, cause?: unknown) {
		super('The transaction was not sent', {why: reason, next: 'retry-same', cause});
	}
}

/**
 * It is not known whether the node accepted the transaction. It must not be sent again; the chain has the result under
 * its hash.
 */
export class SendUncertain extends PulsetopError {
	readonly code = 'send-uncertain';
	readonly hash: Hash;

	constructor(hash: Hash, why: string, cause?: unknown) {
		super('It is not known whether the transaction was sent', {why, next: 'poll-status', cause});
		this.hash = hash;
	}
}

/** The queue of the account's transactions is too long: nothing was signed, stored or sent. */
export class SenderBusy extends PulsetopError {
	readonly code = 'sender-busy';

	constructor(waitedMs: number) {
		super('The transaction was not sent', {
			why: `it waited ${waitedMs} ms behind other transactions of the service`,
			next: 'retry-later',
		});
	}
}

/** Steps right before a transaction is sent, in its account's turn. */
export interface SendOptions {
	/**
	 * Awaited after `persist`: calls that go in the same request as the transaction and are carried out right before it,
	 * such as the writes that give a pool its reserves. An error stops the sending, and nothing was sent then. That one of
	 * the calls was refused does not undo the transaction.
	 */
	readonly sync?: (() => readonly RpcCall[] | Promise<readonly RpcCall[]>) | undefined;
	/** Longest wait for a nonce in milliseconds, default unlimited; only with senders of replicas. */
	readonly queueMs?: number | undefined;
}

/** Sends one account's transactions on one chain, in order. */
export interface Sender {
	readonly address: Address;
	/**
	 * Signs and sends. Other transactions of the account wait.
	 * @param persist awaited between signing and sending: an error stops the sending, and what it stores is enough to
	 *   find the transaction after a crash
	 * @throws SendRejected when nothing was sent, SendUncertain when that is not known; SenderBusy after `queueMs`: nothing was
	 *   stored
	 */
	send(outgoing: Outgoing, persist?: Persist, options?: SendOptions): Promise<Hash>;
	/** Where several processes send: whether one of them still sends the transaction of a hash. */
	isOutgoing?(hash: Hash): Promise<boolean>;
	/**
	 * Where one process sends: reads the next nonce from the node again, since the node has dropped a transaction that it had taken.
	 * Later ones would wait behind the gap.
	 */
	recount?(): void;
}

/** Writes down what is about to be sent. */
export type Persist = (prepared: Prepared) => void | Promise<void>;

export interface SenderOptions {
	/**
	 * Whether each transaction is mined before the next one is sent. A practice chain mines each at once, and loses one
	 * that arrives while the previous one is being mined (measured: one in some thousands); the queue would wait for it
	 * for ever.
	 */
	readonly oneByOne?: boolean | undefined;
}

/**
 * A queue of transactions with its own nonces. The next nonce is read from the node at first, after every answer that
 * leaves it in doubt, after every refusal, and after `recount`.
 */
export function createSender(
	rpc: JsonRpc,
	chainId: number,
	account: PrivateKeyAccount,
	{oneByOne = false}: SenderOptions = {},
): Sender {
	let next: number | undefined;
	let queue: Promise<unknown> = Promise.resolve();

	const sendNow = async (outgoing: Outgoing, persist?: Persist, {sync}: SendOptions = {}): Promise<Hash> => {
		const prepared = await prepare(outgoing);
		await persist?.(prepared);
		const before = (await sync?.()) ?? [];
		try {
			await sendRaw(rpc, prepared.raw, before);
		} catch (error) {
			const fate = fateOf(error);
			if (fate !== 'taken') next = undefined;
			if (fate === 'rejected') throw new SendRejected(wordsOf(error), error);
			if (fate === 'uncertain') throw new SendUncertain(prepared.hash, wordsOf(error), error);
		}
		if (next !== undefined) next++;
		return prepared.hash;
	};

	const prepare = async (outgoing: Outgoing): Promise<Prepared> => {
		try {
			const [fees, nonce] = await Promise.all([currentFees(rpc), next ?? nonceOf(rpc, account.address)]);
			next = nonce;
			return await signTransaction(account, outgoing, {...fees, chainId, nonce});
		} catch (error) {
			next = undefined;
			throw new SendRejected(wordsOf(error), error);
		}
	};

	return {
		address: account.address,
		send(outgoing, persist, options) {
			const sending = queue.then(() => sendNow(outgoing, persist, options));
			queue = sending.then(hash => (oneByOne ? awaitMined(rpc, hash) : undefined)).catch(() => {});
			return sending;
		},
		recount() {
			// Between two turns: one that has begun keeps its nonce.
			queue = queue.then(() => {
				next = undefined;
			});
		},
	};
}

/** The fields that a transaction is signed with besides its call. */
interface SigningFacts extends GasFees {
	readonly chainId: number;
	readonly nonce: number;
}

export async function signTransaction(
	account: PrivateKeyAccount,
	{authorizationList, ...outgoing}: Outgoing,
	facts: SigningFacts,
): Promise<Prepared> {
	const common = {...outgoing, ...facts};
	const raw = authorizationList?.length
		? await account.signTransaction({...common, type: 'eip7702', authorizationList})
		: await account.signTransaction({...common, type: 'eip1559'});
	return {hash: keccak256(raw), raw, nonce: facts.nonce};
}

/**
 * Sends a signed transaction, in one request with the calls before it. The transaction is judged by its own outcome: it
 * may have been taken whatever became of the others.
 * @throws RpcRefused, RpcUnanswered
 */
async function sendRaw(rpc: JsonRpc, raw: Hex, before: readonly RpcCall[]): Promise<void> {
	const send: RpcCall = {method: 'eth_sendRawTransaction', params: [raw]};
	if (before.length === 0) return void (await rpc.call(send.method, send.params));
	const outcome = (await rpc.outcomes([...before, send])).at(-1)!;
	if (!outcome.ok) throw outcome.error;
}

/** Result of a transaction whose sending failed. */
export type Fate = 'taken' | 'rejected' | 'uncertain';

/** Texts with which nodes refuse a transaction before they accept it. */
const REFUSALS =
	/nonce too (low|high)|insufficient funds|intrinsic gas|gas limit|gas too (low|high)|underpriced|fee cap|max fee per gas|max priority fee|chain ?id|invalid (sender|signature|transaction|signer)|rlp|authorization list|tx pool is full|txpool is full|rate limit|exceeds block|not supported|too many requests/i;

/** Codes of JSON-RPC and EIP-1474 for calls that were not carried out. */
const REFUSED_CODES: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602, -32003, -32004, -32005]);

/**
 * Judges an error of sending. Only a node's own refusal proves that the transaction was not accepted; any other error,
 * a cut connection or a time-out proves nothing.
 */
export function fateOf(error: unknown): Fate {
	if (error instanceof RpcRefused) {
		if (/already (known|imported|exists)|known transaction/i.test(error.message)) return 'taken';
		return REFUSED_CODES.has(error.rpcCode) || REFUSALS.test(error.message) ? 'rejected' : 'uncertain';
	}
	if (error instanceof RpcUnanswered) return error.neverSent ? 'rejected' : 'uncertain';
	return 'uncertain';
}

/** How long a practice chain may take for a block. */
const BLOCK_MS = 10_000;

/** A practice chain that has not mined a transaction after this time has lost sight of it, and mines on request, ms. */
const LOST_MS = 200;

/** Waits until a practice chain has mined a transaction, which takes some milliseconds. */
async function awaitMined(rpc: JsonRpc, hash: Hash): Promise<void> {
	const untilMs = performance.now() + BLOCK_MS;
	let lostAtMs = performance.now() + LOST_MS;
	while ((await rpc.call('eth_getTransactionReceipt', [hash])) === null && performance.now() < untilMs) {
		await sleep(2);
		if (performance.now() < lostAtMs) continue;
		// A block may be made before the node has put the transaction among those to mine: it is made again.
		await rpc.call('evm_mine');
		lostAtMs = performance.now() + LOST_MS;
	}
}

/** The number of an account's transactions that the node has, those that wait included: the next nonce as far as it knows. */
async function nonceOf(rpc: JsonRpc, address: Address): Promise<number> {
	return Number(await rpc.call<Hex>('eth_getTransactionCount', [address, 'pending']));
}

/** Why a call to a node failed, in its own words where it gave some. */
export function wordsOf(error: unknown): string {
	if (error instanceof RpcRefused) return error.message;
	if (error instanceof PulsetopError) return error.why;
	return error instanceof Error ? error.message : String(error);
}
