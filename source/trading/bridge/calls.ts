import type {Hex} from 'viem';
import {decodeFunctionData, parseAbi} from 'viem/utils';

/** The calls that a sponsored deposit is made of (spec 4.4): nothing else is signed. */
const ABI = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function bridgeToken(bytes32 intentId, address token, uint256 amount, uint256 destinationChainId, address recipient)',
	'function swapAndBridge(bytes32 intentId, address tokenIn, uint256 amountIn, uint256 minBridged, uint256 destinationChainId, address recipient)',
]);

/** A call as the contract will read it. Addresses in lower case. */
export type DecodedCall =
	| {readonly kind: 'approve'; readonly to: string; readonly spender: string; readonly amountRaw: bigint}
	| {
			readonly kind: 'bridgeToken' | 'swapAndBridge';
			readonly to: string;
			readonly intentHash: string;
			readonly token: string;
			readonly amountRaw: bigint;
			/** Of a swap: the least of the bridged token. */
			readonly minBridgedRaw?: bigint;
			readonly destinationChain: bigint;
			readonly recipient: string;
	  };

/** The call, or undefined when it is none of those that a deposit is made of, or has bytes too many or too few. */
export function decodeCall({to, data}: {to: string; data: string}): DecodedCall | undefined {
	const target = to.toLowerCase();
	try {
		const {functionName, args} = decodeFunctionData({abi: ABI, data: data as Hex});
		switch (functionName) {
			case 'approve':
				return hasLength(data, 2)
					? {kind: 'approve', to: target, spender: args[0].toLowerCase(), amountRaw: args[1]}
					: undefined;
			case 'bridgeToken':
				return hasLength(data, 5)
					? {
							kind: 'bridgeToken',
							to: target,
							intentHash: args[0].toLowerCase(),
							token: args[1].toLowerCase(),
							amountRaw: args[2],
							destinationChain: args[3],
							recipient: args[4].toLowerCase(),
						}
					: undefined;
			case 'swapAndBridge':
				return hasLength(data, 6)
					? {
							kind: 'swapAndBridge',
							to: target,
							intentHash: args[0].toLowerCase(),
							token: args[1].toLowerCase(),
							amountRaw: args[2],
							minBridgedRaw: args[3],
							destinationChain: args[4],
							recipient: args[5].toLowerCase(),
						}
					: undefined;
		}
	} catch {
		return undefined;
	}
}

/** Bytes behind the arguments would be signed without being shown. */
function hasLength(data: string, words: number): boolean {
	return data.length === 2 + 8 + words * 64;
}
