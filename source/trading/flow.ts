import {setTimeout as sleep} from 'node:timers/promises';
import type {Clock} from '../client/clock.ts';
import {pollDelayMs} from '../client/http/backoff.ts';
import type {Call} from '../client/http/call.ts';
import type {Provider} from '../contract/provider.ts';
import {type Explanation, explain, type Next, PulsetopError} from '../errors.ts';
import type {Caps} from './caps.ts';
import type {ChainReader} from './chain-reader.ts';
import {assertChecks, type Check, CheckFailed, type CheckResult, failedTitles, runChecks} from './check.ts';
import {isContract} from './contract-code.ts';
import type {Journal} from './journal.ts';
import type {PinRole} from './known-contracts.ts';
import {type NewContract, newContracts, type Pins, type PlannedContract} from './pins.ts';
import type {Signer} from './signer.ts';

/** A step that does not fit the state of its flow. Each flow has its own code. */
export abstract class NotNow extends PulsetopError {
	constructor(step: string, reason: {readonly why: string; readonly next: Next; readonly advice?: string}) {
		super(`This cannot be done now: ${step}`, reason);
	}
}

/** Another run of the program has the claim: that run signs and sends, this one does neither. */
export abstract class AlreadyClaimed extends PulsetopError {
	constructor(what: string, why: string) {
		super(what, {why, next: 'poll-status'});
	}
}

/** What every money flow works with. */
export interface FlowOptions {
	readonly call: Call;
	readonly clock: Clock;
	readonly signer: Signer;
	/** Address of the wallet. */
	readonly address: string;
	readonly chains: ChainReader;
	readonly caps: Caps;
	readonly pins: Pins;
	readonly journal: Journal;
	/** Names of the service; the neutral ones by default. */
	readonly provider?: Provider;
	/** Whether nothing is signed unless the user's node shows what would move. */
	readonly requiresSimulation?: boolean;
	/** Between two readings of a status, ms; default 1000. */
	readonly pollMs?: number;
}

/** One line of a review, in plain words. */
export interface ReviewLine {
	readonly label: string;
	readonly text: string;
	/** Worth a second look: shown in another tone. */
	readonly isMarked?: true;
}

/** What every flow has for a screen to draw; each flow adds its own. */
export interface FlowView<State, Plan> {
	readonly state: State;
	/** What would be signed; undefined before the first review. */
	readonly plan?: Plan;
	readonly checks: readonly CheckResult[];
	readonly lines: readonly ReviewLine[];
	/** Contracts that must be accepted before the checks can pass: their first use on this chain. */
	readonly toAccept: readonly NewContract[];
	/** The last failure. */
	readonly problem?: Explanation;
}

/** The parts of a view that a review sets, before the first review. */
export const NO_REVIEW = {checks: [], lines: [], toAccept: []} as const;

/** How a reading is made. */
export interface ReadMode {
	readonly signal?: AbortSignal;
	/** Whether the service may hold its answer until something changes. */
	readonly canHold: boolean;
}

const POLL_MS = 1000;
const MAX_POLL_MS = 15_000;

/**
 * A money flow: from a plan to the proven end of what was signed. The order of the steps, and with it every promise about
 * money, is the same for all flows and stands here; a flow adds its parts, the abstract members below.
 *
 * A plan is signed only after every check passed on fresh data, and only after the journal has a claim on what it moves,
 * written under the lock of the journal. A signature is sent once. Whatever the answer is, the end is read, never sent
 * again. Limits are given back only when certainly nothing moved.
 */
export abstract class MoneyFlow<State, Plan, View extends FlowView<State, Plan>, Signed, Outcome> {
	protected readonly options: FlowOptions;
	readonly #listeners = new Set<() => void>();
	#view: View;

	constructor(options: FlowOptions, view: View) {
		this.options = options;
		this.#view = view;
	}

	// The machine: pure transitions. One that does not fit the state returns the same object.

	protected abstract signingStarted(state: State): State;
	protected abstract signingFailed(state: State): State;
	protected abstract sendingStarted(state: State, signed: Signed): State;
	protected abstract answered(state: State, outcome: Outcome): State;
	/** The checks of a review ran. */
	protected abstract checked(state: State, isReady: boolean): State;
	/** Whether something was sent whose end is to be read. */
	protected abstract isPending(state: State): boolean;
	/** Whether only the service says how it ended. That is waited for as long as for a service that does not answer. */
	protected abstract isUnproven(state: State): boolean;
	/** Whether certainly nothing moved, so that the limits are given back. */
	protected abstract isNothing(state: State): boolean;

	// The plan.

	/** What must pass before anything is signed, in the order of the review. */
	protected abstract readonly checks: readonly Check<Plan>[];
	/** The plan of the view again, with everything read again. @throws ChainUnread, CheckFailed */
	protected abstract freshPlan(): Promise<Plan>;
	/** What the view shows of a plan besides its checks: the lines of the review. */
	protected abstract shown(plan: Plan): Partial<View>;
	/** The contracts that a person may accept on first use, and their chain. */
	protected abstract contractsOf(plan: Plan): {
		readonly chainId: string;
		readonly contracts: readonly PlannedContract[];
	};

	// The journal and the limits.

	/** Claims in the journal what the plan moves. False when another run has the claim. */
	protected abstract claim(plan: Plan): boolean;
	/** Gives a claim back, with what the signer counted for it: nothing was sent. */
	protected abstract unclaim(plan: Plan): void;
	/** Writes the answer of the POST down. @param state the state that it led to */
	protected abstract recordAnswer(outcome: Outcome, state: State): void;
	/** Writes a reading down, where it is news. */
	protected abstract recordReading(before: State, after: State): void;
	/** Gives back what the signer counted. */
	protected abstract releaseLimits(): void;

	// The wire.

	/** Signs, and writes down what the journal needs before the POST. */
	protected abstract sign(plan: Plan): Promise<Signed>;
	/** Sends, once. */
	protected abstract post(signed: Signed): Promise<Outcome>;
	/** What became of a POST that threw. */
	protected abstract failedOutcome(error: unknown): Outcome;
	/** Reads status and chains: the state that they lead to. */
	protected abstract readState(state: State, mode: ReadMode): Promise<State>;

	// The words.

	/** How things stand when nothing was sent, and how it can be asked for again. */
	protected abstract readonly standing: {readonly unsent: string; readonly again: string};
	/** The error for a step that does not fit the state. */
	protected abstract notNow(step: string): PulsetopError;
	/** The error for what another run has claimed. */
	protected abstract alreadyClaimed(): AlreadyClaimed;

	get view(): View {
		return this.#view;
	}

	subscribe(listener: () => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	/**
	 * Signs and sends; returns when the service answered. From then on `watch` reads the end.
	 * @throws CheckFailed: the view is the review of what was checked then, and nothing was sent
	 */
	async execute(): Promise<void> {
		this.become(this.signingStarted(this.state), 'signing');
		let plan: Plan | undefined;
		let claimed: Plan | undefined;
		let signed: Signed;
		try {
			plan = await this.planToSign();
			assertChecks(this.checks, plan);
			this.assertSigning();
			if (!this.claim(plan)) throw this.alreadyClaimed();
			claimed = plan;
			signed = await this.sign(plan);
			this.assertSigning();
		} catch (error) {
			// What another run claims and counts stays.
			if (claimed !== undefined && !(error instanceof AlreadyClaimed)) this.unclaim(claimed);
			// While it is still signing: what failed is not ready by being shown.
			if (plan !== undefined && error instanceof CheckFailed) this.show(plan);
			this.become(this.signingFailed(this.state));
			const failure = error instanceof CheckFailed ? error.standing(this.standing) : error;
			this.fail(failure);
			throw failure;
		}
		this.become(this.sendingStarted(this.state, signed));
		let outcome: Outcome;
		try {
			outcome = await this.post(signed);
		} catch (error) {
			this.fail(error);
			outcome = this.failedOutcome(error);
		}
		this.become(this.answered(this.state, outcome));
		this.settle();
		// Without this line a new start only reads, which is safe.
		this.recordAnswer(outcome, this.state);
	}

	/**
	 * Reads until the end is known, until the signal, or until nothing answered for `silentMs` (for ever, by default).
	 * Waits longer and longer while nothing answers.
	 */
	async watch(signal?: AbortSignal, silentMs = Number.POSITIVE_INFINITY): Promise<State> {
		const {pollMs = POLL_MS} = this.options;
		let failures = 0;
		let newsMs = performance.now();
		while (this.isPending(this.state) && signal?.aborted !== true && performance.now() - newsMs < silentMs) {
			try {
				await this.#read({canHold: true, ...(signal && {signal})});
				const isUnproven = this.isUnproven(this.state);
				failures = isUnproven ? failures + 1 : 0;
				if (!isUnproven) newsMs = performance.now();
			} catch (error) {
				if (signal?.aborted) break;
				if (!(error instanceof PulsetopError)) throw error;
				failures++;
				this.fail(error);
			}
			if (!this.isPending(this.state)) break;
			await sleep(pollDelayMs(pollMs, failures, MAX_POLL_MS), undefined, signal ? {signal} : {}).catch(() => {});
		}
		return this.state;
	}

	/** Reads once, as it is now. */
	protected async readNow(): Promise<State> {
		if (this.isPending(this.state)) await this.attempt(() => this.#read({canHold: false}));
		return this.state;
	}

	/** Accepts a contract of the plan on first use, and reviews again. @param typed end of its fingerprint */
	protected async acceptContract(role: PinRole, typed: string): Promise<void> {
		const {plan} = this.view;
		const {chainId, contracts} = plan ? this.contractsOf(plan) : {chainId: '', contracts: []};
		const planned = contracts.find(contract => contract.role === role);
		if (planned?.verdict.kind !== 'unknown' || !isContract(planned.found)) throw this.notNow(`accepting a ${role}`);
		const {pins, journal} = this.options;
		const {found} = planned;
		pins.accept(chainId, role, found, typed);
		journal.append('pin.accepted', chainId, {role, address: found.address, codeHash: found.hash});
		await this.review();
	}

	/** Reads everything again and runs every check. */
	protected async review(): Promise<void> {
		await this.attempt(async () => this.show(await this.freshPlan()));
	}

	/** The plan that is signed when all its checks pass. */
	protected planToSign(): Promise<Plan> {
		return this.freshPlan();
	}

	protected get state(): State {
		return this.#view.state;
	}

	/** The person may have gone back while something was read. */
	protected assertSigning(): void {
		// Only the phase `signing` can fail to be signed.
		if (this.signingFailed(this.state) === this.state) throw this.notNow('sending');
	}

	/** Runs every check of a plan and shows the results. */
	protected show(plan: Plan): void {
		const checks = runChecks(this.checks, plan);
		const state = this.checked(
			this.state,
			checks.every(({ok}) => ok),
		);
		const toAccept = newContracts(this.contractsOf(plan).contracts);
		const {problem: _, ...view} = this.#view;
		this.set({...view, plan, checks, toAccept, ...this.shown(plan), state} as unknown as View);
	}

	/** Why something can't be done: the checks that failed, else the phase. */
	protected whyNot(otherwise: string): string {
		const failed = failedTitles(this.#view.checks);
		return failed === undefined ? otherwise : `these checks failed: ${failed}`;
	}

	/** Gives limits back where certainly nothing moved. */
	protected settle(state = this.state): void {
		if (this.isNothing(state)) this.releaseLimits();
	}

	protected async attempt(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			this.fail(error);
			throw error;
		}
	}

	protected fail(error: unknown): void {
		this.set({...this.#view, problem: explain(error)});
	}

	protected forgetProblem(): void {
		const {problem: _, ...view} = this.#view;
		this.set(view as View);
	}

	/** @param step when given, a transition that changed nothing is an error: the step does not fit */
	protected become(state: State, step?: string): void {
		if (state !== this.state) this.set({...this.#view, state});
		else if (step !== undefined) throw this.notNow(step);
	}

	protected set(view: View): void {
		this.#view = view;
		for (const listener of [...this.#listeners]) listener();
	}

	async #read(mode: ReadMode): Promise<void> {
		const before = this.state;
		const after = await this.readState(before, mode);
		// Another attempt began meanwhile, or nothing is new.
		if (this.state !== before || after === before) return;
		// Before it is written down: nobody reads again what has an end in the journal, so that limits would stay counted.
		this.settle(after);
		// On the disk before it is shown: what was once known to have ended stays so.
		this.recordReading(before, after);
		this.become(after);
	}
}
