import {type Address, encodeFunctionData, type Hex, keccak256, stringToHex} from 'viem';
import type {QuoteStep} from '../../contract/bridge.ts';
import {Bridge, SwapBridge, Token} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import type {OriginAsset} from './assets.ts';

/** Input of the steps of a deposit. */
export interface DepositPlan {
	readonly intentId: string;
	readonly asset: OriginAsset;
	readonly amountRaw: bigint;
	/** For a swap: the least amount of the bridged token to accept. */
	readonly minBridgedRaw: bigint;
	readonly destinationChainId: number;
	readonly recipient: Address;
}

/** The id of an intent in the contracts. */
export function intentHashOf(intentId: string): Hex {
	return keccak256(stringToHex(intentId));
}

/** The steps that make the deposit (spec 4.4, 4.5): approve, then bridgeToken or swapAndBridge. */
export function depositSteps(origin: Chain, plan: DepositPlan): QuoteStep[] {
	const {asset, amountRaw, destinationChainId, recipient} = plan;
	const {bridge, swapBridge} = origin.addresses;
	const intentHash = intentHashOf(plan.intentId);
	const swaps = asset.kind !== 'bridged';
	// The symbol of a launch is a text from outside.
	const name = asset.kind === 'market' ? 'token' : asset.symbol;
	const spender = swaps ? swapBridge : bridge;
	const destination = BigInt(destinationChainId);
	const final = swaps
		? encodeFunctionData({
				abi: SwapBridge.abi,
				functionName: 'swapAndBridge',
				args: [intentHash, asset.address, amountRaw, plan.minBridgedRaw, destination, recipient],
			})
		: encodeFunctionData({
				abi: Bridge.abi,
				functionName: 'bridgeToken',
				args: [intentHash, asset.address, amountRaw, destination, recipient],
			});
	const approval = encodeFunctionData({abi: Token.abi, functionName: 'approve', args: [spender, amountRaw]});
	const chainId = origin.info.id;
	return [
		{
			type: 'approve',
			description: `Let the ${swaps ? 'swap helper' : 'bridge'} take the ${name} of this transfer`,
			tx: {to: asset.address, data: approval, value: '0', chainId},
		},
		{
			type: swaps ? 'swapAndBridge' : 'bridgeToken',
			description: swaps ? `Swap the ${name} to USDC and deposit it` : `Deposit ${name}`,
			tx: {
				to: spender,
				data: final,
				value: '0',
				chainId,
				approvalAddress: spender,
				approvalToken: asset.address,
				approvalAmount: amountRaw.toString(),
			},
		},
	];
}
