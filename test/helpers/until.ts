import {setTimeout as pause} from 'node:timers/promises';
import {PATIENCE_MS} from './patience.ts';

/** Waits until something is so. @throws when it is not after the longest time that a test waits */
export async function until(isSo: () => boolean): Promise<void> {
	const end = performance.now() + PATIENCE_MS;
	while (!isSo()) {
		if (performance.now() > end) throw new Error(`it did not become so: ${isSo.toString()}`);
		await pause(10);
	}
}
