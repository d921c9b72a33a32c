import type {Address, Hex} from 'viem';
import {parseAbi} from 'viem/utils';
import {type PayloadContent, payloadTransactionSchema} from '../../contract/perp.ts';
import {decodeExactly} from '../calldata.ts';
import {EnvelopeMismatch} from './envelope.ts';

/** The calls that cancel something on the exchange's contract, with the kind of order that each cancels. */
const ABI = parseAbi([
	'function cancelOrder(uint256 index)',
	'function cancelTakeProfit(uint256 index)',
	'function cancelStopLoss(uint256 index)',
]);

const CANCELS = {cancelOrder: 'order', cancelTakeProfit: 'tp', cancelStopLoss: 'sl'} as const;

/** The kinds of orders that can be cancelled: a waiting order, a take-profit, a stop-loss (spec 4.7). */
export type OrderType = (typeof CANCELS)[keyof typeof CANCELS];

/** The transaction in a payload (spec 4.8), with big integers; members that the service left out are undefined. */
export interface PayloadTx {
	readonly from?: string;
	readonly to: Address;
	readonly data: Hex;
	readonly valueRaw: bigint;
	readonly chainId?: bigint;
	readonly nonce?: bigint;
	readonly gas?: bigint;
	readonly maxFeePerGas?: bigint;
	readonly maxPriorityFeePerGas?: bigint;
}

/** The cancel in its bytes, as the contract will read them. */
export interface DecodedCancel {
	readonly orderType: OrderType;
	readonly index: bigint;
}

/** The transaction of an `evm-tx` payload. @throws EnvelopeMismatch */
export function transactionIn(content: PayloadContent): PayloadTx {
	const read = payloadTransactionSchema().safeParse(content.payload['data']);
	if (!read.success)
		throw new EnvelopeMismatch(`the transaction lacks ${read.error.issues[0]?.path.join('.') || 'its fields'}`);
	const {from, to, callData, value, chainId, nonce, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas} = read.data;
	return {
		...(from === undefined ? {} : {from}),
		to: to as Address,
		data: callData as Hex,
		valueRaw: integer('value', value) ?? 0n,
		...defined('chainId', chainId),
		...defined('nonce', nonce),
		...defined('gas', gas),
		...defined('maxFeePerGas', maxFeePerGas ?? gasPrice),
		...defined('maxPriorityFeePerGas', maxPriorityFeePerGas),
	};
}

/** The cancel in a transaction; undefined when it is any other call, or has more in it than is read. */
export function decodeCancel(data: Hex): DecodedCancel | undefined {
	const decoded = decodeExactly(ABI, data);
	return decoded && {orderType: CANCELS[decoded.functionName], index: decoded.args[0]};
}

function defined<Name extends string>(name: Name, value: string | number | undefined): {[N in Name]?: bigint} {
	const read = integer(name, value);
	return read === undefined ? {} : ({[name]: read} as {[N in Name]?: bigint});
}

/** Numbers come as decimal text, hex text or safe numbers (contract gaps, general rules). */
function integer(name: string, value: string | number | undefined): bigint | undefined {
	if (value === undefined) return undefined;
	const isWhole =
		typeof value === 'number'
			? Number.isSafeInteger(value) && value >= 0
			: /^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(value);
	if (!isWhole) throw new EnvelopeMismatch(`${name} of the transaction is not a whole number`);
	return BigInt(value);
}
