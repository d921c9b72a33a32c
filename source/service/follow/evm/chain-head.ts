import {type BloomedHeader, readHeader} from './header.ts';
import type {EvmNode, NodeOutcome} from './node.ts';
import {NodeAnswerWrong} from './node-errors.ts';
import {Stalled} from './stream-failures.ts';

/** Where nodes know no finality, a block counts as final at this distance from the head. */
const FINAL_DEPTH = 128;
const FINALITY_EVERY_MS = 15_000;
const LAG_MS = 15_000;
const LEAST_LAG_BLOCKS = 5;
/** A head that has gone back is believed when it stays so for this many readings. */
const SURE_READINGS = 3;
const MOST_CACHED = 256;

type FinalityTag = 'finalized' | 'safe' | 'none';

/** The newest block of a chain, and the newest that is final. */
export class ChainHead {
	readonly #node: EvmNode;
	readonly #lagBlocks: number;
	readonly #tags = new Map<string, FinalityTag>();
	/** Heads as they were when they were read. */
	readonly #cache = new Map<number, BloomedHeader>();
	#head: BloomedHeader | undefined;
	#highest = -1;
	#tagged: number | undefined;
	#finalized = -1;
	#askFinalityMs = 0;
	#lowerReadings = 0;
	/** Whether the last reading brought the head of the one before. */
	isUnchanged = false;

	constructor({node, blockTimeMs}: {node: EvmNode; blockTimeMs: number}) {
		this.#node = node;
		this.#lagBlocks = Math.max(LEAST_LAG_BLOCKS, Math.ceil(LAG_MS / blockTimeMs));
	}

	get number(): number | null {
		return this.#head?.number ?? null;
	}

	/** The newest block that was read and is final; -1 for none. It never goes back. */
	get finalized(): number {
		return this.#finalized;
	}

	/** As the node says it, or by depth; null before the first reading. */
	get shownFinalized(): number | null {
		return this.#tagged ?? (this.#head && this.#head.number > FINAL_DEPTH ? this.#head.number - FINAL_DEPTH : null);
	}

	/** Why the head is not believed to be the newest; undefined while it is. */
	get lag(): string | undefined {
		const behind = this.#highest - (this.#head?.number ?? 0);
		return behind >= this.#lagBlocks
			? `${this.#node.host} is ${behind} blocks behind a head that was seen before`
			: undefined;
	}

	/** Whether the chain became shorter, and it is not just that one of several nodes lags. */
	get isShorterForSure(): boolean {
		return this.#lowerReadings >= SURE_READINGS;
	}

	/** A head that was read before; it may have left the chain. */
	cached(number: number): BloomedHeader | undefined {
		return this.#cache.get(number);
	}

	/** Forgets what was said of heads: it contradicts what is read of them. */
	forget(): void {
		this.#cache.clear();
		this.#highest = -1;
		this.isUnchanged = false;
		this.#head = undefined;
	}

	/**
	 * Asks for the head, and now and then for finality.
	 * @param position the newest block that was read: only what was read becomes final, whatever a node claims
	 * @throws Stalled when the head is older than a final block
	 */
	async read(position: number | undefined): Promise<BloomedHeader> {
		const nowMs = performance.now();
		const tag = this.#tags.get(this.#node.host) ?? 'finalized';
		const asksFinality = nowMs >= this.#askFinalityMs && tag !== 'none';
		const outcomes = await this.#node.calls([
			{method: 'eth_getBlockByNumber', params: ['latest', false]},
			...(asksFinality ? [{method: 'eth_getBlockByNumber', params: [tag, false]}] : []),
		]);
		const head = readTagged(outcomes[0]!);
		if (head === undefined) throw new NodeAnswerWrong('eth_getBlockByNumber', `${this.#node.host} has no newest block`);
		if (asksFinality) this.#readFinality(outcomes[1]!, tag, head, nowMs);
		const tagged = this.#tags.get(this.#node.host) === 'none' ? head.number - FINAL_DEPTH : (this.#tagged ?? -1);
		this.#finalized = Math.max(this.#finalized, Math.min(tagged, position ?? -1));
		if (head.number < this.#finalized) {
			throw new Stalled(
				`the newest block of ${this.#node.host} is ${head.number}, older than block ${this.#finalized}, which was final: nothing is taken back`,
			);
		}
		this.#take(head);
		return head;
	}

	#readFinality(outcome: NodeOutcome, tag: FinalityTag, head: BloomedHeader, nowMs: number): void {
		let final: BloomedHeader | undefined;
		try {
			final = readTagged(outcome);
		} catch {}
		if (final !== undefined && final.number <= head.number) {
			this.#tagged = final.number;
			this.#tags.set(this.#node.host, tag);
			this.#askFinalityMs = nowMs + FINALITY_EVERY_MS;
		} else if (final === undefined) {
			this.#tagged = undefined;
			this.#tags.set(this.#node.host, tag === 'finalized' ? 'safe' : 'none');
		}
	}

	#take(head: BloomedHeader): void {
		this.isUnchanged = head.hash === this.#head?.hash;
		this.#head = head;
		this.#lowerReadings = head.number < this.#highest ? this.#lowerReadings + 1 : 0;
		this.#highest = Math.max(this.#highest, head.number);
		this.#cache.set(head.number, head);
		if (this.#cache.size > MOST_CACHED) this.#cache.delete(this.#cache.keys().next().value!);
	}
}

/** @throws the refusal or failure of the call, NodeAnswerWrong */
function readTagged(outcome: NodeOutcome): BloomedHeader | undefined {
	if (!outcome.ok) throw outcome.error;
	return readHeader(outcome.result);
}
