import {setTimeout as sleep} from 'node:timers/promises';
import type {Clock} from '../client/clock.ts';
import {pollDelayMs} from '../client/http/backoff.ts';
import type {Call} from '../client/http/call.ts';
import type {Provider} from '../contract/provider.ts';
import {type Explanation, explain, type Next, PulsetopError} from '../errors.ts';
import type {Store} from '../store.ts';
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

/** The dependencies of every money flow. */
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
	/** Whether a signature requires a simulation on the user's node. */
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

/** The view that every flow has for a screen; each flow adds its own members. */
export interface FlowView<State, Plan> {
	readonly state: State;
	/** The plan that would be signed; undefined before the first review. */
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

/** The view of a flow, which its parts and its steps change. */
export type FlowStore<View> = Pick<Store<View>, 'get' | 'subscribe' | 'apply'>;

/** Transitions, pure. One that does not fit the state returns the same object. */
interface FlowMachine<State, Signed, Outcome> {
	/** The checks of a review ran. */
	checked(state: State, isReady: boolean): State;
	/** Whether a plan may be reviewed now; always where it is left out. */
	mayReview?(state: State): boolean;
	signingStarted(state: State): State;
	signingFailed(state: State): State;
	sendingStarted(state: State, signed: Signed): State;
	answered(state: State, outcome: Outcome): State;
	/** Whether something was sent whose end is to be read. */
	isPending(state: State): boolean;
	/** Whether only the service says how it ended. That is waited for as long as for a service that does not answer. */
	isUnproven(state: State): boolean;
	/** Whether certainly nothing moved, so that the limits are given back. */
	isNothing(state: State): boolean;
}

/** Steps that a part may take while the wallet signs. */
interface Signing<Plan> {
	/** Runs every check of a plan and shows the results. */
	show(plan: Plan): void;
	/** @throws NotNow when the person has gone back while something was read */
	assertSigning(): void;
}

/** The plan, its checks, and how both are shown. */
interface FlowPlan<Plan, View> {
	/** The plan of the view again, with everything read again. @throws ChainUnread, CheckFailed */
	fresh(): Promise<Plan>;
	/** The plan that is signed when all its checks pass; the fresh one where it is left out. */
	toSign?(signing: Signing<Plan>): Promise<Plan>;
	/** The checks before a signature, in the order of the review. */
	checksOf(plan: Plan): readonly Check<Plan>[];
	/** The part of the view that shows a plan besides its checks: the lines of the review. */
	shown(plan: Plan, checks: readonly CheckResult[]): Partial<View>;
	/** The contracts that a person may accept on first use, and their chain. */
	contractsOf(plan: Plan): {readonly chainId: string; readonly contracts: readonly PlannedContract[]};
}

/** The journal and the limits. */
interface FlowClaims<State, Plan, Outcome> {
	/** Claims the plan's money in the journal. False when another run has the claim. */
	claim(plan: Plan): boolean;
	/** Gives a claim and its counted spends back: nothing was sent. */
	unclaim(plan: Plan): void;
	/** Gives back the spends that the signer counted. */
	releaseLimits(state: State): void;
	/** Writes the answer of the POST down. @param state the state that it led to */
	recordAnswer(outcome: Outcome, state: State): void;
	/** Writes a reading down, where it is news. */
	recordReading(before: State, after: State): void;
}

/** The signature, the POST, and the readings that follow. */
interface FlowWire<State, Plan, Signed, Outcome> {
	/** Signs, and writes the records that the journal needs before the POST. */
	sign(plan: Plan, signing: Signing<Plan>): Promise<Signed>;
	/** Sends, once. */
	post(signed: Signed): Promise<Outcome>;
	/** The outcome of a POST that threw. */
	failedOutcome(error: unknown): Outcome;
	/** Reads status and chains: the state that they lead to. */
	readState(state: State, mode: ReadMode): Promise<State>;
}

interface FlowWords<Plan> {
	/** How things stand when nothing was sent, and how it can be asked for again. */
	readonly standing: {readonly unsent: string; readonly again: string};
	/** The error for a step that does not fit the state. */
	notNow(step: string): NotNow;
	/** The error for a claim that another run has. */
	alreadyClaimed(plan: Plan): AlreadyClaimed;
}

/** The parts of one flow. A part knows the store of the flow and no step. */
export interface FlowParts<State, Plan, View, Signed, Outcome> {
	readonly machine: FlowMachine<State, Signed, Outcome>;
	readonly plan: FlowPlan<Plan, View>;
	readonly claims: FlowClaims<State, Plan, Outcome>;
	readonly wire: FlowWire<State, Plan, Signed, Outcome>;
	readonly words: FlowWords<Plan>;
}

/** A flow as windows and commands see it; each adds its own first steps. */
export interface MoneyFlow<State, View> {
	readonly view: View;
	/** Calls back after each change of the view. Returns the unsubscribe. */
	subscribe(listener: () => void): () => void;
	/**
	 * Signs and sends; returns when the service answered. From then on `watch` reads the end.
	 * @throws CheckFailed: the view shows the failed review, and nothing was sent
	 */
	execute(): Promise<void>;
	/**
	 * Reads until the end is known, until the signal, or until nothing answered for `silentMs` (for ever, by default).
	 * Waits longer and longer while nothing answers.
	 */
	watch(signal?: AbortSignal, silentMs?: number): Promise<State>;
}

/** The steps that all flows have, for the first steps of one of them. */
export interface FlowSteps<State, Plan, View> extends MoneyFlow<State, View> {
	/** Reads once, as it is now. */
	read(): Promise<State>;
	/** Reads everything again and runs every check. */
	review(): Promise<void>;
	/** Runs every check of a plan and shows the results. */
	show(plan: Plan): void;
	/** Accepts a contract of the plan on first use, and reviews again. @param typed end of its fingerprint */
	accept(role: PinRole, typed: string): Promise<void>;
	/** @param step when given, a transition that changed nothing is an error: the step does not fit */
	become(state: State, step?: string): void;
	/** Gives limits back where certainly nothing moved. */
	settle(): void;
	/** Does a piece of work; a failure is shown, and thrown. */
	attempt(work: () => Promise<void>): Promise<void>;
}

/** Shows a failure. */
export function problemShown<View extends FlowView<unknown, unknown>>(store: FlowStore<View>, error: unknown): void {
	store.apply(view => ({...view, problem: explain(error)}));
}

export function problemForgotten<View extends FlowView<unknown, unknown>>(store: FlowStore<View>): void {
	store.apply(({problem: _, ...view}) => view as View);
}

/** Why something can't be done: the checks that failed, else the phase. */
export function whyNot({checks}: Pick<FlowView<unknown, unknown>, 'checks'>, otherwise: string): string {
	const failed = failedTitles(checks);
	return failed === undefined ? otherwise : `these checks failed: ${failed}`;
}

/**
 * The steps of a money flow: from a plan to the proven end of the signed transaction. Their order, and with it every promise about
 * money, is the same for all flows and stands here; a flow gives its parts.
 *
 * A plan is signed only after every check passed on fresh data, and only after the journal has a claim on its money,
 * written under the lock of the journal. A signature is sent once. Whatever the answer is, the end is read, never sent
 * again. Limits are given back only when certainly nothing moved.
 */
export function createFlow<State, Plan, View extends FlowView<State, Plan>, Signed, Outcome>(
	{pollMs = POLL_MS, pins, journal}: Pick<FlowOptions, 'pollMs' | 'pins' | 'journal'>,
	store: FlowStore<View>,
	{machine, plan: plans, claims, wire, words}: FlowParts<State, Plan, View, Signed, Outcome>,
): FlowSteps<State, Plan, View> {
	const stateNow = (): State => store.get().state;
	const signing: Signing<Plan> = {show, assertSigning};

	function become(state: State, step?: string): void {
		if (state !== stateNow()) store.apply(view => ({...view, state}));
		else if (step !== undefined) throw words.notNow(step);
	}

	function assertSigning(): void {
		// Only the phase `signing` can fail to be signed.
		if (machine.signingFailed(stateNow()) === stateNow()) throw words.notNow('sending');
	}

	function show(plan: Plan): void {
		const checks = runChecks(plans.checksOf(plan), plan);
		const isReady = checks.every(({ok}) => ok);
		const toAccept = newContracts(plans.contractsOf(plan).contracts);
		const shown = {plan, checks, toAccept, ...plans.shown(plan, checks)};
		store.apply(({problem: _, ...view}) => {
			const state = machine.checked(view.state, isReady);
			return {...view, ...shown, state} as unknown as View;
		});
	}

	async function attempt(work: () => Promise<void>): Promise<void> {
		try {
			await work();
		} catch (error) {
			problemShown(store, error);
			throw error;
		}
	}

	function settle(state = stateNow()): void {
		if (machine.isNothing(state)) claims.releaseLimits(state);
	}

	async function readState(mode: ReadMode): Promise<void> {
		const before = stateNow();
		const after = await wire.readState(before, mode);
		// Another attempt began meanwhile, or nothing is new.
		if (stateNow() !== before || after === before) return;
		// Before it is written down: an end in the journal is not read again, so limits would stay counted.
		settle(after);
		// On the disk before it is shown: a known end stays known.
		claims.recordReading(before, after);
		become(after);
	}

	/** A plan that passed every check, claimed and signed. */
	async function signedPlan(): Promise<Signed> {
		let plan: Plan | undefined;
		let claimed: Plan | undefined;
		try {
			plan = await (plans.toSign?.(signing) ?? plans.fresh());
			assertChecks(plans.checksOf(plan), plan);
			assertSigning();
			if (!claims.claim(plan)) throw words.alreadyClaimed(plan);
			claimed = plan;
			const signed = await wire.sign(plan, signing);
			assertSigning();
			return signed;
		} catch (error) {
			// The claims and counts of another run stay.
			if (claimed !== undefined && !(error instanceof AlreadyClaimed)) claims.unclaim(claimed);
			// While it is still signing: showing a failed plan does not make it ready.
			if (plan !== undefined && error instanceof CheckFailed) show(plan);
			become(machine.signingFailed(stateNow()));
			const failure = error instanceof CheckFailed ? error.standing(words.standing) : error;
			problemShown(store, failure);
			throw failure;
		}
	}

	async function review(): Promise<void> {
		if (machine.mayReview?.(stateNow()) === false) throw words.notNow('reviewing');
		await attempt(async () => show(await plans.fresh()));
	}

	return {
		get view() {
			return store.get();
		},
		subscribe: store.subscribe,
		show,
		review,
		become,
		settle,
		attempt,
		async execute() {
			become(machine.signingStarted(stateNow()), 'signing');
			const signed = await signedPlan();
			become(machine.sendingStarted(stateNow(), signed));
			let outcome: Outcome;
			try {
				outcome = await wire.post(signed);
			} catch (error) {
				problemShown(store, error);
				outcome = wire.failedOutcome(error);
			}
			become(machine.answered(stateNow(), outcome));
			settle();
			// Without this line a new start only reads, which is safe.
			claims.recordAnswer(outcome, stateNow());
		},
		async watch(signal, silentMs = Number.POSITIVE_INFINITY) {
			let failures = 0;
			let newsMs = performance.now();
			while (machine.isPending(stateNow()) && signal?.aborted !== true && performance.now() - newsMs < silentMs) {
				try {
					await readState({canHold: true, ...(signal && {signal})});
					const isUnproven = machine.isUnproven(stateNow());
					failures = isUnproven ? failures + 1 : 0;
					if (!isUnproven) newsMs = performance.now();
				} catch (error) {
					if (signal?.aborted) break;
					if (!(error instanceof PulsetopError)) throw error;
					failures++;
					problemShown(store, error);
				}
				if (!machine.isPending(stateNow())) break;
				await sleep(pollDelayMs(pollMs, failures, MAX_POLL_MS), undefined, signal ? {signal} : {}).catch(() => {});
			}
			return stateNow();
		},
		async read() {
			if (machine.isPending(stateNow())) await attempt(() => readState({canHold: false}));
			return stateNow();
		},
		async accept(role, typed) {
			const {plan} = store.get();
			const {chainId, contracts} = plan ? plans.contractsOf(plan) : {chainId: '', contracts: []};
			const planned = contracts.find(contract => contract.role === role);
			if (planned?.verdict.kind !== 'unknown' || !isContract(planned.found)) throw words.notNow(`accepting a ${role}`);
			const {found} = planned;
			pins.accept(chainId, role, found, typed);
			journal.append('pin.accepted', chainId, {role, address: found.address, codeHash: found.hash});
			await review();
		},
	};
}
