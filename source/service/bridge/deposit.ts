import {setTimeout as sleep} from 'node:timers/promises';
import {type Hash, isAddressEqual, parseEventLogs, type TransactionReceipt} from 'viem';
import {Bridge} from '../chain/artifacts.generated.ts';
import type {Chain} from '../chain/chain-set.ts';
import {failureOf} from '../chain/failure-reason.ts';
import {isKnown, pollMs, receiptOf} from '../chain/receipt.ts';
import type {Intent} from './intents.ts';

/** A deposit as the origin's bridge recorded it. */
export interface Deposit {
	readonly txHash: Hash;
	readonly depositId: Hash;
	readonly amountRaw: bigint;
}

/** Why there will be no deposit. No tokens have moved. */
export interface NoDeposit {
	readonly code: 'reverted' | 'authorization-not-applied' | 'never-mined';
	readonly reason: string;
}

/** How long past its deadline a batch is awaited: blocks have their own clock. */
const AFTER_DEADLINE_MS = 60_000;

/**
 * Waits for the sponsored transaction of an intent. A mined transaction is not enough: a batch whose authorization was
 * not applied succeeds without effect, so only the bridge's own record of this intent counts.
 * @param ready gives the current origin chain: a practice chain may restart meanwhile
 * @returns undefined when stopped
 * @throws ChainUnavailable while the origin is away
 */
export async function awaitSponsoredDeposit(
	ready: () => Promise<Chain>,
	intent: Intent,
	{now, signal}: {now: () => number; signal: AbortSignal},
): Promise<Deposit | NoDeposit | undefined> {
	const hash = intent.depositTxHash!;
	const untilMs = (intent.batchDeadlineS ?? 0) * 1000 + AFTER_DEADLINE_MS;
	while (!signal.aborted) {
		const origin = await ready();
		const receipt = await receiptOf(origin, hash);
		if (receipt?.status === 'reverted') {
			return {code: 'reverted', reason: (await failureOf(origin.rpc, hash)).text};
		}
		if (receipt !== undefined) {
			const reason = 'the transaction was mined without a deposit: the authorization was not applied';
			return depositIn(receipt.logs, origin, intent) ?? {code: 'authorization-not-applied', reason};
		}
		const end = await whyNothingComes(origin, intent, {now, untilMs});
		// A transaction that the node has is awaited further: it may have been mined since the receipt was requested.
		if (end !== undefined && !(await isKnown(origin, hash))) {
			origin.sender('sponsor').recount?.();
			return {code: 'never-mined', reason: end};
		}
		await sleep(pollMs(origin), undefined, {ref: false});
	}
	return undefined;
}

/** Why a transaction that the node does not have can no longer be mined. */
async function whyNothingComes(
	origin: Chain,
	{sentToRun}: Intent,
	{now, untilMs}: {now: () => number; untilMs: number},
): Promise<string | undefined> {
	// The only node that received the transaction has ended.
	if (sentToRun !== null && sentToRun !== origin.run && origin.kind === 'embedded') {
		return 'the practice chain stopped before it took the batch: no tokens moved';
	}
	// After its deadline the executor refuses the batch.
	if ((await chainTimeMs(origin, now)) > untilMs)
		return 'the transaction was not mined before the deadline of its batch';
	return undefined;
}

/**
 * The clock of a chain for deadlines, Unix ms. A practice chain uses this machine's, and may have no new block to read.
 */
async function chainTimeMs({kind, client}: Chain, now: () => number): Promise<number> {
	return kind === 'embedded' ? now() : Number((await client.getBlock()).timestamp) * 1000;
}

/** The deposit of an intent that its user sent directly; undefined until the deposit is seen. */
export async function findDeposit(origin: Chain, intent: Intent): Promise<Deposit | undefined> {
	const logs = await origin.client.getContractEvents({
		abi: Bridge.abi,
		address: origin.addresses.bridge,
		eventName: 'Deposit',
		args: {intentId: intent.intentHash, depositor: intent.authority},
		fromBlock: intent.quotedBlock,
	});
	return depositIn(logs, origin, intent);
}

function depositIn(logs: TransactionReceipt['logs'], {addresses}: Chain, intent: Intent): Deposit | undefined {
	const own = logs.filter(log => isAddressEqual(log.address, addresses.bridge));
	const found = parseEventLogs({abi: Bridge.abi, eventName: 'Deposit', logs: own}).find(
		({args}) =>
			args.intentId === intent.intentHash &&
			isAddressEqual(args.depositor, intent.authority) &&
			// Only the bridged token is a payment: other tokens can be made by any account.
			isAddressEqual(args.token, addresses.usdc) &&
			args.destinationChainId === BigInt(intent.destinationChainId),
	);
	return found && {txHash: found.transactionHash, depositId: found.args.depositId, amountRaw: found.args.amount};
}
