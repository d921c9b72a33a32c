import {randomInt} from 'node:crypto';
import {coinOf, evmChainNumber} from '../../chains/chains.ts';
import {ServiceRefused} from '../../client/http/service-errors.ts';
import {type Envelope, PERP_REFUSALS, type PerpExecuteBody, type PerpExecuteResponse} from '../../contract/perp.ts';
import {dexToWire, NEUTRAL_PROVIDER, type Provider} from '../../contract/provider.ts';
import {perpPayloadText} from '../../contract/typed-data.ts';
import {PulsetopError} from '../../errors.ts';
import {isKnown, readReceipt} from '../chain-proof.ts';
import {ChainUnread} from '../chain-reader.ts';
import {assertChecks, type CheckResult, runChecks} from '../check.ts';
import {CLOCK_CHECK, readClock} from '../checks.ts';
import {AlreadyClaimed, type FlowOptions, type FlowView, MoneyFlow, NO_REVIEW, NotNow, type ReadMode} from '../flow.ts';
import {earlierNowMs} from '../live-signature.ts';
import {type PinVerdict, planContract} from '../pins.ts';
import * as phases from '../review-phases.ts';
import {sendFailureOf} from '../send-failure.ts';
import type {TransactionRequest} from '../signer.ts';
import {simulateCalls} from '../simulate.ts';
import {CANCEL_CHECKS, type CancelPlan, OUTLOOK_CHECKS} from './checks.ts';
import {EnvelopeMismatch, openEnvelope} from './envelope.ts';
import {attemptsBefore, claimCancel, hashesOf, openCancels} from './journal-fold.ts';
import * as machine from './machine.ts';
import {
	type CancelOutcome,
	type CancelState,
	CHOOSING,
	isUnderWay,
	mayRetry,
	type OwnEnd,
	type OwnTransaction,
} from './machine.ts';
import {type CancelTarget, cancelTargets} from './orders.ts';
import {cancelLines} from './review-lines.ts';
import {type PayloadTx, transactionIn} from './transaction.ts';

const MAX_PAYLOAD_ATTEMPTS = 3;

/** A step that does not fit the state of the cancel. */
class CancelNotNow extends NotNow {
	readonly code = 'cancel-not-now';
}

/** Another run of the program is cancelling this order: that run signs and sends, this one does neither. */
class CancelClaimed extends AlreadyClaimed {
	readonly code = 'cancel-claimed';
}

/** The order that was to be cancelled is not in the listing any more. */
class OrderGone extends PulsetopError {
	readonly code = 'order-gone';

	constructor() {
		super('The order is not listed any more', {
			why: 'it was filled, cancelled or changed since the review; nothing was signed for it now',
			next: 'fix-input',
			advice: 'Look at the list of orders.',
		});
	}
}

/** A text that the wallet signed or will sign, for a person to see. */
export interface SignedText {
	readonly what: string;
	readonly text: string;
}

export interface CancelView extends FlowView<CancelState, CancelPlan> {
	/** What can be cancelled; undefined before the first listing. */
	readonly targets?: readonly CancelTarget[];
	/** Both signatures (and the transaction), as they are made. */
	readonly signed: readonly SignedText[];
}

/** The request for a payload, without its signature, and what can be checked before there is one. */
export interface CancelDryRun {
	readonly body: CancelRequest;
	/** EIP-191. */
	readonly text: string;
	readonly checks: readonly CheckResult[];
}

/** The fields of a cancel-order body that are not the signature (spec 4.7). */
export interface CancelRequest {
	readonly timestamp: number;
	readonly dex: CancelTarget['dex'];
	readonly chainId: string;
	readonly orderIndex: string;
	readonly marketId?: string;
	readonly orderType?: CancelTarget['orderType'];
}

/** What was signed: the message to the service, and the transaction in it for an exchange with a contract. */
interface SignedCancel {
	readonly body: PerpExecuteBody;
	readonly transaction?: OwnTransaction;
}

export function createCancelFlow(options: FlowOptions): CancelFlow {
	return new CancelFlow(options);
}

/** The cancel of one order after another. */
export class CancelFlow extends MoneyFlow<CancelState, CancelPlan, CancelView, SignedCancel, CancelOutcome> {
	protected readonly checks = CANCEL_CHECKS;
	protected readonly signingStarted = phases.signingStarted;
	protected readonly signingFailed = phases.signingFailed;
	protected readonly answered = machine.answered;
	protected readonly checked = phases.checked;
	protected readonly isUnproven = isOnlySaid;
	protected readonly failedOutcome = sendFailureOf;
	protected readonly standing = {
		unsent: 'Nothing was sent, and the order still stands.',
		again: 'Ask for its cancel again.',
	};
	readonly #provider: Provider;
	#lastTimestampMs = 0;
	#before: machine.AttemptsBefore = {};

	constructor(options: FlowOptions) {
		super(options, {state: CHOOSING, ...NO_REVIEW, signed: []});
		this.#provider = options.provider ?? NEUTRAL_PROVIDER;
	}

	/** Reads what can be cancelled. */
	async list(): Promise<readonly CancelTarget[]> {
		const {call, address} = this.options;
		const query = {wallet: address, limit: 500};
		const [unfilled, open] = await Promise.all([call('perpUnfilled', {query}), call('perpOpen', {query})]);
		const targets = cancelTargets(unfilled.data, open.data, this.#provider);
		this.set({...this.view, targets});
		return targets;
	}

	/** Signs the request for a payload, gets the payload, opens and checks it. Another execute needs another payload. */
	async build(target: CancelTarget): Promise<void> {
		if (machine.built(this.state, target.key) === this.state) throw this.notNow('choosing another order');
		await this.attempt(async () => {
			const {clock} = this.options;
			const {envelope, text} = await this.#payload(target);
			const state = machine.built(this.state, target.key);
			this.set({...this.#cleared(), state, signed: [{what: 'request for the payload', text}]});
			this.show(await this.#plan(target, envelope, clock.nowMs()));
		});
	}

	/**
	 * The payload for a cancel. The signature is over the action and the millisecond alone (spec 5): another run of the
	 * program that cancels with the same account may have used it, and then another millisecond is signed.
	 */
	async #payload(target: CancelTarget): Promise<{readonly envelope: Envelope; readonly text: string}> {
		const {call, signer} = this.options;
		for (let attempt = 1; ; attempt++) {
			const timestampMs = this.#freshTimestamp();
			const {signature, text} = await signer.signPersonal({kind: 'perp-payload', action: 'cancel-order', timestampMs});
			const body = {...requestFor(target, timestampMs, this.#provider), signature};
			try {
				const {data: envelope} = await call('perpCancelOrder', {body});
				return {envelope, text};
			} catch (error) {
				if (attempt === MAX_PAYLOAD_ATTEMPTS || !isReplayed(error)) throw error;
				// Several runs that collided once would collide with the next millisecond, too.
				this.#lastTimestampMs += randomInt(1_000);
			}
		}
	}

	/** Gets another payload in place of one that is too old, for the order as it is listed now. @throws OrderGone */
	async rebuild(): Promise<void> {
		const {plan} = this.view;
		if (!plan) throw this.notNow('asking again');
		const target = (await this.list()).find(({key}) => key === plan.target.key);
		if (!target) throw new OrderGone();
		await this.build(target);
	}

	/** Accepts the contract of the exchange on first use. @param typed last six characters of its fingerprint */
	accept(typed: string): Promise<void> {
		return this.acceptContract('perp exchange', typed);
	}

	/** Reads once whether the end is known. */
	read(): Promise<CancelState> {
		return this.readNow();
	}

	/** Goes back to the choice of an order. */
	dismiss(): void {
		const next = machine.dismissed(this.state);
		if (next === this.state && next !== CHOOSING) throw this.notNow('going back');
		this.set({...this.#cleared(), state: next});
	}

	/**
	 * What `build` would sign and send for a payload; nothing is signed.
	 * @param accepts whether the contract of the exchange is accepted with the execution, where it is new
	 * @throws ChainUnread
	 */
	async dryRun(target: CancelTarget, {accepts}: {readonly accepts: boolean}): Promise<CancelDryRun> {
		const {clock, journal} = this.options;
		const open = openCancels(journal).find(({key}) => key === target.key);
		const exchange = target.dex === 'dexA' ? await this.#exchangeOf(target) : undefined;
		const isAccepted = accepts && exchange?.kind === 'unknown';
		const checks = runChecks(OUTLOOK_CHECKS, {
			clock: readClock(clock),
			isUnderWay: open !== undefined && !mayRetry(open.state),
			...(exchange && !isAccepted && {exchange}),
		});
		const body = requestFor(target, Math.floor(clock.nowMs()), this.#provider);
		return {body, text: perpPayloadText('cancel-order', body.timestamp), checks};
	}

	/** How the contract that is expected compares with its pin, as its chain has it now. @throws ChainUnread */
	async #exchangeOf({chainId}: CancelTarget): Promise<PinVerdict> {
		const {chains, pins, address} = this.options;
		const expected = pins.expected(chainId, 'perp exchange');
		if (expected !== undefined) return (await planContract({chains, pins}, chainId, 'perp exchange', expected)).verdict;
		// Without a node nothing could be executed.
		await chains.account(chainId, address);
		return {kind: 'unknown', why: 'no exchange was accepted on this chain yet, and the execution names it'};
	}

	/** Resumes a cancel of the journal: its end is only read. */
	resume(key: string): void {
		const known = openCancels(this.options.journal).find(cancel => cancel.key === key);
		if (!known || (isUnderWay(this.state) && !mayRetry(this.state))) throw this.notNow('resuming a cancel');
		this.set({...this.#cleared(), state: known.state});
	}

	/**
	 * A timestamp that no earlier signature of this flow has, near enough to the service's time.
	 * @throws CheckFailed `clock`: a signature far off would only be refused
	 */
	#freshTimestamp(): number {
		const {clock} = this.options;
		assertChecks([CLOCK_CHECK], {clock});
		this.#lastTimestampMs = Math.max(Math.floor(clock.nowMs()), this.#lastTimestampMs + 1);
		return this.#lastTimestampMs;
	}

	/** What stays when another order is chosen. */
	#cleared(): CancelView {
		const {state, targets} = this.view;
		return {state, ...NO_REVIEW, signed: [], ...(targets ? {targets} : {})};
	}

	protected freshPlan(): Promise<CancelPlan> {
		const {plan} = this.view;
		if (!plan) throw this.notNow('signing');
		return this.#plan(plan.target, plan.envelope, plan.builtAtMs);
	}

	async #plan(target: CancelTarget, envelope: Envelope, builtAtMs: number): Promise<CancelPlan> {
		const {chains, clock, address, pins, requiresSimulation = false} = this.options;
		const {dex, chainId, marketId} = target;
		const content = openEnvelope(envelope, {action: 'cancel-order', dex, chainId, marketId}, this.#provider);
		const plan = {
			target,
			signer: address,
			envelope,
			content,
			builtAtMs,
			requiresSimulation,
			clock: readClock(clock),
		};
		if (envelope.transport !== 'evm-tx') return plan;
		const proposed = transactionIn(content);
		const [account, contract, simulation] = await Promise.all([
			chains.account(chainId, address),
			planContract({chains, pins}, chainId, 'perp exchange', proposed.to),
			simulateCalls(chains, chainId, {from: address, calls: [proposed]}),
		]);
		const tx = withNonce(proposed, account.nonce);
		const capRefusal = this.#capRefusal(target, tx);
		return {...plan, evm: {tx, account, contract, simulation}, ...(capRefusal === undefined ? {} : {capRefusal})};
	}

	#capRefusal({chainId, key}: CancelTarget, {gas = 0n, maxFeePerGas = 0n, valueRaw}: PayloadTx): string | undefined {
		const amountRaw = valueRaw + gas * maxFeePerGas;
		const coin = {chainId, token: 'native', symbol: coinOf(chainId), decimals: 18};
		return this.options.caps.refusal({...coin, id: key, amountRaw});
	}

	protected shown(plan: CancelPlan): Partial<CancelView> {
		return {lines: cancelLines(plan)};
	}

	protected contractsOf({target: {chainId}, evm}: CancelPlan) {
		return {chainId, contracts: evm ? [evm.contract] : []};
	}

	protected claim({target, envelope}: CancelPlan): boolean {
		const {journal} = this.options;
		const {key, dex, chainId, marketId, index, orderType} = target;
		this.#before = attemptsBefore(openCancels(journal).find(cancel => cancel.key === key));
		return claimCancel(journal, key, {dex, chainId, marketId, index, orderType, transport: envelope.transport});
	}

	protected unclaim({target: {key}}: CancelPlan): void {
		const {journal, caps} = this.options;
		journal.append('perp.unsigned', key, {});
		// The transaction of an earlier attempt stays counted: it can still be mined.
		if (!this.#before.isRetry) caps.release(key);
	}

	/** The signatures: of the transaction, then of the execute over the final string. */
	protected async sign(plan: CancelPlan): Promise<SignedCancel> {
		const {signer, journal} = this.options;
		const {envelope, target, evm} = plan;
		const signed = evm && (await signer.signTransaction(requestOf(plan), target.key));
		const timestampMs = this.#freshTimestamp();
		const {payloadStr, action, dex, chainId, marketId, transport} = envelope;
		const {signature, text} = await signer.signPersonal({kind: 'perp-execute', timestampMs, payloadStr});
		const shown = signed ? [{what: 'transaction', text: signed.hash}] : [];
		this.set({...this.view, plan, signed: [...this.view.signed, ...shown, {what: 'execute', text}]});
		const body = {
			action,
			dex,
			chainId,
			...(marketId === undefined ? {} : {marketId}),
			transport,
			payloadStr,
			timestamp: timestampMs,
			signature,
			...(signed ? {signedTx: signed.raw} : {}),
		} as PerpExecuteBody;
		if (!signed) return {body};
		this.assertSigning();
		const transaction = {txHash: signed.hash, chainId: target.chainId, nonce: evm!.account.nonce};
		journal.append('perp.signed', target.key, {...transaction});
		return {body, transaction};
	}

	protected sendingStarted(state: CancelState, {transaction}: SignedCancel): CancelState {
		const nowMs = earlierNowMs(this.options.clock);
		return machine.sendingStarted(state, {nowMs, before: this.#before, ...(transaction ? {transaction} : {})});
	}

	protected async post({body}: SignedCancel): Promise<CancelOutcome> {
		return outcomeOf(await this.options.call('perpExecute', {body}));
	}

	protected recordAnswer(outcome: CancelOutcome, {key, phase, claim}: CancelState): void {
		this.options.journal.append('perp.answered', key!, {...outcome, phase, claim});
	}

	protected recordReading(before: CancelState, {key, phase, claim, seenOn}: CancelState): void {
		if (phase !== before.phase) this.options.journal.append('perp.status', key!, {phase, claim, seenOn});
	}

	/** Nothing left this machine. A transaction that did can be mined whatever is answered: its fee stays counted. */
	protected isNothing({phase, seenOn}: CancelState): boolean {
		return phase === 'refused' && seenOn === undefined;
	}

	protected releaseLimits(): void {
		this.options.caps.release(this.state.key!);
	}

	protected isPending(state: CancelState): boolean {
		return isUnderWay(state) && state.phase !== 'sending';
	}

	protected readState(state: CancelState, mode: ReadMode): Promise<CancelState> {
		return state.phase === 'running' ? this.#readProcess(state, mode) : this.#readEnd(state);
	}

	async #readProcess(state: CancelState, {signal}: ReadMode): Promise<CancelState> {
		const query = {processId: state.processId!};
		try {
			const response = await this.options.call('perpCheckProcess', {query}, signal ? {signal} : {});
			const said = response.errorMessage ?? response.message;
			return machine.processRead(state, {status: response.status, ...(said === undefined ? {} : {said})});
		} catch (error) {
			if (!(error instanceof ServiceRefused) || error.status !== 404) throw error;
			return machine.processLost(state);
		}
	}

	async #readEnd(state: CancelState): Promise<CancelState> {
		const {clock, chains} = this.options;
		const [targets, ownEnd] = await Promise.all([this.list(), this.#ownEnd(state)]);
		const isListed = targets.some(target => target.key === state.key);
		const isChainRead = state.chainId !== undefined && chains.knows(state.chainId);
		const seen = {isListed, isChainRead, nowMs: earlierNowMs(clock), ...(ownEnd === undefined ? {} : {ownEnd})};
		return machine.endRead(state, seen);
	}

	/** What became of the own transaction; undefined when the node can't say yet. */
	async #ownEnd(state: CancelState): Promise<OwnEnd | undefined> {
		const {chainId, nonce} = state;
		const hashes = hashesOf(state);
		const {chains, address} = this.options;
		if (hashes.length === 0 || chainId === undefined || !chains.knows(chainId)) return undefined;
		try {
			// The nonce first: a transaction that is mined between the two readings is not taken for a lost one.
			const next = nonce === undefined ? undefined : (await chains.account(chainId, address)).nonce;
			const receipts = await Promise.all(hashes.map(hash => readReceipt(chains, chainId, hash)));
			if (receipts.some(receipt => receipt?.isSuccess)) return 'success';
			// Of an earlier one that reverted nothing follows for the newest, which may have the next nonce.
			if (receipts.at(-1)) return 'reverted';
			if (next === undefined || next <= nonce!) return undefined;
			const known = await Promise.all(hashes.map(hash => isKnown(chains, chainId, hash)));
			return known.includes(true) ? undefined : 'replaced';
		} catch (error) {
			if (error instanceof ChainUnread) return undefined;
			throw error;
		}
	}

	protected notNow(step: string): NotNow {
		return new CancelNotNow(step, {why: this.whyNot(`the cancel is ${this.state.phase}`), next: 'poll-status'});
	}

	protected alreadyClaimed(): AlreadyClaimed {
		return new CancelClaimed(
			'This order is already being cancelled',
			'its cancel is already under way; nothing was signed here',
		);
	}
}

/** What only the service says: that it ended, or that it did not take the cancel. */
function isOnlySaid({phase}: CancelState): boolean {
	return phase === 'claimed' || phase === 'unaccepted';
}

/** Nothing else has this status and these words (spec 7). */
function isReplayed(error: unknown): boolean {
	const {status, message} = PERP_REFUSALS.replayed;
	return error instanceof ServiceRefused && error.status === status && error.said === message;
}

function requestFor(
	{dex, chainId, index, marketId, orderType}: CancelTarget,
	timestamp: number,
	provider: Provider,
): CancelRequest {
	// What the service calls the exchange goes to the wire, whatever the types call it.
	const wireDex = dexToWire(dex, provider) as CancelTarget['dex'];
	return {timestamp, dex: wireDex, chainId, orderIndex: index, ...(dex === 'dexB' ? {marketId} : {orderType})};
}

/** A payload may leave the nonce to the wallet (spec 4.8, "as applicable"). */
function withNonce(tx: PayloadTx, nonce: number): PayloadTx {
	return tx.nonce === undefined ? {...tx, nonce: BigInt(nonce)} : tx;
}

/** @throws EnvelopeMismatch when the payload does not say what the transaction may cost */
function requestOf({target, evm}: CancelPlan): TransactionRequest {
	const {to, data, valueRaw, nonce, gas, maxFeePerGas, maxPriorityFeePerGas = 0n} = evm!.tx;
	if (gas === undefined || maxFeePerGas === undefined)
		throw new EnvelopeMismatch('the transaction does not say what it may cost');
	const chainId = evmChainNumber(target.chainId)!;
	return {chainId, to, data, valueRaw, nonce: Number(nonce), gas, maxFeePerGas, maxPriorityFeePerGas};
}

function outcomeOf({success, data}: PerpExecuteResponse): CancelOutcome {
	if (data?.processId !== undefined) return {kind: 'running', processId: data.processId};
	const details = data?.executionDetails ?? [];
	const refusal = details.find(({status}) => status === 'failed' || status === 'reverted');
	if (success === false || data?.success === false || refusal) {
		return {kind: 'failed', said: refusal?.status ?? 'the exchange did not execute it'};
	}
	const isExecuted = success === true || data?.success === true || details.length > 0;
	// The listing shows it.
	if (!isExecuted) return {kind: 'no-answer', said: 'the answer does not say whether it was executed'};
	const txHash = details.find(detail => detail.txHash)?.txHash;
	return txHash ? {kind: 'executed', txHash} : {kind: 'executed'};
}
