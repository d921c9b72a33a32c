import {setTimeout as sleep} from 'node:timers/promises';
import {
	type Address,
	decodeFunctionData,
	encodeFunctionData,
	getAddress,
	type Hash,
	type Hex,
	type SignedAuthorization,
} from 'viem';
import {BRIDGE, type ExecuteBody, type ExecuteResult, type Quote} from '../../contract/bridge.ts';
import {BatchExecutor, SwapBridge} from '../chain/artifacts.generated.ts';
import type {Chain, ChainSet} from '../chain/chain-set.ts';
import {type Outgoing, type Persist, SendRejected, SendUncertain} from '../chain/sender.ts';
import {temporaryCause} from '../money-errors.ts';
import type {RowLease} from '../store/row-leases.ts';
import {ExecuteRefused} from './bridge-errors.ts';
import {
	type AccountState,
	callsOf,
	checkAuthorization,
	checkBatch,
	checkBatchSignature,
	checkCalls,
	checkQuoted,
	checkValues,
} from './execute-checks.ts';
import type {Intent, IntentBook, IntentClaim} from './intents.ts';
import {type Launch, soldRaw} from './launch.ts';
import {whyNotTraded} from './launch-quote.ts';
import type {LaunchTrader} from './launch-trade.ts';

export interface ExecuteDependencies {
	readonly chains: ChainSet;
	readonly book: IntentBook;
	readonly now: () => number;
	/** Called with the lease of every intent whose transaction may have been sent. */
	readonly start: (lease: RowLease) => void;
	/** Called with every intent of which nothing was sent: its user may have made a deposit meanwhile. */
	readonly watch: (intentId: string) => void;
	/** Trades launches; without it none can be sold. */
	readonly trader?: LaunchTrader | undefined;
	/** How long the sending may take, in milliseconds. */
	readonly solverMs?: number | undefined;
}

/** Longest wait in the queue of the sponsor's transactions; the caller may retry afterwards. */
const QUEUE_MS = 5000;

/**
 * Broadcasts a user-signed batch and pays its gas, once for an intent (spec 4.4). The claim on the intent and the hash
 * of the transaction are on the disk before anything is sent. When the result is unclear the claim stays and the answer
 * is 504; every other failure releases the intent.
 * @throws ExecuteRefused by the name of the check
 */
export async function execute(dependencies: ExecuteDependencies, body: ExecuteBody): Promise<ExecuteResult> {
	try {
		return await executeOnce(dependencies, body);
	} catch (error) {
		const cause = temporaryCause(error);
		if (cause !== undefined) throw new ExecuteRefused('not-guaranteed', `${cause.message}: ${cause.why}`, error);
		throw error;
	}
}

async function executeOnce(dependencies: ExecuteDependencies, body: ExecuteBody): Promise<ExecuteResult> {
	const {book, chains, now} = dependencies;
	const intent = await book.get(body.intentId);
	if (intent === undefined) throw new ExecuteRefused('unknown-intent', 'The intent was not quoted here, or long ago');
	checkNotSubmitted(intent);
	checkQuoted(intent, body, now());
	const origin = await chains.ready(intent.originChainId);
	checkSameChain(intent, origin);
	checkBatch(intent, body, now());
	checkCalls(intent, body, origin.addresses);
	checkValues(body);
	checkBatchSignature(intent, body, origin.addresses);

	const claim = await book.claim(intent.intentId);
	if (claim === undefined) throw alreadySubmitted();
	try {
		checkAuthorization(intent, body.authorizationList, origin.addresses, await accountState(origin, intent.authority));
	} catch (error) {
		await book.release(claim);
		throw error;
	}
	return broadcast(dependencies, {intent, origin, body, claim});
}

interface Broadcast {
	readonly intent: Intent;
	readonly origin: Chain;
	readonly body: ExecuteBody;
	readonly claim: IntentClaim;
}

async function broadcast(
	dependencies: ExecuteDependencies,
	{intent, origin, body, claim}: Broadcast,
): Promise<ExecuteResult> {
	const {book, start, watch, trader, solverMs = BRIDGE.solverMs} = dependencies;
	const {intentId} = intent;
	const persist: Persist = async ({hash}) => {
		const patch = {
			status: 'pending',
			depositTxHash: hash,
			sentToRun: origin.run,
			// A batch may be signed for ever; the store holds whole numbers up to 2^53.
			batchDeadlineS: Math.min(Number(body.deadline), Number.MAX_SAFE_INTEGER),
		} as const;
		// The claim may have expired while the transaction waited in the queue; another execute may hold the intent
		// then.
		if (await book.whileClaimed(claim, patch)) return;
		throw new SendRejected('the claim on the intent ran out before its turn');
	};
	const outgoing = batchTransaction(intent, body);
	const sending =
		intent.launch === 'origin'
			? sendSale(trader, {intent, origin, outgoing}, persist)
			: origin.sender('sponsor').send(outgoing, persist, {queueMs: QUEUE_MS});
	const settled = sending.then(
		hash => ({hash}),
		(error: unknown) => ({error}),
	);
	const outcome = await Promise.race([settled, sleep(solverMs, undefined, {ref: false})]);
	if (outcome === undefined) {
		// A later result must not release the intent: the caller was referred to its status.
		void settled.then(late => {
			if (!('error' in late) || late.error instanceof SendUncertain) return start(claim.lease);
			// Where the store is away as well, another worker finds the claim or the hash, and records the result.
			return failUnsent(book, claim).catch(() => {});
		});
		throw noResponse();
	}
	if ('hash' in outcome) {
		start(claim.lease);
		return {
			intentId,
			status: 'pending',
			depositTxHash: outcome.hash,
			sponsoredGasLimit: intent.gasUnits!.toString(),
			message: 'The batch was broadcast. This is not its success: read the status of the intent.',
		};
	}
	const {error} = outcome;
	if (error instanceof SendUncertain) {
		start(claim.lease);
		throw noResponse(error);
	}
	await book.release(claim);
	watch(intentId);
	if (error instanceof SendRejected) {
		throw new ExecuteRefused('send-failed', `The batch was not sent: ${error.why}`, error);
	}
	throw error;
}

/**
 * Broadcasts the sale of a launch, against the pool as it is in the market at that moment. A sale that would bring less
 * than what was signed is not sent: it would only fail, and use up the intent.
 */
function sendSale(
	trader: LaunchTrader | undefined,
	{intent, origin, outgoing}: {readonly intent: Intent; readonly origin: Chain; readonly outgoing: Outgoing},
	persist: Persist,
): Promise<Hash> {
	if (trader === undefined) return Promise.reject(new SendRejected(whyNotTraded('recording')));
	const least = minBridgedRaw(intent);
	const refuses = (launch: Launch): string | undefined =>
		(soldRaw(launch, intent.amountRaw) ?? 0n) < least
			? 'the price moved: the sale would bring less than the signed minimum'
			: undefined;
	return trader.send({chain: origin, role: 'sponsor', token: intent.originToken, outgoing, refuses}, persist);
}

/** The least that the signed call takes for the token. */
function minBridgedRaw(intent: Intent): bigint {
	const {steps = []} = JSON.parse(intent.quote) as Quote;
	const {functionName, args} = decodeFunctionData({abi: SwapBridge.abi, data: steps.at(-1)!.tx.data as Hex});
	return functionName === 'swapAndBridge' ? args[3] : 0n;
}

/** Check 6: the limit of the broadcast is the quote's own units. */
function batchTransaction(intent: Intent, body: ExecuteBody): Outgoing {
	const list = (body.authorizationList ?? []).map(({address, r, s, ...rest}) => ({
		...rest,
		address: getAddress(address),
		r: r as Hex,
		s: s as Hex,
	})) as SignedAuthorization[];
	return {
		to: intent.authority,
		data: encodeFunctionData({
			abi: BatchExecutor.abi,
			functionName: 'execute',
			args: [
				callsOf(body),
				BigInt(body.batchNonce),
				BigInt(body.deadline),
				getAddress(body.gasToken),
				BigInt(body.minBalance),
				body.batchSignature as Hex,
			],
		}),
		gas: intent.gasUnits!,
		...(list.length > 0 ? {authorizationList: list} : {}),
	};
}

function checkNotSubmitted({status, failureCode}: Intent): void {
	if (status === null) return;
	if (status === 'failed' && failureCode === 'reverted') {
		throw new ExecuteRefused('already-reverted', 'The batch of this intent has already reverted: request a new quote');
	}
	throw alreadySubmitted();
}

function alreadySubmitted(): ExecuteRefused {
	return new ExecuteRefused('already-submitted', 'This intent has already been submitted: read its status');
}

function noResponse(cause?: unknown): ExecuteRefused {
	const text = 'The solver gave no answer in time. The deposit may still land: read the status before anything else';
	return new ExecuteRefused('no-answer', text, cause);
}

/** A restarted practice chain knows neither the quote's tokens nor its account. */
function checkSameChain({originInstance}: Intent, {instance}: Chain): void {
	if (originInstance === instance) return;
	throw new ExecuteRefused('chain-reset', 'The practice chain was reset after this quote: request a new one');
}

async function accountState({client}: Chain, address: Address): Promise<AccountState> {
	const [nonce, delegate] = await Promise.all([client.getTransactionCount({address}), client.getDelegation({address})]);
	return {nonce, delegate};
}

/** The caller was referred to the status, so the failure is recorded there. */
async function failUnsent(book: IntentBook, {intentId, lease}: IntentClaim): Promise<void> {
	try {
		await book.under(lease).advance(intentId, [null, 'pending'], {
			status: 'failed',
			failureCode: 'not-sent',
			failureReason: 'the batch was not sent: no tokens moved',
		});
	} finally {
		lease.done();
	}
}
