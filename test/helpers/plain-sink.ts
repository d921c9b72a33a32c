import type {
	ChainGap,
	ChainResume,
	EventBatch,
	EventSink,
	SourceFact,
	SourceReport,
} from '../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../source/service/market/events.ts';

/** A sink that only keeps what it gets, by the rules of the seam. */
export class PlainSink implements EventSink {
	batches: EventBatch[] = [];
	facts: SourceFact[] = [];
	readonly gaps: ChainGap[] = [];
	readonly forgotten: string[] = [];
	takenBack = 0;
	coverage: SourceReport | undefined;
	#events: {readonly block: number; readonly event: MarketEvent}[] = [];
	#listeners = new Set<() => void>();

	/** All events that were not taken back or forgotten, in their order. */
	get events(): readonly MarketEvent[] {
		return this.#events.map(({event}) => event);
	}

	append(batch: EventBatch): void {
		this.batches.push(batch);
		this.facts.push(...batch.facts);
		for (const event of batch.events) {
			this.#events.push({
				block: 'block' in event ? event.block : batch.toBlock,
				event: JSON.parse(JSON.stringify(event)),
			});
		}
		this.#notify();
	}

	takeBack(_chainId: string, fromBlock: number): readonly SourceFact[] {
		this.takenBack++;
		this.batches = this.batches.filter(({toBlock}) => toBlock < fromBlock);
		this.#events = this.#events.filter(({block}) => block < fromBlock);
		this.facts = this.facts.filter(({block}) => block < fromBlock);
		this.#notify();
		return newest(this.facts);
	}

	gap(gap: ChainGap): void {
		this.gaps.push(gap);
		this.#notify();
	}

	forget(_chainId: string, tokens: readonly string[]): void {
		this.forgotten.push(...tokens);
		this.#events = this.#events.filter(({event}) => !('token' in event && tokens.includes(event.token)));
		this.facts = this.facts.filter(({key}) => !tokens.some(token => key.startsWith(`token:${token}`)));
		this.#notify();
	}

	report(coverage: SourceReport): void {
		this.coverage = coverage;
		this.#notify();
	}

	/** What a source gets when it starts again. */
	resume(chainId: string): ReadonlyMap<string, ChainResume> {
		const last = this.batches.at(-1);
		return new Map(last && [[chainId, {cursor: last.cursor, toBlock: last.toBlock, facts: newest(this.facts)}]]);
	}

	/** Resolves when the condition holds; it is tried at each change. */
	async until(condition: (sink: this) => boolean): Promise<void> {
		while (!condition(this)) {
			await new Promise<void>(resolve => {
				const listener = (): void => {
					this.#listeners.delete(listener);
					resolve();
				};
				this.#listeners.add(listener);
			});
		}
	}

	#notify(): void {
		for (const listener of this.#listeners) listener();
	}
}

function newest(facts: readonly SourceFact[]): readonly SourceFact[] {
	const byKey = new Map<string, SourceFact>();
	for (const fact of facts) {
		byKey.delete(fact.key);
		byKey.set(fact.key, fact);
	}
	return [...byKey.values()];
}
