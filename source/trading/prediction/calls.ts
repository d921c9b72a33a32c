import type {Address, Hex} from 'viem';
import {decodeFunctionData, encodeFunctionData, parseAbi} from 'viem/utils';

/** The calls that the account flows are made of (spec 4.12, 4.13, contract gaps 6.3): nothing else is signed. */
const ABI = parseAbi([
	'function withdraw(address token, address to, uint256 amount)',
	'function transfer(address to, uint256 amount)',
	'function createProxy(address paymentToken, uint256 payment, address paymentReceiver, bytes signature)',
]);

/** A call as the contract will read it. Addresses in lower case. */
export type VaultCall =
	| {readonly kind: 'withdraw'; readonly token: string; readonly recipient: string; readonly amountRaw: bigint}
	| {readonly kind: 'transfer'; readonly recipient: string; readonly amountRaw: bigint}
	| {
			readonly kind: 'createProxy';
			readonly paymentToken: string;
			readonly payment: bigint;
			readonly paymentReceiver: string;
			readonly signature: string;
	  };

const ZERO: Address = '0x0000000000000000000000000000000000000000';

/** The call, or undefined when it is none of these, or is not written in the one way in which they are written. */
export function decodeVaultCall(data: string): VaultCall | undefined {
	try {
		const decoded = decodeFunctionData({abi: ABI, data: data as Hex});
		// Bytes behind the arguments, or arguments with more in them than is read, are not signed either.
		if (encodeFunctionData({abi: ABI, ...decoded}).toLowerCase() !== data.toLowerCase()) return undefined;
		const {functionName, args} = decoded;
		switch (functionName) {
			case 'withdraw':
				return {
					kind: 'withdraw',
					token: args[0].toLowerCase(),
					recipient: args[1].toLowerCase(),
					amountRaw: args[2],
				};
			case 'transfer':
				return {kind: 'transfer', recipient: args[0].toLowerCase(), amountRaw: args[1]};
			case 'createProxy':
				return {
					kind: 'createProxy',
					paymentToken: args[0].toLowerCase(),
					payment: args[1],
					paymentReceiver: args[2].toLowerCase(),
					signature: args[3],
				};
		}
	} catch {
		return undefined;
	}
}

/** The call that makes an account for whoever signed, without any payment. */
export function deployCalldata(signature: Hex): Hex {
	return encodeFunctionData({abi: ABI, functionName: 'createProxy', args: [ZERO, 0n, ZERO, signature]});
}
