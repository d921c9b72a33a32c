import type {Hex} from 'viem';
import {coinOf} from '../../chains/chains.ts';
import {PREDICTION} from '../../contract/prediction.ts';
import {PulsetopError} from '../../errors.ts';
import {SEE_ACCOUNT, TYPE_AGAIN} from '../advice.ts';
import type {Spend} from '../caps.ts';
import {isKnown, readReceipt} from '../chain-proof.ts';
import {NodeRefused} from '../chain-reader.ts';
import {assertChecks, CheckFailed} from '../check.ts';
import {readClock} from '../checks.ts';
import {AlreadyClaimed, type FlowOptions, type FlowView, MoneyFlow, NO_REVIEW, NotNow} from '../flow.ts';
import {planContract} from '../pins.ts';
import * as phases from '../review-phases.ts';
import {simulateCalls} from '../simulate.ts';
import type {Simulation} from '../simulation.ts';
import {accountOf} from './account.ts';
import {readAmount, type StableAmount} from './amount.ts';
import {estimateGas, readFees} from './chain.ts';
import {
	MAX_GAS,
	PREDICTION_CHECKS,
	type PredictionAction,
	type PredictionFacts,
	type PredictionPlace,
	type PredictionPlan,
	transactionOf,
} from './checks.ts';
import {claimLane, intendAction, openPredictions, type PredictionLane, unclaimLane} from './journal-fold.ts';
import * as machine from './machine.ts';
import {CHOOSING, isUnderWay, type PredictionState, type SendOutcome} from './machine.ts';
import {isKept, type PredictionPromise} from './proof.ts';
import {confirmationText, predictionLines} from './review-lines.ts';

/** A step that does not fit the state of the prediction account. */
class PredictionNotNow extends NotNow {
	readonly code = 'vault-not-now';

	constructor(step: string, why: string) {
		super(step, {why, next: 'fix-input', advice: SEE_ACCOUNT});
	}
}

/** Another run of the program has taken the next nonce of the wallet: that run signs and sends, this one does neither. */
class NonceClaimed extends AlreadyClaimed {
	readonly code = 'vault-claimed';
}

/** What was typed to confirm is not what has to be typed. */
class PredictionNotConfirmed extends PulsetopError {
	readonly code = 'vault-not-confirmed';

	constructor(expected: string) {
		super('It was not confirmed', {why: `type ${expected} to confirm`, next: 'fix-input', advice: TYPE_AGAIN});
	}
}

export interface PredictionFlowOptions extends FlowOptions {
	readonly place: PredictionPlace;
}

export interface PredictionView extends FlowView<PredictionState, PredictionPlan> {
	readonly place: PredictionPlace;
	/** Undefined until they were read. */
	readonly facts?: PredictionFacts;
}

/** A signed transaction. */
interface SignedTransaction {
	readonly raw: Hex;
	readonly hash: Hex;
	readonly nonce: number;
}

export function createPredictionFlow(options: PredictionFlowOptions): PredictionFlow {
	return new PredictionFlow(options);
}

/** What can be done with the smart account of a wallet: make it, fill it, empty it. One transaction after another. */
export class PredictionFlow extends MoneyFlow<
	PredictionState,
	PredictionPlan,
	PredictionView,
	SignedTransaction,
	SendOutcome
> {
	protected readonly checks = PREDICTION_CHECKS;
	protected readonly signingStarted = phases.signingStarted;
	protected readonly signingFailed = phases.signingFailed;
	protected readonly sendingStarted = machine.sendingStarted;
	protected readonly answered = machine.answered;
	protected readonly checked = phases.checked;
	protected readonly standing = {unsent: 'Nothing was sent.', again: 'Ask for it again.'};
	readonly #place: PredictionPlace;
	readonly #account: string;
	/** What the transaction that is under way was signed for. */
	#promise: PredictionPromise | undefined;
	#requested: {readonly action: PredictionAction; readonly amount?: StableAmount} | undefined;
	/** The nonce that is claimed in the journal, and what is counted against the limits for it. */
	#claim: {readonly lane: PredictionLane; readonly seq: number; readonly spends: readonly Spend[]} | undefined;

	constructor(options: PredictionFlowOptions) {
		const {place} = options;
		super(options, {state: CHOOSING, place, ...NO_REVIEW});
		this.#place = place;
		this.#account = accountOf(place.factory, options.address);
	}

	/** Reads wallet and account. */
	async read(): Promise<PredictionFacts> {
		const facts = await this.#facts();
		this.set({...this.view, facts});
		return facts;
	}

	/**
	 * Asks the service for a proposal and checks it.
	 * @param typed amount as typed; not for a deployment
	 * @throws BadAmount; NotNow for what makes no sense in the state of the account
	 */
	async build(action: PredictionAction, typed = ''): Promise<void> {
		if (isUnderWay(this.state)) throw new PredictionNotNow('beginning something else', 'a transaction is under way');
		await this.attempt(async () => {
			const {call, clock, address} = this.options;
			const place = this.#place;
			const amount = action === 'deploy' ? undefined : readAmount(typed, place.decimals);
			const facts = await this.read();
			if (action === 'withdraw' && !facts.isDeployed)
				throw new PredictionNotNow(
					'a withdrawal',
					'the account does not exist yet: what is sent to it would only cost gas',
				);
			if (action === 'deploy' && facts.isDeployed)
				throw new PredictionNotNow('creating the account', 'the account exists already');
			const body = amount === undefined ? {address} : {address, amount: amount.number};
			const {data: proposal} =
				action === 'deploy'
					? await call('deployBuild', {body})
					: await call(action === 'withdraw' ? 'withdrawBuild' : 'depositBuild', {
							body: body as {address: string; amount: number},
						});
			this.#requested = {action, ...(amount && {amount})};
			const state = machine.built(this.state);
			this.set({place, facts, state, ...NO_REVIEW});
			this.show(await this.#plan(proposal, clock.nowMs()));
		});
	}

	/** Accepts the factory on first use. @param typed last six characters of its fingerprint */
	accept(typed: string): Promise<void> {
		return this.acceptContract('vault factory', typed);
	}

	/** Checks everything again, signs, writes the journal and sends. @param typed see confirmationText. @throws PredictionNotConfirmed */
	override async execute(typed = ''): Promise<void> {
		const {plan} = this.view;
		if (!plan || this.signingStarted(this.state) === this.state) throw this.notNow('signing');
		const expected = confirmationText(plan);
		if (typed.trim() !== expected) throw new PredictionNotConfirmed(expected);
		await super.execute();
	}

	override async watch(signal?: AbortSignal, silentMs?: number): Promise<PredictionState> {
		const {phase} = await super.watch(signal, silentMs);
		// What it changed is shown; a failure to read that changes nothing about the end.
		if (phase === 'done' || phase === 'unseen') await this.read().catch(() => {});
		return this.state;
	}

	/** Goes back to the choice of what to do. */
	dismiss(): void {
		const {facts, place} = this.view;
		const state = machine.dismissed(this.state);
		if (state !== CHOOSING) throw new PredictionNotNow('going back', 'a transaction is under way');
		this.#requested = undefined;
		this.set({state, place, ...NO_REVIEW, ...(facts && {facts})});
	}

	/** Resumes a transaction of the journal: its end is only read. */
	resume(hash: string): void {
		const known = openPredictions(this.options.journal).find(action => action.hash === hash);
		if (!known || isUnderWay(this.state))
			throw new PredictionNotNow('taking it up', 'its end is known, or another is under way');
		this.#promise = known;
		this.set({place: this.#place, state: known.state, ...NO_REVIEW});
	}

	async #facts(): Promise<PredictionFacts> {
		const {chains, address, call} = this.options;
		const {chainId, stablecoin} = this.#place;
		const [there, own, accountRaw, walletRaw, coinsRaw, {data: reported}] = await Promise.all([
			chains.account(chainId, this.#account),
			chains.account(chainId, address),
			chains.balance(chainId, stablecoin, this.#account),
			chains.balance(chainId, stablecoin, address),
			chains.coins(chainId, address),
			call('vaultStatus', {query: {wallet: address}}),
		]);
		return {
			owner: address,
			account: this.#account,
			isDeployed: there.kind === 'contract',
			accountRaw,
			walletRaw,
			coinsRaw,
			nonce: own.nonce,
			reported: {deployed: reported.deployed, account: reported.vaultAddress},
		};
	}

	protected freshPlan(): Promise<PredictionPlan> {
		const {plan} = this.view;
		if (!plan) throw this.notNow('signing');
		return this.#plan(plan.proposal, plan.builtAtMs);
	}

	/** Reads everything that a proposal is held against, now. */
	async #plan(
		proposal: PredictionPlan['proposal'],
		builtAtMs: number,
		signed?: NonNullable<PredictionPlan['signed']>,
	): Promise<PredictionPlan> {
		const {chains, pins, clock, requiresSimulation = false} = this.options;
		const place = this.#place;
		const {action, amount} = this.#requested!;
		const [facts, fees, contract] = await Promise.all([
			this.#facts(),
			readFees(chains, place.chainId),
			planContract({chains, pins}, place.chainId, 'vault factory', place.factory),
		]);
		const draft: PredictionPlan = {
			action,
			...(amount && {amountRaw: amount.raw}),
			place,
			facts,
			contract,
			proposal,
			...(signed && {signed}),
			fees,
			requiresSimulation,
			builtAtMs,
			clock: readClock(clock),
		};
		const [gas, simulation] = await Promise.all([this.#gasOf(draft), this.#tried(draft)]);
		const measured = {...draft, ...gas, ...(simulation && {simulation})};
		const refusals = this.#spends(measured).flatMap(spend => this.options.caps.refusal(spend) ?? []);
		return {...measured, ...(refusals.length > 0 && {capRefusal: refusals.join('; ')})};
	}

	/** What the call needs, or why the node would not run it. A deployment can't be tried before it is signed. */
	async #gasOf(plan: PredictionPlan): Promise<Pick<PredictionPlan, 'gas' | 'gasProblem'>> {
		const {chains, address} = this.options;
		const transaction = transactionOf(plan);
		if (!transaction) return {gas: MAX_GAS};
		const call = {from: address, to: transaction.to, data: transaction.calldata as Hex};
		try {
			return {gas: await estimateGas(chains, this.#place.chainId, call)};
		} catch (error) {
			if (error instanceof NodeRefused) return {gasProblem: error.said};
			throw error;
		}
	}

	async #tried(plan: PredictionPlan): Promise<Simulation | undefined> {
		const {chains, address} = this.options;
		const transaction = transactionOf(plan);
		if (!transaction) return undefined;
		const calls = [{to: transaction.to, data: transaction.calldata}];
		return simulateCalls(chains, this.#place.chainId, {from: address, calls, owners: [this.#account]});
	}

	/** What is counted against the limits: the gas, and what a deposit lets go of. */
	#spends({action, amountRaw, place, gas, fees, facts}: PredictionPlan): readonly Spend[] {
		const {chainId} = place;
		const id = `vault ${facts.owner.toLowerCase()} ${facts.nonce}`;
		const amountOfGas = (gas ?? 0n) * fees.maxFeePerGas;
		const native = {id, chainId, token: 'native', symbol: coinOf(chainId), amountRaw: amountOfGas, decimals: 18};
		if (action !== 'deposit' || amountRaw === undefined) return [native];
		const {stablecoin: token, symbol, decimals} = place;
		return [native, {id: `${id} token`, chainId, token, symbol, amountRaw, decimals}];
	}

	protected shown(plan: PredictionPlan): Partial<PredictionView> {
		return {facts: plan.facts, lines: predictionLines(plan)};
	}

	protected contractsOf({place: {chainId}, contract}: PredictionPlan) {
		return {chainId, contracts: [contract]};
	}

	protected claim(plan: PredictionPlan): boolean {
		const reviewed = this.view.plan!;
		// Another nonce means another transaction than the reviewed one.
		if (plan.facts.nonce !== reviewed.facts.nonce) {
			const why = 'this wallet sent another transaction since the review';
			throw new CheckFailed('nonce', 'account nonce', why, 'requote');
		}
		const {owner, nonce} = plan.facts;
		const lane = {chainId: this.#place.chainId, owner, nonce};
		const seq = claimLane(this.options.journal, lane);
		if (seq === undefined) return false;
		this.#claim = {lane, seq, spends: this.#spends(reviewed)};
		return true;
	}

	protected unclaim(): void {
		const {lane, seq} = this.#claim!;
		unclaimLane(this.options.journal, lane, seq);
		this.releaseLimits();
	}

	protected releaseLimits(): void {
		for (const {id} of this.#claim?.spends ?? []) this.options.caps.release(id);
	}

	/** The transaction; for a deployment first the typed data, then the transaction that carries it. */
	protected async sign(fresh: PredictionPlan): Promise<SignedTransaction> {
		const {signer, call, address, caps, journal} = this.options;
		const {lane, seq, spends} = this.#claim!;
		const reviewed = this.view.plan!;
		let plan = fresh;
		if (plan.action === 'deploy') {
			const {signature} = await signer.signDeploy(this.#place.factory);
			const {data: transaction} = await call('deploySubmit', {body: {address, signature}});
			plan = await this.#plan(reviewed.proposal, reviewed.builtAtMs, {signature, transaction});
			assertChecks(PREDICTION_CHECKS, plan);
		}
		const {to, calldata} = transactionOf(plan)!;
		const {gas, fees} = this.#withinReviewed(reviewed, plan);
		const deposit = spends.find(({token}) => token !== 'native');
		if (deposit) caps.reserve(deposit);
		const {nonce} = lane;
		const {raw, hash} = await signer.signTransaction(
			{chainId: PREDICTION.chainId, to: to as Hex, data: calldata as Hex, valueRaw: 0n, nonce, gas, ...fees},
			spends[0]!.id,
		);
		this.set({...this.view, plan, facts: plan.facts, lines: predictionLines(plan)});
		this.assertSigning();
		const {action, amountRaw, facts, place} = plan;
		const amount = amountRaw === undefined ? {} : {amountRaw: String(amountRaw)};
		this.#promise = {action, owner: address, account: facts.account, ...amount};
		const unit = amountRaw === undefined ? {} : {symbol: place.symbol, decimals: place.decimals};
		const intended = {...this.#promise, chainId: place.chainId, to, nonce, ...unit};
		// The journal has the hash before the wire: from here on the transaction may be mined.
		if (!intendAction(journal, lane, seq, hash, intended)) throw this.alreadyClaimed();
		return {raw, hash, nonce};
	}

	/** The gas and the fees of the review: the highest cost that was shown is the highest cost that is signed. */
	#withinReviewed(
		before: PredictionPlan,
		now: PredictionPlan,
	): {readonly gas: bigint; readonly fees: PredictionPlan['fees']} {
		const gas = before.gas!;
		const needed = (now.gas! * 4n) / 5n;
		if (needed > gas || now.fees.maxFeePerGas > before.fees.maxFeePerGas * 2n)
			throw new CheckFailed('gas', 'gas', 'it became more expensive since the review', 'requote');
		return {gas, fees: before.fees};
	}

	protected async post({raw}: SignedTransaction): Promise<SendOutcome> {
		await this.options.chains.request(this.#place.chainId, 'eth_sendRawTransaction', [raw]);
		return {kind: 'accepted'};
	}

	/**
	 * The refusal of a node is certain, other than that of a service: the transaction went to one node, the user's own choice, and a
	 * node does not forward a transaction that it refuses. After "already known" the chain decides.
	 */
	protected failedOutcome(error: unknown): SendOutcome {
		if (error instanceof NodeRefused && !/already|known/i.test(error.said)) return {kind: 'refused', said: error.said};
		return {kind: 'no-answer', said: error instanceof PulsetopError ? error.why : 'an internal failure'};
	}

	protected recordAnswer(_: SendOutcome, state: PredictionState): void {
		if (state.phase === 'refused') this.#record(state);
	}

	protected recordReading(_: PredictionState, after: PredictionState): void {
		this.#record(after);
	}

	#record({hash, phase, said}: PredictionState): void {
		this.options.journal.append('vault.status', hash!, {phase, ...(said !== undefined && {said})});
	}

	protected isPending({phase}: PredictionState): boolean {
		return phase === 'sent';
	}

	/** The service has no part in how a transaction ends. */
	protected isUnproven(): boolean {
		return false;
	}

	protected isNothing({phase}: PredictionState): boolean {
		return phase === 'refused';
	}

	protected async readState(state: PredictionState): Promise<PredictionState> {
		const {chains, address} = this.options;
		const {chainId} = this.#place;
		const {hash, nonce} = state;
		// The nonce first: a transaction that is mined between the two readings is not taken for a lost one.
		const {nonce: next} = await chains.account(chainId, address);
		const receipt = await readReceipt(chains, chainId, hash!);
		if (!receipt && (nonce === undefined || next <= nonce || (await isKnown(chains, chainId, hash!)))) return state;
		this.forgetProblem();
		if (!receipt) return machine.replaced(state);
		const isSeen = receipt.isSuccess && (await isKept(chains, this.#place, this.#promise!, receipt));
		return machine.mined(state, {...receipt, isKept: isSeen});
	}

	protected notNow(step: string): NotNow {
		return new PredictionNotNow(step, this.whyNot(`the transaction is ${this.state.phase}`));
	}

	protected alreadyClaimed(): AlreadyClaimed {
		return new NonceClaimed(
			'A transaction of this wallet is already being sent',
			'another run of pulsetop has taken its number; nothing was sent here',
		);
	}
}
