import type {Hex} from 'viem';
import {isEvmAddress, isSameAddress} from '../../address.ts';
import {chainName, coinOf} from '../../chains/chains.ts';
import {type DeployBuild, PREDICTION, type PredictionTransaction} from '../../contract/prediction.ts';
import {deployTypedData, typedDataJson} from '../../contract/typed-data.ts';
import {clean} from '../../text.ts';
import {type Check, failed, passed, type Verdict} from '../check.ts';
import {CAPS_CHECK, CLOCK_CHECK, freshCheck, type PlanClock} from '../checks.ts';
import {formatUnits, shortUnits} from '../decimal.ts';
import {type PlannedContract, pinCheck} from '../pins.ts';
import {type Simulation, simulationVerdict} from '../simulation.ts';
import {decodePredictionCall, deployCalldata} from './calls.ts';
import type {Fees} from './chain.ts';

export const PREDICTION_ACTIONS = ['deploy', 'deposit', 'withdraw'] as const;
export type PredictionAction = (typeof PREDICTION_ACTIONS)[number];

/** The actions that the state of the account allows: it is created once, and nothing can be withdrawn before. */
export function possibleActions({isDeployed}: Pick<PredictionFacts, 'isDeployed'>): readonly PredictionAction[] {
	return PREDICTION_ACTIONS.filter(action => action !== (isDeployed ? 'deploy' : 'withdraw'));
}

/** The contracts around smart accounts, from another source than the answers that are checked. */
export interface PredictionPlace {
	readonly chainId: string;
	readonly factory: string;
	readonly stablecoin: string;
	readonly symbol: string;
	readonly decimals: number;
}

/** The state of wallet and account on the user's node, now. */
export interface PredictionFacts {
	readonly owner: string;
	/** Derived here from factory and owner. */
	readonly account: string;
	readonly isDeployed: boolean;
	/** Stablecoin in the account and in the wallet, and the chain's coins in the wallet, raw units. */
	readonly accountRaw: bigint;
	readonly walletRaw: bigint;
	readonly coinsRaw: bigint;
	readonly nonce: number;
	/** The same by the service (contract gaps 6.2). */
	readonly reported: {readonly deployed: boolean; readonly account: string};
}

/** The data to sign, and the facts to compare the data with. */
export interface PredictionPlan {
	readonly action: PredictionAction;
	/** Raw amount of a deposit or withdrawal. */
	readonly amountRaw?: bigint;
	readonly place: PredictionPlace;
	readonly facts: PredictionFacts;
	readonly contract: PlannedContract;
	/** The effect of the transaction, simulated on the user's node; undefined while there is no transaction. */
	readonly simulation?: Simulation;
	/** Whether a signature requires a simulation on the user's node. */
	readonly requiresSimulation: boolean;
	/** The service's proposal: for a deployment typed data to sign, else a transaction. */
	readonly proposal: DeployBuild | PredictionTransaction;
	/** For a deployment, once the typed data is signed: the signature, and the transaction that carries it. */
	readonly signed?: {readonly signature: Hex; readonly transaction: PredictionTransaction};
	readonly fees: Fees;
	/** Most gas it may use; undefined when the node says that the call would fail. */
	readonly gas?: bigint;
	/** Why the node would not run it. */
	readonly gasProblem?: string;
	/** Why gas or amount would pass a local limit. */
	readonly capRefusal?: string;
	readonly builtAtMs: number;
	readonly clock: PlanClock;
}

/** For typed data: the transaction made from it is simulated before it is signed. */
export const NOTHING_TO_SIMULATE =
	'nothing to simulate yet: typed data; the transaction that carries it is tried before it is signed';

/** How old a proposal may be when it is signed. */
export const PROPOSAL_FRESH_MS = 60_000;
/** More than any of the three calls needs; a deployment is counted with it before it can be estimated. */
export const MAX_GAS = 600_000n;
/** 5000 gwei: more than the chain asks even on bad days. */
const MAX_FEE_PER_GAS = 5_000_000_000_000n;

/** The transaction of a plan, if it is one already. */
export function transactionOf({proposal, signed}: PredictionPlan): PredictionTransaction | undefined {
	return signed?.transaction ?? ('calldata' in proposal ? proposal : undefined);
}

type Run = (plan: PredictionPlan) => Verdict;

const amountOf = ({amountRaw = 0n, place}: PredictionPlan, raw = amountRaw): string =>
	`${formatUnits(raw, place.decimals)} ${place.symbol}`;

/** The typed data creates the account without a payment, and the transaction carries its signature and nothing else. */
export const checkDeployment: Run = plan => {
	const {action, proposal, place, signed} = plan;
	if (action !== 'deploy') return passed('not needed: a plain transaction');
	if (!('domain' in proposal)) return failed('the service sent no typed data');
	const {domain, types, primaryType, message} = proposal;
	const expected = typedDataJson(deployTypedData(place.factory));
	const unknown = unknownMembers({domain, types, primaryType, message}, expected);
	if (unknown.length > 0) return failed(`the typed data has members that are not known: ${unknown.join(', ')}`);
	const {EIP712Domain: _, ...own} = types;
	if (canonical({domain, types: own, primaryType, message}) !== canonical(expected))
		return failed('the typed data is not that of a deployment without payment by the known factory');
	if (!signed) return passed('creates the account, without a payment');
	return signed.transaction.calldata.toLowerCase() === deployCalldata(signed.signature).toLowerCase()
		? passed('creates the account, and the transaction carries its signature')
		: failed('the transaction does not carry exactly the signature that was made');
};

/** Unknown members of typed data: members, types and fields of types, each with its path. */
function unknownMembers(
	given: Pick<DeployBuild, 'domain' | 'types' | 'primaryType' | 'message'>,
	expected: ReturnType<typeof typedDataJson>,
): readonly string[] {
	const types: Readonly<Record<string, readonly {name: string}[]>> = {
		...expected.types,
		// Other writers list the fields of the domain, too.
		EIP712Domain: Object.keys(expected.domain).map(name => ({name})),
	};
	const beyond = (of: object, known: object, where: string) =>
		Object.keys(of)
			.filter(name => !Object.hasOwn(known, name))
			.map(name => clean(`${where}.${name}`, {maxCells: 60}));
	const names = (fields: readonly {name: string}[]) => Object.fromEntries(fields.map(({name}) => [name, true]));
	return [
		...beyond(given.domain, expected.domain, 'domain'),
		...beyond(given.types, types, 'types'),
		...Object.entries(given.types).flatMap(([type, fields]) =>
			beyond(names(fields), names(types[type] ?? fields), `types.${type}`),
		),
		...beyond(given.message, expected.message, 'message'),
	];
}

/** Same content, same text: member order does not count, letter case in addresses neither. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, part: unknown) => {
		if (typeof part === 'string' && isEvmAddress(part)) return part.toLowerCase();
		// A number and its decimal text sign to the same bytes.
		if (typeof part === 'number' || typeof part === 'bigint') return String(part);
		if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
		return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
	});
}

const checkCall: Run = plan => {
	const transaction = transactionOf(plan);
	if (!transaction)
		return plan.action === 'deploy'
			? passed('the transaction is made from the signature and checked then')
			: failed('there is no transaction');
	const call = decodePredictionCall(transaction.calldata);
	const expected = {deploy: 'createProxy', deposit: 'transfer', withdraw: 'withdraw'}[plan.action];
	if (!call) return failed('the calldata is no call that is known here');
	return call.kind === expected
		? passed(`${call.kind}, decoded here`)
		: failed(`it calls ${call.kind}, not ${expected}`);
};

const checkTarget: Run = plan => {
	const {action, place, facts} = plan;
	const transaction = transactionOf(plan);
	const expected = {deploy: place.factory, deposit: place.stablecoin, withdraw: facts.account}[action];
	if (!transaction) return passed(`will go to ${expected}`);
	return isSameAddress(transaction.to, expected)
		? passed(transaction.to)
		: failed(`it goes to ${transaction.to}, not to ${expected}`);
};

const checkToken: Run = plan => {
	if (plan.action !== 'withdraw') return passed(plan.action === 'deploy' ? 'no token moves' : plan.place.stablecoin);
	const call = decodePredictionCall(transactionOf(plan)?.calldata ?? '');
	if (call?.kind !== 'withdraw') return failed('the token cannot be read');
	return isSameAddress(call.token, plan.place.stablecoin)
		? passed(`${plan.place.symbol}, ${call.token}`)
		: failed(`it takes out ${call.token}, not ${plan.place.stablecoin}`);
};

const checkRecipient: Run = plan => {
	const {action, facts} = plan;
	if (action === 'deploy') return passed('none: no token moves');
	const call = decodePredictionCall(transactionOf(plan)?.calldata ?? '');
	if (call?.kind !== 'withdraw' && call?.kind !== 'transfer') return failed('who gets it cannot be read');
	const expected = action === 'withdraw' ? facts.owner : facts.account;
	const who = action === 'withdraw' ? 'this wallet' : 'your prediction account';
	return isSameAddress(call.recipient, expected)
		? passed(`${who}, ${expected}`)
		: failed(`${call.recipient} would get it, not ${who}`);
};

const checkAmount: Run = plan => {
	if (plan.action === 'deploy') return passed('none: no token moves');
	const call = decodePredictionCall(transactionOf(plan)?.calldata ?? '');
	if (call?.kind !== 'withdraw' && call?.kind !== 'transfer') return failed('the amount cannot be read');
	return call.amountRaw === plan.amountRaw
		? passed(`exactly ${amountOf(plan)}`)
		: failed(`it moves ${amountOf(plan, call.amountRaw)}, not ${amountOf(plan)}`);
};

/** Derived here, and the same in everything that the service says. */
const checkAccount: Run = ({facts, proposal, signed}) => {
	const {account, reported} = facts;
	for (const [what, address] of [
		['its status names', reported.account],
		['the proposal names', proposal.vaultAddress],
		['the transaction names', signed?.transaction.vaultAddress ?? account],
	] as const) {
		if (!isSameAddress(address, account)) return failed(`${what} ${address}, the account of this wallet is ${account}`);
	}
	return passed(`${account}, derived here`);
};

const checkDeployed: Run = ({action, facts}) => {
	const {isDeployed, reported} = facts;
	if (reported.deployed !== isDeployed)
		return failed(`the service says it is ${reported.deployed ? '' : 'not '}deployed, the chain says the opposite`);
	if (action === 'withdraw' && !isDeployed) return failed('the account does not exist yet: deploy it first');
	if (action === 'deploy' && isDeployed) return failed('the account exists already');
	return passed(isDeployed ? 'the account exists' : 'the account does not exist yet');
};

const checkFunds: Run = plan => {
	const {action, facts, amountRaw = 0n} = plan;
	if (action === 'deploy') return passed('none moved');
	const [has, where] = action === 'withdraw' ? [facts.accountRaw, 'account'] : [facts.walletRaw, 'wallet'];
	return has >= amountRaw
		? passed(`the ${where} has ${amountOf(plan, has)}`)
		: failed(`the ${where} has only ${amountOf(plan, has)}`);
};

const checkFactory: Run = ({contract}) => pinCheck(contract.verdict, 'factory');

/** Made now, the transaction moves exactly what the review shows, and nothing else of wallet or account. */
export const checkSimulation: Run = plan => {
	const {action, simulation, facts, place, amountRaw = 0n, requiresSimulation} = plan;
	if (simulation === undefined)
		return action === 'deploy' ? passed(NOTHING_TO_SIMULATE) : failed('there is no transaction');
	const owners = [facts.owner, facts.account];
	const [from, to] = action === 'withdraw' ? [facts.account, facts.owner] : [facts.owner, facts.account];
	const {stablecoin: token, decimals, symbol} = place;
	const move = {token, from, to, amountRaw, decimals, symbol};
	return simulationVerdict(simulation, {
		owners,
		...(action === 'deploy' ? {} : {move}),
		isRequired: requiresSimulation,
	});
};

const checkChain: Run = plan => {
	const {proposal, place} = plan;
	const given = 'domain' in proposal ? Number(proposal.domain['chainId']) : proposal.chainId;
	const last = transactionOf(plan)?.chainId ?? given;
	if (given === PREDICTION.chainId && last === PREDICTION.chainId) return passed(chainName(place.chainId));
	return failed(`it is for chain ${given === PREDICTION.chainId ? last : given}, not ${PREDICTION.chainId}`);
};

const checkGas: Run = ({gas, gasProblem, fees, facts, place}) => {
	if (gas === undefined) return failed(`the node would not run it: ${gasProblem ?? 'it did not say why'}`);
	if (gas > MAX_GAS) return failed(`${gas} units of gas are more than this can need`);
	if (fees.maxFeePerGas > MAX_FEE_PER_GAS)
		return failed(`${formatUnits(fees.maxFeePerGas, 9)} gwei for a unit of gas is too much`);
	const cost = gas * fees.maxFeePerGas;
	const words = `at most ${shortUnits(cost, 18, 'up')} ${coinOf(place.chainId)}`;
	return facts.coinsRaw >= cost
		? passed(words)
		: failed(`${words}, the wallet has only ${shortUnits(facts.coinsRaw, 18)}`);
};

/** Every check that must pass before anything around an account is signed, in the order in which they are shown. */
export const PREDICTION_CHECKS: readonly Check<PredictionPlan>[] = [
	{name: 'deployment', title: 'typed data', next: 'report', run: checkDeployment},
	{name: 'call', title: 'nothing else is signed', next: 'report', run: checkCall},
	{name: 'target', title: 'contract', next: 'report', run: checkTarget},
	{name: 'token', title: 'token', next: 'report', run: checkToken},
	{name: 'recipient', title: 'recipient', next: 'report', run: checkRecipient},
	{name: 'amount', title: 'amount', next: 'report', run: checkAmount},
	{name: 'account', title: 'account address', next: 'report', run: checkAccount},
	{name: 'deployed', title: 'state of the account', next: 'fix-input', run: checkDeployed},
	{name: 'funds', title: 'funds', next: 'fix-input', run: checkFunds},
	{name: 'factory-pin', title: 'known factory', next: 'report', run: checkFactory},
	{name: 'simulation', title: 'simulated on your node', next: 'requote', run: checkSimulation},
	{name: 'chain-id', title: 'chain id', next: 'report', run: checkChain},
	{name: 'gas', title: 'gas', next: 'requote', run: checkGas},
	CAPS_CHECK,
	freshCheck('proposal', PROPOSAL_FRESH_MS),
	CLOCK_CHECK,
];
