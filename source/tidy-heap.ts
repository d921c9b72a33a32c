/** By now a thread has loaded and read what it starts with, and every screen stands. */
const FIRST_AFTER_MS = 5000;
const EVERY_MS = 120_000;

/**
 * Has this thread give back what it does not need any more: once it has started, and then now and again. V8 alone would
 * keep what only the start took for as long as the thread lives, and let the rest grow. The thread stands still for some
 * 50 ms, so this is nothing for the one that hears the keys. Does nothing where V8 offers no collection (see
 * keepHeapsSmall).
 */
export function keepHeapTidy(): void {
	const collect = globalThis.gc as ((options: {type: 'major'; flavor: 'last-resort'}) => void) | undefined;
	if (!collect) return;
	const tidy = (): void => collect({type: 'major', flavor: 'last-resort'});
	setTimeout(tidy, FIRST_AFTER_MS).unref();
	setInterval(tidy, EVERY_MS).unref();
}
