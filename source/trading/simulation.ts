import {clean} from '../text.ts';
import {type Transfer, transfersIn} from './chain-proof.ts';
import {type ChainReader, ChainUnread} from './chain-reader.ts';

/*
 * What calls would do if they were made now, tried on the user's node without a signature: which tokens would move, and what
 * could be taken afterwards. Held against the review, it does not matter how the contracts come to it.
 */

/** What a try showed. */
export type Simulation =
	| {readonly kind: 'done'; readonly transfers: readonly Transfer[]; readonly approvals: readonly Approval[]}
	/** A call would fail. */
	| {readonly kind: 'failed'; readonly call: number; readonly why: string}
	/** The node can't try it, or says nothing that can be read. */
	| {readonly kind: 'unavailable'; readonly why: string};

/** What a contract could still take of a token once the calls were made. */
export interface Approval {
	readonly token: string;
	readonly spender: string;
	readonly leftRaw: bigint;
}

export interface SimulatedCall {
	readonly to: string;
	readonly data: string;
}

/** keccak256 of `Approval(address,address,uint256)`. */
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
/** `allowance(address,address)`. */
const ALLOWANCE = '0xdd62ed3e';

/**
 * Tries calls of an account, one after another, and reads what it has approved by them.
 * @param delegate whose code the account lends while they run (EIP-7702)
 */
export async function simulateCalls(
	chains: ChainReader,
	chainId: string,
	{
		from,
		calls,
		delegate,
	}: {readonly from: string; readonly calls: readonly SimulatedCall[]; readonly delegate?: string},
): Promise<Simulation> {
	try {
		const made = await run(chains, chainId, {from, calls, delegate});
		const failure = made.findIndex(({isSuccess}) => !isSuccess);
		if (failure !== -1) return {kind: 'failed', call: failure + 1, why: made[failure]!.why};
		const asked = approvedIn(
			made.flatMap(({logs}) => logs),
			from,
		);
		const transfers = made.flatMap(({logs}) => transfersIn(logs));
		if (asked.length === 0) return {kind: 'done', transfers, approvals: []};
		// What is left of an approval once the calls were made can only be read behind them.
		const questions = asked.map(({token, spender}) => ({to: token, data: ALLOWANCE + word(from) + word(spender)}));
		const again = await run(chains, chainId, {from, calls: [...calls, ...questions], delegate});
		const approvals = asked.map((approval, at) => ({
			...approval,
			leftRaw: BigInt(again[calls.length + at]!.returned),
		}));
		return {kind: 'done', transfers, approvals};
	} catch (error) {
		if (error instanceof ChainUnread) return {kind: 'unavailable', why: error.why};
		// An answer in another form, or a number that is none.
		return {kind: 'unavailable', why: 'its node answered in a form that cannot be read'};
	}
}

/** What left an account, and what could still be taken from it; undefined when it was not tried to the end. */
export function outgoing(simulation: Simulation, owner: string): readonly Transfer[] | undefined {
	if (simulation.kind !== 'done') return undefined;
	return simulation.transfers.filter(({from, amountRaw}) => from === owner.toLowerCase() && amountRaw > 0n);
}

interface Made {
	readonly isSuccess: boolean;
	readonly why: string;
	readonly logs: readonly unknown[];
	readonly returned: string;
}

async function run(
	chains: ChainReader,
	chainId: string,
	{from, calls, delegate}: {from: string; calls: readonly SimulatedCall[]; delegate: string | undefined},
): Promise<readonly Made[]> {
	const code = delegate === undefined ? {} : {stateOverrides: {[from]: {code: `0xef0100${delegate.slice(2)}`}}};
	const blocks = await chains.request(chainId, 'eth_simulateV1', [
		{
			blockStateCalls: [{...code, calls: calls.map(({to, data}) => ({from, to, data, value: '0x0'}))}],
			validation: false,
			traceTransfers: false,
		},
		'latest',
	]);
	const [block] = blocks as [{calls: readonly Record<string, unknown>[]}];
	if (block.calls.length !== calls.length) throw new TypeError('another number of calls');
	return block.calls.map(({status, error, logs, returnData}) => ({
		isSuccess: status === '0x1',
		why: reasonIn(error),
		logs: Array.isArray(logs) ? logs : [],
		returned: String(returnData ?? '0x'),
	}));
}

function reasonIn(error: unknown): string {
	const message = typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : '';
	return clean(message, {maxCells: 120}) || 'it did not say why';
}

/** The approvals that an owner gave, each once. */
function approvedIn(logs: readonly unknown[], owner: string): readonly Omit<Approval, 'leftRaw'>[] {
	const found = new Map<string, Omit<Approval, 'leftRaw'>>();
	for (const log of logs) {
		const {address, topics} = log as {address?: unknown; topics?: readonly unknown[]};
		if (typeof address !== 'string' || topics?.[0] !== APPROVAL || topics.length !== 3) continue;
		const [by, spender] = topics.slice(1).map(topic => `0x${String(topic).slice(-40).toLowerCase()}`) as [
			string,
			string,
		];
		if (by !== owner.toLowerCase()) continue;
		const token = address.toLowerCase();
		found.set(`${token} ${spender}`, {token, spender});
	}
	return [...found.values()];
}

function word(address: string): string {
	return address.slice(2).toLowerCase().padStart(64, '0');
}
