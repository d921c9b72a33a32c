import {formatUnits} from 'viem';
import {COLLATERAL_DECIMALS} from './markets.ts';

/*
 * The message that the owner of an account signs for dexB itself (spec 4.8, `MessageToSign`). It is removed from the
 * payload before the payload comes back, so each message can be made again from the fields that stay.
 */

export interface AccountFields {
	readonly accountIndex: number;
	readonly apiKeyIndex: number;
	readonly wallet: string;
}

/** The text that provisions an API key. */
export function accountMessage({accountIndex, apiKeyIndex, wallet}: AccountFields): string {
	return `dexB: let the service trade for an account\n\nAccount: ${accountIndex}\nAPI key: ${apiKeyIndex}\nWallet: ${wallet}`;
}

export interface WithdrawalFields {
	readonly accountIndex: number;
	readonly amountRaw: string;
	readonly to: string;
	/** Number of the account's withdrawal: each text is valid for one. */
	readonly number: number;
}

/** The text that withdraws. */
export function withdrawalMessage({accountIndex, amountRaw, to, number}: WithdrawalFields): string {
	const amount = formatUnits(BigInt(amountRaw), COLLATERAL_DECIMALS);
	return `dexB: withdraw\n\nAccount: ${accountIndex}\nAmount: ${amount} USDC\nTo: ${to}\nNumber: ${number}`;
}
