import {isSameAddress} from '../address.ts';
import {clean} from '../text.ts';
import type {Transfer} from './chain-proof.ts';
import {failed, passed, unavailable, type Verdict} from './check.ts';
import {formatUnits} from './decimal.ts';

/*
 * The effect of calls made now, simulated on the user's node without a signature: the tokens that would move, and
 * those that could be taken afterwards. Compared with the review, however the contracts work.
 */

/** The result of a simulation. */
export type Simulation =
	| {readonly kind: 'done'; readonly transfers: readonly Transfer[]; readonly approvals: readonly Approval[]}
	/** No call would revert. The movements are unknown: the node does not show them. */
	| {readonly kind: 'runs'}
	/** A call would fail. */
	| {readonly kind: 'failed'; readonly call: number; readonly why: string}
	/** The node can't simulate, or its answer can't be read. */
	| {readonly kind: 'unavailable'; readonly why: string};

/** The amount of a token that a contract could still take after the calls. */
export interface Approval {
	readonly token: string;
	readonly owner: string;
	readonly spender: string;
	readonly leftRaw: bigint;
}

export interface SimulatedCall {
	readonly to: string;
	readonly data: string;
}

/** Calls of one account, one after another. */
export interface SimulationRequest {
	readonly from: string;
	readonly calls: readonly SimulatedCall[];
	/** Whose code the account lends while they run (EIP-7702). */
	readonly delegate?: string;
	/** Whose approvals are read besides those of the account. */
	readonly owners?: readonly string[];
}

/** A call of a simulation. */
export interface CallResult {
	readonly isSuccess: boolean;
	readonly why: string;
	/** Logs in the order in which they were written, in the form of eth_getLogs; coins that moved are among them: see COIN. */
	readonly logs: readonly unknown[];
	/** Hex. */
	readonly returned: string;
}

/** The chain's own coin among tokens that move: the address under which nodes log it (eth_simulateV1). */
export const COIN = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

/** The promise of a review: the one thing that may leave, with sender and receiver. */
export interface ExpectedMove {
	readonly token: string;
	readonly from: string;
	readonly to: string;
	readonly amountRaw: bigint;
	readonly decimals: number;
	readonly symbol: string;
}

/** The expectations that a simulation is compared with. */
export interface Expectation {
	/** Accounts whose tokens and coins count: the wallet, its smart account. */
	readonly owners: readonly string[];
	/** Undefined: nothing may leave them. */
	readonly move?: ExpectedMove;
	/** Whether a signature requires a simulation on the user's node. */
	readonly isRequired: boolean;
}

/** Names the setting that forbids a signature without a simulation. */
const REQUIRED = 'and [wallet] require-simulation is set';

/** The check of all flows: made now, the calls move what the review shows, nothing else, and leave nothing to be taken later. */
export function simulationVerdict(simulation: Simulation, {owners, move, isRequired}: Expectation): Verdict {
	const open = (detail: string) => (isRequired ? failed(`${detail}, ${REQUIRED}`) : unavailable(detail));
	switch (simulation.kind) {
		case 'unavailable':
			return open(`simulation not available: ${simulation.why}`);
		case 'runs':
			return open('your node shows that it would not revert now, not what would move');
		case 'failed':
			return failed(`call ${simulation.call} would fail: ${simulation.why}`);
		case 'done':
			return movesVerdict(simulation, owners, move);
	}
}

/** The same for a review, in a line. @param shown text for a simulation that passed the check */
export function simulatedText(simulation: Simulation, {ok, detail}: Verdict, shown: string): string {
	if (simulation.kind === 'unavailable') return `not available on this node: ${clean(simulation.why, {maxCells: 120})}`;
	if (simulation.kind === 'runs') return 'would not revert now; what would move is not shown by this node';
	return ok ? shown : `refused: ${clean(detail, {maxCells: 160})}`;
}

function movesVerdict(
	{transfers, approvals}: Extract<Simulation, {kind: 'done'}>,
	owners: readonly string[],
	move: ExpectedMove | undefined,
): Verdict {
	const own = new Set(owners.map(owner => owner.toLowerCase()));
	const left = transfers.filter(({from, amountRaw}) => own.has(from) && amountRaw > 0n);
	const unexpected = left.find(
		({token, from, to}) =>
			!move || !isSameAddress(token, move.token) || !isSameAddress(from, move.from) || !isSameAddress(to, move.to),
	);
	if (unexpected) return failed(unexpectedText(unexpected, move));
	const sum = left.reduce((all, {amountRaw}) => all + amountRaw, 0n);
	if (move && sum !== move.amountRaw) return failed(`${amountText(move, sum)} would leave, not ${amountText(move)}`);
	const rest = approvals.find(({leftRaw}) => leftRaw > 0n);
	if (rest) return failed(`${rest.spender} could take ${move ? 'more ' : ''}of ${rest.token} afterwards`);
	return passed(`${move ? `only ${amountText(move)} leaves` : 'nothing leaves'}, no allowance remains`);
}

function unexpectedText({token, to, amountRaw}: Transfer, move: ExpectedMove | undefined): string {
	if (token === COIN) return `coins would leave, ${formatUnits(amountRaw, 18)} to ${to}`;
	if (!move) return `${amountRaw} raw units of ${token} would go to ${to}`;
	if (!isSameAddress(token, move.token)) return `another token would leave, ${token}, to ${to}`;
	return `${amountText(move, amountRaw)} would go to ${to}`;
}

function amountText({decimals, symbol, amountRaw}: ExpectedMove, raw = amountRaw): string {
	return `${formatUnits(raw, decimals)} ${symbol}`;
}
