import {parseAbi} from 'viem/utils';
import type {Batch} from '../../contract/typed-data.ts';
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
			/** The minimum of the bridged token in a swap. */
			readonly minBridgedRaw?: bigint;
			readonly destinationChain: bigint;
			readonly recipient: string;
	  };

export type DecodedDeposit = Exclude<DecodedCall, {kind: 'approve'}>;

/** The calls of a plan as the contracts will read them; undefined for those that are not known. */
export function decodedCalls({batch}: {readonly batch: Pick<Batch, 'calls'>}): readonly (DecodedCall | undefined)[] {
	return batch.calls.map(decodeCall);
}

/** The call that makes the deposit: the last one. */
export function depositCall(plan: {readonly batch: Pick<Batch, 'calls'>}): DecodedDeposit | undefined {
	const last = decodedCalls(plan).at(-1);
	return last === undefined || last.kind === 'approve' ? undefined : last;
}

/** The kinds of calls in their order: `approve, then bridgeToken`. */
export function kindsOf(calls: readonly {to: string; data: string}[]): string {
	return calls.map(call => decodeCall(call)?.kind ?? 'an unknown call').join(', then ') || 'no calls';
}

/** How the calls of a new quote differ from the shown ones; undefined when kinds, order and contracts are the same. */
export function newCalls(
	shown: readonly {to: string; data: string}[],
	next: readonly {to: string; data: string}[],
): string | undefined {
	const [kinds, newKinds] = [kindsOf(shown), kindsOf(next)];
	if (kinds !== newKinds) return `the calls are ${newKinds}; shown were ${kinds}`;
	const isSame = next.every(({to}, at) => to.toLowerCase() === shown[at]!.to.toLowerCase());
	return isSame ? undefined : 'a call goes to another contract than was shown';
}

/** The decoded call; undefined for calls that a deposit does not have, and for bytes that are not the canonical encoding. */
function decodeCall({to, data}: {to: string; data: string}): DecodedCall | undefined {
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
