import {transfersIn} from './chain-proof.ts';
import {type ChainReader, ChainUnread} from './chain-reader.ts';
import {addressIn, wordOf} from './evm-words.ts';
import {runAsBlock} from './simulate-block.ts';
import {runTraced, tryAlone} from './simulate-call.ts';
import type {Approval, CallResult, Simulation, SimulationRequest} from './simulation.ts';

/** keccak256 of `Approval(address,address,uint256)`. */
const APPROVAL = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
/** `allowance(address,address)`. */
const ALLOWANCE = '0xdd62ed3e';

/** Makes calls without a signature. @throws ChainUnread; TypeError, SyntaxError for an answer in another form */
type Run = (chains: ChainReader, chainId: string, request: SimulationRequest) => Promise<readonly CallResult[]>;

/**
 * Tries calls of an account and reads the approvals that they leave: by `eth_simulateV1`; where the node lacks that by
 * `debug_traceCall`; else by `eth_call`, which shows only whether they would revert.
 */
export async function simulateCalls(
	chains: ChainReader,
	chainId: string,
	request: SimulationRequest,
): Promise<Simulation> {
	let why: string | undefined;
	for (const run of [runAsBlock, runTraced]) {
		try {
			return await movementsOf(run, chains, chainId, request);
		} catch (error) {
			why ??= whyUnread(error);
		}
	}
	try {
		return await tryAlone(chains, chainId, request);
	} catch (error) {
		return {kind: 'unavailable', why: why ?? whyUnread(error)};
	}
}

function whyUnread(error: unknown): string {
	// Otherwise the response has another form, or a number that can't be read.
	return error instanceof ChainUnread ? error.why : 'its node answered in a form that cannot be read';
}

async function movementsOf(
	run: Run,
	chains: ChainReader,
	chainId: string,
	request: SimulationRequest,
): Promise<Simulation> {
	const {from, calls, owners = []} = request;
	const made = await run(chains, chainId, request);
	const failure = made.findIndex(({isSuccess}) => !isSuccess);
	if (failure !== -1) return {kind: 'failed', call: failure + 1, why: made[failure]!.why};
	const logs = made.flatMap(call => call.logs);
	const transfers = transfersIn(logs);
	const given = approvedIn(logs, [from, ...owners]);
	if (given.length === 0) return {kind: 'done', transfers, approvals: []};
	// The rest of an approval can only be read after the calls.
	const questions = given.map(({token, owner, spender}) => ({
		to: token,
		data: ALLOWANCE + wordOf(owner).slice(2) + wordOf(spender).slice(2),
	}));
	const again = await run(chains, chainId, {...request, calls: [...calls, ...questions]});
	const approvals = given.map((approval, at) => ({
		...approval,
		leftRaw: BigInt(again[calls.length + at]!.returned),
	}));
	return {kind: 'done', transfers, approvals};
}

/** The approvals that owners gave, each once. */
function approvedIn(logs: readonly unknown[], owners: readonly string[]): readonly Omit<Approval, 'leftRaw'>[] {
	const own = new Set(owners.map(owner => owner.toLowerCase()));
	const found = new Map<string, Omit<Approval, 'leftRaw'>>();
	for (const log of logs) {
		const {address, topics} = log as {address?: unknown; topics?: readonly unknown[]};
		if (typeof address !== 'string' || topics?.[0] !== APPROVAL || topics.length !== 3) continue;
		const [owner, spender] = topics.slice(1).map(topic => addressIn(String(topic))) as [string, string];
		if (!own.has(owner)) continue;
		const token = address.toLowerCase();
		found.set(`${token} ${owner} ${spender}`, {token, owner, spender});
	}
	return [...found.values()];
}
