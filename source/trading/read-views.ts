import {type ChainReader, ChainUnread} from './chain-reader.ts';
import {push, sizeOf} from './simulate-call.ts';

/** A call that only reads. */
export interface ViewCall {
	readonly to: string;
	readonly data: string;
}

/** Words of 32 bytes that are kept of each answer: no view that is read here has more. */
const WORDS = 5;
/** Bytes of an answer, with the word before that says whether the call succeeded. */
const ANSWER_BYTES = (WORDS + 1) * 32;
/** Where answers begin in memory: behind the arguments of the largest call. */
const FIRST_ANSWER = 4096;
/** Gas of each call: one that burns all of it hides no other. */
const CALL_GAS = 300_000;

/**
 * Reads many views of a chain in one request. The code that makes the calls is run as the creation of a contract, which
 * `eth_call` does not keep: every node can do that, and no helper has to stand on the chain.
 * @returns the first five words of each answer, 0 where it has fewer; undefined for a call that failed or gave nothing
 * @throws ChainUnread
 */
export async function readViews(
	chains: ChainReader,
	chainId: string,
	calls: readonly ViewCall[],
): Promise<readonly (readonly bigint[] | undefined)[]> {
	const result = await chains.request(chainId, 'eth_call', [{data: `0x${codeOf(calls)}`}, 'latest']);
	const digits = typeof result === 'string' ? result.slice(2) : '';
	if (digits.length !== calls.length * ANSWER_BYTES * 2 || !/^[0-9a-f]*$/i.test(digits))
		throw new ChainUnread(chainId, 'its node does not run calls together');
	return calls.map((_, at) => {
		const words = Array.from({length: WORDS + 1}, (_, word) => {
			const from = (at * ANSWER_BYTES + word * 32) * 2;
			return BigInt(`0x${digits.slice(from, from + 64)}`);
		});
		return words[0]! >= 32n ? words.slice(1) : undefined;
	});
}

function codeOf(calls: readonly ViewCall[]): string {
	const headBytes = program(calls, 0).length / 2;
	return program(calls, headBytes) + calls.map(({data}) => data.slice(2)).join('');
}

/** @param dataStart where the arguments of the calls lie behind the code, bytes */
function program(calls: readonly ViewCall[], dataStart: number): string {
	let code = '';
	let start = dataStart;
	for (const [at, {to, data}] of calls.entries()) {
		const size = sizeOf(data);
		const answer = FIRST_ANSWER + at * ANSWER_BYTES;
		// CODECOPY(0, start, size)
		code += `${push(size)}${push(start)}600039`;
		// STATICCALL(gas, to, 0, size, answer + 32, WORDS * 32)
		code += `${push(WORDS * 32)}${push(answer + 32)}${push(size)}600073${to.slice(2).toLowerCase()}${push(CALL_GAS)}fa`;
		// MSTORE(answer, success * RETURNDATASIZE)
		code += `3d02${push(answer)}52`;
		start += size;
	}
	// RETURN(first answer, all of them)
	return `${code}${push(calls.length * ANSWER_BYTES)}${push(FIRST_ANSWER)}f3`;
}
