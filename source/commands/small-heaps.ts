import v8 from 'node:v8';

/** When the start is over: until then speed matters more than memory. */
const STARTED_AFTER_MS = 600;
const LOOK_MS = 20;
/** Young objects of the monitor get so much, two halves of 4 MB: less costs CPU time, more costs only memory (measured). */
const YOUNG_BYTES = 8 << 20;

/**
 * Keeps the memory of the monitor and of its service's thread low, for no more CPU time. Left alone, V8 gives each of the
 * two 16 MB times three for young objects, and lets the old ones and the buffers that they hold grow to several times of
 * what lives.
 */
export function keepHeapsSmall(): void {
	// Read when a thread is made: for the service's.
	v8.setFlagsFromString('--max-semi-space-size=2');
	// So is this: each of our threads tidies up once, when it has started.
	v8.setFlagsFromString('--expose-gc');
	// These are read when a heap is about to grow. The young space of this thread has its limit already: it is held when it
	// is as large as wanted.
	const startedMs = performance.now();
	const watch = setInterval(() => {
		if (youngBytes() < YOUNG_BYTES && performance.now() - startedMs < STARTED_AFTER_MS) return;
		clearInterval(watch);
		v8.setFlagsFromString('--semi-space-growth-factor=1');
	}, LOOK_MS).unref();
	// From here on the old space grows by a quarter.
	setTimeout(() => v8.setFlagsFromString('--heap-growing-percent=25'), STARTED_AFTER_MS).unref();
}

function youngBytes(): number {
	return v8.getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.space_size ?? 0;
}
