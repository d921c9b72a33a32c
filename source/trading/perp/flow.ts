import {randomInt} from 'node:crypto';
import {coinOf, evmChainNumber} from '../../chains/chains.ts';
import {ServiceRefused} from '../../client/http/service-errors.ts';
import {type Envelope, PERP_REFUSALS, type PerpExecuteBody, type PerpExecuteResponse} from '../../contract/perp.ts';
import {dexToWire, NEUTRAL_PROVIDER, type Provider} from '../../contract/provider.ts';
import {perpPayloadText} from '../../contract/typed-data.ts';
import {PulsetopError} from '../../errors.ts';
import {createStore} from '../../store.ts';
import {isKnown, readReceipt} from '../chain-proof.ts';
import {ChainUnread} from '../chain-reader.ts';
import {assertChecks, type CheckResult, runChecks} from '../check.ts';
import {CLOCK_CHECK, readClock} from '../checks.ts';
import {
	AlreadyClaimed,
	createFlow,
	type FlowOptions,
	type FlowParts,
	type FlowStore,
	type FlowView,
	type MoneyFlow,
	NO_REVIEW,
	NotNow,
	type ReadMode,
	whyNot,
} from '../flow.ts';
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
import {type CancelListing, type CancelTarget, isListed, readListings, type UnreadOrder} from './orders.ts';
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
	/** The orders that can be cancelled; undefined before the first listing. */
	readonly targets?: readonly CancelTarget[];
	/** The listed ones that can't be. */
	readonly unread?: readonly UnreadOrder[];
	/** Both signatures (and the transaction), as they are made. */
	readonly signed: readonly SignedText[];
}

/** The request for a payload, without its signature, and the checks that are possible before there is one. */
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

/** A cancel that was signed. */
interface SignedCancel {
	/** The message to the service. */
	readonly body: PerpExecuteBody;
	/** The transaction in it, for an exchange with a contract. */
	readonly transaction?: OwnTransaction;
}

/** The cancel of one order after another. */
export interface CancelFlow extends MoneyFlow<CancelState, CancelView> {
	/** Reads the orders that can be cancelled. */
	list(): Promise<readonly CancelTarget[]>;
	/** Signs the request for a payload, gets the payload, opens and checks it. Another execute needs another payload. */
	build(target: CancelTarget): Promise<void>;
	/** Gets another payload in place of one that is too old, for the order as it is listed now. @throws OrderGone */
	rebuild(): Promise<void>;
	/** Accepts the contract of the exchange on first use. @param typed last six characters of its fingerprint */
	accept(typed: string): Promise<void>;
	/** Reads once whether the end is known. */
	read(): Promise<CancelState>;
	/** Goes back to the choice of an order. */
	dismiss(): void;
	/**
	 * The request that `build` would sign and send for a payload; nothing is signed.
	 * @param options.accepts whether the contract of the exchange is accepted with the execution, where it is new
	 * @throws ChainUnread
	 */
	dryRun(target: CancelTarget, options: {readonly accepts: boolean}): Promise<CancelDryRun>;
	/** Resumes a cancel of the journal: its end is only read. */
	resume(key: string): void;
}

export function createCancelFlow(options: FlowOptions): CancelFlow {
	const {call, clock, signer, address, chains, caps, pins, journal} = options;
	const {provider = NEUTRAL_PROVIDER, requiresSimulation = false} = options;
	const store: FlowStore<CancelView> = createStore<CancelView>({state: CHOOSING, ...NO_REVIEW, signed: []});
	const signTimestamp = createTimestamps(clock);
	let before: machine.AttemptsBefore = {};

	const stateNow = (): CancelState => store.get().state;
	const notNow = (step: string) =>
		new CancelNotNow(step, {why: whyNot(store.get(), `the cancel is ${stateNow().phase}`), next: 'poll-status'});

	/** The view that stays when another order is chosen. */
	function cleared(state: CancelState): CancelView {
		const {targets, unread} = store.get();
		return {state, ...NO_REVIEW, signed: [], ...(targets && unread && {targets, unread})};
	}

	async function listings(): Promise<CancelListing> {
		const query = {wallet: address, limit: MAX_PAGE_ROWS};
		const [unfilled, open] = await Promise.all([
			allRows(page => call('perpUnfilled', {query: {...query, ...page}})),
			allRows(page => call('perpOpen', {query: {...query, ...page}})),
		]);
		const listing = readListings(unfilled.rows, open.rows, provider, unfilled.isWhole && open.isWhole);
		const {targets, unread} = listing;
		store.apply(view => ({...view, targets, unread}));
		return listing;
	}
	const list = async () => (await listings()).targets;

	/**
	 * The payload for a cancel. The signature is over the action and the millisecond alone (spec 5): another run of the
	 * program that cancels with the same account may have used it, and then another millisecond is signed.
	 */
	async function payloadOf(target: CancelTarget): Promise<{readonly envelope: Envelope; readonly text: string}> {
		for (let attempt = 1; ; attempt++) {
			const timestampMs = signTimestamp.next();
			const {signature, text} = await signer.signPersonal({kind: 'perp-payload', action: 'cancel-order', timestampMs});
			const body = {...requestFor(target, timestampMs, provider), signature};
			try {
				const {data: envelope} = await call('perpCancelOrder', {body});
				return {envelope, text};
			} catch (error) {
				if (attempt === MAX_PAYLOAD_ATTEMPTS || !isReplayed(error)) throw error;
				// Several runs that collided once would collide with the next millisecond, too.
				signTimestamp.skip(randomInt(1_000));
			}
		}
	}

	/** How the contract that is expected compares with its pin, as its chain has it now. @throws ChainUnread */
	async function exchangeOf({chainId}: CancelTarget): Promise<PinVerdict> {
		const expected = pins.expected(chainId, 'perp exchange');
		if (expected !== undefined) return (await planContract({chains, pins}, chainId, 'perp exchange', expected)).verdict;
		// Without a node nothing could be executed.
		await chains.account(chainId, address);
		return {kind: 'unknown', why: 'no exchange was accepted on this chain yet, and the execution names it'};
	}

	async function planOf(target: CancelTarget, envelope: Envelope, builtAtMs: number): Promise<CancelPlan> {
		const {dex, chainId, marketId} = target;
		const content = openEnvelope(envelope, {action: 'cancel-order', dex, chainId, marketId}, provider);
		const draft = {
			target,
			signer: address,
			envelope,
			content,
			builtAtMs,
			requiresSimulation,
			clock: readClock(clock),
		};
		if (envelope.transport !== 'evm-tx') return draft;
		const proposed = transactionIn(content);
		const [account, contract, simulation] = await Promise.all([
			chains.account(chainId, address),
			planContract({chains, pins}, chainId, 'perp exchange', proposed.to),
			simulateCalls(chains, chainId, {from: address, calls: [proposed]}),
		]);
		const tx = withNonce(proposed, account.nonce);
		const capRefusal = capRefusalOf(target, tx);
		return {...draft, evm: {tx, account, contract, simulation}, ...(capRefusal === undefined ? {} : {capRefusal})};
	}

	function capRefusalOf({chainId, key}: CancelTarget, {gas = 0n, maxFeePerGas = 0n, valueRaw}: PayloadTx) {
		const amountRaw = valueRaw + gas * maxFeePerGas;
		return caps.refusal({id: key, chainId, token: 'native', symbol: coinOf(chainId), amountRaw, decimals: 18});
	}

	async function readProcess(state: CancelState, {signal}: ReadMode): Promise<CancelState> {
		const query = {processId: state.processId!};
		try {
			const response = await call('perpCheckProcess', {query}, signal ? {signal} : {});
			const said = response.errorMessage ?? response.message;
			return machine.processRead(state, {status: response.status, ...(said === undefined ? {} : {said})});
		} catch (error) {
			if (!(error instanceof ServiceRefused) || error.status !== 404) throw error;
			return machine.processLost(state);
		}
	}

	async function readEnd(state: CancelState): Promise<CancelState> {
		const [listing, ownEnd] = await Promise.all([listings(), ownEndOf(state, {chains, address})]);
		const isChainRead = state.chainId !== undefined && chains.knows(state.chainId);
		const seen = {
			isListed: isListed(listing, state.key),
			isChainRead,
			nowMs: earlierNowMs(clock),
			...(ownEnd === undefined ? {} : {ownEnd}),
		};
		return machine.endRead(state, seen);
	}

	const parts: FlowParts<CancelState, CancelPlan, CancelView, SignedCancel, CancelOutcome> = {
		machine: {
			checked: phases.checked,
			signingStarted: phases.signingStarted,
			signingFailed: phases.signingFailed,
			sendingStarted: (state, {transaction}) =>
				machine.sendingStarted(state, {nowMs: earlierNowMs(clock), before, ...(transaction ? {transaction} : {})}),
			answered: machine.answered,
			isPending: state => isUnderWay(state) && state.phase !== 'sending',
			isUnproven: isOnlySaid,
			/** Nothing left this machine. A transaction that did can be mined whatever is answered: its fee stays counted. */
			isNothing: ({phase, seenOn}) => phase === 'refused' && seenOn === undefined,
		},
		plan: {
			async fresh() {
				const {plan: built} = store.get();
				if (!built) throw notNow('signing');
				return planOf(built.target, built.envelope, built.builtAtMs);
			},
			checksOf: () => CANCEL_CHECKS,
			shown: built => ({lines: cancelLines(built)}),
			contractsOf: ({target: {chainId}, evm}) => ({chainId, contracts: evm ? [evm.contract] : []}),
		},
		claims: {
			claim({target, envelope}) {
				const {key, dex, chainId, marketId, index, orderType} = target;
				before = attemptsBefore(openCancels(journal).find(cancel => cancel.key === key));
				return claimCancel(journal, key, {dex, chainId, marketId, index, orderType, transport: envelope.transport});
			},
			unclaim({target: {key}}) {
				journal.append('perp.unsigned', key, {});
				// The transaction of an earlier attempt stays counted: it can still be mined.
				if (!before.isRetry) caps.release(key);
			},
			releaseLimits: ({key}) => caps.release(key!),
			recordAnswer: (outcome, {key, phase, claim}) =>
				void journal.append('perp.answered', key!, {...outcome, phase, claim}),
			recordReading(earlier, {key, phase, claim, seenOn}) {
				if (phase !== earlier.phase) journal.append('perp.status', key!, {phase, claim, seenOn});
			},
		},
		wire: {
			/** The signatures: of the transaction, then of the execute over the final string. */
			async sign(checked, {assertSigning}) {
				const {envelope, target, evm} = checked;
				const signed = evm && (await signer.signTransaction(requestOf(checked), target.key));
				const timestampMs = signTimestamp.next();
				const {payloadStr, action, dex, chainId, marketId, transport} = envelope;
				const {signature, text} = await signer.signPersonal({kind: 'perp-execute', timestampMs, payloadStr});
				const texts = [...(signed ? [{what: 'transaction', text: signed.hash}] : []), {what: 'execute', text}];
				store.apply(view => ({...view, plan: checked, signed: [...view.signed, ...texts]}));
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
				assertSigning();
				const transaction = {txHash: signed.hash, chainId: target.chainId, nonce: evm!.account.nonce};
				journal.append('perp.signed', target.key, {...transaction});
				return {body, transaction};
			},
			post: async ({body}) => outcomeOf(await call('perpExecute', {body})),
			failedOutcome: sendFailureOf,
			readState: (state, mode) => (state.phase === 'running' ? readProcess(state, mode) : readEnd(state)),
		},
		words: {
			standing: {unsent: 'Nothing was sent, and the order still stands.', again: 'Ask for its cancel again.'},
			notNow,
			alreadyClaimed: () =>
				new CancelClaimed(
					'This order is already being cancelled',
					'its cancel is already under way; nothing was signed here',
				),
		},
	};
	const flow = createFlow(options, store, parts);

	async function build(target: CancelTarget): Promise<void> {
		if (machine.built(stateNow(), target.key) === stateNow()) throw notNow('choosing another order');
		await flow.attempt(async () => {
			const {envelope, text} = await payloadOf(target);
			const state = machine.built(stateNow(), target.key);
			store.apply(() => ({...cleared(state), signed: [{what: 'request for the payload', text}]}));
			flow.show(await planOf(target, envelope, clock.nowMs()));
		});
	}

	return {
		get view() {
			return store.get();
		},
		subscribe: flow.subscribe,
		execute: flow.execute,
		watch: flow.watch,
		read: flow.read,
		list,
		build,
		async rebuild() {
			const {plan: built} = store.get();
			if (!built) throw notNow('asking again');
			const target = (await list()).find(({key}) => key === built.target.key);
			if (!target) throw new OrderGone();
			await build(target);
		},
		accept: typed => flow.accept('perp exchange', typed),
		dismiss() {
			const next = machine.dismissed(stateNow());
			if (next === stateNow() && next !== CHOOSING) throw notNow('going back');
			store.apply(() => cleared(next));
		},
		async dryRun(target, {accepts}) {
			const open = openCancels(journal).find(({key}) => key === target.key);
			const exchange = target.dex === 'dexA' ? await exchangeOf(target) : undefined;
			const isAccepted = accepts && exchange?.kind === 'unknown';
			const checks = runChecks(OUTLOOK_CHECKS, {
				clock: readClock(clock),
				isUnderWay: open !== undefined && !mayRetry(open.state),
				...(exchange && !isAccepted && {exchange}),
			});
			const body = requestFor(target, Math.floor(clock.nowMs()), provider);
			return {body, text: perpPayloadText('cancel-order', body.timestamp), checks};
		},
		resume(key) {
			const known = openCancels(journal).find(cancel => cancel.key === key);
			if (!known || (isUnderWay(stateNow()) && !mayRetry(stateNow()))) throw notNow('resuming a cancel');
			store.apply(() => cleared(known.state));
		},
	};
}

/** The timestamps of one flow's signatures: each is used once, and near enough to the service's time. */
function createTimestamps(clock: FlowOptions['clock']) {
	let lastMs = 0;
	return {
		/** @throws CheckFailed `clock`: a signature far off would only be refused */
		next(): number {
			assertChecks([CLOCK_CHECK], {clock});
			lastMs = Math.max(Math.floor(clock.nowMs()), lastMs + 1);
			return lastMs;
		},
		skip(ms: number): void {
			lastMs += ms;
		},
	};
}

/** The outcome of the own transaction; undefined when the node can't say yet. */
async function ownEndOf(
	state: CancelState,
	{chains, address}: Pick<FlowOptions, 'chains' | 'address'>,
): Promise<OwnEnd | undefined> {
	const {chainId, nonce} = state;
	const hashes = hashesOf(state);
	if (hashes.length === 0 || chainId === undefined || !chains.knows(chainId)) return undefined;
	try {
		// The nonce first: a transaction that is mined between the two readings is not taken for a lost one.
		const next = nonce === undefined ? undefined : (await chains.account(chainId, address)).nonce;
		const receipts = await Promise.all(hashes.map(hash => readReceipt(chains, chainId, hash)));
		if (receipts.some(receipt => receipt?.isSuccess)) return 'success';
		// An earlier transaction that reverted says nothing about the newest, which may have the next nonce.
		if (receipts.at(-1)) return 'reverted';
		if (next === undefined || next <= nonce!) return undefined;
		const known = await Promise.all(hashes.map(hash => isKnown(chains, chainId, hash)));
		return known.includes(true) ? undefined : 'replaced';
	} catch (error) {
		if (error instanceof ChainUnread) return undefined;
		throw error;
	}
}

/** Whether only the service says so: the cancel ended, or was not taken. */
function isOnlySaid({phase}: CancelState): boolean {
	return phase === 'claimed' || phase === 'unaccepted';
}

/** Nothing else has this status and these words (spec 7). */
function isReplayed(error: unknown): boolean {
	const {status, message} = PERP_REFUSALS.replayed;
	return error instanceof ServiceRefused && error.status === status && error.said === message;
}

/** Rows of a page (gaps 5.1). A page with fewer than the second is the last one: a service may have a lower limit. */
const MAX_PAGE_ROWS = 500;
const MIN_FULL_PAGE = 100;
/** A listing that never ends is not read for ever. */
const MAX_PAGES = 20;

/** All rows of a listing, and whether its end was reached: an order on a page that was not read would be taken for cancelled. */
async function allRows<Row extends {readonly id: string}>(
	read: (page: {readonly offset?: number}) => Promise<{readonly data: readonly Row[]}>,
): Promise<{readonly rows: readonly Row[]; readonly isWhole: boolean}> {
	const rows: Row[] = [];
	for (let page = 0; page < MAX_PAGES; page++) {
		const seen = new Set(rows.map(({id}) => id));
		const {data} = await read(page === 0 ? {} : {offset: rows.length});
		const fresh = data.filter(({id}) => !seen.has(id));
		rows.push(...fresh);
		if (data.length < MIN_FULL_PAGE || fresh.length === 0) return {rows, isWhole: true};
	}
	return {rows, isWhole: false};
}

function requestFor(
	{dex, chainId, index, marketId, orderType}: CancelTarget,
	timestamp: number,
	provider: Provider,
): CancelRequest {
	// The wire takes the service's name of the exchange, not the name in the types.
	const wireDex = dexToWire(dex, provider) as CancelTarget['dex'];
	return {timestamp, dex: wireDex, chainId, orderIndex: index, ...(dex === 'dexB' ? {marketId} : {orderType})};
}

/** A payload may leave the nonce to the wallet (spec 4.8, "as applicable"). */
function withNonce(tx: PayloadTx, nonce: number): PayloadTx {
	return tx.nonce === undefined ? {...tx, nonce: BigInt(nonce)} : tx;
}

/** @throws EnvelopeMismatch when the payload does not limit the cost of the transaction */
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
