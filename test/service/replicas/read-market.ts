import {setTimeout as pause} from 'node:timers/promises';
import type {AppliedMarket} from '../../../source/service/log/applied-market.ts';
import type {EventLog} from '../../../source/service/log/event-log.ts';
import type {LogEntry} from '../../../source/service/log/log-entry.ts';
import type {ChainResume, EventSink, EventSource, SourceFact} from '../../../source/service/market/event-source.ts';

/** A market of a replica as far as its leaders know it: it reads the log, and keeps where each chain stands. */
export class ReadMarket implements AppliedMarket {
	readonly entries: LogEntry[] = [];
	readonly #log: EventLog;
	readonly #batches = new Map<string, (ChainResume & {readonly toBlock: number})[]>();
	readable = true;
	/** Applies nothing more, as a replica whose disk is full. */
	isStill = false;
	#isClosed = false;

	constructor(log: EventLog) {
		this.#log = log;
		void this.#run();
	}

	appliedSeq(): number {
		return this.entries.at(-1)?.seq ?? 0;
	}

	isReadable(): boolean {
		return this.readable;
	}

	beganToLead(): void {}

	async untilWarm(signal: AbortSignal): Promise<void> {
		while (!this.readable || this.isStill) await pause(5, undefined, {signal});
	}

	async untilApplied(seq: number, signal: AbortSignal): Promise<void> {
		while (this.appliedSeq() < seq) await pause(5, undefined, {signal});
	}

	resumeOf(): ReadonlyMap<string, ChainResume> {
		return new Map(
			[...this.#batches].flatMap(([chainId, batches]) => (batches.length > 0 ? [[chainId, batches.at(-1)!]] : [])),
		);
	}

	factsOf(chainId: string): readonly SourceFact[] {
		return this.#batches.get(chainId)?.flatMap(({facts}) => facts) ?? [];
	}

	close(): void {
		this.#isClosed = true;
	}

	async #run(): Promise<void> {
		while (!this.#isClosed) {
			const entries = await this.#log.read(this.appliedSeq(), 500).catch(() => []);
			if (!this.isStill) for (const entry of entries) this.#apply(entry);
			if (entries.length === 0 || this.isStill) await pause(10);
		}
	}

	#apply(entry: LogEntry): void {
		this.entries.push(entry);
		const {record} = entry;
		if (record.kind === 'batch') {
			const {chainId, toBlock, cursor, facts} = record.batch;
			this.#batches.set(chainId, [...(this.#batches.get(chainId) ?? []), {toBlock, cursor, facts}]);
		} else if (record.kind === 'take-back') {
			const left = this.#batches.get(record.chainId)?.filter(({toBlock}) => toBlock < record.fromBlock) ?? [];
			this.#batches.set(record.chainId, left);
		}
	}
}

/** A chain whose every block is a batch. Its cursor says who read it, and goes on where the last one ended. */
export class CountedChain implements EventSource {
	readonly #name: string;
	readonly #chainId: string;
	readonly #blockMs: number;
	readonly #ended = Promise.withResolvers<unknown>();
	readonly ended = this.#ended.promise;
	#running: Promise<void> | undefined;
	#isStopped = false;
	/** What the sink answered with when it refused. */
	failure: unknown;
	isRunning = false;

	constructor(name: string, {chainId = 'evm:1', blockMs = 5} = {}) {
		this.#name = name;
		this.#chainId = chainId;
		this.#blockMs = blockMs;
	}

	start(sink: EventSink, resume: ReadonlyMap<string, ChainResume>): void {
		this.isRunning = true;
		this.#running = this.#run(sink, (resume.get(this.#chainId)?.toBlock ?? 0) + 1)
			.catch(error => {
				this.failure = error;
			})
			.finally(() => {
				this.isRunning = false;
			});
	}

	async stop(): Promise<void> {
		this.#isStopped = true;
		await this.#running;
	}

	/** Ends, as a source does whose program makes a mistake. */
	end(why: Error): void {
		this.#isStopped = true;
		this.#ended.resolve(why);
	}

	async #run(sink: EventSink, from: number): Promise<void> {
		for (let block = from; !this.#isStopped; block++) {
			const chainId = this.#chainId;
			const facts = [{key: `block:${block}`, block, value: `"${this.#name}"`}];
			await sink.append({chainId, fromBlock: block, toBlock: block, events: [], facts, cursor: this.#name});
			await pause(this.#blockMs);
		}
	}
}
