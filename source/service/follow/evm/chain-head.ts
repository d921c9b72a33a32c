import type {EvmNode, NodeOutcome} from '../../../rpc/evm/node.ts';
import {MACHINE_CLOCK, type NodeClock} from '../../../rpc/node-clock.ts';
import {NodeAnswerWrong} from '../../../rpc/node-errors.ts';
import {type BloomedHeader, readHeader} from './header.ts';
import {Stalled} from './stream-failures.ts';

/** Where nodes know no finality, a block counts as final at this distance from the head. */
const FINAL_DEPTH = 128;
const FINALITY_EVERY_MS = 15_000;
const LAG_MS = 15_000;
const MIN_LAG_BLOCKS = 5;
const MAX_CACHED = 256;

type FinalityTag = 'finalized' | 'safe' | 'none';

/** The newest block of a chain, and the newest that is final. */
export class ChainHead {
	readonly #node: EvmNode;
	readonly #clock: NodeClock;
	readonly #lagBlocks: number;
	readonly #tags = new Map<string, FinalityTag>();
	/** Heads as they were when they were read. */
	readonly #cache = new Map<number, BloomedHeader>();
	#head: BloomedHeader | undefined;
	#highest = -1;
	#tagged: number | undefined;
	#finalRead = -1;
	#askFinalityMs = 0;
	/** Whether the last reading brought the head of the one before. */
	isUnchanged = false;

	constructor({node, blockTimeMs, clock = MACHINE_CLOCK}: {node: EvmNode; blockTimeMs: number; clock?: NodeClock}) {
		this.#node = node;
		this.#clock = clock;
		this.#lagBlocks = Math.max(MIN_LAG_BLOCKS, Math.ceil(LAG_MS / blockTimeMs));
	}

	get number(): number | null {
		return this.#head?.number ?? null;
	}

	/** The newest block that is final on the node's chain: as it says, or by depth; null when unknown. */
	get final(): number | null {
		return this.#tagged ?? (this.#head && this.#head.number > FINAL_DEPTH ? this.#head.number - FINAL_DEPTH : null);
	}

	/** The newest block that was read and is final; -1 for none. It never goes back: what is final is not undone. */
	get finalRead(): number {
		return this.#finalRead;
	}

	/**
	 * Says that a block was read, and is on the chain whose head was read last. Only such a block becomes final, whatever a
	 * node claims.
	 */
	settle(block: number): void {
		this.#finalRead = Math.max(this.#finalRead, Math.min(this.final ?? -1, block));
	}

	/** Why the head is not believed to be the newest; undefined while it is. */
	get lag(): string | undefined {
		const behind = this.#highest - (this.#head?.number ?? 0);
		return behind >= this.#lagBlocks
			? `${this.#node.host} is ${behind} blocks behind a head that was seen before`
			: undefined;
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
	 * @throws Stalled when the head is older than a final block that was read
	 */
	async read(): Promise<BloomedHeader> {
		const nowMs = this.#clock.nowMs();
		const tag = this.#tags.get(this.#node.host) ?? 'finalized';
		const asksFinality = nowMs >= this.#askFinalityMs && tag !== 'none';
		const outcomes = await this.#node.calls([
			{method: 'eth_getBlockByNumber', params: ['latest', false]},
			...(asksFinality ? [{method: 'eth_getBlockByNumber', params: [tag, false]}] : []),
		]);
		const head = readTagged(outcomes[0]!);
		if (head === undefined) throw new NodeAnswerWrong('eth_getBlockByNumber', `${this.#node.host} has no newest block`);
		if (asksFinality) this.#readFinality(outcomes[1]!, tag, head, nowMs);
		if (head.number < this.#finalRead) {
			throw new Stalled(
				`the newest block of ${this.#node.host} is ${head.number}, older than block ${this.#finalRead}, which was final: nothing is taken back`,
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
		this.#highest = Math.max(this.#highest, head.number);
		this.#cache.set(head.number, head);
		if (this.#cache.size > MAX_CACHED) this.#cache.delete(this.#cache.keys().next().value!);
	}
}

/** @throws the refusal or failure of the call, NodeAnswerWrong */
function readTagged(outcome: NodeOutcome): BloomedHeader | undefined {
	if (!outcome.ok) throw outcome.error;
	return readHeader(outcome.result);
}
