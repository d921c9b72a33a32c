import {setTimeout as sleep} from 'node:timers/promises';
import type {Address, Hash, Hex} from 'viem';
import type {PrivateKeyAccount} from 'viem/accounts';
import {createJsonRpc, type JsonRpc, RpcRefused} from '../../rpc/json-rpc.ts';
import {logFailuresOnce} from '../log-failures-once.ts';
import type {Database} from '../store/database.ts';
import type {ChainInfo} from './chains.ts';
import {firstBlock} from './first-block.ts';
import {currentFees} from './gas.ts';
import {type LaneStore, laneChain, type NonceGap, openLaneStore, type WaitingTransaction} from './lane-store.ts';
import {isEarly, isPassed} from './nonce-lane.ts';
import {fateOf, signTransaction, wordsOf} from './sender.ts';

export interface RebroadcastOptions {
	readonly info: ChainInfo;
	readonly rpcUrl: string;
	/** The service's accounts on the chain: gaps in their nonces are filled. */
	readonly accounts: readonly PrivateKeyAccount[];
	readonly database: Database;
	readonly log: (line: string) => void;
	/** Polling interval in milliseconds; default 1 s. */
	readonly everyMs?: number | undefined;
	/** Age from which a repeatedly refused transaction is given up, in milliseconds; default one minute. */
	readonly giveUpMs?: number | undefined;
}

export interface Rebroadcaster {
	close(): Promise<void>;
}

const EVERY_MS = 1000;
/** Maximum number of transactions in one poll. */
const BATCH = 50;
/** A poll ends after this many timeouts of the node. */
const MAX_TIMEOUTS = 3;
/** Age from which a transaction without a receipt, whose nonce is used, counts as lost: nodes behind one address differ. */
const LOST_MS = 30_000;
const GIVE_UP_MS = 60_000;
const GIVE_UP_TRIES = 3;
const DROP_EVERY_MS = 60_000;
/** For a transfer to itself: some chains count the cost of their data as gas. What is not used is not paid. */
const FILL_GAS = 300_000n;

/**
 * Rebroadcasts signed transactions of all replicas, with the same bytes, until they are mined, so that a replica that dies between
 * commit and sending leaves no gap. Every replica does this from its start; they share the work row by row.
 *
 * A transaction in a node's pool whose fee has become too low waits until the fees fall, and so do the later ones: no
 * transaction is replaced with a higher fee. Its fee was twice the base fee when it was signed.
 */
export function startRebroadcaster(options: RebroadcastOptions): Rebroadcaster {
	const {info, rpcUrl, database, log, everyMs = EVERY_MS} = options;
	const rpc = createJsonRpc(() => rpcUrl, {timeoutMs: 10_000});
	const stopping = new AbortController();
	let lane: {readonly instance: Hex; readonly store: LaneStore} | undefined;
	let droppedAtMs = 0;

	const poll = async (): Promise<void> => {
		lane ??= await openLane();
		const {store} = lane;
		const [hasDue, gaps] = [await store.hasDue(), await store.gaps()];
		if (performance.now() - droppedAtMs > DROP_EVERY_MS) {
			droppedAtMs = performance.now();
			await store.dropOld();
		}
		if (!hasDue && gaps.length === 0) return;
		// A development chain may have been restarted. The check also fails while the node is unreachable, so no attempt is counted.
		const instance = await firstBlock(rpc);
		if (instance !== lane.instance) {
			lane = undefined;
			return;
		}
		const work = {...options, rpc, store};
		if (hasDue) await sendDue(work);
		for (const gap of gaps) await fillGap(work, gap);
	};
	const openLane = async () => {
		const instance = await firstBlock(rpc);
		return {instance, store: openLaneStore(database, laneChain(info, instance))};
	};

	const run = async (): Promise<void> => {
		const attempt = logFailuresOnce(
			why => log(`${info.key}: sent transactions are not looked after now: ${why}`),
			wordsOf,
		);
		while (!stopping.signal.aborted) {
			await attempt(poll);
			// Jitter, so that replicas that were started together do not poll together.
			const pauseMs = everyMs * (0.8 + 0.4 * Math.random());
			await sleep(pauseMs, undefined, {ref: false, signal: stopping.signal}).catch(() => {});
		}
	};
	const running = run();
	return {
		async close() {
			stopping.abort();
			await rpc.close();
			await running;
		},
	};
}

interface Work extends RebroadcastOptions {
	readonly rpc: JsonRpc;
	readonly store: LaneStore;
}

/** Resends due transactions, and records mined ones. */
async function sendDue(work: Work): Promise<void> {
	const {rpc, store, info, log} = work;
	const due = await store.takeDue(BATCH);
	const accounts = [...new Set(due.map(({account}) => account))];
	// Read before the receipts: a transaction without a receipt whose nonce is used was replaced.
	const counts = await rpc.batch(accounts.map(account => count(account, 'latest')));
	const latest = new Map(accounts.map((account, i) => [account, Number(counts[i])]));
	const receipts = await rpc.batch(due.map(({hash}) => ({method: 'eth_getTransactionReceipt', params: [hash]})));
	for (const account of accounts) await store.reopen(account, latest.get(account)!);
	await store.mined(due.filter((_, i) => receipts[i] !== null).map(({hash}) => hash));
	let unanswered = 0;
	for (const transaction of due.filter((_, i) => receipts[i] === null)) {
		if (unanswered === MAX_TIMEOUTS) throw new Error('the node does not answer');
		const {account, nonce, hash, ageMs} = transaction;
		if (latest.get(account)! <= nonce) {
			if (!(await sendAgain(work, transaction, latest.get(account)! === nonce))) unanswered++;
		} else if (ageMs > LOST_MS) {
			await store.lost(hash);
			log(`${info.key}: another transaction of ${account} took the nonce ${nonce} of ${hash}`);
		}
	}
}

/**
 * @param isNext whether the nonce is the account's next one on the chain
 * @returns whether the node answered
 */
async function sendAgain(work: Work, transaction: WaitingTransaction, isNext: boolean): Promise<boolean> {
	const {rpc, store, info, log, giveUpMs = GIVE_UP_MS} = work;
	try {
		await rpc.call('eth_sendRawTransaction', [transaction.raw]);
	} catch (error) {
		if (!(error instanceof RpcRefused)) return false;
		const isRefused = fateOf(error) === 'rejected' && !isPassed(error) && !isEarly(error);
		if (!isRefused || !isNext || transaction.ageMs < giveUpMs || transaction.tries < GIVE_UP_TRIES) return true;
		if (await isKnown(rpc, transaction.hash)) return true;
		// The caller follows the hash, which gets no receipt from now on. If another node has the transaction after all, or a stalled
		// replica sends it later, the chain still mines only one transaction for the nonce.
		if (await store.giveUp(transaction))
			log(
				`${info.key}: the node refuses ${transaction.hash} for good (${wordsOf(error)}): its nonce is given to another`,
			);
	}
	return true;
}

/**
 * Uses a nonce whose transaction was refused after later ones were assigned, with a transfer of nothing to the account itself. If
 * some node has the refused transaction after all, only one of the two is mined.
 */
async function fillGap({rpc, store, info, accounts, log}: Work, gap: NonceGap): Promise<void> {
	const [latest, pending] = (await rpc.batch([count(gap.account, 'latest'), count(gap.account, 'pending')])).map(
		Number,
	) as [number, number];
	if (latest > gap.nonce) return store.settleGap(gap);
	// The node has a transaction with this nonce.
	if (pending > gap.nonce) return;
	const account = accounts.find(({address}) => address.toLowerCase() === gap.account);
	if (account === undefined) return;
	const fees = await currentFees(rpc);
	const nothing = {to: account.address, value: 0n, gas: FILL_GAS};
	const filled = await store.fill(gap, nonce => signTransaction(account, nothing, {...fees, chainId: info.id, nonce}));
	if (filled === undefined) return;
	log(`${info.key}: the nonce ${gap.nonce} of ${account.address} is filled with a transfer of nothing: ${filled.hash}`);
	await rpc.call('eth_sendRawTransaction', [filled.raw]).catch(() => {});
}

function count(account: Address, block: 'latest' | 'pending') {
	return {method: 'eth_getTransactionCount', params: [account, block]};
}

async function isKnown(rpc: JsonRpc, hash: Hash): Promise<boolean> {
	return (await rpc.call('eth_getTransactionByHash', [hash])) !== null;
}
