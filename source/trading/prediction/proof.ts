import {isSameAddress} from '../../address.ts';
import type {Receipt} from '../chain-proof.ts';
import type {ChainReader} from '../chain-reader.ts';
import type {PredictionAction, PredictionPlace} from './checks.ts';

/** The purpose of a signed transaction around an account, as the journal keeps it. */
export interface PredictionPromise {
	readonly action: PredictionAction;
	/** The wallet. */
	readonly owner: string;
	/** The smart account. */
	readonly account: string;
	/** Decimal text of raw units; not for a deployment. */
	readonly amountRaw?: string;
}

/**
 * Whether the chain shows the purpose of a mined transaction: the exact amount to the right address in its own
 * receipt, or code at the account's address (spec 4.12). A receipt alone says only that it did not revert.
 * @throws ChainUnread
 */
export async function isKept(
	chains: ChainReader,
	{chainId, stablecoin}: Pick<PredictionPlace, 'chainId' | 'stablecoin'>,
	{action, owner, account, amountRaw}: PredictionPromise,
	{transfers}: Pick<Receipt, 'transfers'>,
): Promise<boolean> {
	if (action === 'deploy') return (await chains.account(chainId, account)).kind === 'contract';
	const [from, to] = action === 'deposit' ? [owner, account] : [account, owner];
	return transfers.some(
		transfer =>
			isSameAddress(transfer.token, stablecoin) &&
			isSameAddress(transfer.from, from) &&
			isSameAddress(transfer.to, to) &&
			String(transfer.amountRaw) === amountRaw,
	);
}
