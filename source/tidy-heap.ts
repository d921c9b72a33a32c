/** By now a thread has loaded and read what it starts with, and every screen stands. */
const TIDY_AFTER_MS = 5000;

/**
 * Has this thread, once it has started, give back what only the start took: V8 alone would keep it for as long as the
 * thread lives. The thread stands still for some 50 ms, so this is nothing for the one that hears the keys. Does nothing
 * where V8 offers no collection (see keepHeapsSmall).
 */
export function tidyHeapAfterStart(): void {
	const collect = globalThis.gc as ((options: {type: 'major'; flavor: 'last-resort'}) => void) | undefined;
	if (collect) setTimeout(() => collect({type: 'major', flavor: 'last-resort'}), TIDY_AFTER_MS).unref();
}
