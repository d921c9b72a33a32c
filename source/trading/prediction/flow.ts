import {setTimeout as sleep} from 'node:timers/promises';
import type {Hex} from 'viem';
import type {Clock} from '../../client/clock.ts';
import type {Call} from '../../client/http/call.ts';
import {PREDICTION} from '../../contract/prediction.ts';
import {type Explanation, explain, PulsetopError} from '../../errors.ts';
import {SEE_ACCOUNT, TYPE_AGAIN} from '../advice.ts';
import type {Caps, Spend} from '../caps.ts';
import {readReceipt} from '../chain-proof.ts';
import {type ChainReader, NodeRefused} from '../chain-reader.ts';
import {coinOf} from '../chains.ts';
import {assertChecks, CheckFailed, type CheckResult, runChecks} from '../check.ts';
import {isContract} from '../contract-code.ts';
import type {Journal} from '../journal.ts';
import {type NewContract, newContracts, type Pins, planContract} from '../pins.ts';
import type {Signer} from '../signer.ts';
import {simulateCalls} from '../simulate.ts';
import type {Simulation} from '../simulation.ts';
import {accountOf} from './account.ts';
import {readAmount, type StableAmount} from './amount.ts';
import {estimateGas, readFees} from './chain.ts';
import {
	MAX_GAS,
	transactionOf,
	VAULT_CHECKS,
	type VaultAction,
	type VaultFacts,
	type VaultPlace,
	type VaultPlan,
} from './checks.ts';
import {claimLane, intendAction, openVaultActions, unclaimLane} from './journal-fold.ts';
import {
	built,
	CHOOSING,
	checked,
	dismissed,
	isUnderWay,
	mined,
	outrun,
	sendingStarted,
	sendRefused,
	sendUnclear,
	signingFailed,
	signingStarted,
	type VaultState,
} from './machine.ts';
import {isKept, type VaultPromise} from './proof.ts';
import {type VaultLine, vaultLines, wantedText} from './words.ts';

/** A step that cannot be taken now. */
class VaultNotNow extends PulsetopError {
	readonly code = 'vault-not-now';

	constructor(what: string, why: string) {
		super(`This cannot be done now: ${what}`, {why, next: 'fix-input', advice: SEE_ACCOUNT});
	}
}

/** Another run of the program has taken the next number of the wallet: it signs and sends, this one does neither. */
class VaultClaimed extends PulsetopError {
	readonly code = 'vault-claimed';

	constructor() {
		super('A transaction of this wallet is already being sent', {
			why: 'another run of pulsetop has taken its number; nothing was sent here',
			next: 'poll-status',
		});
	}
}

/** What was typed to confirm is not what has to be typed. */
class VaultNotConfirmed extends PulsetopError {
	readonly code = 'vault-not-confirmed';

	constructor(wanted: string) {
		super('It was not confirmed', {why: `type ${wanted} to confirm`, next: 'fix-input', advice: TYPE_AGAIN});
	}
}

export interface VaultFlowOptions {
	readonly call: Call;
	readonly clock: Clock;
	readonly signer: Signer;
	/** The wallet's. */
	readonly address: string;
	readonly chains: ChainReader;
	readonly caps: Caps;
	readonly pins: Pins;
	readonly journal: Journal;
	readonly place: VaultPlace;
	/** Whether nothing is signed of which the user's node does not show what would move. */
	readonly requiresSimulation?: boolean;
	readonly pollMs?: number;
}

export interface VaultView {
	readonly state: VaultState;
	readonly place: VaultPlace;
	/** Undefined until they were read. */
	readonly facts?: VaultFacts;
	readonly plan?: VaultPlan;
	readonly checks: readonly CheckResult[];
	readonly lines: readonly VaultLine[];
	/** The factory, when it is met for the first time. */
	readonly toAccept?: NewContract & {readonly chainId: string};
	readonly problem?: Explanation;
}

/** What can be done with the smart account of a wallet: make it, fill it, empty it. One transaction after another. */
export interface VaultFlow {
	readonly view: VaultView;
	subscribe(listener: () => void): () => void;
	/** Reads wallet and account. */
	read(): Promise<VaultFacts>;
	/**
	 * Asks the service for a proposal and checks it.
	 * @param amount as typed; not for a deployment
	 * @throws BadAmount; VaultNotNow for what makes no sense in the state of the account
	 */
	build(action: VaultAction, amount?: string): Promise<void>;
	/** Accepts the factory on first use. @param typed the last six characters of its fingerprint */
	accept(typed: string): Promise<void>;
	/** Checks everything again, signs, writes the journal and sends. @param typed see wantedText. @throws VaultNotConfirmed */
	execute(typed: string): Promise<void>;
	/** Reads the chain until the end is known, until the signal, or until nothing answered for `silentMs`. */
	watch(signal?: AbortSignal, silentMs?: number): Promise<VaultState>;
	dismiss(): void;
	/** Takes up a transaction of the journal: it is only read. */
	resume(hash: string): void;
}

const POLL_MS = 1000;

export function createVaultFlow(options: VaultFlowOptions): VaultFlow {
	return new Flow(options);
}

class Flow implements VaultFlow {
	readonly #options: VaultFlowOptions;
	readonly #listeners = new Set<() => void>();
	readonly #account: string;
	#view: VaultView;
	/** What the transaction that is under way was signed for. */
	#promise: VaultPromise | undefined;
	#asked: {readonly action: VaultAction; readonly amount?: StableAmount} | undefined;

	constructor(options: VaultFlowOptions) {
		this.#options = options;
		this.#account = accountOf(options.place.factory, options.address);
		this.#view = {state: CHOOSING, place: options.place, checks: [], lines: []};
	}

	get view(): VaultView {
		return this.#view;
	}

	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	async read(): Promise<VaultFacts> {
		const facts = await this.#facts();
		this.#set({...this.#view, facts});
		return facts;
	}

	async build(action: VaultAction, typed = ''): Promise<void> {
		if (isUnderWay(this.#state)) throw new VaultNotNow('beginning something else', 'a transaction is under way');
		await this.#attempt(async () => {
			const {place, call, clock, address} = this.#options;
			const amount = action === 'deploy' ? undefined : readAmount(typed, place.decimals);
			const facts = await this.read();
			if (action === 'withdraw' && !facts.isDeployed)
				throw new VaultNotNow('a withdrawal', 'the account does not exist yet: what is sent to it would only cost gas');
			if (action === 'deploy' && facts.isDeployed)
				throw new VaultNotNow('creating the account', 'the account exists already');
			const body = amount === undefined ? {address} : {address, amount: amount.number};
			const {data: proposal} =
				action === 'deploy'
					? await call('deployBuild', {body})
					: await call(action === 'withdraw' ? 'withdrawBuild' : 'depositBuild', {
							body: body as {address: string; amount: number},
						});
			this.#asked = {action, ...(amount && {amount})};
			const state = built(this.#state);
			this.#set({place, facts, state, checks: [], lines: []});
			await this.#check(await this.#plan(proposal, clock.nowMs()));
		});
	}

	async accept(typed: string): Promise<void> {
		const {toAccept, plan} = this.#view;
		if (!toAccept || !plan) throw new VaultNotNow('accepting a contract', 'none is new');
		const {pins, journal} = this.#options;
		const {found} = plan.contract;
		if (!isContract(found)) throw new VaultNotNow('accepting a contract', 'there is none');
		const {chainId} = plan.place;
		pins.accept(chainId, 'vault factory', found, typed);
		journal.append('pin.accepted', chainId, {role: 'vault factory', address: found.address, codeHash: found.hash});
		await this.#attempt(async () => this.#check(await this.#plan(plan.proposal, plan.builtAtMs)));
	}

	async execute(typed: string): Promise<void> {
		const {plan} = this.#view;
		if (!plan || signingStarted(this.#state) === this.#state)
			throw new VaultNotNow('signing', 'not every check has passed');
		const wanted = wantedText(plan);
		if (typed.trim() !== wanted) throw new VaultNotConfirmed(wanted);
		this.#become(signingStarted(this.#state));
		const {journal, place, address} = this.#options;
		const spends = this.#spends(plan);
		const {nonce} = plan.facts;
		const lane = {chainId: place.chainId, owner: address, nonce};
		let claim: number | undefined;
		let signed: {raw: Hex; hash: Hex};
		try {
			const fresh = await this.#fresh(plan);
			// From here on the wallet signs: no other run may sign with the same number.
			claim = claimLane(journal, lane, Date.now());
			if (claim === undefined) throw new VaultClaimed();
			const done = await this.#sign(plan, fresh, spends);
			({signed} = done);
			if (this.#state.phase !== 'signing') throw new VaultNotNow('sending', 'it was given up meanwhile');
			// From here on it may be mined: the journal knows its hash before the wire does.
			const {facts} = done.final;
			const amount = plan.amountRaw === undefined ? {} : {amountRaw: String(plan.amountRaw)};
			this.#promise = {action: plan.action, owner: address, account: facts.account, ...amount};
			const isIntended = intendAction(journal, lane, claim, signed.hash, {
				...this.#promise,
				chainId: place.chainId,
				to: transactionOf(done.final)!.to,
				nonce,
				...(plan.amountRaw !== undefined && {symbol: place.symbol, decimals: place.decimals}),
			});
			if (!isIntended) throw new VaultClaimed();
		} catch (error) {
			this.#become(signingFailed(this.#state));
			// What another run counts for the same number stays.
			if (claim !== undefined && !(error instanceof VaultClaimed)) {
				unclaimLane(journal, lane, claim);
				this.#release(spends);
			}
			this.#fail(error);
			throw error;
		}
		this.#become(sendingStarted(this.#state, {hash: signed.hash, nonce}));
		await this.#broadcast(signed.raw);
		this.#settle(spends);
	}

	async watch(signal?: AbortSignal, silentMs = Number.POSITIVE_INFINITY): Promise<VaultState> {
		const {pollMs = POLL_MS} = this.#options;
		let answeredMs = performance.now();
		while (this.#state.phase === 'sent' && signal?.aborted !== true && performance.now() - answeredMs < silentMs) {
			try {
				await this.#readEnd();
				answeredMs = performance.now();
			} catch (error) {
				if (!(error instanceof PulsetopError)) throw error;
				this.#fail(error);
			}
			if (this.#state.phase === 'sent') await sleep(pollMs, undefined, signal ? {signal} : {}).catch(() => {});
		}
		// What it changed is shown; that it cannot be read now changes nothing about the end.
		if (this.#state.phase === 'done' || this.#state.phase === 'unseen') await this.read().catch(() => {});
		return this.#state;
	}

	dismiss(): void {
		const {facts, place} = this.#view;
		const state = dismissed(this.#state);
		if (state !== CHOOSING) throw new VaultNotNow('going back', 'a transaction is under way');
		this.#asked = undefined;
		this.#set({state, place, checks: [], lines: [], ...(facts && {facts})});
	}

	resume(hash: string): void {
		const known = openVaultActions(this.#options.journal).find(action => action.hash === hash);
		if (!known || isUnderWay(this.#state))
			throw new VaultNotNow('taking it up', 'its end is known, or another is under way');
		this.#promise = known;
		this.#set({place: this.#options.place, state: known.state, checks: [], lines: []});
	}

	get #state(): VaultState {
		return this.#view.state;
	}

	async #facts(): Promise<VaultFacts> {
		const {chains, place, address, call} = this.#options;
		const {chainId, stablecoin} = place;
		const [there, own, accountRaw, walletRaw, coinsRaw, {data: told}] = await Promise.all([
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
			told: {deployed: told.deployed, account: told.vaultAddress},
		};
	}

	/** Reads everything that a proposal is held against, now. */
	async #plan(
		proposal: VaultPlan['proposal'],
		builtAtMs: number,
		signed?: NonNullable<VaultPlan['signed']>,
	): Promise<VaultPlan> {
		const {chains, place, pins, clock, requiresSimulation = false} = this.#options;
		const {action, amount} = this.#asked!;
		const [facts, fees, contract] = await Promise.all([
			this.#facts(),
			readFees(chains, place.chainId),
			planContract({chains, pins}, place.chainId, 'vault factory', place.factory),
		]);
		const draft: VaultPlan = {
			action,
			...(amount && {amountRaw: amount.raw}),
			place,
			facts,
			contract,
			proposal,
			...(signed && {signed}),
			fees,
			requiresSimulation,
			capRefusals: [],
			builtAtMs,
			clock: {nowMs: clock.nowMs(), skewMs: clock.skewMs, uncertaintyMs: clock.uncertaintyMs},
		};
		const [gas, simulation] = await Promise.all([this.#gasOf(draft), this.#tried(draft)]);
		const measured = {...draft, ...gas, ...(simulation && {simulation})};
		const capRefusals = this.#spends(measured).flatMap(spend => this.#options.caps.refusal(spend) ?? []);
		return {...measured, capRefusals};
	}

	/** What the call needs, or why the node would not run it. A deployment can't be tried before it is signed. */
	async #gasOf(plan: VaultPlan): Promise<Pick<VaultPlan, 'gas' | 'gasProblem'>> {
		const {chains, place, address} = this.#options;
		const transaction = transactionOf(plan);
		if (!transaction) return {gas: MAX_GAS};
		const call = {from: address, to: transaction.to, data: transaction.calldata as Hex};
		try {
			return {gas: await estimateGas(chains, place.chainId, call)};
		} catch (error) {
			if (error instanceof NodeRefused) return {gasProblem: error.said};
			throw error;
		}
	}

	async #tried(plan: VaultPlan): Promise<Simulation | undefined> {
		const {chains, place, address} = this.#options;
		const transaction = transactionOf(plan);
		if (!transaction) return undefined;
		const calls = [{to: transaction.to, data: transaction.calldata}];
		return simulateCalls(chains, place.chainId, {from: address, calls, owners: [this.#account]});
	}

	/** What is counted against the limits: the gas, and what a deposit lets go of. */
	#spends({action, amountRaw, place, gas, fees, facts}: VaultPlan): readonly Spend[] {
		const {chainId} = place;
		const id = `vault ${facts.owner.toLowerCase()} ${facts.nonce}`;
		const amountOfGas = (gas ?? 0n) * fees.maxFeePerGas;
		const native = {id, chainId, token: 'native', symbol: coinOf(chainId), amountRaw: amountOfGas, decimals: 18};
		if (action !== 'deposit' || amountRaw === undefined) return [native];
		const {stablecoin: token, symbol, decimals} = place;
		return [native, {id: `${id} token`, chainId, token, symbol, amountRaw, decimals}];
	}

	#release(spends: readonly Spend[]): void {
		for (const {id} of spends) this.#options.caps.release(id);
	}

	async #check(plan: VaultPlan): Promise<void> {
		const checks = runChecks(VAULT_CHECKS, plan);
		const {problem: _, toAccept: __, ...view} = this.#view;
		const [contract] = newContracts([plan.contract]);
		const toAccept = contract ? {toAccept: {...contract, chainId: plan.place.chainId}} : {};
		const state = checked(
			this.#state,
			checks.every(check => check.ok),
		);
		this.#set({...view, state, plan, facts: plan.facts, checks, lines: vaultLines(plan), ...toAccept});
	}

	/** Every check again on fresh data. */
	async #fresh(before: VaultPlan): Promise<VaultPlan> {
		const plan = await this.#plan(before.proposal, before.builtAtMs);
		assertChecks(VAULT_CHECKS, plan);
		// Another number means another transaction than the one that was looked at.
		if (plan.facts.nonce !== before.facts.nonce)
			throw new CheckFailed(
				'nonce',
				'account nonce',
				'this wallet sent another transaction since the review',
				'requote',
			);
		return plan;
	}

	/** The transaction; for a deployment first the typed data, then the transaction that carries it. */
	async #sign(
		before: VaultPlan,
		fresh: VaultPlan,
		spends: readonly Spend[],
	): Promise<{signed: {raw: Hex; hash: Hex}; final: VaultPlan}> {
		const {signer, call, address, place, caps} = this.#options;
		let plan = fresh;
		if (plan.action === 'deploy') {
			const {signature} = await signer.signDeploy(place.factory);
			const {data: transaction} = await call('deploySubmit', {body: {address, signature}});
			plan = await this.#plan(before.proposal, before.builtAtMs, {signature, transaction});
			assertChecks(VAULT_CHECKS, plan);
		}
		const {to, calldata} = transactionOf(plan)!;
		const {gas, fees} = this.#withinReviewed(before, plan);
		const deposit = spends.find(({token}) => token !== 'native');
		if (deposit) caps.reserve(deposit);
		const signed = await signer.signTransaction(
			{
				chainId: PREDICTION.chainId,
				to: to as Hex,
				data: calldata as Hex,
				valueRaw: 0n,
				nonce: before.facts.nonce,
				gas,
				...fees,
			},
			spends[0]!.id,
		);
		this.#set({...this.#view, plan, facts: plan.facts, lines: vaultLines(plan)});
		return {signed, final: plan};
	}

	/** The gas and the fees that were reviewed: what was shown as the most it costs is the most it costs. */
	#withinReviewed(before: VaultPlan, now: VaultPlan): {readonly gas: bigint; readonly fees: VaultPlan['fees']} {
		const gas = before.gas!;
		const needed = (now.gas! * 4n) / 5n;
		if (needed > gas || now.fees.maxFeePerGas > before.fees.maxFeePerGas * 2n)
			throw new CheckFailed('gas', 'gas', 'it became dearer since the review', 'requote');
		return {gas, fees: before.fees};
	}

	async #broadcast(raw: Hex): Promise<void> {
		const {chains, place} = this.#options;
		try {
			await chains.request(place.chainId, 'eth_sendRawTransaction', [raw]);
		} catch (error) {
			if (!(error instanceof PulsetopError)) throw error;
			this.#fail(error);
			// A node that has it already refuses it too: then it is on its way, and the chain decides.
			const isRefusal = error instanceof NodeRefused && !/already|known/i.test(error.said);
			this.#become(isRefusal ? sendRefused(this.#state, error.said) : sendUnclear(this.#state, error.why));
		}
	}

	async #readEnd(): Promise<void> {
		const {chains, place, address} = this.#options;
		const {hash, nonce} = this.#state;
		// The number first: a transaction that is mined between the two questions is not taken for a lost one.
		const {nonce: next} = await chains.account(place.chainId, address);
		const receipt = await readReceipt(chains, place.chainId, hash!);
		if (receipt) {
			const isSeen = receipt.isSuccess && (await isKept(chains, place, this.#promise!, receipt));
			this.#become(mined(this.#state, {...receipt, isKept: isSeen}));
		} else if (nonce !== undefined && next > nonce) this.#become(outrun(this.#state));
		this.#settle([]);
	}

	/** Writes an end down; what certainly did not happen is not counted as spent. */
	#settle(spends: readonly Spend[]): void {
		const {phase, hash, said} = this.#state;
		if (phase === 'sent' || hash === undefined) return;
		const {problem: _, ...view} = this.#view;
		if (phase === 'refused') this.#release(spends);
		else this.#set(view);
		this.#options.journal.append('vault.status', hash, {phase, ...(said !== undefined && {said})});
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

	#become(state: VaultState): void {
		if (state !== this.#state) this.#set({...this.#view, state});
	}

	#set(view: VaultView): void {
		this.#view = view;
		for (const listener of [...this.#listeners]) listener();
	}
}
