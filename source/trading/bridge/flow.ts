import {coinOf} from '../../chains/chains.ts';
import type {ExecuteBody} from '../../contract/bridge.ts';
import {NEUTRAL_PROVIDER} from '../../contract/provider.ts';
import type {TradeTarget} from '../../contract/trade-target.ts';
import {createStore} from '../../store.ts';
import {type Acknowledgement, acknowledgements, notAcknowledged} from '../acknowledge.ts';
import type {TokenInfo} from '../chain-reader.ts';
import {assertChecks, type CheckResult} from '../check.ts';
import {formatUnits, parseUnits, shortUnits} from '../decimal.ts';
import {
	createFlow,
	type FlowParts,
	type FlowStore,
	type FlowView,
	type MoneyFlow,
	NO_REVIEW,
	problemShown,
	type ReviewLine,
} from '../flow.ts';
import type {JournalRecord} from '../journal.ts';
import type {PinRole} from '../known-contracts.ts';
import {sendFailureOf} from '../send-failure.ts';
import type {TradeInput} from '../traded-token.ts';
import type {BridgePlan, BridgeRequest} from './bridge-plan.ts';
import {BRIDGE_CHECKS} from './checks.ts';
import {
	IntentClaimed,
	NotAcknowledged,
	NotConfirmed,
	QuoteWorse,
	TradeClaimed,
	TransferNotNow,
	UnknownPlan,
} from './flow-errors.ts';
import {intendedOf} from './intended.ts';
import {claimIntent, intentsIn, isNews, statusData} from './journal-fold.ts';
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
import {type TradeUnderWay, tradesOf} from './policy.ts';
import {readChainStart} from './proof.ts';
import {requestQuote} from './quoting.ts';
import {assertRecipient} from './recipient.ts';
import {reviewLines} from './review-lines.ts';
import {slippageOf} from './slippage.ts';
import {createStatusReader} from './status.ts';

/** The transfer that a person asks for. */
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
	/** Percent, at most MAX_SLIPPAGE; by default chosen for the traded token. */
	readonly slippage?: number;
	/** The token that is bought or sold: turns the transfer into a trade, with the checks of a trade. */
	readonly trade?: TradeTarget;
	/** See TradeInput. */
	readonly tradeNow?: TradeInput['tradeNow'];
	/** Percent: the worst case of a trade may be no more. */
	readonly maxLoss?: number;
}

/** The view of a transfer, for a screen. */
export interface BridgeView extends FlowView<BridgeState, BridgePlan> {
	readonly quoted?: Quoted;
	/** The words to type besides the amount; empty for plain transfers. */
	readonly acknowledge: readonly Acknowledgement[];
}

/** A view before its first review. */
const UNREVIEWED = {...NO_REVIEW, acknowledge: []} as const;

/** The data to sign and send, without a signature (`--dry-run`). */
export interface DryRun extends UnsignedPlan {
	/** Names the quote: `adopt` takes it. */
	readonly planHash: string;
	readonly checks: readonly CheckResult[];
	readonly lines: readonly ReviewLine[];
}

/** A batch that was signed. */
interface SignedBatch {
	readonly body: ExecuteBody;
	/** Until when it can be executed. */
	readonly deadlineS: number;
}

/** Input of a quote besides its request. */
interface Order {
	readonly trade: TradeInput;
	/** The quote is that of an earlier dry run. */
	readonly isAdopted: boolean;
	/** Percent, as it was chosen; the newest quote may have asked for less. */
	readonly slippage?: number;
	/** The token that arrives, where it could be read. */
	readonly destination?: TokenInfo;
}

/** One bridge transfer from quote to end. It outlives the window that shows it. */
export interface BridgeFlow extends MoneyFlow<BridgeState, BridgeView> {
	/** Asks for a quote and reviews it. */
	quote(input: BridgeInput): Promise<void>;
	/** Reads the account again and runs every check. */
	review(): Promise<void>;
	/** Accepts a contract on first use. @param typed last six characters of its fingerprint */
	accept(role: PinRole, typed: string): Promise<void>;
	/**
	 * @param typed the amount as shown, for a trade also shortUnits; then the words to acknowledge: `25 impact=12`
	 * @param accepted more of that
	 * @throws NotConfirmed, NotAcknowledged
	 */
	confirm(typed: string, accepted?: readonly string[]): void;
	/**
	 * Signs and sends. A trade gets a new quote first, and is signed only within the figures of the review.
	 * @throws QuoteWorse: the view is the review of the new quote then
	 */
	execute(): Promise<void>;
	/** Reads the status once, as it is now. */
	read(): Promise<BridgeState>;
	/** Gives a transfer up before anything was sent, or its retry. */
	cancel(): void;
	/** The data to sign and send; the journal keeps the quote for `adopt`. */
	dryRun(): DryRun;
	/** Takes the quote of an earlier dry run, to be signed as it is. @throws UnknownPlan */
	adopt(planHash: string, trade?: TradeInput): Promise<void>;
	/** Resumes an intent of the journal: its end is only read. */
	resume(intentId: string): void;
}

export function createBridgeFlow(options: BridgeFlowOptions): BridgeFlow {
	const {call, clock, signer, address, chains, caps, journal, provider = NEUTRAL_PROVIDER} = options;
	const store: FlowStore<BridgeView> = createStore<BridgeView>({state: DRAFT, ...UNREVIEWED});
	const reader = createStatusReader(options, store);
	let order: Order = {trade: {}, isAdopted: false};
	/** The words that were typed behind the amount. */
	let typedWords: readonly string[] = [];

	const stateNow = (): BridgeState => store.get().state;
	const notNow = (step: string) => new TransferNotNow(step, stateNow());

	function quotedNow(): Quoted {
		const {quoted} = store.get();
		if (!quoted) throw notNow('this needs a quote');
		return quoted;
	}

	function take(quoted: Quoted, next: Order): void {
		const state = machine.quoted(stateNow(), quoted.quote.intentId);
		if (state === stateNow()) throw notNow('taking a quote');
		order = next;
		typedWords = [];
		store.apply(() => ({state, quoted, ...UNREVIEWED}));
	}

	async function destinationOf({
		destinationChainId: chainId,
		destinationToken: token,
	}: Pick<BridgeRequest, 'destinationChainId' | 'destinationToken'>): Promise<Pick<Order, 'destination'>> {
		if (token === undefined || !chains.knows(chainId)) return {};
		const destination = await chains.tokenInfo(chainId, token).catch(() => undefined);
		return destination ? {destination} : {};
	}

	const planOf = (quoted: Quoted): Promise<BridgePlan> => readPlan({...options, ...order}, quoted, provider);

	/** The plan of a new quote, which keeps to the bounds of the one that was shown. @throws QuoteWorse */
	async function quotedAgain(shown: BridgePlan, assertSigning: () => void): Promise<BridgePlan> {
		const {slippageWithin, whatIsWorse} = tradesOf(options);
		const before = quotedNow();
		let request: BridgeRequest = {
			...before.request,
			...(order.slippage !== undefined && {slippage: order.slippage}),
		};
		let answer = await requestQuote(options, request);
		const tighter = slippageWithin(shown.quote, answer.quote, request.slippage);
		if (tighter !== undefined) {
			// The price has moved a little: the least that was shown is asked for again.
			request = {...request, slippage: tighter};
			answer = await requestQuote(options, request);
		}
		const quoted = {...before, request, ...answer};
		assertSigning();
		store.apply(view => ({...view, state: machine.requoted(view.state, quoted.quote.intentId), quoted}));
		const plan = await planOf(quoted);
		const worse = whatIsWorse(shown, plan);
		if (worse.length === 0) return plan;
		store.apply(view => ({...view, plan}));
		throw new QuoteWorse(worse);
	}

	/** A trade of the same token and side, by another intent. */
	function underWay(records: readonly JournalRecord[], {request, quote}: BridgePlan): TradeUnderWay | undefined {
		return request.trade && tradesOf(options).underWay(records, request.trade, quote.intentId);
	}

	const parts: FlowParts<BridgeState, BridgePlan, BridgeView, SignedBatch, ExecuteOutcome> = {
		machine: {
			checked: (state, isReady) => (isReady ? machine.reviewed(state) : machine.reviewWithdrawn(state)),
			mayReview: state => maySign(state) || !(isEnd(state) || isInFlight(state)),
			signingStarted: machine.signingStarted,
			signingFailed: machine.signingFailed,
			sendingStarted: (state, {deadlineS}) => machine.sendingStarted(state, {deadlineS, nowMs: clock.nowMs()}),
			answered: machine.answered,
			isPending: isInFlight,
			isUnproven: ({phase}) => phase === 'claimed',
			isNothing: machine.movedNothing,
		},
		plan: {
			fresh: () => planOf(quotedNow()),
			async toSign({show, assertSigning}) {
				const {plan: shown, state} = store.get();
				const isNew = shown?.trade !== undefined && state.attempts === 0 && !order.isAdopted;
				const fresh = isNew ? await quotedAgain(shown, assertSigning) : await planOf(quotedNow());
				show(fresh);
				const {checks, acknowledge} = store.get();
				const missing = notAcknowledged(acknowledge, typedWords);
				// Failed checks come first: no word overrides them.
				if (missing.length > 0 && checks.every(({ok}) => ok)) throw new QuoteWorse(missing.map(({why}) => why));
				return fresh;
			},
			/** A trade has its own besides those of every transfer. */
			checksOf: ({request}) => (request.trade ? [...BRIDGE_CHECKS, ...tradesOf(options).checks] : BRIDGE_CHECKS),
			shown: (shown, checks) =>
				shown.trade === undefined
					? {lines: reviewLines(shown, shown.destination?.symbol ?? nativeSymbol(shown)), acknowledge: []}
					: {lines: tradesOf(options).lines(shown, checks), acknowledge: acknowledgements(checks)},
			contractsOf: ({contracts: {executor, target}, request}) => ({
				chainId: request.originChainId,
				contracts: [executor, target],
			}),
		},
		claims: {
			claim(claimed) {
				const {intentId} = claimed.quote;
				const {attempts} = stateNow();
				const {start} = quotedNow();
				const intended = intendedOf(claimed, {attempt: attempts + 1, mode: signer.state.mode, start});
				return claimIntent(
					journal,
					{intentId, attempts, intended},
					records => underWay(records, claimed) !== undefined,
				);
			},
			unclaim({quote: {intentId}}) {
				journal.append('bridge.unsigned', intentId, {});
				// A batch of an earlier attempt stays counted: it can still be executed.
				if (stateNow().attempts === 0) caps.release(intentId);
			},
			releaseLimits({intentId}) {
				if (intentId !== undefined) caps.release(intentId);
			},
			recordAnswer: (outcome, {intentId}) => void journal.append('bridge.answered', intentId!, {...outcome}),
			recordReading(before, after) {
				if (isNews(before, after)) journal.append('bridge.status', after.intentId!, statusData(after));
			},
		},
		wire: {
			async sign(checked) {
				const {batch, authorization} = checked;
				const authorizationList = authorization ? [await signer.signAuthorization(authorization)] : [];
				const {signature} = await signer.signBatch(batch, spendOf(checked, options), provider);
				const body = {...unsignedBodyOf(checked), batchSignature: signature, authorizationList};
				return {body, deadlineS: Number(batch.deadline)};
			},
			async post({body}) {
				const {data} = await call('bridgeExecute', {body});
				if (data.intentId !== body.intentId) return {kind: 'no-answer', said: 'the answer is about another intent'};
				return {kind: 'accepted', depositTxHash: data.depositTxHash};
			},
			failedOutcome: sendFailureOf,
			readState: reader.read,
		},
		words: {
			standing: {unsent: 'Nothing was sent.', again: 'Ask for a new quote.'},
			notNow,
			alreadyClaimed(refused) {
				const other = underWay(journal.records(), refused);
				if (other) return new TradeClaimed(other);
				return new IntentClaimed(
					'This intent is already being sent',
					'another run of pulsetop has taken it; nothing was signed here',
				);
			},
		},
	};
	const flow = createFlow(options, store, parts);

	return {
		get view() {
			return store.get();
		},
		subscribe: flow.subscribe,
		review: flow.review,
		accept: flow.accept,
		read: flow.read,
		watch: flow.watch,
		async quote(input) {
			if (machine.quoted(stateNow(), 'next') === stateNow()) throw notNow('asking for a quote');
			await flow.attempt(async () => {
				const {originChainId, destinationChainId, originToken, destinationToken, tradeNow, maxLoss, trade} = input;
				if (input.recipient !== undefined)
					assertRecipient(input.recipient, destinationChainId, [originToken, destinationToken ?? '']);
				const [{symbol, decimals}, start] = await Promise.all([
					chains.tokenInfo(originChainId, originToken),
					readChainStart(chains, input),
				]);
				const slippage = slippageOf(input);
				const request = {
					originChainId,
					destinationChainId,
					originToken,
					...(destinationToken === undefined ? {} : {destinationToken}),
					amountRaw: parseUnits(input.amount, decimals),
					decimals,
					symbol,
					recipient: input.recipient ?? address,
					slippage,
					...(trade && {trade}),
				};
				const answer = await requestQuote(options, request);
				const wanted = {...(tradeNow && {tradeNow}), ...(maxLoss === undefined ? {} : {maxLoss})};
				const next = {trade: wanted, isAdopted: false, slippage, ...(await destinationOf(request))};
				take({request, ...answer, start}, next);
			});
			await flow.review();
		},
		confirm(typed, accepted = []) {
			const {request} = quotedNow();
			const expected = formatUnits(request.amountRaw, request.decimals);
			const [amount, ...words] = typed.trim().split(/\s+/);
			const areWords = words.every(word => request.trade && word.includes('='));
			const isAmount =
				amount === expected || (request.trade && amount === shortUnits(request.amountRaw, request.decimals));
			if (!isAmount || !areWords) throw new NotConfirmed(expected);
			const given = [...words, ...accepted];
			const missing = notAcknowledged(store.get().acknowledge, given);
			if (missing.length > 0) throw new NotAcknowledged(missing);
			if (!maySign(stateNow())) flow.become(machine.confirmed(stateNow()), 'confirming');
			typedWords = given;
		},
		async execute() {
			try {
				await flow.execute();
			} catch (error) {
				const {plan: shown} = store.get();
				if (error instanceof QuoteWorse && shown) {
					flow.show(shown);
					problemShown(store, error);
				}
				throw error;
			}
		},
		cancel() {
			const before = stateNow();
			const after = machine.cancelled(before);
			if (after === before) throw notNow('cancelling');
			if (before.attempts > 0) parts.claims.recordReading(before, after);
			flow.become(after);
			flow.settle();
		},
		dryRun() {
			const {plan: shown, checks, lines} = store.get();
			if (!shown) throw notNow('showing what would be signed');
			const quoted = quotedNow();
			const planHash = planHashOf(quoted);
			const unsigned = hashable(shown);
			journal.append('bridge.planned', planHash, {quoted: quotedToJson(quoted)});
			return {planHash, ...unsigned, checks, lines};
		},
		async adopt(planHash, trade = {}) {
			const records = journal.records();
			const record = records.findLast(({kind, id}) => kind === 'bridge.planned' && id === planHash);
			if (!record) throw new UnknownPlan();
			const quoted = quotedFromJson(record.data['quoted']);
			if (planHashOf(quoted) !== planHash) throw new UnknownPlan();
			const {intentId} = quoted.quote;
			if (intentsIn(records).some(intent => intent.intentId === intentId))
				throw new UnknownPlan('its intent was sent already');
			// No quote was asked for in this run: any answer gives the service's time, without which nothing counts as fresh.
			await reader.status(stateNow(), intentId, {canHold: false});
			take(quoted, {trade, isAdopted: true, ...(await destinationOf(quoted.request))});
			await flow.review();
		},
		resume(intentId) {
			const known = intentsIn(journal.records(), chains.knows).find(intent => intent.intentId === intentId);
			if (!known || !isInFlight(known.state)) throw new TransferNotNow(`resuming ${intentId}`, known?.state ?? DRAFT);
			store.apply(() => ({state: known.state, ...UNREVIEWED}));
		},
	};
}

/** The data to sign. @throws CheckFailed for a plan that cannot be hashed; a check says why */
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
