import {coinOf} from '../../chains/chains.ts';
import {ServiceRefused} from '../../client/http/service-errors.ts';
import type {BridgeStatusRow, ExecuteBody, Quote} from '../../contract/bridge.ts';
import {NEUTRAL_PROVIDER, type Provider} from '../../contract/provider.ts';
import {batchDigest} from '../../contract/typed-data.ts';
import {PulsetopError} from '../../errors.ts';
import {type Acknowledgement, acknowledgements, notAcknowledged} from '../acknowledge.ts';
import {TYPE_AGAIN} from '../advice.ts';
import type {TokenInfo} from '../chain-reader.ts';
import {assertChecks, type Check, type CheckResult, runChecks} from '../check.ts';
import {formatUnits, parseUnits, shortUnits} from '../decimal.ts';
import {AlreadyClaimed, type FlowView, MoneyFlow, NO_REVIEW, NotNow, type ReadMode, type ReviewLine} from '../flow.ts';
import type {JournalRecord} from '../journal.ts';
import type {PinRole} from '../known-contracts.ts';
import {earlierNowMs} from '../live-signature.ts';
import {sendFailureOf} from '../send-failure.ts';
import type {TradeInput, TradeTarget} from '../traded-token.ts';
import {COIN_DECIMALS, leastRawOf} from './amounts.ts';
import type {BridgePlan, BridgeRequest} from './bridge-plan.ts';
import {depositCall} from './calls.ts';
import {BRIDGE_CHECKS} from './checks.ts';
import {
	claimIntent,
	type IntendedData,
	type IntendedTrade,
	intentsIn,
	isNews,
	type JournaledIntent,
	proofsIn,
	statusData,
} from './journal-fold.ts';
import {feeText} from './loss.ts';
import * as machine from './machine.ts';
import {type BridgeState, DRAFT, type ExecuteOutcome, isEnd, isInFlight, maySign} from './machine.ts';
import {
	type BridgeFlowOptions,
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
import {type TradePolicy, type TradeUnderWay, tradesOf} from './policy.ts';
import {readChainStart, readEvidence, readLate} from './proof.ts';
import {reviewLines} from './review-lines.ts';
import {slippageOf} from './slippage.ts';
import {readingOf} from './status-reading.ts';

/** What was typed to confirm is not the amount. */
export class NotConfirmed extends PulsetopError {
	readonly code = 'not-confirmed';

	constructor(expected: string) {
		super('The transfer was not confirmed', {
			why: `type the amount, ${expected}, to confirm`,
			next: 'fix-input',
			advice: TYPE_AGAIN,
		});
	}
}

/** Something has to be typed besides the amount. */
class NotAcknowledged extends PulsetopError {
	readonly code = 'not-acknowledged';

	constructor(missing: readonly Acknowledgement[]) {
		const words = missing.map(({word}) => word).join(' ');
		super('The trade was not confirmed', {
			why: missing.map(({why}) => why).join('; '),
			next: 'fix-input',
			advice: `Type ${words} behind the amount, or give --accept ${words.replaceAll(' ', ',')}, if you take that on.`,
		});
	}
}

/** The quote that was asked for at the confirmation is worse than the one that was shown: nothing was signed. */
class QuoteWorse extends PulsetopError {
	readonly code = 'quote-worse';

	constructor(worse: readonly string[]) {
		super('The price has moved: look at it again', {
			why: worse.join('; '),
			next: 'requote',
			advice: 'Nothing was signed. Confirm the new quote, or leave it.',
		});
	}
}

/** A step that does not fit the state of the transfer. */
class TransferNotNow extends NotNow {
	readonly code = 'not-now';

	constructor(step: string, state: BridgeState) {
		super(step, {why: `the intent is ${state.phase}`, next: isInFlight(state) ? 'poll-status' : 'requote'});
	}
}

/** Another run of the program has taken the intent: that run signs and sends, this one does neither. */
class IntentClaimed extends AlreadyClaimed {
	readonly code = 'intent-claimed';
}

/** Another trade of the same token and side has begun since the checks ran. */
class TradeClaimed extends AlreadyClaimed {
	readonly code = 'trade-under-way';

	constructor({side, symbol, intentId}: TradeUnderWay) {
		super(`A ${side} of ${symbol} is already under way`, `its intent is ${intentId}; nothing was signed here`);
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
	/** Percent, at most MAX_SLIPPAGE; chosen by what is traded when omitted. */
	readonly slippage?: number;
	/** What is bought or sold: makes the transfer a trade, with the checks of one. */
	readonly trade?: TradeTarget;
	/** See TradeInput. */
	readonly tradeNow?: TradeInput['tradeNow'];
	/** Percent: the worst case of a trade may be no more. */
	readonly maxLoss?: number;
}

/** All of a flow, for a screen to draw. */
export interface BridgeView extends FlowView<BridgeState, BridgePlan> {
	readonly quoted?: Quoted;
	/** What has to be typed besides the amount; empty for plain transfers. */
	readonly acknowledge: readonly Acknowledgement[];
}

/** A view before its first review. */
const UNREVIEWED = {...NO_REVIEW, acknowledge: []} as const;

/** What would be signed and sent, without a signature (issue 3, `--dry-run`). */
export interface DryRun extends UnsignedPlan {
	/** Names the quote: `adopt` takes it. */
	readonly planHash: string;
	readonly checks: readonly CheckResult[];
	readonly lines: readonly ReviewLine[];
}

/** The service has reported progress of the intent by then: an intent that it does not know cannot be in these phases. */
const SEEN: ReadonlySet<BridgeState['phase']> = new Set(['deposited', 'filling', 'retrying', 'progressing', 'claimed']);

/** What was signed, and until when it can be executed. */
interface SignedBatch {
	readonly body: ExecuteBody;
	readonly deadlineS: number;
}

export function createBridgeFlow(options: BridgeFlowOptions): BridgeFlow {
	return new BridgeFlow(options);
}

/** One bridge transfer from quote to end. It outlives the window that shows it. */
export class BridgeFlow extends MoneyFlow<BridgeState, BridgePlan, BridgeView, SignedBatch, ExecuteOutcome> {
	protected readonly signingStarted = machine.signingStarted;
	protected readonly signingFailed = machine.signingFailed;
	protected readonly answered = machine.answered;
	protected readonly isPending = isInFlight;
	protected readonly standing = {unsent: 'Nothing was sent.', again: 'Ask for a new quote.'};
	readonly #options: BridgeFlowOptions;
	readonly #provider: Provider;
	#trade: TradeInput = {};
	/** What was typed besides the amount. */
	#words: readonly string[] = [];
	#isAdopted = false;
	/** Percent, as it was chosen; the newest quote may have asked for less. */
	#slippage: number | undefined;
	#destination: TokenInfo | undefined;
	/** The intent that is read, with what could not be read when it was sent. */
	#late: Pick<JournaledIntent, 'intentId' | 'intended'> | undefined;

	constructor(options: BridgeFlowOptions) {
		super(options, {state: DRAFT, ...UNREVIEWED});
		this.#options = options;
		this.#provider = options.provider ?? NEUTRAL_PROVIDER;
	}

	/** A trade has its own besides those of every transfer. */
	protected get checks(): readonly Check<BridgePlan>[] {
		return this.view.quoted?.request.trade ? [...BRIDGE_CHECKS, ...this.#trades.checks] : BRIDGE_CHECKS;
	}

	/** Asks for a quote and reviews it. */
	async quote(input: BridgeInput): Promise<void> {
		if (machine.quoted(this.state, 'next') === this.state) throw this.notNow('asking for a quote');
		await this.attempt(async () => {
			const {chains, address} = this.options;
			const {originChainId, destinationChainId, originToken, destinationToken, tradeNow, maxLoss} = input;
			const recipient = input.recipient ?? address;
			const [{symbol, decimals}, start] = await Promise.all([
				chains.tokenInfo(originChainId, originToken),
				readChainStart(chains, input),
			]);
			const amountRaw = parseUnits(input.amount, decimals);
			const route = {
				originChainId,
				destinationChainId,
				originToken,
				...(destinationToken === undefined ? {} : {destinationToken}),
			};
			const {trade} = input;
			const slippage = slippageOf(input);
			const request = {...route, amountRaw, decimals, symbol, recipient, slippage, ...(trade && {trade})};
			const answer = await this.#ask(request);
			this.#destination = await this.#destinationInfo(destinationChainId, destinationToken);
			this.#trade = {...(tradeNow && {tradeNow}), ...(maxLoss === undefined ? {} : {maxLoss})};
			this.#isAdopted = false;
			this.#slippage = slippage;
			this.#take({request, ...answer, start});
		});
		await this.review();
	}

	async #ask(request: BridgeRequest): Promise<Pick<Quoted, 'quote' | 'quotedAtMs'>> {
		const {call, clock, address} = this.options;
		const {originChainId, destinationChainId, originToken, destinationToken, slippage} = request;
		const query = {
			originChainId,
			destinationChainId,
			originToken,
			...(destinationToken === undefined ? {} : {destinationToken}),
			walletAddress: request.recipient,
			senderAddress: address,
			amount: formatUnits(request.amountRaw, request.decimals),
			gasless: true,
			...(slippage === undefined ? {} : {slippage}),
		};
		const askedMs = performance.now();
		const {data: quote} = await call('bridgeQuote', {query});
		// A quote that was held back is as old as its question.
		return {quote, quotedAtMs: clock.nowMs() - (performance.now() - askedMs)};
	}

	/** Reads the account again and runs every check. */
	override async review(): Promise<void> {
		if (isEnd(this.state) || (isInFlight(this.state) && !maySign(this.state))) throw this.notNow('reviewing');
		await super.review();
	}

	/** Accepts a contract on first use. @param typed last six characters of its fingerprint */
	accept(role: PinRole, typed: string): Promise<void> {
		return this.acceptContract(role, typed);
	}

	/**
	 * @param typed amount, as shown, for a trade also shortUnits; behind it what has to be acknowledged: `25 impact=12`
	 * @param accepted more of that
	 * @throws NotConfirmed, NotAcknowledged
	 */
	confirm(typed: string, accepted: readonly string[] = []): void {
		const {request} = this.#quoted();
		const expected = formatUnits(request.amountRaw, request.decimals);
		const [amount, ...words] = typed.trim().split(/\s+/);
		const areWords = words.every(word => request.trade && word.includes('='));
		const isAmount =
			amount === expected || (request.trade && amount === shortUnits(request.amountRaw, request.decimals));
		if (!isAmount || !areWords) throw new NotConfirmed(expected);
		const given = [...words, ...accepted];
		const missing = notAcknowledged(this.view.acknowledge, given);
		if (missing.length > 0) throw new NotAcknowledged(missing);
		if (!maySign(this.state)) this.become(machine.confirmed(this.state), 'confirming');
		this.#words = given;
	}

	/**
	 * Signs and sends. A trade is quoted again before, and signed only within what was shown.
	 * @throws QuoteWorse: the view is the review of the new quote then
	 */
	override async execute(): Promise<void> {
		try {
			await super.execute();
		} catch (error) {
			if (error instanceof QuoteWorse && this.view.plan) {
				this.show(this.view.plan);
				this.fail(error);
			}
			throw error;
		}
	}

	/** Reads the status once, as it is now. */
	read(): Promise<BridgeState> {
		return this.readNow();
	}

	/** Gives a transfer up before anything was sent, or its retry. */
	cancel(): void {
		const next = machine.cancelled(this.state);
		if (next === this.state) throw this.notNow('cancelling');
		if (this.state.attempts > 0) this.recordReading(this.state, next);
		this.become(next);
		this.settle();
	}

	/** What would be signed and sent; the journal keeps the quote for `adopt`. */
	dryRun(): DryRun {
		const {plan, checks, lines} = this.view;
		if (!plan) throw this.notNow('showing what would be signed');
		const taken = this.#quoted();
		const planHash = planHashOf(taken);
		const unsigned = hashable(plan);
		this.options.journal.append('bridge.planned', planHash, {quoted: quotedToJson(taken)});
		return {planHash, ...unsigned, checks, lines};
	}

	/** Takes the quote of an earlier dry run, to be signed as it is. @throws UnknownPlan */
	async adopt(planHash: string, trade: TradeInput = {}): Promise<void> {
		const records = this.options.journal.records();
		const record = records.findLast(({kind, id}) => kind === 'bridge.planned' && id === planHash);
		if (!record) throw new UnknownPlan();
		const taken = quotedFromJson(record.data['quoted']);
		if (planHashOf(taken) !== planHash) throw new UnknownPlan();
		const isSent = intentsIn(records).some(({intentId}) => intentId === taken.quote.intentId);
		if (isSent) throw new UnknownPlan('its intent was sent already');
		// No quote was asked for in this run: any answer gives the service's time, without which nothing counts as fresh.
		await this.#status(this.state, taken.quote.intentId, {canHold: false});
		this.#destination = await this.#destinationInfo(taken.request.destinationChainId, taken.request.destinationToken);
		this.#trade = trade;
		this.#isAdopted = true;
		this.#take(taken);
		await this.review();
	}

	/** Resumes an intent of the journal: its end is only read. */
	resume(intentId: string): void {
		const {journal, chains} = this.options;
		const known = intentsIn(journal.records(), chains.knows).find(intent => intent.intentId === intentId);
		if (!known || !isInFlight(known.state)) throw new TransferNotNow(`resuming ${intentId}`, known?.state ?? DRAFT);
		this.set({state: known.state, ...UNREVIEWED});
	}

	get #trades(): TradePolicy {
		return tradesOf(this.#options);
	}

	#quoted(): Quoted {
		if (!this.view.quoted) throw this.notNow('this needs a quote');
		return this.view.quoted;
	}

	#take(taken: Quoted): void {
		const state = machine.quoted(this.state, taken.quote.intentId);
		if (state === this.state) throw this.notNow('taking a quote');
		this.#words = [];
		this.set({state, quoted: taken, ...UNREVIEWED});
	}

	async #destinationInfo(chainId: string, token: string | undefined): Promise<TokenInfo | undefined> {
		const {chains} = this.options;
		if (token === undefined || !chains.knows(chainId)) return undefined;
		return chains.tokenInfo(chainId, token).catch(() => undefined);
	}

	protected checked(state: BridgeState, isReady: boolean): BridgeState {
		return isReady ? machine.reviewed(state) : machine.reviewWithdrawn(state);
	}

	protected freshPlan(): Promise<BridgePlan> {
		return this.#planOf(this.#quoted());
	}

	#planOf(taken: Quoted): Promise<BridgePlan> {
		const destination = this.#destination;
		const sources = {...this.#options, trade: this.#trade, isAdopted: this.#isAdopted};
		return readPlan({...sources, ...(destination && {destination})}, taken, this.#provider);
	}

	protected override async planToSign(): Promise<BridgePlan> {
		const shown = this.view.plan;
		const isNew = shown?.trade !== undefined && this.state.attempts === 0 && !this.#isAdopted;
		const plan = isNew ? await this.#quotedAgain(shown) : await this.freshPlan();
		this.show(plan);
		// What fails a check is said first: no word helps there.
		if (this.view.checks.every(({ok}) => ok)) this.#assertAcknowledged();
		return plan;
	}

	/** The plan of a new quote, which keeps to the bounds of the one that was shown. @throws QuoteWorse */
	async #quotedAgain(shown: BridgePlan): Promise<BridgePlan> {
		const taken = this.#quoted();
		let request: BridgeRequest = {...taken.request, ...(this.#slippage !== undefined && {slippage: this.#slippage})};
		let answer = await this.#ask(request);
		const tighter = this.#trades.slippageWithin(shown.quote, answer.quote, request.slippage);
		if (tighter !== undefined) {
			// The price has moved a little: the least that was shown is asked for again.
			request = {...request, slippage: tighter};
			answer = await this.#ask(request);
		}
		const next = {...taken, request, ...answer};
		this.assertSigning();
		const state = machine.requoted(this.state, next.quote.intentId);
		this.set({...this.view, state, quoted: next});
		const plan = await this.#planOf(next);
		const worse = this.#trades.whatIsWorse(shown, plan);
		if (worse.length === 0) return plan;
		this.set({...this.view, plan});
		throw new QuoteWorse(worse);
	}

	/** @throws QuoteWorse when something has to be typed that was not */
	#assertAcknowledged(): void {
		const missing = notAcknowledged(this.view.acknowledge, this.#words);
		if (missing.length > 0) throw new QuoteWorse(missing.map(({why}) => why));
	}

	protected shown(plan: BridgePlan): Partial<BridgeView> {
		if (plan.trade === undefined) {
			return {lines: reviewLines(plan, this.#destination?.symbol ?? nativeSymbol(plan)), acknowledge: []};
		}
		const checks = runChecks(this.checks, plan);
		return {lines: this.#trades.lines(plan, checks), acknowledge: acknowledgements(checks)};
	}

	protected contractsOf({contracts: {executor, target}, request}: BridgePlan) {
		return {chainId: request.originChainId, contracts: [executor, target]};
	}

	protected claim(plan: BridgePlan): boolean {
		const {intentId} = plan.quote;
		const claim = {intentId, attempts: this.state.attempts, intended: this.#intended(plan)};
		return claimIntent(this.options.journal, claim, records => this.#underWay(records) !== undefined);
	}

	protected unclaim({quote: {intentId}}: BridgePlan): void {
		this.options.journal.append('bridge.unsigned', intentId, {});
		// A batch of an earlier attempt stays counted: it can still be executed.
		if (this.state.attempts === 0) this.options.caps.release(intentId);
	}

	#intended({request, batch, authorization, quote}: BridgePlan): IntendedData {
		const {trade, ...transfer} = request;
		const {amountRaw, destinationToken} = transfer;
		const target = depositCall({batch})?.to;
		const decimals = destinationToken === undefined ? COIN_DECIMALS : this.#destination?.decimals;
		const leastRaw = leastRawOf(quote.minAmountOut, decimals);
		return {
			...transfer,
			amountRaw: String(amountRaw),
			authority: batch.authority,
			attempt: this.state.attempts + 1,
			deadlineS: Number(batch.deadline),
			delegates: authorization !== undefined,
			digest: batchDigest(batch, this.#provider),
			mode: this.options.signer.state.mode,
			...this.#quoted().start,
			...(target === undefined ? {} : {target}),
			leastOut: quote.minAmountOut,
			...(leastRaw === undefined ? {} : {leastRaw: String(leastRaw)}),
			...(decimals === undefined ? {} : {destinationDecimals: decimals}),
			...(trade && {trade: intendedTrade(trade, quote)}),
		};
	}

	protected async sign(plan: BridgePlan): Promise<SignedBatch> {
		const {signer} = this.options;
		const {batch, authorization} = plan;
		const authorizationList = authorization ? [await signer.signAuthorization(authorization)] : [];
		const {signature} = await signer.signBatch(batch, spendOf(plan, this.#options), this.#provider);
		const body = {...unsignedBodyOf(plan), batchSignature: signature, authorizationList};
		return {body, deadlineS: Number(batch.deadline)};
	}

	protected sendingStarted(state: BridgeState, {deadlineS}: SignedBatch): BridgeState {
		return machine.sendingStarted(state, {deadlineS, nowMs: this.options.clock.nowMs()});
	}

	protected async post({body}: SignedBatch): Promise<ExecuteOutcome> {
		const {data} = await this.options.call('bridgeExecute', {body});
		if (data.intentId !== body.intentId) return {kind: 'no-answer', said: 'the answer is about another intent'};
		return {kind: 'accepted', depositTxHash: data.depositTxHash};
	}

	protected readonly failedOutcome = sendFailureOf;

	protected recordAnswer(outcome: ExecuteOutcome, {intentId}: BridgeState): void {
		this.options.journal.append('bridge.answered', intentId!, {...outcome});
	}

	/** What the service says and what the chains show. @throws what the service's answer threw, when the chains show no news */
	protected async readState(state: BridgeState, mode: ReadMode): Promise<BridgeState> {
		const {chains, pins, clock, journal} = this.options;
		const intentId = state.intentId!;
		let failure: unknown;
		const row = await this.#status(state, intentId, mode).catch((error: unknown) => {
			failure = error;
			return undefined;
		});
		if (mode.signal?.aborted || (failure !== undefined && !(failure instanceof PulsetopError))) throw failure;
		const reading = row && readingOf(row);
		const records = journal.records();
		const intended = await this.#known(intentsIn(records).find(intent => intent.intentId === intentId)!);
		const {depositTxHash = state.depositTxHash, fillTxHash = state.fillTxHash} = reading ?? {};
		const named = {...state, ...(depositTxHash && {depositTxHash}), ...(fillTxHash && {fillTxHash})};
		const taken = proofsIn(records, intentId);
		const sources = {chains, pins, taken};
		const now = {status: reading?.status, nowMs: earlierNowMs(clock)};
		const evidence = await readEvidence(sources, {intentId, intended, state: named}, now);
		const after = machine.statusRead(state, {...reading, nowMs: now.nowMs, evidence});
		if (failure === undefined) this.forgetProblem();
		else if (isNews(state, after)) this.fail(failure);
		else throw failure;
		return after;
	}

	/** The data of an intent in the journal, completed by data that could not be read when it was sent. */
	async #known({intentId, intended, atMs}: JournaledIntent): Promise<IntendedData> {
		if (this.#late?.intentId !== intentId) this.#late = {intentId, intended};
		const {originBlock, destinationBlock, leastRaw} = this.#late.intended;
		const isWhole = [originBlock, destinationBlock, leastRaw].every(part => part !== undefined);
		if (!isWhole) this.#late = {intentId, intended: await readLate(this.options.chains, this.#late.intended, atMs)};
		return this.#late.intended;
	}

	/**
	 * The status as the service reports it. For an intent that it does not know a service answers `pending` (contract gaps 4.4) or 404;
	 * and a service may have no `wait`.
	 */
	async #status(state: BridgeState, intentId: string, {signal, canHold}: ReadMode): Promise<BridgeStatusRow> {
		const endpoint = canHold ? 'bridgeStatusWait' : 'bridgeStatus';
		try {
			const {data} = await this.options.call(endpoint, {params: {intentId}}, signal ? {signal} : {});
			return data;
		} catch (error) {
			if (!(error instanceof ServiceRefused) || error.status !== 404) throw error;
			if (canHold) return this.#status(state, intentId, {canHold: false, ...(signal && {signal})});
			if (SEEN.has(state.phase)) throw error;
			return {status: 'pending'};
		}
	}

	protected recordReading(before: BridgeState, after: BridgeState): void {
		if (isNews(before, after)) this.options.journal.append('bridge.status', after.intentId!, statusData(after));
	}

	protected isUnproven({phase}: BridgeState): boolean {
		return phase === 'claimed';
	}

	protected readonly isNothing = machine.movedNothing;

	protected releaseLimits(): void {
		const {intentId} = this.state;
		if (intentId !== undefined) this.options.caps.release(intentId);
	}

	protected notNow(step: string): NotNow {
		return new TransferNotNow(step, this.state);
	}

	/** A trade of the same token and side, by another intent. */
	#underWay(records: readonly JournalRecord[]): TradeUnderWay | undefined {
		const {request, quote} = this.#quoted();
		return request.trade && this.#trades.underWay(records, request.trade, quote.intentId);
	}

	protected alreadyClaimed(): AlreadyClaimed {
		const other = this.#underWay(this.options.journal.records());
		if (other) return new TradeClaimed(other);
		return new IntentClaimed(
			'This intent is already being sent',
			'another run of pulsetop has taken it; nothing was signed here',
		);
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

/** What positions need of a trade. */
function intendedTrade({side, chainId, address, symbol, decimals, priceUSD}: TradeTarget, quote: Quote): IntendedTrade {
	const feeUSD = feeText(quote);
	return {
		side,
		chainId,
		token: address.toLowerCase(),
		symbol,
		...(decimals === undefined ? {} : {decimals}),
		...(priceUSD === undefined ? {} : {priceUSD}),
		...(feeUSD === undefined ? {} : {feeUSD}),
	};
}

/** Without a token the destination's own coin arrives. */
function nativeSymbol({request}: BridgePlan): string | undefined {
	return request.destinationToken === undefined ? coinOf(request.destinationChainId) : undefined;
}
