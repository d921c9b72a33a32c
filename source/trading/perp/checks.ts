import {chainName, coinOf, evmChainNumber} from '../../chains/chains.ts';
import type {Envelope, PayloadContent} from '../../contract/perp.ts';
import type {AccountState} from '../chain-reader.ts';
import {type Check, failed, passed, type Verdict} from '../check.ts';
import {CAPS_CHECK, CLOCK_CHECK, freshCheck, type PlanClock} from '../checks.ts';
import {formatUnits, shortUnits} from '../decimal.ts';
import {type PinVerdict, type PlannedContract, pinCheck} from '../pins.ts';
import {type Simulation, simulationVerdict} from '../simulation.ts';
import type {CancelTarget} from './orders.ts';
import {MARKET_NAMES, ORDER_NAMES} from './payload-members.ts';
import {decodeCancel, type PayloadTx} from './transaction.ts';

/** The data to sign for a cancel, and the facts to compare the data with. */
export interface CancelPlan {
	readonly target: CancelTarget;
	readonly signer: string;
	readonly envelope: Envelope;
	readonly content: PayloadContent;
	/** When the payload came, server time. */
	readonly builtAtMs: number;
	readonly clock: PlanClock;
	/** Whether the signature of a transaction requires a simulation on the user's node. */
	readonly requiresSimulation: boolean;
	/** Why the fee would pass a local limit. */
	readonly capRefusal?: string;
	/** Only for `evm-tx`. */
	readonly evm?: {
		readonly tx: PayloadTx;
		readonly account: AccountState;
		readonly contract: PlannedContract;
		/** The effect of the transaction, simulated on the user's node. */
		readonly simulation: Simulation;
	};
}

/** The facts of a cancel before its payload, which takes a signature. */
export interface CancelOutlook {
	readonly clock: PlanClock;
	/** Whether another run cancels the same order. */
	readonly isUnderWay: boolean;
	/** The contract that is expected; undefined for an exchange without one. */
	readonly exchange?: PinVerdict;
}

/** The checks of a dry run: those of a cancel that do not need the payload. */
export const OUTLOOK_CHECKS: readonly Check<CancelOutlook>[] = [
	{
		name: 'under-way',
		title: 'not under way',
		next: 'poll-status',
		run: ({isUnderWay}) =>
			isUnderWay ? failed('a cancel of this order is under way') : passed('no other cancel of this order'),
	},
	{
		name: 'exchange-pin',
		title: 'known exchange',
		next: 'report',
		run: ({exchange}) => (exchange ? pinCheck(exchange, 'exchange') : passed('no contract is called')),
	},
	CLOCK_CHECK,
];

/** For a cancel without a transaction: only the exchange knows its effect. */
export const NOTHING_TO_SIMULATE = 'nothing to simulate: a signed message to the exchange, no transaction';

/** How old a payload may be when it is signed. */
export const PAYLOAD_FRESH_MS = 60_000;
/** More gas than a cancel can need, and a price per unit that no chain here asks: 500 gwei. */
const MAX_GAS = 1_000_000n;
const MAX_FEE_PER_GAS = 500_000_000_000n;

type Run = (plan: CancelPlan) => Verdict;

const checkTransport: Run = ({target, envelope}) => {
	const expected = target.dex === 'dexA' ? 'evm-tx' : 'offchain-api';
	return envelope.transport === expected
		? passed(expected)
		: failed(`it is ${envelope.transport}, ${target.dex} takes ${expected}`);
};

/** The payload cancels this order and nothing else. */
export const checkOrder: Run = ({target, content, evm}) => {
	if (evm) {
		const cancel = decodeCancel(evm.tx.data);
		if (!cancel) return failed('the transaction is no cancel');
		if (cancel.orderType !== target.orderType)
			return failed(`it cancels the ${cancel.orderType}, not the ${target.orderType}`);
		const {orderType = cancel.orderType} = content.payload;
		if (orderType !== cancel.orderType) return failed(`it is said to cancel the ${String(orderType)}`);
		if (cancel.index !== BigInt(target.index)) return failed(`it cancels number ${cancel.index}, not ${target.index}`);
		return passed(`${cancel.orderType} number ${cancel.index}`);
	}
	const given = ORDER_NAMES.flatMap(name => (name in content.payload ? [content.payload[name]] : []));
	if (given.length === 0) return failed('the payload names no order');
	const other = given.find(value => String(value) !== target.index);
	return other === undefined
		? passed(`order number ${target.index}`)
		: failed(`it cancels number ${String(other)}, not ${target.index}`);
};

/** Where the payload itself names a market, it is that of the order. */
export const checkMarket: Run = ({target, content}) => {
	const given = MARKET_NAMES.flatMap(name => (name in content.payload ? [content.payload[name]] : []));
	const other = given.find(value => value !== target.marketId);
	return other === undefined
		? passed(target.marketId)
		: failed(`it is for market ${String(other)}, not ${target.marketId}`);
};

/** A further message to sign belongs to other actions (spec 4.8). */
const checkNothingElse: Run = ({content}) =>
	'MessageToSign' in content.payload
		? failed('the payload asks for a signature that a cancel does not need')
		: passed('no other signature is requested');

const checkExchange: Run = ({evm}) =>
	evm ? pinCheck(evm.contract.verdict, 'exchange') : passed('no contract is called');

/** Made now, the transaction takes nothing from the wallet. */
export const checkSimulation: Run = ({evm, signer, requiresSimulation}) =>
	evm
		? simulationVerdict(evm.simulation, {owners: [signer], isRequired: requiresSimulation})
		: passed(NOTHING_TO_SIMULATE);

const checkValue: Run = ({evm}) => {
	if (!evm || evm.tx.valueRaw === 0n) return passed('no coins are sent');
	return failed(`${formatUnits(evm.tx.valueRaw, 18)} coins would be sent`);
};

const checkSender: Run = ({evm, signer}) => {
	const from = evm?.tx.from;
	if (from === undefined || from.toLowerCase() === signer.toLowerCase()) return passed(signer);
	return failed(`the transaction is for ${from}, the wallet is ${signer}`);
};

const checkChain: Run = ({target, evm}) => {
	if (!evm) return passed(target.chainId);
	const expected = evmChainNumber(target.chainId);
	if (expected === undefined) return failed(`${target.chainId} is not an EVM chain`);
	if (evm.tx.chainId !== undefined && evm.tx.chainId !== BigInt(expected))
		return failed(`the transaction is for chain ${evm.tx.chainId}`);
	return passed(chainName(target.chainId));
};

const checkNonce: Run = ({evm}) => {
	if (!evm) return passed('none is needed');
	const {tx, account} = evm;
	if (tx.nonce === undefined || tx.nonce === BigInt(account.nonce)) return passed(`nonce ${account.nonce}`);
	return failed(`the transaction has nonce ${tx.nonce}, the account's is ${account.nonce}`);
};

const checkGas: Run = ({target, evm}) => {
	if (!evm) return passed('no gas is paid');
	const {gas, maxFeePerGas, maxPriorityFeePerGas = 0n} = evm.tx;
	if (gas === undefined || maxFeePerGas === undefined) return failed('the transaction does not say what it may cost');
	if (gas > MAX_GAS) return failed(`${gas} units of gas are more than a cancel can need`);
	if (maxFeePerGas > MAX_FEE_PER_GAS)
		return failed(`${formatUnits(maxFeePerGas, 9)} gwei for a unit of gas is too much`);
	if (maxPriorityFeePerGas > maxFeePerGas) return failed('the tip is more than the whole fee');
	return passed(`at most ${shortUnits(gas * maxFeePerGas, 18, 'up')} ${coinOf(target.chainId)}`);
};

/** Every check that must pass before a cancel is signed (issue 3), in the order in which they are shown. */
export const CANCEL_CHECKS: readonly Check<CancelPlan>[] = [
	{name: 'transport', title: 'transport', next: 'report', run: checkTransport},
	{name: 'order', title: 'cancels this order', next: 'report', run: checkOrder},
	{name: 'market', title: 'market of the order', next: 'report', run: checkMarket},
	{name: 'nothing-else', title: 'nothing else', next: 'report', run: checkNothingElse},
	{name: 'exchange-pin', title: 'known exchange', next: 'report', run: checkExchange},
	{name: 'simulation', title: 'simulated on your node', next: 'requote', run: checkSimulation},
	{name: 'value', title: 'no coins', next: 'report', run: checkValue},
	{name: 'sender', title: 'sender is the wallet', next: 'report', run: checkSender},
	{name: 'chain-id', title: 'chain id', next: 'report', run: checkChain},
	{name: 'nonce', title: 'account nonce', next: 'requote', run: checkNonce},
	{name: 'gas', title: 'gas', next: 'requote', run: checkGas},
	CAPS_CHECK,
	freshCheck('payload', PAYLOAD_FRESH_MS),
	CLOCK_CHECK,
];
