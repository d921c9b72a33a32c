import {setTimeout as sleep} from 'node:timers/promises';
import {evmChainNumber} from '../../chains.ts';
import type {Clock} from '../../client/clock.ts';
import type {Call} from '../../client/http/call.ts';
import {RateLimited, ServiceRefused, ServiceUnreachable} from '../../client/http/service-errors.ts';
import type {Envelope, PerpExecuteAnswer, PerpExecuteBody} from '../../contract/perp.ts';
import {dexToWire, NEUTRAL_PROVIDER, type Provider} from '../../contract/provider.ts';
import {perpPayloadText} from '../../contract/typed-data.ts';
import {type Explanation, explain, PulsetopError} from '../../errors.ts';
import type {Caps} from '../caps.ts';
import {readReceipt} from '../chain-proof.ts';
import {type ChainReader, ChainUnread} from '../chain-reader.ts';
import {coinOf} from '../chains.ts';
import {assertChecks, CheckFailed, type CheckResult, clockVerdict, runChecks} from '../check.ts';
import {isContract} from '../contract-code.ts';
import type {Journal} from '../journal.ts';
import {earlierNowMs} from '../live-signature.ts';
import {type NewContract, newContracts, type Pins, planContract} from '../pins.ts';
import type {Signer, TransactionRequest} from '../signer.ts';
import {simulateCalls} from '../simulate.ts';
import {CANCEL_CHECKS, type CancelPlan} from './checks.ts';
import {EnvelopeMismatch, openEnvelope} from './envelope.ts';
import {claimCancel, hashesOf, openCancels, triesBefore} from './journal-fold.ts';
import {
	answered,
	built,
	type CancelOutcome,
	type CancelState,
	CHOOSING,
	checked,
	dismissed,
	endRead,
	isUnderWay,
	mayRetry,
	type OwnEnd,
	type OwnTransaction,
	processLost,
	processRead,
	sendingStarted,
	signingFailed,
	signingStarted,
} from './machine.ts';
import {type CancelTarget, cancelTargets} from './orders.ts';
import {type PayloadTx, transactionIn} from './transaction.ts';
import {type CancelLine, cancelLines} from './words.ts';

/** A step that cannot be taken now. */
class CancelNotNow extends PulsetopError {
	readonly code = 'cancel-not-now';

	constructor(what: string, {phase}: CancelState) {
		super(`This cannot be done now: ${what}`, {why: `the cancel is ${phase}`, next: 'poll-status'});
	}
}

/** Another run of the program is cancelling this order: it signs and sends, this one does neither. */
class CancelClaimed extends PulsetopError {
	readonly code = 'cancel-claimed';

	constructor() {
		super('This order is already being cancelled', {
			why: 'its cancel is already under way; nothing was signed here',
			next: 'poll-status',
		});
	}
}

export interface CancelFlowOptions {
	readonly call: Call;
	readonly clock: Clock;
	readonly signer: Signer;
	/** The wallet's. */
	readonly address: string;
	readonly chains: ChainReader;
	readonly caps: Caps;
	readonly pins: Pins;
	readonly journal: Journal;
	readonly provider?: Provider;
	/** Whether no transaction is signed of which the user's node does not show what would move. */
	readonly requiresSimulation?: boolean;
	readonly pollMs?: number;
}

/** A text that the wallet signed or will sign, for a person to see. */
export interface SignedText {
	readonly what: string;
	readonly text: string;
}

export interface CancelView {
	readonly state: CancelState;
	/** What can be cancelled; undefined before the first listing. */
	readonly targets?: readonly CancelTarget[];
	readonly plan?: CancelPlan;
	readonly checks: readonly CheckResult[];
	readonly lines: readonly CancelLine[];
	/** Both signatures (and the transaction), as they are made. */
	readonly signed: readonly SignedText[];
	/** The exchange's contract, when it is met for the first time. */
	readonly toAccept?: NewContract & {readonly chainId: string};
	readonly problem?: Explanation;
}

/** The cancel of one order after another. */
export interface CancelFlow {
	readonly view: CancelView;
	subscribe(listener: () => void): () => void;
	/** Reads what can be cancelled. */
	list(): Promise<readonly CancelTarget[]>;
	/** Signs the request for a payload, gets it, opens it and checks it. */
	build(target: CancelTarget): Promise<void>;
	/** Accepts the exchange's contract on first use. @param typed the last six characters of its fingerprint */
	accept(typed: string): Promise<void>;
	/** Signs and sends. Each call makes new signatures over a new timestamp. */
	execute(): Promise<void>;
	/** Reads until the end is known, until the signal, or until nothing answered for `silentMs` (for ever, by default). */
	watch(signal?: AbortSignal, silentMs?: number): Promise<CancelState>;
	/** Reads once whether the end is known. */
	read(): Promise<CancelState>;
	dismiss(): void;
	/** What `build` would sign and send for a payload; nothing is signed. */
	dryRun(target: CancelTarget): CancelDryRun;
	/** Takes up a cancel of the journal: it is only read. */
	resume(key: string): void;
}

/** The request for a payload, without its signature. */
export interface CancelDryRun {
	readonly body: CancelRequest;
	/** EIP-191. */
	readonly text: string;
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

const POLL_MS = 1000;

export function createCancelFlow(options: CancelFlowOptions): CancelFlow {
	return new Flow(options);
}

class Flow implements CancelFlow {
	readonly #options: CancelFlowOptions;
	readonly #provider: Provider;
	readonly #listeners = new Set<() => void>();
	#view: CancelView = {state: CHOOSING, checks: [], lines: [], signed: []};
	#lastTimestampMs = 0;

	constructor(options: CancelFlowOptions) {
		this.#options = options;
		this.#provider = options.provider ?? NEUTRAL_PROVIDER;
	}

	get view(): CancelView {
		return this.#view;
	}

	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	async list(): Promise<readonly CancelTarget[]> {
		const {call, address} = this.#options;
		const query = {wallet: address, limit: 500};
		const [unfilled, open] = await Promise.all([call('perpUnfilled', {query}), call('perpOpen', {query})]);
		const targets = cancelTargets(unfilled.data, open.data, this.#provider);
		this.#set({...this.#view, targets});
		return targets;
	}

	async build(target: CancelTarget): Promise<void> {
		if (built(this.#state, target.key) === this.#state) throw new CancelNotNow('choosing another order', this.#state);
		await this.#attempt(async () => {
			const {call, signer, clock} = this.#options;
			const timestampMs = this.#freshTimestamp();
			const {signature, text} = await signer.signPersonal({kind: 'perp-payload', action: 'cancel-order', timestampMs});
			const body = {...requestFor(target, timestampMs, this.#provider), signature};
			const {data: envelope} = await call('perpCancelOrder', {body});
			const next = built(this.#state, target.key);
			this.#set({...this.#cleared(), state: next, signed: [{what: 'request for the payload', text}]});
			await this.#check(target, envelope, clock.nowMs());
		});
	}

	async accept(typed: string): Promise<void> {
		const {toAccept, plan} = this.#view;
		if (!toAccept || !plan) throw new CancelNotNow('accepting a contract', this.#state);
		const {pins, journal} = this.#options;
		const {found} = plan.evm!.contract;
		if (!isContract(found)) throw new CancelNotNow('accepting a contract', this.#state);
		const {chainId} = plan.target;
		pins.accept(chainId, 'perp exchange', found, typed);
		journal.append('pin.accepted', chainId, {role: 'perp exchange', address: found.address, codeHash: found.hash});
		await this.#attempt(() => this.#check(plan.target, plan.envelope, plan.builtAtMs));
	}

	async execute(): Promise<void> {
		const {plan} = this.#view;
		if (!plan || signingStarted(this.#state) === this.#state) throw new CancelNotNow('signing', this.#state);
		this.#become(signingStarted(this.#state));
		const {journal, clock, caps} = this.#options;
		const {key} = plan.target;
		const before = triesBefore(openCancels(journal).find(cancel => cancel.key === key));
		let isClaimed = false;
		let prepared: {body: PerpExecuteBody; transaction?: OwnTransaction};
		try {
			const final = await this.#prepare(plan);
			this.#assertSigning();
			// The journal knows it before the wallet signs it.
			if (!claimCancel(journal, key, intendedOf(final))) throw new CancelClaimed();
			isClaimed = true;
			prepared = await this.#sign(final);
			this.#assertSigning();
			if (prepared.transaction) journal.append('perp.signed', key, {...prepared.transaction});
		} catch (error) {
			if (isClaimed) journal.append('perp.unsigned', key, {});
			this.#become(signingFailed(this.#state));
			// What another run, or a try before, counts for the same cancel stays.
			if (!(error instanceof CancelClaimed) && !before.isRetry) caps.release(key);
			this.#fail(error);
			throw error;
		}
		const {body, transaction} = prepared;
		this.#become(
			sendingStarted(this.#state, {nowMs: earlierNowMs(clock), before, ...(transaction ? {transaction} : {})}),
		);
		const outcome = await this.#post(body);
		const after = answered(this.#view.state, outcome);
		this.#become(after);
		journal.append('perp.answered', key, {...outcome, phase: after.phase, claim: after.claim});
		// A transaction that left this machine can be mined whatever is answered: its fee stays counted.
		if (outcome.kind === 'not-sent' && !before.isRetry) caps.release(key);
	}

	async watch(signal?: AbortSignal, silentMs = Number.POSITIVE_INFINITY): Promise<CancelState> {
		const {pollMs = POLL_MS} = this.#options;
		let answeredMs = performance.now();
		const goesOn = (): boolean => signal?.aborted !== true && performance.now() - answeredMs < silentMs;
		while (isUnderWay(this.#state) && this.#state.phase !== 'sending' && goesOn()) {
			try {
				await this.#read(signal);
				// What the service claims and nothing shows is waited for as long as a service that does not answer.
				if (this.#state.phase !== 'claimed' && this.#state.phase !== 'unaccepted') answeredMs = performance.now();
			} catch (error) {
				if (!(error instanceof PulsetopError)) throw error;
				this.#fail(error);
			}
			if (isUnderWay(this.#state)) await sleep(pollMs, undefined, signal ? {signal} : {}).catch(() => {});
		}
		return this.#state;
	}

	async read(): Promise<CancelState> {
		if (isUnderWay(this.#state) && this.#state.phase !== 'sending') await this.#attempt(() => this.#read());
		return this.#state;
	}

	dismiss(): void {
		const next = dismissed(this.#state);
		if (next === this.#state && next !== CHOOSING) throw new CancelNotNow('going back', this.#state);
		const {targets} = this.#view;
		this.#set({state: next, checks: [], lines: [], signed: [], ...(targets ? {targets} : {})});
	}

	dryRun(target: CancelTarget): CancelDryRun {
		const body = requestFor(target, Math.floor(this.#options.clock.nowMs()), this.#provider);
		return {body, text: perpPayloadText('cancel-order', body.timestamp)};
	}

	resume(key: string): void {
		const known = openCancels(this.#options.journal).find(cancel => cancel.key === key);
		if (!known || (isUnderWay(this.#state) && !mayRetry(this.#state)))
			throw new CancelNotNow('resuming a cancel', this.#state);
		this.#set({...this.#cleared(), state: known.state});
	}

	get #state(): CancelState {
		return this.#view.state;
	}

	/**
	 * A timestamp that no earlier signature of this flow has, near enough to the service's time.
	 * @throws CheckFailed `clock`: a signature far off would only be refused
	 */
	#freshTimestamp(): number {
		const {clock} = this.#options;
		const verdict = clockVerdict(clock.skewMs, clock.uncertaintyMs);
		if (!verdict.ok) throw new CheckFailed('clock', 'clock', verdict.detail, 'fix-input');
		this.#lastTimestampMs = Math.max(Math.floor(clock.nowMs()), this.#lastTimestampMs + 1);
		return this.#lastTimestampMs;
	}

	/** Opens a payload, reads the account and runs every check. */
	async #check(target: CancelTarget, envelope: Envelope, builtAtMs: number): Promise<void> {
		const plan = await this.#plan(target, envelope, builtAtMs);
		const checks = runChecks(CANCEL_CHECKS, plan);
		const {problem: _, toAccept: __, ...view} = this.#view;
		const [contract] = plan.evm ? newContracts([plan.evm.contract]) : [];
		const toAccept = contract ? {toAccept: {...contract, chainId: target.chainId}} : {};
		const state = checked(
			this.#state,
			checks.every(check => check.ok),
		);
		this.#set({...view, state, plan, checks, lines: cancelLines(plan), ...toAccept});
	}

	async #plan(target: CancelTarget, envelope: Envelope, builtAtMs: number): Promise<CancelPlan> {
		const {chains, clock, address, pins, requiresSimulation = false} = this.#options;
		const {dex, chainId, marketId} = target;
		const content = openEnvelope(envelope, {action: 'cancel-order', dex, chainId, marketId}, this.#provider);
		const plan = {
			target,
			signer: address,
			envelope,
			content,
			builtAtMs,
			requiresSimulation,
			clock: {nowMs: clock.nowMs(), skewMs: clock.skewMs, uncertaintyMs: clock.uncertaintyMs},
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
		const evm = {
			tx,
			account,
			contract,
			simulation,
			...(capRefusal === undefined ? {} : {capRefusal}),
		};
		return {...plan, evm};
	}

	#capRefusal({chainId, key}: CancelTarget, {gas = 0n, maxFeePerGas = 0n, valueRaw}: PayloadTx): string | undefined {
		const amountRaw = valueRaw + gas * maxFeePerGas;
		return this.#options.caps.refusal({
			id: key,
			chainId,
			token: 'native',
			symbol: coinOf(chainId),
			amountRaw,
			decimals: 18,
		});
	}

	#assertSigning(): void {
		if (this.#state.phase !== 'signing') throw new CancelNotNow('sending', this.#state);
	}

	/** Every check again, on fresh data. */
	async #prepare(before: CancelPlan): Promise<CancelPlan> {
		const plan = await this.#plan(before.target, before.envelope, before.builtAtMs);
		assertChecks(CANCEL_CHECKS, plan);
		return plan;
	}

	/** The signatures: the transaction's, then the execute's over the final string. */
	async #sign(plan: CancelPlan): Promise<{body: PerpExecuteBody; transaction?: OwnTransaction}> {
		const {signer} = this.#options;
		const {envelope} = plan;
		const signed = plan.evm ? await signer.signTransaction(requestOf(plan), plan.target.key) : undefined;
		const timestampMs = this.#freshTimestamp();
		const {payloadStr} = envelope;
		const {signature, text} = await signer.signPersonal({kind: 'perp-execute', timestampMs, payloadStr});
		const transaction = signed ? [{what: 'transaction', text: signed.hash}] : [];
		this.#set({...this.#view, plan, signed: [...this.#view.signed, ...transaction, {what: 'execute', text}]});
		const {action, dex, chainId, marketId, transport} = envelope;
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
		const {account} = plan.evm!;
		return {body, transaction: {txHash: signed.hash, chainId: plan.target.chainId, nonce: account.nonce}};
	}

	async #post(body: PerpExecuteBody): Promise<CancelOutcome> {
		try {
			return outcomeOfAnswer(await this.#options.call('perpExecute', {body}));
		} catch (error) {
			this.#fail(error);
			return outcomeOfError(error);
		}
	}

	async #read(signal?: AbortSignal): Promise<void> {
		const {call, clock, journal} = this.#options;
		const before = this.#state;
		if (before.phase === 'running') {
			try {
				const answer = await call('perpCheckProcess', {query: {processId: before.processId!}}, signal ? {signal} : {});
				const said = answer.errorMessage ?? answer.message;
				this.#become(processRead(this.#state, {status: answer.status, ...(said === undefined ? {} : {said})}));
			} catch (error) {
				if (!(error instanceof ServiceRefused) || error.status !== 404) throw error;
				this.#become(processLost(this.#state));
			}
		} else {
			const [targets, ownEnd] = await Promise.all([this.list(), this.#ownEnd()]);
			// Another try was begun meanwhile.
			if (this.#state !== before) return;
			const isListed = targets.some(target => target.key === before.key);
			const {chainId} = before;
			const isChainRead = chainId !== undefined && this.#options.chains.knows(chainId);
			const sight = {isListed, isChainRead, nowMs: earlierNowMs(clock), ...(ownEnd === undefined ? {} : {ownEnd})};
			this.#become(endRead(this.#state, sight));
		}
		const {phase, claim, seenOn} = this.#state;
		if (phase !== before.phase) journal.append('perp.status', before.key!, {phase, claim, seenOn});
	}

	/** What became of the own transaction; a node that can't say it now is asked again. */
	async #ownEnd(): Promise<OwnEnd | undefined> {
		const {chainId, nonce} = this.#state;
		const hashes = hashesOf(this.#state);
		const {chains, address} = this.#options;
		if (hashes.length === 0 || chainId === undefined || !chains.knows(chainId)) return undefined;
		try {
			// The number first: a transaction that is mined between the two questions is not taken for a lost one.
			const next = nonce === undefined ? undefined : (await chains.account(chainId, address)).nonce;
			const receipts = await Promise.all(hashes.map(hash => readReceipt(chains, chainId, hash)));
			if (receipts.some(receipt => receipt?.isSuccess)) return 'success';
			// Of an earlier one that reverted nothing follows for the newest, which may have the next number.
			if (receipts.at(-1)) return 'reverted';
			return next !== undefined && next > nonce! ? 'outrun' : undefined;
		} catch (error) {
			if (error instanceof ChainUnread) return undefined;
			throw error;
		}
	}

	/** What stays when another order is chosen. */
	#cleared(): CancelView {
		const {state, targets} = this.#view;
		return {state, checks: [], lines: [], signed: [], ...(targets ? {targets} : {})};
	}

	async #attempt(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			this.#fail(error);
			throw error;
		}
	}

	#fail(error: unknown): void {
		this.#set({...this.#view, problem: explain(error)});
	}

	#become(state: CancelState): void {
		if (state !== this.#state) this.#set({...this.#view, state});
	}

	#set(view: CancelView): void {
		this.#view = view;
		for (const listener of [...this.#listeners]) listener();
	}
}

/** What the journal keeps of a cancel before it is signed. */
function intendedOf({target, envelope}: CancelPlan) {
	const {dex, chainId, marketId, index, orderType} = target;
	return {dex, chainId, marketId, index, orderType, transport: envelope.transport};
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

function outcomeOfAnswer({success, data}: PerpExecuteAnswer): CancelOutcome {
	if (data?.processId !== undefined) return {kind: 'running', processId: data.processId};
	const details = data?.executionDetails ?? [];
	const refusal = details.find(({status}) => status === 'failed' || status === 'reverted');
	if (success === false || data?.success === false || refusal) {
		return {kind: 'failed', said: refusal?.status ?? 'the exchange did not execute it'};
	}
	const isExecuted = success === true || data?.success === true || details.length > 0;
	// The listing tells.
	if (!isExecuted) return {kind: 'no-answer', said: 'the answer does not say whether it was executed'};
	const txHash = details.find(detail => detail.txHash)?.txHash;
	return txHash ? {kind: 'executed', txHash} : {kind: 'executed'};
}

function outcomeOfError(error: unknown): CancelOutcome {
	const said = error instanceof PulsetopError ? error.why : 'an internal failure';
	if (error instanceof RateLimited) return {kind: 'refused', status: 429, said};
	if (error instanceof ServiceRefused) return {kind: 'refused', status: error.status, said: error.said};
	if (error instanceof ServiceUnreachable && error.sent === 'no') return {kind: 'not-sent', said};
	return {kind: 'no-answer', said};
}
