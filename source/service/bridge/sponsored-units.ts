import {type Address, encodeFunctionData, type Hex, isAddressEqual, type StateOverride, toHex} from 'viem';
import {batchNonce} from '../../contract/typed-data.ts';
import {BatchExecutor, BatchExecutorSimulation} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {entryOf, TOKEN_SLOTS} from '../chain/token-storage.ts';

/** Additional gas units of an authorization (EIP-7702). */
const AUTHORIZATION_UNITS = 25_000n;

/** Reserve for a state that changes until the batch runs. */
const HEADROOM_PERCENT = 15n;

/** A signature of the highest cost (bytes that are not zero cost the most) that can be recovered from. */
const ANY_SIGNATURE: Hex = `0x${'11'.repeat(64)}1b`;

export interface SponsoredDraft {
	readonly intentId: string;
	readonly authority: Address;
	readonly calls: readonly {readonly to: string; readonly data: string}[];
	readonly gasToken: Address;
	readonly minBalance: bigint;
	/** Changes to the chain's state of now before the batch runs. */
	readonly overrides?: StateOverride | undefined;
}

/**
 * The gas units of a sponsored batch before it is signed, by one estimate: the account has the code of the executor without its
 * signature check, and the tokens. The quote charges these units, and the broadcast has them as its limit.
 * @throws the node's own error when the calls would revert
 */
export async function sponsoredUnits(origin: Chain, draft: SponsoredDraft): Promise<bigint> {
	const {authority, gasToken, minBalance, overrides = []} = draft;
	const calls = draft.calls.map(({to, data}) => ({to: to as Address, value: 0n, data: data as Hex}));
	const deadline = BigInt(Math.floor(Date.now() / 1000) + 3600);
	const [units, delegate] = await Promise.all([
		origin.client.estimateGas({
			account: origin.accounts.sponsor.address,
			to: authority,
			data: encodeFunctionData({
				abi: BatchExecutor.abi,
				functionName: 'execute',
				args: [calls, batchNonce(draft.intentId), deadline, gasToken, minBalance, ANY_SIGNATURE],
			}),
			stateOverride: [
				{address: authority, code: BatchExecutorSimulation.runtime},
				{
					address: gasToken,
					stateDiff: [{slot: entryOf(TOKEN_SLOTS.balances, authority), value: toHex(minBalance, {size: 32})}],
				},
				...overrides,
			],
		}),
		origin.client.getDelegation({address: authority}),
	]);
	const isDelegated = delegate !== undefined && isAddressEqual(delegate, origin.addresses.batchExecutor);
	const needed = units + (isDelegated ? 0n : AUTHORIZATION_UNITS);
	return (needed * (100n + HEADROOM_PERCENT)) / 100n;
}
