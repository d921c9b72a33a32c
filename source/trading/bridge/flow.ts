import {setTimeout as sleep} from 'node:timers/promises';
import {pollDelayMs} from '../../client/http/backoff.ts';
import type {Call} from '../../client/http/call.ts';
import {ServiceRefused} from '../../client/http/service-errors.ts';
import type {BridgeStatusRow, ExecuteBody} from '../../contract/bridge.ts';
import {NEUTRAL_PROVIDER, type Provider} from '../../contract/provider.ts';
import {batchDigest} from '../../contract/typed-data.ts';
import {type Explanation, explain, PulsetopError} from '../../errors.ts';
import {TYPE_AGAIN} from '../advice.ts';
import type {TokenInfo} from '../chain-reader.ts';
import {coinOf} from '../chains.ts';
import {assertChecks, type CheckResult, runChecks} from '../check.ts';
import {isContract} from '../contract-code.ts';
import {formatUnits, parseUnits} from '../decimal.ts';
import type {Journal} from '../journal.ts';
import {earlierNowMs} from '../live-signature.ts';
import type {NewContract, PinRole} from '../pins.ts';
import type {Signer} from '../signer.ts';
import {COIN_DECIMALS, leastRawOf} from './amounts.ts';
import {BRIDGE_CHECKS, type BridgePlan, depositCall} from './checks.ts';
import {
	claimIntent,
	type IntendedData,
	intentsIn,
	isNews,
	type JournaledIntent,
	proofsIn,
	statusData,
} from './journal-fold.ts';
import {
	answered,
	type BridgeState,
	cancelled,
	confirmed,
	DRAFT,
	type ExecuteOutcome,
	isEnd,
	isInFlight,
	maySign,
	quoted,
	reviewed,
	reviewWithdrawn,
	sendingStarted,
	signingFailed,
	signingStarted,
	statusRead,
} from './machine.ts';
import {outcomeOf, readingOf} from './outcome.ts';
import {
	contractsToAccept,
	type PlanSources,
	planHashOf,
	type Quoted,
	quotedFromJson,
	quotedToJson,
	readPlan,
	spendOf,
	type UnsignedPlan,
	unsignedBodyOf,
	unsignedPlanOf,
} from './plan.ts';
import {readChainStart, readEvidence, readLate} from './proof.ts';
import {type ReviewLine, reviewLines} from './words.ts';

/** What was typed to confirm is not the amount. */
export class NotConfirmed extends PulsetopError {
	readonly code = 'not-confirmed';

	constructor(wanted: string) {
		super('The transfer was not confirmed', {
			why: `type the amount, ${wanted}, to confirm`,
			next: 'fix-input',
			advice: TYPE_AGAIN,
		});
	}
}

/** A step that cannot be taken in the state that the intent is in. */
class NotNow extends PulsetopError {
	readonly code = 'not-now';

	constructor(what: string, state: BridgeState) {
		const next = isInFlight(state) ? 'poll-status' : 'requote';
		super(`This cannot be done now: ${what}`, {why: `the intent is ${state.phase}`, next});
	}
}

/** Another run of the program has taken the intent: it signs and sends it, this one does neither. */
class IntentClaimed extends PulsetopError {
	readonly code = 'intent-claimed';

	constructor() {
		super('This intent is already being sent', {
			why: 'another run of pulsetop has taken it; nothing was signed here',
			next: 'poll-status',
		});
	}
}

/** A plan that no dry run has left, or that may not be used again. */
class UnknownPlan extends PulsetopError {
	readonly code = 'unknown-plan';

	constructor(why = 'no dry run has left this hash') {
		super('There is no such plan to execute', {why, next: 'requote'});
	}
}

/** What a person asks for. */
export interface BridgeInput {
	readonly originChainId: string;
	readonly originToken: string;
	/** Decimal text, in units of the token. */
	readonly amount: string;
	readonly destinationChainId: string;
	/** Undefined: the destination's own coin. */
	readonly destinationToken?: string;
	/** The wallet itself when omitted. */
	readonly recipient?: string;
}

export interface BridgeFlowOptions extends PlanSources {
	readonly call: Call;
	readonly signer: Signer;
	readonly journal: Journal;
	readonly provider?: Provider;
	/** Between two readings of the status when /wait does not hold. */
	readonly pollMs?: number;
}

/** All of a flow, for a screen to draw. */
export interface BridgeView {
	readonly state: BridgeState;
	readonly quoted?: Quoted;
	readonly plan?: BridgePlan;
	readonly checks: readonly CheckResult[];
	readonly lines: readonly ReviewLine[];
	/** What is to be accepted before the checks can pass: contracts that are met for the first time. */
	readonly toAccept: readonly NewContract[];
	/** The last failure, in words. */
	readonly problem?: Explanation;
}

/** What would be signed and sent, without a signature (issue 3, `--dry-run`). */
export interface DryRun extends UnsignedPlan {
	/** Names the quote: `adopt` takes it. */
	readonly planHash: string;
	readonly checks: readonly CheckResult[];
	readonly lines: readonly ReviewLine[];
}

/** One bridge transfer from quote to end. It outlives the modal that shows it. */
export interface BridgeFlow {
	readonly view: BridgeView;
	subscribe(listener: () => void): () => void;
	/** Asks for a quote and reviews it. */
	quote(input: BridgeInput): Promise<void>;
	/** Reads the account anew and runs every check. */
	review(): Promise<void>;
	/** Accepts a contract that is met for the first time. @param typed the last six characters of its fingerprint */
	accept(role: PinRole, typed: string): Promise<void>;
	/** @param typed the amount, as shown. @throws NotConfirmed, CheckFailed */
	confirm(typed: string): void;
	/** Signs and sends; returns when the service answered. From then on `watch` reads the status. */
	execute(): Promise<void>;
	/** Reads the status until the end, until the signal, or until nothing answered for `silentMs` (for ever, by default). */
	watch(signal?: AbortSignal, silentMs?: number): Promise<BridgeState>;
	/** Reads the status once, as it is now. */
	read(): Promise<BridgeState>;
	cancel(): void;
	dryRun(): DryRun;
	/** Takes the quote of an earlier dry run. */
	adopt(planHash: string): Promise<void>;
	/** Takes up an intent of the journal: it is only read. */
	resume(intentId: string): void;
}

const POLL_MS = 1000;
const MAX_BACKOFF_MS = 15_000;

type StatusEndpoint = 'bridgeStatus' | 'bridgeStatusWait';
/** The service has told something of the intent by then: it cannot be one that it does not know. */
const SEEN: ReadonlySet<BridgeState['phase']> = new Set(['deposited', 'filling', 'retrying', 'progressing', 'claimed']);

export function createBridgeFlow(options: BridgeFlowOptions): BridgeFlow {
	return new Flow(options);
}

class Flow implements BridgeFlow {
	readonly #options: BridgeFlowOptions;
	readonly #provider: Provider;
	readonly #listeners = new Set<() => void>();
	#view: BridgeView = {state: DRAFT, checks: [], lines: [], toAccept: []};
	#destination: TokenInfo | undefined;
	#late: Pick<JournaledIntent, 'intentId' | 'intended'> | undefined;

	constructor(options: BridgeFlowOptions) {
		this.#options = options;
		this.#provider = options.provider ?? NEUTRAL_PROVIDER;
	}

	get view(): BridgeView {
		return this.#view;
	}

	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	async quote(input: BridgeInput): Promise<void> {
		if (quoted(this.#state, 'next') === this.#state) throw new NotNow('asking for a quote', this.#state);
		await this.#attempt(async () => {
			const {call, clock, chains, address} = this.#options;
			const {originChainId, destinationChainId, originToken, destinationToken} = input;
			const recipient = input.recipient ?? address;
			const [info, start] = await Promise.all([
				chains.tokenInfo(originChainId, originToken),
				readChainStart(chains, input),
			]);
			const amountRaw = parseUnits(input.amount, info.decimals);
			const {data} = await call('bridgeQuote', {
				query: {
					originChainId,
					destinationChainId,
					walletAddress: recipient,
					senderAddress: address,
					originToken,
					...(destinationToken === undefined ? {} : {destinationToken}),
					amount: formatUnits(amountRaw, info.decimals),
					gasless: true,
				},
			});
			this.#destination = await this.#destinationInfo(destinationChainId, destinationToken);
			const request = {
				originChainId,
				destinationChainId,
				originToken,
				...(destinationToken === undefined ? {} : {destinationToken}),
				amountRaw,
				decimals: info.decimals,
				symbol: info.symbol,
				recipient,
			};
			this.#take({request, quote: data, quotedAtMs: clock.nowMs(), start});
		});
		await this.review();
	}

	async review(): Promise<void> {
		if (isEnd(this.#state) || (isInFlight(this.#state) && !maySign(this.#state)))
			throw new NotNow('reviewing', this.#state);
		await this.#attempt(async () => {
			const plan = await this.#plan();
			this.#show(plan);
			const isReady = this.#view.checks.every(check => check.ok);
			this.#become(isReady ? reviewed(this.#state) : reviewWithdrawn(this.#state));
		});
	}

	async accept(role: PinRole, typed: string): Promise<void> {
		const {contracts} = this.#view.plan ?? {};
		const found = contracts && [contracts.executor, contracts.target].find(other => other.role === role)?.found;
		const isNew = this.#view.toAccept.some(other => other.role === role);
		if (!isNew || !found || !isContract(found)) throw new NotNow(`accepting a ${role}`, this.#state);
		const {pins, journal} = this.#options;
		const {originChainId} = this.#quoted().request;
		pins.accept(originChainId, role, found, typed);
		journal.append('pin.accepted', originChainId, {role, address: found.address, codeHash: found.hash});
		await this.review();
	}

	confirm(typed: string): void {
		const {request} = this.#quoted();
		const wanted = formatUnits(request.amountRaw, request.decimals);
		if (typed.trim() !== wanted) throw new NotConfirmed(wanted);
		const next = confirmed(this.#state);
		if (next === this.#state && !maySign(next)) throw new NotNow('confirming', this.#state);
		this.#become(next);
	}

	async execute(): Promise<void> {
		if (!maySign(this.#state)) throw new NotNow('signing', this.#state);
		this.#become(signingStarted(this.#state));
		const {journal, clock} = this.#options;
		const {attempts} = this.#state;
		const {intentId} = this.#quoted().quote;
		let isClaimed = false;
		let prepared: {body: ExecuteBody; intended: IntendedData};
		try {
			const {plan, intended} = await this.#prepare();
			// The person may have gone back meanwhile.
			this.#assertSigning();
			// From here on the batch may reach the service: the journal knows it before the wallet signs it.
			if (!claimIntent(journal, intentId, attempts, intended)) throw new IntentClaimed();
			isClaimed = true;
			prepared = {body: await this.#sign(plan), intended};
			this.#assertSigning();
		} catch (error) {
			if (isClaimed) journal.append('bridge.unsigned', intentId, {});
			this.#become(signingFailed(this.#state));
			// Without a claim nothing was counted here: what another run counts for the same intent stays.
			if (isClaimed && attempts === 0) this.#options.caps.release(intentId);
			this.#fail(error);
			throw error;
		}
		this.#become(sendingStarted(this.#state, {deadlineS: prepared.intended.deadlineS, nowMs: clock.nowMs()}));
		const outcome = await this.#post(prepared.body);
		this.#become(answered(this.#state, outcome));
		// Without this line a new start only reads, which is safe.
		journal.append('bridge.answered', intentId, {...outcome});
		this.#settle();
	}

	async watch(signal?: AbortSignal, silentMs = Number.POSITIVE_INFINITY): Promise<BridgeState> {
		let quiet = 0;
		let newsMs = performance.now();
		while (isInFlight(this.#state) && signal?.aborted !== true && performance.now() - newsMs < silentMs) {
			try {
				await this.#read('bridgeStatusWait', signal);
				// What the service claims and no chain shows is waited for as long as a service that does not answer.
				const isOpenClaim = this.#state.phase === 'claimed';
				quiet = isOpenClaim ? quiet + 1 : 0;
				if (!isOpenClaim) newsMs = performance.now();
			} catch (error) {
				if (signal?.aborted) break;
				if (!(error instanceof PulsetopError)) throw error;
				quiet++;
				this.#fail(error);
			}
			if (!isInFlight(this.#state)) break;
			const {pollMs = POLL_MS} = this.#options;
			await sleep(pollDelayMs(pollMs, quiet, MAX_BACKOFF_MS), undefined, signal ? {signal} : {}).catch(() => {});
		}
		this.#settle();
		return this.#state;
	}

	async read(): Promise<BridgeState> {
		if (isInFlight(this.#state)) await this.#attempt(() => this.#read('bridgeStatus'));
		this.#settle();
		return this.#state;
	}

	cancel(): void {
		const next = cancelled(this.#state);
		if (next === this.#state) throw new NotNow('cancelling', this.#state);
		if (this.#state.attempts > 0)
			this.#options.journal.append('bridge.status', this.#state.intentId!, statusData(next));
		this.#become(next);
		this.#settle();
	}

	dryRun(): DryRun {
		const {plan, checks, lines} = this.#view;
		if (!plan) throw new NotNow('showing what would be signed', this.#state);
		const taken = this.#quoted();
		const planHash = planHashOf(taken);
		const unsigned = hashable(plan);
		this.#options.journal.append('bridge.planned', planHash, {quoted: quotedToJson(taken)});
		return {planHash, ...unsigned, checks, lines};
	}

	async adopt(planHash: string): Promise<void> {
		const record = this.#options.journal.records().findLast(r => r.kind === 'bridge.planned' && r.id === planHash);
		if (!record) throw new UnknownPlan();
		const taken = quotedFromJson(record.data['quoted']);
		if (planHashOf(taken) !== planHash) throw new UnknownPlan();
		const sent = intentsIn(this.#options.journal.records()).some(({intentId}) => intentId === taken.quote.intentId);
		if (sent) throw new UnknownPlan('its intent was sent already');
		// No quote was asked for in this run: any answer tells the service's time, without which nothing is called fresh.
		await this.#row('bridgeStatus', taken.quote.intentId);
		this.#destination = await this.#destinationInfo(taken.request.destinationChainId, taken.request.destinationToken);
		this.#take(taken);
		await this.review();
	}

	resume(intentId: string): void {
		const {journal, chains} = this.#options;
		const known = intentsIn(journal.records(), chains.knows).find(intent => intent.intentId === intentId);
		if (!known || !isInFlight(known.state)) throw new NotNow(`resuming ${intentId}`, known?.state ?? DRAFT);
		this.#set({state: known.state, checks: [], lines: [], toAccept: []});
	}

	get #state(): BridgeState {
		return this.#view.state;
	}

	#quoted(): Quoted {
		if (!this.#view.quoted) throw new NotNow('this needs a quote', this.#state);
		return this.#view.quoted;
	}

	#take(taken: Quoted): void {
		const next = quoted(this.#state, taken.quote.intentId);
		if (next === this.#state) throw new NotNow('taking a quote', this.#state);
		this.#set({state: next, quoted: taken, checks: [], lines: [], toAccept: []});
	}

	async #destinationInfo(chainId: string, token: string | undefined): Promise<TokenInfo | undefined> {
		const {chains} = this.#options;
		if (token === undefined || !chains.knows(chainId)) return undefined;
		return chains.tokenInfo(chainId, token).catch(() => undefined);
	}

	#plan(): Promise<BridgePlan> {
		const destination = this.#destination;
		return readPlan({...this.#options, ...(destination && {destination})}, this.#quoted(), this.#provider);
	}

	#show(plan: BridgePlan): void {
		const checks = runChecks(BRIDGE_CHECKS, plan);
		const lines = reviewLines(plan, this.#destination?.symbol ?? nativeSymbol(plan));
		const {problem: _, ...view} = this.#view;
		this.#set({...view, plan, checks, lines, toAccept: contractsToAccept(plan)});
	}

	#assertSigning(): void {
		if (this.#state.phase !== 'signing') throw new NotNow('sending', this.#state);
	}

	/** A fresh plan and every check: what would be signed now, and what the journal keeps of it. */
	async #prepare(): Promise<{plan: BridgePlan; intended: IntendedData}> {
		const plan = await this.#plan();
		this.#show(plan);
		assertChecks(BRIDGE_CHECKS, plan);
		return {plan, intended: this.#intended(plan)};
	}

	#intended({request, batch, authorization, quote}: BridgePlan): IntendedData {
		const {amountRaw, ...rest} = request;
		const target = depositCall({batch})?.to;
		const leastRaw = leastRawOf(quote.minAmountOut, this.#destinationDecimals(request));
		return {
			...rest,
			amountRaw: String(amountRaw),
			authority: batch.authority,
			attempt: this.#state.attempts + 1,
			deadlineS: Number(batch.deadline),
			delegates: authorization !== undefined,
			digest: batchDigest(batch, this.#provider),
			mode: this.#options.signer.state.mode,
			...this.#quoted().start,
			...(target === undefined ? {} : {target}),
			leastOut: quote.minAmountOut,
			...(leastRaw === undefined ? {} : {leastRaw: String(leastRaw)}),
		};
	}

	#destinationDecimals({destinationToken}: BridgePlan['request']): number | undefined {
		return destinationToken === undefined ? COIN_DECIMALS : this.#destination?.decimals;
	}

	async #sign(plan: BridgePlan): Promise<ExecuteBody> {
		const {signer} = this.#options;
		const {request, batch, authorization, quote} = plan;
		const authorizationList = authorization ? [await signer.signAuthorization(authorization)] : [];
		const {signature} = await signer.signBatch(batch, spendOf(request, quote.intentId), this.#provider);
		return {...unsignedBodyOf(plan), batchSignature: signature, authorizationList};
	}

	async #post(body: ExecuteBody): Promise<ExecuteOutcome> {
		try {
			const {data} = await this.#options.call('bridgeExecute', {body});
			if (data.intentId !== body.intentId) return {kind: 'no-answer', said: 'the answer is about another intent'};
			return {kind: 'accepted', depositTxHash: data.depositTxHash};
		} catch (error) {
			this.#fail(error);
			return outcomeOf(error);
		}
	}

	/** Reads what the service says and what the chains show. @throws what the service's answer threw, when no chain shows news */
	async #read(endpoint: StatusEndpoint, signal?: AbortSignal): Promise<void> {
		const {chains, clock, journal} = this.#options;
		const intentId = this.#state.intentId!;
		let failure: unknown;
		const row = await this.#row(endpoint, intentId, signal).catch((error: unknown) => {
			failure = error;
			return undefined;
		});
		if (signal?.aborted || (failure !== undefined && !(failure instanceof PulsetopError))) throw failure;
		const reading = row === undefined ? {} : readingOf(row);
		const records = journal.records();
		const intended = await this.#known(intentsIn(records).find(intent => intent.intentId === intentId)!);
		const {depositTxHash, fillTxHash, status} = reading as Partial<ReturnType<typeof readingOf>>;
		const named = {
			...this.#state,
			...(depositTxHash === undefined ? {} : {depositTxHash}),
			...(fillTxHash === undefined ? {} : {fillTxHash}),
		};
		const taken = proofsIn(records, intentId);
		const evidence = await readEvidence({chains, taken}, {intentId, intended, state: named}, status);
		const before = this.#state;
		const after = statusRead(before, {...reading, nowMs: earlierNowMs(clock), evidence});
		// On the disk before anybody sees it: what was once known to have ended stays so.
		if (isNews(before, after)) journal.append('bridge.status', intentId, statusData(after));
		const {problem: _, ...view} = this.#view;
		this.#set({...view, state: after, ...(failure === undefined ? {} : {problem: explain(failure)})});
		if (failure !== undefined && !isNews(before, after)) throw failure;
	}

	/** What is known of an intent, with what could not be read when it was sent. */
	async #known({intentId, intended, atMs}: JournaledIntent): Promise<IntendedData> {
		if (this.#late?.intentId !== intentId) this.#late = {intentId, intended};
		const {originBlock, destinationBlock, leastRaw} = this.#late.intended;
		const isWhole = [originBlock, destinationBlock, leastRaw].every(part => part !== undefined);
		if (!isWhole) this.#late = {intentId, intended: await readLate(this.#options.chains, this.#late.intended, atMs)};
		return this.#late.intended;
	}

	/**
	 * The status as it is told. Of an intent that it does not know a service says `pending` (contract gaps 4.4), or, as the web
	 * does, 404; and it may have no `wait`.
	 */
	async #row(endpoint: StatusEndpoint, intentId: string, signal?: AbortSignal): Promise<BridgeStatusRow> {
		try {
			const {data} = await this.#options.call(endpoint, {params: {intentId}}, signal ? {signal} : {});
			return data;
		} catch (error) {
			if (!(error instanceof ServiceRefused) || error.status !== 404) throw error;
			if (endpoint === 'bridgeStatusWait') return this.#row('bridgeStatus', intentId, signal);
			if (SEEN.has(this.#state.phase)) throw error;
			return {status: 'pending'};
		}
	}

	/** Gives back what was counted against the limits, where certainly nothing moved. */
	#settle(): void {
		const {phase, intentId, liveUntilS, leftTxHash} = this.#state;
		const isUnsent = (phase === 'cancelled' || phase === 'retryable') && liveUntilS === undefined;
		const isDead = phase === 'refused' || phase === 'lapsed' || (phase === 'failed' && leftTxHash === undefined);
		const isNothing = isDead || isUnsent;
		if (isNothing && intentId !== undefined) this.#options.caps.release(intentId);
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

	#become(state: BridgeState): void {
		if (state !== this.#state) this.#set({...this.#view, state});
	}

	#set(view: BridgeView): void {
		this.#view = view;
		for (const listener of [...this.#listeners]) listener();
	}
}

/** What would be signed. @throws CheckFailed for a plan that cannot even be hashed: a check says why */
function hashable(plan: BridgePlan): UnsignedPlan {
	try {
		return unsignedPlanOf(plan);
	} catch (error) {
		assertChecks(BRIDGE_CHECKS, plan);
		throw error;
	}
}

/** Without a token the destination's own coin arrives. */
function nativeSymbol({request}: BridgePlan): string | undefined {
	return request.destinationToken === undefined ? coinOf(request.destinationChainId) : undefined;
}
