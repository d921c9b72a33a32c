import {setTimeout as sleep} from 'node:timers/promises';
import {type Hash, type TransactionReceipt, WaitForTransactionReceiptTimeoutError} from 'viem';
import type {Chain} from './chain-set.ts';

/** A transaction's receipt; undefined until the transaction is mined. */
export async function receiptOf(chain: Chain, hash: Hash): Promise<TransactionReceipt | undefined> {
	const receipt = await chain.client.getTransactionReceipt({hash}).catch(error => {
		if ((error as Error).name === 'TransactionReceiptNotFoundError') return undefined;
		throw error;
	});
	return receipt;
}

/**
 * Waits until a transaction is mined. viem asks for a receipt once a block; a practice chain counts its block before it shows the
 * receipts, and makes no other block.
 * @throws WaitForTransactionReceiptTimeoutError
 */
export async function minedReceipt(chain: Chain, hash: Hash, timeoutMs: number): Promise<TransactionReceipt> {
	const untilMs = performance.now() + timeoutMs;
	for (;;) {
		const receipt = await receiptOf(chain, hash);
		if (receipt) return receipt;
		if (performance.now() > untilMs) throw new WaitForTransactionReceiptTimeoutError({hash});
		await sleep(pollMs(chain));
	}
}

/** Whether a node has a transaction, mined or waiting. */
export async function isKnown({rpc}: Chain, txHash: Hash): Promise<boolean> {
	return (await rpc.call('eth_getTransactionByHash', [txHash])) !== null;
}

/** Longest interval for what has been polled for a long time. */
const MAX_POLL_MS = 15_000;

/**
 * The interval at which a chain is polled, in milliseconds. It grows with the wait: what comes late is seen a twentieth of its time
 * later, and what never comes costs little.
 * @param waitedMs how long the same has been polled for
 */
export function pollMs({kind}: Pick<Chain, 'kind'>, waitedMs = 0): number {
	return Math.max(kind === 'embedded' ? 25 : 1000, Math.min(waitedMs / 20, MAX_POLL_MS));
}

/**
 * Makes a practice chain mine its pending transactions. The node mines each transaction at once, but may overlook one that arrives
 * while another is mined; the overlooked transaction would wait for ever.
 */
export async function mineNow({kind, rpc}: Chain): Promise<void> {
	if (kind === 'embedded') await rpc.call('evm_mine');
}
