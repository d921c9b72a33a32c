/** After a change the chain is saved when it has been quiet for this long, … */
const SAVE_QUIET_MS = 500;

/** … but not later than this. */
const SAVE_LATEST_MS = 3000;

/** Saves a chain some time after it has changed. */
export interface Saver {
	schedule(): void;
	/** Saves unsaved changes. */
	finish(): Promise<void>;
}

/** Saves after changes: not for each one, and never twice at once. */
export function createSaver(save: () => Promise<void>, log: (line: string) => void): Saver {
	let timer: NodeJS.Timeout | undefined;
	let dueAtMs = 0;
	let saving: Promise<void> = Promise.resolve();

	const run = () => {
		clearTimeout(timer);
		timer = undefined;
		saving = saving.then(save).catch(error => log(`a chain could not be saved: ${String(error)}`));
	};
	return {
		schedule() {
			const nowMs = performance.now();
			if (timer === undefined) dueAtMs = nowMs + SAVE_LATEST_MS;
			clearTimeout(timer);
			timer = setTimeout(run, Math.min(SAVE_QUIET_MS, Math.max(0, dueAtMs - nowMs)));
			timer.unref();
		},
		async finish() {
			if (timer !== undefined) run();
			await saving;
		},
	};
}
