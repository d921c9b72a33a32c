import {setTimeout as sleep} from 'node:timers/promises';
import {
	type Address,
	encodeFunctionData,
	type Hash,
	type Hex,
	isAddressEqual,
	isHex,
	parseEventLogs,
	zeroAddress,
} from 'viem';
import {PulsetopError} from '../../errors.ts';
import {RpcRefused} from '../../rpc/json-rpc.ts';
import {Bridge} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {explainRevert, failureOf} from '../chain/failure-reason.ts';
import {isKnown, pollMs, receiptOf} from '../chain/receipt.ts';
import {type Outgoing, SendRejected, SendUncertain} from '../chain/sender.ts';
import {netRaw} from './amounts.ts';
import {assetOf, deliveredRaw} from './assets.ts';
import type {Intent} from './intents.ts';
import {boughtRaw, isNotTraded, type Launch} from './launch.ts';
import {whyNotTraded} from './launch-quote.ts';
import type {LaunchTrader} from './launch-trade.ts';

/** Result of a step of the solver. `isReverted`: its transaction was mined without effect; else none is on its way. */
export type StepOutcome =
	| {readonly done: true; readonly txHash: Hash}
	| {readonly done: false; readonly reason: string; readonly isReverted: boolean};

/** A step of a transfer is not made yet, which proves nothing about later: it is tried again. */
export class StepDelayed extends PulsetopError {
	readonly code = 'step-delayed';

	constructor(why: string) {
		super('A step of the transfer is not made yet', {why, next: 'retry-later'});
	}
}

/** How long a sent transaction is awaited before the state of the step is read from the chain. */
const MINED_WITHIN_MS = 60_000;

const STEP_GAS = 250_000n;
/** The same where the solver buys what it pays with. */
const BUYING_GAS = 500_000n;

/** Why a deposit is not paid out now, and given back in the end. */
export const LESS_THAN_PROMISED = 'the price moved: less than the promised minimum would arrive';

/** State of an intent in the destination's bridge contract. */
export type FillState = 'open' | 'filled' | 'cancelled';

const FILL_STATES: readonly FillState[] = ['open', 'filled', 'cancelled'];

/** Reads the state of an intent from the destination's bridge contract. */
export async function fillStateOf(destination: Chain, {intentHash}: Intent): Promise<FillState> {
	const at = {
		abi: Bridge.abi,
		address: destination.addresses.bridge,
		functionName: 'fills',
		args: [intentHash],
	} as const;
	return FILL_STATES[await destination.client.readContract(at)] ?? 'open';
}

/** State of a deposit in the origin's bridge contract. */
export type DepositState = 'none' | 'deposited' | 'settled' | 'refunded';

const DEPOSIT_STATES: readonly DepositState[] = ['none', 'deposited', 'settled', 'refunded'];

/** Reads the state of a deposit from the origin's bridge contract. */
export async function depositStateOf(origin: Chain, {depositId}: Intent): Promise<DepositState> {
	const at = {abi: Bridge.abi, address: origin.addresses.bridge, functionName: 'deposits', args: [depositId!]} as const;
	const [stage] = await origin.client.readContract(at);
	return DEPOSIT_STATES[stage] ?? 'none';
}

/** The amount due to the recipient for the deposit, at the current price and the fees of the quote. */
export async function dueRaw(destination: Chain, intent: Intent): Promise<bigint> {
	const token = intent.destinationToken === zeroAddress ? undefined : intent.destinationToken;
	const asset = assetOf(destination, token, undefined);
	const net = netRaw(intent.depositedRaw!, intent);
	return isNotTraded(asset) || net <= 0n ? 0n : deliveredRaw(destination, asset, net);
}

/**
 * Pays the recipient. The bridge contract accepts one fill for an intent, so a second attempt after a crash cannot pay
 * twice.
 * @throws StepDelayed when its transaction may still be mined
 */
export function fill(destination: Chain, intent: Intent, amountRaw: bigint, onSend: OnSend): Promise<StepOutcome> {
	const {intentHash, destinationToken, recipient} = intent;
	if (destinationToken === zeroAddress) {
		const data = encodeFunctionData({abi: Bridge.abi, functionName: 'fillNative', args: [intentHash, recipient]});
		return step(destination, {data, value: amountRaw}, onSend);
	}
	const args = [intentHash, destinationToken, amountRaw, recipient] as const;
	return step(destination, {data: encodeFunctionData({abi: Bridge.abi, functionName: 'fill', args})}, onSend);
}

/**
 * Buys a launch for the recipient with what the deposit leaves, from the pool as it is in the market at that moment. The
 * bridge contract measures what arrives, and takes nothing less than the promised minimum.
 * @throws StepDelayed when its transaction may still be mined
 */
export function fillFromVenue(
	destination: Chain,
	trader: LaunchTrader | undefined,
	intent: Intent,
	onSend: OnSend,
): Promise<StepOutcome> {
	if (trader === undefined) return Promise.resolve({done: false, reason: whyNotTraded('recording'), isReverted: false});
	const {intentHash, destinationToken: token, recipient, minOutRaw} = intent;
	const usd = netRaw(intent.depositedRaw!, intent);
	const args = [intentHash, destination.addresses.venue, token, usd, minOutRaw, recipient] as const;
	const data = encodeFunctionData({abi: Bridge.abi, functionName: 'fillFromVenue', args});
	const refuses = (launch: Launch): string | undefined => {
		if (launch.token.isRugged) return whyNotTraded('rugged');
		return (boughtRaw(launch, usd) ?? 0n) < minOutRaw ? LESS_THAN_PROMISED : undefined;
	};
	return step(destination, {data, gas: BUYING_GAS}, onSend, outgoing =>
		trader.send({chain: destination, role: 'solver', token, outgoing, refuses}, ({hash}) => onSend(hash)),
	);
}

/** The amount that a fill brought, as the bridge contract measured it; undefined when its record is not found. */
export async function arrivedRaw(destination: Chain, {intentHash, fillTxHash}: Intent): Promise<bigint | undefined> {
	const {bridge} = destination.addresses;
	const receipt = fillTxHash === null ? undefined : await receiptOf(destination, fillTxHash);
	const own = (receipt?.logs ?? []).filter(log => isAddressEqual(log.address, bridge));
	const found = parseEventLogs({abi: Bridge.abi, eventName: 'Filled', logs: own});
	const [filled] = found.length > 0 ? found : await filledEvents(destination, intentHash);
	return filled?.args.intentId === intentHash ? filled.args.amount : undefined;
}

function filledEvents({client, addresses}: Chain, intentId: Hash) {
	return client.getContractEvents({
		abi: Bridge.abi,
		address: addresses.bridge,
		eventName: 'Filled',
		args: {intentId},
		fromBlock: 0n,
		strict: true,
	});
}

/**
 * Closes the intent on the destination for good, which must come before a refund.
 * @throws StepDelayed see lastingStep
 */
export function cancelFill(destination: Chain, {intentHash}: Intent, onSend: OnSend): Promise<StepOutcome> {
	const data = encodeFunctionData({abi: Bridge.abi, functionName: 'cancelFill', args: [intentHash]});
	return lastingStep(destination, data, onSend);
}

/**
 * Returns the deposit of a closed intent to its sender. The bridge contract accepts one end for a deposit.
 * @throws StepDelayed see lastingStep
 */
export function refund(origin: Chain, {intentHash, depositId}: Intent, onSend: OnSend): Promise<StepOutcome> {
	const args = [intentHash, depositId!] as const;
	return lastingStep(origin, encodeFunctionData({abi: Bridge.abi, functionName: 'refund', args}), onSend);
}

/**
 * Pays the deposit of a filled intent to the solver. The bridge contract accepts one end for a deposit.
 * @throws StepDelayed see lastingStep
 */
export function settle(origin: Chain, {intentHash, depositId}: Intent, onSend: OnSend): Promise<StepOutcome> {
	const args = [intentHash, depositId!] as const;
	return lastingStep(origin, encodeFunctionData({abi: Bridge.abi, functionName: 'settle', args}), onSend);
}

/** Awaited with a transaction's hash before it is sent. */
export type OnSend = (hash: Hash) => Promise<void>;

/** @throws StepDelayed when its transaction may still be mined */
async function step(
	chain: Chain,
	call: {data: Hex; value?: bigint; gas?: bigint},
	onSend: OnSend,
	send = (outgoing: Outgoing) => chain.sender('solver').send(outgoing, ({hash}) => onSend(hash)),
): Promise<StepOutcome> {
	const to: Address = chain.addresses.bridge;
	let txHash: Hash;
	try {
		txHash = await send({to, gas: STEP_GAS, ...call});
	} catch (error) {
		if (error instanceof SendRejected) return {done: false, reason: error.why, isReverted: false};
		if (!(error instanceof SendUncertain)) throw error;
		txHash = error.hash;
	}
	return mined(chain, txHash);
}

/**
 * A step without another way to go: it counts as impossible only when the chain has refused it, and still does. Other failures
 * pass: no coin for gas, a node that limits requests, a lost answer.
 * @throws StepDelayed after everything else
 */
async function lastingStep(chain: Chain, data: Hex, onSend: OnSend): Promise<StepOutcome> {
	const outcome = await step(chain, {data}, onSend);
	if (outcome.done || (outcome.isReverted && (await isRefused(chain, data)))) return outcome;
	throw new StepDelayed(outcome.reason);
}

/** Errors of the bridge contract that say that a step was made already, as the state of the chain then says too. */
const MADE: ReadonlySet<string> = new Set(['AlreadyFilled', 'FillWasCancelled', 'NotDeposited']);

/** Whether a call of the solver to the bridge contract would be reverted now, and not because a step was made already. */
async function isRefused({rpc, addresses, accounts}: Chain, data: Hex): Promise<boolean> {
	try {
		await rpc.call('eth_call', [{from: accounts.solver.address, to: addresses.bridge, data}, 'latest']);
		return false;
	} catch (error) {
		// A node may refuse a call for other reasons too.
		if (!(error instanceof RpcRefused) || !(isHex(error.data) || /revert/i.test(error.message))) throw error;
		return !MADE.has(explainRevert(isHex(error.data) ? error.data : undefined).name);
	}
}

/**
 * Result of a transaction that may have been sent.
 * @throws StepDelayed when it is not mined in time and may still be
 */
export async function mined(chain: Chain, txHash: Hash): Promise<StepOutcome> {
	const untilMs = performance.now() + MINED_WITHIN_MS;
	while (true) {
		const receipt = await receiptOf(chain, txHash);
		if (receipt?.status === 'success') return {done: true, txHash};
		if (receipt !== undefined)
			return {done: false, reason: (await failureOf(chain.rpc, txHash)).text, isReverted: true};
		if (performance.now() > untilMs) break;
		await sleep(pollMs(chain), undefined, {ref: false});
	}
	// The fee may be too low until fees fall. A second transaction would only wait behind this one, and this one would be forgotten.
	if (await mayBeMined(chain, txHash)) throw new StepDelayed(`the transaction ${txHash} is not mined yet`);
	chain.sender('solver').recount?.();
	return {done: false, reason: 'it was not mined in time', isReverted: false};
}

/** Whether a transaction is on a chain, waits for it, or is going to be sent by a replica. */
export async function mayBeMined(chain: Chain, txHash: Hash): Promise<boolean> {
	return (await isKnown(chain, txHash)) || (await chain.sender('solver').isOutgoing?.(txHash)) === true;
}
