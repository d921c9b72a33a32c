import type {Hex} from 'viem';
import {coinOf} from '../../chains/chains.ts';
import {PREDICTION} from '../../contract/prediction.ts';
import {PulsetopError} from '../../errors.ts';
import {createStore} from '../../store.ts';
import {SEE_ACCOUNT, TYPE_AGAIN} from '../advice.ts';
import type {Spend} from '../caps.ts';
import {isKnown, readReceipt} from '../chain-proof.ts';
import {NodeRefused} from '../chain-reader.ts';
import {assertChecks, CheckFailed} from '../check.ts';
import {readClock} from '../checks.ts';
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
	problemForgotten,
	whyNot,
} from '../flow.ts';
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

/** The confirming text is another than the review asks for. */
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

/** The actions on the smart account of a wallet: make it, fill it, empty it. One transaction after another. */
export interface PredictionFlow extends MoneyFlow<PredictionState, PredictionView> {
	/** Reads wallet and account. */
	read(): Promise<PredictionFacts>;
	/**
	 * Asks the service for a proposal and checks it.
	 * @param typed amount as typed; not for a deployment
	 * @throws BadAmount; NotNow for an action that the account, as it is, has no use for
	 */
	build(action: PredictionAction, typed?: string): Promise<void>;
	/** Accepts the factory on first use. @param typed last six characters of its fingerprint */
	accept(typed: string): Promise<void>;
	/** Checks everything again, signs, writes the journal and sends. @param typed see confirmationText. @throws PredictionNotConfirmed */
	execute(typed?: string): Promise<void>;
	/** Goes back to the choice of an action. */
	dismiss(): void;
	/** Resumes a transaction of the journal: its end is only read. */
	resume(hash: string): void;
}

export function createPredictionFlow(options: PredictionFlowOptions): PredictionFlow {
	const {call, clock, signer, address, chains, caps, pins, journal, requiresSimulation = false, place} = options;
	const {chainId} = place;
	const account = accountOf(place.factory, address);
	const store: FlowStore<PredictionView> = createStore<PredictionView>({state: CHOOSING, place, ...NO_REVIEW});
	let requested: {readonly action: PredictionAction; readonly amount?: StableAmount} | undefined;
	/** The nonce that is claimed in the journal, and its spends that count against the limits. */
	let claimed: {readonly lane: PredictionLane; readonly seq: number; readonly spends: readonly Spend[]} | undefined;
	/** The purpose of the transaction that is under way. */
	let promise: PredictionPromise | undefined;

	const stateNow = (): PredictionState => store.get().state;
	const notNow = (step: string) =>
		new PredictionNotNow(step, whyNot(store.get(), `the transaction is ${stateNow().phase}`));

	async function readFacts(): Promise<PredictionFacts> {
		const {stablecoin} = place;
		const [there, own, accountRaw, walletRaw, coinsRaw, {data: reported}] = await Promise.all([
			chains.account(chainId, account),
			chains.account(chainId, address),
			chains.balance(chainId, stablecoin, account),
			chains.balance(chainId, stablecoin, address),
			chains.coins(chainId, address),
			call('vaultStatus', {query: {wallet: address}}),
		]);
		return {
			owner: address,
			account,
			isDeployed: there.kind === 'contract',
			accountRaw,
			walletRaw,
			coinsRaw,
			nonce: own.nonce,
			reported: {deployed: reported.deployed, account: reported.vaultAddress},
		};
	}

	async function read(): Promise<PredictionFacts> {
		const facts = await readFacts();
		store.apply(view => ({...view, facts}));
		return facts;
	}

	/** Reads everything that a proposal is held against, now. */
	async function planOf(
		proposal: PredictionPlan['proposal'],
		builtAtMs: number,
		signed?: NonNullable<PredictionPlan['signed']>,
	): Promise<PredictionPlan> {
		const {action, amount} = requested!;
		const [facts, fees, contract] = await Promise.all([
			readFacts(),
			readFees(chains, chainId),
			planContract({chains, pins}, chainId, 'vault factory', place.factory),
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
		const [gas, simulation] = await Promise.all([gasOf(draft), tried(draft)]);
		const measured = {...draft, ...gas, ...(simulation && {simulation})};
		const refusals = spendsOf(measured).flatMap(spend => caps.refusal(spend) ?? []);
		return {...measured, ...(refusals.length > 0 && {capRefusal: refusals.join('; ')})};
	}

	/** The gas that the call needs, or why the node would not run it. A deployment can't be tried before it is signed. */
	async function gasOf(draft: PredictionPlan): Promise<Pick<PredictionPlan, 'gas' | 'gasProblem'>> {
		const transaction = transactionOf(draft);
		if (!transaction) return {gas: MAX_GAS};
		try {
			const {to, calldata} = transaction;
			return {gas: await estimateGas(chains, chainId, {from: address, to, data: calldata as Hex})};
		} catch (error) {
			if (error instanceof NodeRefused) return {gasProblem: error.said};
			throw error;
		}
	}

	async function tried(draft: PredictionPlan): Promise<Simulation | undefined> {
		const transaction = transactionOf(draft);
		if (!transaction) return undefined;
		const calls = [{to: transaction.to, data: transaction.calldata}];
		return simulateCalls(chains, chainId, {from: address, calls, owners: [account]});
	}

	function record({hash, phase, said}: PredictionState): void {
		journal.append('vault.status', hash!, {phase, ...(said !== undefined && {said})});
	}

	const releaseLimits = (): void => {
		for (const {id} of claimed?.spends ?? []) caps.release(id);
	};

	const parts: FlowParts<PredictionState, PredictionPlan, PredictionView, SignedTransaction, SendOutcome> = {
		machine: {
			checked: phases.checked,
			signingStarted: phases.signingStarted,
			signingFailed: phases.signingFailed,
			sendingStarted: machine.sendingStarted,
			answered: machine.answered,
			isPending: ({phase}) => phase === 'sent',
			/** The service has no part in how a transaction ends. */
			isUnproven: () => false,
			isNothing: ({phase}) => phase === 'refused',
		},
		plan: {
			async fresh() {
				const {plan: built} = store.get();
				if (!built) throw notNow('signing');
				return planOf(built.proposal, built.builtAtMs);
			},
			checksOf: () => PREDICTION_CHECKS,
			shown: built => ({facts: built.facts, lines: predictionLines(built)}),
			contractsOf: ({contract}) => ({chainId, contracts: [contract]}),
		},
		claims: {
			claim({facts: {owner, nonce}}) {
				const reviewed = store.get().plan!;
				// Another nonce means another transaction than the reviewed one.
				if (nonce !== reviewed.facts.nonce) {
					const why = 'this wallet sent another transaction since the review';
					throw new CheckFailed('nonce', 'account nonce', why, 'requote');
				}
				const lane = {chainId, owner, nonce};
				const seq = claimLane(journal, lane);
				if (seq === undefined) return false;
				claimed = {lane, seq, spends: spendsOf(reviewed)};
				return true;
			},
			unclaim() {
				const {lane, seq} = claimed!;
				unclaimLane(journal, lane, seq);
				releaseLimits();
			},
			releaseLimits,
			recordAnswer(_, state) {
				if (state.phase === 'refused') record(state);
			},
			recordReading: (_, after) => record(after),
		},
		wire: {
			/** The transaction; for a deployment first the typed data, then the transaction that carries it. */
			async sign(fresh, {assertSigning}) {
				const {lane, seq, spends} = claimed!;
				const reviewed = store.get().plan!;
				let signed = fresh;
				if (signed.action === 'deploy') {
					const {signature} = await signer.signDeploy(place.factory);
					const {data: transaction} = await call('deploySubmit', {body: {address, signature}});
					signed = await planOf(reviewed.proposal, reviewed.builtAtMs, {signature, transaction});
					assertChecks(PREDICTION_CHECKS, signed);
				}
				const {to, calldata} = transactionOf(signed)!;
				const {gas, fees} = withinReviewed(reviewed, signed);
				const deposit = spends.find(({token}) => token !== 'native');
				if (deposit) caps.reserve(deposit);
				const {nonce} = lane;
				const {raw, hash} = await signer.signTransaction(
					{chainId: PREDICTION.chainId, to: to as Hex, data: calldata as Hex, valueRaw: 0n, nonce, gas, ...fees},
					spends[0]!.id,
				);
				const {action, amountRaw, facts} = signed;
				store.apply(view => ({...view, plan: signed, facts, lines: predictionLines(signed)}));
				assertSigning();
				const amount = amountRaw === undefined ? {} : {amountRaw: String(amountRaw)};
				promise = {action, owner: address, account: facts.account, ...amount};
				const unit = amountRaw === undefined ? {} : {symbol: place.symbol, decimals: place.decimals};
				const intended = {...promise, chainId, to, nonce, ...unit};
				// The journal has the hash before the wire: from here on the transaction may be mined.
				if (!intendAction(journal, lane, seq, hash, intended)) throw parts.words.alreadyClaimed(signed);
				return {raw, hash, nonce};
			},
			async post({raw}) {
				await chains.request(chainId, 'eth_sendRawTransaction', [raw]);
				return {kind: 'accepted'};
			},
			/**
			 * The refusal of a node is certain, other than that of a service: the transaction went to one node, the user's own choice, and a
			 * node does not forward a transaction that it refuses. After "already known" the chain decides.
			 */
			failedOutcome(error) {
				if (error instanceof NodeRefused && !/already|known/i.test(error.said))
					return {kind: 'refused', said: error.said};
				return {kind: 'no-answer', said: error instanceof PulsetopError ? error.why : 'an internal failure'};
			},
			async readState(state) {
				const {hash, nonce} = state;
				// The nonce first: a transaction that is mined between the two readings is not taken for a lost one.
				const {nonce: next} = await chains.account(chainId, address);
				const receipt = await readReceipt(chains, chainId, hash!);
				if (!receipt && (nonce === undefined || next <= nonce || (await isKnown(chains, chainId, hash!)))) return state;
				problemForgotten(store);
				if (!receipt) return machine.replaced(state);
				const isSeen = receipt.isSuccess && (await isKept(chains, place, promise!, receipt));
				return machine.mined(state, {...receipt, isKept: isSeen});
			},
		},
		words: {
			standing: {unsent: 'Nothing was sent.', again: 'Ask for it again.'},
			notNow,
			alreadyClaimed: () =>
				new NonceClaimed(
					'A transaction of this wallet is already being sent',
					'another run of pulsetop has taken its number; nothing was sent here',
				),
		},
	};
	const flow = createFlow(options, store, parts);

	return {
		get view() {
			return store.get();
		},
		subscribe: flow.subscribe,
		read,
		async build(action, typed = '') {
			if (isUnderWay(stateNow())) throw new PredictionNotNow('beginning something else', 'a transaction is under way');
			await flow.attempt(async () => {
				const amount = action === 'deploy' ? undefined : readAmount(typed, place.decimals);
				const facts = await read();
				if (action === 'withdraw' && !facts.isDeployed)
					throw new PredictionNotNow(
						'a withdrawal',
						'the account does not exist yet: what is sent to it would only cost gas',
					);
				if (action === 'deploy' && facts.isDeployed)
					throw new PredictionNotNow('creating the account', 'the account exists already');
				const {data: proposal} =
					amount === undefined
						? await call('deployBuild', {body: {address}})
						: await call(action === 'withdraw' ? 'withdrawBuild' : 'depositBuild', {
								body: {address, amount: amount.number},
							});
				requested = {action, ...(amount && {amount})};
				const state = machine.built(stateNow());
				store.apply(() => ({place, facts, state, ...NO_REVIEW}));
				flow.show(await planOf(proposal, clock.nowMs()));
			});
		},
		accept: typed => flow.accept('vault factory', typed),
		async execute(typed = '') {
			const {plan: reviewed} = store.get();
			if (!reviewed || phases.signingStarted(stateNow()) === stateNow()) throw notNow('signing');
			const expected = confirmationText(reviewed);
			if (typed.trim() !== expected) throw new PredictionNotConfirmed(expected);
			await flow.execute();
		},
		async watch(signal, silentMs) {
			const {phase} = await flow.watch(signal, silentMs);
			// The changed balances are shown; a failure to read them changes nothing about the end.
			if (phase === 'done' || phase === 'unseen') await read().catch(() => {});
			return stateNow();
		},
		dismiss() {
			const {facts} = store.get();
			const state = machine.dismissed(stateNow());
			if (state !== CHOOSING) throw new PredictionNotNow('going back', 'a transaction is under way');
			requested = undefined;
			store.apply(() => ({state, place, ...NO_REVIEW, ...(facts && {facts})}));
		},
		resume(hash) {
			const known = openPredictions(journal).find(action => action.hash === hash);
			if (!known || isUnderWay(stateNow()))
				throw new PredictionNotNow('taking it up', 'its end is known, or another is under way');
			promise = known;
			store.apply(() => ({place, state: known.state, ...NO_REVIEW}));
		},
	};
}

/** The spends that count against the limits: the gas, and the amount of a deposit. */
function spendsOf({action, amountRaw, place, gas, fees, facts}: PredictionPlan): readonly Spend[] {
	const {chainId} = place;
	const id = `vault ${facts.owner.toLowerCase()} ${facts.nonce}`;
	const amountOfGas = (gas ?? 0n) * fees.maxFeePerGas;
	const native = {id, chainId, token: 'native', symbol: coinOf(chainId), amountRaw: amountOfGas, decimals: 18};
	if (action !== 'deposit' || amountRaw === undefined) return [native];
	const {stablecoin: token, symbol, decimals} = place;
	return [native, {id: `${id} token`, chainId, token, symbol, amountRaw, decimals}];
}

/** The gas and the fees of the review: the highest cost that was shown is the highest cost that is signed. */
function withinReviewed(
	before: PredictionPlan,
	now: PredictionPlan,
): {readonly gas: bigint; readonly fees: PredictionPlan['fees']} {
	const gas = before.gas!;
	const needed = (now.gas! * 4n) / 5n;
	if (needed > gas || now.fees.maxFeePerGas > before.fees.maxFeePerGas * 2n)
		throw new CheckFailed('gas', 'gas', 'it became more expensive since the review', 'requote');
	return {gas, fees: before.fees};
}
