/** When a thread has finished its start, ms. */
const FIRST_AFTER_MS = 5000;
const EVERY_MS = 120_000;

/**
 * Collects garbage once after the start and then every two minutes: V8 alone would keep the garbage of the start. Each
 * collection blocks the thread for some 50 ms, so not for the thread that reads keys. Does nothing when `gc` is not exposed
 * (keepHeapsSmall).
 */
export function keepHeapTidy(): void {
	const collect = globalThis.gc as ((options: {type: 'major'; flavor: 'last-resort'}) => void) | undefined;
	if (!collect) return;
	const tidy = (): void => collect({type: 'major', flavor: 'last-resort'});
	setTimeout(tidy, FIRST_AFTER_MS).unref();
	setInterval(tidy, EVERY_MS).unref();
}
