import type {Address, Hex} from 'viem';
import {encodeFunctionData, parseAbi} from 'viem/utils';
import {decodeExactly} from '../calldata.ts';

/** The calls that the account flows are made of (spec 4.12, 4.13, contract gaps 6.3): nothing else is signed. */
const ABI = parseAbi([
	'function withdraw(address token, address to, uint256 amount)',
	'function transfer(address to, uint256 amount)',
	'function createProxy(address paymentToken, uint256 payment, address paymentReceiver, bytes signature)',
]);

/** A call as the contract will read it. Addresses in lower case. */
export type PredictionCall =
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

/** The decoded call; undefined for another call, or another encoding than the canonical one. */
export function decodePredictionCall(data: string): PredictionCall | undefined {
	const decoded = decodeExactly(ABI, data);
	switch (decoded?.functionName) {
		case 'withdraw': {
			const [token, recipient, amountRaw] = decoded.args;
			return {kind: 'withdraw', token: token.toLowerCase(), recipient: recipient.toLowerCase(), amountRaw};
		}
		case 'transfer': {
			const [recipient, amountRaw] = decoded.args;
			return {kind: 'transfer', recipient: recipient.toLowerCase(), amountRaw};
		}
		case 'createProxy': {
			const [paymentToken, payment, paymentReceiver, signature] = decoded.args;
			return {
				kind: 'createProxy',
				paymentToken: paymentToken.toLowerCase(),
				payment,
				paymentReceiver: paymentReceiver.toLowerCase(),
				signature,
			};
		}
		default:
			return undefined;
	}
}

/** The call that makes an account for the signer, without any payment. */
export function deployCalldata(signature: Hex): Hex {
	return encodeFunctionData({abi: ABI, functionName: 'createProxy', args: [ZERO, 0n, ZERO, signature]});
}
