import v8 from 'node:v8';

/** When the start is over: until then speed matters more than memory. */
const STARTED_AFTER_MS = 600;
/**
 * Size of the young generation, two halves: less costs CPU time, more costs only memory (measured). A hundred screens make 60 MB of
 * garbage a second.
 */
const YOUNG_BYTES = {one: 8 << 20, many: 64 << 20};
/** How often the size is read until it is reached, ms. */
const LOOK_MS = {one: 20, many: 200};

/**
 * Keeps the memory of the monitor and of the service's thread low, at no cost of CPU time. By default V8 gives each thread
 * up to 128 MB for young objects, and lets old objects and their buffers grow to several times of what is in use.
 * @param screens how many this thread draws: the young objects of many need more room
 */
export function keepHeapsSmall(screens: 'one' | 'many' = 'one'): void {
	// V8 reads this flag when a thread starts: it limits the service's thread.
	v8.setFlagsFromString('--max-semi-space-size=2');
	// This flag, too: each thread collects garbage once, after its start.
	v8.setFlagsFromString('--expose-gc');
	// V8 reads the next flags when a heap grows.
	keepYoungSmall(screens);
	// From here on the old space grows by a quarter. Many screens fill a quarter every few seconds: theirs doubles.
	const percent = screens === 'one' ? 25 : 100;
	setTimeout(() => v8.setFlagsFromString(`--heap-growing-percent=${percent}`), STARTED_AFTER_MS).unref();
}

/** The limit of this thread's young space is set already: its growth is stopped once it has the expected size. */
function keepYoungSmall(screens: 'one' | 'many'): void {
	const startedMs = performance.now();
	const watch = setInterval(() => {
		const isStarting = screens === 'many' || performance.now() - startedMs < STARTED_AFTER_MS;
		if (youngBytes() < YOUNG_BYTES[screens] && isStarting) return;
		clearInterval(watch);
		v8.setFlagsFromString('--semi-space-growth-factor=1');
	}, LOOK_MS[screens]).unref();
}

function youngBytes(): number {
	return v8.getHeapSpaceStatistics().find(space => space.space_name === 'new_space')?.space_size ?? 0;
}
