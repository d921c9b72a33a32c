import type {Hash, TransactionReceipt} from 'viem';
import type {Chain} from './chain-set.ts';

/** A transaction's receipt, as soon as there is one. */
export async function receiptOf(chain: Chain, hash: Hash): Promise<TransactionReceipt | undefined> {
	const receipt = await chain.client.getTransactionReceipt({hash}).catch(error => {
		if ((error as Error).name === 'TransactionReceiptNotFoundError') return undefined;
		throw error;
	});
	return receipt;
}
