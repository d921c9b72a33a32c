import type {EvmNode, NodeOutcome} from '../../../rpc/evm/node.ts';
import {NodeRefused, NodeUnanswered} from '../../../rpc/node-errors.ts';
import type {Security} from '../../market/events.ts';
import type {OpenedPair} from './batch-reading.ts';
import {NodeBehind} from './stream-failures.ts';
import type {TokenFacts, TokenToAsk} from './token-facts.ts';
import {canActAs, readTrial, type Trial, type TrialResult, trialCall, trialFlags} from './trade-trial.ts';
import type {Address, Hex} from './venue.ts';

/** Flags from trials, by pair and by token. */
export type Trials = ReadonlyMap<Hex, Security>;

/** A call of a trial is 18 to 27 kB. */
const MAX_IN_REQUEST = 4;
/** So often a node may fail at trials while it answers other calls. */
const MAX_FAILURES = 2;

/**
 * Tries tokens by calls that put code to addresses, at the block that launched them and at no other: where a node has no state of
 * that block, or does not take such calls, nothing is known. Nodes that do not take them are not asked again.
 */
export class ContractSafety {
	readonly #node: EvmNode;
	readonly #wrapped: Address;
	/** Hosts that do not put code to addresses. */
	readonly #unable = new Set<string>();

	/** @param wrapped the token of the native coin */
	constructor(node: EvmNode, wrapped: Address) {
		this.#node = node;
		this.#wrapped = wrapped;
	}

	/**
	 * One call for each trial. A token that could not be sold while its owner's address had code gets a second call without that
	 * code, which may have been the reason.
	 * @param waits a node without the block may still receive the block: otherwise nothing is known
	 * @throws NodeUnanswered, NodeBehind
	 */
	async ask(trials: readonly Trial[], {waits}: {waits: boolean}): Promise<Trials> {
		const wrapped = this.#wrapped;
		const asked = trials
			.map(trial => ({...trial, owner: trial.owner && canActAs(trial.owner, {...trial, wrapped}) ? trial.owner : null}))
			.filter(({pair, owner}) => pair !== null || owner !== null);
		const results = await this.#run(asked, waits);
		const doubted = asked.filter(trial => trial.owner && isTrap(results.get(trial)));
		const again = new Map<Trial, Trial>(doubted.map(trial => [{...trial, owner: null}, trial]));
		for (const [alone, result] of await this.#run([...again.keys()], waits)) {
			const trial = again.get(alone)!;
			results.set(trial, {...result, mints: results.get(trial)!.mints});
		}
		const found = new Map<Hex, Security>();
		for (const [{token, pair, owner}, result] of results) {
			if (owner) found.set(token, result.mints ? {isMintable: true} : {});
			if (pair) found.set(pair, trialFlags(result));
		}
		return found;
	}

	async #run(trials: readonly Trial[], waits: boolean): Promise<Map<Trial, TrialResult>> {
		const results = new Map<Trial, TrialResult>();
		for (let at = 0; at < trials.length; at += MAX_IN_REQUEST) {
			if (this.#unable.has(this.#node.host)) break;
			const part = trials.slice(at, at + MAX_IN_REQUEST);
			const outcomes = await this.#answers(part);
			for (const [index, trial] of part.entries()) {
				const result = outcomes[index] && this.#read(outcomes[index], waits);
				if (result) results.set(trial, result);
			}
		}
		return results;
	}

	/** Nothing when the node fails at trials and at nothing else: following must not wait for them. */
	async #answers(trials: readonly Trial[]): Promise<readonly NodeOutcome[]> {
		const calls = trials.map(trial => trialCall(trial, this.#wrapped));
		for (let failures = 1; ; failures++) {
			try {
				return await this.#node.calls(calls);
			} catch (error) {
				if (!(error instanceof NodeUnanswered)) throw error;
				// Answered: the node is there.
				await this.#node.call('eth_chainId', []);
				if (!error.tooMuch && failures < MAX_FAILURES) continue;
				this.#unable.add(this.#node.host);
				return [];
			}
		}
	}

	#read(outcome: NodeOutcome, waits: boolean): TrialResult | undefined {
		if (outcome.ok) {
			// No code where it was put: the parameter was skipped.
			if (outcome.result === '0x') this.#unable.add(this.#node.host);
			return readTrial(outcome.result);
		}
		const {error} = outcome;
		if (!(error instanceof NodeRefused)) return undefined;
		if (error.meaning.kind === 'lagging') {
			if (waits) throw new NodeBehind(error.why);
		} else if (isUnable(error)) this.#unable.add(this.#node.host);
		return undefined;
	}
}

/**
 * The trials that the tokens and pairs of a batch need.
 * @param isVenue whether an address is a launchpad: what one owns is minted by its rules, not by the token's
 */
export function trialsOf(
	{tokens, pairs}: {readonly tokens: readonly TokenToAsk[]; readonly pairs: readonly OpenedPair[]},
	facts: ReadonlyMap<Address, TokenFacts>,
	isVenue: (address: Address) => boolean,
): readonly Trial[] {
	const trials = new Map<string, Trial>();
	for (const {token, block} of tokens) {
		const owner = facts.get(token)?.owner ?? null;
		trials.set(`${token} ${block}`, {token, block, pair: null, owner: owner && isVenue(owner) ? null : owner});
	}
	for (const {token, block, pair} of pairs) {
		const key = `${token} ${block}`;
		trials.set(key, {token, block, owner: trials.get(key)?.owner ?? null, pair});
	}
	return [...trials.values()];
}

function isTrap(result: TrialResult | undefined): boolean {
	return result !== undefined && trialFlags(result)['isHoneypot'] === true;
}

/** Whether the node refuses the parameter, and not only this token. */
function isUnable(error: NodeRefused): boolean {
	if (error.meaning.kind === 'unknown-method' || error.rpcCode === -32602) return true;
	return /overrid|too many (?:arg|param)|(?:arguments|params|parameters)\b[^.]*(?:expected|most|invalid)|invalid (?:arg|param)|expected \d+ (?:arg|param)/i.test(
		error.nodeMessage,
	);
}
