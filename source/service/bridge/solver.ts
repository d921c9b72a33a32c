import {setTimeout as sleep} from 'node:timers/promises';
import {type Address, encodeFunctionData, type Hash, zeroAddress} from 'viem';
import {Bridge} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {failureOf} from '../chain/failure-reason.ts';
import {pollMs, receiptOf} from '../chain/receipt.ts';
import {SendRejected, SendUncertain} from '../chain/sender.ts';
import {netRaw} from './amounts.ts';
import {deliveredRaw, destinationAssetOf, type MarketTokens} from './assets.ts';
import type {Intent} from './intents.ts';

/** Result of a step of the solver. */
export type StepOutcome =
	| {readonly done: true; readonly txHash: Hash}
	| {readonly done: false; readonly reason: string};

/** How long a sent transaction is awaited before the state of the step is read from the chain. */
const MINED_WITHIN_MS = 60_000;

const STEP_GAS = 250_000n;

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
export async function dueRaw(destination: Chain, intent: Intent, tokens: MarketTokens | undefined): Promise<bigint> {
	const token = intent.destinationToken === zeroAddress ? undefined : intent.destinationToken;
	const asset = destinationAssetOf(destination, token, tokens);
	const net = netRaw(intent.depositedRaw!, intent);
	// The market forgets dead tokens, which are worth nothing.
	return asset === undefined || net <= 0n ? 0n : deliveredRaw(destination, asset, net);
}

/**
 * Pays the recipient. The bridge contract accepts one fill for an intent, so a second attempt after a crash cannot pay
 * twice.
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

/** Closes the intent on the destination for good, which must come before a refund. */
export function cancelFill(destination: Chain, {intentHash}: Intent, onSend: OnSend): Promise<StepOutcome> {
	const data = encodeFunctionData({abi: Bridge.abi, functionName: 'cancelFill', args: [intentHash]});
	return step(destination, {data}, onSend);
}

/** Returns the deposit of a closed intent to its sender. The bridge contract accepts one end for a deposit. */
export function refund(origin: Chain, {intentHash, depositId}: Intent, onSend: OnSend): Promise<StepOutcome> {
	const args = [intentHash, depositId!] as const;
	return step(origin, {data: encodeFunctionData({abi: Bridge.abi, functionName: 'refund', args})}, onSend);
}

/** Pays the deposit of a filled intent to the solver. The bridge contract accepts one end for a deposit. */
export function settle(origin: Chain, {intentHash, depositId}: Intent, onSend: OnSend): Promise<StepOutcome> {
	const args = [intentHash, depositId!] as const;
	return step(origin, {data: encodeFunctionData({abi: Bridge.abi, functionName: 'settle', args})}, onSend);
}

/** Called with a transaction's hash before it is sent. */
export type OnSend = (hash: Hash) => void;

async function step(chain: Chain, call: {data: `0x${string}`; value?: bigint}, onSend: OnSend): Promise<StepOutcome> {
	const to: Address = chain.addresses.bridge;
	let txHash: Hash;
	try {
		txHash = await chain.sender('solver').send({to, gas: STEP_GAS, ...call}, ({hash}) => onSend(hash));
	} catch (error) {
		if (error instanceof SendRejected) return {done: false, reason: error.why};
		if (!(error instanceof SendUncertain)) throw error;
		txHash = error.hash;
	}
	return mined(chain, txHash);
}

/** Result of a transaction that may have been sent. */
export async function mined(chain: Chain, txHash: Hash): Promise<StepOutcome> {
	const untilMs = Date.now() + MINED_WITHIN_MS;
	while (true) {
		const receipt = await receiptOf(chain, txHash);
		if (receipt?.status === 'success') return {done: true, txHash};
		if (receipt !== undefined) return {done: false, reason: (await failureOf(chain.rpc, txHash)).text};
		if (Date.now() > untilMs) return {done: false, reason: 'it was not mined in time'};
		await sleep(pollMs(chain), undefined, {ref: false});
	}
}
