import {formatUnits} from 'viem';
import {BRIDGE, type BridgeStatusRow, isTerminal} from '../../contract/bridge.ts';
import {chainKey} from '../chain/chains.ts';
import {usdText} from './amounts.ts';
import type {Intent, IntentBook} from './intents.ts';

/** An intent as the status endpoint reports it (contract gaps 4.4; a failed one also spec 2.4). */
export function statusRow(intent: Intent): BridgeStatusRow {
	const {depositDetectedAtMs: detected, fillConfirmedAtMs: confirmed} = intent;
	const amountIn = formatUnits(intent.amountRaw, intent.originDecimals);
	const isDelivered = intent.status === 'filled' || intent.status === 'settled';
	return {
		id: intent.intentId,
		intentId: intent.intentId,
		status: intent.status ?? 'pending',
		failureReason: intent.failureReason,
		originChainId: chainKey(intent.originChainId),
		destinationChainId: chainKey(intent.destinationChainId),
		originToken: intent.originToken,
		destinationToken: intent.destinationToken,
		sender: intent.authority,
		recipient: intent.recipient,
		amountIn,
		amountInUsd: amountInUsd(intent, amountIn),
		amountOut: isDelivered && intent.outRaw !== null ? formatUnits(intent.outRaw, intent.destinationDecimals) : null,
		depositTxHash: intent.depositTxHash,
		fillTxHash: intent.fillTxHash,
		settleTxHash: intent.settleTxHash,
		fillTxHashPending: intent.status === 'filling' && intent.fillTxHash !== null,
		latencyMs: detected === null || confirmed === null ? null : confirmed - detected,
		timestamps: {
			depositDetected: moment(detected),
			fillSent: moment(intent.fillSentAtMs),
			fillConfirmed: moment(confirmed),
			settled: moment(intent.settledAtMs),
		},
		createdAt: new Date(intent.createdAtMs).toISOString(),
		message: messageOf(intent),
	};
}

/**
 * The value that was sent, in dollars: known exactly for an arrived deposit and for the dollars that the bridge carries, unknown for a
 * launch before its sale.
 */
function amountInUsd({depositedRaw, launch}: Intent, amountIn: string): number | null {
	if (depositedRaw !== null) return Number(usdText(depositedRaw));
	return launch === 'origin' ? null : Number(amountIn);
}

/** The answer for an unknown id (contract gaps 4.4): not an error, since the request may only be early. */
export function unknownRow(id: string): BridgeStatusRow {
	return {id, status: 'pending', message: 'Not found yet: no such intent has been quoted or submitted here.'};
}

function moment(ms: number | null): string | null {
	return ms === null ? null : new Date(ms).toISOString();
}

function messageOf({status, claim, failureCode, launch}: Intent): string {
	switch (status) {
		case null:
			return claim === null ? 'Quoted, not submitted.' : 'Accepted, not yet broadcast.';
		case 'pending':
			return 'Broadcast, waiting for the deposit to be mined.';
		case 'deposited':
			return 'The deposit was seen on the origin chain.';
		case 'filling':
			return 'The solver is paying on the destination chain.';
		case 'retrying':
			return 'Paying on the destination chain failed and is tried again, or the deposit is given back.';
		case 'filled':
			return 'The funds have arrived.';
		case 'settled':
			return 'The funds have arrived, and the solver was repaid.';
		case 'refunded':
			return launch === 'origin'
				? 'The token was sold; the USDC of the sale was given back on the origin chain.'
				: 'The deposit was given back on the origin chain.';
		case 'failed':
			return failureCode === 'refund-failed' || failureCode === 'bridge-replaced'
				? 'The transfer failed and could not be refunded: contact support with this id.'
				: 'The transfer failed before any token moved: request a new quote.';
	}
}

/**
 * Waits for the end of an intent.
 * @param signal stops the waiting when the caller hangs up
 * @returns the intent in its current state, ended or not
 */
export function awaitEnd(
	book: IntentBook,
	intentId: string,
	{waitMs = BRIDGE.waitMs as number, signal}: {waitMs?: number | undefined; signal?: AbortSignal | undefined} = {},
): Promise<Intent> {
	return new Promise((resolve, reject) => {
		const finish = () => {
			clearTimeout(timer);
			unsubscribe();
			signal?.removeEventListener('abort', finish);
			book.get(intentId).then(intent => resolve(intent!), reject);
		};
		const unsubscribe = book.onChange(intentId, ({status}) => {
			if (status !== null && isTerminal(status)) finish();
		});
		const timer = setTimeout(finish, waitMs);
		timer.unref();
		signal?.addEventListener('abort', finish);
		const finishIfEnded = (intent: Intent | undefined): void => {
			const status = intent?.status ?? null;
			if (signal?.aborted || (status !== null && isTerminal(status))) finish();
		};
		book.get(intentId).then(finishIfEnded, reject);
	});
}
