import type {EvmNode} from '../../../rpc/evm/node.ts';
import {AbiWords} from './event-data.ts';
import type {Address, Hex} from './venue.ts';

/** A call that only reads. */
export interface ContractCall {
	readonly to: Address;
	readonly data: Hex;
}

/** Most calls in one call of Multicall3: a node limits the gas and the time of a call. */
const MAX_TOGETHER = 100;
/** Longest answer to a single call that is kept, in bytes: texts of tokens are short. */
const MAX_BYTES = 8192;
/** `tryAggregate(bool,(address,bytes)[])`. */
const TRY_AGGREGATE = 'bce38bd7';

/**
 * The answers of several contracts at one block, in as few requests as possible: by Multicall3 where the chain has it, otherwise one
 * by one. Undefined stands for a call that failed, or that has no code behind it.
 * @throws NodeUnanswered
 */
export async function readContracts(
	node: EvmNode,
	multicall: Address,
	calls: readonly ContractCall[],
	block: number | 'latest',
): Promise<readonly (Hex | undefined)[]> {
	const answers: (Hex | undefined)[] = [];
	for (let at = 0; at < calls.length; at += MAX_TOGETHER) {
		const part = calls.slice(at, at + MAX_TOGETHER);
		answers.push(...((await together(node, multicall, part, block)) ?? (await oneByOne(node, part, block))));
	}
	return answers;
}

/** Undefined when the chain has no such contract, or the node refuses the call: one token must not hide the others. */
async function together(
	node: EvmNode,
	multicall: Address,
	calls: readonly ContractCall[],
	block: number | 'latest',
): Promise<readonly (Hex | undefined)[] | undefined> {
	const [answer] = await oneByOne(node, [{to: multicall, data: encodeCalls(calls)}], block, Number.POSITIVE_INFINITY);
	return answer && decodeAnswers(answer, calls.length);
}

async function oneByOne(
	node: EvmNode,
	calls: readonly ContractCall[],
	block: number | 'latest',
	maxBytes = MAX_BYTES,
): Promise<readonly (Hex | undefined)[]> {
	const tag = block === 'latest' ? block : `0x${block.toString(16)}`;
	const outcomes = await node.calls(calls.map(call => ({method: 'eth_call', params: [call, tag]})));
	return outcomes.map(outcome => (outcome.ok ? bytesOf(outcome.result, maxBytes) : undefined));
}

function bytesOf(result: unknown, maxBytes: number): Hex | undefined {
	if (typeof result !== 'string' || !/^0x(?:[0-9a-fA-F]{2})+$/.test(result)) return undefined;
	return result.length > maxBytes * 2 + 2 ? undefined : (result.toLowerCase() as Hex);
}

function encodeCalls(calls: readonly ContractCall[]): Hex {
	const heads: string[] = [];
	const tails: string[] = [];
	let offset = calls.length * 32;
	for (const {to, data} of calls) {
		const bytes = data.slice(2);
		const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, '0');
		const tail = word(to.slice(2)) + word((64).toString(16)) + word((bytes.length / 2).toString(16)) + padded;
		heads.push(word(offset.toString(16)));
		tails.push(tail);
		offset += tail.length / 2;
	}
	const count = word(calls.length.toString(16));
	return `0x${TRY_AGGREGATE}${word('0')}${word((64).toString(16))}${count}${heads.join('')}${tails.join('')}`;
}

/** `(bool success, bytes returnData)[]`. Undefined when the answer is no such list. */
function decodeAnswers(answer: Hex, count: number): readonly (Hex | undefined)[] | undefined {
	try {
		// The list, as a tuple: its length, then where each element begins, counted from behind the length.
		const list = new AbiWords(answer, 1).tuple(0, count + 1);
		if (list.uint(0) !== BigInt(count)) return undefined;
		return Array.from({length: count}, (_, index) => answerAt(answer, list, index));
	} catch {
		return undefined;
	}
}

function answerAt(answer: Hex, list: AbiWords, index: number): Hex | undefined {
	// Digits: 0x, the offset of the list, its length; then the elements.
	const start = 2 + 64 + 64 + Number(list.uint(index + 1)) * 2;
	const digit = (word: number): number =>
		Number(BigInt(`0x${answer.slice(start + word * 64, start + word * 64 + 64)}`));
	const isOk = digit(0) === 1;
	const at = start + digit(1) * 2;
	const length = Number(BigInt(`0x${answer.slice(at, at + 64)}`));
	const bytes = answer.slice(at + 64, at + 64 + length * 2);
	return isOk && length > 0 && length <= MAX_BYTES && bytes.length === length * 2 ? `0x${bytes}` : undefined;
}

function word(digits: string): string {
	return digits.padStart(64, '0');
}
