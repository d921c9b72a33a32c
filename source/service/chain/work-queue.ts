import {SenderBusy} from './sender.ts';

/** Runs functions one after the other, in the order of the calls. */
export interface WorkQueue {
	/** Number of calls that are queued or running. */
	readonly length: number;
	/** @throws what `work` throws */
	run<T>(work: () => Promise<T>): Promise<T>;
	/** Resolves when fewer than `most` calls are queued or running. */
	shorterThan(most: number): Promise<void>;
}

export function createWorkQueue(): WorkQueue {
	let last: Promise<unknown> = Promise.resolve();
	const open: Promise<unknown>[] = [];
	return {
		get length() {
			return open.length;
		},
		run(work) {
			const done = last.then(work);
			last = done.catch(() => {});
			open.push(done);
			const remove = (): void => void open.splice(open.indexOf(done), 1);
			done.then(remove, remove);
			return done;
		},
		async shorterThan(most) {
			while (open.length >= most) await open[0]!.catch(() => {});
		},
	};
}

/** An item of a batch; `run` settles each one. */
export interface Job<In, Out> {
	readonly item: In;
	readonly resolve: (result: Out | Promise<Out>) => void;
	readonly reject: (error: unknown) => void;
}

/** Collects the items that are added while a batch runs, and runs them as the next batch. */
export interface BatchQueue<In, Out> {
	/**
	 * @param queueMs longest wait before the item's batch starts; default unlimited
	 * @throws what the item's job is rejected with; SenderBusy after `queueMs`: the item is in no batch
	 */
	add(item: In, queueMs?: number): Promise<Out>;
}

/**
 * @param run settles all jobs of a batch; must not throw
 * @param room resolves with the size limit of the next batch, at least 1
 */
export function createBatchQueue<In, Out>(
	run: (jobs: readonly Job<In, Out>[]) => Promise<void>,
	room: () => Promise<number>,
): BatchQueue<In, Out> {
	const waiting: (Job<In, Out> & {timer?: NodeJS.Timeout})[] = [];
	let isRunning = false;
	const runAll = async (): Promise<void> => {
		isRunning = true;
		while (waiting.length > 0) {
			const batch = waiting.splice(0, await room());
			for (const {timer} of batch) clearTimeout(timer);
			if (batch.length > 0) await run(batch);
		}
		isRunning = false;
	};
	return {
		add(item, queueMs) {
			const {promise, resolve, reject} = Promise.withResolvers<Out>();
			const job: (typeof waiting)[number] = {item, resolve, reject};
			const giveUp = (): void => {
				waiting.splice(waiting.indexOf(job), 1);
				reject(new SenderBusy(queueMs!));
			};
			if (queueMs !== undefined) job.timer = setTimeout(giveUp, queueMs);
			waiting.push(job);
			if (!isRunning) void runAll();
			return promise;
		},
	};
}
