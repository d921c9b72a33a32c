import {isSameAddress} from '../address.ts';
import {type ChainReader, NodeRefused} from './chain-reader.ts';
import {TRANSFER, wordOf} from './evm-words.ts';
import {type CallResult, COIN, type SimulatedCall, type Simulation, type SimulationRequest} from './simulation.ts';

/*
 * Calls tried one after another on a node without eth_simulateV1. The account is given code for the time of one `eth_call`:
 * code that makes the calls and then answers with a word and a log of its own, so that a node which leaves the code or
 * the logs out is noticed instead of believed.
 */

/** `pulsetop`: the code returns and logs this mark after all calls. */
const MARK = '70756c7365746f70'.padStart(64, '0');

/**
 * Makes calls and reads their logs (`debug_traceCall`, callTracer with logs).
 * @throws ChainUnread; TypeError where the answer lacks something, or a call fails: then `tryAlone` says which
 */
export async function runTraced(
	chains: ChainReader,
	chainId: string,
	{from, calls}: SimulationRequest,
): Promise<readonly CallResult[]> {
	const frame = await chains.request(chainId, 'debug_traceCall', [
		{from, to: from},
		'latest',
		{tracer: 'callTracer', tracerConfig: {withLog: true}, stateOverrides: {[from]: {code: codeOf(calls)}}},
	]);
	const {output, calls: frames = [], logs} = frame as Frame;
	const isMarked = isMark(output) && logs?.some(({topics}) => isMark(topics?.[0])) === true;
	const isWhole =
		frames.length === calls.length && frames.every(({to}, at) => to !== undefined && isSameAddress(to, calls[at]!.to));
	if (!isMarked || !isWhole) throw new TypeError('the trace is not of these calls');
	return frames.map(made => ({
		isSuccess: made.error === undefined,
		why: '',
		logs: logsOf(made),
		returned: made.output ?? '0x',
	}));
}

/**
 * Makes calls for nothing but whether one reverts (`eth_call`).
 * @throws ChainUnread; TypeError where the node does not take code for an account
 */
export async function tryAlone(
	chains: ChainReader,
	chainId: string,
	{from, calls, delegate}: SimulationRequest,
): Promise<Simulation> {
	const [single] = calls;
	const isPlain = calls.length === 1 && delegate === undefined;
	const runs = async (some: readonly SimulatedCall[]): Promise<void> => {
		if (isPlain) return void (await chains.request(chainId, 'eth_call', [{from, ...single}, 'latest']));
		const params = [{from, to: from}, 'latest', {[from]: {code: codeOf(some)}}];
		if (!isMark(await chains.request(chainId, 'eth_call', params))) throw new TypeError('the code was not run');
	};
	// Of several calls the first that fails is found by making more and more of them.
	try {
		await runs(calls);
		return {kind: 'runs'};
	} catch (error) {
		if (!isRevert(error)) throw error;
	}
	for (let count = 1; ; count++) {
		try {
			await runs(calls.slice(0, count));
			// The chain went on meanwhile.
			if (count === calls.length) return {kind: 'runs'};
		} catch (error) {
			if (isRevert(error)) return {kind: 'failed', call: count, why: error.said};
			throw error;
		}
	}
}

/** The words of nodes for a call that would fail, unlike those for an unsupported method. */
function isRevert(error: unknown): error is NodeRefused {
	return error instanceof NodeRefused && (error.rpcCode === 3 || /revert|out of gas|opcode|jump/i.test(error.said));
}

/** One level of a callTracer's answer. */
interface Frame {
	readonly type?: string;
	readonly from?: string;
	readonly to?: string;
	readonly value?: string;
	readonly output?: string;
	readonly error?: string;
	readonly calls?: readonly Frame[];
	readonly logs?: readonly {
		readonly address?: string;
		readonly topics?: readonly string[];
		readonly position?: string;
	}[];
}

/** The logs of a call and of all that it called, in their order. A failed call has left none. */
function logsOf(frame: Frame): readonly unknown[] {
	const {error, calls = [], logs = []} = frame;
	if (error !== undefined) return [];
	// `position`: how many inner calls were made before it.
	const before = (at: number) => logs.filter(({position}) => Number(position ?? calls.length) === at);
	return [
		...coinsOf(frame),
		...calls.flatMap((inner, at) => [...before(at), ...logsOf(inner)]),
		...logs.filter(({position}) => Number(position ?? calls.length) >= calls.length),
	];
}

/** Coins that a call moves, in the form in which eth_simulateV1 logs them. */
function coinsOf({type = 'CALL', from, to, value = '0x0'}: Frame): readonly unknown[] {
	if (!/^(CALL|CREATE2?|SELFDESTRUCT)$/.test(type) || BigInt(value) === 0n || from === undefined) return [];
	const topics = [TRANSFER, wordOf(from), wordOf(to ?? '0x')];
	return [{address: COIN, topics, data: `0x${BigInt(value).toString(16).padStart(64, '0')}`}];
}

function isMark(word: string | unknown): boolean {
	return word === `0x${MARK}`;
}

/**
 * EVM code that makes calls in their order, reverts with the reason of the first that fails, and else logs and returns the
 * mark. The calldata stands behind the code.
 */
export function codeOf(calls: readonly SimulatedCall[]): string {
	// Every number takes three bytes, so where the calldata begins does not change its own place.
	const starts = (first: number) => {
		let at = first;
		return calls.map(({data}) => {
			const start = at;
			at += sizeOf(data);
			return start;
		});
	};
	const size = sizeOf(`0x${program(calls, starts(0))}`);
	return `0x${program(calls, starts(size))}${calls.map(({data}) => data.slice(2)).join('')}`;
}

/** RETURNDATASIZE 0 0 RETURNDATACOPY; RETURNDATASIZE 0 REVERT. */
const REVERT_AS_CALLED = '3d600060003e3d6000fd';
/** MSTORE(0, mark); LOG1(0, 0, mark); RETURN(0, 32). */
const MARK_AND_RETURN = `7f${MARK}6000527f${MARK}60006000a160206000f3`;

function program(calls: readonly SimulatedCall[], starts: readonly number[]): string {
	let code = '';
	for (const [at, {to, data}] of calls.entries()) {
		const size = push(sizeOf(data));
		// CODECOPY(0, start, size); CALL(gas, to, 0, 0, size, 0, 0)
		code += `${size}${push(starts[at]!)}600039`;
		code += `60006000${size}6000600073${to.slice(2).toLowerCase()}5af1`;
		// PUSH3 and JUMPI take five bytes: JUMPI(over the revert, success), JUMPDEST
		const next = code.length / 2 + 5 + REVERT_AS_CALLED.length / 2;
		code += `${push(next)}57${REVERT_AS_CALLED}5b`;
	}
	return code + MARK_AND_RETURN;
}

/** PUSH3. */
export function push(value: number): string {
	return `62${value.toString(16).padStart(6, '0')}`;
}

/** Bytes of hex text. */
export function sizeOf(hex: string): number {
	return (hex.length - 2) / 2;
}
