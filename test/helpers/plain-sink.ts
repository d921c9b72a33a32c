import {setImmediate} from 'node:timers/promises';
import type {
	ChainGap,
	ChainResume,
	EventBatch,
	EventSink,
	SourceFact,
	SourceReport,
} from '../../source/service/market/event-source.ts';
import type {MarketEvent} from '../../source/service/market/events.ts';

/** A sink that only keeps what it gets, by the rules of the seam; each call takes a turn of the event loop. */
export class PlainSink implements EventSink {
	batches: EventBatch[] = [];
	facts: SourceFact[] = [];
	readonly gaps: ChainGap[] = [];
	readonly forgotten: string[] = [];
	takenBack = 0;
	coverage: SourceReport | undefined;
	#events: {readonly block: number; readonly event: MarketEvent}[] = [];
	#listeners = new Set<() => void>();
	#isBusy = false;

	/** All events that were not taken back or forgotten, in their order. */
	get events(): readonly MarketEvent[] {
		return this.#events.map(({event}) => event);
	}

	async append(batch: EventBatch): Promise<void> {
		await this.#turn();
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

	async takeBack(_chainId: string, fromBlock: number): Promise<readonly SourceFact[]> {
		await this.#turn();
		this.takenBack++;
		this.batches = this.batches.filter(({toBlock}) => toBlock < fromBlock);
		this.#events = this.#events.filter(({block}) => block < fromBlock);
		this.facts = this.facts.filter(({block}) => block < fromBlock);
		this.#notify();
		return newest(this.facts);
	}

	async gap(gap: ChainGap): Promise<void> {
		await this.#turn();
		this.gaps.push(gap);
		this.#notify();
	}

	async forget(_chainId: string, tokens: readonly string[]): Promise<void> {
		await this.#turn();
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

	/** Nothing is stored at once. @throws Error when the source did not wait for its call before */
	async #turn(): Promise<void> {
		if (this.#isBusy) throw new Error('a source made a call of its sink before the one before had ended');
		this.#isBusy = true;
		await setImmediate();
		this.#isBusy = false;
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
