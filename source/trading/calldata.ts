import type {Abi, ContractFunctionArgs, ContractFunctionName, Hex} from 'viem';
import {decodeFunctionData, encodeFunctionData} from 'viem/utils';

type Decoded<A extends Abi> = {
	[N in ContractFunctionName<A>]: {
		readonly functionName: N;
		readonly args: Extract<ContractFunctionArgs<A, 'nonpayable', N>, readonly unknown[]>;
	};
}[ContractFunctionName<A>];

/**
 * A call as its contract will read it; undefined when the ABI does not have the call, or when the bytes are not its
 * canonical encoding. Bytes behind the arguments, or in a word beside its value, would be signed without being shown.
 */
export function decodeExactly<const A extends Abi>(abi: A, data: string): Decoded<A> | undefined {
	try {
		const decoded = decodeFunctionData({abi: abi as Abi, data: data as Hex});
		const again = encodeFunctionData({abi: abi as Abi, ...decoded} as Parameters<typeof encodeFunctionData>[0]);
		return again.toLowerCase() === data.toLowerCase() ? (decoded as unknown as Decoded<A>) : undefined;
	} catch {
		return undefined;
	}
}
