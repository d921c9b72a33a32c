import {parseAbi} from 'viem/utils';
import {decodeExactly} from '../calldata.ts';

/** The calls that a sponsored deposit is made of (spec 4.4): nothing else is signed. */
const ABI = parseAbi([
	'function approve(address spender, uint256 amount)',
	'function bridgeToken(bytes32 intentId, address token, uint256 amount, uint256 destinationChainId, address recipient)',
	'function swapAndBridge(bytes32 intentId, address tokenIn, uint256 amountIn, uint256 minBridged, uint256 destinationChainId, address recipient)',
]);

/** A call as the contract decodes it. Addresses in lower case. */
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

/** The decoded call; undefined for calls that a deposit does not have, and for bytes that are not the canonical encoding. */
export function decodeCall({to, data}: {to: string; data: string}): DecodedCall | undefined {
	const target = to.toLowerCase();
	const decoded = decodeExactly(ABI, data);
	switch (decoded?.functionName) {
		case 'approve': {
			const [spender, amountRaw] = decoded.args;
			return {kind: 'approve', to: target, spender: spender.toLowerCase(), amountRaw};
		}
		case 'bridgeToken': {
			const [intentHash, token, amountRaw, destinationChain, recipient] = decoded.args;
			return {
				kind: 'bridgeToken',
				to: target,
				intentHash: intentHash.toLowerCase(),
				token: token.toLowerCase(),
				amountRaw,
				destinationChain,
				recipient: recipient.toLowerCase(),
			};
		}
		case 'swapAndBridge': {
			const [intentHash, token, amountRaw, minBridgedRaw, destinationChain, recipient] = decoded.args;
			return {
				kind: 'swapAndBridge',
				to: target,
				intentHash: intentHash.toLowerCase(),
				token: token.toLowerCase(),
				amountRaw,
				minBridgedRaw,
				destinationChain,
				recipient: recipient.toLowerCase(),
			};
		}
		default:
			return undefined;
	}
}
