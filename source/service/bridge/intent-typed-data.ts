import type {Address} from 'viem';
import {chainKey} from '../chain/chains.ts';
import type {Intent} from './intents.ts';

const TYPES = {
	BridgeIntent: [
		{name: 'intentId', type: 'string'},
		{name: 'sender', type: 'address'},
		{name: 'recipient', type: 'address'},
		{name: 'originChainId', type: 'string'},
		{name: 'destinationChainId', type: 'string'},
		{name: 'originToken', type: 'address'},
		{name: 'destinationToken', type: 'address'},
		{name: 'amount', type: 'uint256'},
		{name: 'minAmountOut', type: 'uint256'},
		{name: 'deadline', type: 'uint256'},
	],
} as const;

/**
 * The typed data of an intent for its user: everything that the transfer promises and takes (contract gaps 4.1,
 * signed-quote flow).
 */
export function intentTypedData(intent: Intent, bridge: Address) {
	return {
		domain: {name: 'ServiceBridge', version: '1', chainId: intent.originChainId, verifyingContract: bridge},
		types: TYPES,
		primaryType: 'BridgeIntent',
		message: {
			intentId: intent.intentId,
			sender: intent.authority,
			recipient: intent.recipient,
			originChainId: chainKey(intent.originChainId),
			destinationChainId: chainKey(intent.destinationChainId),
			originToken: intent.originToken,
			destinationToken: intent.destinationToken,
			amount: intent.amountRaw,
			minAmountOut: intent.minOutRaw,
			deadline: BigInt(deadlineOf(intent)),
		},
	} as const;
}

/** Expiry of the quote, Unix seconds. */
export function deadlineOf({expiresAtMs}: Pick<Intent, 'expiresAtMs'>): number {
	return Math.floor(expiresAtMs / 1000);
}
